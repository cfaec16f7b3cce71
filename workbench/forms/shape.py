"""What kind of field a schema asks for: one flat record, made by a table and few rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from workbench.schema import resolve

__all__ = ["Choice", "Shape", "shape_of"]

_SCALARS = {"string", "integer", "number", "boolean", "null"}
_COMPOSITE = {"object", "array", "map", "tuple"}
_LONG_TEXT = re.compile(
    r"(^|_)(text|prompt|content|contents|body|code|script|message|markdown|html|sql|query|"
    r"instructions|notes?|description|source)$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
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
    """

    kind: str
    schema: Mapping[str, Any]
    nullable: bool = False
    choices: tuple[Choice, ...] = ()
    branches: tuple[Mapping[str, Any], ...] = field(default=())
    control: str = ""


def shape_of(schema: Any, root: Mapping[str, Any], name: str = "") -> Shape:
    """Work out the kind of field for a subschema; nothing legal is refused.

    Examples
    --------
    >>> shape_of({"type": ["integer", "null"]}, {}).kind
    'integer'
    >>> shape_of({"type": "array", "items": {"enum": [1, 2]}}, {}).control
    'checks'
    """
    seen = _merged(resolve(schema, root), root)
    if "const" in seen:
        return Shape(kind="const", schema=seen)
    if isinstance(seen.get("enum"), list) and seen["enum"]:
        return _choice(seen, _labelled(seen))
    alternatives = seen.get("anyOf") or seen.get("oneOf")
    if isinstance(alternatives, list) and alternatives and not _only_tests(alternatives):
        return _alternatives(seen, alternatives, root, name)
    kinds = _kinds(seen)
    nullable = "null" in kinds and len(kinds) > 1
    real = [kind for kind in kinds if kind != "null"] or kinds
    if len(real) > 1:
        branches = tuple({**_without(seen, "default"), "type": kind} for kind in real)
        return Shape(kind="union", schema=seen, nullable=nullable, branches=branches)
    if not real and "not" not in seen:
        return _anything(seen)
    shape = _single(real[0] if real else "", seen, nullable, name)
    return _of_choices(shape, root) if shape.kind == "array" else shape


def _only_tests(alternatives: list[Any]) -> bool:
    """Alternatives that add nothing to draw: they say which members go together."""
    tests = {"required", "not", "title", "description", "minProperties"}
    return all(isinstance(each, Mapping) and each and set(each) <= tests for each in alternatives)


def _anything(schema: Mapping[str, Any]) -> Shape:
    """A value of any type, as a choice between the types."""
    rest = _without(schema, "default", "title", "description", "examples")
    kinds = ("string", "number", "boolean", "array", "object")
    branches = tuple({**rest, "type": kind} for kind in kinds)
    return Shape(kind="union", schema=schema, nullable=True, branches=branches, control="any")


_MOST_CHECKS = 12


def _of_choices(shape: Shape, root: Mapping[str, Any]) -> Shape:
    """A list whose items are chosen from few values, which are ticked."""
    items = resolve(shape.schema.get("items", {}), root)
    if len(items.get("enum") or items.get("oneOf") or items.get("anyOf") or ()) > _MOST_CHECKS:
        return shape
    inner = shape_of(items, root) if items else shape
    if inner.kind != "choice" or inner.nullable:
        return shape
    return replace(shape, choices=inner.choices, control="checks")


