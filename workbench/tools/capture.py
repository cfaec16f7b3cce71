"""What a running tool prints and displays goes to its own run, from whatever thread or task.

Which run is meant is a context variable: it follows threads that we start and tasks, so two
runs at once do not mix, and another cell's output is untouched. ``sys.stdout``, ``sys.stderr``
and IPython's display publisher are wrapped once, and pass everything on when no run is meant.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Protocol

__all__ = ["Sink", "capture"]


class Sink(Protocol):
    """Where captured output goes."""

    def stream(self, name: str, text: str) -> None:
        """Take text written to "stdout" or "stderr"."""

    def display(
        self, data: Mapping[str, Any], metadata: Mapping[str, Any], key: str | None, update: bool
    ) -> None:
        """Take a mime bundle; `key` is its display id, `update` replaces an earlier one."""

    def clear(self, wait: bool) -> None:
        """Forget what came so far, or do so when the next output arrives."""


_sink: ContextVar[Sink | None] = ContextVar("workbench_sink", default=None)


class _Stream(io.TextIOBase):
    """A standard stream that asks, at each write, whose output it is."""

    def __init__(self, original: Any, name: str) -> None:
        self._original = original
        self._stream_name = name

    def write(self, text: str) -> int:
        sink = _sink.get()
        if sink is None:
            return int(self._original.write(text) or len(text))
        sink.stream(self._stream_name, text)
        return len(text)

    def flush(self) -> None:
        if _sink.get() is None:
            self._original.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return _sink.get() is None and bool(self._original.isatty())

    def fileno(self) -> int:
        return int(self._original.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)


def _wrap_streams() -> None:
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is not None and not isinstance(stream, _Stream):
            setattr(sys, name, _Stream(stream, name))


def _wrap_publisher() -> None:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    publisher = getattr(shell, "display_pub", None)
    if publisher is None or getattr(publisher, "_workbench", False):
        return
    publish, clear = publisher.publish, publisher.clear_output

    def routed_publish(data: Any, metadata: Any = None, *args: Any, **kwargs: Any) -> Any:
        sink = _sink.get()
        if sink is None:
            return publish(data, metadata, *args, **kwargs)
        key = (kwargs.get("transient") or {}).get("display_id")
        return sink.display(data, metadata or {}, key, bool(kwargs.get("update")))

    def routed_clear(wait: bool = False) -> Any:
        sink = _sink.get()
        return clear(wait) if sink is None else sink.clear(wait)

    publisher.publish, publisher.clear_output = routed_publish, routed_clear
    publisher._workbench = True


@contextmanager
def capture(sink: Sink) -> Iterator[None]:
    """Send what this thread or task prints and displays to `sink`."""
    _wrap_streams()
    _wrap_publisher()
    token = _sink.set(sink)
    try:
        yield
    finally:
        _sink.reset(token)
