"""What the panel costs, as ratios to a peer or to itself measured in the same run.

``python benchmarks/bench.py`` prints a table; ``--check`` exits with 1 if a bound is broken. Rounds
of ours and of the other alternate. The peer of a click is ``ipywidgets.interact_manual`` with the
same tool, in the same kernel, as a page speaks to it; that of ``workbench call`` is the command
line of the MCP Inspector (``WORKBENCH_NODE_SERVERS`` names the folder where it is installed).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from jupyter_client.manager import start_new_kernel

from workbench import Tool, Workbench

PATIENCE_S = 60
PREPARED = """
import workbench, ipywidgets

def nothing() -> str:
    return "done"

bench = workbench.Workbench(nothing)
peer = ipywidgets.interact_manual(nothing).widget
button = next(w for w in peer.children if isinstance(w, ipywidgets.Button))
for _ in range(3):
    bench.run("nothing")
display(bench)
"""
Timed = Callable[[], object]


def seconds(work: Timed) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def alternate(ours: Timed, other: Timed, rounds: int) -> tuple[float, float]:
    """Median seconds of both."""
    ours(), other()
    pairs = [(seconds(ours), seconds(other)) for _ in range(rounds)]
    mine, others = (statistics.median(column) for column in zip(*pairs, strict=True))
    return mine, others


class Kernel:
    """A kernel with a panel and its peer, clicked as a page clicks."""

    def __init__(self) -> None:
        self.manager, self.client = start_new_kernel(startup_timeout=PATIENCE_S)
        self.seen: list[dict] = []
        self.run(PREPARED)
        self.form, self.viewer, self.button = (
            self.value(f"{name}.model_id")
            for name in ("bench.panel.form", "bench.panel.stage.viewer", "button")
        )

    def stop(self) -> None:
        self.client.stop_channels()
        self.manager.shutdown_kernel(now=True)

    def until(self, holds: Callable[[dict], bool]) -> dict:
        while True:
            message = self.client.get_iopub_msg(timeout=PATIENCE_S)
            self.seen.append(message)
            if holds(message):
                return message

    def _ends(self, number: str) -> Callable[[dict], bool]:
        return lambda message: (
            message["parent_header"].get("msg_id") == number
            and message["content"].get("execution_state") == "idle"
        )

    def run(self, source: str) -> None:
        self.until(self._ends(self.client.execute(source)))

    def value(self, source: str) -> str:
        number = self.client.execute(source)
        result = self.until(
            lambda m: m["msg_type"] == "execute_result" and m["parent_header"]["msg_id"] == number
        )
        self.until(self._ends(number))
        return result["content"]["data"]["text/plain"].strip("'")

    def click(self, model: str, content: dict) -> str:
        data = {"method": "custom", "content": content}
        message = self.client.session.msg("comm_msg", {"comm_id": model, "data": data})
        self.client.shell_channel.send(message)
        return message["header"]["msg_id"]

    def ours(self) -> None:
        """Press Run, until the page has the result of this call."""
        self.click(self.form, {"op": "run"})
        self.until(
            lambda m: (
                m["content"].get("comm_id") == self.viewer
                and m["content"]["data"].get("state", {}).get("head", {}).get("status") == "done"
            )
        )

    def others(self) -> None:
        """Press the button of `interact_manual`, until it has displayed what came."""
        self.until(self._ends(self.click(self.button, {"event": "click"})))

    def traffic(self, press: Timed) -> tuple[int, int]:
        """Messages and bytes of one press, with all that comes after it."""
        self.run("None")
        self.seen.clear()
        press()
        # What the panel draws a little later counts too.
        self.run("bench.panel.refresh()")
        own = [m for m in self.seen if m["msg_type"] not in ("status", "execute_input")]
        size = sum(
            len(json.dumps(m["content"], default=str)) + sum(map(len, m["buffers"])) for m in own
        )
        return len(own), size


def many(count: int) -> Workbench:
    """A workbench of many tools."""

    def tool(number: int) -> Tool:
        def work(text: str, limit: int = 10) -> str:
            """Work on a text."""
            return text

        work.__name__ = f"work_{number}"
        return Tool(work)

    return Workbench(*[tool(number) for number in range(count)])


def with_calls(count: int) -> Workbench:
    """A workbench whose one tool has been called so often."""

    def nothing(n: int) -> str:
        return "done"

    bench = Workbench(nothing)
    for number in range(count):
        bench.run("nothing", n=number)
    return bench


def row(name: str, ours: str, other: str, ratio: float, bound: float | None) -> bool:
    """Print a row; whether its bound is broken."""
    broken = bound is not None and ratio > bound
    said = "" if bound is None else f"<= {bound:g}{'  BROKEN' if broken else ''}"
    print(f"{name:<48} {ours:>12} {other:>12} {ratio:8.2f}  {said}")
    return broken


def ms(value: float) -> str:
    return f"{value * 1e3:.2f} ms"


def clicks() -> int:
    kernel = Kernel()
    try:
        mine, other = alternate(kernel.ours, kernel.others, 40)
        sent, size = kernel.traffic(kernel.ours)
        sent_there, size_there = kernel.traffic(kernel.others)
    finally:
        kernel.stop()
    return (
        row("click to result, a tool that does nothing", ms(mine), ms(other), mine / other, 2)
        + row("  its messages", str(sent), str(sent_there), sent / sent_there, 2)
        + row("  their bytes", str(size), str(size_there), size / size_there, None)
    )


def panels() -> int:
    few, more = many(10), many(1_000)
    mine, other = alternate(lambda: panel_of(more), lambda: panel_of(few), 10)
    broken = row("panel with 1,000 tools, to one with 10", ms(mine), ms(other), mine / other, 5)
    short, long = with_calls(100), with_calls(10_000)
    mine, other = alternate(long.panel.refresh, short.panel.refresh, 30)
    return broken + row(
        "drawing after 10,000 calls, to 100", ms(mine), ms(other), mine / other, 1.5
    )


def panel_of(bench: Workbench) -> None:
    from workbench.bench.panel import Panel

    Panel(bench).close()


def commands() -> int:
    folder = Path(os.environ.get("WORKBENCH_NODE_SERVERS", ""))
    inspector = folder / "mcp-inspector"
    if not folder.name or not inspector.exists():
        print("the MCP Inspector is not installed: workbench call is not compared")
        return 0
    server = str(folder / "mcp-server-everything")
    ours = [sys.executable, "-m", "workbench", "call", server, "echo", "--arg", "message=hi"]
    theirs = [str(inspector), "--cli", server, "--method", "tools/call",
              "--tool-name", "echo", "--tool-arg", "message=hi"]  # fmt: skip
    mine, other = alternate(lambda: called(ours), lambda: called(theirs), 5)
    return row("workbench call, to the Inspector's", ms(mine), ms(other), mine / other, None)


def called(command: list[str]) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S)
    assert "hi" in done.stdout, done.stderr


def main() -> int:
    print(f"{'case':<48} {'ours':>12} {'other':>12} {'ratio':>8}  bound")
    broken = clicks() + panels() + commands()
    return int(broken > 0 and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
