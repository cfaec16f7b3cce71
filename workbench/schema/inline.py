"""Schemas without references: what other libraries show a model has no document around it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.schema.refs import resolve
from workbench.schema.walk import rebuilt

__all__ = ["inlined", "inlined_properties"]


def inlined(schema: Any, root: Mapping[str, Any]) -> dict[str, Any]:
    """A schema with its references put in place.

    A reference to something that it is part of ends in an empty schema, which takes anything.

    Parameters
    ----------
    schema : mapping or bool
        What is wanted by itself.
    root : mapping
        The document that holds it.

    Examples
    --------
    >>> inlined({"$ref": "#/$defs/N"}, {"$defs": {"N": {"type": "integer"}}})
    {'type': 'integer'}
    """
    return dict(_inlined(schema, root, ()))


def inlined_properties(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The properties of an object's schema, each by itself.

    Examples
    --------
    >>> n = {"properties": {"n": {"$ref": "#/$defs/N"}}, "$defs": {"N": {"type": "integer"}}}
    >>> inlined_properties(n)
    {'n': {'type': 'integer'}}
    """
    properties = schema.get("properties") or {}
    return {name: inlined(given, schema) for name, given in properties.items()}


def _inlined(schema: Any, root: Mapping[str, Any], inside: tuple[str, ...]) -> Any:
    if not isinstance(schema, (Mapping, bool)):
        return {}
    ref = schema.get("$ref") if isinstance(schema, Mapping) else None
    if ref in inside:
        return {}
    trail = (*inside, ref) if isinstance(ref, str) else inside
    seen = {k: v for k, v in resolve(schema, root).items() if k not in ("$ref", "$defs")}
    return rebuilt(seen, "", lambda sub, place: _inlined(sub, root, trail))
