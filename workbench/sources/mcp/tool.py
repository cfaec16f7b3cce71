"""A tool on a server, as a tool here."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from concurrent.futures import Future
from typing import Any, ClassVar

from workbench.errors import ToolTimeout, WorkbenchError
from workbench.sources.mcp.results import contents_from, read_from, result_from
from workbench.tools.annotations import ToolAnnotations
from workbench.tools.definition import Definition
from workbench.tools.loop import background
from workbench.tools.outcome import failed
from workbench.tools.result import ToolResult
from workbench.tools.schema_spec import SchemaSpec
from workbench.tools.tool_class import Tool
from workbench.types import AgentText

__all__ = ["MCPTool"]

Fetch = Callable[[str], Coroutine[Any, Any, dict[str, Any]]]
Caller = Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any]]]


class MCPTool(Tool):
    """A tool that a server offers; made by :class:`MCPClient`.

    Parameters
    ----------
    definition : mapping
        The protocol's ``Tool``.
    caller : callable
        Takes the name on the wire and the arguments, and gives the protocol's result.
    name : str
        A Python identifier.
    source : str
        The server, for people.
    structured_output : bool
        Take values from the structured content where there is one.
    fetch : callable, optional
        Takes the address of a resource and gives the answer of ``resources/read``, for links in
        results and for the tool's app.
    changes : tuple of str
        What has changed since the tool was first seen: "description", "inputSchema" and so on.

    Attributes
    ----------
    wire_name : str
        The name on the server.
    definition : mapping
        As published.
    meta : mapping
        The definition's ``_meta``.
    app_uri : str or None
        Where the page is that shows its results.
    visibility : tuple of str
        Who may call it: "model", "app" or both (MCP Apps).
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
        fetch: Fetch | None = None,
        changes: tuple[str, ...] = (),
    ) -> None:
        super().__init__()
        self.definition = definition
        self.wire_name = str(definition.get("name", ""))
        self.meta = _mapping(definition.get("_meta"))
        self.app_uri = _app_uri(self.meta)
        self.visibility = _visibility(self.meta)
        self.structured_output = structured_output
        self.changes = changes
        self.source = source
        self._caller, self._fetch = caller, fetch
        self._definition = _described(definition, name)
        hints = ToolAnnotations.from_dict(_mapping(definition.get("annotations")))
        title = definition.get("title") or hints.title
        self._take(str(title) if title else None, self._definition.output_schema, hints)

    async def _result_of(self, checked: dict[str, Any]) -> ToolResult:
        try:
            answer = await self._caller(self.wire_name, checked)
        except TimeoutError:
            raise ToolTimeout(
                f"{self.name!r} was silent, or took, for too long and was given up; "
                "MCPClient(..., timeout_s=..., max_timeout_s=...) has more patience"
            ) from None
        result = result_from(
            answer,
            output_schema=self.output_schema,
            tool_name=self.wire_name,
            structured_output=self.structured_output,
            reader=None if self._fetch is None else self._read,
        )
        return await self._with_app(result)

    def _read(self, uri: str) -> Any:
        """The contents of a resource, for a link that somebody follows."""
        assert self._fetch is not None
        return read_from(background().wait(self._fetch(uri)))

    def resource(self, uri: str) -> Future[dict[str, Any]]:
        """The server's answer to ``resources/read``, as it comes.

        Raises
        ------
        WorkbenchError
            If the server gives no resources.
        """
        if self._fetch is None:
            raise WorkbenchError(f"{self.source} gives no resources")
        return background().submit(self._fetch(uri))

    async def _with_app(self, result: ToolResult) -> ToolResult:
        """The result with the page that shows it, if the tool has one (MCP Apps, SEP-1865)."""
        if self.app_uri is None or self._fetch is None or result.is_error:
            return result
        try:
            contents = (await self._fetch(self.app_uri)).get("contents") or [{}]
        except (WorkbenchError, TimeoutError):  # the content says the same without the page
            return result
        app = contents_from(contents[0])
        return dataclasses.replace(result, app=app if isinstance(app.value, AgentText) else None)

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


def _app_uri(meta: Mapping[str, Any]) -> str | None:
    """Where the page of a tool is: under ``ui``, or under the flat key of older servers."""
    uri = _mapping(meta.get("ui")).get("resourceUri") or meta.get("ui/resourceUri")
    return uri if isinstance(uri, str) and uri.startswith("ui://") else None


def _visibility(meta: Mapping[str, Any]) -> tuple[str, ...]:
    said = _mapping(meta.get("ui")).get("visibility")
    return tuple(map(str, said)) if isinstance(said, list) else ("model", "app")


def _mapping(given: Any) -> Mapping[str, Any]:
    return given if isinstance(given, Mapping) else {}


def _described(definition: Mapping[str, Any], name: str) -> Definition:
    schema, output = _mapping(definition.get("inputSchema")), definition.get("outputSchema")
    return Definition(
        name=name,
        title=None,
        description=str(definition.get("description") or ""),
        make_schema=lambda: dict(schema),
        output_schema=output if isinstance(output, Mapping) else None,
        output_type="object" if output else "any",
        func=_not_here,
        spec=SchemaSpec(name=name, schema=schema),
    )


def _not_here(*args: Any, **kwargs: Any) -> Any:
    """Stands for the function that only the server has."""
    raise NotImplementedError("this tool's code is on its server")
