"""MCP servers: over standard streams, HTTP and in memory; calls, questions, faults, no orphans."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
import time

import psutil
import pytest

from workbench import (
    AgentAudio,
    AgentImage,
    AgentText,
    ConnectionFailed,
    InvalidArguments,
    MCPClient,
    Tool,
    ToolCancelled,
    ToolCollection,
    ToolError,
    ToolTimeout,
)
from workbench.sources.mcp.config import filled
from workbench.sources.mcp.given import targets_from
from workbench.sources.mcp.naming import python_name
from workbench.sources.mcp.results import result_from
from workbench.sources.mcp.target import HttpTarget, StdioTarget
from workbench.tools import ResourceLink, start

DEMO = "python -m workbench.demo"


@pytest.fixture(scope="module")
def client():
    client = MCPClient(DEMO, elicitation=lambda message, schema: {"date": "2026-12-24"})
    yield client
    client.disconnect()


@pytest.fixture
def tools(client):
    return client.get_tools()


def test_tools_are_described_as_published(tools):
    assert len(tools) == 10
    assert tools["picture"].title == "Draw a landscape"
    assert tools["picture"].annotations.read_only_hint is True
    assert tools["weather_table"].output_schema is not None
    assert tools["greet"].args["name"]["description"] == "Who is greeted"


def test_every_kind_of_block_is_typed(tools):
    assert tools["greet"]("Ada") == "Hello, Ada!"
    assert isinstance(tools["greet"](name="Ada"), AgentText)
    picture = tools["picture"](width=128, height=96)
    assert isinstance(picture, AgentImage)
    assert (picture.size, picture.mime_type) == ((128, 96), "image/jpeg")
    sound = tools["melody"]()
    assert isinstance(sound, AgentAudio)
    assert sound.samplerate == 22_050
    kinds = [type(part) for part in tools["describe"]()]
    assert kinds == [AgentText, AgentImage, AgentText]
    assert isinstance(tools["report_link"]()[1], ResourceLink)
    table = tools["weather_table"].run({"days": 3})
    assert len(table.structured_content["result"]) == 3
    assert table.output_problems == ()


def test_structured_output_is_unwrapped_only_where_the_sdk_wrapped_it():
    with MCPClient(DEMO, structured_output=True) as tools:
        assert [row["day"] for row in tools["weather_table"](days=2)] == ["Mon", "Tue"]
    answer = {"content": [], "structuredContent": {"result": 5}}
    assert result_from(answer, structured_output=True).value == {"result": 5}
    flagged = {"x-fastmcp-wrap-result": True}
    assert result_from(answer, output_schema=flagged, structured_output=True).value == 5


def test_failures_are_results_and_errors(tools):
    result = tools["broken"].run({"reason": "no ink"})
    assert result.is_error
    assert "no ink" in result.text
    with pytest.raises(ToolError, match="no ink"):
        tools["broken"](reason="no ink")
    with pytest.raises(InvalidArguments, match="at most 2000"):
        tools["picture"](width=5000)


def test_progress_questions_and_async_calls(tools):
    heard = []
    tools["countdown"].run({"steps": 3, "pause_s": 0.05}, on_progress=heard.append)
    assert heard[-1].total == 3
    assert "Booked for 2 on 2026-12-24" in tools["book_table"]()

    async def main():
        names = ("a", "b", "c")
        return await asyncio.gather(*(tools["greet"].acall(name=name) for name in names))

    assert asyncio.run(main()) == ["Hello, a!", "Hello, b!", "Hello, c!"]


def test_cancel_and_timeout_leave_the_connection_alone(tools):
    run = start(tools["slow"], {"seconds": 60})
    run.cancel()
    run.wait(20)
    assert run.status == "cancelled"
    assert "within" in tools["slow"].run({"seconds": 60}, timeout_s=0.2).text
    assert tools["greet"]("again") == "Hello, again!"


def test_resources_prompts_and_log(client):
    assert client.read_resource("demo://report").startswith("# Report")
    assert client.list_prompts()[0]["name"] == "explain"
    (message,) = client.get_prompt("explain", {"topic": "sines"})
    assert message["content"] == "Explain sines in two sentences."
    assert [r["uri"] for r in client.list_resources()] == ["demo://report"]


def test_declining_and_cancelling_a_question():
    def dismiss(message, schema):
        raise ToolCancelled

    for answer, words in ((lambda m, s: None, "No answer"), (dismiss, "No answer")):
        with MCPClient(DEMO, elicitation=answer) as tools:
            assert words in tools["book_table"]()


def demo_processes() -> list[psutil.Process]:
    found = []
    for process in psutil.process_iter(["cmdline"]):
        words = process.info["cmdline"] or []
        ours = words[:1] == [sys.executable] and "workbench.demo" in words
        if ours and process.status() != psutil.STATUS_ZOMBIE:
            found.append(process)
    return found


def settled(count: int) -> bool:
    deadline = time.monotonic() + 20
    while len(demo_processes()) > count and time.monotonic() < deadline:
        threading.Event().wait(0.1)
    return len(demo_processes()) <= count


def test_no_process_is_left_after_disconnect(client):
    before = len(demo_processes())
    known = {process.pid for process in demo_processes()}
    other = MCPClient(DEMO)
    assert {process.pid for process in demo_processes()} - known
    other.disconnect()
    other.disconnect()
    assert settled(before)
    with pytest.raises(ConnectionFailed, match="connect"):
        other.get_tools()
    other.connect()
    assert other.get_tools()["greet"]("back") == "Hello, back!"
    other.disconnect()


@pytest.mark.parametrize("end", ["exit", "kill"])
def test_no_process_is_left_when_the_client_is_gone(client, end):
    before = len(demo_processes())
    code = (
        "import os, sys, signal, workbench; c = workbench.MCPClient('python -m workbench.demo'); "
        "print('up', flush=True); "
        + ("sys.exit()" if end == "exit" else "os.kill(os.getpid(), signal.SIGKILL)")
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False
    )
    assert "up" in done.stdout
    assert settled(before)


def test_a_crashed_server_is_started_anew(tmp_path):
    source = tmp_path / "crash.py"
    source.write_text(
        "import os, sys\nfrom workbench.demo.sdk import Server\nserver = Server('crash')\n"
        "@server.tool()\ndef die() -> str:\n    print('last words', file=sys.stderr, flush=True)\n    os._exit(3)\n"
        "@server.tool()\ndef live() -> str:\n    return 'alive'\nserver.run('stdio')\n"
    )
    with MCPClient([sys.executable, str(source)]) as tools:
        with pytest.raises(ConnectionFailed, match="last words"):
            tools["die"]()
        assert tools["live"]() == "alive"


FAULTS = [
    ("no-such-program --x", "no program 'no-such-program'"),
    ([sys.executable, "-c", "raise SystemExit('bye now')"], "bye now"),
    ("http://127.0.0.1:9/mcp", "refused"),
    (5, "cannot tell which server"),
    ({"args": ["x"]}, "'command' or 'url'"),
    ({"url": "http://x", "transport": "carrier-pigeon"}, "carrier-pigeon"),
    ("/nope/mcp.json", "no file"),
]


@pytest.mark.parametrize(("given", "words"), FAULTS, ids=str)
def test_faults_name_their_cause(given, words):
    kept = dict(given) if isinstance(given, dict) else given
    with pytest.raises(ConnectionFailed, match=words):
        MCPClient(given)
    assert given == kept


def test_targets_are_read_in_every_spelling(tmp_path, monkeypatch):
    monkeypatch.setenv("TOKEN", "secret")
    config = tmp_path / "mcp.json"
    config.write_text(
        '{"mcpServers": {"a": {"command": "x", "args": ["y"], "env": {"K": "${TOKEN}"}},'
        ' "b": {"type": "http", "url": "https://e.org", "headers": {"A": "Bearer ${env:TOKEN}"}}}}'
    )
    first, second = targets_from(str(config))
    assert isinstance(first, StdioTarget)
    assert isinstance(second, HttpTarget)
    ready = [filled(target) for target in (first, second)]
    assert (ready[0].env["K"], ready[1].headers["A"]) == ("secret", "Bearer secret")
    assert "secret" not in repr(ready) + "".join(map(str, ready))
    assert [type(t) for t in targets_from(["a b", "https://e.org"])] == [StdioTarget, HttpTarget]
    assert targets_from(["npx", "-y", "pkg"])[0].args == ("-y", "pkg")


def test_a_server_in_this_process():
    from workbench.demo.sdk import Server

    server = Server("inside")

    @server.tool()
    def twice(text: str) -> str:
        return text * 2

    with MCPClient(server) as tools:
        assert tools["twice"]("ab") == "abab"


def test_two_servers_are_told_apart():
    with MCPClient([DEMO, DEMO]) as tools:
        assert len(tools) == len(set(tools.names)) == 20


def test_collections_from_mcp_end_their_server(client):
    before = len(demo_processes())
    with ToolCollection.from_mcp(DEMO, trust_remote_code=True) as tools:
        assert tools["greet"]("x") == "Hello, x!"
    assert settled(before)


class Session:
    """The least that a session of the caller's own has."""

    def __init__(self, answer):
        self.answer = answer

    async def call_tool(self, name, arguments=None):
        return {**self.answer, "called": [name, arguments]}


