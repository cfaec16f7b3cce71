"""Who called what, with which outcome: published to whoever keeps a history."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from workbench.tools.result import ToolResult
    from workbench.tools.tool_class import Tool

__all__ = ["Call", "listening", "publish", "subscribe"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call that has ended.

    Parameters
    ----------
    tool : Tool
        What was called.
    arguments : mapping
        As given, before conversion to the function's own types.
    result : ToolResult
        What came of it; failures are results too.
    started_at : float
        Seconds since the epoch.
    elapsed_s : float
        Duration in seconds.
    origin : str
        "form", "code", "model" or "app".

    Examples
    --------
    >>> from workbench import tool
    >>> calls = []
    >>> stop = subscribe(calls.append)
    >>> tool(lambda x: x + 1, name="inc")(1)
    2
    >>> stop()
    >>> calls[0].arguments, calls[0].result.value
    ({'x': 1}, 2)
    """

    tool: Tool
    arguments: Mapping[str, Any]
    result: ToolResult
    started_at: float
    elapsed_s: float
    origin: str = "code"


_listeners: list[Callable[[Call], None]] = []


def subscribe(listener: Callable[[Call], None]) -> Callable[[], None]:
    """Hear of every call that ends, in the thread where it ends; returns what unsubscribes."""
    _listeners.append(listener)

    def unsubscribe() -> None:
        if listener in _listeners:
            _listeners.remove(listener)

    return unsubscribe


def listening() -> bool:
    """Whether anybody keeps a history."""
    return bool(_listeners)


def publish(call: Call) -> None:
    """Tell every listener of a call."""
    for listener in tuple(_listeners):
        listener(call)
