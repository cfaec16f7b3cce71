"""What the page is told of a form: plain JSON, bounded, without secrets and without media."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.forms.model import FormModel, branch_titles
from workbench.forms.node import ABSENT, Node, Path
from workbench.forms.shape import Shape
from workbench.forms.text import write_text
from workbench.forms.thumbnail import thumbnail

__all__ = ["form_view"]

_MOST_TEXT = 200_000
_MOST_CHOICES = 500
_MOST_DEPTH = 12

_WORDS = {
    "string": "text",
    "integer": "whole number",
    "number": "number",
    "boolean": "yes or no",
    "choice": "choice",
    "const": "fixed",
    "object": "object",
    "map": "entries",
    "array": "list",
    "tuple": "tuple",
    "union": "one of",
    "json": "JSON",
    "null": "null",
}


def form_view(model: FormModel, extra: Mapping[Path, list[str]] | None = None) -> dict[str, Any]:
    """The whole form as the page draws it.

    Parameters
    ----------
    model : FormModel
        What is entered.
    extra : mapping, optional
        Further problems by path: those that the tool itself found.

    Examples
    --------
    >>> view = form_view(FormModel({"properties": {"n": {"type": "integer"}}}))
    >>> view["fields"][0]["type"], view["problems"]
    ('whole number', 0)
    """
    found: dict[Path, list[str]] = {}
    for problem in model.problems:
        found.setdefault(problem.path, []).append(problem.message)
    for path, messages in (extra or {}).items():
        found.setdefault(path, []).extend(messages)
    node = model.node
    nodes = list(node.children()) if node.shape.kind == "object" else [node]
    fields = [_row(child, found, 0) for child in nodes]
    seen = _paths(fields)
    rest = [
        f"{'.'.join(map(str, path))}: {text}" if path else text
        for path, texts in found.items()
        if path not in seen
        for text in texts
    ]
    return {"fields": fields, "problems": sum(map(len, found.values())), "general": rest}


def _paths(rows: list[dict[str, Any]]) -> set[Path]:
    paths: set[Path] = set()
    for row in rows:
        paths.add(tuple(row["path"]))
        paths |= _paths(row.get("children", []))
    return paths


def _row(node: Node, found: Mapping[Path, list[str]], depth: int) -> dict[str, Any]:
    shape, schema = node.shape, node.shape.schema
    row: dict[str, Any] = {
        "path": list(node.path),
        "name": str(node.path[-1]) if node.path else "",
        "title": str(schema.get("title") or ""),
        "description": str(schema.get("description") or ""),
        "kind": shape.kind,
        "control": shape.control,
        "type": _type_word(shape),
        "required": node.required,
        "nullable": shape.nullable,
        "state": node.state,
        "problems": found.get(node.path, []),
        "deprecated": schema.get("deprecated") is True,
        "default": write_text(schema["default"])[:80] if "default" in schema else None,
    }
    row.update(_entered(node))
    row.update(_limits(schema))
    row.update(_options(node))
    if shape.kind in ("object", "map", "array", "tuple", "union"):
        row.update(_inside(node, found, depth))
    return row


_TELLING = {"date", "time", "email", "url", "color", "secret"}
"""Controls that say the type better than the kind does."""


def _type_word(shape: Shape) -> str:
    word = _WORDS.get(shape.kind, shape.kind)
    if shape.kind == "media" or shape.control in _TELLING:
        word = shape.control
    elif shape.kind == "array":
        inner = shape.schema.get("items")
        kind = inner.get("type") if isinstance(inner, Mapping) else None
        word = f"list of {_WORDS.get(kind, kind)}" if isinstance(kind, str) else word
    return f"{word} or null" if shape.nullable and shape.kind != "json" else word


def _entered(node: Node) -> dict[str, Any]:
    """The text in the control, or that something is in it which is not to be shown."""
    value = node.value()
    if node.shape.control == "secret":
        return {"text": "", "filled": value is not ABSENT and value not in ("", None)}
    if node.state == "text":
        return {"text": node.text[:_MOST_TEXT], "filled": True}
    if value is ABSENT or value is None:
        return {"text": "", "filled": False}
    if node.shape.kind == "media" and isinstance(value, str) and not node.text:
        note = f"about {len(value) * 3 // 4 / 1000:,.0f} kB"
        preview = thumbnail(value) if node.shape.control == "image" else None
        return {"text": "", "filled": True, "note": note, "preview": preview}
    if node.shape.kind in ("object", "map", "tuple", "union") and node.raw is ABSENT:
        return {"text": "", "filled": True}
    text = node.text if node.text and node.shape.kind != "array" else write_text(value)
    return {"text": text[:_MOST_TEXT], "filled": True}


def _limits(schema: Mapping[str, Any]) -> dict[str, Any]:
    names = ("minimum", "maximum", "multipleOf", "maxLength")
    limits = {n: schema[n] for n in names if isinstance(schema.get(n), (int, float))}
    examples = schema.get("examples")
    if isinstance(examples, list):
        limits["examples"] = [write_text(example)[:200] for example in examples[:20]]
    if schema.get("contentMediaType"):
        limits["accept"] = str(schema["contentMediaType"])
    return limits


def _options(node: Node) -> dict[str, Any]:
    shape = node.shape
    if shape.kind == "choice":
        value = node.value()
        picked = [i for i, c in enumerate(shape.choices) if _same(c.value, value)]
        labels = [choice.label for choice in shape.choices[:_MOST_CHOICES]]
        more = len(shape.choices) - len(labels)
        return {"choices": labels, "picked": picked[0] if picked else None, "more": max(0, more)}
    if shape.kind == "boolean":
        value = node.value()
        return {"picked": value if isinstance(value, bool) else None}
    if shape.kind == "union":
        return {"branches": branch_titles(node), "branch": node.branch}
    return {}


def _same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and bool(one == other)


def _inside(node: Node, found: Mapping[Path, list[str]], depth: int) -> dict[str, Any]:
    kind = node.shape.kind
    shown = node.state == "value" and node.raw is ABSENT and depth < _MOST_DEPTH
    if kind == "object" and node.required and node.state == "unset":
        shown = depth < _MOST_DEPTH
    children = [_row(child, found, depth + 1) for child in node.children()] if shown else []
    named = set(node.properties())
    for child in children:
        if kind == "array" or (kind in ("object", "map") and child["name"] not in named):
            child["removable"] = True
    if kind == "union":
        for child in children:
            child["inner"], child["problems"] = True, []
    rest = node.shape.schema.get("additionalProperties")
    grows = kind in ("array", "map") or (kind == "object" and bool(rest))
    return {"children": children, "grows": grows}
