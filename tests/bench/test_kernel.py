"""The panel as a kernel speaks of it: messages, without any page. Every notebook frontend has these.

Runs with the ipykernel of the environment: the newest, and those of ``tests/environments``.
"""

from __future__ import annotations

import queue
import time

import pytest

client = pytest.importorskip("jupyter_client", reason="jupyter_client is not installed")

VIEW = "application/vnd.jupyter.widget-view+json"
PATIENCE_S = 60
TOOLS = """
import asyncio, threading, time, workbench
from IPython.display import display

def chatty(lines: int = 3) -> str:
    for number in range(lines):
        print("line", number)
    return "done"

def talk(word: str, wait_s: float = 0.2) -> str:
    for _ in range(4):
        print(word)
        time.sleep(wait_s / 4)
    return word

async def gentle(word: str) -> str:
    for _ in range(3):
        print(word)
        await asyncio.sleep(0.05)
    return word

calls = []
def count() -> int:
    calls.append(1)
    return len(calls)

def stuck() -> None:
    while True:
        time.sleep(0.01)

bench = workbench.Workbench(chatty, talk, gentle, count, stuck)
"""


class Kernel:
    """A kernel, and what it publishes."""

    def __init__(self) -> None:
        self.manager, self.client = client.manager.start_new_kernel(
            kernel_name="python3", startup_timeout=PATIENCE_S
        )
        self.published: list[dict] = []

    def stop(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)
        self.manager.cleanup_resources()

    def _next(self) -> dict:
        message = self.client.get_iopub_msg(timeout=PATIENCE_S)
        self.published.append(message)
        return message

    def wait_for(self, kind: str, holds=lambda content: True) -> dict:
        """The content of the next message of a kind for which something holds."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            message = self._next()
            if message["msg_type"] == kind and holds(message["content"]):
                return message["content"]
        raise AssertionError(f"no such {kind}")

    def _of(self, number: str) -> list[dict]:
        """The messages that a request has led to, up to its end."""
        found = []
        while True:
            message = self._next()
            if message["parent_header"].get("msg_id") != number:
                continue
            found.append(message)
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return found

    def run(self, source: str) -> list[dict]:
        """The messages of a cell; its own failure is the test's."""
        found = self._of(self.client.execute(source))
        errors = [message["content"] for message in found if message["msg_type"] == "error"]
        assert not errors, "\n".join(errors[0]["traceback"])
        return found

    def value(self, source: str) -> str:
        """The text of a cell's last line."""
        (result,) = [m for m in self.run(source) if m["msg_type"] == "execute_result"]
        return result["content"]["data"]["text/plain"]

    def click(self, model: str, **content) -> None:
        """Send what a page sends for a widget."""
        body = {"comm_id": model, "data": {"method": "custom", "content": content}}
        message = self.client.session.msg("comm_msg", body)
        self.client.shell_channel.send(message)

    def drain(self) -> None:
        """Until nothing is on its way."""
        self.run("None")
        while True:
            try:
                self.published.append(self.client.get_iopub_msg(timeout=0.2))
            except queue.Empty:
                return


@pytest.fixture(scope="module")
def kernel():
    started = Kernel()
    started.run(TOOLS)
    yield started
    started.stop()


@pytest.fixture
def form(kernel):
    """Give a function that shows the panel with a tool chosen; gives the ids of form and output."""

    def chosen(tool: str) -> tuple[str, str]:
        kernel.drain()
        messages = kernel.run(f"bench.select({tool!r})\nbench")
        shown = [m["content"] for m in messages if m["msg_type"] == "display_data"]
        kernel.published.clear()
        model = kernel.value("bench.panel.form.model_id").strip("'")
        return model, shown[-1]["transient"]["display_id"]

    return chosen


def streams(kernel) -> list[str]:
    return [m["content"]["text"] for m in kernel.published if m["msg_type"] == "stream"]


def saved(kernel, output: str, text: str) -> dict:
    """The bundle that is put into the output that is saved."""

    def holds(content):
        return content["transient"]["display_id"] == output and text in str(content["data"])

    return kernel.wait_for("update_display_data", holds)["data"]


