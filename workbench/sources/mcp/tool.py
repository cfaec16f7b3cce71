"""A tool on a server, as a tool here."""

from __future__ import annotations

import asyncio
import keyword
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from workbench.errors import InvalidArguments, Problem, ToolTimeout
from workbench.schema import validator
from workbench.sources.mcp.results import result_from
from workbench.tools.annotations import ToolAnnotations
from workbench.tools.definition import Definition
from workbench.tools.loop import background
from workbench.tools.outcome import failed
from workbench.tools.result import ToolResult
from workbench.tools.tool_class import Tool
from workbench.types import AgentType, unwrap

__all__ = ["MCPTool", "python_name"]

Caller = Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any]]]


def python_name(name: str) -> str:
    """A Python identifier for a tool's name; the original stays on the wire.

    Examples
    --------
    >>> python_name("send-email"), python_name("class"), python_name("1x")
    ('send_email', 'class_', '_1x')
    """
    safe = re.sub(r"\W", "_", name) or "tool"
    if safe[0].isdigit():
        safe = f"_{safe}"
    return f"{safe}_" if keyword.iskeyword(safe) else safe


@dataclass(frozen=True)
class _RemoteSpec:
    """How arguments of a remote tool are named and checked: by its schema alone."""

    name: str
    schema: Mapping[str, Any]
    arg_types: Mapping[str, Any]
    is_async: bool = False

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        names = list(self.schema.get("properties") or {})
        if len(args) == 1 and not kwargs and isinstance(args[0], Mapping) and self._all(args[0]):
            return dict(args[0])
        if len(args) > len(names):
            message = f"takes at most {len(names)} positional arguments, got {len(args)}"
            raise InvalidArguments([Problem(path=(), message=message)], self.name)
        return {**dict(zip(names, args, strict=False)), **kwargs}

    def _all(self, given: Mapping[str, Any]) -> bool:
        properties = self.schema.get("properties") or {}
        first: Any = next(iter(properties.values()), None)
        kind = first.get("type") if isinstance(first, Mapping) else None
        return all(key in properties for key in given) and kind not in (None, "object")

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        sent = {name: _wire(value) for name, value in arguments.items()}
        problems = validator(self.schema).problems(sent)
        if problems:
            raise InvalidArguments(problems, self.name)
        return sent

    def call(self, func: Callable[..., Any], checked: dict[str, Any]) -> Any:
        return func(checked)


def _wire(value: Any) -> Any:
    """An argument as JSON: media as base64, containers item by item."""
    import base64

    if isinstance(value, AgentType) and not isinstance(value, str):
        return base64.b64encode(value.to_bytes()).decode("ascii")  # type: ignore[attr-defined]  # all media have it
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(bytes(value)).decode("ascii")
    if isinstance(value, Mapping):
        return {str(key): _wire(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_wire(item) for item in value]
    plain = unwrap(value)
    return str(plain) if isinstance(plain, str) else plain


class MCPTool(Tool):
    """A tool that a server offers; made by :class:`MCPClient`.

    Attributes
    ----------
    wire_name : str
        The name on the server.
    meta : mapping
        The definition's ``_meta``.
    """

    remote: ClassVar[bool] = True

    def __init__(
        self,
        definition: Mapping[str, Any],
        caller: Caller,
        *,
        name: str,
        source: str,
        structured_output: bool = False,
    ) -> None:
        super().__init__()
        self.wire_name = str(definition.get("name", ""))
        self.meta = definition.get("_meta") or {}
        self.structured_output = structured_output
        self.source = source
        self._caller = caller
        schema = definition.get("inputSchema")
        self._definition = _described(definition, schema, name)
        hints = ToolAnnotations.from_dict(definition.get("annotations"))
        self._take(definition.get("title") or hints.title, definition.get("outputSchema"), hints)

    async def _result_of(self, checked: dict[str, Any]) -> ToolResult:
        try:
            answer = await self._caller(self.wire_name, checked)
        except TimeoutError:
            raise ToolTimeout(f"{self.name!r} has shown no sign of life for too long") from None
        return result_from(
            answer,
            output_schema=self.output_schema,
            tool_name=self.wire_name,
            structured_output=self.structured_output,
        )

    async def _outcome(self, checked: dict[str, Any]) -> ToolResult:
        try:
            return await self._result_of(checked)
        except Exception as error:  # noqa: BLE001  # any failure of a tool is a result
            return failed(self.name, error)

    def _value(self, checked: dict[str, Any]) -> Any:
        return self.perform(checked).unwrap()

    def perform(self, checked: dict[str, Any]) -> ToolResult:
        """Call, and wait on the background loop; an interrupt cancels the call."""
        return background().wait(self._outcome(checked))

    async def perform_async(self, checked: dict[str, Any]) -> ToolResult:
        """Call, from any loop."""
        loop = background()
        if asyncio.get_running_loop() is loop.loop:
            return await self._outcome(checked)
        return await asyncio.wrap_future(loop.submit(self._outcome(checked)))

    def __reduce__(self) -> Any:
        raise TypeError(f"{self.name!r} lives on a connection and cannot be pickled")


def _described(definition: Mapping[str, Any], schema: Any, name: str) -> Definition:
    known = dict(schema) if isinstance(schema, Mapping) else {}
    spec = _RemoteSpec(name=name, schema=known, arg_types={})
    return Definition(
        name=name,
        title=None,
        description=str(definition.get("description") or ""),
        make_schema=lambda: known,
        output_schema=definition.get("outputSchema"),
        output_type="object" if definition.get("outputSchema") else "any",
        func=_not_here,
        spec=spec,
    )


def _not_here(*args: Any, **kwargs: Any) -> Any:
    """Stands for the function that only the server has."""
    raise NotImplementedError("this tool's code is on its server")
