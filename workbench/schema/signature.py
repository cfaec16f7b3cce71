"""A callable's description: its schema, how a call's arguments are named, checked and passed.

The schema and the validator come from one ``TypedDict`` of the parameters, since its keys may be
any string; pydantic makes the schema when it is asked for and the validator at the first call.
"""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Any, NotRequired, get_args, get_origin

from pydantic import ConfigDict, PydanticSchemaGenerationError, PydanticUserError, TypeAdapter
from pydantic_core import SchemaValidator, ValidationError
from typing_extensions import TypedDict

from workbench.errors import InvalidArguments, Problem, ToolDefinitionError, bounded_repr
from workbench.schema.callables import (
    docstring_of,
    hints_of,
    innermost_of,
    name_of,
    parameters_of,
)
from workbench.schema.docstrings import Documented, parse_docstring
from workbench.schema.exact import compiled
from workbench.schema.generation import arguments_schema, output_schema_of, output_word
from workbench.schema.media import translated
from workbench.schema.native import problems_from

__all__ = ["CallableSpec", "describe"]

_POSITIONAL, _BOTH, _VAR, _KEYWORD, _VARKW = inspect._ParameterKind


@dataclass(frozen=True, eq=False)
class CallableSpec:
    """What a callable looks like to those who call it.

    Parameters
    ----------
    name, description : str
        From the callable and its docstring.
    title : str or None
        A name for people, if it has one.
    parameters : mapping of str to inspect.Parameter
        In order, without ``self``.
    hints : mapping
        Their annotations and that of the result, resolved.
    documented : Documented
        The docstring, taken apart.
    is_async, is_generator : bool
        What a call gives.

    Examples
    --------
    >>> def add(a: int, b: int = 2) -> int:
    ...     return a + b
    >>> spec = describe(add)
    >>> spec.check(spec.arguments((1,), {}))
    {'a': 1}
    """

    name: str
    description: str
    title: str | None
    parameters: Mapping[str, inspect.Parameter]
    hints: Mapping[str, Any]
    documented: Documented
    is_async: bool
    is_generator: bool

    def __getstate__(self) -> dict[str, Any]:
        """The description alone; what is worked out from it is worked out again."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    @functools.cached_property
    def _adapter(self) -> TypeAdapter[Any]:
        taken = {
            name: self._field(p) for name, p in self.parameters.items() if p.kind is not _VARKW
        }
        record = TypedDict("Arguments", taken)  # type: ignore[misc]  # fields are known at run time only
        extra: Any = "allow" if self._rest is not None else "forbid"
        record.__pydantic_config__ = ConfigDict(extra=extra, arbitrary_types_allowed=True)  # type: ignore[attr-defined]  # pydantic reads it
        return TypeAdapter(record)

    def _field(self, parameter: inspect.Parameter) -> Any:
        kind = self._kinds[parameter.name]
        if parameter.kind is _VAR:
            return NotRequired[list[kind]]  # type: ignore[valid-type]  # known at run time
        if parameter.default is None and kind is not Any:
            return NotRequired[kind | None]
        return kind if parameter.default is inspect.Parameter.empty else NotRequired[kind]

    @property
    def _rest(self) -> inspect.Parameter | None:
        """The parameter that takes all other names, if there is one."""
        return next((p for p in self.parameters.values() if p.kind is _VARKW), None)

    @property
    def arg_types(self) -> dict[str, Any]:
        """The annotation of each parameter; Any where there is none."""
        return {name: self.hints.get(name, Any) for name in self.parameters}

    @functools.cached_property
    def _kinds(self) -> dict[str, Any]:
        """What pydantic can make of each annotation."""
        return {
            name: _usable(translated(self.hints.get(name, Any)))
            for name, parameter in self.parameters.items()
        }

    @property
    def arg_desc(self) -> dict[str, str]:
        """What the docstring says of each parameter."""
        return {n: t for n, t in self.documented.parameters.items() if n in self.parameters}

    @functools.cached_property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema (2020-12) of the arguments."""
        return arguments_schema(self._adapter, self.parameters, self.arg_desc, self._kinds)

    @functools.cached_property
    def output_schema(self) -> dict[str, Any] | None:
        """JSON Schema of the result where it is a record; else None."""
        return output_schema_of(self.hints.get("return"), self.documented.returns)

    @functools.cached_property
    def output_type(self) -> str:
        """The result's type in one word: "string", "image", "object", "any"."""
        return output_word(self.hints.get("return", Any))

    @functools.cached_property
    def _validator(self) -> SchemaValidator:
        return compiled(self._adapter.core_schema)

    @functools.cached_property
    def _rest_validator(self) -> SchemaValidator | None:
        """What checks all other names, where ``**kwargs`` is annotated."""
        kind = Any if self._rest is None else self._kinds[self._rest.name]
        if kind is Any:
            return None
        return compiled(TypeAdapter(dict[str, kind], config=_CONFIG).core_schema)  # type: ignore[valid-type]  # known at run time

    @functools.cached_property
    def _positional(self) -> tuple[str, ...]:
        """The names that positional arguments have, in order."""
        return tuple(n for n, p in self.parameters.items() if p.kind in (_POSITIONAL, _BOTH))

    @functools.cached_property
    def _plain_names(self) -> frozenset[str] | None:
        """The names, where each argument is passed by its own; None where that needs care."""
        plain = all(p.kind in (_BOTH, _KEYWORD) for p in self.parameters.values())
        return frozenset(self.parameters) if plain else None

    # A call

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Name the arguments of a call.

        Parameters
        ----------
        args : tuple
            Positional; one dict of all arguments counts as keywords where it cannot be meant
            as the first argument.
        kwargs : dict
            Keywords.

        Raises
        ------
        InvalidArguments
            If there are too many, or one is given twice.
        """
        if not args:
            return kwargs
        if len(args) == 1 and not kwargs and self._is_all_of_them(args[0]):
            return dict(args[0])
        named = dict(zip(self._positional, args, strict=False))
        if len(named) == len(args) and named.keys().isdisjoint(kwargs):
            named.update(kwargs)
            return named
        return self._named(named, args, kwargs)

    def _is_all_of_them(self, value: Any) -> bool:
        if not isinstance(value, dict) or not all(key in self.parameters for key in value):
            return False
        first = next(iter(self.parameters.values()), None)
        return first is None or not _may_be_object(self._kinds[first.name])

    def _named(
        self, named: dict[str, Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> dict[str, Any]:
        """The arguments where some are given twice, or more than there are names for."""
        var = next((p.name for p in self.parameters.values() if p.kind is _VAR), None)
        twice = [name for name in named if name in kwargs]
        problems = [Problem(path=(name,), message="is given twice") for name in twice]
        rest = args[len(self._positional) :]
        if rest and var is None:
            message = f"takes at most {len(named)} positional arguments, got {len(args)}"
            problems.append(Problem(path=(), message=message, got=bounded_repr(rest)))
        if problems:
            raise InvalidArguments(problems, self.name)
        return {**named, **({var: list(rest)} if rest and var else {}), **kwargs}

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Check arguments by name; give them as the annotations ask for.

        Raises
        ------
        InvalidArguments
            With every problem.
        """
        if self._rest_validator is not None:
            return self._check_with_rest(arguments, self._rest_validator)
        try:
            checked: dict[str, Any] = self._validator.validate_python(arguments)
        except ValidationError as error:
            raise InvalidArguments(self._explained(error, arguments), self.name) from None
        return checked

    def _check_with_rest(
        self, arguments: Mapping[str, Any], rest: SchemaValidator
    ) -> dict[str, Any]:
        problems: tuple[Problem, ...] = ()
        others = {n: value for n, value in arguments.items() if n not in self._kinds}
        checked: dict[str, Any] = {}
        for check, given in ((self._validator, arguments), (rest, others)):
            try:
                checked.update(check.validate_python(given))
            except ValidationError as error:
                problems += self._explained(error, given)
        if problems:
            raise InvalidArguments(problems, self.name)
        return checked

    def _explained(self, error: ValidationError, arguments: Any) -> tuple[Problem, ...]:
        known = ", ".join(map(repr, self.parameters)) or "none"
        return tuple(
            Problem(path=p.path, message=f"is not known; known are {known}", got=p.got)
            if p.message == "is not known" and len(p.path) == 1
            else p
            for p in problems_from(error, arguments)
        )

    def call(self, func: Callable[..., Any], checked: dict[str, Any]) -> Any:
        """Call with checked arguments, each passed in the way its parameter takes it."""
        if self._plain_names is not None:
            return func(**checked)
        left = dict(checked)
        args: list[Any] = []
        for name, parameter in self.parameters.items():
            if parameter.kind is _VAR:
                args.extend(left.pop(name, ()))
            elif parameter.kind is _POSITIONAL or (parameter.kind is _BOTH and self._spread(left)):
                if name in left:
                    args.append(left.pop(name))
                elif parameter.default is not inspect.Parameter.empty:
                    args.append(parameter.default)
        return func(*args, **left)

    def _spread(self, left: dict[str, Any]) -> bool:
        """Whether named arguments must go by position, since others follow them so."""
        var = next((n for n, p in self.parameters.items() if p.kind is _VAR), None)
        return var is not None and bool(left.get(var))


