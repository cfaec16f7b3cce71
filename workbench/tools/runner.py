"""Starting a call so that the one who starts it stays free.

Synchronous tools run in a thread of their own, a user's coroutines on the loop they were
written for, remote tools on the background loop. Each way ends in exactly one ``run.end``.
"""

from __future__ import annotations

import asyncio
import contextvars
import ctypes
import threading
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from workbench.errors import ToolTimeout
from workbench.tools.loop import background, home_loop
from workbench.tools.result import ToolResult
from workbench.tools.run import Run, cancelled, running

if TYPE_CHECKING:
    from workbench.tools.tool_class import Tool

__all__ = ["start"]

_GRACE_S = 1.0
"""How long a cancelled synchronous tool may take to notice before it is abandoned."""


class _Stopped(KeyboardInterrupt):
    """Raised inside a synchronous tool that is to stop, as Ctrl-C would be."""


def start(
    tool: Tool,
    arguments: Mapping[str, Any],
    *,
    timeout_s: float | None = None,
    origin: str = "form",
) -> Run:
    """Start a call and return at once.

    Parameters
    ----------
    tool : Tool
        What to call.
    arguments : mapping
        By name.
    timeout_s : float or None
        Seconds after which the call is given up.
    origin : str
        Who asks: "form", "code", "model" or "app".

    Raises
    ------
    InvalidArguments
        If the arguments do not fit; nothing has started.

    Examples
    --------
    >>> from workbench import tool
    >>> start(tool(lambda: "hi", name="greet"), {}).wait().value
    'hi'
    """
    checked = tool.check(arguments)
    run = Run(tool, arguments, origin)
    run.watch(_publish_when_ended)
    if tool.remote or tool.is_async:
        _start_on_loop(run, checked, timeout_s)
    else:
        _start_in_thread(run, checked, timeout_s)
    return run


def _publish_when_ended(run: Run) -> None:
    result = run.result
    if result is not None:
        run.tool.publish(run.arguments, result, run.started_at, run.elapsed_s, run.origin)


def _status(result: ToolResult) -> str:
    return "failed" if result.is_error else "done"


def _timed_out(run: Run, timeout_s: float | None) -> ToolResult:
    return ToolResult.failure(
        ToolTimeout(f"{run.tool.name!r} did not answer within {timeout_s} s and was given up")
    )


def _start_on_loop(run: Run, checked: dict[str, Any], timeout_s: float | None) -> None:
    loop = background().loop if run.tool.remote else home_loop()
    run._loop = loop
    run.begin()

    async def work() -> None:
        with running(run):
            result = await run.tool.perform_async(checked)
        run.end(result, _status(result))

    async def guarded() -> None:
        try:
            async with asyncio.timeout(timeout_s):
                await work()
        except TimeoutError:
            run.end(_timed_out(run, timeout_s), "failed")
        except asyncio.CancelledError:
            run.end(cancelled(run, "the call was cancelled"), "cancelled")
            raise

    future = asyncio.run_coroutine_threadsafe(guarded(), loop)

    def stop() -> None:
        future.cancel()

    run._stop = stop


def _start_in_thread(run: Run, checked: dict[str, Any], timeout_s: float | None) -> None:
    worker = _Worker(run, checked)
    run._stop = worker.stop
    run.begin()
    if timeout_s is not None:
        timer = _later(timeout_s, lambda: worker.give_up(timeout_s))
        run.watch(lambda run: timer.cancel() if run.ended else None)
    worker.thread.start()


class _Worker:
    """The thread of one synchronous call."""

    def __init__(self, run: Run, checked: dict[str, Any]) -> None:
        self._run = run
        self._checked = checked
        self._inside = False
        self._lock = threading.Lock()
        self.thread = threading.Thread(
            target=contextvars.copy_context().run,
            args=(self._body,),
            name=f"workbench-run-{run.tool.name}",
            daemon=True,
        )

    def _body(self) -> None:
        run = self._run
        try:
            with running(run):
                self._inside = True
                result = run.tool.perform(self._checked)
            with self._lock:
                self._inside = False
            run.end(result, _status(result))
        except _Stopped:
            run.end(cancelled(run, "it was interrupted while it worked"), "cancelled")
        except BaseException as error:  # whatever ends the thread ends the run
            run.end(ToolResult.failure(error), "failed")
            raise

    def stop(self) -> None:
        """Interrupt the tool; abandon it if it does not react."""
        self._interrupt()
        _later(_GRACE_S, self._abandon)

    def give_up(self, timeout_s: float) -> None:
        """End a call that has taken too long."""
        if self._run.end(_timed_out(self._run, timeout_s), "failed"):
            self._interrupt()

    def _interrupt(self) -> None:
        with self._lock:
            if self._inside and self.thread.ident is not None:
                ctypes.pythonapi.PyThreadState_SetAsyncExc(
                    ctypes.c_ulong(self.thread.ident), ctypes.py_object(_Stopped)
                )

    def _abandon(self) -> None:
        how = (
            "it does not react, so it was abandoned; its thread may go on, and what it returns "
            "is dropped"
        )
        self._run.end(cancelled(self._run, how), "cancelled")


def _later(seconds: float, what: Callable[[], None]) -> threading.Timer:
    timer = threading.Timer(seconds, what)
    timer.daemon = True
    timer.start()
    return timer
