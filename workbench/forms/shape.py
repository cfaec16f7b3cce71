"""What kind of field a schema asks for: one flat record, made by a table and few rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from workbench.forms.choosing import fitting, hinted, number_control, text_control
from workbench.forms.merging import alternatives_of, laid_over, merged, only_tests, without
from workbench.schema import resolve

__all__ = ["Choice", "Shape", "shape_of"]

_MEDIA = ("image", "audio", "video")


class Choice(NamedTuple):
    """One of the values that a field may have.

    Parameters
    ----------
    value : object
        The JSON value, of any type.
    label : str
        What a person reads.
    """

    value: Any
    label: str


class Shape(NamedTuple):
    """What a subschema asks for.

    Parameters
    ----------
    kind : str
        "string", "integer", "number", "boolean", "null", "choice", "const", "media", "object",
        "map", "array", "tuple", "union" or "json".
    schema : mapping
        The subschema, references followed, ``allOf`` merged, null taken out.
    nullable : bool
        Null is allowed besides.
    choices : tuple of Choice
        For "choice".
    branches : tuple of mapping
        For "union": the alternatives.
    control : str
        A hint at how to draw it: "line", "lines", "secret", "date", "slider", "tags", "checks",
        "any", ...
    why : str
        What asked for the control.
    """

    kind: str
    schema: Mapping[str, Any]
    nullable: bool = False
    choices: tuple[Choice, ...] = ()
    branches: tuple[Mapping[str, Any], ...] = ()
    control: str = ""
    why: str = ""


def shape_of(schema: Any, root: Mapping[str, Any], name: str = "") -> Shape:
    """Work out the kind of field for a subschema; nothing legal is refused.

    Examples
    --------
    >>> shape_of({"type": ["integer", "null"]}, {}).kind
    'integer'
    >>> shape_of({"type": "array", "items": {"enum": [1, 2]}}, {}).control
    'checks'
    """
    shape = _shape(merged(resolve(schema, root), root), root, name)
    said = hinted(shape.schema)
    return as_asked(shape, said["control"], "x-workbench") if "control" in said else shape


_PLAIN = {"number": "", "items": "", "fields": ""}
_KINDS_OF_CONTROL = dict.fromkeys((*_MEDIA, "file"), "media")


def as_asked(shape: Shape, control: Any, why: str) -> Shape:
    """A shape with a control that somebody asks for; as it was where that does not fit."""
    if not fitting(shape.kind, control) or (control == "checks" and not shape.choices):
        return shape
    kind = shape.kind
    if kind in ("string", "media"):
        kind = _KINDS_OF_CONTROL.get(control, "string")
    return shape._replace(kind=kind, control=_PLAIN.get(control, control), why=why)


def _shape(seen: Mapping[str, Any], root: Mapping[str, Any], name: str) -> Shape:
    if "const" in seen:
        return Shape(kind="const", schema=seen)
    if isinstance(seen.get("enum"), list) and seen["enum"]:
        return _choice(seen, _labelled(seen))
    alternatives = seen.get("anyOf") or seen.get("oneOf")
    if isinstance(alternatives, list) and alternatives and not only_tests(alternatives):
        return _alternatives(seen, alternatives, root, name)
    kinds = _kinds(seen)
    nullable = "null" in kinds and len(kinds) > 1
    real = [kind for kind in kinds if kind != "null"] or kinds
    if len(real) > 1:
        branches = tuple({**without(seen, "default"), "type": kind} for kind in real)
        return Shape(kind="union", schema=seen, nullable=nullable, branches=branches)
    if not real and "not" not in seen:
        return _anything(seen)
    shape = _single(real[0] if real else "", seen, nullable, name)
    return _of_choices(shape, root) if shape.kind == "array" else shape


def _anything(schema: Mapping[str, Any]) -> Shape:
    """A value of any type, as a choice between the types."""
    rest = without(schema, "default", "title", "description", "examples")
    kinds = ("string", "number", "boolean", "array", "object")
    branches = tuple({**rest, "type": kind} for kind in kinds)
    return Shape(kind="union", schema=schema, nullable=True, branches=branches, control="any")


_MOST_CHECKS = 12


def _of_choices(shape: Shape, root: Mapping[str, Any]) -> Shape:
    """A list whose items are chosen from few values, which are ticked."""
    items = resolve(shape.schema.get("items", {}), root)
    values = items.get("enum") or items.get("oneOf") or items.get("anyOf") or ()
    if not 0 < len(values) <= _MOST_CHECKS:
        return shape
    inner = shape_of(items, root)
    if inner.kind != "choice" or inner.nullable:
        return shape
    return shape._replace(choices=inner.choices, control="checks")


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    given = schema.get("type")
    if isinstance(given, list):
        return [str(kind) for kind in given]
    if isinstance(given, str):
        return [given]
    if schema.get("properties") or isinstance(schema.get("additionalProperties"), Mapping):
        return ["object"]
    if any(word in schema for word in ("patternProperties", "propertyNames")):
        return ["object"]
    if any(word in schema for word in ("items", "prefixItems", "contains", "uniqueItems")):
        return ["array"]
    if any(key in schema for key in ("pattern", "minLength", "maxLength", "format")):
        return ["string"]
    return []


def _labelled(schema: Mapping[str, Any]) -> list[Choice]:
    names = schema.get("x-enumNames") or schema.get("enumNames") or ()
    labels = [
        str(names[at]) if at < len(names) else label(value)
        for at, value in enumerate(schema["enum"])
    ]
    return [
        Choice(value=value, label=said if labels.count(said) == 1 else json.dumps(value))
        for said, value in zip(labels, schema["enum"], strict=True)
    ]


def label(value: Any) -> str:
    """A JSON value in a few characters."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _choice(schema: Mapping[str, Any], choices: list[Choice]) -> Shape:
    nullable = any(c.value is None for c in choices)
    real = tuple(c for c in choices if c.value is not None)
    if not real:
        return Shape(kind="null", schema=schema)
    return Shape(kind="choice", schema=schema, nullable=nullable, choices=real)


