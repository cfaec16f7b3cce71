"""Tools that can only be called as tasks: started, asked after, cancelled, fetched."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from workbench import MCPClient, ToolError, WorkbenchError
from workbench.sources.mcp.sdk import major
from workbench.tools import start

TASKING = [sys.executable, str(Path(__file__).parent / "servers" / "tasking.py")]
HANDLES = [sys.executable, str(Path(__file__).parent / "servers" / "handles.py")]


@pytest.fixture
def tools():
    with MCPClient(TASKING) as tools:
        yield tools


def test_a_task_is_waited_for_and_its_progress_told(tools):
    heard = []
    result = tools["research"].run({}, on_progress=heard.append)
    assert result.value == "found it"
    assert heard[-1].message == "looked 2 times"


def test_a_failed_task_is_a_failed_call(tools):
    with pytest.raises(ToolError, match="the library burnt down"):
        tools["broken"]()


def test_a_task_that_the_server_cancels_says_so(tools):
    with pytest.raises(WorkbenchError, match="dropped: the server cancelled the task"):
        tools["dropped"]()


def test_cancelling_the_run_cancels_the_task(tools):
    run = start(tools["endless"], {})
    looked = threading.Event()
    run.watch(lambda run: looked.set() if run.progress else None)
    assert looked.wait(20)
    run.cancel()
    run.wait(20)
    assert run.status == "cancelled"
    assert tools["cancelled"]() == "task of endless"


def test_older_servers_are_told_that_pages_are_shown(tools):
    assert tools["told"]() == "io.modelcontextprotocol/ui"


@pytest.fixture
def handles():
    """Tools of a server of the newer protocol, where the server decides what becomes a task."""
    if major() < 2:
        pytest.skip("the first major of the SDK does not speak the newer protocol")
    editions = {"edition": "third"}
    with MCPClient(HANDLES, elicitation=lambda message, schema: editions) as tools:
        yield tools


def test_a_handle_is_looked_after_until_its_result_comes(handles):
    heard = []
    result = handles["research"].run({}, on_progress=heard.append)
    assert result.value == {"type": "hologram", "size": 3}
    assert heard[-1].message == "looked 2 times"


def test_handles_end_in_every_way(handles):
    assert handles["refused"].run({}).is_error
    with pytest.raises(WorkbenchError, match="the library burnt down"):
        handles["broken"]()
    with pytest.raises(WorkbenchError, match=r"cancelled the task \(closing time\)"):
        handles["dropped"]()


def test_what_a_task_asks_is_answered_once(handles):
    assert handles["asks"]() == "the third"


def test_giving_a_call_up_cancels_its_task(handles):
    run = start(handles["endless"], {})
    looked = threading.Event()
    run.watch(lambda run: looked.set() if run.progress else None)
    assert looked.wait(20)
    run.cancel()
    run.wait(20)
    assert handles["cancelled"]() == "task of endless"


def test_servers_are_told_of_the_extensions(handles):
    told = "io.modelcontextprotocol/tasks io.modelcontextprotocol/ui"
    assert handles["extensions"]() == told
