"""What a call over MCP costs, as ratios to the bare SDK on the same server in the same run.

``python benchmarks/mcp.py`` prints a table; ``--check`` exits with 1 if a bound is broken. Each
client has a server process of its own, of this file's making; rounds of ours and of the other
alternate, and medians of their ratios are compared, so that a busy machine slows both. Peers are
measured where they are installed.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import inspect
import logging
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

from workbench import MCPClient
from workbench.demo.sdk import Server

COMMAND = [sys.executable, __file__, "--serve"]
CALLS, AT_ONCE, TOOLS = 50, 50, 1000
GIVEN = {"text": "hello"}

Call = Callable[[], Awaitable[object]]
Work = Callable[[], object]
"""May give an awaitable, which is awaited."""


def serve() -> None:
    logging.disable()
    server = Server("benchmark")

    def echo(text: str, times: int = 1) -> str:
        """Say it again."""
        return text * times

    server.tool()(echo)
    for number in range(TOOLS - 1):
        server.tool(name=f"tool_{number}", description=f"Tool number {number}.")(echo)
    server.run("stdio")


class Raw:
    """The bare SDK, of either major."""

    def __init__(self, session: Any) -> None:
        self.session = session

    async def call(self) -> object:
        return await self.session.call_tool("echo", dict(GIVEN))

    async def list(self) -> list[Any]:
        fresh = {"cache_mode": "refresh"} if hasattr(self.session, "protocol_version") else {}
        found, cursor = [], None
        while True:
            page = await self.session.list_tools(cursor=cursor, **fresh)
            found += page.tools
            cursor = getattr(page, "next_cursor", None) or getattr(page, "nextCursor", None)
            if not cursor:
                return found


@contextlib.asynccontextmanager
async def raw_session() -> AsyncIterator[Any]:
    from mcp.client.stdio import StdioServerParameters, stdio_client

    parameters = StdioServerParameters(command=COMMAND[0], args=COMMAND[1:])
    if hasattr(importlib.import_module("mcp"), "Client"):
        async with importlib.import_module("mcp").Client(stdio_client(parameters)) as client:
            yield client
        return
    from mcp import ClientSession

    async with stdio_client(parameters) as streams, ClientSession(*streams[:2]) as session:
        await session.initialize()
        yield session


async def in_turn(call: Call) -> None:
    for _ in range(CALLS):
        await call()


async def at_once(call: Call) -> None:
    await asyncio.gather(*(call() for _ in range(AT_ONCE)))


async def timed(work: Work) -> float:
    start = time.perf_counter()
    made = work()
    if inspect.isawaitable(made):
        await made
    return time.perf_counter() - start


async def ratio(ours: Work, other: Work, rounds: int = 15) -> tuple[float, float, float]:
    """Median seconds of ours and of the other, and the median ratio of neighbouring rounds."""
    await timed(ours), await timed(other)
    pairs = [(await timed(ours), await timed(other)) for _ in range(rounds)]
    mine, others = (statistics.median(column) for column in zip(*pairs, strict=True))
    return mine, others, statistics.median(a / b for a, b in pairs)


def cases(client: MCPClient, raw: Raw) -> list[tuple[str, Work, Work, float]]:
    echo = client.get_tools()["echo"]

    def sync() -> None:
        for _ in range(CALLS):
            echo(**GIVEN)

    async def acall() -> object:
        return await echo.acall(**GIVEN)

    return [
        ("sync call from a thread / awaited call", sync, lambda: in_turn(raw.call), 1.3),
        ("acall / awaited call", lambda: in_turn(acall), lambda: in_turn(raw.call), 1.1),
        ("50 at once / 50 at once", lambda: at_once(acall), lambda: at_once(raw.call), 1 / 0.9),
        ("list 1,000 tools / list_tools", client.refresh, raw.list, 1.2),
    ]


def report(name: str, mine: float, other: float, times: float, bound: float | None = None) -> None:
    print(f"{name:<44} {mine * 1e3:9.2f} {other * 1e3:9.2f} {times:7.3f}  {bound or ''}")


async def measured() -> int:
    broken = 0
    client = await asyncio.to_thread(MCPClient, COMMAND)
    async with raw_session() as session:
        for name, ours, other, bound in cases(client, Raw(session)):
            mine, others, times = await ratio(ours, other)
            report(name, mine, others, times, round(bound, 2))
            broken += times > bound
    await asyncio.to_thread(client.disconnect)
    return broken


def main() -> int:
    print(f"{'case':<44} {'ours ms':>9} {'other ms':>9} {'ratio':>7}  bound")
    broken = asyncio.run(measured())
    return int(broken > 0 and "--check" in sys.argv)


if __name__ == "__main__":
    if "--serve" in sys.argv:
        serve()
    else:
        sys.exit(main())
