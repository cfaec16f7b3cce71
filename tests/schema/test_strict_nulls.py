"""The way back from strict mode: nulls that stand for what was left out are taken out."""

from __future__ import annotations

import pytest
from pydantic import BaseModel

from workbench import tool
from workbench.schema.strict import without_nulls
from workbench.tools.calls import ToolCalls


class Point(BaseModel):
    x: int
    label: str = ""
    note: str | None = None


def place(
    at: Point | None = None,
    others: list[Point] = [],  # noqa: B006  # never changed
    n: int = 1,
    maybe: int | None = 5,
) -> dict:
    """Place points."""
    return {"at": at, "others": others, "n": n, "maybe": maybe}


SCHEMA = tool(place).input_schema


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ({"n": None}, {}), ({"maybe": None}, {"maybe": None}), ({"at": None}, {"at": None}), ({"zz": None}, {"zz": None}),
        ({"at": {"x": 1, "label": None, "note": None}}, {"at": {"x": 1, "note": None}}),
        ({"at": {"x": None}}, {"at": {"x": None}}),
        ({"others": [{"x": 1, "label": None}]}, {"others": [{"x": 1}]}), ({"others": 5}, {"others": 5}), ("text", "text"),
    ],
)  # fmt: skip
def test_a_null_goes_only_where_null_cannot_be_meant(given, meant):
    assert without_nulls(given, SCHEMA, SCHEMA) == meant


def test_what_a_model_sends_in_strict_mode_calls_the_tool():
    args = {"at": {"x": 1, "label": None, "note": None}, "others": None, "n": None, "maybe": None}
    (result,) = ToolCalls([{"name": "place", "args": args}]).execute([place])
    assert result.value == {"at": Point(x=1), "others": [], "n": 1, "maybe": None}
