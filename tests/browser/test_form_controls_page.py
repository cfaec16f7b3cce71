"""Each control of the form in a real page: used as a person does, and what is sent is asserted."""

from __future__ import annotations

import json

import pytest

GALLERY = """
import json
from workbench import Form, tool
from workbench.tools import Tool

SCHEMA = {
    "type": "object",
    "properties": {
        "words": {"type": "array", "items": {"type": "string"}, "description": "Some words."},
        "kinds": {"type": "array", "items": {"enum": ["bug", "feature", "question"]}},
        "when": {"type": "string", "format": "date-time"},
        "colour": {"type": "string", "format": "color"},
        "thing": {"description": "Whatever you like."},
        "country": {"enum": [f"Land {i}" for i in range(700)]},
        "level": {"type": "integer", "minimum": 0, "maximum": 10, "default": 3},
        "flag": {"type": "boolean"},
        "note": {"type": ["string", "null"]},
        "big": {"type": "integer"},
        "place": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}},
                  "required": ["x"]},
        "steps": {"type": "array", "items": {"type": "object", "properties": {"do": {"type": "string"}}}},
        "labels": {"type": "object", "additionalProperties": {"type": "integer"}},
        "target": {"oneOf": [
            {"title": "file", "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
            {"title": "web", "type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}]},
        "password": {"type": "string", "format": "password"},
    },
    "required": ["words"],
}

form = Form(SCHEMA)
form
"""

VALUE = "import json; print('VALUE' + json.dumps(form.value))"


@pytest.fixture
def gallery(open_notebook):
    notebook = open_notebook([GALLERY, VALUE], height=1700).run_all()
    return Gallery(notebook)


class Gallery:
    """The form of the gallery, and what it holds."""

    def __init__(self, notebook):
        self.notebook, self.cell = notebook, notebook.cell(0)
        fold = self.cell.locator("details.wb-fold > summary")
        if fold.is_visible():
            fold.click()

    def field(self, name):
        labels = self.cell.page.locator(".wb-label", has_text=name)
        return self.cell.locator(".wb-field", has=labels).first

    def value(self):
        """Run the second cell and read what it prints."""
        self.cell.page.evaluate("() => document.activeElement.blur()")
        before = (
            self.notebook.page.locator(".jp-Cell").nth(1).locator(".jp-InputPrompt").inner_text()
        )
        self.notebook.run(1)
        self.cell.page.wait_for_function(
            """(before) => { const text = document.querySelectorAll('.jp-Cell')[1].querySelector('.jp-InputPrompt').innerText;
                return text !== before && /\\[\\d+\\]/.test(text); }""",
            arg=before,
        )
        text = self.notebook.cell(1).inner_text()
        return json.loads(text.partition("VALUE")[2])


def test_every_control_sends_what_it_shows(gallery):
    field = gallery.field
    field("words").get_by_role("textbox").fill("one, two")
    field("words").get_by_role("textbox").press("Enter")
    field("kinds").get_by_role("checkbox", name="question").check()
    field("kinds").get_by_role("checkbox", name="bug").check()
    field("when").get_by_label("when", exact=True).fill("2026-02-03T04:05:06+02:00")
    field("when").locator(".wb-moment").fill("2026-03-04T05:06:07")
    field("colour").locator("input[type=text]").fill("#00ff00")
    field("thing").get_by_role("radio", name="number").check()
    field("thing").locator(".wb-branch input").fill("2.5")
    combo = field("country").get_by_role("combobox")
    combo.fill("land 65")
    gallery.cell.get_by_role("option", name="Land 650", exact=True).click()
    field("level").locator("input[type=text]").fill("7")
    field("flag").get_by_role("radio", name="no").check()
    field("note").get_by_role("button", name="null").click()
    field("big").get_by_role("textbox").fill("9007199254740993")
    field("place").get_by_role("button", name="Fill in").click()
    field("place").get_by_label("x", exact=True).fill("1")
    field("steps").get_by_role("button", name="Add item").click()
    field("steps").get_by_label("do").fill("jump")
    field("steps").get_by_role("button", name="duplicate").click()
    field("labels").get_by_label("name of a new entry").fill("a")
    field("labels").get_by_role("button", name="Add entry").click()
    field("labels").get_by_label("a", exact=True).fill("5")
    field("target").get_by_role("radio", name="web").check()
    field("target").get_by_label("url").fill("https://a.b")
    field("password").get_by_label("password").fill("hunter2")
    gallery.notebook.screenshot("form-gallery-light")
    assert gallery.value() == {
        "words": ["one", "two"], "kinds": ["question", "bug"], "when": "2026-03-04T05:06:07+02:00",
        "colour": "#00ff00", "thing": 2.5, "country": "Land 650", "level": 7, "flag": False,
        "note": None, "big": 9007199254740993, "place": {"x": 1}, "steps": [{"do": "jump"}, {"do": "jump"}],
        "labels": {"a": 5}, "target": {"url": "https://a.b"}, "password": "hunter2",
    }  # fmt: skip
    gallery.notebook.theme("dark")
    gallery.notebook.screenshot("form-gallery-dark")
    assert not gallery.notebook.errors


