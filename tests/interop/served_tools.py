"""What tests serve in a process of its own: a module that also prints where it should not."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from PIL import Image

from workbench import tool
from workbench.tools import current_run

print("this module prints when it is imported")


@tool(annotations={"readOnlyHint": True}, title="A square")
def square(side: int = 4) -> Image.Image:
    """Draw a square."""
    print("drawing")
    os.write(1, b"not by Python's streams\n")
    return Image.new("RGB", (side, side), "teal")


@tool
def steps(count: int) -> dict[str, int]:
    """Work in steps."""
    for number in range(1, count + 1):
        current_run().report(number, count, f"step {number}")
    return {"done": count}


@tool
async def forever(mark: str) -> str:
    """Work until somebody says stop; then leave a mark."""
    Path(mark).write_text("started")
    try:
        await asyncio.sleep(3600)
    finally:
        Path(mark).write_text("stopped")
    return "never"
