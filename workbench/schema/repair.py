"""Schemas as people publish them, read as they are meant.

OpenAPI 3.0 writes ``nullable``, the Berkeley function-calling set writes ``dict``, ``float`` and
``any``, some servers write ``properties: []`` or nothing at all. A repaired schema says the same
in JSON Schema 2020-12; one that needs no repair comes back as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.schema.walk import LISTS, MAPS, ONE

__all__ = ["repair"]

_TYPES: dict[str, str | None] = {
    "dict": "object",
    "hashmap": "object",
    "map": "object",
    "struct": "object",
    "float": "number",
    "double": "number",
    "decimal": "number",
    "int": "integer",
    "long": "integer",
    "str": "string",
    "char": "string",
    "text": "string",
    "bool": "boolean",
    "list": "array",
    "tuple": "array",
    "arraylist": "array",
    "set": "array",
    "none": "null",
    "any": None,
    "": None,
}
_KNOWN = {"object", "array", "string", "number", "integer", "boolean", "null"}
_SOUND = frozenset(
    {"type", "title", "description", "default", "examples", "enum", "format", "pattern"}
    | {"minLength", "maxLength", "minimum", "maximum", "multipleOf"}
)
"""Keywords in which nothing is to be mended: most schemas of a form have no others."""


def repair(schema: Any) -> Any:
    """The same schema in JSON Schema's own words; untouched parts are shared, not copied.

    Examples
    --------
    >>> repair({"type": "dict", "properties": {"x": {"type": "float", "nullable": True}}})
    {'type': 'object', 'properties': {'x': {'type': ['number', 'null']}}}
    """
    if isinstance(schema, bool):
        return schema
    if not isinstance(schema, Mapping):
        return {}
    kind = schema.get("type")
    if isinstance(kind, str) and kind in _KNOWN and _SOUND.issuperset(schema):
        return schema
    fixed = {key: _repaired(key, value) for key, value in schema.items()}
    _types(fixed)
    _nullable(fixed)
    _old_drafts(fixed)
    return fixed if fixed != schema else schema


def _repaired(key: str, value: Any) -> Any:
    if key in MAPS:
        return (
            {name: repair(sub) for name, sub in value.items()} if isinstance(value, Mapping) else {}
        )
    if key in LISTS and isinstance(value, list):
        return [repair(sub) for sub in value]
    if key == "items" and isinstance(value, list):
        return [repair(sub) for sub in value]
    if key in ONE:
        return repair(value)
    return value


def _types(schema: dict[str, Any]) -> None:
    if "type" not in schema:
        return
    given = schema["type"]
    words = given if isinstance(given, list) else [given]
    known = [_word(word) for word in words]
    kept = list(dict.fromkeys(word for word in known if word is not None))
    if None in known or not kept:
        del schema["type"]
    else:
        schema["type"] = kept if isinstance(given, list) else kept[0]


def _word(word: Any) -> str | None:
    """JSON Schema's word for a type; None for "anything"."""
    if not isinstance(word, str):
        return None
    return (
        word
        if word in _KNOWN
        else _TYPES.get(word.lower(), word.lower() if word.lower() in _KNOWN else None)
    )


def _nullable(schema: dict[str, Any]) -> None:
    if schema.pop("nullable", None) is not True:
        return
    kind = schema.get("type")
    if isinstance(kind, str):
        schema["type"] = [kind, "null"]
    elif isinstance(kind, list) and "null" not in kind:
        schema["type"] = [*kind, "null"]
    if "enum" in schema and None not in schema["enum"]:
        schema["enum"] = [*schema["enum"], None]


def _old_drafts(schema: dict[str, Any]) -> None:
    """Draft-04's boolean bounds and drafts' ``items`` as a list, in 2020-12's words."""
    for bound, exclusive in (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")):
        flag = schema.get(exclusive)
        if isinstance(flag, bool):
            del schema[exclusive]
            if flag and bound in schema:
                schema[exclusive] = schema.pop(bound)
    if isinstance(schema.get("items"), list):
        schema["prefixItems"] = schema.pop("items")
        if "additionalItems" in schema:
            schema["items"] = schema.pop("additionalItems")
    if isinstance(schema.get("required"), bool):
        del schema["required"]