def test_tools_of_a_session_that_the_caller_owns():
    definition = {
        "name": "send-email",
        "inputSchema": {"type": "object", "properties": {"to": {"type": "string"}}},
    }
    answer = {
        "content": [{"type": "text", "text": "sent"}],
        "structuredContent": {"id": 9007199254740993},
    }
    text = Tool.from_mcp_tool(Session(answer), definition)
    assert text.name == "send_email"
    assert asyncio.run(text.acall(to="a")) == "sent"
    data = Tool.from_mcp_tool(Session(answer), definition, result_mode="structured")
    assert asyncio.run(data.acall(to="a")) == {"id": 9007199254740993}
    with pytest.raises(ValueError, match="result_mode"):
        Tool.from_mcp_tool(Session(answer), definition, result_mode="both")


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("send-email", "send_email"),
        ("class", "class_"),
        ("1x", "_1x"),
        ("a b", "a_b"),
        ("", "tool"),
    ],
)
def test_names_become_identifiers(name, safe):
    assert python_name(name) == safe


ANSWERS = [
    ({"content": []}, None),
    ({"content": [{"type": "text", "text": ""}]}, ""),
    ({"content": [], "structuredContent": [1, 2]}, [1, 2]),
    ({"content": [{"type": "resource", "resource": {"uri": "a://b", "text": "hi"}}]}, "hi"),
    ({"content": [{"type": "hologram", "x": 1}]}, {"type": "hologram", "x": 1}),
]


