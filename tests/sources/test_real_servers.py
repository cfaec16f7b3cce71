"""Servers that people use, as they are published: connect, list, and one call that means something.

Which they are, in which versions, is in ``tests/servers``.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np
import psutil
import pytest
from PIL import Image

from workbench import AgentAudio, AgentImage, ConnectionFailed, MCPClient

PICTURE = Image.new("RGB", (20, 10), "teal")


def command(name, where):
    """The path of a server's program, or a skip that CI does not allow."""
    found = shutil.which(name, path=os.environ.get(where) or None)
    if found is None:
        pytest.skip(f"{name} is not installed; tests/servers says how, and {where} where")
    return found


@pytest.fixture
def npm(request):
    """Takes a program's name and its arguments, and gives the tools of the running server."""
    return _starter(request, "WORKBENCH_NODE_SERVERS")


@pytest.fixture
def pypi(request):
    """The same for servers of which each has a Python environment of its own."""
    return _starter(request, "WORKBENCH_PYTHON_SERVERS")


def _starter(request, where):
    def tools_of(name, *args, **env):
        client = MCPClient({"command": command(name, where), "args": list(args), "env": env})
        request.addfinalizer(client.disconnect)
        return client.get_tools()

    return tools_of


@pytest.mark.node
def test_everything(npm):
    tools = npm("mcp-server-everything", "stdio")
    assert "5" in tools["get_sum"](a=2, b=3)
    (picture,) = [part for part in tools["get_tiny_image"]() if isinstance(part, AgentImage)]
    assert picture.mime_type == "image/png"
    assert "Research Report: tea" in tools["simulate_research_query"](topic="tea")


@pytest.mark.node
def test_filesystem(npm, tmp_path):
    PICTURE.save(tmp_path / "a.png")
    AgentAudio(np.zeros(800), samplerate=8000).save(tmp_path / "a.wav")
    tools = npm("mcp-server-filesystem", str(tmp_path))
    result = tools["read_media_file"].run({"path": str(tmp_path / "a.png")})
    assert result.value.size == (20, 10)
    assert result.output_problems == ()
    assert str(result._repr_mimebundle_()).count("iVBOR") == 1  # the server sends it twice
    assert isinstance(tools["read_media_file"](path=str(tmp_path / "a.wav")), AgentAudio)
    refused = tools["read_text_file"].run({"path": "/etc/hostname"})
    assert refused.is_error
    assert "outside allowed directories" in refused.text


@pytest.mark.node
def test_memory(npm, tmp_path):
    tools = npm("mcp-server-memory", MEMORY_FILE_PATH=str(tmp_path / "memory.json"))
    ada = {"name": "Ada", "entityType": "person", "observations": ["writes programs"]}
    tools["create_entities"](entities=[ada])
    found = tools["search_nodes"].run({"query": "programs"})
    assert found.structured_content == {"entities": [ada], "relations": []}
    assert found.output_problems == ()


@pytest.mark.node
def test_sequential_thinking(npm):
    tools = npm("mcp-server-sequential-thinking")
    first = {"thought": "Begin.", "nextThoughtNeeded": True, "thoughtNumber": 1, "totalThoughts": 2}
    assert tools["sequentialthinking"].run(first).structured_content["thoughtHistoryLength"] == 1


@pytest.mark.node
def test_echarts(npm):
    bars = [{"category": "a", "value": 1}, {"category": "b", "value": 2}]
    draw = npm("mcp-echarts")["generate_bar_chart"]
    picture = draw(data=bars, width=400, height=300)
    assert isinstance(picture, AgentImage)
    assert picture.mime_type == "image/png"
    assert len(picture.convert("RGB").getcolors(picture.width * picture.height)) > 2
    drawing = draw.run({"data": bars, "outputType": "svg"})
    assert drawing.text.startswith("<svg")
    assert "data:image/svg+xml" in drawing.to_html()
    assert "<svg" not in drawing.to_html()


