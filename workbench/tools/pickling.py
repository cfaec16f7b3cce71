"""Tools in pickles: by their name where they have one, else by their description."""

from __future__ import annotations

import sys
from typing import Any

__all__ = ["reduced"]

_LIVE = {"_setting_up", "_set_up", "is_initialized", "__wrapped__"}
"""Attributes that belong to this process and are made anew in another."""


def _is_global(tool: Any) -> bool:
    """Whether the tool stands under its function's name in a module, as ``@tool`` leaves it."""
    found: Any = sys.modules.get(tool.__module__)
    for part in tool.__qualname__.split("."):
        found = getattr(found, part, None)
    return found is tool


def _rebuild(kind: Any, state: dict[str, Any]) -> Any:
    tool = kind.__new__(kind)
    tool.__dict__.update(state)
    tool._complete()
    return tool


def reduced(tool: Any) -> Any:
    """What ``__reduce__`` gives for a tool."""
    if _is_global(tool):
        return tool.__qualname__
    return _rebuild, (type(tool), {k: v for k, v in tool.__dict__.items() if k not in _LIVE})
