"""The SDK's server, either major, around two functions that speak plain data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any

__all__ = ["make_server", "run_stdio"]

Lister = Callable[[], list[dict[str, Any]]]
Caller = Callable[[str, Mapping[str, Any]], Awaitable[dict[str, Any]]]


def make_server(name: str, listed: Lister, call: Caller) -> Any:
    """A low-level server that lists and calls tools."""
    types: Any = import_module("mcp.types")
    server_class: Any = import_module("mcp.server.lowlevel").Server

    def tools() -> Any:
        return [types.Tool.model_validate(tool) for tool in listed()]

    async def result(tool: str, arguments: Mapping[str, Any] | None) -> Any:
        return types.CallToolResult.model_validate(await call(tool, arguments or {}))

    if not hasattr(import_module("mcp"), "Client"):
        return _first_major(server_class(name), types, tools, result)

    async def on_list(context: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=tools())

    async def on_call(context: Any, params: Any) -> Any:
        return await result(params.name, params.arguments)

    return server_class(name, on_list_tools=on_list, on_call_tool=on_call)


def _first_major(server: Any, types: Any, tools: Any, result: Any) -> Any:
    """The first major takes handlers by request type."""

    async def on_list(request: Any) -> Any:
        return types.ServerResult(types.ListToolsResult(tools=tools()))

    async def on_call(request: Any) -> Any:
        answer = await result(request.params.name, request.params.arguments)
        return types.ServerResult(answer)

    server.request_handlers[types.ListToolsRequest] = on_list
    server.request_handlers[types.CallToolRequest] = on_call
    return server


async def run_stdio(server: Any) -> None:
    """Serve on the standard streams until the client goes."""
    stdio_server: Any = import_module("mcp.server.stdio").stdio_server
    async with stdio_server() as (reading, writing):
        await server.run(reading, writing, server.create_initialization_options())
