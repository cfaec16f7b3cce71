"""Tracebacks as the author of a tool wants them: their own frames, without ours."""

from __future__ import annotations

import traceback
from pathlib import Path

from workbench.errors import ToolError

__all__ = ["own_traceback"]

_HERE = Path(__file__).parent.parent
_OURS = tuple(str(_HERE / part) for part in ("tools", "schema", "types", "forms", "bench"))


def own_traceback(error: BaseException) -> str:
    """The traceback of an error without the frames that lead through this library.

    Examples
    --------
    >>> try:
    ...     1 / 0
    ... except ZeroDivisionError as error:
    ...     print(own_traceback(error).splitlines()[-1])
    ZeroDivisionError: division by zero
    """
    if isinstance(error, ToolError):
        # Our own word for a failure; what the author wants is what led to it.
        return own_traceback(error.__cause__) if error.__cause__ is not None else ""
    shown = traceback.TracebackException.from_exception(error)
    seen: set[int] = set()
    one: traceback.TracebackException | None = shown
    while one is not None and id(one) not in seen:
        seen.add(id(one))
        one.stack = traceback.StackSummary.from_list(
            [frame for frame in one.stack if not frame.filename.startswith(_OURS)]
        )
        one = one.__cause__ or one.__context__
    return "".join(shown.format())
