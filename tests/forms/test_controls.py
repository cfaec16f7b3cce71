"""The face of plain ipywidgets: the same model, the same values, no third-party widget."""

from __future__ import annotations

import datetime
import io
import json

import ipywidgets as widgets
import pytest
from PIL import Image

from workbench import Form, tool

SCHEMA = {
    "type": "object",
    "properties": {
        "s": {"type": "string"}, "long": {"type": "string", "maxLength": 900}, "n": {"type": "integer", "maximum": 9},
        "b": {"type": "boolean"}, "c": {"enum": [1, True, "x"]}, "day": {"type": "string", "format": "date"},
        "many": {"enum": [f"v{i}" for i in range(100)]}, "null": {"type": ["string", "null"]},
        "ticks": {"type": "array", "items": {"enum": ["a", "b"]}}, "key": {"type": "string", "format": "password"},
        "list": {"type": "array", "items": {"type": "integer"}},
        "map": {"type": "object", "additionalProperties": {"type": "integer"}},
        "o": {"type": "object", "properties": {"x": {"type": "number"}}},
        "u": {"anyOf": [{"type": "integer"}, {"type": "boolean"}]}, "any": {}, "k": {"const": "fixed"},
        "no": {"not": {}},
    },
    "required": ["s"],
}  # fmt: skip


@pytest.fixture
def form():
    made = Form(SCHEMA)
    yield made
    made.close()


def everything(widget):
    yield widget
    for child in getattr(widget, "children", ()):
        yield from everything(child)


def press(controls, path, op):
    row = controls._rows[path]
    row._buttons[op].click()


ENTERED = [
    ("s", "text", "text"), ("long", "long", "long"), ("n", "5", 5), ("b", 1, True), ("b", 2, False),
    ("c", 1, True), ("c", 0, 1), ("day", datetime.date(2026, 1, 2), "2026-01-02"), ("many", "v77", "v77"),
    ("ticks", (1,), ["b"]), ("key", "hunter2", "hunter2"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "entered", "value"), ENTERED)
def test_what_is_entered_is_what_is_sent(form, name, entered, value):
    controls = form.controls()
    controls.control(name).value = entered
    assert form.value[name] == value
    assert type(form.value[name]) is type(value)


def test_only_core_widgets_are_used(form):
    form.fill({"list": [1], "map": {"a": 1}, "o": {"x": 1}, "u": 1, "any": [1]})
    for widget in everything(form.controls()):
        assert type(widget).__module__.startswith(("ipywidgets", "workbench.forms.controls"))
        assert widget._model_module.startswith("@jupyter-widgets/")


def test_wrong_text_stays_and_its_problem_is_shown(form):
    controls = form.controls()
    control = controls.control("n")
    control.value = "12"
    assert "must be at most 9, got 12" in controls._rows[("n",)]._wrong.value
    control.value = "x"
    assert "n" not in form.value
    assert controls.control("n") is control
    assert control.value == "x"


def test_containers_grow_and_shrink(form):
    controls = form.controls()
    controls.control("list").click()
    controls.control(("list", 0)).value = "4"
    press(controls, ("list", 0), "duplicate")
    controls.control("o").click()
    controls.control(("o", "x")).value = "1.5"
    controls._rows[("map",)].control.widget.children[0].value = "a"
    controls.control("map").click()
    controls.control("/map/a").value = "7"
    controls.control("k").click()
    assert form.value == {"list": [4, 4], "o": {"x": 1.5}, "map": {"a": 7}, "k": "fixed"}
    press(controls, ("list", 0), "remove")
    assert form.value["list"] == [4]
    assert (("list", 1)) not in controls._rows


def test_unions_null_and_clearing(form):
    controls = form.controls()
    controls.control("u").value = 0
    controls._rows[(("u",), "inside")].control.focus.value = "3"
    press(controls, ("null",), "null")
    assert form.value == {"u": 3, "null": None}
    press(controls, ("null",), "clear")
    press(controls, ("u",), "clear")
    assert form.value == {}
    assert controls.control("u").value == -1


def test_both_faces_show_the_same(form):
    controls = form.controls()
    form._heard(form, {"op": "text", "path": ["s"], "text": "from the page"}, ())
    assert controls.control("s").value == "from the page"
    form.fill({"s": "filled", "n": 3})
    assert (controls.control("s").value, controls.control("n").value) == ("filled", "3")


def test_what_cannot_be_drawn_is_json(form):
    control = form.controls().control("no")
    assert isinstance(control, widgets.Textarea)
    control.value = '{"a": 1}'
    assert form.value["no"] == {"a": 1}


def test_text_of_others_is_escaped():
    evil = "<script>alert(1)</script>"
    form = Form({"properties": {evil: {"title": evil, "description": evil, "const": evil}}})
    shown = [w.value for w in everything(form.controls()) if isinstance(w, widgets.HTML)]
    assert not [text for text in shown if "<script" in text]
    form.close()


def test_run_says_what_blocks_it_then_shows_the_result():
    def double(n: int) -> int:
        return 2 * n

    form = Form(tool(double))
    controls = form.controls()
    controls._run._start.click()
    assert "1 to mend first" in controls._run._status.value
    controls.control("n").value = "21"
    controls._run._start.click()
    assert form.current.wait(20).value == 42
    controls._run.follow(form.run_view)
    assert "42" in json.dumps(controls._run._result.outputs)
    form.close()


def test_files_are_taken(tmp_path):
    @tool
    def size(image: Image.Image) -> tuple[int, int]:
        return image.size

    file = io.BytesIO()
    Image.new("RGB", (7, 5)).save(file, "PNG")
    form = Form(size)
    controls = form.controls()
    upload = controls._rows[("image",)].control.widget.children[0].children[0]
    given = {
        "name": "a.png",
        "type": "image/png",
        "size": 1,
        "content": memoryview(file.getvalue()),
    }
    if widgets.__version__.startswith("7"):
        upload.set_trait("value", {"a.png": {"metadata": given, "content": file.getvalue()}})
    else:
        upload.value = ({**given, "last_modified": datetime.datetime(2026, 1, 1)},)
    assert form.run().wait(20).value == (7, 5)
    form.close()
