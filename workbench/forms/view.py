"""What the page is told of a form: plain JSON, bounded, without secrets and without media."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from workbench.errors import bounded_repr
from workbench.forms.choosing import hinted
from workbench.forms.model import FormModel, same_value
from workbench.forms.node import ABSENT, Node, Path
from workbench.forms.shape import Shape
from workbench.forms.text import write_text
from workbench.forms.titles import branch_titles
from workbench.forms.upload import most_bytes
from workbench.forms.whole import without_secrets

__all__ = ["form_view"]

_MOST_TEXT = 200_000
_MOST_CHOICES = 500
_MOST_DEPTH = 12
_MOST_LISTED = 12
_MOST_ROWS = 200
"""Items of a list that has more are not drawn one by one."""

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


def form_view(
    model: FormModel,
    extra: Mapping[Path, list[str]] | None = None,
    as_json: Collection[Path] = (),
) -> dict[str, Any]:
    """The whole form as the page draws it; what a row does not mention is empty or does not hold.

    Parameters
    ----------
    model : FormModel
        What is entered.
    extra : mapping, optional
        Further problems by path: those that the tool itself found.
    as_json : collection of tuple
        Paths of composite fields that are edited as JSON.

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
    fields = [_Rows(found, as_json).row(child, 0) for child in model.top()]
    seen = _paths(fields) if found else set()
    rest = [
        f"{'.'.join(map(str, path))}: {text}" if path else text
        for path, texts in found.items()
        if path not in seen
        for text in texts
    ]
    return {
        "fields": fields,
        "problems": sum(map(len, found.values())),
        "general": rest,
        "listed": [str(problem) for problem in model.problems[:_MOST_LISTED]],
    }


def _paths(rows: list[dict[str, Any]]) -> set[Path]:
    paths: set[Path] = set()
    for row in rows:
        paths.add(tuple(row["path"]))
        paths |= {tuple(path) for path in row.get("shown", ())}
        paths |= _paths(row.get("children", []))
    return paths


class _Rows:
    """Rows of fields, with what holds for all of them."""

    def __init__(self, found: Mapping[Path, list[str]], as_json: Collection[Path]) -> None:
        self.found = found
        self.as_json = as_json

    def row(self, node: Node, depth: int) -> dict[str, Any]:
        row = _told(node)
        if node.path in self.found:
            row["problems"] = self.found[node.path]
        composite = "composite" in row
        if composite and (self.wanted_as_json(node) or _only_json(node, depth)):
            return {**row, "kind": "json", "control": "", **_as_json(node)}
        row.update(_entered(node))
        row.update(_limits(node))
        row.update(_options(node))
        if row["control"] == "tags" and composite:
            row.update(self.tags(node))
        if composite and row["control"] != "tags":
            row.update(self.inside(node, depth))
        return row

    def wanted_as_json(self, node: Node) -> bool:
        """Whether a person, or the schema, asks for a composite field as JSON."""
        return (node.path in self.as_json) != (node.shape.control == "json")

    def tags(self, node: Node) -> dict[str, Any]:
        """The texts of a list, and what is wrong with each; rows where there is more than text."""
        if any(item.shape.kind != "string" or not isinstance(item.raw, str) for item in node.items):
            return {"control": "", **self.inside(node, _MOST_DEPTH - 1)}
        wrong = [
            f"{bounded_repr(item.raw, 40)}: {text}"
            for item in node.items
            for text in self.found.get(item.path, ())
        ]
        problems = [*self.found.get(node.path, []), *wrong]
        texts = [item.raw for item in node.items]
        return {"tags": texts, "problems": problems, "shown": [list(i.path) for i in node.items]}

    def inside(self, node: Node, depth: int) -> dict[str, Any]:
        kind = node.shape.kind
        shown = node.state == "value" and depth < _MOST_DEPTH
        if kind == "object" and node.required and node.state == "unset":
            shown = depth < _MOST_DEPTH
        if kind == "union":
            shown = node.branch is not None and node.state != "null" and depth < _MOST_DEPTH
        children = [self.row(child, depth + 1) for child in node.children()] if shown else []
        named = set(node.properties()) if kind == "object" else ()
        for child in children:
            if kind in ("array", "map") or (kind == "object" and child["name"] not in named):
                child["removable"] = True
            if kind == "union":
                child["inner"], child["problems"] = True, []
        schema = node.shape.schema
        rest = schema.get("additionalProperties") or schema.get("patternProperties")
        grows = kind in ("array", "map") or (kind == "object" and bool(rest))
        keys = schema.get("propertyNames") if kind in ("map", "object") else None
        names = keys.get("enum") if isinstance(keys, Mapping) else None
        return {"children": children, "grows": grows, "names": names or []}


def _told(node: Node) -> dict[str, Any]:
    """What holds for a field of any kind."""
    shape = node.shape
    schema = shape.schema
    row: dict[str, Any] = {
        "path": list(node.path),
        "name": str(node.path[-1]) if node.path else "",
        "title": str(schema.get("title") or ""),
        "description": str(schema.get("description") or ""),
        "kind": shape.kind,
        "control": shape.control,
        "type": _type_word(shape),
        "required": node.required,
        "state": node.state,
    }
    if shape.nullable:
        row["nullable"] = True
    if shape.kind in _COMPOSITE:
        row["composite"] = True
    if "default" in schema:
        default = schema["default"]
        row["default"] = write_text(default)[:80]
        row["as_default"] = default is not None and node.value() == default
    row.update((key, True) for word, key in _MARKS if schema.get(word) is True)
    return row


