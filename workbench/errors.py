"""Every exception that workbench raises on purpose.

::

    WorkbenchError
    ├── InvalidArguments      (ValueError)       arguments do not fit the tool; .problems names each
    ├── MediaError            (ValueError)       not an image, sound or video that can be used
    │   └── MediaNotFound     (FileNotFoundError) the path given for one does not exist
    ├── ToolDefinitionError   (TypeError)        a tool cannot be made from what was given
    ├── UntrustedCodeError    (ValueError)       code would have run without trust_remote_code=True
    ├── ConnectionFailed      (ConnectionError)  a server did not start, refused, or went away
    ├── MissingExtra          (ImportError)      an optional package is not installed
    └── ToolError             (RuntimeError)     a tool ran and failed; __cause__ is its own error
        ├── ToolTimeout       (TimeoutError)     it did not answer in time
        ├── ToolCancelled                        somebody stopped it
        └── AsyncToolError    (ValueError)       an async tool was called without awaiting it

``except WorkbenchError`` catches all of them.
"""

from __future__ import annotations

import reprlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

__all__ = [
    "AsyncToolError",
    "ConnectionFailed",
    "InvalidArguments",
    "MediaError",
    "MediaNotFound",
    "MissingExtra",
    "Problem",
    "ToolCancelled",
    "ToolDefinitionError",
    "ToolError",
    "ToolTimeout",
    "UntrustedCodeError",
    "WorkbenchError",
    "bounded_repr",
    "json_pointer",
]


def bounded_repr(value: object, limit: int = 120) -> str:
    """The ``repr`` of a value, never longer than `limit` characters and never raising.

    Examples
    --------
    >>> bounded_repr("x" * 1000, limit=20)
    "'xxxxxx...xxxxxxx'"
    """
    shorten = reprlib.Repr()
    shorten.maxstring = shorten.maxother = shorten.maxlong = limit
    try:
        text = shorten.repr(value)
    except Exception as error:  # noqa: BLE001  # a foreign __repr__ may raise anything
        text = f"<{type(value).__name__}, whose repr raised {type(error).__name__}>"
    if len(text) <= limit:
        return text
    head = (limit - 3) // 2
    return text[:head] + "..." + text[len(text) - (limit - 3 - head) :]


def json_pointer(path: Iterable[str | int]) -> str:
    """Write a path of names and indices as a JSON Pointer (RFC 6901).

    Examples
    --------
    >>> json_pointer(("a", 0, "b/c"))
    '/a/0/b~1c'
    """
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in path)


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong with a value, and where.

    Parameters
    ----------
    path : tuple of str or int
        Names and indices from the root of the arguments; ``()`` is the whole.
    message : str
        What is wrong, worded for people: "must be at most 10, got 12".
    expected : str
        What would be right: "integer", "one of 'a', 'b'".
    got : str
        What was there, as a bounded repr; empty when nothing was.

    Examples
    --------
    >>> str(Problem(path=("size", 0), message="must be at most 10, got 12"))
    'size[0]: must be at most 10, got 12'
    """

    path: tuple[str | int, ...]
    message: str
    expected: str = ""
    got: str = ""

    def __str__(self) -> str:
        where = self.where
        return f"{where}: {self.message}" if where else self.message

    @property
    def where(self) -> str:
        """The path as people write it: ``size[0].unit``; empty for the root."""
        text = ""
        for part in self.path:
            text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else str(part)
        return text


class WorkbenchError(Exception):
    """Root of all errors that workbench raises on purpose."""


class InvalidArguments(WorkbenchError, ValueError):
    """The arguments do not fit the tool; nothing was run.

    Parameters
    ----------
    problems : sequence of Problem
        Everything that is wrong, collected before raising.
    tool : str
        Name of the tool that was to be called; empty for a bare schema.
    """

    def __init__(self, problems: Sequence[Problem], tool: str = "") -> None:
        self.problems = tuple(problems)
        self.tool = tool
        where = f" for {tool!r}" if tool else ""
        many = "1 problem" if len(self.problems) == 1 else f"{len(self.problems)} problems"
        lines = "".join(f"\n  - {problem}" for problem in self.problems)
        super().__init__(f"{many} with the arguments{where}:{lines}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems, self.tool)


class MediaError(WorkbenchError, ValueError):
    """A value is not a picture, sound or video that can be used; the message names the cause."""


class MediaNotFound(MediaError, FileNotFoundError):
    """The file named for a picture, sound or video does not exist."""


class ToolDefinitionError(WorkbenchError, TypeError):
    """A tool cannot be made from what was given; the message lists all that is missing."""


class UntrustedCodeError(WorkbenchError, ValueError):
    """Foreign code would have been executed; the message shows it, and nothing has run."""


class ConnectionFailed(WorkbenchError, ConnectionError):
    """A server did not start, refused, or went away.

    Parameters
    ----------
    message : str
        What failed, where, and what to do.
    stderr : str
        The last lines that the server wrote to its standard error; empty where there are none.
    """

    def __init__(self, message: str, stderr: str = "") -> None:
        self.message = message
        self.stderr = stderr
        tail = f"\n\nThe server's last words (stderr):\n{stderr.rstrip()}" if stderr.strip() else ""
        super().__init__(message + tail)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.message, self.stderr)


class MissingExtra(WorkbenchError, ImportError):
    """An optional package is not installed; the message has the command that installs it."""


class ToolError(WorkbenchError, RuntimeError):
    """A tool ran and failed. ``__cause__`` is the tool's own exception where it has one."""


class ToolTimeout(ToolError, TimeoutError):
    """A tool did not answer within its time limit."""


class ToolCancelled(ToolError):
    """A tool was stopped before it had an answer."""


class AsyncToolError(ToolError, ValueError):
    """An async tool was called synchronously where that is not allowed."""
