"""Validation of a JSON value against a schema, to a list of problems.

JSON semantics, whatever Python thinks: ``True`` is not a number, ``1.0`` is an integer, NaN is
nothing that JSON has. References outside the document are never fetched.
"""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import jsonschema
from jsonschema.exceptions import ValidationError, best_match, relevance
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable

from workbench.errors import Problem, bounded_repr
from workbench.schema.repair import repair
from workbench.schema.words import expected, worded

__all__ = ["SchemaValidator", "metaschema_problems", "validator"]

_CACHED = 512


def _integer(checker: Any, value: Any) -> bool:
    if isinstance(value, bool):
        return False
    return isinstance(value, int) or (isinstance(value, float) and value.is_integer())


def _number(checker: Any, value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _properties(checker: Any, properties: Any, value: Any, schema: Any) -> Iterator[Any]:
    """As jsonschema has it, but with the path also where a property may not be given at all."""
    if not isinstance(value, Mapping):
        return
    named = {
        name: _NEVER if sub is False else sub
        for name, sub in properties.items()
        if name in value and not _plainly_fits(sub, value[name])
    }
    yield from jsonschema.Draft202012Validator.VALIDATORS["properties"](
        checker, named, value, schema
    )


_NEVER: dict[str, Any] = {"not": {}}
_FITTING: dict[type, tuple[str, ...]] = {
    str: ("string",),
    bool: ("boolean",),
    int: ("integer", "number"),
    float: ("number",),
}
_SILENT = frozenset({"type", "title", "description", "default", "examples", "deprecated"})
_OF_TEXT = _SILENT | {"enum"}
_OF_NUMBERS = _SILENT | {"minimum", "maximum"}


def _plainly_fits(schema: Any, value: Any) -> bool:
    """Whether a simple schema is fulfilled: most are simple, and most values fit."""
    kind = type(value)
    if type(schema) is not dict or schema.get("type") not in _FITTING.get(kind, ()):
        return False
    if kind is str:
        return _OF_TEXT.issuperset(schema) and ("enum" not in schema or value in schema["enum"])
    if kind is bool:
        return _SILENT.issuperset(schema)
    return _OF_NUMBERS.issuperset(schema) and _within(schema, value)


def _within(schema: Mapping[str, Any], value: float) -> bool:
    low, high = schema.get("minimum", value), schema.get("maximum", value)
    return type(low) in (int, float) and type(high) in (int, float) and low <= value <= high


_TYPES = jsonschema.Draft202012Validator.TYPE_CHECKER.redefine_many(
    {
        "integer": _integer,
        "number": _number,
        "array": lambda checker, value: isinstance(value, (list, tuple)),
        "object": lambda checker, value: isinstance(value, Mapping),
    }
)
_Validator = extend(
    jsonschema.Draft202012Validator,
    {"properties": _properties},
    type_checker=_TYPES,
    format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
)


class SchemaValidator:
    """Finds the problems of values with one schema.

    Parameters
    ----------
    schema : mapping or bool
        JSON Schema; what breaks the metaschema is read as it is meant.

    Examples
    --------
    >>> check = SchemaValidator({"type": "object", "properties": {"n": {"maximum": 10}}})
    >>> [str(problem) for problem in check.problems({"n": 12})]
    ['n: must be at most 10, got 12']
    """

    def __init__(self, schema: Any) -> None:
        self.schema = repair(schema)
        self._validator = _Validator(
            self.schema, registry=Registry(), format_checker=_Validator.FORMAT_CHECKER
        )

    def problems(self, instance: Any) -> tuple[Problem, ...]:
        """Everything that is wrong with a value, in the order of the schema."""
        found: list[Problem] = list(_not_json(instance, ()))
        try:
            errors = list(self._validator.iter_errors(instance))
        except (Unresolvable, RecursionError, jsonschema.exceptions.UnknownType) as error:
            return tuple(found) or (_undecided(error),)
        except Exception as error:  # noqa: BLE001  # a broken keyword in a foreign schema may raise anything
            return tuple(found) or (_undecided(error),)
        for problem_error in errors:
            found.extend(_from_error(problem_error))
        return tuple(dict.fromkeys(found))

    def part(self, schema: Any) -> SchemaValidator:
        """A validator of one of its subschemas, whose references are those of the whole.

        Examples
        --------
        >>> whole = SchemaValidator({"properties": {"n": {"type": "integer"}}})
        >>> whole.part({"$ref": "#/properties/n"}).is_valid("x")
        False
        """
        made = object.__new__(SchemaValidator)
        made.schema = schema
        made._validator = self._validator.evolve(schema=schema)
        return made

    def is_valid(self, instance: Any) -> bool:
        """Whether there is no problem."""
        return not self.problems(instance)


def _undecided(error: Exception) -> Problem:
    return Problem(path=(), message=f"cannot be checked against the schema: {bounded_repr(error)}")


def _not_json(value: Any, path: tuple[str | int, ...]) -> Iterator[Problem]:
    """NaN and infinities, which Python's floats have and JSON does not."""
    if isinstance(value, float) and not math.isfinite(value):
        yield Problem(path=path, message=f"must be a finite number, got {value}", got=str(value))
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _not_json(item, (*path, str(key)))
    elif isinstance(value, (list, tuple)):
        for index, item in enumerate(value):
            yield from _not_json(item, (*path, index))


def _from_error(error: Any) -> Iterable[Problem]:
    path = tuple(error.absolute_path)
    if error.validator == "required":
        missing = [n for n in error.validator_value if n not in error.instance]
        named = [n for n in missing if repr(n) in error.message] or missing[:1]
        return [Problem(path=(*path, n), message="is required", expected="a value") for n in named]
    if error.validator == "dependentRequired":
        return [Problem(path=path, message=_dependent(error))]
    if error.validator in ("additionalProperties", "unevaluatedProperties"):
        return list(_unknown(error, path))
    if error.validator in ("anyOf", "oneOf") and error.context:
        return _from_branches(error)
    if error.validator is None or error.schema is False:
        return [Problem(path=path, message="is not allowed", got=bounded_repr(error.instance))]
    return [_one(error, path)]


def _one(error: Any, path: tuple[str | int, ...]) -> Problem:
    schema = error.schema if isinstance(error.schema, Mapping) else {}
    keyword = str(error.validator)
    return Problem(
        path=path,
        message=worded(keyword, error.validator_value, error.instance),
        expected=expected(keyword, error.validator_value, schema),
        got=bounded_repr(error.instance, 80),
    )


def _dependent(error: Any) -> str:
    for name, needs in error.validator_value.items():
        absent = [need for need in needs if need not in error.instance]
        if name in error.instance and absent:
            return f"with {name!r} it also needs {', '.join(map(repr, absent))}"
    return str(error.message)


def _unknown(error: Any, path: tuple[str | int, ...]) -> Iterator[Problem]:
    schema = error.schema if isinstance(error.schema, Mapping) else {}
    known = schema.get("properties") or {}
    extra = [name for name in error.instance if name not in known]
    named = [name for name in extra if repr(name) in error.message] or extra
    may = f"; known are {', '.join(map(repr, list(known)[:12]))}" if known else ""
    for name in named:
        yield Problem(path=(*path, name), message=f"is not known{may}", got=bounded_repr(name))


def _from_branches(error: Any) -> Iterable[Problem]:
    """The problems of the alternative that fits best; all of them if none fits at all."""
    branches: dict[Any, list[ValidationError]] = {}
    for inner in error.context or ():
        branches.setdefault(inner.schema_path[0], []).append(inner)
    outer = len(error.absolute_path)
    wrong_type = [
        errors
        for errors in branches.values()
        if any(
            e.validator in ("type", "const", "enum") and len(e.absolute_path) == outer
            for e in errors
        )
    ]
    fitting = [errors for errors in branches.values() if errors not in wrong_type]
    if not fitting:
        return [_none_fits(error, branches)]
    best = min(fitting, key=lambda errors: (_depth(errors), len(errors)))
    return [problem for inner in best for problem in _from_error(inner)]


def _depth(errors: list[ValidationError]) -> float:
    closest = best_match(errors, key=relevance)
    return 0.0 if closest is None else 0.0 - len(closest.absolute_path)


def _none_fits(error: Any, branches: Mapping[Any, list[Any]]) -> Problem:
    tops = [errors[0] for errors in branches.values()]
    kinds = [top.validator_value for top in tops if top.validator == "type"]
    values = [
        value
        for top in tops
        if top.validator in ("const", "enum")
        for value in ([top.validator_value] if top.validator == "const" else top.validator_value)
    ]
    path = tuple(error.absolute_path)
    got = bounded_repr(error.instance, 80)
    if values and not kinds:
        return Problem(path=path, message=worded("enum", values, error.instance), got=got)
    flat = [k for kind in kinds for k in (kind if isinstance(kind, list) else [kind])]
    if flat:
        message = worded("type", list(dict.fromkeys(flat)), error.instance)
        return Problem(path=path, message=message, got=got)
    return Problem(path=path, message=worded("anyOf", None, error.instance), got=got)


_cache: OrderedDict[str, SchemaValidator] = OrderedDict()


def validator(schema: Any) -> SchemaValidator:
    """The validator of a schema, made once for schemas that are written alike.

    Examples
    --------
    >>> validator({"type": "integer"}).is_valid(True)
    False
    """
    try:
        key = json.dumps(schema)
    except (TypeError, ValueError):
        return SchemaValidator(schema)
    if key not in _cache:
        _cache[key] = SchemaValidator(schema)
        while len(_cache) > _CACHED:
            _cache.popitem(last=False)
    return _cache[key]


def metaschema_problems(schema: Any) -> tuple[Problem, ...]:
    """Where a schema breaks the draft of JSON Schema that it names; 2020-12 if it names none.

    Examples
    --------
    >>> [problem.where for problem in metaschema_problems({"type": "object", "required": "a"})]
    ['required']
    """
    kind = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)
    errors = kind(kind.META_SCHEMA).iter_errors(schema)
    return tuple(dict.fromkeys(problem for error in errors for problem in _from_error(error)))
