"""A Python value as the JSON value that says the same, and whether it keeps its promise."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.errors import Problem
from workbench.schema import validator

__all__ = ["output_problems", "structured"]


def structured(value: Any) -> Any:
    """The JSON form of a value: records become objects, dates and paths become text.

    Returns
    -------
    object
        None where the value has no JSON form.

    Examples
    --------
    >>> from datetime import date
    >>> structured({"on": date(2026, 1, 2)})
    {'on': '2026-01-02'}
    """
    from pydantic_core import PydanticSerializationError, to_jsonable_python

    try:
        return to_jsonable_python(value)
    except (PydanticSerializationError, ValueError):
        return None


def output_problems(schema: Mapping[str, Any] | None, value: Any) -> tuple[Problem, ...]:
    """Where a structured value breaks the output schema; empty without a schema."""
    return () if schema is None else validator(schema).problems(value)
