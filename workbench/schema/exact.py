"""Pydantic's validators, made as exact as JSON: nothing is guessed, native values are welcome.

Pydantic's lax mode takes ``"5"`` for 5 and ``True`` for 1; its strict mode refuses ISO dates and
lists for sets. So containers, dates and enums stay lax and the leaves become strict.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import Any

from pydantic_core import PydanticCustomError, SchemaValidator, core_schema

from workbench.schema.words import listed

__all__ = ["compiled"]

_SKIPPED = {
    "metadata",
    "serialization",
    "cls",
    "default",
    "expected",
    "members",
    "config",
    "missing",
}


def _plain(value: Any) -> Any:
    """A numpy scalar as the Python number that it is."""
    if hasattr(value, "dtype") and hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        return value.item()
    return value


def _whole(value: Any) -> Any:
    if type(value) is int:
        return value
    value = _plain(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _no_number(value: Any) -> Any:
    """Dates are text or dates; pydantic would take numbers for seconds since 1970."""
    if isinstance(value, (int, float)):
        raise PydanticCustomError("date_number", "must be text in ISO 8601, got a number")
    return value


def _no_text_number(value: Any) -> Any:
    if isinstance(value, bool):
        raise PydanticCustomError(
            "number_type", "must be a number, got {got}", {"got": repr(value)}
        )
    return _plain(value)


def _one_of(schema: dict[str, Any]) -> Any:
    """Members and literals are found by ``==``, for which ``True`` is 1: kinds are told apart."""
    literal = schema["type"] == "literal"
    options = schema["expected"] if literal else [m.value for m in schema["members"]]
    allowed = [option.value if isinstance(option, Enum) else option for option in options]
    if all(isinstance(option, str) for option in allowed) or "missing" in schema:
        return schema

    def found(value: Any) -> Any:
        if isinstance(value, Enum):
            return value
        plain = _plain(value)
        for option in allowed:
            if _same(plain, option):
                return option
        context = {"expected": listed(allowed)}
        raise PydanticCustomError("one_of", "must be one of {expected}", context)

    return _before(found)(schema)


def _same(value: Any, option: Any) -> bool:
    return isinstance(value, bool) is isinstance(option, bool) and bool(value == option)


def _before(function: Callable[[Any], Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda schema: core_schema.no_info_before_validator_function(function, schema)


def _strict(schema: dict[str, Any]) -> dict[str, Any]:
    return {**schema, "strict": True}


def _all_at_once(schema: dict[str, Any]) -> dict[str, Any]:
    """Pydantic checks an Iterable while the function reads it; here all is checked before."""
    return {**schema, "type": "list"}


_LEAVES: dict[str, Callable[[dict[str, Any]], Any]] = {
    "str": _strict,
    "bool": lambda schema: _before(_plain)(_strict(schema)),
    "int": lambda schema: _before(_whole)(_strict(schema)),
    "float": lambda schema: _before(_plain)({"allow_inf_nan": False, **_strict(schema)}),
    "decimal": _before(_no_text_number),
    "date": _before(_no_number),
    "time": _before(_no_number),
    "datetime": _before(_no_number),
    "timedelta": _before(_no_number),
    "enum": _one_of,
    "literal": _one_of,
    "generator": _all_at_once,
}


def _exact(node: Any) -> Any:
    if isinstance(node, list):
        return [_exact(item) for item in node]
    if isinstance(node, tuple):
        return tuple(_exact(item) for item in node)
    if not isinstance(node, dict):
        return node
    walked = {
        key: value if key in _SKIPPED or key == "keys_schema" else _exact(value)
        for key, value in node.items()
    }
    leaf = _LEAVES.get(node["type"]) if isinstance(node.get("type"), str) else None
    if leaf is None:
        return walked
    outer = {key: node[key] for key in ("metadata", "ref") if key in node}
    return {**leaf({k: v for k, v in walked.items() if k != "ref"}), **outer}


def compiled(schema: Any) -> SchemaValidator:
    """A validator for a core schema, its leaves strict, in nested models too."""
    walked = _exact(schema)
    try:
        return SchemaValidator(walked, _use_prebuilt=False)
    except TypeError:
        return SchemaValidator(walked)
