"""Pydantic's errors as problems, worded like those of JSON Schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import ErrorDetails, ValidationError

from workbench.errors import Problem, bounded_repr
from workbench.schema.words import worded

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
}


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
        yield from (_problem(path, _message(detail), detail) for detail in details)


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
    if kind == "missing":
        return "is required"
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return "is not known"
    if kind in ("enum", "literal_error"):
        return f"must be one of {context.get('expected')}; got {bounded_repr(got, 80)}"
    if kind in ("finite_number", "float_nan"):
        return f"must be a finite number, got {got}"
    if kind == "is_instance_of":
        return f"must be a {context.get('class')}, got {bounded_repr(got, 80)}"
    if kind in ("media", "date_number", "number_type"):
        return str(detail["msg"])
    text = detail["msg"].removeprefix("Value error, ").removeprefix("Input should be ")
    return f"{text}, got {bounded_repr(got, 80)}"


def _sized(value: Any) -> Any:
    return value if hasattr(value, "__len__") or isinstance(value, (int, float)) else str(value)
