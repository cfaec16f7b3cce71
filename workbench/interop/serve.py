"""Any tools as an MCP server, wherever they came from."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workbench.interop.sdk import make_server, run_stdio
from workbench.interop.wire import result_to_wire, tool_to_wire
from workbench.tools.collection import ToolCollection
from workbench.tools.content import blocks
from workbench.tools.result import ToolResult
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

    async def call(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        known = collection.get(tool)
        if known is None:
            text = f"there is no tool {tool!r}; there are {', '.join(collection.names)}"
            return result_to_wire(ToolResult(blocks(text), is_error=True))
        return result_to_wire(await known.arun(arguments))

    return make_server(name, lambda: [tool_to_wire(tool) for tool in collection], call)


def serve(
    tools: Iterable[Tool | Callable[..., Any]], transport: str = "stdio", name: str = "workbench"
) -> None:
    """Serve tools until the client goes; blocks.

    Parameters
    ----------
    tools : iterable of Tool or callable
        What is offered.
    transport : str
        "stdio": the standard streams of this process.
    name : str
        What the server says it is.

    Raises
    ------
    ValueError
        If there is no such transport.
    """
    if transport != "stdio":
        raise ValueError(f"no transport {transport!r}; there is 'stdio'")
    asyncio.run(run_stdio(server_of(tools, name)))
