"""Annotations: the schema that they give, the values they take, and the ones they refuse."""

# ruff: noqa: UP007  # both spellings of a union are tested

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import json
import pathlib
import typing
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, NamedTuple, Optional, Union

import numpy as np
import PIL.Image
import pydantic
import pytest
import typing_extensions
from pydantic import BaseModel, Field

from workbench import AgentImage, AgentText, InvalidArguments, ToolDefinitionError
from workbench.schema import describe, validator


class Color(enum.Enum):
    R = "r"
    G = "g"


class Level(enum.IntEnum):
    LOW = 0
    HIGH = 1


class Tree(BaseModel):
    n: int
    kids: list[Tree] = []


class Paint(BaseModel):
    color: Color = Color.R
    when: dt.date | None = None


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0


class Record(typing.TypedDict):
    a: int
    b: typing_extensions.NotRequired[str]


class Pair(NamedTuple):
    a: int
    b: str = "x"


def taking(annotation: Any):
    """The description of a function of one such parameter."""

    def f(x): ...

    f.__annotations__ = {"x": annotation}
    return describe(f)


BOUNDED = Annotated[int, Field(ge=0, le=10, description="how many")]
INT, TEXT = {"type": "integer"}, {"type": "string"}
SCHEMAS = [
    (int, INT), (float, {"type": "number"}), (str, TEXT), (bool, {"type": "boolean"}),
    (None, {"type": "null"}), (Any, {}), (object, {}), (range, {}),
    (Optional[str], {"anyOf": [TEXT, {"type": "null"}]}),
    (int | str, {"anyOf": [INT, TEXT]}),
    (Literal["a", "b"], {"type": "string", "enum": ["a", "b"]}),
    (Union[Literal["a"], Literal["b"]], {"type": "string", "enum": ["a", "b"]}),
    (Union[Literal["a", "b"], str], {"anyOf": [{"type": "string", "enum": ["a", "b"]}, TEXT]}),
    (list[int], {"type": "array", "items": INT}),
    (tuple[int, ...], {"type": "array", "items": INT}),
    (tuple[int, str], {"type": "array", "prefixItems": [INT, TEXT], "minItems": 2, "maxItems": 2}),
    (set[int], {"type": "array", "items": INT, "uniqueItems": True}),
    (dict[str, int], {"type": "object", "additionalProperties": INT}),
    (BOUNDED, {"type": "integer", "minimum": 0, "maximum": 10, "description": "how many"}),
    (dt.datetime, {"type": "string", "format": "date-time"}),
    (dt.timedelta, {"type": "string", "format": "duration"}),
    (pathlib.Path, {"type": "string", "format": "path"}),
    (uuid.UUID, {"type": "string", "format": "uuid"}),
    (bytes, {"type": "string", "contentEncoding": "base64"}),
    (PIL.Image.Image, {"type": "string", "contentMediaType": "image/*", "contentEncoding": "base64"}),
    (AgentImage, {"type": "string", "contentMediaType": "image/*", "contentEncoding": "base64"}),
    (AgentText, TEXT), (typing.NewType("UserId", int), INT), (typing.TypeVar("T", bound=int), INT),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "schema"), SCHEMAS, ids=str)
def test_each_annotation_has_its_schema(annotation, schema):
    assert taking(annotation).input_schema["properties"]["x"] == schema


DEFINED = [
    (Color, {"enum": ["r", "g"], "title": "Color", "type": "string", "x-enumNames": ["R", "G"]}),
    (Level, {"enum": [0, 1], "title": "Level", "type": "integer", "x-enumNames": ["LOW", "HIGH"]}),
]


@pytest.mark.parametrize(("annotation", "schema"), DEFINED)
def test_an_enum_has_its_values_and_the_names_beside_them(annotation, schema):
    made = taking(annotation).input_schema
    assert made["properties"]["x"] == {"$ref": f"#/$defs/{annotation.__name__}"}
    assert made["$defs"][annotation.__name__] == schema


@pytest.mark.parametrize("record", [Point, Record, Pair, Paint, Tree])
def test_records_keep_their_fields(record):
    made = taking(record).input_schema["$defs"][record.__name__]
    assert "properties" in made or "prefixItems" in made or "items" in made