@pytest.mark.parametrize(("answer", "value"), ANSWERS, ids=str)
def test_answers_of_every_shape(answer, value):
    assert result_from(answer).value == value


def test_a_broken_picture_says_so_and_loses_nothing_else():
    answer = {
        "content": [
            {"type": "image", "data": "AAAA", "mimeType": "image/png"},
            {"type": "text", "text": "x"},
        ]
    }
    broken, text = result_from(answer).value
    assert "image/png" in broken
    assert text == "x"


def test_results_that_break_their_schema_show_both():
    answer = {"content": [{"type": "text", "text": "x"}], "structuredContent": {"n": "five"}}
    result = result_from(answer, output_schema={"properties": {"n": {"type": "integer"}}})
    assert result.structured_content == {"n": "five"}
    assert [p.path for p in result.output_problems] == [("n",)]


def test_progress_gives_a_call_more_time_up_to_a_limit():
    with MCPClient(DEMO, timeout_s=3) as tools:
        assert tools["countdown"](steps=25, pause_s=0.2) == "counted 25 steps"
        with pytest.raises(ToolTimeout, match="timeout_s"):
            tools["slow"](seconds=60)
    with MCPClient(DEMO, timeout_s=3, max_timeout_s=3) as tools:
        with pytest.raises(ToolTimeout, match="max_timeout_s"):
            tools["countdown"](steps=100, pause_s=0.2)
        assert tools["greet"](name="Ada") == "Hello, Ada!"
