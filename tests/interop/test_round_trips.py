"""One tool through every pair of formats, and back: what it says and what it does stay the same.

A format is left out where its library is not installed. Code is a first stop only: what lives in
another library, or on a server, has no code here. A Gradio app has components instead of a schema,
so that only names, types and what is required are compared of it.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
from typing import Literal

import pytest
from PIL import Image

from workbench import MCPClient, Tool, tool
from workbench.interop import demo_of, server_of


@tool
def repeat(text: str, times: int = 2, style: Literal["plain", "loud"] = "plain") -> str:
    """Say something more than once.

    Args:
        text: What to say.
        times: How often.
    """
    said = " ".join([text] * times)
    return said.upper() if style == "loud" else said


@tool
def turned(picture: Image.Image, angle: float = 90) -> Image.Image:
    """Turn a picture.

    Args:
        picture: Which one.
    """
    return picture.rotate(angle, expand=True)


@tool
def total(prices: list[float], names: dict[str, int] | None = None) -> dict[str, float]:
    """Add up."""
    return {"total": sum(prices), "named": float(len(names or {}))}


CALLS = {
    "repeat": ({"text": "ab", "times": 3, "style": "loud"}, "AB AB AB"),
    "turned": ({"picture": Image.new("RGB", (4, 2), "teal")}, (2, 4)),
    "total": ({"prices": [1.5, 2], "names": {"a": 1}}, {"total": 3.5, "named": 1.0}),
}


def by_code(made: Tool, opened: contextlib.ExitStack) -> Tool:
    return Tool.from_dict(made.to_dict(), trust_remote_code=True)


def by_mcp(made: Tool, opened: contextlib.ExitStack) -> Tool:
    client = MCPClient(server_of([made]), structured_output=True)
    return opened.enter_context(client)[made.name]


WAYS = {
    "code": (None, by_code),
    "mcp": (None, by_mcp),
    "langchain": ("langchain_core", lambda made, _: Tool.from_langchain(made.to_langchain())),
    "dspy": ("dspy", lambda made, _: Tool.from_dspy(made.to_dspy())),
    "smolagents": ("smolagents", lambda made, _: Tool.from_smolagents(made.to_smolagents())),
    "gradio": ("gradio", lambda made, _: Tool.from_gradio(demo_of(made))),
}
STOPS = [way for way in WAYS if way != "code"]
PAIRS = [(first, second) for first in WAYS for second in STOPS]
TOOLS = {made.name: made for made in (repeat, turned, total)}


def there(way: str) -> bool:
    package = WAYS[way][0]
    return package is None or importlib.util.find_spec(package) is not None


def kinds(made: Tool) -> dict[str, object]:
    types = {name: view["type"] for name, view in made.inputs.items()}
    return {**types, "required": made.input_schema["required"]}


def check(first: str, second: str, name: str) -> None:
    """Send a tool through two formats, and compare what comes out."""
    made = TOOLS[name]
    with contextlib.ExitStack() as opened:
        back = WAYS[second][1](WAYS[first][1](made, opened), opened)
        assert (back.name, back.description) == (made.name, made.description)
        view = kinds if "gradio" in (first, second) else (lambda each: each.input_schema)
        assert view(back) == view(made)
        arguments, expected = CALLS[name]
        value = back(**arguments)
        if isinstance(value, str) and not isinstance(expected, str):
            # DSPy has no schema of results, without which a server sends a record as text.
            value = json.loads(value)
        assert getattr(value, "size", value) == expected, (first, second, name, value)


@pytest.mark.parametrize("name", TOOLS)
@pytest.mark.parametrize(("first", "second"), [pair for pair in PAIRS if "gradio" not in pair])
def test_a_tool_goes_there_and_back(first, second, name):
    if not (there(first) and there(second)):
        pytest.skip(f"{first} or {second} is not installed")
    check(first, second, name)


def test_a_tool_goes_through_gradio_there_and_back(in_child):
    """Apps leave threads behind, so they are opened in a process of their own.

    Gradio has no component for lists and objects: the third tool would come back with JSON as
    text. Where a format does not say that a picture comes out, Gradio has no component for it.
    """
    if not there("gradio"):
        pytest.skip("gradio is not installed")
    pairs = [pair for pair in PAIRS if "gradio" in pair and all(map(there, pair))]
    assert len(pairs) >= 5
    says_what_comes_out = [p for p in pairs if p[0] in ("code", "gradio") or p[1] != "gradio"]
    calls = [f"check(*{pair!r}, 'repeat')" for pair in pairs]
    calls += [f"check(*{pair!r}, 'turned')" for pair in says_what_comes_out]
    in_child(f"import os, sys\nfrom test_round_trips import check\n{'; '.join(calls)}\nsys.stdout.flush()\nos._exit(0)")  # fmt: skip
