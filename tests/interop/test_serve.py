"""Tools served over MCP come back through the client as what they were."""

from __future__ import annotations

import sys

import pytest
from PIL import Image

from workbench import AgentAudio, AgentImage, InvalidArguments, MCPClient, ToolError, tool
from workbench.interop import serve, server_of


@tool(annotations={"readOnlyHint": True}, title="Both")
def both(width: int = 3) -> tuple:
    """A picture and its caption."""
    return Image.new("RGB", (width, 2)), "caption"


def sound() -> AgentAudio:
    return AgentAudio([0.0] * 800, 8000)


def record() -> dict[str, int]:
    return {"n": 9007199254740993}


async def later(x: int) -> int:
    return x + 1


def boom() -> None:
    raise KeyError("gone")


@pytest.fixture(scope="module")
def tools():
    with MCPClient(server_of([both, sound, record, later, boom]), structured_output=True) as tools:
        yield tools


def test_definitions_go_there_and_back(tools):
    assert tools["both"].input_schema == both.input_schema
    assert tools["both"].description == "A picture and its caption."
    assert tools["both"].title == "Both"
    assert tools["both"].annotations.read_only_hint is True


def test_results_go_there_and_back(tools):
    picture, caption = tools["both"](width=5)
    assert isinstance(picture, AgentImage)
    assert (picture.size, caption) == ((5, 2), "caption")
    assert tools["sound"]().samplerate == 8000
    assert tools["record"]() == {"n": 9007199254740993}
    assert tools["later"](x=1) == "2"


def test_failures_go_there_and_back(tools):
    with pytest.raises(ToolError, match="gone"):
        tools["boom"]()
    with pytest.raises(InvalidArguments):
        tools["later"](x="one")


def test_serving_on_the_standard_streams(tmp_path):
    script = tmp_path / "mine.py"
    script.write_text(
        "from workbench.interop import serve\ndef twice(text: str) -> str:\n    'Double it.'\n    return text * 2\n"
        "serve([twice])\n"
    )
    with MCPClient([sys.executable, str(script)]) as tools:
        assert tools["twice"]("ab") == "abab"
    with pytest.raises(ValueError, match="carrier"):
        serve([], transport="carrier")