def test_a_panel_is_a_widget_with_words_beside_it_and_a_place_for_results(kernel):
    messages = kernel.run("bench")
    shown = [m["content"] for m in messages if m["msg_type"] == "display_data"]
    assert set(shown[0]["data"]) >= {VIEW, "text/plain", "text/html"}
    assert shown[1]["data"] == {"text/plain": ""}
    assert shown[1]["transient"]["display_id"]


def test_a_click_ends_in_the_output_that_is_saved(kernel, form):
    model, output = form("chatty")
    kernel.click(model, op="run")
    assert saved(kernel, output, "done") == {"text/plain": "done"}


def test_what_a_tool_prints_is_its_runs_and_no_cells(kernel, form):
    model, output = form("chatty")
    kernel.click(model, op="run")
    saved(kernel, output, "done")
    kernel.drain()
    assert not streams(kernel)
    assert "line 2" in kernel.value("bench.panel.form.run_view['output']")


@pytest.mark.parametrize("tool", ["talk", "gentle"])
def test_runs_at_once_and_another_cell_do_not_mix(kernel, tool):
    source = f"""
runs = [bench.run({tool!r}, word=word) for word in ("one", "two")]
print("a cell's own")
for run in runs:
    await run
[run.outputs[0]["text"].split() for run in runs] == [[w] * len(runs[0].outputs[0]["text"].split()) for w in ("one", "two")]
"""
    messages = kernel.run(source)
    said = [m["content"]["text"] for m in messages if m["msg_type"] == "stream"]
    assert "".join(said) == "a cell's own\n"
    (result,) = [m for m in messages if m["msg_type"] == "execute_result"]
    assert result["content"]["data"]["text/plain"] == "True"


def test_a_hundred_thousand_lines_are_few_messages(kernel, form):
    model, output = form("chatty")
    kernel.run("bench.panel.form.model.set('lines', 100_000)")
    kernel.published.clear()
    kernel.click(model, op="run")
    saved(kernel, output, "done")
    kernel.drain()
    seconds = float(kernel.value("bench.history[-1].elapsed_s"))
    # The form speaks ten times a second, the panel's list five times, both also at the end.
    assert len(kernel.published) < 60 + 40 * seconds
    assert not streams(kernel)
    assert "line 99999" in kernel.value("bench.panel.form.current.outputs[0]['text'][-20:]")


def test_a_click_on_cancel_stops_a_synchronous_tool(kernel, form):
    model, output = form("stuck")
    kernel.click(model, op="run")
    kernel.wait_for("comm_msg", lambda content: "running" in str(content["data"]))
    kernel.click(model, op="cancel")
    assert "was stopped" in str(saved(kernel, output, "stopped"))


def test_interrupting_the_kernel_stops_the_run_that_a_cell_waits_for(kernel):
    # A kernel aborts what is asked right after an error, unless the cell says otherwise.
    source = "run = bench.run('stuck')\nprint('started')\nrun.wait()"
    number = kernel.client.execute(source, stop_on_error=False)
    kernel.wait_for("stream", lambda content: "started" in content["text"])
    kernel.manager.interrupt_kernel()
    messages = kernel._of(number)
    (error,) = [m["content"]["ename"] for m in messages if m["msg_type"] == "error"]
    assert error == "KeyboardInterrupt"
    assert kernel.value("(await run).is_error, run.status") == "(True, 'cancelled')"


def test_showing_a_panel_again_runs_nothing(kernel, form):
    model, output = form("count")
    kernel.click(model, op="run")
    saved(kernel, output, "1")
    messages = kernel.run("bench")
    shown = [
        m["content"]["data"]["text/plain"] for m in messages if "display_data" in m["msg_type"]
    ]
    assert shown[-1] == "1"
    assert kernel.value("len(calls)") == "1"


def test_closing_closes_every_widget(kernel):
    opened = kernel.run("more = workbench.Workbench(len)\nmore.panel.select('len')\nNone")
    closed = kernel.run("more.close()")
    ids = {m["content"]["comm_id"] for m in opened if m["msg_type"] == "comm_open"}
    gone = {m["content"]["comm_id"] for m in closed if m["msg_type"] == "comm_close"}
    assert gone == ids
