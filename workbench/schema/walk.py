"""Where in a schema there are further schemas: one table for all who walk through one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

__all__ = ["LISTS", "MAPS", "ONE", "rebuilt", "subschemas"]

MAPS = (
    "properties",
    "patternProperties",
    "$defs",
    "definitions",
    "dependentSchemas",
)
"""Keywords that hold schemas by name."""
LISTS = ("anyOf", "oneOf", "allOf", "prefixItems")
"""Keywords that hold schemas in a row."""
ONE = (
    "items",
    "additionalProperties",
    "propertyNames",
    "contains",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedProperties",
    "unevaluatedItems",
    "additionalItems",
)
"""Keywords that hold one schema."""
_STEPS = {"items": "[]", "additionalProperties": ".*", "patternProperties": ".*"}


def _step(path: str, key: str, name: str = "") -> str:
    """The place of a subschema, as people write it: ``user.names[]``."""
    if key == "properties":
        return f"{path}.{name}" if path else name
    if key in ("$defs", "definitions"):
        return name
    return (path + _STEPS.get(key, "")).lstrip(".")


def rebuilt(
    schema: Mapping[str, Any], path: str, change: Callable[[Any, str], Any]
) -> dict[str, Any]:
    """A copy in which each direct subschema is what `change(subschema, place)` makes of it.

    Examples
    --------
    >>> rebuilt({"properties": {"a": {}}, "items": True}, "", lambda sub, place: place)
    {'properties': {'a': 'a'}, 'items': '[]'}
    """
    made: dict[str, Any] = {}
    for key, value in schema.items():
        if key in MAPS and isinstance(value, Mapping):
            made[key] = {n: change(sub, _step(path, key, n)) for n, sub in value.items()}
        elif key in LISTS and isinstance(value, (list, tuple)):
            made[key] = [change(sub, _step(path, key)) for sub in value]
        elif key in ONE and isinstance(value, (Mapping, bool)):
            made[key] = change(value, _step(path, key))
        else:
            made[key] = value
    return made


def subschemas(schema: Any, path: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The schema and all inside it, each with its place; booleans are left out.

    Examples
    --------
    >>> [place for place, _ in subschemas({"properties": {"a": {"items": {}}}})]
    ['', 'a', 'a[]']
    """
    if not isinstance(schema, Mapping):
        return
    yield path, schema
    inside: list[tuple[str, Any]] = []
    rebuilt(schema, path, lambda sub, place: inside.append((place, sub)))
    for place, sub in inside:
        yield from subschemas(sub, place)
