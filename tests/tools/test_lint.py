"""Lint: what hurts is found, named with its place, and comes with a way to mend it."""

from __future__ import annotations

import pytest

from workbench import Tool, ToolCollection, ToolResult, tool
from workbench.tools.lint import Finding, lint


def good(city: str, days: int = 1) -> str:
    """The weather of the next days.

    Args:
        city: where
        days: how many, at most ten
    """
    return city


def with_schema(properties, **more):
    """A tool that has this schema of arguments, as a server might publish it."""

    def f(**kwargs):
        """Do it."""

    made = Tool(f, args=properties)
    made._definition.input_schema.update(more)
    return made


def found(tools, **options):
    return [(f.severity, f.where, f.message) for f in lint(tools, **options)]


def test_a_good_tool_has_nothing():
    assert lint(tool(good)) == ()
    assert repr(lint(good for _ in range(1))) == "nothing found"


TEXT = {"type": "string", "description": "text"}
CASES = [
    (tool(lambda x: x, name="t", desc=" "), "warning", "", "has no description"),
    (tool(lambda x: x, name="t", desc="t"), "warning", "x", "has no description"),
    (tool(lambda x: x, name="t", desc="t"), "warning", "x", "may be anything"),
    (tool(good, desc="d" * 1025), "warning", "", "1025 characters"),
    (tool(good, name="a.b"), "note", "", "is sent to providers as 'a_b_"),
    (tool(good, name="x" * 65), "note", "", "is sent to providers as"),
    (tool(good, desc="look\u200b here"), "warning", "", "U+200B"),
    (tool(good, arg_desc={"city": "\U000e0041 tag"}), "warning", "city", "U+E0041"),
    (tool(good, arg_desc={"days": "where"}), "warning", "days", "same words as 'city'"),
    (with_schema({"x": {**TEXT, "enum": [str(n) for n in range(201)]}}), "warning", "x", "201 values"),
    (with_schema({"x": {**TEXT, "default": 5}}), "error", "x", "default does not fit: must be text, got 5"),
    (with_schema({"x": {**TEXT, "type": "dict"}}), "error", "properties.x.type", "breaks JSON Schema"),
    (with_schema({"x": TEXT}, required=["y"]), "error", "y", "is no property"),
    (with_schema({"x": {"$ref": "#/gone", **TEXT}}), "note", "x", "leads nowhere"),
    (with_schema({"x": {**TEXT, "pattern": "^a"}}), "note", "x", "pattern is not read by Gemini (gemini)"),
    (with_schema({"x": TEXT}, anyOf=[{"required": ["x"]}]), "note", "arguments", "folded into one object"),
    (with_schema({"a b": TEXT}), "note", "", "refused by Anthropic"),
    (tool(good, output_schema={"type": "array"}), "warning", "output", "not that of an object"),
    (tool(good, output_schema={"type": "nonsense"}), "error", "output", "breaks JSON Schema"),
]  # fmt: skip


@pytest.mark.parametrize(("made", "severity", "where", "message"), CASES)
def test_each_fault_is_found_at_its_place(made, severity, where, message):
    assert any((s, w) == (severity, where) and message in m for s, w, m in found(made)), found(made)


def test_every_finding_says_how_to_mend_it():
    for made, *_ in CASES:
        assert all(
            finding.remedy and finding.severity in ("error", "warning", "note")
            for finding in lint(made)
        )


def test_tools_are_held_against_one_another():
    together = ToolCollection([tool(good), tool(good, name="other")])
    assert together.lint() == lint(together)
    assert found(together) == [("warning", "", "is described with the same words as 'good'")]


def test_the_worst_comes_first():
    made = with_schema({"x": {"type": "string", "default": 5}})
    assert [finding.severity for finding in lint(made)][:2] == ["error", "warning"]


def test_a_result_is_held_against_the_output_schema():
    made = tool(good, output_schema={"type": "object", "required": ["a"]})
    assert (
        "error",
        "output",
        "the result does not fit the output schema: must be an object, got 'x'",
    ) in found(made, result=made.run({"city": "x"}))
    assert lint(tool(good), ToolResult(["x"])) == ()


def test_findings_are_read_in_one_line_each():
    finding = Finding(
        severity="error", tool="t", where="x", message="is bad", remedy="make it good"
    )
    assert str(finding) == "error: t, x: is bad; make it good"
    assert repr(lint([lambda x: x])).count("\n") == 2


def test_a_tool_lints_itself():
    assert tool(good).lint() == ()
    assert tool(lambda x: x).lint()[0].message == "has no description"
