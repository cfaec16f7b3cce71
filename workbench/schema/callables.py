"""What Python knows of a callable: its function, parameters, annotations, docstring and name."""

from __future__ import annotations

import dataclasses
import functools
import inspect
import sys
import typing
from collections.abc import Callable
from types import FrameType
from typing import Any, NotRequired, Required, get_args, get_origin

import typing_extensions

__all__ = ["docstring_of", "hints_of", "innermost_of", "name_of", "parameters_of"]

_UNPACKS = (typing.Unpack, typing_extensions.Unpack)
_LEFT_OUT = object()
"""The default of a parameter that may be left out and has none."""


def innermost_of(func: Any) -> Any:
    """The function that has the annotations: behind partials, objects and classes."""
    while isinstance(func, functools.partial):
        func = func.func
    if inspect.isclass(func):
        return func.__init__
    if inspect.isroutine(func):
        return inspect.unwrap(func)
    return innermost_of(type(func).__call__) if hasattr(func, "__call__") else func  # noqa: B004  # its method is wanted


def parameters_of(func: Callable[..., Any], hints: dict[str, Any]) -> dict[str, inspect.Parameter]:
    """The parameters, in order; ``**kwargs: Unpack[Record]`` are those of the record.

    Parameters
    ----------
    func : callable
        Without a signature, as some builtins are, it takes anything.
    hints : dict
        Its annotations; those of an unpacked record are added.
    """
    kind = inspect.Parameter
    try:
        found = list(inspect.signature(func).parameters.values())
    except (TypeError, ValueError):
        found = [kind("args", kind.VAR_POSITIONAL), kind("kwargs", kind.VAR_KEYWORD)]
    made: dict[str, inspect.Parameter] = {}
    for parameter in found:
        record = hints.get(parameter.name)
        if parameter.kind is kind.VAR_KEYWORD and get_origin(record) in _UNPACKS:
            made.update(_unpacked(get_args(record)[0], hints))
        else:
            made[parameter.name] = parameter
    return made


def _unpacked(record: Any, hints: dict[str, Any]) -> dict[str, inspect.Parameter]:
    try:
        fields = typing.get_type_hints(record, include_extras=True)
    except NameError:
        fields = dict.fromkeys(record.__annotations__, Any)
    made = {}
    for name, annotation in fields.items():
        said = get_origin(annotation)
        hints[name] = get_args(annotation)[0] if said in (Required, NotRequired) else annotation
        needed = said is Required or (record.__total__ and said is not NotRequired)
        default = inspect.Parameter.empty if needed else _LEFT_OUT
        made[name] = inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
    return made


def hints_of(inner: Any) -> dict[str, Any]:
    """Annotations, resolved; one that cannot be resolved does not spoil the others."""
    holder = inner if getattr(inner, "__annotations__", None) else None
    if holder is None:
        return {}
    space = _namespace(inner)
    try:
        return typing.get_type_hints(inner, localns=space, include_extras=True)
    except Exception:  # noqa: BLE001  # annotations are arbitrary code
        return {name: _resolved(raw, inner, space) for name, raw in holder.__annotations__.items()}


def _namespace(inner: Any) -> dict[str, Any]:
    """Names that string annotations may mean: closures, and locals of the defining function."""
    names: dict[str, Any] = {}
    frame: FrameType | None = sys._getframe(1)
    module = getattr(inner, "__module__", None)
    while frame is not None:
        if frame.f_globals.get("__name__") == module and frame.f_locals is not frame.f_globals:
            names = {**frame.f_locals, **names}
        frame = frame.f_back
    code = getattr(inner, "__code__", None)
    for name, cell in (
        zip(getattr(code, "co_freevars", ()), inner.__closure__ or (), strict=False) if code else ()
    ):
        try:
            names[name] = cell.cell_contents
        except ValueError:
            continue
    return names


def _resolved(raw: Any, inner: Any, space: dict[str, Any]) -> Any:
    if not isinstance(raw, str):
        return raw
    try:
        return eval(raw, dict(getattr(inner, "__globals__", {})), space)  # noqa: S307  # the author's own annotation
    except Exception:  # noqa: BLE001  # annotations are arbitrary code
        return Any


def docstring_of(func: Any, inner: Any) -> str | None:
    """The docstring; not the one that ``dataclass`` writes where there is none."""
    if isinstance(func, functools.partial):
        return docstring_of(func.func, inner)
    own = getattr(func, "__doc__", None)
    if dataclasses.is_dataclass(func) and own and own.startswith(f"{name_of(func, inner)}("):
        return None
    if inspect.isroutine(func) or inspect.isclass(func):
        return own
    method = getattr(type(func).__call__, "__doc__", None)
    return (own if own != type(func).__doc__ else None) or type(func).__doc__ or method


def name_of(func: Any, inner: Any) -> str:
    """The name; a lambda is called "tool"."""
    if isinstance(func, functools.partial):
        return name_of(func.func, inner)
    name = getattr(func, "__name__", None) or type(func).__name__
    return "tool" if name == "<lambda>" else str(name)
