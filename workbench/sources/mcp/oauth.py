"""Signing in to a server with a person's account: where the tokens stay, how the person answers.

The protocol itself (OAuth 2.1 with PKCE, discovery and registration) is the SDK's.
"""

from __future__ import annotations

import asyncio
import html
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from workbench.errors import ConnectionFailed, bounded_repr

__all__ = ["OAuth", "Tokens"]

_HOSTED = ("COLAB_RELEASE_TAG", "BINDER_SERVICE_HOST", "JUPYTERHUB_SERVICE_PREFIX", "CODESPACES")
"""Set where the kernel's ports are not the browser's."""


class OAuth:
    """How a person signs in to a server (OAuth 2.1, RFC 8252 for the way back).

    What is asked for is what the server says it wants (MCP authorization, scope selection).

    Parameters
    ----------
    redirect : str
        "local": the browser comes back to a port of this machine. "paste": the person copies
        the address that the browser ends up at, also if it shows an error there. "auto": paste
        on Colab, Binder and other hosts, else local.
    tokens : path, optional
        A file to keep tokens in, readable by its owner alone. By default they live in memory and
        end with the kernel.
    client_id, client_secret : str, optional
        Of a client that was registered by hand. By default the client registers itself.
    client_metadata_url : str, optional
        An address that describes the client, for servers that take one.
    tell : callable, optional
        Takes the address to visit, instead of printing it.
    paste : callable, optional
        Gives the address that the browser ended up at, instead of asking for it.

    Examples
    --------
    >>> OAuth(redirect="paste", client_secret="s3cret")
    OAuth(redirect='paste', tokens in memory)
    """

    def __init__(
        self,
        *,
        redirect: str = "auto",
        tokens: str | Path | None = None,
        client_id: str | None = None,
        client_secret: str | None = None,
        client_metadata_url: str | None = None,
        tell: Callable[[str], Any] | None = None,
        paste: Callable[[], str] | None = None,
    ) -> None:
        if redirect not in ("auto", "local", "paste"):
            raise ValueError(f"redirect must be 'auto', 'local' or 'paste', got {redirect!r}")
        self.is_local = redirect == "local" or (redirect == "auto" and not (paste or _hosted()))
        self.tokens = Tokens(None if tokens is None else Path(tokens).expanduser())
        self.client_id, self._client_secret = client_id, client_secret
        self.client_metadata_url = client_metadata_url
        self._tell, self._paste = tell or _print, paste or _ask

    @property
    def client_secret(self) -> str | None:
        """The secret of a registered client."""
        return self._client_secret

    def __repr__(self) -> str:
        kept = "in memory" if self.tokens.path is None else f"in {str(self.tokens.path)!r}"
        return f"OAuth(redirect={'local' if self.is_local else 'paste'!r}, tokens {kept})"

    def tell(self, address: str) -> None:
        """Show the person the address to visit; it is never fetched by us."""
        self._tell(address)

    async def pasted(self) -> dict[str, str]:
        """What the address says that the browser ended up at.

        Raises
        ------
        ConnectionFailed
            If nobody can be asked, or there is no code in it.
        """
        try:
            address = await asyncio.to_thread(self._paste)
        except (EOFError, OSError, NotImplementedError, RuntimeError) as error:
            raise ConnectionFailed(
                "nobody can be asked for the address after signing in here; pass "
                "auth=OAuth(paste=...) with a function that gives it"
            ) from error
        return answer_in(address)


def _hosted() -> bool:
    return "google.colab" in sys.modules or any(name in os.environ for name in _HOSTED)


def _print(address: str) -> None:
    print(f"To sign in, open this address in a browser:\n{address}")  # noqa: T201  # to a person


def _ask() -> str:
    return input("Then paste the address that the browser ended up at: ")


def answer_in(address: str) -> dict[str, str]:
    """The answer of an authorisation server in the address that it sent a browser to.

    Raises
    ------
    ConnectionFailed
        If it is a refusal, or no such address.

    Examples
    --------
    >>> answer_in("http://localhost/callback?code=abc&state=xyz")
    {'code': 'abc', 'state': 'xyz'}
    """
    query = parse_qs(urlsplit(address.strip()).query)
    answer = {name: values[0] for name, values in query.items()}
    if "error" in answer:
        told = answer.get("error_description") or answer["error"]
        raise ConnectionFailed(f"signing in was refused: {told[:300]}")
    if "code" not in answer:
        raise ConnectionFailed(
            f"there is no code in {bounded_repr(address.partition('?')[0])}; paste the whole "
            "address that the browser ended up at after signing in"
        )
    return answer


class Return:
    """A port of this machine where a browser comes back to, for as long as it is expected.

    Parameters
    ----------
    port : int
        0 takes a free one.
    """

    def __init__(self, port: int = 0) -> None:
        self._port = port
        self._server: asyncio.Server | None = None
        self._answer: asyncio.Future[dict[str, str]] | None = None

    async def open(self) -> int:
        """Listen; gives the port."""
        self._answer = asyncio.get_running_loop().create_future()
        try:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", self._port)
        except OSError:
            self._server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def answer(self) -> dict[str, str]:
        """Wait for the browser."""
        assert self._answer is not None
        return await self._answer

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        line = (await reader.readline()).decode("latin-1").split(" ")
        status, said = "404 Not Found", "There is nothing here."
        if len(line) > 1 and urlsplit(line[1]).path == "/callback":
            status, said = "200 OK", self._heard(line[1])
        page = f"<!doctype html><meta charset=utf-8><title>workbench</title><p>{html.escape(said)}"
        body = page.encode()
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {len(body)}\r\n"
        writer.write(f"{head}Connection: close\r\n\r\n".encode() + body)
        await writer.drain()
        writer.close()

    def _heard(self, address: str) -> str:
        assert self._answer is not None
        try:
            answer = answer_in(address)
        except ConnectionFailed as error:
            if not self._answer.done():
                self._answer.set_exception(error)
            return str(error)
        if not self._answer.done():
            self._answer.set_result(answer)
        return "Signed in. You can close this page and go back to the notebook."

    async def close(self) -> None:
        """Stop listening."""
        if self._server is not None:
            self._server.close()
            self._server = None


class Tokens:
    """Where tokens and registrations stay, by the server's address.

    Parameters
    ----------
    path : Path or None
        A file that only its owner may read, or None for memory.

    Examples
    --------
    >>> tokens = Tokens(None)
    >>> tokens.put("https://example.org", "tokens", {"access_token": "s3cret"})
    >>> tokens.get("https://example.org", "tokens")["access_token"]
    's3cret'
    >>> tokens
    Tokens(in memory)
    """

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self._memory: dict[str, dict[str, Any]] = {}

    def __repr__(self) -> str:
        return f"Tokens({'in memory' if self.path is None else str(self.path)})"

    def get(self, server: str, kind: str) -> Any:
        """What is kept, or None."""
        return self._all().get(server, {}).get(kind)

    def put(self, server: str, kind: str, value: Any) -> None:
        """Keep something."""
        known = self._all()
        known.setdefault(server, {})[kind] = value
        if self.path is None:
            self._memory = known
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_name(f".{self.path.name}.{os.getpid()}")
        descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(known, file)
        beside.replace(self.path)

    def _all(self) -> dict[str, dict[str, Any]]:
        if self.path is None or not self.path.exists():
            return self._memory
        try:
            known = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ConnectionFailed(
                f"cannot read tokens from {str(self.path)!r}: {error}"
            ) from error
        return known if isinstance(known, dict) else {}
