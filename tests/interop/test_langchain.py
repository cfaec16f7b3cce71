"""LangChain's tools as ours, and ours as theirs, with the real package."""

from __future__ import annotations

import asyncio
import copy

import pytest
from PIL import Image

from workbench import (
    AgentImage,
    AsyncToolError,
    Tool,
    ToolCollection,
    ToolDefinitionError,
    ToolError,
    tool,
)

lc = pytest.importorskip("langchain_core.tools")
pydantic = pytest.importorskip("pydantic")


@lc.tool(parse_docstring=True)
def scaled(a: int, b: int | None = None) -> int:
    """Scale a number.

    Args:
        a: What is scaled
        b: By how much
    """
    return a * (b or 1)


class Query(pydantic.BaseModel):
    q: str = pydantic.Field(description="What to look for")
    most: int = pydantic.Field(3, ge=1)


async def search(q: str, most: int = 3) -> str:
    return q * most


def pictured(size: int):
    return "a caption", Image.new("RGB", (size, 2))


BY_MODEL = lc.StructuredTool.from_function(
    lambda q, most=3: q * most, name="Search_It", description="Find.", args_schema=Query
)
BY_DICT = lc.StructuredTool.from_function(
    lambda **given: given["q"], name="by_dict", description="Find.",
    args_schema={"type": "object", "properties": {"q": {"type": "string", "description": "What"}}, "required": ["q"]},
)  # fmt: skip
ASYNC_ONLY = lc.StructuredTool.from_function(coroutine=search, name="search", description="Find.")
PICTURED = lc.StructuredTool.from_function(
    pictured, name="pictured", description="Draw.", response_format="content_and_artifact"
)


def test_what_is_said_of_a_tool_is_kept():
    found = Tool.from_langchain(BY_MODEL)
    assert (found.name, found.description) == ("Search_It", "Find.")
    assert found.args["q"] == {"type": "string", "description": "What to look for"}
    assert found.args["most"] == {"type": "integer", "default": 3, "minimum": 1}
    assert found.input_schema["required"] == ["q"]
    assert Tool.from_langchain(BY_DICT).args["q"]["description"] == "What"


@pytest.mark.parametrize(
    "call",
    [lambda t: t(2, 5), lambda t: t(2, b=5), lambda t: t(a=2, b=5), lambda t: t({"a": 2, "b": 5})],
)
def test_positional_arguments_go_where_they_belong(call):
    assert call(Tool.from_langchain(scaled)) == 10
    assert Tool.from_langchain(scaled)(2, None) == 2


def test_the_source_is_not_changed():
    before = copy.deepcopy((scaled.args, BY_DICT.args_schema))
    for each in (scaled, BY_DICT):
        Tool.from_langchain(each).input_schema["properties"].clear()
    assert (scaled.args, BY_DICT.args_schema) == before


def test_wrong_arguments_never_reach_the_tool():
    result = Tool.from_langchain(BY_MODEL).run({"q": 1, "most": 0, "z": 1})
    assert [problem.path for problem in result.problems][:2] == [("q",), ("most",)]


def test_a_tool_that_is_only_async():
    found = Tool.from_langchain(ASYNC_ONLY)
    assert found.is_async
    assert asyncio.run(found.acall("ab", most=2)) == "abab"
    with pytest.raises(AsyncToolError):
        found("ab")


def test_artifacts_are_kept_beside_the_content():
    caption, picture = Tool.from_langchain(PICTURED)(5)
    assert caption == "a caption"
    assert isinstance(picture, AgentImage)
    assert picture.size == (5, 2)


@pytest.mark.parametrize("block", ["image", "image_url"])
def test_content_blocks_become_agent_types(block):
    data = AgentImage(Image.new("RGB", (4, 3)))
    made = tool(lambda: data, name="draw", desc="Draw.").to_langchain().invoke({})
    text = made[0]["base64"]
    shapes = {
        "image": made,
        "image_url": [{"type": "image_url", "image_url": {"url": f"data:image/png;base64,{text}"}}],
    }
    blocks = lc.StructuredTool.from_function(
        lambda: shapes[block], name="blocks", description="Blocks."
    )
    assert Tool.from_langchain(blocks)() == data


