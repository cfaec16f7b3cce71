"""Any tools as an MCP server, wherever they came from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from workbench.errors import InvalidArguments
from workbench.interop.http import run_http
from workbench.interop.sdk import Report, make_server, run_stdio
from workbench.interop.wire import result_to_wire, tool_to_wire
from workbench.tools.collection import ToolCollection
from workbench.tools.content import blocks
from workbench.tools.result import ToolResult
from workbench.tools.run import Progress, Reported
from workbench.tools.runner import start
from workbench.tools.tool_class import Tool

__all__ = ["serve", "server_of"]


def server_of(tools: Iterable[Tool | Callable[..., Any]], name: str = "workbench") -> Any:
    """A server object of the MCP SDK that offers these tools.

    Parameters
    ----------
    tools : iterable of Tool or callable
        What is offered.
    name : str
        What the server says it is.

    Examples
    --------
    >>> from workbench import MCPClient
    >>> with MCPClient(server_of([len])) as tools:
    ...     tools["len"](obj=[1, 2])
    '2'
    """
    collection = ToolCollection(tools)

    async def call(tool: str, arguments: Mapping[str, Any], report: Report) -> dict[str, Any]:
        known = collection.get(tool)
        if known is None:
            text = f"there is no tool {tool!r}; there are {', '.join(collection.names)}"
            return result_to_wire(ToolResult(blocks(text), is_error=True))
        return result_to_wire(await _called(known, arguments, report))

    return make_server(name, lambda: [tool_to_wire(tool) for tool in collection], call)


async def _called(tool: Tool, arguments: Mapping[str, Any], report: Report) -> ToolResult:
    """The result of a run whose progress is reported; who gives up the call stops the run."""
    try:
        run = start(tool, arguments, origin="model")
    except InvalidArguments as error:
        return ToolResult.failure(error)
    told = _Reports(report)
    follow = Reported(told.tell)
    run.watch(follow)
    try:
        result = await run
        follow(run)
        await told.sent()
    except asyncio.CancelledError:
        run.cancel()
        raise
    return result


class _Reports:
    """Progress on its way to the client, from whatever thread the work is done in."""

    def __init__(self, report: Report) -> None:
        self._report = report
        self._loop = asyncio.get_running_loop()
        self._waiting: list[Future[None]] = []

    def tell(self, progress: Progress) -> None:
        message = progress.message or None
        sending = self._send(progress.progress, progress.total, message)
        self._waiting.append(asyncio.run_coroutine_threadsafe(sending, self._loop))

    async def _send(self, progress: float, total: float | None, message: str | None) -> None:
        await self._report(progress, total, message)

    async def sent(self) -> None:
        """Wait until everything is sent: what comes after the result is lost."""
        for each in self._waiting:
            await asyncio.wrap_future(each)


def serve(
    tools: Iterable[Tool | Callable[..., Any]],
    transport: str = "stdio",
    name: str = "workbench",
    *,
    host: str = "127.0.0.1",
    port: int = 8000,
    allowed_hosts: Sequence[str] = (),
    allowed_origins: Sequence[str] = (),
) -> None:
    """Serve tools until the client goes, or the process is told to stop; blocks.

    Parameters
    ----------
    tools : iterable of Tool or callable
        What is offered.
    transport : str
        "stdio": the standard streams of this process; what tools print goes to its stderr.
        "streamable-http": ``http://host:port/mcp``, which is told on stderr.
    name : str
        What the server says it is.
    host, port : str, int
        Where it is bound; by default only this machine reaches it; port 0 is a free one. Whoever
        reaches it can call every tool.
    allowed_hosts, allowed_origins : sequence of str
        Names besides the bound one that requests may come with, as "example.org:8000" and
        "https://example.org"; all others are refused.

    Raises
    ------
    ValueError
        If there is no such transport, or it is bound to every address without `allowed_hosts`.
    """
    if transport not in ("stdio", "streamable-http"):
        raise ValueError(f"no transport {transport!r}; there are 'stdio' and 'streamable-http'")
    server = server_of(tools, name)
    if transport == "stdio":
        asyncio.run(run_stdio(server))
    else:
        run_http(server, host, port, allowed_hosts, allowed_origins)