@pytest.mark.node
def test_an_app(npm, tmp_path):
    PICTURE.save(tmp_path / "a.pdf")
    tools = npm("mcp-pdf-server", "--stdio", str(tmp_path / "a.pdf"))
    result = tools["display_pdf"].run({"url": str(tmp_path / "a.pdf")})
    assert result.structured_content["totalBytes"] == (tmp_path / "a.pdf").stat().st_size
    assert result.app.mime_type == "text/html;profile=mcp-app"
    assert result.app.value.lstrip().lower().startswith("<!doctype html>")


@pytest.mark.pypi
def test_git(pypi, tmp_path):
    who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
    for words in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "The first"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    tools = pypi("mcp-server-git", "--repository", str(tmp_path))
    assert tools["git_log"].annotations.read_only_hint is True
    assert "Message: The first" in tools["git_log"](repo_path=str(tmp_path))


@pytest.mark.pypi
def test_time(pypi):
    convert = pypi("mcp-server-time", "--local-timezone", "UTC")["convert_time"]
    asked = {"source_timezone": "Asia/Seoul", "time": "09:00", "target_timezone": "UTC"}
    result = convert.run(asked)
    assert result.structured_content["time_difference"] == "-9.0h"
    assert result.output_problems == ()


class _Page(BaseHTTPRequestHandler):
    def log_message(self, *args):
        pass

    def do_GET(self):
        self.send_response(404 if self.path == "/robots.txt" else 200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        words = "Round and round it goes. " * 30
        self.wfile.write(f"<html><body><article><p>{words}</p></article></body></html>".encode())


@pytest.mark.pypi
def test_fetch(pypi):
    web = ThreadingHTTPServer(("127.0.0.1", 0), _Page)
    threading.Thread(target=web.serve_forever, daemon=True).start()
    fetch = pypi("mcp-server-fetch", "--allow-private-ips")["fetch"]
    assert "Round and round it goes." in fetch(url=f"http://127.0.0.1:{web.server_port}/")
    assert fetch.run({"url": "no address"}).is_error
    web.shutdown()
    web.server_close()


@pytest.mark.pypi
def test_sqlite(pypi, tmp_path):
    tools = pypi("mcp-server-sqlite", "--db-path", str(tmp_path / "a.db"))
    assert tools["read_query"](query="select 6 * 7 as n") == "[{'n': 42}]"
    assert "error" in tools["read_query"](query="selec").lower()


@pytest.mark.pypi
def test_markitdown(pypi, tmp_path):
    (tmp_path / "a.html").write_text("<h1>Title</h1><p>Some <b>bold</b> words</p>")
    convert = pypi("markitdown-mcp")["convert_to_markdown"]
    assert convert(uri=(tmp_path / "a.html").as_uri()) == "# Title\n\nSome **bold** words"


def _free_port():
    with socket.socket() as asked:
        asked.bind(("127.0.0.1", 0))
        return asked.getsockname()[1]


@pytest.fixture(params=["sse", "streamableHttp"])
def address(request):
    """Where the npm server listens, by the older and by the newer transport."""
    program = command("mcp-server-everything", "WORKBENCH_NODE_SERVERS")
    free_port = _free_port()
    env = {**os.environ, "PORT": str(free_port)}
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    process = subprocess.Popen([program, request.param], env=env, **quiet)
    heard = process.stderr.readline()
    while heard and str(free_port).encode() not in heard:
        heard = process.stderr.readline()
    yield f"http://127.0.0.1:{free_port}/{'sse' if request.param == 'sse' else 'mcp'}"
    for each in (*psutil.Process(process.pid).children(recursive=True), process):
        each.kill()
    process.communicate()


@pytest.mark.node
def test_both_transports_at_an_address(address):
    transport = "sse" if address.endswith("sse") else "streamable-http"
    heard = []
    with MCPClient({"url": address, "transport": transport}) as tools:
        assert "5" in tools["get_sum"](a=2, b=3)
        slow = tools["trigger_long_running_operation"]
        slow.run({"duration": 0.4, "steps": 2}, on_progress=heard.append)
    assert heard[-1].total == 2


@pytest.mark.node
def test_the_older_transport_has_to_be_named(address):
    if address.endswith("sse"):
        with pytest.raises(ConnectionFailed, match='"transport": "sse"'):
            MCPClient(address, connect_timeout_s=20)
    else:
        assert Path(address).name == "mcp"
