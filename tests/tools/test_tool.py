"""Tools: described from code, called in one way, with failures as results."""

from __future__ import annotations

import asyncio
import dataclasses
import datetime as dt
import enum
import functools
import json
import pickle
import threading
from collections.abc import Iterable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, Optional, TypedDict
from uuid import UUID

import numpy as np
import pytest
from PIL import Image
from pydantic import BaseModel, Field

from workbench import (
    AgentAudio,
    AgentImage,
    AgentText,
    AsyncToolError,
    InvalidArguments,
    Tool,
    ToolDefinitionError,
    ToolError,
    context,
    tool,
)


class Colour(enum.Enum):
    RED = "r"
    GREEN = "g"


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 1


@dataclasses.dataclass
class Point:
    x: int
    y: float = 1.0


class Pair(NamedTuple):
    a: int
    b: str


class Record(TypedDict):
    name: str


class Node(BaseModel):
    value: int
    children: list[Node] = []


ANNOTATIONS = [
    (int, [1, 5.0, np.int64(3)], ["1", True, 1.5, None, float("nan")]),
    (float, [1, 1.5], ["1", True, float("inf"), None]),
    (str, ["", "007", "true", '{"a": 1}', "null"], [1, None, b"x"]),
    (bool, [True, False], [0, 1, "true", None]),
    (Optional[int], [1, None], ["x", True]),
    (int | str, [1, "1"], [None, 1.5]),
    (Literal["a", "b"], ["a"], ["c", None]),
    (Literal["a"] | Literal["b"], ["a", "b"], ["c"]),
    (Colour, ["r", Colour.RED], ["RED", 1]),
    (Level, [0, Level.HIGH], [5, "LOW"]),
    (list[int], [[], [1], (1, 2)], [["x"], 1, "12"]),
    (set[int], [[1, 1], {1}], [["x"]]),
    (tuple[int, str], [[1, "a"], (1, "a")], [[1], ["a", 1]]),
    (dict[str, int], [{}, {"a": 1}], [{"a": "x"}, [1]]),
    (Point, [{"x": 1}, Point(1)], [{"x": "a"}, {}]),
    (Pair, [[1, "a"], Pair(1, "a")], [["x", 1]]),
    (Record, [{"name": "a"}], [{}, {"name": 1}]),
    (Node, [{"value": 1, "children": [{"value": 2}]}, Node(value=1)], [{"value": 1, "children": [{}]}]),
    (dt.date, ["2026-01-31", dt.date(2026, 1, 31)], ["soon", 5]),
    (dt.datetime, ["2026-01-31T10:00:00Z", dt.datetime(2026, 1, 31)], [5, "x"]),
    (dt.timedelta, ["P1D", dt.timedelta(1)], [5]),
    (Path, ["a/b", Path("a")], [5]),
    (Decimal, ["1.50", 2, Decimal(1)], ["x", True]),
    (UUID, ["12345678123456781234567812345678"], ["x", 5]),
    (bytes, [b"x", "aGk="], [5, None]),
    (Annotated[int, Field(ge=0, le=10)], [0, 10], [-1, 11]),
    (Any, [1, "a", None, {}], []),
]  # fmt: skip


def taking(annotation) -> Tool:
    def given(x):
        return [x]

    given.__annotations__ = {"x": annotation}
    return tool(given)


@pytest.mark.parametrize(("annotation", "good", "bad"), ANNOTATIONS, ids=lambda v: str(v)[:40])
def test_annotations_take_what_fits_and_nothing_else(annotation, good, bad):
    made = taking(annotation)
    json.dumps(made.input_schema)
    for value in good:
        made(value) if not isinstance(value, dict) else made(x=value)
    for value in bad:
        with pytest.raises(InvalidArguments) as caught:
            made(x=value)
        assert caught.value.problems[0].path[0] == "x"


def test_strings_stay_strings_and_integers_stay_exact():
    assert taking(str)("007") == ["007"]
    assert taking(int)(9007199254740993) == [9007199254740993]
    assert taking(int)(5.0) == [5]


SHARED = """Find things.

{body}
"""
STYLES = {
    "google": "Args:\n    query (str): What to look for: with a colon,\n        and a second: line.\n    limit: How many.\n\nReturns:\n    The things.",
    "numpy": "Parameters\n----------\nquery : str\n    What to look for: with a colon, and a second: line.\nlimit\n    How many.\n\nReturns\n-------\nlist\n    The things.",
    "sphinx": ":param query: What to look for: with a colon, and a second: line.\n:param limit: How many.\n:returns: The things.",
}


