"""Laws over random annotations: what fits comes back equal, what does not is refused at its place."""

from __future__ import annotations

import json
from typing import Any, Literal, Optional

import pydantic
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench import InvalidArguments
from workbench.schema import describe, validator

TEXT = st.text(max_size=5)
NUMBERS = st.floats(allow_nan=False, allow_infinity=False, width=32)
LEAVES = st.sampled_from([
    (int, st.integers(), "no number"), (float, NUMBERS, "no number"), (str, TEXT, 5), (bool, st.booleans(), 1),
    (type(None), st.none(), 0), (Literal["a", "b"], st.sampled_from("ab"), "c"), (Literal[1, 2], st.sampled_from([1, 2]), True),
])  # fmt: skip


def _larger(inner: Any) -> Any:
    """Annotation, values, and something that never fits, made of smaller ones."""
    return st.one_of(
        inner.map(lambda x: (list[x[0]], st.lists(x[1], max_size=3), {"no": "list"})),
        inner.map(lambda x: (dict[str, x[0]], st.dictionaries(TEXT, x[1], max_size=3), ["no dict"])),
        inner.map(lambda x: (tuple[x[0], x[0]], st.tuples(x[1], x[1]).map(list), [1, 2, 3])),
        inner.map(lambda x: (_record(x[0]), st.fixed_dictionaries({"a": x[1]}, optional={"b": x[1]}), {"b": 1})),
    )  # fmt: skip


def _record(kind: Any) -> Any:
    return pydantic.create_model("Record", a=(kind, ...), b=(Optional[kind], None))


CASES = st.recursive(LEAVES, _larger, max_leaves=4)


def taking(kind: Any) -> Any:
    def f(x): ...

    f.__annotations__ = {"x": kind}
    return describe(f)


def plain(value: Any) -> Any:
    """The value as JSON has it, with what was left out of records left out again."""
    if isinstance(value, pydantic.BaseModel):
        return {n: plain(v) for n, v in value if n in value.model_fields_set}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, (list, tuple)) else value


@given(CASES, st.data())
def test_what_fits_comes_back_equal_and_keeps_the_schema(case, data):
    kind, values, _ = case
    spec, value = taking(kind), data.draw(values)
    assert plain(spec.check({"x": value})["x"]) == value
    assert validator(spec.input_schema).problems({"x": value}) == ()
    json.dumps(spec.input_schema, allow_nan=False)


@given(CASES)
def test_what_does_not_fit_is_refused_at_its_place_by_both_validators(case):
    kind, _, wrong = case
    spec = taking(kind)
    with pytest.raises(InvalidArguments) as caught:
        spec.check({"x": wrong})
    ours = {problem.path[:1] for problem in caught.value.problems}
    theirs = {problem.path[:1] for problem in validator(spec.input_schema).problems({"x": wrong})}
    assert ours == theirs == {("x",)}


@given(CASES, st.data())
def test_a_wrong_item_in_a_list_is_named_by_its_index(case, data):
    kind, values, wrong = case
    items = data.draw(st.lists(values, max_size=3))
    at = data.draw(st.integers(0, len(items)))
    items.insert(at, wrong)
    with pytest.raises(InvalidArguments) as caught:
        taking(list[kind]).check({"x": items})
    assert {problem.path[:2] for problem in caught.value.problems} == {("x", at)}
