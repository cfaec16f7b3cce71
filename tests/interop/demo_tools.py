"""Tools that are opened as Gradio apps.

Run as a script it prints the addresses by name, and serves until its standard input ends.
"""

from __future__ import annotations

import json
import sys
from typing import Any, Literal

import numpy as np
from PIL import Image

from workbench import AgentAudio, launch_gradio_demo, tool


@tool
def every(
    text: str,
    count: int,
    share: float = 0.5,
    loud: bool = False,
    style: Literal["short", "long"] = "short",
    tags: list[str] | None = None,
    extra: dict[str, Any] | None = None,
    anything: Any = None,
) -> dict[str, Any]:
    """Give back what came."""
    return dict(locals())


@tool
async def turned(picture: Image.Image) -> Image.Image:
    """Turn it."""
    return picture.rotate(90, expand=True)


@tool
def halved(sound: AgentAudio) -> AgentAudio:
    """Half as loud."""
    return AgentAudio(np.asarray(sound) / 2, sound.samplerate)


@tool
def nothing(n: int) -> None:
    """Do nothing, or fail."""
    if n < 0:
        raise ValueError("n is below 0")


def address(tool):
    return launch_gradio_demo(tool, prevent_thread_lock=True, quiet=True)[1]


if __name__ == "__main__":
    found = {each.name: address(each) for each in (every, turned, halved, nothing)}
    print(json.dumps(found), flush=True)
    sys.stdin.read()
