"""Nested values a level at a time, so that a large one is shown in part and at once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from itertools import islice
from typing import Any

from workbench.errors import bounded_repr
from workbench.types import AgentType

__all__ = ["children", "is_tree", "node_view", "opened"]

_LONGEST = 400
_LONGEST_KEY = 120


def opened(value: Any) -> Any:
    """Records as the mappings that they stand for; everything else as it is."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    if hasattr(type(value), "model_fields"):
        return {name: getattr(value, name) for name in type(value).model_fields}
    return value


def is_tree(value: Any) -> bool:
    """Whether a value has others inside."""
    return isinstance(opened(value), (Mapping, list, tuple))


def node_view(value: Any) -> dict[str, Any]:
    """A value without those inside it: its kind, its text, and how many are inside.

    Examples
    --------
    >>> node_view({"a": 1}), node_view("hi")
    ({'kind': 'object', 'text': '', 'count': 1}, {'kind': 'string', 'text': '"hi"', 'count': 0})
    """
    seen = opened(value)
    if isinstance(seen, Mapping):
        return {"kind": "object", "text": "", "count": len(seen)}
    if isinstance(seen, (list, tuple)):
        return {"kind": "array", "text": "", "count": len(seen)}
    kinds: tuple[tuple[Any, str], ...] = (
        (bool, "boolean"), (type(None), "null"), ((int, float), "number"), (str, "string"),
    )  # fmt: skip
    kind = next((word for known, word in kinds if isinstance(seen, known)), "other")
    return {"kind": kind, "text": _text(seen), "count": 0}


def _text(value: Any) -> str:
    """A leaf as JSON writes it, cut to a measure."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, str) and not (isinstance(value, AgentType) and value.media != "text"):
        text = str(value[:_LONGEST]).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        more = len(value) - _LONGEST
        return f'"{text}"' if more <= 0 else f'"{text}" ... {more:,} more characters'
    return bounded_repr(value, _LONGEST)


def children(value: Any, start: int, count: int) -> list[dict[str, Any]]:
    """Some of the values inside another, each with its key or index.

    Examples
    --------
    >>> children(["a", [1, 2]], 1, 1)
    [{'key': 1, 'kind': 'array', 'text': '', 'count': 2}]
    """
    seen = opened(value)
    if isinstance(seen, Mapping):
        return [
            {"key": str(key)[:_LONGEST_KEY], **node_view(item)}
            for key, item in islice(seen.items(), start, start + count)
        ]
    if isinstance(seen, (list, tuple)):
        return [
            {"key": start + at, **node_view(item)}
            for at, item in enumerate(seen[start : start + count])
        ]
    return []