def _merged(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema with its ``allOf`` laid together: properties united, keywords of later parts win."""
    parts = schema.get("allOf")
    if not isinstance(parts, list) or not parts:
        return schema
    made = dict(_without(schema, "allOf"))
    conditional = [part for part in parts if isinstance(part, Mapping) and "if" in part]
    if conditional:
        made["allOf"] = conditional
    for part in parts:
        seen = _without(_merged(resolve(part, root), root), "if", "then", "else", "allOf")
        properties = {**(made.get("properties") or {}), **(seen.get("properties") or {})}
        required = list(dict.fromkeys([*made.get("required", ()), *seen.get("required", ())]))
        own = {k: v for k, v in made.items() if k in schema and k not in ("properties", "required")}
        made = {**made, **seen, **own}
        if properties:
            made["properties"] = properties
        if required:
            made["required"] = required
    return made


def _without(schema: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {key: value for key, value in schema.items() if key not in names}


def _kinds(schema: Mapping[str, Any]) -> list[str]:
    given = schema.get("type")
    if isinstance(given, list):
        return [str(kind) for kind in given]
    if isinstance(given, str):
        return [given]
    if schema.get("properties") or isinstance(schema.get("additionalProperties"), Mapping):
        return ["object"]
    if "items" in schema or "prefixItems" in schema:
        return ["array"]
    if any(key in schema for key in ("pattern", "minLength", "maxLength", "format")):
        return ["string"]
    return []


def _labelled(schema: Mapping[str, Any]) -> list[Choice]:
    names = schema.get("x-enumNames") or schema.get("enumNames") or ()
    return [
        Choice(value=value, label=str(names[at]) if at < len(names) else label(value))
        for at, value in enumerate(schema["enum"])
    ]


def label(value: Any) -> str:
    """A JSON value in a few characters."""
    import json

    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _choice(schema: Mapping[str, Any], choices: list[Choice]) -> Shape:
    given = schema.get("type")
    nullable = any(c.value is None for c in choices)
    listed = isinstance(given, list) and "null" in given
    real = tuple(c for c in choices if c.value is not None)
    if not real:
        return Shape(kind="null", schema=schema)
    return Shape(kind="choice", schema=schema, nullable=nullable or listed, choices=real)


def _alternatives(
    schema: Mapping[str, Any], given: list[Any], root: Mapping[str, Any], name: str
) -> Shape:
    outer = _without(schema, "anyOf", "oneOf")
    branches = list(_flat(given, root))
    real = [branch for branch in branches if not _is_null(branch)]
    nullable = len(real) < len(branches)
    if not real:
        return Shape(kind="null", schema=schema)
    if all("const" in branch for branch in real):
        choices = [
            Choice(value=b["const"], label=str(b.get("title") or label(b["const"]))) for b in real
        ]
        shape = _choice(outer, choices)
    elif len(real) == 1:
        shape = shape_of(_laid_over(real[0], outer), root, name)
    else:
        shared = _without(outer, "default", "title", "description", "type")
        laid = tuple(_laid_over(branch, shared) for branch in real)
        shape = Shape(kind="union", schema=outer, branches=laid)
    return replace(shape, nullable=shape.nullable or nullable)


def _flat(given: list[Any], root: Mapping[str, Any], depth: int = 0) -> Iterator[dict[str, Any]]:
    """Alternatives, with those of alternatives among them, so that one choice leads to each."""
    for branch in given:
        seen = _merged(resolve(branch, root), root)
        inner = seen.get("anyOf") or seen.get("oneOf")
        rest = _without(seen, "anyOf", "oneOf")
        both = "anyOf" in seen and "oneOf" in seen
        if not isinstance(inner, list) or not inner or _only_tests(inner) or both or depth > 4:
            yield dict(seen)
            continue
        for each in _flat(inner, root, depth + 1):
            yield _laid_over(each, _without(rest, "title", "description", "default"))


def _laid_over(branch: Mapping[str, Any], outer: Mapping[str, Any]) -> dict[str, Any]:
    """A branch with what its parent says beside it."""
    made = {**outer, **branch}
    for word in ("title", "description", "default"):
        if word in outer:
            made[word] = outer[word]
    if isinstance(outer.get("properties"), Mapping):
        made["properties"] = {**outer["properties"], **branch.get("properties", {})}
        made["required"] = list(
            dict.fromkeys([*outer.get("required", ()), *branch.get("required", ())])
        )
    return made


def _is_null(schema: Mapping[str, Any]) -> bool:
    return (
        schema.get("type") == "null"
        or schema.get("enum") == [None]
        or ("const" in schema and schema["const"] is None)
    )


def _object(schema: Mapping[str, Any], nullable: bool, name: str) -> Shape:
    has_names = isinstance(schema.get("properties"), Mapping) and schema["properties"]
    rest = schema.get("additionalProperties")
    kind = "object" if has_names else "map"
    if not has_names and (rest is False or (schema.get("properties") is not None and rest is None)):
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
    if media in ("image", "audio", "video") or binary:
        return Shape(kind="media", schema=schema, nullable=nullable, control=media or "file")
    return Shape(
        kind="string", schema=schema, nullable=nullable, control=_text_control(schema, name)
    )


_BY_FORMAT = {
    "password": "secret",
    "date": "date",
    "date-time": "datetime",
    "time": "time",
    "color": "color",
    "email": "email",
    "uri": "url",
    "url": "url",
}


def _text_control(schema: Mapping[str, Any], name: str) -> str:
    if schema.get("writeOnly") is True:
        return "secret"
    by_format = _BY_FORMAT.get(str(schema.get("format", "")))
    if by_format:
        return by_format
    most = schema.get("maxLength")
    short = isinstance(most, int) and most <= 80
    return "lines" if not short and (_LONG_TEXT.search(name) or (most or 0) > 200) else "line"


def _number(schema: Mapping[str, Any], nullable: bool, name: str) -> Shape:
    low, high = schema.get("minimum"), schema.get("maximum")
    ends = [
        end for end in (low, high) if isinstance(end, (int, float)) and not isinstance(end, bool)
    ]
    near = len(ends) == 2 and 0 < ends[1] - ends[0] <= 10_000
    kind = (
        "integer"
        if schema.get("type") == "integer" or "integer" in str(schema.get("type"))
        else "number"
    )
    return Shape(kind=kind, schema=schema, nullable=nullable, control="slider" if near else "")


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
    return make({**schema, "type": kind}, nullable, name)
