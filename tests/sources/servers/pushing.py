"""A server on the SDK's second major that asks back in the way of the older protocol."""

from pydantic import BaseModel


class Who(BaseModel):
    name: str


def main():
    # Here, since the first major has neither, and whoever collects tests imports this file.
    from mcp.server import MCPServer
    from mcp.server.mcpserver import Context

    server = MCPServer("pushing")

    @server.tool()
    async def greet(ctx: Context) -> str:
        """Greet whoever answers."""
        answer = await ctx.elicit("Who is there?", Who)
        return f"Hello, {answer.data.name}!"

    server.run("stdio")


if __name__ == "__main__":
    main()
