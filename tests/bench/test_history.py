"""The history: what it keeps, saves, loads, and turns into code."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from uuid import UUID

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from workbench import (
    AgentAudio,
    AgentImage,
    AgentText,
    History,
    InvalidArguments,
    ToolError,
    ToolResult,
    ToolTimeout,
    Workbench,
    WorkbenchError,
    tool,
)
from workbench.bench.portable import Folder, read_value, write_value
from workbench.bench.shelf import Shelf
from workbench.tools import Resource, ResourceLink


@pytest.fixture
def take():
    """A workbench of one tool that gives back what it takes."""
    seen = []

    def take(**given):
        seen.append(given)
        return given.get("x")

    with Workbench(take) as bench:
        bench.seen = seen
        yield bench


def saved(bench: Workbench, folder: Path) -> History:
    bench.history.save(folder / "calls.jsonl")
    return History.load(folder / "calls.jsonl", bench.tools)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner) | st.tuples(inner, inner),
    max_leaves=12,
)


@given(json_values | st.sets(st.integers()) | st.dictionaries(st.integers(), st.text()))
def test_values_come_back_as_they_were(value):
    folder = Folder(Path("never-made"))
    written = json.loads(json.dumps(write_value(value, folder), allow_nan=False))
    assert read_value(written, folder) == value
    assert not folder.path.exists()


class Colour(Enum):
    RED = "red"


@dataclass
class Point:
    x: int
    y: int


KEPT = [
    b"bytes", date(2026, 1, 2), datetime(2026, 1, 2, 3, 4), Decimal("1.50"), Path("a/b"), UUID(int=7),
    {"$type": "image"}, AgentText("# hi", mime_type="text/markdown"),
    Resource(uri="note://1", value=AgentText("hi"), mime_type="text/plain", meta={"a": 1}),
    ResourceLink(uri="demo://report", name="report"), (1, (2,)), {"deep": [{"er": (b"x",)}]},
]  # fmt: skip
FLATTENED = [
    (Colour.RED, "red"), (Point(1, 2), {"x": 1, "y": 2}), (np.float64(2.5), 2.5), (np.int8(3), 3),
    (frozenset({1}), {1}), (bytearray(b"x"), b"x"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "back"), [(v, v) for v in KEPT] + FLATTENED, ids=repr)
def test_other_values_come_back_as_their_types(value, back, tmp_path):
    written = json.loads(json.dumps(write_value(value, Folder(tmp_path))))
    found = read_value(written, Folder(tmp_path))
    assert found == back
    assert type(found) is type(back)


def test_what_has_no_form_is_told():
    assert write_value(object, Folder(Path())) == "<class 'object'>"
    found = read_value(write_value(math.inf, Folder(Path())), Folder(Path()))
    assert found == math.inf


def test_media_arrays_and_tables_come_back(tmp_path):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame(
        {"a": [1, 2], "when": pandas.to_datetime(["2026-01-01", "2026-01-02"])}
    )
    value = {
        "picture": AgentImage(Image.new("RGB", (4, 3), "red")),
        "sound": AgentAudio(np.linspace(-1, 1, 80, dtype="float32"), 8000),
        "array": np.arange(6).reshape(2, 3),
        "table": table,
    }
    back = read_value(
        json.loads(json.dumps(write_value(value, Folder(tmp_path)))), Folder(tmp_path)
    )
    assert back["picture"] == value["picture"]
    assert back["sound"].samplerate == 8000
    assert np.allclose(back["sound"], value["sound"], atol=1e-4)
    assert np.array_equal(back["array"], value["array"])
    assert (back["table"] == table).all(axis=None)


def test_a_history_is_saved_and_loaded(tmp_path):
    def mixed(name: str, picture: Image.Image) -> tuple:
        return name, picture.rotate(180), 3

    def broken(n: int) -> int:
        raise LookupError(f"no {n}")

    with Workbench(mixed, broken) as bench:
        bench.tools["mixed"]("a", Image.new("L", (5, 4), 7))
        bench.tools["broken"].run({"n": 1})
        bench.tools["broken"].run({"n": "x"})
        bench.history.pin(1)
        history = saved(bench, tmp_path)
        first, second, third = history
        assert first.result.images[0] == bench.history[0].result.images[0]
        assert first.result.value == ("a", first.result.images[0], 3)
        assert type(first.result.content[0]) is AgentText
        assert first.arguments["picture"].size == (5, 4)
        assert (second.pinned, second.result.text) == (True, "LookupError: no 1")
        assert isinstance(second.result.error, ToolError)
        assert "in broken" in second.result.to_html()
        assert third.result.problems == bench.history[2].result.problems
        assert isinstance(third.result.error, InvalidArguments)
        assert repr(history) == repr(bench.history)
        assert history.rerun(0).images[0] == first.result.images[0]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["calls.jsonl", "calls_media"]


def test_saving_again_changes_nothing(tmp_path, take):
    take.tools["take"](x=AgentImage(Image.new("RGB", (2, 2))))
    history = saved(take, tmp_path)
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    history.save(tmp_path / "calls.jsonl")
    assert before == {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}


def test_errors_of_ours_come_back_as_themselves(tmp_path):
    def slow() -> ToolResult:
        return ToolResult.failure(ToolTimeout("too slow"))

    with Workbench(slow) as bench:
        bench.tools["slow"].run()
        error = saved(bench, tmp_path)[0].result.error
    assert type(error) is ToolTimeout
    assert str(error) == "too slow"


SECRET = {
    "type": "object",
    "properties": {
        "login": {"$ref": "#/$defs/login"},
        "keys": {"type": "array", "items": {"x-workbench": {"secret": True}}},
        "pin": {"anyOf": [{"type": "integer", "writeOnly": True}, {"type": "null"}]},
    },
    "$defs": {"login": {"properties": {"name": {}, "password": {"format": "password"}}}},
}


def test_secrets_are_nowhere_but_in_the_call(tmp_path):
    calls = []

    def sign_in(login, keys=(), pin=None):
        calls.append((login, keys, pin))
        return f"hello {login['name']}, your password is {login['password']}"

    given = {"login": {"name": "Ada", "password": "hunter2"}, "keys": ["k1-secret"], "pin": 4711}
    made = tool(sign_in, args=SECRET["properties"])
    made._definition.input_schema["$defs"] = SECRET["$defs"]
    with Workbench(made) as bench:
        bench.tools["sign_in"].run(given)
        shown = repr(bench.history) + str(bench.history._repr_mimebundle_())
        shown += repr(bench.history[0].arguments) + bench.history.to_code(0)
        history = saved(bench, tmp_path)
        shown += (tmp_path / "calls.jsonl").read_text() + repr(history)
        assert not [word for word in ("hunter2", "k1-secret", "4711") if word in shown]
        assert "getpass.getpass('login.password: ')" in bench.history.to_code(0)
        bench.history.rerun(0)
        with pytest.raises(WorkbenchError, match=r"login\.password, keys\[0\], pin again"):
            history.rerun(0)
        history.rerun(0, **given)
    assert calls == [(given["login"], given["keys"], given["pin"])] * 3


def test_a_call_is_made_again_with_other_arguments(take):
    take.tools["take"](x=1, y=2)
    assert take.history.rerun(0, x=5).value == 5
    assert take.seen[1] == {"x": 5, "y": 2}


def test_a_tool_that_is_gone_is_named(take, tmp_path):
    take.tools["take"](x=1)
    take.history.save(tmp_path / "calls.jsonl")
    with pytest.raises(WorkbenchError, match="no tool 'take'; there are none"):
        History.load(tmp_path / "calls.jsonl").rerun(0)


@pytest.mark.parametrize("text", ["\u2028\x85\x0b", "\ud800", "한국어 😀", "a\r\nb"])
def test_any_text_survives_in_a_file(text, take, tmp_path):
    take.tools["take"](x=text)
    assert saved(take, tmp_path)[0].arguments == {"x": text}


FAULTS = [
    ("not json", "line 1"), ('{"format": 9}', "format 9"), ('{"format": 1}', "line 1.*KeyError"), ("[]", "line 1"),
    ('{"format": 1, "arguments": {"x": {"$type": "nonsense"}}}', "type 'nonsense'"),
    ('{"format": 1, "arguments": {"x": {"$type": "image", "file": "../../secret.png"}}}', "is not in"),
    ('{"format": 1, "arguments": {"x": {"$type": "image", "file": "gone.png"}}}', r"'gone\.png' is not in"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "words"), FAULTS)
def test_faults_in_a_file_are_named(line, words, tmp_path):
    (tmp_path / "secret.png").write_bytes(b"x")
    path = tmp_path / "folder" / "calls.jsonl"
    path.parent.mkdir()
    path.write_text(line)
    with pytest.raises(WorkbenchError, match=words):
        History.load(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(WorkbenchError, match=r"no history can be read from .*none\.jsonl"):
        History.load(tmp_path / "none.jsonl")


def test_old_records_rest_on_disk_and_come_back(take):
    take.history._records = Shelf(most_records=8)
    picture = AgentImage(Image.new("RGB", (3, 2), "blue"))
    take.tools["take"](x=picture)
    for n in range(20):
        take.tools["take"](x=n)
    assert sum(isinstance(place, Path) for place in take.history._records._places) == 13
    assert take.history[0].result.images[0] == picture
    assert [record.number for record in take.history] == list(range(21))
    assert take.history.pin(0).pinned
    assert take.history[0].pinned
    assert take.history.rerun(5).value == 4


def test_heavy_records_go_first(take):
    take.history._records = Shelf(most_bytes=100_000)
    for _ in range(12):
        take.tools["take"](x=np.zeros(50_000, "uint8"))
    assert take.history._records._first == 4
    assert take.history[0].result.value.shape == (50_000,)


CODED = [
    1, "a'b\"c\n", [1, {"a": None}], 1.5, math.inf, True, (1,), "y" * 5000, b"bytes", b"z" * 5000, {1: 2},
    Path("a/b"), "\ud800" * 3000, -0.0,
]  # fmt: skip


@pytest.mark.parametrize("value", CODED, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("name", ["x", "class", "a b", "Notion-Version"])
def test_code_makes_the_same_call(take, value, name):
    take.tools["take"](**{name: value})
    exec(take.history.to_code(0), {"bench": take})
    assert take.seen[0] == take.seen[1]
    assert type(take.seen[1][name]) is type(value)


def test_code_of_media_arrays_and_objects(take):
    thing = object()
    arguments = {
        "image": AgentImage(Image.new("RGB", (4, 3))),
        "array": np.arange(3),
        "thing": thing,
        "upload": AgentImage(Image.effect_noise((64, 64), 90))._wire().partition(",")[2],
    }
    take.tools["take"](**arguments)
    code = take.history.to_code(0)
    exec(code, {"bench": take})
    again = take.seen[1]
    assert again["image"] == arguments["image"]
    assert np.array_equal(again["array"], arguments["array"])
    assert again["thing"] is thing
    assert again["upload"] == arguments["upload"]
    assert ".png').read_bytes()" in code


def test_two_calls_are_compared(take):
    for x in ("one\ntwo", "one\n<b>three", AgentImage(Image.new("L", (3, 2))), {"a": 1}, {"a": 1}):
        take.tools["take"](x=x)
    texts, pictures, equal = (take.history.compare(*pair) for pair in ((0, 1), (0, 2), (3, 4)))
    assert "-two\n+<b>three" in str(texts)
    html = texts._repr_mimebundle_()["text/html"]
    assert "+&lt;b&gt;three" in html
    assert "<b>" not in html
    assert "3 × 2" in pictures._repr_mimebundle_()["text/html"]
    assert [texts.same, pictures.same, equal.same] == [False, False, True]
    assert "the same result" in str(equal)
    with pytest.raises(IndexError):
        take.history.compare(0, 9)
