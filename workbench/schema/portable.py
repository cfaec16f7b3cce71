"""A schema of arguments as any provider takes it: one closed document with an object at its top."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from workbench.errors import bounded_repr
from workbench.schema.refs import lookup, resolve
from workbench.schema.repair import repair
from workbench.schema.walk import rebuilt

__all__ = ["as_object", "copied", "folded", "merged", "portable"]


def portable(schema: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """A copy in JSON Schema's own words that says it is an object and has ``properties``.

    References that lead nowhere in the document go, since nothing is ever fetched.

    Parameters
    ----------
    schema : mapping
        As published.
    notes : list of str
        Takes what had to be changed.

    Examples
    --------
    >>> portable({"type": "dict"}, [])
    {'type': 'object', 'properties': {}}
    """
    repaired = repair(schema)
    known: dict[str, Any] = copied(repaired) if isinstance(repaired, Mapping) else {}
    if "$ref" in known:
        known = dict(resolve(known, known))
    made: dict[str, Any] = _closed(known, known, notes, "")
    return as_object(made)


def as_object(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema, saying that it is an object and has ``properties``, as every provider wants."""
    properties = schema.get("properties")
    known = properties if isinstance(properties, dict) else {}
    return {**schema, "type": "object", "properties": known}


def copied(value: Any) -> Any:
    """A JSON value of its own; ``deepcopy`` would keep account of what needs none."""
    if isinstance(value, Mapping):
        return {key: copied(item) for key, item in value.items()}
    return [copied(item) for item in value] if isinstance(value, (list, tuple)) else value


def _closed(schema: Any, root: Mapping[str, Any], notes: list[str], path: str) -> Any:
    if not isinstance(schema, Mapping):
        return schema
    made = rebuilt(schema, path, lambda sub, place: _closed(sub, root, notes, place))
    for key in ("$ref", "$dynamicRef", "$recursiveRef"):
        ref = made.get(key)
        if isinstance(ref, str) and lookup(ref, root) is None:
            notes.append(
                f"{path or 'arguments'}: {bounded_repr(ref)} leads nowhere, and is left out"
            )
            del made[key]
    return made


_ALTERNATIVES = ("anyOf", "oneOf")
_NOT_ON_TOP = ("not", "enum", "const")
_REFUSED = {"allOf", *_ALTERNATIVES, *_NOT_ON_TOP}
_MOST_FOLDS = 8
"""How deep unions may stand in one another at the top."""


def folded(
    schema: Mapping[str, Any],
    notes: list[str],
    *,
    root: Mapping[str, Any] | None = None,
    path: str = "arguments",
) -> tuple[dict[str, Any], str]:
    """The schema of an object without unions at its top, where most providers refuse them.

    Parameters
    ----------
    schema : mapping
        Of an object.
    notes : list of str
        Takes what is lost.
    root : mapping, optional
        The document, where that is another.
    path : str
        The place of the schema in the document.

    Returns
    -------
    tuple of dict and str
        All branches in one object, and a sentence for the model on what was lost; it is empty
        where nothing was.

    Examples
    --------
    >>> schema = {
    ...     "properties": {"a": {}, "b": {}},
    ...     "anyOf": [{"required": ["a"]}, {"required": ["b"]}],
    ... }
    >>> folded(schema, [])[1]
    'Give one of: a; b.'
    """
    whole = schema if root is None else root
    made, sentences = dict(schema), list[str]()
    for _ in range(_MOST_FOLDS):
        if not made.keys() & _REFUSED:
            break
        notes.extend(f"{path}: {key} is left out" for key in _NOT_ON_TOP if key in made)
        made = _folded_once(made, whole, path, notes, sentences)
    made = {key: value for key, value in made.items() if key not in _REFUSED}
    return made, " ".join(filter(None, sentences))


def _folded_once(
    schema: dict[str, Any],
    root: Mapping[str, Any],
    path: str,
    notes: list[str],
    sentences: list[str],
) -> dict[str, Any]:
    plain = {key: value for key, value in schema.items() if key not in _REFUSED}
    made = merged([plain, *_branches(schema, "allOf", root)])
    for key in _ALTERNATIVES:
        branches = _branches(schema, key, root)
        if branches:
            made = _with_any(made, branches)
            notes.append(f"{path}: the alternatives of {key} are folded into one object")
            sentences.append(_sentence(branches))
    return made


def _branches(
    schema: Mapping[str, Any], key: str, root: Mapping[str, Any], most: int = 8
) -> list[dict[str, Any]]:
    """The branches of a union, their own references and ``allOf`` resolved."""
    found = []
    for branch in schema.get(key) or ():
        seen = resolve(branch, root)
        deeper = _branches(seen, "allOf", root, most - 1) if "allOf" in seen and most else []
        inner = merged([{k: v for k, v in seen.items() if k != "allOf"}, *deeper])
        found.append({k: v for k, v in inner.items() if k not in ("$defs", "definitions")})
    return found


def merged(schemas: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """Schemas that all hold, as one: names and what is required are put together."""
    made: dict[str, Any] = {}
    for schema in schemas:
        properties = {**made.get("properties", {})}
        for name, sub in (schema.get("properties") or {}).items():
            both = isinstance(properties.get(name), Mapping) and isinstance(sub, Mapping)
            properties[name] = merged([properties[name], sub]) if both else sub
        required = [*made.get("required", ()), *(schema.get("required") or ())]
        made = {**made, **schema}
        if properties:
            made["properties"] = properties
        if required:
            made["required"] = list(dict.fromkeys(required))
    return made


def _with_any(schema: dict[str, Any], branches: list[dict[str, Any]]) -> dict[str, Any]:
    """The schema with the names of all branches; required is what every branch requires."""
    properties = dict(schema.get("properties") or {})
    for branch in branches:
        for name, sub in (branch.get("properties") or {}).items():
            old = properties.get(name)
            properties[name] = sub if old in (None, sub, {}) else _either(old, sub)
    in_all = set.intersection(*(set(branch.get("required") or ()) for branch in branches))
    required = [*(schema.get("required") or ()), *(n for n in properties if n in in_all)]
    made = {**schema, "properties": properties}
    return {**made, "required": list(dict.fromkeys(required))} if required else made


def _either(one: Any, other: Any) -> Any:
    known = one["anyOf"] if isinstance(one, Mapping) and one.keys() == {"anyOf"} else [one]
    return {"anyOf": known if other in known else [*known, other]}


def _sentence(branches: list[dict[str, Any]]) -> str:
    """What a model should know of alternatives: which names go together."""
    sets = [", ".join(b.get("required") or b.get("properties") or ()) for b in branches]
    named = list(dict.fromkeys(filter(None, sets)))
    return f"Give one of: {'; '.join(named)}." if len(named) > 1 else ""
