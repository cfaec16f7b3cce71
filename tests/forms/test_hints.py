"""Controls: asked for by authors and by people, guessed from names, always explained."""

from __future__ import annotations

from typing import Annotated

import pytest

from workbench import Form, tool
from workbench.forms import Choices, FilePath, FormModel, Multiline, Secret, Slider
from workbench.forms.search import found
from workbench.forms.view import form_view


def row_of(model, name):
    return next(row for row in form_view(model)["fields"] if row["name"] == name)


def draw(
    prompt: Annotated[str, Multiline()],
    strength: Annotated[float, Slider(0, 1, step=0.05)],
    key: Annotated[str, Secret()],
    model: Annotated[str, Choices(lambda: ["tiny", "large"])],
    where: Annotated[str, FilePath()] = "",
) -> str:
    return prompt


SCHEMA = tool(draw).input_schema
HINTED = [("prompt", "lines"), ("strength", "slider"), ("key", "secret"), ("model", "choices"), ("where", "path")]  # fmt: skip


@pytest.mark.parametrize(("name", "control"), HINTED)
def test_authors_choose_controls(name, control):
    model = FormModel(SCHEMA)
    assert row_of(model, name)["control"] == control
    because = {each.path: each.because for each in model.explain()}
    assert because[name,] == "x-workbench"


def test_hints_change_nothing_that_is_sent_or_valid():
    given = {"prompt": "p", "strength": 7.5, "key": "k", "model": "other", "where": "x"}
    assert FormModel(SCHEMA, given).value == given
    assert tool(draw).run(given).value == "p"


def test_ends_of_a_slider_are_the_hints():
    row = row_of(FormModel(SCHEMA), "strength")
    assert (row["minimum"], row["maximum"], row["step"]) == (0, 1, 0.05)


def test_choices_are_asked_for_when_the_list_is_opened():
    there = {"small": 1}
    schema = {"properties": {"n": {"type": "integer", "x-workbench": Choices(lambda: there).said}}}
    choices = Choices(lambda: there)
    schema["properties"]["n"]["x-workbench"] = choices.said
    model = FormModel(schema)
    assert found(model, ("n",), "") == [(0, "small")]
    there["large"] = 100
    assert found(model, ("n",), "LAR") == [(1, "large")]
    model.pick("n", 1)
    model_of_unknown = FormModel(
        {
            "properties": {
                "n": {"type": "string", "x-workbench": {"control": "choices", "choices": "gone#1"}}
            }
        }
    )
    assert model.value == {"n": 100}
    assert found(model_of_unknown, ("n",), "") == []


def test_a_schema_may_list_choices_itself():
    hint = {"control": "choices", "choices": ["red", "green"]}
    model = FormModel({"properties": {"c": {"type": "string", "x-workbench": hint}}})
    assert found(model, ("c",), "gr") == [(1, "green")]
    model.set_text("c", "blue")
    assert model.value == {"c": "blue"}
    assert model.problems == ()


NAMED = [
    ("apiKey", "secret"), ("db-password", "secret"), ("max_tokens", "line"), ("sql", "code"),
    ("system_prompt", "lines"), ("title", "line"), ("context", "line"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "control"), NAMED)
def test_names_only_choose_a_control(name, control):
    model = FormModel({"properties": {name: {"type": "string"}}})
    assert row_of(model, name)["control"] == control
    model.set_text(name, " as typed ")
    assert model.value == {name: " as typed "}


def test_descriptions_may_ask_for_a_file():
    about = "Base64 encoded image data."
    model = FormModel({"properties": {"data": {"type": "string", "description": about}}})
    assert row_of(model, "data")["control"] == "image"
    model.set_text("data", "anything")
    assert (model.value, model.problems) == ({"data": "anything"}, ())


USED = [
    ({"type": "string"}, "lines", "lines"), ({"type": "string", "format": "date"}, "line", "line"),
    ({"type": "number"}, Slider(0, 5), "slider"), ({"type": "array", "items": {"type": "string"}}, "items", ""),
    ({"type": "string"}, "image", "image"), ({"type": "string", "contentEncoding": "base64"}, "line", "line"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "control", "drawn"), USED)
def test_people_choose_controls(schema, control, drawn):
    form = Form({"properties": {"v": schema}})
    form.use("v", control=control)
    assert form.view["fields"][0]["control"] == drawn
    form.reset()
    assert form.view["fields"][0]["control"] == drawn
    assert form.explain()[0].because == "form.use"
    form.close()


def test_a_control_for_the_items_of_a_list_is_for_all_of_them():
    steps = {"type": "array", "items": {"properties": {"do": {"type": "string"}}}}
    model = FormModel({"properties": {"steps": steps}}, {"steps": [{"do": "a"}, {"do": "b"}]})
    model.use(("steps", 0, "do"), "code")
    drawn = [(each.path, each.control) for each in model.explain() if "do" in each.path]
    assert drawn == [(("steps", 0, "do"), "code"), (("steps", 1, "do"), "code")]


def test_a_control_that_does_not_fit_is_refused_with_those_that_do():
    model = FormModel({"properties": {"n": {"type": "integer"}}})
    with pytest.raises(ValueError, match="it can have 'number', 'slider'"):
        model.use("n", "image")
    with pytest.raises(KeyError):
        FormModel({"type": "array"}).use("x", "line")


def test_composite_fields_can_be_asked_for_as_json():
    model = FormModel({"properties": {"o": {"properties": {"a": {"type": "string"}}}}})
    model.use("o", "json")
    assert row_of(model, "o")["kind"] == "json"
