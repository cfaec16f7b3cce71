"""Every kind of callable: described, its arguments named, and passed on as it takes them."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import NotRequired, TypedDict

import pytest
from pydantic import BaseModel
from typing_extensions import Unpack

from workbench import InvalidArguments
from workbench.schema import describe


def called(func, *args, **kwargs):
    """What a call gives after naming and checking its arguments."""
    spec = describe(func)
    return spec.call(func, spec.check(spec.arguments(args, kwargs)))


def positional(a: int, /, b: int = 2):
    return a, b


def every(a: int, *args: int, k: str = "z", **kw: float):
    return a, args, k, kw


def odd(self: int, cls: int, config: str = "c", args: int = 1, kwargs: int = 0):
    return self, cls, config, args, kwargs


class Adder:
    """Adds."""

    def __init__(self, n: int = 1):
        self.n = n

    def __call__(self, x: int) -> int:
        return self.n + x

    def method(self, x: int) -> int:
        return self.n + x

    @classmethod
    def of_class(cls, x: int) -> int:
        return x

    @staticmethod
    def static(x: int) -> int:
        return x


@functools.wraps(positional)
def wrapped(*args, **kwargs):
    return positional(*args, **kwargs)


EXECUTED: dict = {}
exec("def executed(a: int, b='x'):\n    'Made at run time.'\n    return a, b", EXECUTED)

CALLS = [
    (positional, (1,), {}, (1, 2)), (positional, (1, 3), {}, (1, 3)), (positional, (), {"a": 1, "b": 3}, (1, 3)),
    (positional, ({"a": 1, "b": 3},), {}, (1, 3)), (wrapped, (1,), {}, (1, 2)),
    (every, (1, 2, 3), {}, (1, (2, 3), "z", {})), (every, (), {"a": 1, "args": [2]}, (1, (2,), "z", {})),
    (every, (1,), {"q": 2}, (1, (), "z", {"q": 2.0})),
    (functools.partial(every, 1, k="q"), (2,), {}, (1, (2,), "q", {})),
    (functools.partial(positional, b=5), (1,), {}, (1, 5)),
    (odd, (1, 2), {"config": "x", "kwargs": 4}, (1, 2, "x", 1, 4)), (lambda x, y=1: x + y, (1,), {}, 2),
    (Adder(), (1,), {}, 2), (Adder(5).method, (1,), {}, 6), (Adder.of_class, (1,), {}, 1), (Adder.static, (1,), {}, 1),
    (EXECUTED["executed"], (1,), {}, (1, "x")), (len, ([1],), {}, 1), (math.sin, (0,), {}, 0.0), (max, (1, 2), {}, 2),
    (functools.lru_cache(positional), (1,), {}, (1, 2)),
]  # fmt: skip


@pytest.mark.parametrize(("func", "args", "kwargs", "value"), CALLS)
def test_arguments_are_passed_as_the_callable_takes_them(func, args, kwargs, value):
    assert called(func, *args, **kwargs) == value


def test_a_class_makes_its_objects():
    assert called(Adder, 3).n == 3


def takes_dict(d: dict):
    return d


@pytest.mark.parametrize("given", [{}, {"d": 1}, {"d": {"x": 1}}, {"x": 1}])
def test_a_dict_for_a_dict_parameter_is_that_parameter(given):
    assert called(takes_dict, given) == given


def test_typed_keywords_are_checked_with_everything_else():
    with pytest.raises(InvalidArguments) as caught:
        called(every, "x", 2, "y", q="z", r=1.5)
    assert [problem.where for problem in caught.value.problems] == ["a", "args[1]", "q"]


@pytest.mark.parametrize(
    ("args", "kwargs", "messages"),
    [
        ((), {}, ["a: is required"]),
        ((1, 2, 3), {}, ["takes at most 2 positional arguments, got 3"]),
        ((1,), {"a": 2}, ["a: is given twice"]),
        ((1,), {"z": 2, "y": 3}, ["z: is not known; known are 'a', 'b'", "y: is not known; known are 'a', 'b'"]),
    ],
)  # fmt: skip
def test_arguments_that_do_not_fit_are_all_named(args, kwargs, messages):
    with pytest.raises(InvalidArguments) as caught:
        called(positional, *args, **kwargs)
    assert [str(problem) for problem in caught.value.problems] == messages


class Options(TypedDict):
    n: int
    unit: NotRequired[str]


def with_options(**options: Unpack[Options]):
    return options


def test_an_unpacked_record_is_its_fields():
    schema = describe(with_options).input_schema
    assert (list(schema["properties"]), schema["required"]) == (["n", "unit"], ["n"])
    assert called(with_options, n=1) == {"n": 1}
    with pytest.raises(InvalidArguments, match="n: must be a whole number"):
        called(with_options, n="1")


def test_local_classes_are_found_while_their_function_runs():
    class Local(BaseModel):
        q: int

    def f(x: Local, y: list[Local] = []):  # noqa: B006  # defaults are what is tested
        return x.q

    assert called(f, {"q": 1}) == 1


def test_one_annotation_without_meaning_does_not_spoil_the_others():
    def f(x: NoSuchName, y: int): ...  # noqa: F821

    assert describe(f).input_schema["properties"] == {"x": {}, "y": {"type": "integer"}}


@dataclasses.dataclass
class Point:
    x: int


def test_names_and_descriptions_are_those_of_the_author():
    assert [describe(f).name for f in (lambda: 1, Adder(), functools.partial(every, 1))] == ["tool", "Adder", "every"]  # fmt: skip
    assert describe(Adder()).description == "Adds."
    assert describe(Point).description == ""


@pytest.mark.parametrize(
    ("func", "is_async", "is_generator"),
    [(positional, False, False), (pytest.param(lambda: (yield), False, True))],
)
def test_plain_functions_and_generators_are_not_async(func, is_async, is_generator):
    spec = describe(func)
    assert (spec.is_async, spec.is_generator) == (is_async, is_generator)


def test_async_kinds_are_told_apart():
    async def once(): ...

    async def many():
        yield 1

    assert [(s.is_async, s.is_generator) for s in map(describe, (once, many))] == [(True, False), (True, True)]  # fmt: skip
