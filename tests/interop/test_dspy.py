"""Tools in DSPy's programs, and DSPy's tools here, with the real package and its dummy LM."""

from __future__ import annotations

import asyncio

import pytest
from PIL import Image
from pydantic import BaseModel

from workbench import AgentAudio, AgentImage, InvalidArguments, Tool, ToolDefinitionError, tool

dspy = pytest.importorskip("dspy")


@tool
def paint(color: str, size: int = 4) -> Image.Image:
    """Paint a square.

    Args:
        color: Its colour
    """
    return Image.new("RGB", (size, size), color)


@tool
def area(picture: Image.Image) -> int:
    """Measure a picture."""
    return picture.size[0] * picture.size[1]


@tool
async def later(x: int) -> int:
    """Wait."""
    return x + 1


class Point(BaseModel):
    x: int


class Node(BaseModel):
    name: str
    children: list[Node] = []


@tool
def count(root: Node) -> int:
    """Count children."""
    return len(root.children)


@pytest.fixture
def react():
    def run(steps, tools, is_async=False):
        turns = [
            {"next_thought": "t", "next_tool_name": n, "next_tool_args": a}
            for n, a in (*steps, ("finish", "{}"))
        ]
        lm = dspy.utils.DummyLM([*turns, {"reasoning": "r", "answer": "done"}])
        program = dspy.ReAct("question -> answer", tools=[t.to_dspy() for t in tools])
        with dspy.context(lm=lm):
            made = asyncio.run(program.acall(question="q")) if is_async else program(question="q")
        return made, lm.history

    return run


def test_what_is_said_of_a_tool_is_kept():
    theirs = paint.to_dspy()
    assert (theirs.name, theirs.desc) == ("paint", "Paint a square.")
    assert theirs.args["color"] == {"type": "string", "description": "Its colour"}
    assert theirs.format_as_litellm_function_call() == paint.schema("litellm")


def test_a_recursive_schema_is_carried_whole():
    theirs = count.to_dspy()
    assert theirs(root={"name": "a", "children": [{"name": "b"}]}) == 1
    parameters = theirs.format_as_litellm_function_call()["function"]["parameters"]
    assert parameters["$defs"]["Node"]["properties"]["children"]["items"] == {
        "$ref": "#/$defs/Node"
    }
    assert theirs.args["root"]["properties"]["name"]["type"] == "string"


@pytest.mark.parametrize("is_async", [False, True])
def test_an_agent_calls_our_tools_and_its_model_sees_the_picture(react, is_async):
    made, history = react([("paint", '{"color": "blue"}')], [paint], is_async)
    assert made.answer == "done"
    assert AgentImage(made.trajectory["observation_0"].url).size == (4, 4)
    seen = [
        part["type"]
        for message in history[1]["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
    ]
    assert "image_url" in seen


def test_an_agent_reads_what_was_wrong(react):
    made, _ = react(
        [("paint", '{"color": 5}'), ("area", '{"picture": "no picture"}')], [paint, area]
    )
    assert "color: must be text" in made.trajectory["observation_0"]
    assert "InvalidArguments" in made.trajectory["observation_1"]


def test_an_async_tool_inside_an_async_agent(react):
    made, _ = react([("later", '{"x": 1}')], [later], is_async=True)
    assert made.trajectory["observation_0"] == 2


def test_async_tools_follow_dspys_own_setting():
    with pytest.raises(ValueError, match="async"):
        later.to_dspy()(x=1)
    with dspy.context(allow_tool_async_sync_conversion=True):
        assert later.to_dspy()(x=1) == 2


def test_native_values_and_sounds():
    assert area.to_dspy()(picture=AgentImage(Image.new("RGB", (3, 5)))) == 15
    theirs = tool(lambda: AgentAudio([0.0] * 80, 8000), name="beep", desc="Beep.").to_dspy()
    assert theirs().audio_format == "wav"
    assert Tool.from_dspy(theirs)().samplerate == 8000


def test_failures_raise_with_their_cause():
    theirs = tool(lambda: {}["gone"], name="broken", desc="Break.").to_dspy()
    with pytest.raises(RuntimeError, match="gone") as raised:
        theirs()
    assert isinstance(raised.value.__cause__, KeyError)


def test_a_dspy_tool_here():
    def repeat(text: str, times: int = 2) -> str:
        """Repeat."""
        return text * times

    ours = Tool.from_dspy(dspy.Tool(repeat, arg_desc={"text": "What"}))
    assert (ours.name, ours.description) == ("repeat", "Repeat.")
    assert ours.args == {
        "text": {"type": "string", "description": "What"},
        "times": {"type": "integer", "default": 2},
    }
    assert ours("ab", 3) == "ababab"
    assert [str(p) for p in ours.run({"text": "a", "z": 1}).problems] == [
        "z: is not known; known are 'text', 'times'"
    ]


def test_an_async_dspy_tool_here():
    async def wait(x: int) -> int:
        """Wait."""
        return x

    ours = Tool.from_dspy(dspy.Tool(wait))
    assert ours.is_async
    assert asyncio.run(ours.acall(x=3)) == 3


def test_dspys_types_and_records_arrive():
    ours = Tool.from_dspy(
        dspy.Tool(lambda: dspy.Image(Image.new("RGB", (2, 3))), name="draw", desc="Draw.")
    )
    assert ours().size == (2, 3)

    def read(point: Point) -> int:
        return point.x

    assert Tool.from_dspy(dspy.Tool(read))(point=Point(x=4)) == 4


def test_what_is_no_dspy_tool():
    with pytest.raises(ToolDefinitionError, match=r"dspy\.Tool has"):
        Tool.from_dspy(len)
    with pytest.raises(InvalidArguments):
        paint.to_dspy()(colour="red")
