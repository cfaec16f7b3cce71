"""What a schema's conditions add: ``if``/``then``/``else``, and members that depend on others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.forms.document import Document
from workbench.schema import resolve

__all__ = ["has_conditions", "with_conditions"]

_CONDITIONAL = frozenset({"if", "allOf", "dependentSchemas", "dependentRequired", "dependencies"})


def has_conditions(schema: Mapping[str, Any]) -> bool:
    """Whether what is entered can change what is to be drawn."""
    return not _CONDITIONAL.isdisjoint(schema)


def with_conditions(schema: Mapping[str, Any], value: Any, document: Document) -> Mapping[str, Any]:
    """A schema with the properties and required names that hold for a value.

    Parameters
    ----------
    schema : mapping
        An object's; parts of its ``allOf`` are those with an ``if``.
    value : object
        What is entered so far.
    document : Document
        Where it stands.

    Examples
    --------
    >>> schema = {
    ...     "if": {"properties": {"kind": {"const": "file"}}, "required": ["kind"]},
    ...     "then": {"properties": {"path": {"type": "string"}}, "required": ["path"]},
    ... }
    >>> with_conditions(schema, {"kind": "file"}, Document(schema))["required"]
    ['path']
    >>> "required" in with_conditions(schema, {"kind": "text"}, Document(schema))
    False
    """
    made = dict(schema)
    for part in _holding(schema, value, document):
        seen = resolve(part, document.root)
        for word in ("properties", "required"):
            made[word] = _joined(made.get(word), seen.get(word))
    return {word: each for word, each in made.items() if each is not None}


def _holding(schema: Mapping[str, Any], value: Any, document: Document) -> Iterator[Any]:
    for rule in (schema, *(schema.get("allOf") or ())):
        if isinstance(rule, Mapping) and "if" in rule:
            fits = not document.problems(rule["if"], value)
            yield rule.get("then" if fits else "else", {})
    for word in ("dependentSchemas", "dependentRequired", "dependencies"):
        rules = schema.get(word)
        for name, part in rules.items() if isinstance(rules, Mapping) else ():
            if isinstance(value, Mapping) and name in value:
                yield {"required": part} if isinstance(part, list) else part


def _joined(one: Any, other: Any) -> Any:
    """Properties or required names of two schemas together; the first ones win."""
    if isinstance(other, Mapping):
        known = one or {}
        return {**known, **{name: sub for name, sub in other.items() if name not in known}}
    if isinstance(other, list):
        return list(dict.fromkeys([*(one or ()), *other]))
    return one