@pytest.mark.parametrize("style", STYLES)
def test_docstrings_of_every_style_say_the_same(style):
    def find(query: str, limit: int = 5) -> list[str]:
        return [query] * limit

    find.__doc__ = SHARED.format(body=STYLES[style])
    made = tool(find)
    assert made.description == "Find things."
    assert made.arg_desc == {
        "query": "What to look for: with a colon, and a second: line.",
        "limit": "How many.",
    }
    assert made.input_schema["properties"]["limit"]["default"] == 5
    assert made.input_schema["required"] == ["query"]


def test_every_kind_of_parameter_is_passed_its_way():
    @tool
    def kinds(a, /, b=2, *rest: int, c: str = "c", **more: int):
        return a, b, rest, c, more

    assert kinds(1) == (1, 2, (), "c", {})
    assert kinds(1, 3, 4, 5, c="x", d=6) == (1, 3, (4, 5), "x", {"d": 6})
    assert kinds(a=1, rest=[7]) == (1, 2, (7,), "c", {})
    assert kinds.input_schema["properties"]["rest"] == {
        "type": "array",
        "items": {"type": "integer"},
    }


def test_arguments_that_cannot_be_named_are_problems():
    @tool
    def two(a: int, b: int = 0) -> int:
        return a + b

    with pytest.raises(InvalidArguments, match="at most 2 positional"):
        two(1, 2, 3)
    with pytest.raises(InvalidArguments, match="given twice"):
        two(1, a=2)
    with pytest.raises(InvalidArguments, match="known are 'a', 'b'"):
        two(a=1, z=2)


def test_one_dict_is_the_arguments_unless_the_first_takes_an_object():
    assert tool(lambda a, b=1: (a, b), name="t", arg_types={"a": int})({"a": 5}) == (5, 1)
    takes = tool(lambda d: d, name="t", arg_types={"d": dict})
    assert takes({"d": 1}) == {"d": 1}
    assert takes({}) == {}


NAMES = [
    "config",
    "self",
    "cls",
    "name",
    "func",
    "args",
    "kwargs",
    "class",
    "from",
    "return",
    "a b",
]


@pytest.mark.parametrize("name", NAMES)
def test_argument_names_pass_unchanged(name):
    made = tool(lambda **given: given, name="t")
    assert made(**{name: 1}) == {name: 1}


def test_all_kinds_of_callables():
    class Caller:
        """Call me."""

        def __call__(self, x: int) -> int:
            return x + 1

        def method(self, x: int) -> int:
            """A method."""
            return x + 2

    assert tool(Caller())(1) == 2
    assert tool(Caller()).description == "Call me."
    assert tool(Caller().method)(1) == 3
    assert tool(functools.partial(Caller().method, x=5)).run({}).value == 7
    assert tool(len)("abc") == 3
    space: dict[str, Any] = {}
    exec("def made(x: int) -> int: return x * 2", space)
    assert tool(space["made"])(4) == 8


def test_local_classes_in_string_annotations_are_found():
    class Local(BaseModel):
        n: int

    @tool
    def use(x: Local) -> int:
        return x.n

    assert use(x={"n": 3}) == 3


def test_defaults_that_are_no_json_are_left_out():
    @tool
    def odd(a=object(), b=np.zeros(2), c=float("nan"), d: Colour = Colour.RED):  # noqa: B008
        return d

    properties = odd.input_schema["properties"]
    assert "default" not in properties["a"]
    assert "default" not in properties["b"]
    assert "default" not in properties["c"]
    assert properties["d"]["default"] == "r"
    json.dumps(odd.schema("openai"), allow_nan=False)


def test_strict_names_everything_missing_at_once():
    def bare(a, b: int):
        return a

    with pytest.raises(ToolDefinitionError) as caught:
        Tool(bare, strict=True)
    for part in ("no description", "'a' has no annotation", "'b' has no description", "the result"):
        assert part in str(caught.value)


def test_explicit_values_win_field_by_field():
    def f(a: int, b: str = "x") -> str:
        """Doc."""
        return b * a

    made = Tool(
        f,
        name="other",
        desc="Mine.",
        arg_desc={"a": "How often"},
        args={"a": {"type": "integer", "maximum": 3}, "b": {"type": "string"}},
    )
    assert (made.name, made.desc) == ("other", "Mine.")
    assert made.args["a"] == {"type": "integer", "maximum": 3, "description": "How often"}
    with pytest.raises(InvalidArguments, match="at most 3"):
        made(a=5)
    with pytest.raises(ToolDefinitionError, match="'q'"):
        Tool(lambda a: a, args={"q": {}})


