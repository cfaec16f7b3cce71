"""Following ``$ref`` inside one document; nothing outside it is ever fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

__all__ = ["lookup", "resolve"]

_MOST_HOPS = 64


def resolve(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """A schema with its own ``$ref`` followed, one level deep; keywords beside it win.

    Parameters
    ----------
    schema : mapping or bool
        Booleans become ``{}`` and ``{"not": {}}`` (JSON Schema core, section 4.3.2).
    root : mapping
        The document that holds it.

    Returns
    -------
    mapping
        Without ``$ref``, unless that cannot be found in the document.

    Examples
    --------
    >>> root = {"$defs": {"n": {"type": "integer"}}}
    >>> dict(resolve({"$ref": "#/$defs/n", "title": "N"}, root))
    {'type': 'integer', 'title': 'N'}
    """
    if isinstance(schema, bool):
        return {} if schema else {"not": {}}
    if not isinstance(schema, Mapping):
        return {}
    if "$ref" not in schema and "$dynamicRef" not in schema:
        return schema
    merged: dict[str, Any] = dict(schema)
    for _ in range(_MOST_HOPS):
        ref = merged.get("$ref", merged.get("$dynamicRef"))
        target = lookup(ref, root) if isinstance(ref, str) else None
        if target is None:
            break
        beside = {k: v for k, v in merged.items() if k not in ("$ref", "$dynamicRef")}
        merged = {**target, **beside}
    else:
        return {k: v for k, v in merged.items() if k not in ("$ref", "$dynamicRef")}
    return merged


def lookup(ref: str, root: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """What a reference names in the document: a JSON Pointer, an ``$anchor`` or an ``$id``."""
    base, _, fragment = ref.partition("#")
    if base and base != root.get("$id"):
        other: Mapping[str, Any] | None = _by_key(root, "$id", base)
        return other
    if not fragment or fragment.startswith("/"):
        found: Any = _by_pointer(root, unquote(fragment))
    else:
        found = _by_key(root, "$anchor", fragment) or _by_key(root, "$dynamicAnchor", fragment)
    if isinstance(found, bool):
        return {} if found else {"not": {}}
    return found if isinstance(found, Mapping) else None


def _by_pointer(root: Mapping[str, Any], pointer: str) -> Any:
    at: Any = root
    for part in pointer.split("/")[1:]:
        key = part.replace("~1", "/").replace("~0", "~")
        if isinstance(at, Mapping) and key in at:
            at = at[key]
        elif isinstance(at, list) and key.isdigit() and int(key) < len(at):
            at = at[int(key)]
        else:
            return None
    return at


def _by_key(root: Any, key: str, name: str) -> Any:
    """The first subschema whose `key` is `name`."""
    waiting = [root]
    while waiting:
        at = waiting.pop()
        if isinstance(at, Mapping):
            if at.get(key) == name:
                return at
            waiting.extend(at.values())
        elif isinstance(at, list):
            waiting.extend(at)
    return None
