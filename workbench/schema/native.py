"""Pydantic's errors as problems, worded like those of JSON Schema."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import ErrorDetails, ValidationError

from workbench.errors import MediaError, Problem, bounded_repr
from workbench.schema.words import type_word, worded

__all__ = ["problems_from"]

_TYPE_OF = {
    "int_type": "integer",
    "int_parsing": "integer",
    "int_from_float": "integer",
    "float_type": "number",
    "float_parsing": "number",
    "string_type": "string",
    "bool_type": "boolean",
    "bool_parsing": "boolean",
    "list_type": "array",
    "set_type": "array",
    "frozen_set_type": "array",
    "tuple_type": "array",
    "dict_type": "object",
    "mapping_type": "object",
    "model_type": "object",
    "model_attributes_type": "object",
    "dataclass_type": "object",
    "none_required": "null",
    "iterable_type": "array",
    "sequence_str": "array",
    "path_type": "string",
    "uuid_type": "string",
    "url_type": "string",
    "pattern_type": "string",
    "decimal_type": "number",
    "decimal_parsing": "number",
    "is_sequence": "array",
}
_KEYWORD_OF = {
    "greater_than": ("exclusiveMinimum", "gt"),
    "greater_than_equal": ("minimum", "ge"),
    "less_than": ("exclusiveMaximum", "lt"),
    "less_than_equal": ("maximum", "le"),
    "multiple_of": ("multipleOf", "multiple_of"),
    "string_too_short": ("minLength", "min_length"),
    "string_too_long": ("maxLength", "max_length"),
    "too_short": ("minItems", "min_length"),
    "too_long": ("maxItems", "max_length"),
    "string_pattern_mismatch": ("pattern", "pattern"),
}
_FORMAT_OF = {
    "date_parsing": "date",
    "date_from_datetime_parsing": "date",
    "datetime_parsing": "date-time",
    "datetime_from_date_parsing": "date-time",
    "time_parsing": "time",
    "time_delta_parsing": "duration",
    "uuid_parsing": "uuid",
    "url_parsing": "uri",
    "date_type": "date",
    "datetime_type": "date-time",
    "time_type": "time",
    "time_delta_type": "duration",
    "pattern_regex": "regex",
}
_PLAIN = {
    "missing": "is required",
    "extra_forbidden": "is not known",
    "unexpected_keyword_argument": "is not known",
}
_OPTIONS = ("enum", "literal_error", "one_of")
_LAST_OR = re.compile(r""" or (?=('[^']*'|"[^"]*"|[-\d.]+|True|False|None)$)""")
"""The "or" before the last of pydantic's listed values, as opposed to one inside a value."""


def problems_from(error: ValidationError, value: Any) -> tuple[Problem, ...]:
    """All problems, each at its path in `value`; for unions, those of the branch that fits best."""
    details = error.errors(include_url=False)
    seen = [(_path(detail, value), detail) for detail in details]
    return tuple(dict.fromkeys(_merged(seen)))


def _merged(seen: list[tuple[tuple[str | int, ...], ErrorDetails]]) -> Iterable[Problem]:
    """Several wrong types at one place are one problem: "must be text or null"."""
    places: dict[tuple[str | int, ...], list[ErrorDetails]] = {}
    for path, detail in seen:
        places.setdefault(path, []).append(detail)
    for path, details in places.items():
        deeper = any(p[: len(path)] == path and len(p) > len(path) for p in places)
        kinds = list(dict.fromkeys(_TYPE_OF[d["type"]] for d in details if d["type"] in _TYPE_OF))
        if kinds and deeper:
            continue
        if kinds and len(kinds) == len(details):
            yield _problem(path, worded("type", kinds, details[0]["input"]), details[0])
            continue
        options = [d for d in details if d["type"] in _OPTIONS]
        if options and len(kinds) + len(options) == len(details):
            yield _problem(path, _none_of(options, kinds), details[0])
            continue
        yield from (_problem(path, _message(detail), detail) for detail in details)


def _none_of(options: list[ErrorDetails], kinds: list[str]) -> str:
    """Several choices, and types beside them, as one: "must be one of 'a', 'b', or text"."""
    texts = [_LAST_OR.sub(", ", str((d.get("ctx") or {}).get("expected"))) for d in options]
    choices = ", ".join(texts) + (f", or {type_word(kinds)}" if kinds else "")
    return f"must be one of {choices}; got {bounded_repr(options[0]['input'], 80)}"


def _problem(path: tuple[str | int, ...], message: str, detail: ErrorDetails) -> Problem:
    got = "" if detail["type"] == "missing" else bounded_repr(detail["input"], 80)
    return Problem(path=path, message=message, expected=_TYPE_OF.get(detail["type"], ""), got=got)


def _path(detail: ErrorDetails, value: Any) -> tuple[str | int, ...]:
    """The location without the names of union branches, which are no part of the value."""
    path: list[str | int] = []
    at = value
    for part in detail["loc"]:
        inside = _step(at, part)
        if inside is _ABSENT:
            continue
        path.append(part)
        at = inside
    if detail["type"] in ("missing", "missing_argument") and detail["loc"]:
        path.append(detail["loc"][-1])
    return tuple(path)


_ABSENT = object()


def _step(at: Any, part: str | int) -> Any:
    if isinstance(at, Mapping):
        return at.get(part, _ABSENT)
    if isinstance(at, (list, tuple)) and isinstance(part, int):
        return at[part] if part < len(at) else _ABSENT
    return getattr(at, part, _ABSENT) if isinstance(part, str) and part.isidentifier() else _ABSENT


def _message(detail: ErrorDetails) -> str:
    kind, got, context = detail["type"], detail["input"], detail.get("ctx") or {}
    if kind in _TYPE_OF:
        return worded("type", _TYPE_OF[kind], got)
    if kind in _KEYWORD_OF:
        keyword, name = _KEYWORD_OF[kind]
        return worded(keyword, context.get(name), _sized(got))
    if kind in _FORMAT_OF:
        return worded("format", _FORMAT_OF[kind], got)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind in _OPTIONS:
        return _none_of([detail], [])
    if kind in ("finite_number", "float_nan"):
        return f"must be a finite number, got {got}"
    if kind == "is_instance_of":
        return f"must be a {context.get('class')}, got {bounded_repr(got, 80)}"
    if kind in ("media", "date_number", "number_type"):
        return str(detail["msg"])
    if isinstance(context.get("error"), MediaError):
        return str(context["error"])
    text = detail["msg"].removeprefix("Value error, ").replace("Input should be", "must be", 1)
    return f"{text}, got {bounded_repr(got, 80)}"


def _sized(value: Any) -> Any:
    return value if hasattr(value, "__len__") or isinstance(value, (int, float)) else str(value)
