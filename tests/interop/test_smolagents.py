"""Tools in smolagents' agents, and smolagents' tools here, with the real package."""

from __future__ import annotations

import importlib.util
from enum import Enum

import pytest
from PIL import Image

from workbench import AgentAudio, AgentImage, Tool, ToolDefinitionError, tool, wrap

smolagents = pytest.importorskip("smolagents")


class Scripted(smolagents.Model):
    """A model that says its lines."""

    def __init__(self, *lines):
        super().__init__()
        self.lines, self.seen = list(lines), []

    def generate(self, messages, **options):
        self.seen.append((messages, options))
        line = self.lines.pop(0)
        if isinstance(line, str):
            return smolagents.ChatMessage(role="assistant", content=line)
        name, arguments = line
        function = smolagents.models.ChatMessageToolCallFunction(name=name, arguments=arguments)
        call = smolagents.models.ChatMessageToolCall(
            id=str(len(self.seen)), type="function", function=function
        )
        return smolagents.ChatMessage(role="assistant", content=None, tool_calls=[call])


class Color(Enum):
    RED = "red"
    BLUE = "blue"


@tool
def paint(color: Color, size: int | None = None) -> Image.Image:
    """Paint a square.

    Args:
        color: Its colour
    """
    return Image.new("RGB", (size or 4, size or 4), color.value)


@tool
def area(picture: Image.Image) -> int:
    """Measure a picture."""
    return picture.size[0] * picture.size[1]


@tool
async def later(x: int) -> int:
    """Wait."""
    return x + 1


def agent_of(kind, tools, *lines):
    model = Scripted(*lines)
    return kind(
        tools=[each.to_smolagents() for each in tools], model=model, verbosity_level=0
    ), model


def test_what_is_said_of_a_tool_is_kept():
    theirs = paint.to_smolagents()
    assert (theirs.name, theirs.description, theirs.output_type) == (
        "paint",
        "Paint a square.",
        "any",
    )
    color = theirs.inputs["color"]
    assert (color["type"], color["enum"], color["description"]) == (
        "string",
        ["red", "blue"],
        "Its colour",
    )
    assert theirs.inputs["size"] == {
        "type": "integer",
        "default": None,
        "description": "size",
        "nullable": True,
    }


def test_a_tool_calling_agent_passes_a_picture_on():
    agent, model = agent_of(
        smolagents.ToolCallingAgent, [paint, area],
        ("paint", {"color": "red", "size": 3}), ("area", {"picture": "image.png"}), ("final_answer", {"answer": "9"}),
    )  # fmt: skip
    assert agent.run("q") == "9"
    assert agent.state["image.png"].to_raw().size == (3, 3)
    assert "9" in str(model.seen[2][0][-1].content)


def test_a_code_agent_gets_values_of_its_own_kind():
    code = "<code>\npicture = paint(color='blue', size=2)\nfinal_answer(area(picture) + later(1))\n</code>"
    agent, _ = agent_of(smolagents.CodeAgent, [paint, area, later], code)
    assert agent.run("q") == 6


def test_an_agent_reads_what_was_wrong_and_goes_on():
    agent, model = agent_of(
        smolagents.ToolCallingAgent,
        [paint],
        ("paint", {"color": "pink"}),
        ("final_answer", {"answer": "gave up"}),
    )
    assert agent.run("q") == "gave up"
    assert "color: must be one of" in str(model.seen[1][0][-1].content)


def test_an_agents_outputs_are_understood():
    theirs = smolagents.AgentImage(Image.new("RGB", (5, 6)))
    assert isinstance(wrap(theirs), AgentImage)
    assert wrap(theirs, "image").size == (5, 6)
    text, picture = wrap([smolagents.AgentText("hi"), theirs])
    assert (type(text).__module__, text, picture.size) == ("workbench.types.text", "hi", (5, 6))


@pytest.mark.skipif(importlib.util.find_spec("torch") is not None, reason="torch is here")
def test_sound_stays_ours_where_theirs_cannot_be_made():
    theirs = tool(lambda: AgentAudio([0.0] * 80, 8000), name="beep", desc="Beep.").to_smolagents()
    assert theirs(sanitize_inputs_outputs=True).samplerate == 8000


@pytest.fixture
def repeat():
    # smolagents looks at the source, and takes only one decorator with the name it knows.
    from smolagents import tool

    @tool
    def repeat(text: str, times: int = 2) -> str:
        """Repeat a text.

        Args:
            text: What
            times: How often
        """
        return text * times

    return repeat


class Shape(smolagents.Tool):
    name = "shape"
    description = "Measure."
    inputs = {
        "picture": {"type": "image", "description": "Of what"},
        "unit": {"type": "string", "description": "In what", "nullable": True},
    }
    output_type = "image"

    def setup(self):
        self.calls = 0
        self.is_initialized = True

    def forward(self, picture, unit: str | None = None):
        self.calls += 1
        return picture.resize((1, 1))


def test_a_decorated_tool_here(repeat):
    ours = Tool.from_smolagents(repeat)
    assert (ours.name, ours.description) == ("repeat", "Repeat a text.")
    assert ours.args["text"] == {"type": "string", "description": "What"}
    assert ours.input_schema["required"] == ["text"]
    assert (ours("ab"), ours("ab", 3), ours(times=1, text="x")) == ("abab", "ababab", "x")
    assert ours.run({"text": 5}).is_error


def test_a_class_with_a_picture_here():
    ours = Tool.from_smolagents(Shape())
    assert ours.args["picture"]["contentMediaType"] == "image/*"
    result = ours(AgentImage(Image.new("RGB", (3, 4))))
    assert isinstance(result, AgentImage)
    assert result.size == (1, 1)
    assert ours.run({"picture": "AAAA"}).is_error


def test_what_is_no_smolagents_tool():
    with pytest.raises(ToolDefinitionError, match=r"smolagents\.Tool has"):
        Tool.from_smolagents(Shape)
