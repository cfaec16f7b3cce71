"""A server on the SDK's second major that asks back in the way of the older protocol."""

from __future__ import annotations

from mcp.server import MCPServer
from mcp.server.mcpserver import Context
from pydantic import BaseModel

server = MCPServer("pushing")


class Who(BaseModel):
    name: str


@server.tool()
async def greet(ctx: Context) -> str:
    """Greet whoever answers."""
    answer = await ctx.elicit("Who is there?", Who)
    return f"Hello, {answer.data.name}!"


if __name__ == "__main__":
    server.run("stdio")
