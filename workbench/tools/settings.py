"""Settings that change how tools are called: for a block of code, or for the process."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any

__all__ = ["Settings", "configure", "context", "settings"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """The settings in force.

    Parameters
    ----------
    allow_tool_async_sync_conversion : bool
        Let ``tool(...)`` call a coroutine function and wait for it.

    Examples
    --------
    >>> Settings().allow_tool_async_sync_conversion
    False
    """

    allow_tool_async_sync_conversion: bool = False


_process = Settings()
_block: ContextVar[dict[str, Any] | None] = ContextVar("workbench_settings", default=None)


def settings() -> Settings:
    """The settings in force here: the process's, with those of the enclosing blocks over them."""
    return replace(_process, **(_block.get() or {}))


def configure(**changes: bool) -> None:
    """Change settings for the whole process.

    Parameters
    ----------
    **changes
        Fields of :class:`Settings`.

    Raises
    ------
    TypeError
        If there is no such setting.

    Examples
    --------
    >>> configure(allow_tool_async_sync_conversion=False)
    """
    global _process
    _process = replace(_process, **changes)


@contextmanager
def context(**changes: bool) -> Iterator[Settings]:
    """Change settings inside a ``with`` block, for this thread or task only.

    Parameters
    ----------
    **changes
        Fields of :class:`Settings`.

    Raises
    ------
    TypeError
        If there is no such setting.

    Examples
    --------
    >>> with context(allow_tool_async_sync_conversion=True) as here:
    ...     here.allow_tool_async_sync_conversion
    True
    """
    replace(_process, **changes)
    token = _block.set({**(_block.get() or {}), **changes})
    try:
        yield settings()
    finally:
        _block.reset(token)
