"""What a tool is, worked out once: from a function, or from the attributes of a class."""

from __future__ import annotations

import copy
import functools
import inspect
import keyword
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, Protocol

from workbench.errors import Problem, ToolDefinitionError, bounded_repr
from workbench.schema import CallableSpec, describe, validator

if TYPE_CHECKING:
    from workbench.tools.tool_class import Tool

__all__ = ["Definition", "Spec", "define_class", "define_function"]


class Spec(Protocol):
    """How the arguments of a call are named, checked and passed on."""

    @property
    def arg_types(self) -> Mapping[str, Any]:
        """The annotation of each argument."""

    @property
    def is_async(self) -> bool:
        """Whether a call has to be awaited."""

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Name the arguments of a call."""

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Check arguments by name, or raise InvalidArguments."""

    def call(self, func: Callable[..., Any], checked: dict[str, Any]) -> Any:
        """Call with checked arguments."""


@dataclass(frozen=True, kw_only=True)
class Definition:
    """A tool's description, and how its arguments are checked and passed on.

    The schema is made when somebody first asks for it, since that is what creating a tool costs.
    """

    name: str
    title: str | None
    description: str
    make_schema: Callable[[], dict[str, Any]]
    output_schema: Mapping[str, Any] | None
    output_type: str
    func: Callable[..., Any]
    spec: Spec
    overridden: bool = False

    @functools.cached_property
    def input_schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments."""
        return self.make_schema()

    def problems(self, arguments: Mapping[str, Any]) -> tuple[Problem, ...]:
        """Where the arguments break a schema that was given by hand."""
        return validator(self.input_schema).problems(arguments) if self.overridden else ()


def define_function(
    func: Callable[..., Any],
    *,
    name: str | None = None,
    desc: str | None = None,
    args: Mapping[str, Any] | None = None,
    arg_types: Mapping[str, Any] | None = None,
    arg_desc: Mapping[str, str] | None = None,
    strict: bool = False,
) -> Definition:
    """Describe a callable; what is given by hand wins over what is inferred, field by field.

    Raises
    ------
    ToolDefinitionError
        If `func` cannot be called, `args` names what it does not take, or `strict` finds gaps.
    """
    if not callable(func):
        raise ToolDefinitionError(
            f"a tool is made from something that can be called, not from {bounded_repr(func)}"
        )
    annotated = _with_annotations(func, arg_types) if arg_types else func
    spec = describe(annotated, name=name, strict=strict)
    if args is not None:
        _refuse_unknown(spec, args)
    return Definition(
        name=name or spec.name,
        title=spec.title,
        description=desc or spec.description,
        make_schema=functools.partial(_overridden, spec, args, arg_desc),
        output_schema=spec.output_schema,
        output_type=spec.output_type,
        func=func,
        spec=spec,
        overridden=args is not None,
    )


def _with_annotations(func: Callable[..., Any], types: Mapping[str, Any]) -> Callable[..., Any]:
    """The same callable with other annotations, resolved."""
    signature = inspect.signature(func)
    hints = {**_hints(func), **types}
    unknown = [name for name in types if name not in signature.parameters]
    if unknown and not _open(signature):
        raise ToolDefinitionError(
            f"arg_types names {', '.join(map(repr, unknown))}, which {func!r} does not take"
        )

    @functools.wraps(func)
    def annotated(*args: Any, **kwargs: Any) -> Any:
        return func(*args, **kwargs)

    parameters = [
        parameter.replace(annotation=hints.get(name, parameter.annotation))
        for name, parameter in signature.parameters.items()
    ]
    result = hints.get("return", signature.return_annotation)
    annotated.__signature__ = signature.replace(  # type: ignore[attr-defined]  # read by inspect
        parameters=parameters, return_annotation=result
    )
    annotated.__annotations__ = hints
    del annotated.__wrapped__
    return annotated


def _hints(func: Callable[..., Any]) -> dict[str, Any]:
    try:
        return inspect.get_annotations(func, eval_str=True)
    except (NameError, TypeError):
        return {}


def _open(signature: inspect.Signature) -> bool:
    return any(p.kind is p.VAR_KEYWORD for p in signature.parameters.values())


def _overridden(
    spec: CallableSpec, args: Mapping[str, Any] | None, arg_desc: Mapping[str, str] | None
) -> dict[str, Any]:
    schema: dict[str, Any] = copy.deepcopy(dict(spec.input_schema))
    if args is not None:
        schema["properties"] = {name: _schema_of(given) for name, given in args.items()}
        required = [name for name in schema.get("required", ()) if name in args]
        schema["required"] = [n for n in required if "default" not in schema["properties"][n]]
    for name, text in (arg_desc or {}).items():
        if isinstance(schema.get("properties", {}).get(name), dict):
            schema["properties"][name]["description"] = text
    return schema


def _schema_of(given: Any) -> Any:
    return copy.deepcopy(dict(given)) if isinstance(given, Mapping) else given


def _refuse_unknown(spec: CallableSpec, args: Mapping[str, Any]) -> None:
    known = spec.input_schema.get("properties", {})
    unknown = [name for name in args if name not in known]
    if unknown and spec.input_schema.get("additionalProperties") is False:
        raise ToolDefinitionError(
            f"args names {', '.join(map(repr, unknown))}, which {spec.name!r} does not take; "
            f"it takes {', '.join(map(repr, known)) or 'nothing'}"
        )


_TYPES: dict[str, str] = {
    "string": "str",
    "boolean": "bool",
    "integer": "int",
    "number": "float",
    "array": "list",
    "object": "dict",
    "null": "None",
    "any": "Any",
    "image": "AgentImage",
    "audio": "AgentAudio",
    "video": "AgentVideo",
}
"""The words for types in a class tool's ``inputs`` and ``output_type``."""