def test_errors_are_errors_handled_or_not():
    def broken(x: int) -> str:
        raise lc.ToolException(f"no {x}")

    for handled in (False, True):
        theirs = lc.StructuredTool.from_function(
            broken, description="Break.", handle_tool_error=handled
        )
        result = Tool.from_langchain(theirs).run({"x": 7})
        assert result.is_error
        assert "no 7" in result.text


def test_toolkits_are_collections():
    class Kit(lc.BaseToolkit):
        def get_tools(self):
            return [scaled, ASYNC_ONLY]

    assert ToolCollection.from_langchain(Kit()).names == ("scaled", "search")
    assert ToolCollection.from_langchain([BY_DICT]).names == ("by_dict",)
    with pytest.raises(ToolDefinitionError, match=r"ToolCollection\.from_langchain"):
        Tool.from_langchain(Kit())
    with pytest.raises(ToolDefinitionError, match="args_schema"):
        Tool.from_langchain(len)


def test_what_comes_from_langchain_has_no_code_of_its_own():
    with pytest.raises(ToolDefinitionError, match="LangChain"):
        Tool.from_langchain(scaled).to_dict()


def test_our_tool_answers_langchain():
    def add(a: int, b: int = 2) -> int:
        """Add."""
        return a + b

    theirs = tool(add, annotations={"readOnlyHint": True}).to_langchain()
    assert (theirs.name, theirs.description, theirs.metadata) == (
        "add",
        "Add.",
        {"readOnlyHint": True},
    )
    assert theirs.invoke({"a": 1}) == 3
    message = theirs.invoke({"type": "tool_call", "id": "1", "name": "add", "args": {"a": 1}})
    assert (message.content, message.artifact.value, message.status) == ("3", 3, "success")
    assert asyncio.run(theirs.ainvoke({"a": 1, "b": 1})) == 2


def test_our_failures_are_langchains():
    def broken() -> None:
        """Break."""
        raise KeyError("gone")

    theirs = tool(broken).to_langchain()
    with pytest.raises(lc.ToolException, match="gone") as raised:
        theirs.invoke({})
    assert isinstance(raised.value.__cause__, KeyError)
    theirs.handle_tool_error = True
    message = theirs.invoke({"type": "tool_call", "id": "1", "name": "broken", "args": {}})
    assert message.status == "error"


def test_our_async_tools_are_async_there():
    theirs = tool(search).to_langchain()
    assert asyncio.run(theirs.ainvoke({"q": "a"})) == "aaa"
    with pytest.raises(NotImplementedError):
        theirs.invoke({"q": "a"})


def test_a_langgraph_node_runs_our_tools():
    prebuilt = pytest.importorskip("langgraph.prebuilt")
    messages = pytest.importorskip("langchain_core.messages")
    graph = pytest.importorskip("langgraph.graph")
    node = prebuilt.ToolNode(
        [tool(lambda n: Image.new("RGB", (n, 1)), name="draw", desc="Draw.").to_langchain()]
    )
    flow = graph.StateGraph(graph.MessagesState)
    flow.add_node("tools", node)
    flow.set_entry_point("tools")
    call = {"name": "draw", "args": {"n": 3}, "id": "1", "type": "tool_call"}
    state = flow.compile().invoke({"messages": [messages.AIMessage("", tool_calls=[call])]})
    answer = state["messages"][-1]
    assert answer.content[0]["type"] == "image"
    assert answer.artifact.images[0].size == (3, 1)


def test_a_failed_call_raises_from_its_cause():
    with pytest.raises(ToolError) as raised:
        Tool.from_langchain(
            lc.StructuredTool.from_function(lambda: {}["x"], name="b", description="B.")
        )()
    assert isinstance(raised.value.__cause__, KeyError)