def test_json_and_python_say_the_same_and_are_read_back(gallery):
    cell = gallery.cell
    gallery.field("password").get_by_label("password").fill("hunter2")
    cell.get_by_role("tab", name="JSON").click()
    area = cell.locator(".wb-whole")
    area.wait_for()
    shown = json.loads(area.input_value())
    assert shown["level"] == 3
    assert "hunter2" not in area.input_value()
    area.fill(json.dumps({**shown, "words": ["x"], "big": 5})[:-1])
    cell.get_by_text("is not JSON").first.wait_for()
    cell.get_by_role("tab", name="Form").click()
    assert area.is_visible()
    area.fill(json.dumps({**shown, "words": ["x"], "big": 5}))
    cell.get_by_role("tab", name="Python").click()
    cell.page.wait_for_function("() => document.querySelector('.wb-whole').value.includes('big=5')")
    gallery.notebook.screenshot("form-python")
    area.fill(area.input_value().replace("big=5", "big=6"))
    cell.get_by_role("tab", name="Form").click()
    cell.locator(".wb-whole").wait_for(state="hidden")
    assert gallery.field("big").get_by_role("textbox").input_value() == "6"
    assert gallery.value() == {"level": 3, "words": ["x"], "big": 6, "password": "hunter2"}


def test_a_composite_field_can_be_edited_as_json(gallery):
    place = gallery.field("place")
    place.get_by_role("button", name="as JSON").click()
    place.locator("textarea").fill('{"x": 1.5')
    place.get_by_text("is not JSON").wait_for()
    place.locator("textarea").fill('{"x": 1.5}')
    place.get_by_text("is not JSON").wait_for(state="detached")
    place.get_by_role("button", name="as fields").click()
    assert place.get_by_label("x", exact=True).input_value() == "1.5"
    assert gallery.value()["place"] == {"x": 1.5}


def test_typing_into_a_union_is_not_interrupted(gallery):
    thing = gallery.field("thing")
    thing.get_by_role("radio", name="number").check()
    box = thing.locator(".wb-branch input")
    box.press_sequentially("12x", delay=150)
    thing.get_by_text("must be a number").wait_for()
    for _ in range(3):
        box.press("Backspace", delay=150)
    box.press_sequentially("7", delay=150)
    assert box.evaluate("e => e === document.activeElement")
    assert gallery.value()["thing"] == 7


def test_two_forms_of_a_page_do_not_share_names(open_notebook):
    source = """
from workbench import Form

Form({"properties": {"flag": {"type": "boolean"}, "text": {"type": "string"}}})
"""
    notebook = open_notebook([source, source]).run_all()
    first, second = notebook.cell(0), notebook.cell(1)
    first.get_by_role("radio", name="yes").check()
    second.get_by_role("radio", name="no").check()
    assert first.get_by_role("radio", name="yes").is_checked()
    second.locator("label.wb-label", has_text="text").click()
    assert second.get_by_label("text", exact=True).evaluate("e => e === document.activeElement")
