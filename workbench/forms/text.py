"""What typed text means, by the kind of its field. Types are decided here and nowhere else."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from workbench.errors import bounded_repr
from workbench.forms.shape import Shape

__all__ = ["Unreadable", "read_json", "read_text", "write_text"]

_INTEGER = re.compile(r"[+-]?\d+\Z")
_MOST = Decimal("1e40")
"""A whole number may be written as 1e3; one that says more digits than it has may not."""
_NUMBER = re.compile(r"[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?\Z")


class Unreadable(ValueError):
    """Text that does not say a value of the field's kind; the message says what would."""


def _integer(text: str) -> int:
    if _INTEGER.match(text):
        return int(text)
    if _NUMBER.match(text) and abs(exact := Decimal(text)) < _MOST and exact == exact.to_integral():
        return int(exact)
    raise Unreadable(f"must be a whole number, got {bounded_repr(text, 60)}")


def _number(text: str) -> int | float:
    if _INTEGER.match(text):
        return int(text)
    value = float(text) if _NUMBER.match(text) else math.nan
    if not math.isfinite(value):
        raise Unreadable(f"must be a number, got {bounded_repr(text, 60)}")
    return value


def _boolean(text: str) -> bool:
    word = text.lower()
    if word not in ("true", "false"):
        raise Unreadable(f"must be true or false, got {bounded_repr(text, 60)}")
    return word == "true"


def _null(text: str) -> None:
    if text != "null":
        raise Unreadable(f"must be null, got {bounded_repr(text, 60)}")


def _no_constant(word: str) -> Any:
    raise Unreadable(f"JSON has no {word}")


def read_json(text: str) -> Any:
    """A JSON value from its text, integers exact.

    Raises
    ------
    Unreadable
        Saying where it breaks.
    """
    try:
        return json.loads(text, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise Unreadable(f"is not JSON: {error.msg} at {where}") from None
    except RecursionError:
        raise Unreadable("is not JSON that can be read: it is nested too deeply") from None


_READERS: dict[str, Callable[[str], Any]] = {
    "integer": _integer,
    "number": _number,
    "boolean": _boolean,
    "null": _null,
    "string": str,
    "media": str,
}


def read_text(shape: Shape, text: str) -> Any:
    """The value that text says in a field of a shape.

    Raises
    ------
    Unreadable
        If it says none.

    Examples
    --------
    >>> from workbench.forms.shape import shape_of
    >>> read_text(shape_of({"type": "integer"}, {}), "9007199254740993")
    9007199254740993
    """
    if shape.kind == "choice":
        return _chosen(shape, text)
    reader = _READERS.get(shape.kind, read_json)
    return reader(text if shape.kind in ("string", "media") else text.strip())


def _chosen(shape: Shape, text: str) -> Any:
    for choice in shape.choices:
        if text == choice.label or text == write_text(choice.value):
            return choice.value
    labels = ", ".join(choice.label for choice in shape.choices[:8])
    raise Unreadable(f"must be one of {labels}; got {bounded_repr(text, 60)}")


def write_text(value: Any) -> str:
    r"""The text that says a value: a string as it is, everything else as JSON.

    Examples
    --------
    >>> write_text("a"), write_text(1.5), write_text([1])
    ('a', '1.5', '[\n  1\n]')
    """
    if isinstance(value, str):
        return value
    if type(value) in (int, bool, float) and value - value == 0:
        return repr(value).lower()
    try:
        return json.dumps(
            value,
            ensure_ascii=False,
            indent=2 if isinstance(value, (dict, list)) and value else None,
        )
    except (TypeError, ValueError):
        return bounded_repr(value)
