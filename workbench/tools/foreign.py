"""A tool of another library: described by its schema, called with checked JSON arguments.

Every source that is not a Python function becomes one of these. Arguments are named and checked
here by the schema alone; what the other library does with them is in its own module.
"""

from __future__ import annotations

import base64
import functools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.errors import InvalidArguments, Problem
from workbench.schema import validator
from workbench.tools.annotations import ToolAnnotations
from workbench.tools.definition import Definition
from workbench.tools.outcome import failed, outcome
from workbench.tools.structured import structured
from workbench.tools.tool_class import Tool
from workbench.types import AgentType, unwrap

__all__ = ["Description", "ForeignTool", "SchemaSpec", "to_json"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What another library says of a tool.

    Parameters
    ----------
    name, description : str
        As the library has them.
    input_schema : mapping
        JSON Schema of the arguments, an object.
    output_schema : mapping or None
        JSON Schema of the structured result.
    output_type : str
        The result in one word: "any", "image", "audio", "video" or a JSON type.
    title : str or None
        A name for people.
    annotations : mapping
        Hints, in MCP's spelling or in snake_case.
    source : str
        Where the tool comes from, for people.

    Examples
    --------
    >>> Description(name="add", input_schema={"properties": {"a": {}}}).output_type
    'any'
    """

    name: str
    description: str = ""
    input_schema: Mapping[str, Any] = field(default_factory=dict)
    output_schema: Mapping[str, Any] | None = None
    output_type: str = "any"
    title: str | None = None
    annotations: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True, kw_only=True)
class SchemaSpec:
    """How arguments are named and checked by a schema alone.

    Parameters
    ----------
    name : str
        The tool's.
    schema : mapping
        Of the arguments.
    is_async : bool
        Whether a call has to be awaited.

    Examples
    --------
    >>> spec = SchemaSpec(name="add", schema={"properties": {"a": {"type": "integer"}, "b": {}}})
    >>> spec.check(spec.arguments((1,), {"b": 2}))
    {'a': 1, 'b': 2}
    """

    name: str
    schema: Mapping[str, Any]
    is_async: bool = False
    arg_types: Mapping[str, Any] = field(default_factory=dict)

    @property
    def _properties(self) -> Mapping[str, Any]:
        return self.schema.get("properties") or {}

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Name the arguments of a call, in the order of the schema's properties.

        Raises
        ------
        InvalidArguments
            If there are more than there are names, or one is given twice.
        """
        names = list(self._properties)
        if len(args) == 1 and not kwargs and isinstance(args[0], Mapping) and self._fits(args[0]):
            return dict(args[0])
        if len(args) > len(names):
            message = f"takes at most {len(names)} positional arguments, got {len(args)}"
            raise InvalidArguments([Problem(path=(), message=message)], self.name)
        placed = dict(zip(names, args, strict=False))
        twice = [Problem(path=(n,), message="was given twice") for n in placed if n in kwargs]
        if twice:
            raise InvalidArguments(twice, self.name)
        return {**placed, **kwargs}

    def _fits(self, given: Mapping[str, Any]) -> bool:
        """Whether one dict is all arguments, rather than the first of them."""
        first: Any = next(iter(self._properties.values()), None)
        kind = first.get("type") if isinstance(first, Mapping) else None
        return all(key in self._properties for key in given) and kind not in (None, "object")

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Check arguments, and write them as JSON.

        Raises
        ------
        InvalidArguments
            Naming everything that is wrong.
        """
        sent = {name: to_json(value) for name, value in arguments.items()}
        problems = validator(self.schema).problems(sent)
        if problems:
            raise InvalidArguments(problems, self.name)
        return sent

    def call(self, func: Callable[..., Any], checked: dict[str, Any]) -> Any:
        """Call with one dict of checked arguments."""
        return func(checked)


_PLAIN = (str, int, float, bool, type(None))


def to_json(value: Any) -> Any:
    """A value as JSON: media as base64, records as objects, dates as text, item by item.

    Examples
    --------
    >>> from datetime import date
    >>> to_json({"on": date(2026, 1, 2), "data": b"hi"})
    {'on': '2026-01-02', 'data': 'aGk='}
    """
    if isinstance(value, AgentType) and not isinstance(value, str):
        return base64.b64encode(value.to_bytes()).decode("ascii")  # type: ignore[attr-defined]  # all media have it
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(bytes(value)).decode("ascii")
    if type(value) in _PLAIN:
        return value
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [to_json(item) for item in value]
    return _plain(value)


def _plain(value: Any) -> Any:
    """Anything else: text without its wrapper, a number without its library, a picture's bytes."""
    from workbench.types import wrap

    wrapped = wrap(value)
    if wrapped is not value and isinstance(wrapped, AgentType):
        return str(unwrap(wrapped)) if isinstance(wrapped, str) else to_json(wrapped)
    if isinstance(value, str) and isinstance(value, AgentType):
        return str(unwrap(value))
    item = getattr(value, "item", None)
    if callable(item) and getattr(value, "ndim", None) == 0:
        return item()
    found = structured(value)
    return value if found is None else found


class ForeignTool(Tool):
    """A tool that another library describes and runs.

    Parameters
    ----------
    description : Description
        What the library says of it.
    call : callable or None
        Takes the checked arguments as one dict; gives the value or a :class:`ToolResult`.
    call_async : callable or None
        The same, to be awaited; where there is only this one, the tool is async.

    Examples
    --------
    >>> about = Description(name="add", input_schema={"properties": {"a": {}, "b": {}}})
    >>> ForeignTool(about, lambda given: given["a"] + given["b"])(1, b=2)
    3
    """

    def __init__(
        self,
        description: Description,
        call: Callable[[dict[str, Any]], Any] | None,
        call_async: Callable[[dict[str, Any]], Awaitable[Any]] | None = None,
    ) -> None:
        super().__init__()
        self.source = description.source
        self._call_async = call_async
        self._definition = _definition(description, call or call_async, is_async=call is None)
        hints = ToolAnnotations.from_dict(description.annotations)
        self._take(description.title or hints.title, description.output_schema, hints)

    async def perform_async(self, checked: dict[str, Any]) -> Any:
        """Like :meth:`perform`, on a loop that stays free."""
        if self._call_async is None or self.is_async:
            return await super().perform_async(checked)
        try:
            return outcome(self, await self._call_async(checked))
        except Exception as error:  # noqa: BLE001  # any failure of a tool is a result
            return failed(self.name, error)

    def __reduce__(self) -> Any:
        raise TypeError(f"{self.name!r} comes from {self.source or 'elsewhere'}: it has no pickle")


def _definition(about: Description, func: Any, *, is_async: bool) -> Definition:
    schema = {"type": "object", "properties": {}, **about.input_schema}
    return Definition(
        name=about.name,
        title=None,
        description=about.description,
        make_schema=functools.partial(dict, schema),
        output_schema=about.output_schema,
        output_type=about.output_type,
        func=func,
        spec=SchemaSpec(name=about.name, schema=schema, is_async=is_async),
    )
