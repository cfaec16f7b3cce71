"""Servers that misbehave: each fault ends in something that says so, and the client goes on."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from workbench import AgentText, ConnectionFailed, MCPClient, ToolTimeout

SERVER = Path(__file__).parent / "servers" / "bad.py"


def servers_of(fault):
    found = []
    for process in psutil.process_iter(["cmdline"]):
        command = process.info["cmdline"] or []
        if str(SERVER) in command and command[-1] == fault:
            found.append(process)
    return found


@contextmanager
def bad(fault, **options):
    """The tools of a server with this fault; nothing of it may be left running."""
    options = {"timeout_s": 20, "connect_timeout_s": 20, **options}
    client = MCPClient([sys.executable, str(SERVER), fault], **options)
    try:
        yield client
    finally:
        client.disconnect()
        _, alive = psutil.wait_procs(servers_of(fault), timeout=20)
        assert not alive


@pytest.mark.parametrize(
    "fault", ["banner", "noise", "stderr-flood", "unknown-ids", "requests", "twice"]
)
def test_what_does_not_belong_in_the_conversation_does_not_end_it(fault):
    with bad(fault) as client:
        work = client.get_tools()["work"]
        assert [work(), work()] == ["done", "done"]


def test_what_is_not_the_protocol_is_in_the_log():
    with bad("noise") as client:
        client.get_tools()["work"]()
        assert any("not json" in line.text for line in client.log)


@pytest.mark.parametrize("fault", ["die-at-once", "die-start", "die-list"])
def test_a_server_that_ends_before_it_is_of_use_is_quoted(fault):
    with pytest.raises(ConnectionFailed, match=r"(?s)out of cheese|cannot find my configuration"):
        MCPClient([sys.executable, str(SERVER), fault], connect_timeout_s=20)
    _, alive = psutil.wait_procs(servers_of(fault), timeout=20)
    assert not alive


@pytest.mark.parametrize("fault", ["hang-start", "hang-list"])
def test_a_server_that_hangs_is_given_up(fault):
    with pytest.raises(ConnectionFailed, match=r"within 2 s|no answer"):
        MCPClient([sys.executable, str(SERVER), fault], connect_timeout_s=2, timeout_s=2)
    _, alive = psutil.wait_procs(servers_of(fault), timeout=20)
    assert not alive


def test_a_server_that_dies_in_a_call_is_started_anew_for_the_next():
    with bad("die-call") as client:
        work = client.get_tools()["work"]
        for _ in range(2):
            result = work.run({})
            assert result.is_error
            assert "went away" in result.text
            assert "out of cheese" in result.text


def test_a_call_that_hangs_ends_by_its_timeout():
    with bad("hang-call") as client:
        work = client.get_tools()["work"]
        result = work.run({}, timeout_s=0.5)
        assert isinstance(result.error, ToolTimeout)


def test_fifty_megabytes_of_text_arrive_and_are_shown_in_part():
    with bad("huge", timeout_s=120) as client:
        result = client.get_tools()["work"].run({})
        assert len(result.value) == 50_000_000
        assert len(str(result._repr_mimebundle_())) < 1_000_000


@pytest.mark.parametrize(("fault", "tools"), [("same-cursor", 2), ("endless-cursors", 0)])
def test_lists_that_never_end_are_cut(fault, tools):
    with bad(fault) as client:
        assert len(client.get_tools()) == tools
        assert any("what it listed until then is kept" in line.text for line in client.log)


def test_a_result_that_breaks_its_schema_is_shown_with_the_problem():
    with bad("schema") as client:
        result = client.get_tools()["work"].run({})
        assert result.structured_content == {"n": "seven"}
        assert "n" in result.output_problems[0].path
        assert result.text == "done"


@pytest.mark.parametrize("fault", ["blocks", "null-block"])
def test_blocks_of_no_known_kind_are_kept_beside_the_others(fault):
    with bad(fault) as client:
        result = client.get_tools()["work"].run({})
        assert "done" in result.text
        assert len(result.content) > 1


@pytest.mark.parametrize("fault", ["no-content", "nonsense"])
def test_answers_that_are_no_results_are_results_or_errors(fault):
    with bad(fault) as client:
        work = client.get_tools()["work"]
        assert isinstance(work.run({}).text, str)
        assert isinstance(work.run({}).text, str)


def test_names_of_any_kind_become_distinct_identifiers_and_stay_on_the_wire():
    with bad("names") as client:
        tools = client.get_tools()
        assert all(tool.name.isidentifier() for tool in tools)
        assert len({tool.name for tool in tools}) == len(tools) == 7
        assert [tool() for tool in tools] == ["done"] * 7


def test_hostile_text_stays_text():
    with bad("hostile") as client:
        (tool,) = client.get_tools()
        bundle = tool._repr_mimebundle_()
        assert "<img" not in bundle["text/html"]
        assert not set("\x1b\u202e\u2066") & set(bundle["text/plain"])
        assert isinstance(tool(), AgentText)


def test_five_thousand_tools_are_listed():
    with bad("many") as client:
        tools = client.get_tools()
        assert len(tools) == 5000
        assert tools["tool_4999"]() == "done"
        assert len(str(tools._repr_mimebundle_())) < 2_000_000


def test_what_is_no_tool_is_left_out():
    with bad("kinds") as client:
        assert [tool.name for tool in client.get_tools()] == ["good", "other"]
        assert client.get_tools()["good"]() == "done"


def test_a_server_that_fails_leaves_the_others_alone():
    both = {
        name: {"command": sys.executable, "args": [str(SERVER), fault]}
        for name, fault in (("good", "ok"), ("bad", "die-at-once"))
    }
    with pytest.warns(RuntimeWarning, match="die-at-once.*is left out"):
        client = MCPClient({"mcpServers": both}, connect_timeout_s=20)
    (failure,) = client.failures.values()
    assert "cannot find my configuration" in str(failure)
    assert [tool() for tool in client.get_tools()] == ["done"]
    client.disconnect()


def test_a_server_that_does_not_tell_of_changes_is_asked():
    with bad("grows") as client:
        tools = client.get_tools()
        first = tools["tool_0"]
        assert client.refresh() is tools
        assert tools.names == ("tool_0", "tool_1")
        assert first() == tools["tool_1"]() == "done"
    with pytest.raises(ConnectionFailed, match="not connected"):
        client.refresh()
