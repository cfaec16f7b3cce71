"""Collections: a sequence and a mapping; clashes name both owners."""

from __future__ import annotations

import pytest

from workbench import ToolCollection, ToolDefinitionError, UntrustedCodeError, tool


def add(a: int, b: int) -> int:
    """Add."""
    return a + b


def sub(a: int, b: int) -> int:
    """Subtract."""
    return a - b


def test_it_is_a_sequence_and_a_mapping():
    tools = ToolCollection([add, sub])
    assert [t.name for t in tools] == ["add", "sub"]
    assert tools[0] is tools["add"]
    assert len(tools[1:]) == 1
    assert "sub" in tools
    assert tools.get("nope") is None
    with pytest.raises(KeyError, match="did you mean 'add'"):
        tools["ad"]


def test_tools_are_filtered_prefixed_renamed_and_added():
    tools = ToolCollection([add, sub])
    assert tools.filter(lambda t: t.name == "sub").names == ("sub",)
    assert tools.prefix("math_").names == ("math_add", "math_sub")
    assert tools.rename({"add": "plus"})["plus"](1, 2) == 3
    assert (tools.prefix("a_") + [len]).names == ("a_add", "a_sub", "len")


def test_clashes_name_both_owners():
    with pytest.raises(ToolDefinitionError, match="two tools are called 'add'"):
        ToolCollection([add, tool(sub, name="add")])


def test_reprs_are_aligned_and_bounded():
    many = ToolCollection(tool(add, name=f"t{i}") for i in range(300))
    assert "and 200 more" in repr(many)
    assert (
        "<script"
        not in ToolCollection([tool(add, desc="<script>")])._repr_mimebundle_()["text/html"]
    )


def test_servers_need_trust_before_anything_starts(tmp_path):
    marker = tmp_path / "ran"
    with pytest.raises(UntrustedCodeError, match="touch"):
        ToolCollection.from_mcp(f"touch {marker}")
    assert not marker.exists()
