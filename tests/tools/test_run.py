"""Runs: watched, waited for, cancelled, captured, each apart from the others."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from workbench import InvalidArguments, ToolTimeout, tool
from workbench.tools import start
from workbench.tools.run import Question


def test_a_run_goes_through_its_states():
    gate = threading.Event()
    run = start(tool(lambda: gate.wait() and "done", name="t"), {})
    assert run.status == "running"
    assert run.result is None
    gate.set()
    assert run.wait(10).value == "done"
    assert run.status == "done"
    assert run.elapsed_s > 0


def test_bad_arguments_start_nothing():
    with pytest.raises(InvalidArguments):
        start(tool(lambda x: x, name="t"), {})


def test_waiting_has_a_limit_and_the_run_goes_on():
    gate = threading.Event()
    run = start(tool(lambda: gate.wait(), name="t"), {})
    with pytest.raises(ToolTimeout, match="still runs"):
        run.wait(0.01)
    gate.set()
    assert run.wait(10).value is True


def test_cancel_interrupts_python_code():
    def busy():
        while True:
            time.monotonic()

    run = start(tool(busy), {})
    run.cancel()
    assert "interrupted" in run.wait(20).text
    assert run.status == "cancelled"


def test_cancel_abandons_what_does_not_react():
    gate = threading.Event()
    run = start(tool(lambda: gate.wait(60), name="t"), {})
    run.cancel()
    result = run.wait(20)
    assert run.status == "cancelled"
    assert "abandoned" in result.text or "interrupted" in result.text
    gate.set()


def test_cancel_reaches_coroutines_and_timeouts_end_them():
    ended = []

    async def forever():
        try:
            await asyncio.sleep(60)
        finally:
            ended.append(True)

    run = start(tool(forever), {})
    run.cancel()
    run.wait(20)
    assert run.status == "cancelled"
    late = start(tool(forever), {}, timeout_s=0.05)
    assert "within 0.05 s" in late.wait(20).text
    assert late.status == "failed"


def test_two_runs_at_once_keep_their_output_apart(capsys):
    barrier = threading.Barrier(2)

    def talk(word: str):
        for _ in range(50):
            barrier.wait()
            print(word)

    runs = [start(tool(talk), {"word": word}) for word in ("one", "two")]
    for run, word in zip(runs, ("one", "two"), strict=True):
        run.wait(20)
        assert run.outputs[0]["text"] == f"{word}\n" * 50
    print("mine")
    assert capsys.readouterr().out == "mine\n"


def test_a_flood_of_output_is_bounded_and_says_so():
    run = start(tool(lambda: [print("x" * 99) for _ in range(20_000)] and None, name="t"), {})
    run.wait(60)
    text = run.outputs[0]["text"]
    assert len(text) < 250_000
    assert "characters left out" in text


def test_watchers_hear_of_the_last_change():
    seen = []
    ended = threading.Event()

    def watch(run):
        seen.append((run.status, len(run.partial)))
        if run.ended:
            ended.set()

    def yields():
        yield from range(1000)

    gate = threading.Event()
    run = start(tool(lambda: gate.wait(), name="t"), {})
    run.watch(watch)
    gate.set()
    assert ended.wait(20)
    assert seen[-1][0] == "done"
    partial = start(tool(yields), {})
    assert partial.wait(20).value == list(range(1000))
    assert len(partial.partial) == 1000


def test_runs_are_awaitable():
    async def main():
        run = start(tool(lambda: 5, name="t"), {})
        return (await run).value

    assert asyncio.run(main()) == 5


def test_questions_are_answered_once():
    question = Question("Name?", {"type": "object"})
    question.reply({"name": "Ada"})
    question.reply(None)
    assert question.answered.result(1) == {"name": "Ada"}
