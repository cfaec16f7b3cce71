"""Servers change while they are used: their tools, and the resources that somebody watches."""

from __future__ import annotations

import pickle
import queue
import sys
import threading
from pathlib import Path

import pytest

from workbench import MCPClient, WorkbenchError
from workbench.sources.mcp.sdk import major

CHANGING = [sys.executable, str(Path(__file__).parent / "servers" / "changing.py")]


@pytest.fixture
def client():
    client = MCPClient(CHANGING)
    yield client
    client.disconnect()


def until(holds) -> bool:
    """Wait for what arrives on another thread; gives up after 20 s."""
    pause = threading.Event()
    return any(holds() or pause.wait(0.05) for _ in range(400))


def test_a_collection_follows_its_server_and_marks_what_changed(client):
    tools = client.get_tools()
    about = tools["about"]
    assert [tool.name for tool in tools] == ["change", "about", "chart"]
    assert about.changes == ()
    tools["change"]()
    assert until(lambda: "late" in tools)
    assert tools["about"].description == "Version 2."
    assert tools["about"].changes == ("description",)
    assert tools["late"].changes == ()
    assert until(lambda: any("'about' is not what it was" in line.text for line in client.log))


def test_a_watched_resource_is_heard_of_until_nobody_watches(client):
    heard: queue.Queue[str] = queue.Queue()
    unsubscribe = client.subscribe("note://one", heard.put)
    client.get_tools()["change"]()
    assert heard.get(timeout=20) == "note://one"
    assert client.read_resource("note://one") == "version 2"
    unsubscribe()
    unsubscribe()
    client.get_tools()["change"]()
    assert until(lambda: client.get_tools()["about"].description == "Version 3.")
    assert heard.empty()


def test_a_resource_that_cannot_be_watched_says_so(client):
    with pytest.raises(WorkbenchError, match="no such thing"):
        client.subscribe("note://two", print)


def test_a_tool_brings_the_page_that_shows_its_result_and_models_do_not_get_it(client):
    result = client.get_tools()["chart"].run()
    assert result.app.uri == "ui://chart"
    assert result.app.value == "<script>draw()</script>"
    assert "draw()" not in result.text
    assert len(result.content) == 2
    assert "<script" not in result.to_html()


def test_a_link_is_read_when_somebody_follows_it(client):
    link = client.get_tools()["chart"]()[1]
    assert link.read() == "version 1"
    saved = pickle.loads(pickle.dumps(link))
    assert saved.uri == "note://one"
    with pytest.raises(WorkbenchError, match="no server to read it from"):
        saved.read()


def test_a_server_that_asks_back_in_the_older_way_is_reached_again_in_it():
    if major() < 2:
        pytest.skip("the first major of the SDK speaks the older protocol only")
    command = [sys.executable, str(Path(__file__).parent / "servers" / "pushing.py")]
    client = MCPClient(command, elicitation=lambda message, schema: {"name": "Ada"})
    with client as tools:
        assert tools["greet"]() == "Hello, Ada!"
        assert any("older protocol" in line.text for line in client.log)
        assert tools["greet"]() == "Hello, Ada!"
