"""What tools cost, as ratios to pydantic, to Python, or to a peer measured in the same run.

``python benchmarks/tools.py`` prints a table; ``--check`` exits with 1 if a bound is broken.
Rounds of ours and of the floor alternate, and medians of their ratios are compared, so that a
busy machine slows both. Peers are measured where they are installed.
"""

from __future__ import annotations

import asyncio
import importlib
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from pydantic import BaseModel, TypeAdapter, validate_call

from workbench import Tool, ToolCollection

Work = Callable[[], object]


def timed(work: Work) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def ratio(ours: Work, floor: Work, rounds: int = 30) -> tuple[float, float, float]:
    """Median seconds of ours and of the floor, and the median ratio of neighbouring rounds."""
    ours(), floor()
    pairs = [(timed(ours), timed(floor)) for _ in range(rounds)]
    mine, others = (statistics.median(column) for column in zip(*pairs, strict=True))
    return mine, others, statistics.median(a / b for a, b in pairs)


class Inner(BaseModel):
    x: int
    y: str = "a"


class Nested(BaseModel):
    a: int
    inner: Inner
    tags: list[str] = []


def fresh() -> Callable[..., str]:
    """A function of five parameters that nobody has seen before."""

    def search(
        text: str,
        limit: int = 10,
        score: float = 0.5,
        tags: list[str] | None = None,
        where: Nested | None = None,
    ) -> str:
        """Search.

        Args:
            text: What to look for.
            limit: At most so many.
            score: At least so good.
            tags: With these.
            where: And there.
        """
        return text

    return search


def add(a: int, b: int = 2) -> int:
    """Add two numbers.

    Args:
        a: The first.
        b: The second.
    """
    return a + b


def often(call: Callable[..., object], times: int) -> Work:
    def work() -> None:
        for _ in range(times):
            call(a=1, b=2)

    return work


def described(tool: Tool) -> object:
    return tool.input_schema


def cases() -> list[tuple[str, Work, Work, float]]:
    return [
        ("create, 5 parameters / pydantic TypeAdapter", lambda: Tool(fresh()), lambda: TypeAdapter(fresh()), 1.5),
        ("create and describe / TypeAdapter and its schema", lambda: described(Tool(fresh())),
         lambda: TypeAdapter(fresh()).json_schema(), 2.5),
        ("call add / pydantic validate_call", often(Tool(add), 1000), often(validate_call(add), 1000), 3.0),
    ]  # fmt: skip


def many() -> float:
    """Seconds for listing and exporting a collection of 1,000 tools."""
    tools = [Tool(fresh(), name=f"search_{number}") for number in range(1000)]

    def work() -> None:
        collection = ToolCollection(tools)
        repr(collection), [tool.schema("openai") for tool in collection]

    return min(timed(work) for _ in range(3))


def start_of_python() -> tuple[float, float, float]:
    def run(code: str) -> Work:
        return lambda: subprocess.run([sys.executable, "-c", code], check=True)

    return ratio(run("import workbench"), run("pass"), rounds=9)


def _smolagents() -> tuple[Work, Work]:
    made = importlib.import_module("smolagents").tool
    return lambda: made(add), often(made(add), 200)


def _dspy() -> tuple[Work, Work]:
    made = importlib.import_module("dspy").Tool
    return lambda: made(fresh()), often(made(add), 20)


def _langchain() -> tuple[Work, Work]:
    made = importlib.import_module("langchain_core.tools").StructuredTool.from_function
    tool = made(add)
    return lambda: made(fresh()), often(lambda **given: tool.invoke(given), 20)


def _mcp() -> tuple[Work, Work]:
    module = importlib.import_module
    try:
        server = module("mcp.server.mcpserver")
    except ImportError:
        server = module("mcp.server.fastmcp")
    made = module(f"{server.__name__}.tools.base").Tool.from_function
    tool, context = made(add), server.Context()
    return lambda: made(fresh()), often(lambda **given: asyncio.run(tool.run(given, context)), 20)


PEERS = {
    "smolagents": (_smolagents, 200, None),
    "dspy": (_dspy, 20, 50.0),
    "langchain": (_langchain, 20, 50.0),
    "mcp": (_mcp, 20, None),
}
"""How each is measured, over how many calls, and how many times faster our call must be."""


def peers() -> int:
    broken = 0
    for name, (make, calls, bound) in PEERS.items():
        try:
            create, call = make()
        except ImportError:
            print(f"{name} is not installed: not measured")
            continue
        mine, other, times = ratio(lambda: Tool(fresh()), create, rounds=10)
        report(f"create / {name}", mine, other, times, 1.0 if name != "smolagents" else None)
        broken += times > 1.0 and name != "smolagents"
        mine, other, times = ratio(often(Tool(add), calls), call, rounds=10)
        report(f"call / {name}", mine, other, times, 1 / bound if bound else None)
        broken += bound is not None and times > 1 / bound
    return broken


def report(name: str, mine: float, other: float, times: float, bound: float | None = None) -> None:
    print(f"{name:<52} {mine * 1e3:9.3f} {other * 1e3:9.3f} {times:7.3f}  {bound or ''}")


def main() -> int:
    broken = 0
    print(f"{'case':<52} {'ours ms':>9} {'other ms':>9} {'ratio':>7}  bound")
    for name, ours, floor, bound in cases():
        mine, other, times = ratio(ours, floor)
        report(name, mine, other, times, bound)
        broken += times > bound
    seconds = many()
    report("1,000 tools listed and exported / 1 s", seconds, 1.0, seconds, 1.0)
    mine, other, times = start_of_python()
    report("import workbench / bare Python", mine, other, times, 1.3)
    broken += (seconds > 1.0) + (times > 1.3) + peers()
    return int(broken > 0 and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
