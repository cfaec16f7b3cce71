"""``@tool``: a function becomes a tool where it is defined."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, overload

from workbench.tools.tool_class import Tool

__all__ = ["tool"]


@overload
def tool(func: Callable[..., Any], /, **options: Any) -> Tool: ...


@overload
def tool(**options: Any) -> Callable[[Callable[..., Any]], Tool]: ...


def tool(
    func: Callable[..., Any] | None = None, /, **options: Any
) -> Tool | Callable[[Callable[..., Any]], Tool]:
    """Make a tool of a function: ``@tool``, ``@tool(name=...)`` or ``tool(func)``.

    Parameters
    ----------
    func : callable
        The function.
    **options
        As :class:`Tool` takes them.

    Examples
    --------
    >>> @tool
    ... def add(a: int, b: int = 2) -> int:
    ...     "Add two numbers."
    ...     return a + b
    >>> add(1), add.input_schema["required"]
    (3, ['a'])
    """
    if func is None:
        return lambda function: tool(function, **options)
    if isinstance(func, Tool) and not options:
        return func
    return Tool(func.func if isinstance(func, Tool) else func, **options)