_MARKS = (("readOnly", "readonly"), ("deprecated", "deprecated"))
_COMPOSITE = ("object", "map", "array", "tuple", "union")


def _only_json(node: Node, depth: int) -> bool:
    """Whether what is in a composite field can be shown as JSON alone."""
    if len(node.items) > _MOST_ROWS or len(node.named) > _MOST_ROWS + len(node.properties()):
        return True
    if node.shape.kind == "union":
        return node.state == "text" and node.branch is None
    return node.state == "text" or node.raw is not ABSENT or depth >= _MOST_DEPTH


def _as_json(node: Node) -> dict[str, Any]:
    value, _ = without_secrets(node)
    text = node.text if node.state == "text" else "" if value is ABSENT else write_text(value)
    return {"text": text[:_MOST_TEXT], "filled": bool(text), "raw": True}


_TELLING = {
    "date": "date", "time": "time", "datetime": "date and time", "email": "email", "url": "url",
    "color": "colour", "secret": "secret", "any": "anything", "checks": "choices", "path": "path",
}  # fmt: skip
"""Controls that say the type better than the kind does."""


def _type_word(shape: Shape) -> str:
    word = _TELLING.get(shape.control) or _WORDS.get(shape.kind, shape.kind)
    if shape.control == "any":
        return word
    if shape.kind == "media":
        word = shape.control
    elif shape.kind in ("integer", "number"):
        word += _range_word(shape.schema)
    elif shape.kind == "array" and shape.control != "checks":
        inner = shape.schema.get("items")
        kind = inner.get("type") if isinstance(inner, Mapping) else None
        word = f"list of {_WORDS.get(kind, kind)}" if isinstance(kind, str) else word
    return f"{word} or null" if shape.nullable and shape.kind != "json" else word


def _range_word(schema: Mapping[str, Any]) -> str:
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return f", {low} to {high}"
    if low is not None:
        return f", at least {low}"
    return "" if high is None else f", at most {high}"


def _entered(node: Node) -> dict[str, Any]:
    """The text in the control, or that something is in it which is not to be shown."""
    value, kind = node.value(), node.shape.kind
    if node.shape.control == "secret":
        return {"text": "", "filled": value is not ABSENT and value not in ("", None)}
    if node.state == "text":
        return {"text": node.text[:_MOST_TEXT], "filled": True}
    if value is ABSENT or value is None:
        return {"text": ""}
    if kind == "media" and isinstance(value, str) and not (node.text and _short(value)):
        note = f"about {len(value) * 3 // 4 / 1000:,.0f} kB"
        return {"text": "", "filled": True, "note": note, "preview": node.shape.control == "image"}
    if kind in _COMPOSITE:
        return {"text": "", "filled": True}
    text = node.text or write_text(value)
    return {"text": text[:_MOST_TEXT], "filled": True}


def _short(text: str) -> bool:
    """Whether a medium's text is an address that a person has typed, and not the medium itself."""
    return len(text) <= _MOST_ADDRESS


_MOST_ADDRESS = 1000


_BOUNDS = ("minimum", "maximum", "multipleOf", "maxLength")


def _limits(node: Node) -> dict[str, Any]:
    schema, control = node.shape.schema, node.shape.control
    limits = {n: schema[n] for n in _BOUNDS if n in schema and isinstance(schema[n], (int, float))}
    if control == "slider":
        said = {"minimum": 0, "maximum": 100, **limits, **hinted(schema)}
        limits.update({n: said[n] for n in ("minimum", "maximum", "step") if n in said})
    if node.shape.kind == "media" or control == "path":
        limits["most"] = most_bytes(node)
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
        picked = [i for i, c in enumerate(shape.choices) if same_value(c.value, value)]
        labels = [choice.label for choice in shape.choices[:_MOST_CHOICES]]
        more = len(shape.choices) - len(labels)
        return {"choices": labels, "picked": picked[0] if picked else None, "more": max(0, more)}
    if shape.control in ("choices", "path"):
        # Python looks for them when the list is opened.
        return {"choices": [], "picked": None, "more": 1}
    if shape.control == "checks":
        return _ticked(node)
    if shape.kind == "boolean":
        value = node.value()
        return {"picked": value if isinstance(value, bool) else None}
    if shape.kind == "const":
        return {"fixed": write_text(shape.schema["const"])}
    if shape.kind == "union":
        return {"branches": branch_titles(shape), "branch": node.branch}
    return {}


def _ticked(node: Node) -> dict[str, Any]:
    """The choices of a list and which are in it; nothing where ticks could not say the value."""
    value = node.value()
    given = value if isinstance(value, list) else []
    choices = [choice.value for choice in node.shape.choices]
    ticked = [at for at, one in enumerate(choices) if any(same_value(one, v) for v in given)]
    if len(ticked) != len(given):
        return {"control": ""}
    return {"choices": [choice.label for choice in node.shape.choices], "ticked": ticked}