def _type_named(word: str) -> Any:
    from workbench import types

    builtins: dict[str, Any] = {
        "str": str,
        "bool": bool,
        "int": int,
        "float": float,
        "list": list,
        "dict": dict,
        "None": type(None),
        "Any": Any,
    }
    named = _TYPES[word]
    return builtins[named] if named in builtins else getattr(types, named)


@dataclass(slots=True)
class _Checks:
    """Problems with a class tool, collected and raised once."""

    owner: str
    found: list[str] = field(default_factory=list)

    def that(self, holds: bool, otherwise: str) -> bool:
        if not holds:
            self.found.append(otherwise)
        return holds

    def raise_if_any(self) -> None:
        if self.found:
            lines = "".join(f"\n  - {text}" for text in self.found)
            raise ToolDefinitionError(f"{self.owner} is not a complete tool:{lines}")


def define_class(tool: Tool) -> Definition:
    """Describe an instance of a class with ``name``, ``inputs``, ``forward`` and so on.

    Raises
    ------
    ToolDefinitionError
        Naming everything that is missing or does not fit.
    """
    checks = _Checks(type(tool).__name__)
    name, description = getattr(tool, "name", None), getattr(tool, "description", None)
    output_type = getattr(tool, "output_type", None)
    inputs: Any = tool.__dict__.get("_inputs", getattr(type(tool), "inputs", None))
    _check_name(checks, name)
    checks.that(isinstance(description, str), "description must be a str, saying what it does")
    checks.that(
        output_type in _TYPES,
        f"output_type must be one of {', '.join(_TYPES)}; it is {bounded_repr(output_type)}",
    )
    good = _check_inputs(checks, inputs) and _check_forward(checks, tool, inputs)
    checks.raise_if_any()
    assert good
    assert isinstance(inputs, Mapping)
    assert isinstance(name, str)
    forward = _with_annotations(tool.forward, _annotations(tool.forward, inputs))
    spec = describe(forward, name=name)
    return Definition(
        name=name,
        title=getattr(tool, "title", None) or spec.title,
        description=str(description),
        make_schema=functools.partial(_schema_with_inputs, spec, inputs),
        output_schema=getattr(tool, "output_schema", None),
        output_type=str(output_type),
        func=tool.forward,
        spec=spec,
        overridden=any(
            set(entry) - {"type", "description", "nullable"} for entry in inputs.values()
        ),
    )


def _check_name(checks: _Checks, name: Any) -> None:
    good = isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name)
    checks.that(good, f"name must be a Python identifier; it is {bounded_repr(name)}")


def _check_inputs(checks: _Checks, inputs: Any) -> bool:
    if not checks.that(isinstance(inputs, Mapping), "inputs must be a dict of dicts"):
        return False
    good = [_check_input(checks, name, entry) for name, entry in inputs.items()]
    return all(good)


def _check_input(checks: _Checks, name: str, entry: Any) -> bool:
    if not checks.that(isinstance(entry, Mapping), f"inputs[{name!r}] must be a dict"):
        return False
    words = entry.get("type")
    listed = words if isinstance(words, (list, tuple)) else [words]
    known = checks.that(
        bool(listed) and all(isinstance(word, str) and word in _TYPES for word in listed),
        f"inputs[{name!r}]['type'] must be one of {', '.join(_TYPES)}, or a list of them; "
        f"it is {bounded_repr(words)}",
    )
    said = isinstance(entry.get("description"), str)
    return checks.that(said, f"inputs[{name!r}]['description'] must be a str") and known


def _check_forward(checks: _Checks, tool: Tool, inputs: Mapping[str, Any]) -> bool:
    forward = getattr(tool, "forward", None)
    if not checks.that(callable(forward), "it needs a method forward(self, ...)"):
        return False
    if getattr(tool, "skip_forward_signature_validation", False):
        return True
    signature = inspect.signature(tool.forward)
    plain = [n for n, p in signature.parameters.items() if p.kind not in (2, 4)]
    missing = (
        [n for n in inputs if n not in plain] if len(plain) == len(signature.parameters) else []
    )
    extra = [n for n in plain if n not in inputs]
    return checks.that(
        not missing and not extra,
        f"forward takes ({', '.join(plain)}) and inputs names ({', '.join(inputs)}); "
        "they must be the same",
    )


def _annotations(forward: Callable[..., Any], inputs: Mapping[str, Any]) -> dict[str, Any]:
    """Annotations that `inputs` implies for the parameters that have none of their own."""
    own = _hints(forward)
    parameters = inspect.signature(forward).parameters
    return {
        name: _annotation(entry)
        for name, entry in inputs.items()
        if name not in own and name in parameters
    }


def _annotation(entry: Mapping[str, Any]) -> Any:
    words = entry["type"] if isinstance(entry["type"], (list, tuple)) else [entry["type"]]
    options = entry.get("enum")
    base = (
        Literal[tuple(options)]
        if options and all(isinstance(o, (str, int, bool)) for o in options)
        else functools.reduce(operator.or_, map(_type_named, words))
    )
    return base | None if entry.get("nullable") else base


def _schema_with_inputs(spec: CallableSpec, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The schema from the signature, with what `inputs` says laid over it."""
    schema: dict[str, Any] = copy.deepcopy(dict(spec.input_schema))
    properties = schema.setdefault("properties", {})
    for name, entry in inputs.items():
        extra = {key: value for key, value in entry.items() if key not in ("type", "nullable")}
        properties[name] = {**properties.get(name, {}), **copy.deepcopy(extra)}
    left_out = {name for name, entry in inputs.items() if entry.get("nullable")}
    schema["required"] = [name for name in schema.get("required", ()) if name not in left_out]
    return schema