ACCEPTED = [
    (int, 5, 5), (int, 5.0, 5), (int, np.int64(3), 3), (int, 10**30, 10**30),
    (float, 5, 5.0), (float, np.float32(1.5), 1.5), (bool, np.bool_(True), True),
    (str, "007", "007"), (str, "true", "true"), (str, '{"a": 1}', '{"a": 1}'),
    (Optional[str], '{"blocks": []}', '{"blocks": []}'), (Optional[str], None, None),
    (int | str, "5", "5"), (int | str, 5, 5), (Literal[1, 2], 1.0, 1),
    (Color, "r", Color.R), (Color, Color.R, Color.R), (Level, 0, Level.LOW),
    (dt.date, "2026-01-02", dt.date(2026, 1, 2)), (dt.date, dt.date(2026, 1, 2), dt.date(2026, 1, 2)),
    (dt.timedelta, "PT1H", dt.timedelta(hours=1)), (pathlib.Path, "a/b", pathlib.Path("a/b")),
    (decimal.Decimal, "1.5", decimal.Decimal("1.5")), (decimal.Decimal, 1, decimal.Decimal(1)),
    (bytes, "eA==", b"x"), (bytes, b"x", b"x"), (bytearray, b"x", bytearray(b"x")),
    (set[int], [1, 2, 2], {1, 2}), (set[int], {1}, {1}), (list[int], (1, 2), [1, 2]),
    (tuple[int, str], [1, "a"], (1, "a")), (tuple[int, ...], [1, 2], (1, 2)),
    (dict[int, str], {"1": "a"}, {1: "a"}), (collections.deque[int], [1], collections.deque([1])),
    (Tree, {"n": 1, "kids": [{"n": 2}]}, Tree(n=1, kids=[Tree(n=2)])), (Tree, Tree(n=1), Tree(n=1)),
    (Paint, {"color": "r"}, Paint()), (Point, {"x": 1}, Point(1)), (Point, Point(1), Point(1)),
    (list[Point], [{"x": 1}, Point(2)], [Point(1), Point(2)]),
    (Record, {"a": 1, "b": "x"}, {"a": 1, "b": "x"}), (Pair, {"a": 1}, Pair(1)), (Pair, [1, "b"], Pair(1, "b")),
    (typing_extensions.TypedDict("Odd", {"class": int, "a-b": str}), {"class": 1, "a-b": ""}, {"class": 1, "a-b": ""}),
    (Callable[[int], int], abs, abs), (type[int], bool, bool), (Any, None, None), (AgentText, "x", AgentText("x")),
]  # fmt: skip


@pytest.mark.parametrize(("annotation", "given", "arrives"), ACCEPTED, ids=str)
def test_json_and_native_values_arrive_as_annotated(annotation, given, arrives):
    got = taking(annotation).check({"x": given})["x"]
    assert (type(got), got) == (type(arrives), arrives)


