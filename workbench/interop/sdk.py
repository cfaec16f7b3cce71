"""The SDK's server, either major, around two functions that speak plain data."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Awaitable, Callable, Iterator, Mapping
from importlib import import_module
from typing import Any

__all__ = ["Report", "first_major", "make_server", "run_stdio"]

Lister = Callable[[], list[dict[str, Any]]]
Report = Callable[[float, float | None, str | None], Awaitable[None]]
"""Tells the client of progress: done, of how much, and what is being done."""
Caller = Callable[[str, Mapping[str, Any], Report], Awaitable[dict[str, Any]]]


def make_server(name: str, listed: Lister, call: Caller) -> Any:
    """A low-level server that lists and calls tools."""
    types: Any = import_module("mcp.types")
    server_class: Any = import_module("mcp.server.lowlevel").Server

    def tools() -> Any:
        return [types.Tool.model_validate(tool) for tool in listed()]

    async def result(tool: str, arguments: Mapping[str, Any] | None, report: Report) -> Any:
        return types.CallToolResult.model_validate(await call(tool, arguments or {}, report))

    if first_major():
        return _first_major(server_class(name), types, tools, result)

    async def on_list(context: Any, params: Any) -> Any:
        return types.ListToolsResult(tools=tools())

    async def on_call(context: Any, params: Any) -> Any:
        return await result(params.name, params.arguments, context.session.report_progress)

    return server_class(name, on_list_tools=on_list, on_call_tool=on_call)


def first_major() -> bool:
    """Whether the installed SDK is of its first major."""
    return not hasattr(import_module("mcp"), "Client")


def _first_major(server: Any, types: Any, tools: Any, result: Any) -> Any:
    """The first major takes handlers by request type."""

    async def on_list(request: Any) -> Any:
        return types.ServerResult(types.ListToolsResult(tools=tools()))

    async def on_call(request: Any) -> Any:
        context = server.request_context

        async def report(progress: float, total: float | None, message: str | None) -> None:
            token = getattr(context.meta, "progressToken", None)
            if token is not None:
                await context.session.send_progress_notification(
                    token, progress, total, message, related_request_id=str(context.request_id)
                )

        answer = await result(request.params.name, request.params.arguments, report)
        return types.ServerResult(answer)

    server.request_handlers[types.ListToolsRequest] = on_list
    server.request_handlers[types.CallToolRequest] = on_call
    return server


async def run_stdio(server: Any) -> None:
    """Serve on the standard streams until the client goes; what is printed goes to stderr."""
    stdio_server: Any = import_module("mcp.server.stdio").stdio_server
    with _own_stdout() as streams:
        async with stdio_server(**streams) as (reading, writing):
            await server.run(reading, writing, server.create_initialization_options())


@contextlib.contextmanager
def _own_stdout() -> Iterator[dict[str, Any]]:
    """The client's end for the transport alone; the second major sees to that itself."""
    if not first_major():
        yield {}
        return
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        anyio: Any = import_module("anyio")
        wire = os.fdopen(os.dup(kept), "w", encoding="utf-8", newline="\n")
        yield {"stdout": anyio.wrap_file(wire)}
    finally:
        os.dup2(kept, 1)
        os.close(kept)
