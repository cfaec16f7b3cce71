"""Much of everything: the page is told a part, at once, and memory stays bounded."""

from __future__ import annotations

import gc
import threading

import ipywidgets
import numpy
import pandas
import pytest

from workbench import AgentText, Tool, Workbench, tool
from workbench.bench.blocks import blocks_of
from workbench.bench.record import CallRecord
from workbench.bench.tables import table_of
from workbench.bench.tree import children

MOST_SENT = 60_000
"""Characters of what a page is told of a result, before it asks for more."""

LARGE = {
    "text of 100 MB": lambda: AgentText("x" * 100_000_000),
    "bytes": lambda: b"\0" * 100_000_000,
    "a frame of a million rows": lambda: pandas.DataFrame({"n": numpy.arange(1_000_000), "m": 1.5}),
    "a list of rows": lambda: [{"n": n, "word": "w"} for n in range(100_000)],
    "a hundred thousand keys": lambda: {f"k{n}": {"a": {"b": n}} for n in range(100_000)},
    "a thousand blocks": lambda: tuple(AgentText(f"block {n}") for n in range(1_000)),
    "a thousand columns": lambda: [{f"c{n}": n for n in range(1_000)}] * 100,
}


@pytest.mark.parametrize("make", LARGE.values(), ids=LARGE)
def test_large_results_are_told_in_part(make):
    result = tool(make, name="make").run({})
    assert not result.is_error
    assert len(str([block.view for block in blocks_of(result)])) < MOST_SENT
    bundle = result._repr_mimebundle_()
    data = bundle[0] if isinstance(bundle, tuple) else bundle
    assert sum(len(text) for text in data.values()) < 1_000_000


def test_pages_of_large_values_are_small():
    frame = pandas.DataFrame({"n": numpy.arange(1_000_000)[::-1]})
    rows = table_of(frame).page(999_990, 250, column=0)
    assert [number for number, _ in rows] == list(range(9, -1, -1))
    keys = {f"k{n}": n for n in range(100_000)}
    assert [item["key"] for item in children(keys, 99_999, 100)] == ["k99999"]


def _records() -> int:
    gc.collect()
    return sum(isinstance(each, CallRecord) for each in gc.get_objects())


def test_ten_thousand_calls_are_kept_but_not_in_memory():
    def echo(n: int) -> str:
        return "x" * 1_000

    with Workbench(echo) as bench:
        panel = bench.panel
        others = _records()
        for n in range(10_000):
            bench.tools["echo"].run({"n": n})
        panel.refresh()
        assert (len(bench.history), panel.drawer.total) == (10_000, 10_000)
        assert len(panel.drawer.calls) == 100
        assert _records() - others <= 500
        assert (bench.history[3].arguments, bench.history[3].result.value) == (
            {"n": 3},
            "x" * 1_000,
        )


def test_a_thousand_tools_are_told_once_and_shown_by_need():
    made = [Tool(lambda: None, name=f"tool_{n}", desc="words " * 500) for n in range(1_000)]
    with Workbench(*made) as bench:
        assert len(str(bench.panel.list.get_state())) < 600_000
        assert len(bench.panel._forms) == 1


def test_a_panel_that_is_closed_leaves_nothing_behind():
    def ends() -> int:
        return 1

    def live():
        return {
            id(each)
            for each in gc.get_objects()
            if isinstance(each, ipywidgets.Widget) and each.comm
        }

    before, threads = live(), {thread.name for thread in threading.enumerate()}
    bench = Workbench(ends, len)
    bench.panel.select("len")
    bench.panel.select("ends").run().wait(20)
    bench.close()
    assert live() <= before
    left = {
        thread.name for thread in threading.enumerate() if thread.name.startswith("workbench-run")
    }
    assert left <= threads
