"""What the alternatives of a union are called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.forms.shape import Shape

__all__ = ["branch_titles"]


def branch_titles(shape: Shape) -> list[str]:
    """What the alternatives of a union are called, each differently.

    Examples
    --------
    >>> from workbench.forms.shape import shape_of
    >>> branch_titles(shape_of({"anyOf": [{"type": "integer"}, {"type": "string"}]}, {}))
    ['whole number', 'text']
    """
    titles: list[str] = []
    for branch in shape.branches:
        title = str(branch.get("title") or _branch_word(branch))
        count = sum(1 for known in titles if known.partition(" #")[0] == title)
        titles.append(f"{title} #{count + 1}" if count else title)
    return titles


def _branch_word(branch: Mapping[str, Any]) -> str:
    if "const" in branch:
        return str(branch["const"])
    kind = branch.get("type")
    words = {"string": "text", "integer": "whole number", "array": "list", "boolean": "yes/no"}
    if kind == "object" and branch.get("properties"):
        return "with " + ", ".join(list(branch.get("required") or branch["properties"])[:3])
    if kind == "array" and isinstance(branch.get("items"), Mapping) and branch["items"].get("type"):
        return f"list of {branch['items']['type']}"
    word = words.get(str(kind), str(kind or "anything"))
    return f"{word} ({branch['format']})" if isinstance(branch.get("format"), str) else word