NAN, INF = float("nan"), float("inf")
REFUSED = [
    (int, [True, "5", 5.5, None, NAN], "must be a whole number"),
    (float, [True, "5", None], "must be a number"), (float, [NAN, INF], "must be a finite number"),
    (str, [5, None, b"x", True], "must be text"), (bool, [1, 0, "true", None], "must be true or false"),
    (int | str, [None, 5.5], "must be a whole number or text, got"),
    (Literal["a", "b"], ["z", 1], "must be one of 'a', 'b'; got"),
    (Literal[1, 2], [True, "1", 3], "must be one of 1, 2; got"),
    (Union[Literal["a", "b"], str], [5], "must be one of 'a', 'b', or text; got 5"),
    (Color, ["R", 1, None], "must be one of 'r', 'g'; got"), (Level, ["0", 5, True], "must be one of 0, 1; got"),
    (dt.datetime, ["nope", None], "must be a date and time like"), (dt.date, ["x"], "must be a date like"),
    (dt.datetime, [5], "must be text in ISO 8601"), (uuid.UUID, ["x"], "must be a UUID"),
    (pathlib.Path, [5, None], "must be text"), (decimal.Decimal, [True, "x"], "must be a number"),
    (list[int], ["[1]", {1: 2}, 5], "must be a list"), (set[int], ["12"], "must be a list"),
    (tuple[int, str], [[1]], "is required"), (dict[str, int], [[], "{}"], "must be an object"),
    (Sequence[int], ["ab"], "must be a list"), (Iterable[int], [5], "must be a list"),
    (Mapping[str, int], [5], "must be an object"), (Tree, [5], "must be an object"),
    (BOUNDED, [-1], "must be at least 0, got -1"), (BOUNDED, [11], "must be at most 10, got 11"),
    (Annotated[str, Field(min_length=2)], ["a"], "must have at least 2 characters, has 1"),
    (Annotated[str, Field(pattern="^a")], ["bb"], "must match the pattern ^a"),
    (bytes, [5], "must be base64"), (PIL.Image.Image, [5, "/no/such.png"], "no image"),
    (AgentImage, [5, "/no/such.png"], "no image"), (pydantic.HttpUrl, ["x"], "must be an address"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("annotation", "given", "message"),
    [(kind, value, message) for kind, values, message in REFUSED for value in values],
    ids=str,
)
def test_nothing_is_guessed(annotation, given, message):
    with pytest.raises(InvalidArguments) as caught:
        taking(annotation).check({"x": given})
    assert message in caught.value.problems[0].message
    assert {problem.path[0] for problem in caught.value.problems} == {"x"}


PATHS = [
    (Tree, {"n": 1, "kids": [{"n": True}]}, ["x.kids[0].n"]),
    (dict[str, list[int]], {"a": [1, "2", "3"]}, ["x.a[1]", "x.a[2]"]),
    (int | list[int], [1, "x"], ["x[1]"]),
    (Point, {"y": "z"}, ["x.x", "x.y"]),
    (Record, {"b": 1}, ["x.a", "x.b"]),
]


@pytest.mark.parametrize(("annotation", "given", "where"), PATHS)
def test_every_problem_is_named_at_its_place(annotation, given, where):
    with pytest.raises(InvalidArguments) as caught:
        taking(annotation).check({"x": given})
    assert [problem.where for problem in caught.value.problems] == where


@pytest.mark.parametrize(
    ("default", "written"),
    [
        (5, 5), (decimal.Decimal("1.5"), "1.5"), (dt.date(2026, 1, 1), "2026-01-01"), (Color.R, "r"),
        (Paint(), {"color": "r", "when": None}), ((1, 2), [1, 2]), (pathlib.Path("a"), "a"),
    ],
)  # fmt: skip
def test_a_default_is_written_in_json_and_stays_out_of_required(default, written):
    def f(x=default): ...

    schema = describe(f).input_schema
    assert (schema["properties"]["x"], schema["required"]) == ({"default": written}, [])


@pytest.mark.parametrize("default", [NAN, INF, object(), np.zeros(2), b"x", int])
def test_a_default_without_json_form_is_left_out(default):
    def f(x=default): ...

    schema = describe(f).input_schema
    assert schema["properties"]["x"] == {}
    json.dumps(schema, allow_nan=False)


def test_optional_nullable_and_defaulted_are_three_things():
    def f(a: int, b: int | None, c: int = 1, d: int = None): ...  # noqa: RUF013  # what is tested

    spec = describe(f)
    assert spec.input_schema["required"] == ["a", "b"]
    assert spec.check({"a": 1, "b": None}) == {"a": 1, "b": None}
    assert spec.check({"a": 1, "b": 2, "d": None})["d"] is None
    with pytest.raises(InvalidArguments, match="c: must be a whole number"):
        spec.check({"a": 1, "b": 1, "c": None})


def test_a_recursive_model_keeps_its_definition_and_takes_deep_data():
    spec = taking(Tree)
    data: dict[str, Any] = {"n": 0}
    for n in range(50):
        data = {"n": n, "kids": [data]}
    assert spec.check({"x": data})["x"].n == 49
    assert validator(spec.input_schema).problems({"x": data}) == ()


@pytest.mark.parametrize(
    ("annotation", "word", "has_schema"),
    [
        (str, "string", False), (int, "integer", False), (None, "null", False), (list[int], "array", False),
        (PIL.Image.Image, "image", False), (AgentImage, "image", False), (Any, "any", False),
        (int | None, "any", False), (dict[str, int], "object", True), (Point, "object", True),
        (Record, "object", True), (Paint, "object", True), (dict, "object", False),
    ],
)  # fmt: skip
def test_a_result_has_a_word_and_a_record_has_a_schema(annotation, word, has_schema):
    def f(): ...

    f.__annotations__ = {"return": annotation}
    spec = describe(f)
    assert (spec.output_type, spec.output_schema is not None) == (word, has_schema)


def test_strict_lists_everything_that_is_missing():
    def f(a, b: int): ...

    with pytest.raises(ToolDefinitionError) as caught:
        describe(f, strict=True)
    assert str(caught.value).count("\n  - ") == 5
