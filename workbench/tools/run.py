"""One call while it is under way, and afterwards."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import Future
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from workbench.errors import AsyncToolError, ToolCancelled, ToolTimeout, bounded_repr
from workbench.tools.outputs import OutputLog
from workbench.tools.result import ToolResult

if TYPE_CHECKING:
    from workbench.tools.tool_class import Tool

__all__ = ["LogLine", "Progress", "Question", "Reported", "Run", "current_run"]

_PERIOD_S = 0.1
"""Watchers hear of changes at most this often, and always of the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far a call has got (MCP ``notifications/progress``).

    Parameters
    ----------
    progress : float
        Work done so far, in whatever unit.
    total : float or None
        All the work, if known, in the same unit.
    message : str
        What is being done.

    Examples
    --------
    >>> Progress(progress=1, total=4).fraction
    0.25
    """

    progress: float
    total: float | None = None
    message: str = ""

    @property
    def fraction(self) -> float | None:
        """Between 0 and 1; None when the total is not known."""
        return min(1.0, max(0.0, self.progress / self.total)) if self.total else None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """A line that a tool or its server logged.

    Parameters
    ----------
    level : str
        "debug", "info", "warning", "error", or another level of RFC 5424.
    text : str
        The message.
    logger : str
        Who says it.

    Examples
    --------
    >>> LogLine(level="info", text="started").text
    'started'
    """

    level: str
    text: str
    logger: str = ""


class Question:
    """Something a tool asks the person while it runs (MCP elicitation).

    Parameters
    ----------
    message : str
        The question.
    schema : mapping
        JSON Schema of the answer.
    url : str or None
        An address to visit instead of a form; shown whole, never fetched.

    Examples
    --------
    >>> question = Question("Your name?", {"type": "object"})
    >>> question.reply({"name": "Ada"})
    >>> question.answered.result()
    {'name': 'Ada'}
    """

    def __init__(self, message: str, schema: Mapping[str, Any], url: str | None = None) -> None:
        self.message = message
        self.schema = schema
        self.url = url
        self.answered: Future[Mapping[str, Any] | None] = Future()

    def reply(self, value: Mapping[str, Any] | ToolCancelled | None) -> None:
        """Answer: a mapping accepts, None declines, a ToolCancelled dismisses."""
        if self.answered.done():
            return
        if isinstance(value, ToolCancelled):
            self.answered.set_exception(value)
        else:
            self.answered.set_result(value)


class Run:
    """One call of a tool: watch it, wait for it, cancel it, have its result.

    Made by :func:`workbench.tools.start`, ``form.run()`` and ``Workbench.run``; awaitable.

    Examples
    --------
    >>> from workbench import tool
    >>> from workbench.tools import start
    >>> run = start(tool(lambda x: x * 2, name="double"), {"x": 21})
    >>> run.wait().value, run.status
    (42, 'done')
    """

    def __init__(self, tool: Tool, arguments: Mapping[str, Any], origin: str = "form") -> None:
        self.tool = tool
        self.arguments = dict(arguments)
        self.origin = origin
        self.status = "pending"
        self.progress: Progress | None = None
        self.log: tuple[LogLine, ...] = ()
        self.partial: tuple[Any, ...] = ()
        self.question: Question | None = None
        self.started_at: float | None = None
        self._clock = 0.0
        self._elapsed_s: float | None = None
        self._done: Future[ToolResult] = Future()
        self._output = OutputLog(self._changed)
        self._watchers: list[Callable[[Run], None]] = []
        self._lock = threading.RLock()
        self._last_told = 0.0
        self._timer: threading.Timer | None = None
        self._stop: Callable[[], None] = lambda: None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._asks = False

    def __repr__(self) -> str:
        return f"<Run of {self.tool.name!r}: {self.status}>"

    @property
    def outputs(self) -> tuple[dict[str, Any], ...]:
        """What the tool printed and displayed: nbformat's output records, bounded."""
        return self._output.outputs()

    @property
    def result(self) -> ToolResult | None:
        """The result; None until the run has ended."""
        return self._done.result() if self._done.done() else None

    @property
    def done(self) -> Future[ToolResult]:
        """The result as a future, for whoever waits without blocking."""
        return self._done

    @property
    def watched(self) -> bool:
        """Whether somebody may see, and answer, a question."""
        return self._asks

    @property
    def ended(self) -> bool:
        """Whether there is a result."""
        return self._done.done()

    @property
    def elapsed_s(self) -> float:
        """Seconds since the start, or that the whole run took."""
        if self._elapsed_s is not None:
            return self._elapsed_s
        return time.perf_counter() - self._clock if self.started_at is not None else 0.0

    def wait(self, timeout_s: float | None = None) -> ToolResult:
        """Block until the run has ended.

        Parameters
        ----------
        timeout_s : float or None
            Seconds to wait at most; the run itself goes on.

        Raises
        ------
        ToolTimeout
            If it has not ended in time.
        AsyncToolError
            If waiting here would keep the run's own event loop from going on: await it instead.
        """
        if not self.ended and self._loop is not None and self._loop is _running_loop():
            raise AsyncToolError(
                f"{self.tool.name!r} runs on this very event loop, which wait() would block: "
                "use  await run  instead"
            )
        try:
            return self._done.result(timeout_s)
        except KeyboardInterrupt:
            # Whoever interrupts a cell that waits means what it waits for.
            self.cancel()
            raise
        except TimeoutError as error:
            raise ToolTimeout(
                f"{self.tool.name!r} has not ended within {timeout_s} s; it still runs, "
                "and run.cancel() stops it"
            ) from error

    def __await__(self) -> Generator[Any, None, ToolResult]:
        return asyncio.shield(asyncio.wrap_future(self._done)).__await__()

    def cancel(self) -> None:
        """Stop the run; harmless when it has ended."""
        if self.ended:
            return
        self.dismiss_question()
        self._stop()

    def watch(
        self, callback: Callable[[Run], None], *, answers: bool = False
    ) -> Callable[[], None]:
        """Call `callback(run)` on changes, from any thread, at most about ten times a second.

        Parameters
        ----------
        callback : callable
            Takes the run.
        answers : bool
            The watcher shows questions to a person, who may answer them.

        Returns
        -------
        callable
            Ends the watching.
        """
        self._watchers.append(callback)
        self._asks = self._asks or answers

        def unwatch() -> None:
            if callback in self._watchers:
                self._watchers.remove(callback)

        return unwatch

    def report(self, progress: float, total: float | None = None, message: str = "") -> None:
        """Say how far the work has got."""
        self.progress = Progress(progress=progress, total=total, message=message)
        self._changed()

    def note(self, level: str, text: str, logger: str = "") -> None:
        """Add a line to the log; the last thousand are kept."""
        with self._lock:
            self.log = (*self.log[-999:], LogLine(level=level, text=text, logger=logger))
        self._changed()

    def yielded(self, value: Any) -> None:
        """Add a value that the tool has yielded."""
        with self._lock:
            self.partial = (*self.partial, value)
        self._changed()

    def ask(self, question: Question) -> Future[Mapping[str, Any] | None]:
        """Put a question to whoever watches; the future has the answer."""
        self.question = question
        self._changed()
        return question.answered

    def answer(self, value: Mapping[str, Any] | ToolCancelled | None) -> None:
        """Answer the open question: a mapping accepts, None declines, ToolCancelled dismisses."""
        question, self.question = self.question, None
        if question is not None:
            question.reply(value)
            self._changed()

    def dismiss_question(self) -> None:
        """Close the open question, if any, without an answer."""
        self.answer(ToolCancelled("the question was dismissed"))

    def begin(self) -> None:
        """Note that the work starts now."""
        self.started_at, self._clock = time.time(), time.perf_counter()
        self.status = "running"
        self._changed()

    def end(self, result: ToolResult, status: str) -> bool:
        """Note the outcome; the first one counts. Returns whether this was it."""
        with self._lock:
            if self.ended:
                return False
            self._elapsed_s = self.elapsed_s
            self.status = status
            self._done.set_result(result)
        self._tell()
        return True

    def _changed(self) -> None:
        """Tell the watchers now, or soon if they have just been told."""
        if not self._watchers:
            return
        with self._lock:
            wait_s = self._last_told + _PERIOD_S - time.monotonic()
            if wait_s > 0:
                if self._timer is None:
                    self._timer = threading.Timer(wait_s, self._tell)
                    self._timer.daemon = True
                    self._timer.start()
                return
        self._tell()

    def _tell(self) -> None:
        with self._lock:
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            self._last_told = time.monotonic()
        for watcher in tuple(self._watchers):
            watcher(self)


class Reported:
    """A watcher that tells of progress, each piece once, from whatever thread.

    Parameters
    ----------
    tell : callable
        Takes a :class:`Progress`.
    """

    def __init__(self, tell: Callable[[Progress], object]) -> None:
        self._tell = tell
        self._last: Progress | None = None
        self._lock = threading.Lock()

    def __call__(self, run: Run) -> None:
        """Tell of the run's progress, if that is news."""
        with self._lock:
            if run.progress is not None and run.progress is not self._last:
                self._last = run.progress
                self._tell(run.progress)


_current: ContextVar[Run | None] = ContextVar("workbench_run", default=None)


def current_run() -> Run | None:
    """The run that this code belongs to, if any."""
    return _current.get()


@contextlib.contextmanager
def running(run: Run) -> Generator[None, None, None]:
    """Make `run` the current one, and send what is printed here to it."""
    from workbench.tools.capture import capture

    token = _current.set(run)
    try:
        with capture(run._output):
            yield
    finally:
        _current.reset(token)


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def cancelled(run: Run, how: str) -> ToolResult:
    """The result of a run that was stopped; `how` says what that means for the tool."""
    return ToolResult.failure(ToolCancelled(f"{bounded_repr(run.tool.name)} was stopped: {how}"))