class Shout(Tool):
    name = "shout"
    description = "Say it louder."
    inputs = {
        "text": {"type": "string", "description": "What"},
        "times": {"type": "integer", "description": "How often", "nullable": True},
    }
    output_type = "string"
    setups = 0

    def __init__(self):
        self.mine = True

    def setup(self):
        type(self).setups += 1

    def forward(self, text, times=None):
        return text.upper() * (times or 1)


def test_class_tools_work_though_they_forget_super():
    Shout.setups = 0
    shout = Shout()
    assert Shout.setups == 0
    threads = [threading.Thread(target=shout, args=("a",)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Shout.setups == 1
    assert shout("a", 2) == "AA"
    assert shout(text="b") == "B"
    assert shout.input_schema["required"] == ["text"]
    assert shout.output_type == "string"
    with pytest.raises(InvalidArguments):
        shout(text=5)


def test_incomplete_class_tools_name_everything():
    class Bad(Tool):
        name = "class"
        inputs = {"q": {"type": "strin"}, "r": 5}
        output_type = "film"

    with pytest.raises(ToolDefinitionError) as caught:
        Bad()
    for part in ("name must be", "description must", "output_type must", "'q'", "'r'"):
        assert part in str(caught.value)

    class Mismatch(Tool):
        name, description, output_type = "m", "d", "any"
        inputs = {"a": {"type": "string", "description": "x"}}

        def forward(self, b):
            return b

    with pytest.raises(ToolDefinitionError, match="forward takes"):
        Mismatch()


def test_failures_are_raised_by_calls_and_returned_by_run():
    @tool
    def boom() -> None:
        raise KeyError("gone")

    with pytest.raises(ToolError, match="KeyError") as caught:
        boom()
    assert isinstance(caught.value.__cause__, KeyError)
    result = boom.run({})
    assert result.is_error
    assert isinstance(result.error, KeyError)
    bad = tool(lambda x: x, name="t").run({"y": 1})
    assert {p.path for p in bad.problems} == {("x",), ("y",)}


async def double(x: int) -> int:
    """Double it."""
    await asyncio.sleep(0)
    return x * 2


def test_async_tools_are_refused_unless_allowed():
    made = tool(double)
    assert made.is_async
    with pytest.raises(AsyncToolError, match="acall"):
        made(2)
    with pytest.raises(AsyncToolError):
        made.run({"x": 2})
    with context(allow_tool_async_sync_conversion=True):
        assert made(2) == 4
        assert made.run({"x": 3}).value == 6

    async def inside_a_loop():
        with context(allow_tool_async_sync_conversion=True):
            return made(5), await made.acall(x=6), await tool(len).acall("abc")

    assert asyncio.run(inside_a_loop()) == (10, 12, 3)


def test_generators_give_what_they_return_else_their_yields():
    def counts(n: int):
        yield from range(n)

    def returns(n: int):
        yield 1
        return "end"

    async def later(n: int):
        for i in range(n):
            yield i

    assert tool(counts)(3) == [0, 1, 2]
    assert tool(returns)(3) == "end"
    assert asyncio.run(tool(later).acall(n=2)) == [0, 1]


@pytest.mark.parametrize(
    "dialect", ["mcp", "openai", "openai-responses", "anthropic", "gemini", "litellm"]
)
def test_every_dialect_is_json_and_has_properties(dialect):
    made = tool(lambda: 1, name="no.arguments" * 9)
    text = json.dumps(made.schema(dialect))
    assert '"properties": {}' in text
    with pytest.raises(ValueError, match="no dialect"):
        made.schema("klingon")


def test_strict_mode_closes_objects_and_requires_every_name():
    def f(a: int, b: str = "x", p: Point | None = None) -> None:
        """Doc."""

    function = tool(f).schema("openai", strict=True)["function"]
    assert function["strict"] is True
    parameters = function["parameters"]
    assert parameters["required"] == ["a", "b", "p"]
    assert parameters["additionalProperties"] is False
    assert "default" not in json.dumps(parameters)


MEDIA = Image.new("RGB", (3, 2), "red")


def test_media_arrive_as_annotated(tmp_path):
    path = tmp_path / "a.png"
    MEDIA.save(path)

    @tool
    def kinds(a: Image.Image, b: AgentImage, c: np.ndarray, d: bytes, e: AgentAudio | None = None):
        return [type(v).__name__ for v in (a, b, c, d)]

    assert kinds(str(path), str(path), str(path), str(path)) == [
        "Image",
        "AgentImage",
        "ndarray",
        "bytes",
    ]
    assert kinds.args["a"]["contentMediaType"] == "image/*"
    problems = kinds.run({"a": "nope.png", "b": 5, "c": MEDIA, "d": b""}).problems
    assert [p.path for p in problems] == [("a",), ("b",)]


def test_results_keep_everything_in_order():
    result = tool(lambda: (MEDIA, "caption", {"a": 1}, 3), name="t").run({})
    assert [type(block) for block in result.content] == [AgentImage, AgentText, dict, int]
    assert result.images[0].size == (3, 2)
    assert result.text.startswith("caption")
    assert tool(lambda: (1, 2), name="t")() == (1, 2)
    assert tool(lambda: None, name="t").run({}).content == ()
    point = tool(lambda: Point(1), name="t")
    assert point() == Point(1)


def test_output_annotations_make_structured_content():
    def where(n: int) -> Point:
        """Doc."""
        return Point(n)

    result = tool(where).run({"n": 4})
    assert result.structured_content == {"x": 4, "y": 1.0}
    assert result.value == Point(4)
    assert result.output_problems == ()


def test_tools_look_like_their_function_and_survive_pickling():
    made = tool(double)
    assert made.__name__ == "double"
    assert made.__doc__ == "Double it."
    assert "x" in repr(made)
    again = pickle.loads(pickle.dumps(made))
    assert asyncio.run(again.acall(x=2)) == 4
    assert len({made, again}) == 2


def test_text_and_html_of_a_tool_are_escaped():
    evil = tool(lambda x: x, name="t", desc="<script>alert(1)</script>")
    shown = evil._repr_mimebundle_()
    assert "<script" not in shown["text/html"]
    assert "<script>" in shown["text/plain"]


AREA = {"type": "object", "properties": {"area": {"type": "number"}}, "required": ["area"]}


class Square(Tool):
    name = "square"
    description = "The area of a square."
    inputs = {"side": {"type": "number", "description": "Length of a side."}}  # smolagents' way
    output_type = "object"
    output_schema = AREA
    check_output = True

    def forward(self, side):
        return {"area": "none" if side < 0 else side * side}


def test_a_result_that_breaks_its_schema_says_so_and_is_a_result():
    told = Tool(lambda: {"area": "big"}, name="told", output_schema=AREA)
    assert told() == {"area": "big"}
    result = told.run()
    assert not result.is_error
    assert [problem.path for problem in result.output_problems] == [("area",)]


def _square(side):
    return Square()._definition.func(side)


@pytest.mark.parametrize(
    "made", [Square, lambda: Tool(_square, output_schema=AREA, check_output=True)]
)
def test_a_checked_output_is_a_failure_that_keeps_the_value(made):
    square = made()
    assert square(3) == {"area": 9}
    result = square.run({"side": -1})
    assert result.is_error
    assert result.structured_content == {"area": "none"}
    assert [problem.path for problem in result.output_problems] == [("area",)]
    assert "none" in result.to_html()
    with pytest.raises(ToolError, match="breaks its output schema"):
        square(-1)


def test_a_checked_output_is_checked_when_awaited():
    async def measure() -> dict:
        return {"area": None}

    with pytest.raises(ToolError, match="area"):
        asyncio.run(Tool(measure, output_schema=AREA, check_output=True).acall())


def test_an_iterable_is_checked_before_the_function_runs():
    ran = []

    def total(numbers: Iterable[int]) -> int:
        ran.append(numbers)
        return sum(numbers)

    assert Tool(total)([1, 2]) == 3
    with pytest.raises(InvalidArguments, match=r"numbers\[1\]"):
        Tool(total)([1, "two"])
    assert len(ran) == 1


def test_schemas_that_hold_themselves_are_told_in_bounded_words():
    schema = {
        "type": "object",
        "properties": {"a": {"$ref": "#/$defs/A"}, "b": {"$ref": "#/$defs/B"}},
        "$defs": {
            "A": {"anyOf": [{"$ref": "#/$defs/A"}, {"type": "string"}]},
            "B": {"type": "array", "items": {"$ref": "#/$defs/B"}},
        },
    }
    tool = Tool.from_mcp_tool(None, {"name": "nest", "inputSchema": schema})
    assert tool.inputs["a"]["type"] == "string"
    assert "list of list of" in tool.as_text()
    assert len(tool._repr_mimebundle_()["text/plain"]) < 300


def test_inputs_say_what_a_union_admits():
    @tool
    def pick(a: Literal["x", "y"] | None, b: int | str, c: Literal["x"] | str = "z"): ...

    assert pick.inputs == {
        "a": {"type": "string", "description": "", "enum": ["x", "y"], "nullable": True},
        "b": {"type": ["integer", "string"], "description": ""},
        "c": {"type": "string", "description": "", "nullable": True},
    }
