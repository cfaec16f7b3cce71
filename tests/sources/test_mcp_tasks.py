"""Tools that can only be called as tasks: started, asked after, cancelled, fetched."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import pytest

from workbench import MCPClient, ToolError, WorkbenchError
from workbench.tools import start

TASKING = [sys.executable, str(Path(__file__).parent / "servers" / "tasking.py")]


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
