"""Tools of servers and sessions for those who do not want a client of their own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.errors import UntrustedCodeError
from workbench.sources.mcp.client import MCPClient
from workbench.sources.mcp.given import targets_from
from workbench.sources.mcp.naming import python_name
from workbench.sources.mcp.sdk import plain
from workbench.sources.mcp.session_tool import SessionTool
from workbench.tools.collection import ToolCollection

__all__ = ["collection_from_mcp", "tool_from_session"]


def collection_from_mcp(
    server_parameters: Any, *, trust_remote_code: bool = False, structured_output: bool = False
) -> ToolCollection:
    """The tools of servers as a collection whose ``with`` block ends the connections.

    Raises
    ------
    UntrustedCodeError
        Without `trust_remote_code`, before anything has started.
    """
    if not trust_remote_code:
        named = ", ".join(repr(str(target)) for target in targets_from(server_parameters))
        raise UntrustedCodeError(
            f"this would start or reach {named}, whose code is not checked by anyone; nothing has "
            "run. If you trust it, pass trust_remote_code=True"
        )
    return MCPClient(server_parameters, structured_output=structured_output).get_tools()


def tool_from_session(session: Any, tool: Any, *, result_mode: str = "text") -> SessionTool:
    """A tool of a session that the caller owns, on the loop where the caller uses it.

    Raises
    ------
    ValueError
        If `result_mode` is neither "text" nor "structured".
    """
    if result_mode not in ("text", "structured"):
        raise ValueError(f"result_mode must be 'text' or 'structured', got {result_mode!r}")
    definition = tool if isinstance(tool, Mapping) else plain(tool)

    async def caller(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        answer = await session.call_tool(name, arguments=dict(arguments))
        return dict(answer) if isinstance(answer, Mapping) else plain(answer)

    return SessionTool(
        definition,
        caller,
        name=python_name(str(definition.get("name", ""))),
        source="an MCP session",
        structured_output=result_mode == "structured",
    )
