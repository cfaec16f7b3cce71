"""Schemas laid together: ``allOf`` as one schema, alternatives with what stands beside them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from workbench.schema import resolve

__all__ = ["alternatives_of", "laid_over", "merged", "only_tests", "without"]

Schema = Mapping[str, Any]
_MOST_DEPTH = 10
_MOST_PRODUCTS = 16


def without(schema: Schema, *names: str) -> dict[str, Any]:
    """A schema without some of its keywords."""
    return {key: value for key, value in schema.items() if key not in names}


def merged(schema: Schema, root: Schema, depth: int = 0) -> Schema:
    """A schema with its ``allOf`` laid together; what the parts share is narrowed to both.

    Parts with an ``if`` stay in ``allOf``: what they add depends on the value.

    Examples
    --------
    >>> dict(merged({"allOf": [{"type": "integer", "minimum": 3}, {"minimum": 5}]}, {}))
    {'type': 'integer', 'minimum': 5}
    """
    parts = schema.get("allOf")
    if not isinstance(parts, list) or not parts or depth > _MOST_DEPTH:
        return schema
    made = without(schema, "allOf")
    conditional = [part for part in parts if isinstance(part, Mapping) and "if" in part]
    for part in parts:
        seen = merged(resolve(part, root), root, depth + 1)
        if "if" in seen and seen.get("allOf"):
            conditional += seen["allOf"]
        made = _both(made, without(seen, "if", "then", "else", "allOf"))
    return {**made, "allOf": conditional} if conditional else made


def _both(one: Schema, other: Schema) -> dict[str, Any]:
    """What holds where two schemas hold; texts of the first win."""
    made = dict(one)
    for word, value in other.items():
        join = _JOINS.get(word)
        if word not in made:
            made[word] = value
        elif join is not None:
            made[word] = join(made[word], value)
    return made


def _properties(one: Any, other: Any) -> Any:
    if not isinstance(one, Mapping) or not isinstance(other, Mapping):
        return one or other
    shared = {name: {"allOf": [one[name], other[name]]} for name in one if name in other}
    same = {name: one[name] for name in shared if one[name] == other[name]}
    return {**one, **other, **shared, **same}


def _types(one: Any, other: Any) -> Any:
    first = one if isinstance(one, list) else [one]
    second = other if isinstance(other, list) else [other]
    kept = [kind for kind in first if kind in second]
    kept += ["integer"] if {"integer", "number"} <= {*first, *second} - {*kept} else []
    return kept[0] if len(kept) == 1 else kept or one


def _names(one: Any, other: Any) -> Any:
    both = isinstance(one, list) and isinstance(other, list)
    return list(dict.fromkeys([*one, *other])) if both else one


def _narrower(choose: Callable[[Any, Any], Any]) -> Callable[[Any, Any], Any]:
    def join(one: Any, other: Any) -> Any:
        numbers = isinstance(one, (int, float)) and isinstance(other, (int, float))
        return choose(one, other) if numbers else one

    return join


def _enums(one: Any, other: Any) -> Any:
    return [v for v in one if any(type(v) is type(w) and v == w for w in other)] or one


def _alternatives(one: Any, other: Any) -> Any:
    """Each alternative of one with each of the other, where that is not too many."""
    if only_tests(other) or len(one) * len(other) > _MOST_PRODUCTS:
        return one
    return other if only_tests(one) else [{"allOf": [a, b]} for a in one for b in other]


_JOINS: dict[str, Callable[[Any, Any], Any]] = {
    "properties": _properties,
    "required": _names,
    "type": _types,
    "enum": _enums,
    "anyOf": _alternatives,
    "oneOf": _alternatives,
    **dict.fromkeys(("minimum", "exclusiveMinimum", "minLength", "minItems"), _narrower(max)),
    **dict.fromkeys(("maximum", "exclusiveMaximum", "maxLength", "maxItems"), _narrower(min)),
}
"""How the values of a keyword that both have become one; of others the first is kept."""


def only_tests(alternatives: list[Any]) -> bool:
    """Alternatives that add nothing to draw: they say which members go together."""
    tests = {"required", "not", "title", "description", "minProperties"}
    return all(isinstance(each, Mapping) and each and set(each) <= tests for each in alternatives)


def alternatives_of(
    given: list[Any], root: Schema, above: tuple[int, ...] = ()
) -> Iterator[dict[str, Any]]:
    """Alternatives, with those of alternatives among them, so that one choice leads to each.

    One that is again what it is an alternative of adds nothing, and is left out.
    """
    above = (*above, id(given))
    for branch in given:
        seen = merged(resolve(branch, root), root)
        inner = seen.get("anyOf") or seen.get("oneOf")
        rest = without(seen, "anyOf", "oneOf")
        both = "anyOf" in seen and "oneOf" in seen
        if not isinstance(inner, list) or not inner or only_tests(inner) or both:
            yield dict(seen)
        elif id(inner) not in above:
            for each in alternatives_of(inner, root, above):
                yield laid_over(each, without(rest, "title", "description", "default"))


def laid_over(branch: Schema, outer: Schema) -> dict[str, Any]:
    """A branch with what its parent says beside it."""
    made = {**outer, **branch}
    for word in ("title", "description", "default"):
        if word in outer:
            made[word] = outer[word]
    if isinstance(outer.get("properties"), Mapping):
        made["properties"] = {**outer["properties"], **branch.get("properties", {})}
        required = [*outer.get("required", ()), *branch.get("required", ())]
        made["required"] = list(dict.fromkeys(required))
    return made
