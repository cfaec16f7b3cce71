"""The calls under way on a connection: whose they are, and how long a server may be silent."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass

from workbench.tools.run import Run, current_run

__all__ = ["Call", "Calls"]


@dataclass(eq=False, slots=True)
class Call:
    """One call: its run, if it has one, and the clock that ends it, at the last at `last_s`."""

    run: Run | None
    clock: asyncio.Timeout
    patience_s: float
    last_s: float
    paused: bool = False
    ended: bool = False

    def heard(self) -> None:
        """The server has shown a sign of life."""
        if not (self.paused or self.ended or self.clock.expired()):
            now = asyncio.get_running_loop().time()
            self.clock.reschedule(min(now + self.patience_s, self.last_s))

    def pause(self, paused: bool) -> None:
        """Stop the clock while a person thinks, or let it run again."""
        now = asyncio.get_running_loop().time()
        self.paused, self.last_s = paused, self.last_s + (-now if paused else now)
        if paused and not (self.ended or self.clock.expired()):
            self.clock.reschedule(None)
        self.heard()

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        """Hear how far the call has got; it may come after the result."""
        self.heard()
        if self.run is not None and not self.run.ended:
            self.run.report(done, total, message or "")


class Calls:
    """All calls under way on one connection.

    Parameters
    ----------
    patience_s : float
        Seconds without any sign of life after which a call is given up.
    most_s : float
        Seconds after which it is given up whatever it shows; time that a person takes to answer
        does not count.
    """

    def __init__(self, patience_s: float, most_s: float) -> None:
        self._patience_s, self._most_s = patience_s, max(most_s, patience_s)
        self._open: list[Call] = []

    def __len__(self) -> int:
        return len(self._open)

    @contextlib.asynccontextmanager
    async def begun(self) -> AsyncIterator[Call]:
        """A call of the current run.

        Raises
        ------
        TimeoutError
            If the server has been silent for too long.
        """
        async with asyncio.timeout(self._patience_s) as clock:
            last_s = asyncio.get_running_loop().time() + self._most_s
            call = Call(current_run(), clock, self._patience_s, last_s)
            self._open.append(call)
            try:
                yield call
            finally:
                call.ended = True
                self._open.remove(call)

    def heard(self) -> None:
        """The server has said something that may belong to any of them."""
        for call in self._open:
            call.heard()

    @contextlib.contextmanager
    def paused(self) -> Iterator[None]:
        """Stop all clocks: which call a question belongs to, the protocol does not say."""
        calls = [call for call in self._open if not call.paused]
        for call in calls:
            call.pause(True)
        try:
            yield
        finally:
            for call in calls:
                call.pause(False)

    def only_run(self) -> Run | None:
        """The one run that something must belong to, if it is one."""
        return self._open[0].run if len(self._open) == 1 else None

    def answering_run(self) -> Run | None:
        """The run where somebody sees a question: this context's, or else the newest."""
        runs = [current_run(), *(call.run for call in reversed(self._open))]
        return next((run for run in runs if run is not None and run.watched), None)
