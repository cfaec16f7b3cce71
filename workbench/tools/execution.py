"""Calling the function behind a tool: plain, async, or a generator; to a value."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Generator
from typing import Any

from workbench.errors import AsyncToolError
from workbench.tools.loop import background
from workbench.tools.run import current_run
from workbench.tools.settings import settings
from workbench.types import wrap

__all__ = ["finish", "finish_async", "refuse_unless_allowed"]


_AT_ITS_END = {str, int, float, bool, type(None), list, dict, tuple}
"""Types that need no asking whether there is more to come."""


def finish(value: Any, name: str) -> Any:
    """Follow what a synchronous call returned to its end: generators run, awaitables refused.

    Returns
    -------
    object
        A generator's return value, else the list of its yields; anything else as it is.
    """
    if type(value) in _AT_ITS_END:
        return value
    if inspect.isgenerator(value):
        return _drain(value)
    if inspect.isawaitable(value) or inspect.isasyncgen(value):
        refuse_unless_allowed(name, value)
        return background().wait(finish_async(value))
    return value


async def finish_async(value: Any) -> Any:
    """Follow what a call returned to its end, awaiting where that is needed."""
    if inspect.isasyncgen(value):
        return await _drain_async(value)
    if inspect.isgenerator(value):
        return _drain(value)
    return await value if inspect.isawaitable(value) else value


def refuse_unless_allowed(name: str, pending: Any = None) -> None:
    """Refuse a synchronous call of an async tool, unless the context allows it.

    Raises
    ------
    AsyncToolError
        With the two ways out.
    """
    if settings().allow_tool_async_sync_conversion:
        return
    if inspect.iscoroutine(pending):
        pending.close()
    raise AsyncToolError(
        f"{name!r} is async, so a plain call cannot have its value. Either\n"
        f"  await tool.acall(...)\n"
        f"or let calls wait for it:\n"
        f"  with workbench.context(allow_tool_async_sync_conversion=True): tool(...)"
    )


def _drain(generator: Generator[Any, Any, Any]) -> Any:
    yields = []
    while True:
        try:
            yields.append(_seen(next(generator)))
        except StopIteration as end:
            return yields if end.value is None else end.value


async def _drain_async(generator: AsyncIterator[Any]) -> list[Any]:
    return [_seen(value) async for value in generator]


def _seen(value: Any) -> Any:
    """Show a yielded value in the current run, if there is one."""
    wrapped = wrap(value)
    run = current_run()
    if run is not None:
        run.yielded(wrapped)
    return wrapped