def _alternatives(
    schema: Mapping[str, Any], given: list[Any], root: Mapping[str, Any], name: str
) -> Shape:
    outer = without(schema, "anyOf", "oneOf")
    branches = list(alternatives_of(given, root))
    real = [branch for branch in branches if not _is_null(branch)]
    nullable = len(real) < len(branches)
    if not branches:
        return _anything(outer)
    if not real:
        return Shape(kind="null", schema=schema)
    if all("const" in branch for branch in real):
        choices = [
            Choice(value=b["const"], label=str(b.get("title") or label(b["const"]))) for b in real
        ]
        shape = _choice(outer, choices)
    elif len(real) == 1:
        shape = shape_of(laid_over(real[0], outer), root, name)
    else:
        shared = without(outer, "default", "title", "description", "type")
        laid = tuple(laid_over(branch, shared) for branch in real)
        shape = Shape(kind="union", schema=outer, branches=laid)
    return shape._replace(nullable=shape.nullable or nullable)


def _is_null(schema: Mapping[str, Any]) -> bool:
    return (
        schema.get("type") == "null"
        or schema.get("enum") == [None]
        or ("const" in schema and schema["const"] is None)
    )


_CONDITIONAL = ("if", "allOf", "dependentSchemas", "dependencies")


def _object(schema: Mapping[str, Any], nullable: bool, name: str) -> Shape:
    has_names = isinstance(schema.get("properties"), Mapping) and schema["properties"]
    rest = schema.get("additionalProperties")
    kind = "object" if has_names or any(word in schema for word in _CONDITIONAL) else "map"
    closed = rest is False or (schema.get("properties") is not None and rest is None)
    if closed and not schema.get("patternProperties"):
        kind = "object"
    return Shape(kind=kind, schema=schema, nullable=nullable)


def _array(schema: Mapping[str, Any], nullable: bool, name: str) -> Shape:
    if isinstance(schema.get("prefixItems"), list):
        return Shape(kind="tuple", schema=schema, nullable=nullable)
    items = schema.get("items")
    tags = (
        isinstance(items, Mapping)
        and items.get("type") == "string"
        and not ({"enum", "contentMediaType", "contentEncoding", "format"} & set(items))
    )
    return Shape(kind="array", schema=schema, nullable=nullable, control="tags" if tags else "")


def _string(schema: Mapping[str, Any], nullable: bool, name: str) -> Shape:
    media = str(schema.get("contentMediaType") or "").partition("/")[0]
    binary = schema.get("contentEncoding") == "base64" or schema.get("format") in ("binary", "byte")
    if media in _MEDIA or binary:
        control = media if media in _MEDIA else "file"
        why = "contentMediaType" if media in _MEDIA else "contentEncoding"
        return Shape(kind="media", schema=schema, nullable=nullable, control=control, why=why)
    control, why = text_control(schema, name)
    kind = "media" if control in (*_MEDIA, "file") else "string"
    return Shape(kind=kind, schema=schema, nullable=nullable, control=control, why=why)


def _number(schema: Mapping[str, Any], nullable: bool, name: str) -> Shape:
    kind = "integer" if schema.get("type") == "integer" else "number"
    control, why = number_control(schema)
    return Shape(kind=kind, schema=schema, nullable=nullable, control=control, why=why)


def _plain(kind: str) -> Callable[[Mapping[str, Any], bool, str], Shape]:
    return lambda schema, nullable, name: Shape(kind=kind, schema=schema, nullable=nullable)


_BY_TYPE: dict[str, Callable[[Mapping[str, Any], bool, str], Shape]] = {
    "string": _string,
    "integer": _number,
    "number": _number,
    "boolean": _plain("boolean"),
    "null": _plain("null"),
    "object": _object,
    "array": _array,
}


def _single(kind: str, schema: Mapping[str, Any], nullable: bool, name: str) -> Shape:
    make = _BY_TYPE.get(kind)
    if make is None:
        return Shape(kind="json", schema=schema, nullable=True)
    return make(schema if schema.get("type") == kind else {**schema, "type": kind}, nullable, name)
