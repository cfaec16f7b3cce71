"""Servers in processes of their own: by command, at an address, for clients that others wrote."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from workbench import InvalidArguments, MCPClient, ToolCancelled
from workbench.interop import serve
from workbench.tools import start

MODULE = Path(__file__).with_name("served_tools.py")
COMMAND = [sys.executable, "-m", "workbench", "serve", str(MODULE)]


@pytest.fixture(scope="module")
def server():
    """The address of the module's tools, and the process that serves them."""
    command = [*COMMAND, "--transport", "streamable-http", "--port", "0"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
        said = next(line for line in process.stderr if "http://" in line)
        yield said.split()[-1], process
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) in (0, -signal.SIGTERM)
        process.stderr.close()


@pytest.fixture(scope="module", params=["stdio", "streamable-http"])
def tools(request):
    target = COMMAND
    if request.param != "stdio":
        target = request.getfixturevalue("server")[0]
    with MCPClient(target, structured_output=True) as client:
        yield client


def test_what_is_served_is_what_it_was(tools):
    assert [tool.name for tool in tools] == ["square", "steps", "forever"]
    assert tools["square"].title == "A square"
    assert tools["square"].annotations.read_only_hint is True
    assert tools["square"](side=7).size == (7, 7)


def test_progress_reaches_the_client(tools):
    seen = []
    result = tools["steps"].run({"count": 3}, on_progress=seen.append)
    assert result.structured_content == {"done": 3}
    assert (seen[-1].progress, seen[-1].total, seen[-1].message) == (3, 3, "step 3")


def test_giving_up_a_call_stops_the_tool(tools, tmp_path):
    mark = tmp_path / "mark"
    run = start(tools["forever"], {"mark": str(mark)})
    wait_for(mark, "started")
    run.cancel()
    with pytest.raises(ToolCancelled):
        run.wait(20).unwrap()
    wait_for(mark, "stopped")


def wait_for(mark: Path, text: str) -> None:
    """Until a file says something; asking the server in between would change what is tested."""
    import time

    deadline = time.monotonic() + 20
    while not mark.is_file() or mark.read_text() != text:
        assert time.monotonic() < deadline, f"the tool has not {text}"


def post(url: str, **headers: str) -> int:
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    sent = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    request = urllib.request.Request(url, body, {**sent, **named})
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code


def test_requests_of_other_hosts_and_origins_are_refused(server):
    url, _ = server
    assert post(url, Host="evil.example") == 421
    assert post(url, Host="evil.example:80", Origin="http://evil.example:80") == 421
    assert post(url, Origin="http://evil.example") == 403
    own = url.removesuffix("/mcp")
    assert post(url, Origin=own) not in (403, 421)
    assert post(url) not in (403, 421)


def test_only_this_machine_is_served_unless_told_otherwise(server):
    import psutil

    _, process = server
    listening = [each.laddr.ip for each in psutil.Process(process.pid).net_connections("tcp") if each.status == "LISTEN"]  # fmt: skip
    assert listening == ["127.0.0.1"]
    with pytest.raises(ValueError, match="allowed_hosts"):
        serve([len], "streamable-http", host="0.0.0.0")


def test_a_server_of_a_server(server):
    with MCPClient([sys.executable, "-m", "workbench", "serve", server[0]]) as tools:
        assert tools["square"](side=3).size == (3, 3)
        with pytest.raises(InvalidArguments):
            tools["steps"](count="many")


def test_an_mcp_json_starts_it(tmp_path):
    words = {"command": COMMAND[0], "args": COMMAND[1:]}
    file = tmp_path / "mcp.json"
    file.write_text(json.dumps({"mcpServers": {"mine": words}}))
    with MCPClient(str(file)) as tools:
        assert tools["square"](side=2).size == (2, 2)


def inspector() -> str:
    folder = os.environ.get("WORKBENCH_NODE_SERVERS", "")
    found = shutil.which("mcp-inspector", path=folder) if folder else None
    if found is None:
        pytest.skip("the MCP Inspector is not installed (WORKBENCH_NODE_SERVERS)")
    return found


def test_the_mcp_inspector_uses_it(server, tmp_path):
    """The protocol's own client, from its command line, over both transports."""
    for target in (COMMAND, [server[0], "--transport", "http"]):
        asked = [inspector(), "--cli", *target, "--method"]
        listed = subprocess.run([*asked, "tools/list"], capture_output=True, text=True, check=True)
        assert json.loads(listed.stdout)["tools"][0]["name"] == "square"
        called = subprocess.run(
            [*asked, "tools/call", "--tool-name", "square", "--tool-arg", "side=3"],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        assert json.loads(called.stdout)["content"][0]["mimeType"] == "image/png"