def _usable(annotation: Any) -> Any:
    """An annotation that pydantic has a schema for; Any for one that it cannot handle."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", UserWarning)
            TypeAdapter(annotation, config=None if _has_config(annotation) else _CONFIG)
    except (
        UserWarning,
        PydanticSchemaGenerationError,
        PydanticUserError,
        NameError,
        TypeError,
        AttributeError,
    ):
        return Any
    return annotation


_CONFIG = ConfigDict(arbitrary_types_allowed=True)


def _has_config(annotation: Any) -> bool:
    """Whether a type brings its own configuration, over which none may be laid."""
    kind = get_origin(annotation) or annotation
    return isinstance(kind, type) and (
        hasattr(kind, "model_config")
        or hasattr(kind, "__dataclass_fields__")
        or hasattr(kind, "__total__")
    )


def _may_be_object(annotation: Any) -> bool:
    """Whether a parameter can itself be a JSON object."""
    if annotation is Any:
        return True
    kind = get_origin(annotation) or annotation
    if isinstance(kind, type):
        if issubclass(kind, Mapping) or _has_config(kind):
            return True
        return kind is object
    return any(_may_be_object(arg) for arg in get_args(annotation))


def describe(
    func: Callable[..., Any], *, name: str | None = None, strict: bool = False
) -> CallableSpec:
    """Describe a callable.

    Parameters
    ----------
    func : callable
        A function, method, partial, class, or object with ``__call__``.
    name : str, optional
        Instead of its own.
    strict : bool
        Refuse what lacks annotations or descriptions.

    Raises
    ------
    ToolDefinitionError
        With everything that is missing, if `strict`.

    Examples
    --------
    >>> describe(lambda x: x, name="same").input_schema["required"]
    ['x']
    """
    inner = innermost_of(func)
    hints = hints_of(inner)
    parameters = parameters_of(func, hints)
    if inspect.isclass(func):
        hints["return"] = func
    documented = parse_docstring(docstring_of(func, inner))
    spec = CallableSpec(
        name=name or name_of(func, inner),
        description=documented.description,
        title=None,
        parameters=parameters,
        hints=hints,
        documented=documented,
        is_async=inspect.iscoroutinefunction(inner) or inspect.isasyncgenfunction(inner),
        is_generator=inspect.isgeneratorfunction(inner) or inspect.isasyncgenfunction(inner),
    )
    if strict:
        _refuse_gaps(spec)
    return spec


def _refuse_gaps(spec: CallableSpec) -> None:
    gaps = [] if spec.description else ["it has no description"]
    for name in spec.parameters:
        if name not in spec.hints:
            gaps.append(f"parameter {name!r} has no annotation")
        if name not in spec.arg_desc:
            gaps.append(f"parameter {name!r} has no description")
    if "return" not in spec.hints:
        gaps.append("the result has no annotation")
    if gaps:
        lines = "".join(f"\n  - {gap}" for gap in gaps)
        raise ToolDefinitionError(f"{spec.name!r} is not described completely:{lines}")
