"""The panel without a page: what it is told, and what it does when it is asked."""

from __future__ import annotations

import threading

import pytest

from workbench import Tool, Workbench, tool
from workbench.bench.throttle import Throttle


def add(a: int, b: int = 1) -> int:
    """Add.

    Parameters
    ----------
    a, b : int
        The numbers.
    """
    return a + b


@pytest.fixture
def bench():
    with Workbench(add, len) as bench:
        yield bench


@pytest.fixture
def panel(bench):
    return bench.panel


class Handle:
    """Where results are put: keeps what was put there."""

    def __init__(self):
        self.shown = []
        self.changed = threading.Condition()

    def update(self, data, metadata=None, raw=False):
        with self.changed:
            self.shown.append(data["text/plain"])
            self.changed.notify_all()

    def wait_for(self, text):
        """Until this is shown; a run tells of its end after it has ended."""
        with self.changed:
            assert self.changed.wait_for(lambda: self.shown[-1] == text, 20), self.shown


def ask(panel, op, **content):
    panel._heard(panel.drawer, {"op": op, **content}, [])
    panel.refresh()


def test_tools_are_listed_and_chosen(panel):
    assert [entry["id"] for entry in panel.list.entries] == ["add", "len"]
    assert panel.list.chosen == panel.drawer.chosen == "add"
    panel.list.chosen = "len"
    assert panel.form.tool.name == panel.drawer.chosen == "len"
    panel.list.chosen = "nonsense"
    assert "no tool 'nonsense'" in panel.drawer.fault["message"]


def test_what_was_typed_is_there_again(panel):
    panel.form.model.set_text(("a",), "41")
    panel.list.chosen = "len"
    panel.list.chosen = "add"
    assert panel.form.value == {"a": 41, "b": 1}


def test_calls_are_listed_filled_in_and_made_again(bench, panel):
    bench.tools["add"](20, b=3)
    panel.refresh()
    (call,) = panel.drawer.calls
    assert (call["title"], call["about"], call["result"]) == ("add", "a=20, b=3", "23")
    panel.list.chosen = "len"
    ask(panel, "fill", number=0)
    assert (panel.form.tool.name, panel.form.value) == ("add", {"a": 20, "b": 3})
    ask(panel, "rerun", number=0)
    assert panel.form.current.wait(20).value == 23
    panel.refresh()
    assert (len(panel.drawer.calls), panel.drawer.total, panel.drawer.runs) == (2, 2, [])


def test_code_names_the_variable_of_the_person(bench, panel):
    bench.tools["add"](1)
    ask(panel, "code", number=0)
    assert panel.drawer.code == {
        "number": 0,
        "call": "bench.tools['add'](a=1)",
        "value": "bench.history[0].result.value",
    }


def test_results_and_comparisons_go_where_they_are_saved(bench, panel):
    panel.stage.place(handle := Handle())
    bench.tools["add"](1)
    bench.tools["add"](2)
    ask(panel, "view", number=1)
    ask(panel, "compare", numbers=[1, 0])
    assert handle.shown[-2] == "3"
    assert "-2\n+3" in handle.shown[-1]


def test_pins_keep_a_call_at_hand(bench, panel):
    for n in range(103):
        bench.tools["add"](n)
    ask(panel, "pin", number=0)
    assert [call["number"] for call in panel.drawer.calls][:2] == [0, 3]
    assert panel.drawer.calls[0]["pinned"]
    ask(panel, "pin", number=0)
    assert panel.drawer.calls[0]["number"] == 3


@pytest.mark.parametrize("dialect", ["mcp", "openai", "anthropic", "gemini"])
def test_what_a_model_sees(panel, dialect):
    ask(panel, "schema", dialect=dialect)
    assert panel.drawer.seen["tool"] == "add"
    assert "The numbers." in panel.drawer.seen["text"]
    assert "tokens" in panel.drawer.seen["size"]


def test_runs_are_listed_and_cancelled():
    started = threading.Event()

    async def endless() -> None:
        import asyncio

        started.set()
        await asyncio.Event().wait()

    with Workbench(endless, add) as bench:
        panel = bench.panel
        first, second = panel.form.run(), bench.run("endless")
        started.wait(20)
        panel.refresh()
        assert [run["title"] for run in panel.drawer.runs] == ["endless"] * 2
        panel.select("add")
        ask(panel, "go", number=1)
        assert panel.form.tool.name == "endless"
        ask(panel, "cancel", number=1)
        ask(panel, "cancel", number=2)
        assert [run.wait(20).is_error for run in (first, second)] == [True, True]
        assert [run.status for run in (first, second)] == ["cancelled"] * 2
        panel.refresh()
        assert panel.drawer.runs == []


def test_a_form_out_of_sight_does_not_take_the_place_of_the_one_in_sight():
    released = threading.Event()
    slow = tool(lambda: released.wait() and "slow", name="slow")
    with Workbench(slow, add) as bench:
        panel = bench.panel
        panel.stage.place(handle := Handle())
        run = panel.form.run()
        form = panel.select("add", {"a": 1})
        form.run()
        handle.wait_for("2")
        released.set()
        run.wait(20)
        assert handle.shown[-1] == "2"
        panel.select("slow")
        handle.wait_for("slow")


def test_destructive_tools_are_not_called_again_without_asking():
    calls = []
    drop = Tool(calls.append, name="drop", annotations={"destructiveHint": True})
    with Workbench(drop) as bench:
        bench.tools["drop"](1)
        ask(bench.panel, "rerun", number=0)
        assert bench.panel.form.current is None
        assert calls == [1]


@pytest.mark.parametrize(
    ("content", "words"), [({"op": "nonsense"}, "KeyError"), ({"op": "code", "number": 99}, "IndexError")]
)  # fmt: skip
def test_faults_are_said_in_the_panel(panel, content, words):
    ask(panel, **content)
    assert words in panel.drawer.fault["message"]
    ask(panel, "schema", dialect="mcp")
    assert panel.drawer.fault == {}


def test_closing_ends_what_runs_and_the_widgets():
    async def endless() -> None:
        import asyncio

        await asyncio.Event().wait()

    bench = Workbench(endless)
    run = bench.panel.form.run()
    bench.close()
    assert run.wait(20).is_error
    assert bench.panel.list.comm is None


def test_a_thousand_tools_are_one_message():
    def make(n):
        return Tool(lambda: n, name=f"tool_{n}", desc="x" * 2_000)

    with Workbench(*map(make, range(1_000))) as bench:
        assert len(bench.panel.list.entries) == 1_000
        assert len(str(bench.panel.list.entries)) < 400_000


def test_a_throttle_does_the_last_request_too():
    done, again = [], threading.Event()

    def act():
        done.append(1)
        if len(done) == 2:
            again.set()

    throttle = Throttle(act, period_s=0.01)
    for _ in range(100):
        throttle.ask()
    assert again.wait(20)
    assert len(done) < 100
