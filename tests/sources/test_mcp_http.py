"""Servers at an address: what is sent, what goes wrong, and how a person signs in.

The server is of the older protocol, written without an SDK, so it is the same for both majors.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import stat
import threading
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlencode, urlsplit

import pytest

from workbench import ConnectionFailed, MCPClient, OAuth
from workbench.errors import UntrustedCodeError
from workbench.tools import ToolCollection

TOOL = {"name": "echo", "description": "Say it again.", "inputSchema": {"type": "object"}}


class Web(ThreadingHTTPServer):
    """A server for tools, and one that signs people in to it."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.base = f"http://127.0.0.1:{self.server_port}"
        self.url = f"{self.base}/mcp"
        self.needs_token, self.refuses, self.refuses_people = False, None, False
        self.tokens: set[str] = set()
        self.codes: dict[str, str] = {}
        self.seen: list[tuple[str, dict]] = []
        self.registered = 0

    def visit(self, address):
        """What a browser does: it is sent back to the client's own address."""
        with urllib.request.urlopen(address) as page:
            return page.read().decode()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def reply(self, status, data=None, **headers):
        body = b"" if data is None else json.dumps(data).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self):
        web, parts = self.server, urlsplit(self.path)
        if parts.path.startswith("/.well-known/oauth-protected-resource"):
            self.reply(200, {"resource": web.url, "authorization_servers": [web.base]})
        elif parts.path.startswith("/.well-known/oauth-authorization-server"):
            self.reply(200, about(web.base))
        elif parts.path == "/authorize":
            self.authorize(parse_qs(parts.query))
        else:
            self.reply(405)

    def authorize(self, query):
        back, state = query["redirect_uri"][0], query["state"][0]
        if self.server.refuses_people:
            self.reply(302, Location=f"{back}?{urlencode({'error': 'access_denied'})}")
            return
        self.server.codes["c0de"] = query["code_challenge"][0]
        self.reply(302, Location=f"{back}?{urlencode({'code': 'c0de', 'state': state})}")

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path == "/register":
            self.server.registered += 1
            self.reply(201, {**json.loads(body), "client_id": "client"})
        elif self.path == "/token":
            self.token(parse_qs(body.decode()))
        else:
            self.mcp(json.loads(body))

    def token(self, given):
        digest = hashlib.sha256(given["code_verifier"][0].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        if self.server.codes.get(given["code"][0]) != challenge:
            self.reply(400, {"error": "invalid_grant"})
            return
        self.server.tokens.add("t0ken")
        self.reply(200, {"access_token": "t0ken", "token_type": "Bearer", "expires_in": 3600})

    def mcp(self, message):
        web = self.server
        web.seen.append((message.get("method", ""), dict(self.headers)))
        token = self.headers.get("Authorization", "").removeprefix("Bearer ")
        if web.refuses:
            self.reply(web.refuses, WWW_Authenticate='Bearer scope="admin"')
        elif web.needs_token and token not in web.tokens:
            where = f"{web.base}/.well-known/oauth-protected-resource/mcp"
            self.reply(401, WWW_Authenticate=f'Bearer resource_metadata="{where}"')
        elif "id" not in message:
            self.reply(202)
        else:
            self.reply(200, {"jsonrpc": "2.0", "id": message["id"], **answer(message)})


def about(base):
    return {
        "issuer": base,
        "authorization_endpoint": f"{base}/authorize",
        "token_endpoint": f"{base}/token",
        "registration_endpoint": f"{base}/register",
        "response_types_supported": ["code"],
        "code_challenge_methods_supported": ["S256"],
        "token_endpoint_auth_methods_supported": ["none", "client_secret_post"],
    }


def answer(message):
    method, params = message["method"], message.get("params") or {}
    if method == "initialize":
        info = {"name": "web", "version": "1"}
        version = params["protocolVersion"]
        result = {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": info}
    elif method == "tools/list":
        result = {"tools": [TOOL]}
    elif method == "tools/call":
        result = {"content": [{"type": "text", "text": "hello"}]}
    else:
        return {"error": {"code": -32601, "message": "no such method"}}
    return {"result": result}


@pytest.fixture
def web():
    server = Web()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_address_is_enough(web):
    with MCPClient(web.url) as tools:
        assert tools["echo"]() == "hello"


def test_headers_are_sent_and_shown_nowhere(web, monkeypatch):
    monkeypatch.setenv("WEB_TOKEN", "s3cret")
    web.needs_token, web.tokens = True, {"s3cret"}
    given = {"url": web.url, "headers": {"Authorization": "Bearer ${WEB_TOKEN}"}}
    client = MCPClient(given)
    with client as tools:
        assert tools["echo"]() == "hello"
        shown = repr(client) + repr(tools["echo"]) + repr(client._targets) + str(client.log)
    assert "s3cret" not in shown
    assert given["headers"] == {"Authorization": "Bearer ${WEB_TOKEN}"}
    assert all(headers["Authorization"] == "Bearer s3cret" for _, headers in web.seen)


@pytest.mark.parametrize("status", [401, 403])
def test_a_server_that_wants_authorisation_says_what_it_asks_for(web, status):
    web.refuses = status
    with pytest.raises(ConnectionFailed, match=str(status)) as caught:
        MCPClient(web.url, connect_timeout_s=20)
    assert "auth='oauth'" in str(caught.value)
    assert 'scope="admin"' in str(caught.value)


@pytest.mark.parametrize("status", [404, 500, 502])
def test_other_answers_are_named(web, status):
    web.refuses = status
    with pytest.raises(ConnectionFailed, match=str(status)):
        MCPClient(web.url, connect_timeout_s=20)


def test_nobody_there(web):
    web.shutdown()
    web.server_close()
    with pytest.raises(ConnectionFailed, match="refused"):
        MCPClient(web.url, connect_timeout_s=20)


def test_nothing_is_reached_without_trust(web):
    with pytest.raises(UntrustedCodeError, match=re.escape(web.url)):
        ToolCollection.from_mcp({"url": web.url})
    assert web.seen == []


def test_a_person_signs_in_by_a_browser_that_comes_back_here(web):
    web.needs_token = True
    pages = []

    def browse(address):
        assert address.startswith(f"{web.base}/authorize?")
        threading.Thread(target=lambda: pages.append(web.visit(address))).start()

    oauth = OAuth(redirect="local", tell=browse)
    with MCPClient({"url": web.url, "auth": oauth}) as tools:
        assert tools["echo"]() == "hello"
    assert "Signed in" in pages[0]
    assert "t0ken" not in repr(oauth) + repr(oauth.tokens)
    with MCPClient(web.url, auth=oauth) as tools:
        assert tools["echo"]() == "hello"
    assert web.registered == 1


def _pasting(web, told):
    def paste():
        class Stay(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *args):
                return None

        try:
            urllib.request.build_opener(Stay).open(told[-1])
        except urllib.error.HTTPError as error:
            return error.headers["Location"]

    return paste


def test_a_person_pastes_the_address_where_the_browser_cannot_come_back(web, tmp_path):
    web.needs_token = True
    told: list[str] = []
    path = tmp_path / "kept" / "tokens.json"
    oauth = OAuth(redirect="paste", tokens=path, tell=told.append, paste=_pasting(web, told))
    with MCPClient(web.url, auth=oauth) as tools:
        assert tools["echo"]() == "hello"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = OAuth(redirect="paste", tokens=path, tell=told.append, paste=_pasting(web, told))
    with MCPClient(web.url, auth=again) as tools:
        assert tools["echo"]() == "hello"
    assert len(told) == 1


def test_a_refused_sign_in_is_named(web):
    web.needs_token = web.refuses_people = True
    told: list[str] = []
    oauth = OAuth(tell=told.append, paste=_pasting(web, told))
    with pytest.raises(ConnectionFailed, match="access_denied"):
        MCPClient(web.url, auth=oauth, connect_timeout_s=20)


@pytest.mark.parametrize("pasted", ["", "nonsense", "http://127.0.0.1:1/callback?state=x"])
def test_a_pasted_address_without_a_code_is_named(web, pasted):
    web.needs_token = True
    oauth = OAuth(tell=lambda address: None, paste=lambda: pasted)
    with pytest.raises(ConnectionFailed, match="paste the whole address"):
        MCPClient(web.url, auth=oauth, connect_timeout_s=20)


def test_a_token_in_the_wrong_place_is_not_repeated(web):
    with pytest.raises(ConnectionFailed, match="headers") as caught:
        MCPClient({"url": web.url, "auth": "s3cret"})
    assert "s3cret" not in str(caught.value)


def test_nobody_to_paste_is_said(web):
    web.needs_token = True

    def nobody():
        raise EOFError

    with pytest.raises(ConnectionFailed, match=r"OAuth\(paste="):
        MCPClient(web.url, auth=OAuth(tell=lambda a: None, paste=nobody), connect_timeout_s=20)
