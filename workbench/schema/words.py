"""What is wrong with a value, in words for people."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workbench.errors import bounded_repr

__all__ = ["kind_of", "listed", "type_word", "worded"]

_ARTICLE = {
    "string": "text",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


def type_word(kind: Any) -> str:
    """A JSON type, or several, as people say it.

    Examples
    --------
    >>> type_word(["integer", "null"])
    'a whole number or null'
    """
    kinds = kind if isinstance(kind, (list, tuple)) else [kind]
    return " or ".join(_ARTICLE.get(str(one), str(one)) for one in kinds)


def kind_of(value: Any) -> str:
    """The JSON type of a value, with the value."""
    return bounded_repr(value, 80)


def listed(values: Iterable[Any]) -> str:
    """Some values in a row, cut after eight."""
    all_of_them = list(values)
    shown = ", ".join(bounded_repr(value, 40) for value in all_of_them[:8])
    more = len(all_of_them) - 8
    return f"{shown} and {more} more" if more > 0 else shown


_WORDS: dict[str, Callable[[Any, Any], str]] = {
    "type": lambda want, got: f"must be {type_word(want)}, got {kind_of(got)}",
    "enum": lambda want, got: f"must be one of {listed(want)}; got {kind_of(got)}",
    "const": lambda want, got: f"must be {bounded_repr(want)}, got {kind_of(got)}",
    "minimum": lambda want, got: f"must be at least {want}, got {kind_of(got)}",
    "maximum": lambda want, got: f"must be at most {want}, got {kind_of(got)}",
    "exclusiveMinimum": lambda want, got: f"must be more than {want}, got {kind_of(got)}",
    "exclusiveMaximum": lambda want, got: f"must be less than {want}, got {kind_of(got)}",
    "multipleOf": lambda want, got: f"must be a multiple of {want}, got {kind_of(got)}",
    "minLength": lambda want, got: f"must have at least {_some(want, 'character')}, has {len(got)}",
    "maxLength": lambda want, got: f"must have at most {_some(want, 'character')}, has {len(got)}",
    "pattern": lambda want, got: f"must match the pattern {want}, got {kind_of(got)}",
    "format": lambda want, got: f"must be {_format(want)}, got {kind_of(got)}",
    "minItems": lambda want, got: f"must have at least {_some(want, 'item')}, has {len(got)}",
    "maxItems": lambda want, got: f"must have at most {_some(want, 'item')}, has {len(got)}",
    "uniqueItems": lambda want, got: "must not have the same item twice",
    "minProperties": lambda want, got: f"must have at least {_some(want, 'entry')}, has {len(got)}",
    "maxProperties": lambda want, got: f"must have at most {_some(want, 'entry')}, has {len(got)}",
    "contains": lambda want, got: "must contain at least one item of the kind asked for",
    "not": lambda want, got: f"is not allowed: {kind_of(got)}",
    "oneOf": lambda want, got: f"fits more than one of the alternatives: {kind_of(got)}",
    "anyOf": lambda want, got: f"fits none of the alternatives: {kind_of(got)}",
}

_FORMATS = {
    "date": "a date like 2026-01-31",
    "time": "a time like 13:30:00Z",
    "date-time": "a date and time like 2026-01-31T13:30:00Z",
    "duration": "a duration like P1DT2H",
    "email": "an e-mail address",
    "uri": "an address like https://example.org",
    "uuid": "a UUID",
    "ipv4": "an IPv4 address",
    "ipv6": "an IPv6 address",
    "regex": "a regular expression",
}


def _some(count: int, noun: str) -> str:
    plural = {"entry": "entries"}.get(noun, f"{noun}s")
    return f"{count} {noun if count == 1 else plural}"


def _format(name: str) -> str:
    return _FORMATS.get(name, f"in the format {name}")


def worded(keyword: str, want: Any, got: Any) -> str:
    """What breaks a keyword of JSON Schema.

    Examples
    --------
    >>> worded("maximum", 10, 12)
    'must be at most 10, got 12'
    """
    say = _WORDS.get(keyword)
    return say(want, got) if say else f"breaks {keyword!r}: {kind_of(got)}"


def expected(keyword: str, want: Any, schema: Mapping[str, Any]) -> str:
    """What would have been right, in a few words."""
    if keyword in ("type", "enum", "const"):
        return {"type": type_word, "enum": listed, "const": bounded_repr}[keyword](want)
    return type_word(schema["type"]) if "type" in schema else ""
