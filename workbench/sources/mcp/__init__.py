"""MCP servers as tools, with either major of the official SDK."""

from workbench.sources.mcp.client import MCPClient
from workbench.sources.mcp.oauth import OAuth
from workbench.sources.mcp.trusted import collection_from_mcp, tool_from_session

__all__ = ["MCPClient", "OAuth", "collection_from_mcp", "tool_from_session"]
