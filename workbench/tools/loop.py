"""The event loop in the background, on which connections live.

A notebook's own loop is always running and is blocked by every synchronous cell, so sessions
and everything else that must answer at once have a loop thread of their own.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import sys
import threading
from collections.abc import Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

__all__ = ["LoopThread", "background", "home_loop", "in_notebook"]

T = TypeVar("T")


class LoopThread:
    """An event loop running in a daemon thread of its own.

    Examples
    --------
    >>> loop = LoopThread()
    >>> loop.submit(asyncio.sleep(0, result="awake")).result()
    'awake'
    >>> loop.stop()
    """

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._main, name="workbench-io", daemon=True)
        self.thread.start()

    def _main(self) -> None:
        asyncio.set_event_loop(self.loop)
        self.loop.run_forever()
        self.loop.close()

    @property
    def alive(self) -> bool:
        """Whether the loop runs, in this process (a fork has no thread)."""
        return self.pid == os.getpid() and self.thread.is_alive()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine on the loop, from any thread."""
        return asyncio.run_coroutine_threadsafe(work, self.loop)

    def wait(self, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and wait for it; an interrupt of the waiting thread cancels it.

        Raises
        ------
        RuntimeError
            If called on the loop's own thread, where waiting would never end.
        """
        if threading.current_thread() is self.thread:
            work.close()
            raise RuntimeError("waiting on the background loop from itself would never end")
        future = self.submit(work)
        try:
            return future.result()
        except BaseException:
            future.cancel()
            raise

    def stop(self) -> None:
        """End the loop and its thread."""
        if self.alive:
            self.loop.call_soon_threadsafe(self.loop.stop)
            self.thread.join(timeout=5)


_background: LoopThread | None = None
_starting = threading.Lock()


def background() -> LoopThread:
    """The process's one background loop, started when it is first needed."""
    global _background
    with _starting:
        if _background is None or not _background.alive:
            _background = LoopThread()
            atexit.register(_background.stop)
        return _background


def _kernel() -> Any:
    """The Jupyter kernel that runs this process, if there is one."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None)


def in_notebook() -> bool:
    """Whether a person may be in front of a page: this process is a Jupyter kernel."""
    return _kernel() is not None


def home_loop() -> asyncio.AbstractEventLoop:
    """The loop that a user's coroutines expect: the kernel's, the running one, else ours."""
    kernel = _kernel()
    loop = getattr(getattr(kernel, "io_loop", None), "asyncio_loop", None)
    if isinstance(loop, asyncio.AbstractEventLoop) and loop.is_running():
        return loop
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return background().loop
