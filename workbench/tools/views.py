"""A tool for people: as plain text, as a small table, and in the words of class tools."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from workbench.schema import resolve
from workbench.types.visible import visible

if TYPE_CHECKING:
    from workbench.tools.described import Described

__all__ = ["badges", "inputs_view", "tool_html", "tool_text", "type_words"]


_DEPTH = 4
"""How far types are told that hold each other; some hold themselves."""


def type_words(schema: Any, root: Mapping[str, Any], depth: int = _DEPTH) -> str:
    """A schema's type in a few words: "integer", "list of string", "image", "string or null".

    Examples
    --------
    >>> type_words({"type": "array", "items": {"type": "string"}}, {})
    'list of string'
    """
    if not isinstance(schema, Mapping):
        return "nothing" if schema is False else "anything"
    if not depth:
        return "…"
    seen = resolve(schema, root)
    media = str(seen.get("contentMediaType", "")).partition("/")[0]
    if media in ("image", "audio", "video"):
        return media
    branches = seen.get("anyOf") or seen.get("oneOf")
    if branches:
        words = [type_words(branch, root, depth - 1) for branch in branches]
        return " or ".join(dict.fromkeys(words))
    if "enum" in seen:
        return "one of " + ", ".join(repr(value) for value in list(seen["enum"])[:5])
    kind = seen.get("type", "anything")
    if kind == "array" and isinstance(seen.get("items"), Mapping):
        return f"list of {type_words(seen['items'], root, depth - 1)}"
    return " or ".join(map(str, kind)) if isinstance(kind, (list, tuple)) else str(kind)


def badges(tool: Described) -> list[str]:
    """What a person should know before calling: "read-only", "destructive", "async"."""
    hints = tool.annotations
    destructive = hints.destructive_hint is True and hints.read_only_hint is not True
    said = {
        "read-only": hints.read_only_hint is True,
        "destructive": destructive,
        "async": tool.is_async,
    }
    return [word for word, holds in said.items() if holds]


def _rows(tool: Described) -> list[tuple[str, str, str, str]]:
    """Name, type, "required" or the default, and description of each parameter."""
    required = tool.input_schema.get("required") or ()
    rows = []
    for name, schema in tool.args.items():
        known = schema if isinstance(schema, Mapping) else {}
        need = "required" if name in required else "optional"
        if "default" in known:
            need = f"default {known['default']!r}"
        text = str(known.get("description") or "")
        rows.append((name, type_words(schema, tool.input_schema), need, text))
    return rows


def tool_text(tool: Described) -> str:
    """The tool as plain text, aligned."""
    head = f"{tool.name}: {tool.description}" if tool.description else tool.name
    rows = _rows(tool)
    wide = max((len(name) for name, *_ in rows), default=0)
    lines = [
        f"  {name:<{wide}}  {kind}, {need}" + (f": {text}" if text else "")
        for name, kind, need, text in rows
    ]
    return visible("\n".join([head, *(lines or ["  (no parameters)"])]))


def tool_html(tool: Described) -> str:
    """The tool as a static table, every text escaped."""
    cells = "".join(
        "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>"
        for row in _rows(tool)
    )
    body = f"<table><tbody>{cells}</tbody></table>" if cells else "<p>No parameters.</p>"
    about = f"<p>{html.escape(tool.description)}</p>" if tool.description else ""
    return f"<div><strong>{html.escape(tool.title or tool.name)}</strong>{about}{body}</div>"


def inputs_view(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Each argument's type in one word, its description, and whether it may be null or left out.

    Examples
    --------
    >>> limit = {"anyOf": [{"type": "integer"}, {"type": "null"}]}
    >>> inputs_view({"properties": {"limit": limit}, "required": ["limit"]})
    {'limit': {'type': 'integer', 'description': '', 'nullable': True}}
    """
    required = schema.get("required") or ()
    return {
        name: _input(given, schema, name not in required)
        for name, given in (schema.get("properties") or {}).items()
    }


def _input(given: Any, root: Mapping[str, Any], optional: bool) -> dict[str, Any]:
    seen = resolve(given, root) if isinstance(given, Mapping) else {}
    words = list(dict.fromkeys(_words(given, root)))
    kinds = [word for word in words if word != "null"]
    kind = "any" if "any" in kinds or not kinds else kinds[0] if len(kinds) == 1 else kinds
    entry: dict[str, Any] = {"type": kind, "description": str(seen.get("description", ""))}
    values = _values(seen, root)
    if values:
        entry["enum"] = values
    return {**entry, "nullable": True} if optional or "null" in words else entry


def _words(given: Any, root: Mapping[str, Any], depth: int = _DEPTH) -> list[str]:
    """The types that a schema admits, each in one word."""
    seen = resolve(given, root) if isinstance(given, Mapping) else {}
    media = str(seen.get("contentMediaType", "")).partition("/")[0]
    if media in ("image", "audio", "video"):
        return [media]
    branches = seen.get("anyOf") or seen.get("oneOf")
    if "type" not in seen and isinstance(branches, list):
        further = [_words(branch, root, depth - 1) for branch in branches] if depth else []
        return [word for words in further for word in words]
    kind = seen.get("type", "any")
    return [str(word) for word in kind] if isinstance(kind, list) else [str(kind)]


def _values(seen: Mapping[str, Any], root: Mapping[str, Any]) -> list[Any]:
    """The values of a choice, also of one that may be null."""
    if "enum" in seen:
        return list(seen["enum"])
    branches = [resolve(each, root) for each in seen.get("anyOf") or () if isinstance(each, dict)]
    typed = [each for each in branches if each.get("type") != "null"]
    return list(typed[0].get("enum") or ()) if len(typed) == 1 else []
