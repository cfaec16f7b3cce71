"""Each control of the form in a real page: used as a person does, and what is held is asserted."""

from __future__ import annotations

import json

import pytest

GALLERY = {
    "type": "object",
    "properties": {
        "words": {"type": "array", "items": {"type": "string"}, "description": "Some words."},
        "kinds": {"type": "array", "items": {"enum": ["bug", "feature", "question"]}},
        "when": {"type": "string", "format": "date-time"},
        "day": {"type": "string", "format": "date"},
        "colour": {"type": "string", "format": "color"},
        "thing": {"description": "Whatever you like."},
        "country": {"enum": [f"Land {i}" for i in range(2461)]},
        "level": {"type": "integer", "minimum": 0, "maximum": 10, "default": 3},
        "flag": {"type": "boolean"},
        "note": {"type": ["string", "null"]},
        "big": {"type": "integer"},
        "place": {"type": "object", "properties": {"x": {"type": "number"}, "y": {"type": "number"}}, "required": ["x"]},
        "steps": {"type": "array", "items": {"type": "object", "properties": {"do": {"type": "string"}}}},
        "labels": {"type": "object", "additionalProperties": {"type": "integer"}},
        "target": {"oneOf": [
            {"title": "file", "type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]},
            {"title": "web", "type": "object", "properties": {"url": {"type": "string"}}, "required": ["url"]}]},
        "password": {"type": "string", "format": "password"},
        "sql": {"type": "string"},
        "pair": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]},
        "topic": {"type": "string", "examples": ["sea", "sky"]},
    },
    "required": ["words"],
}  # fmt: skip


@pytest.fixture
def gallery(open_form):
    page = open_form(GALLERY, height=2200)
    page.page.locator("details.wb-fold > summary").click()
    yield page
    assert page.errors == []


def paste(page, locator, text):
    locator.focus()
    page.page.evaluate("(text) => navigator.clipboard.writeText(text)", text)
    page.page.keyboard.press("Control+V")


def test_words_are_as_they_are_typed_and_split_when_pasted(gallery):
    box = gallery.field("words").get_by_role("textbox")
    box.fill("Paris, France")
    box.press("Enter")
    gallery.has({"level": 3, "words": ["Paris, France"]})
    paste(gallery, box, "one\ntwo, too\n")
    gallery.has({"level": 3, "words": ["Paris, France", "one", "two, too"]})
    paste(gallery, box, "a, b")
    gallery.field("words").get_by_role("button", name="remove one").click()
    gallery.has({"level": 3, "words": ["Paris, France", "two, too", "a", "b"]})


def fill_all(page):
    field = page.field
    field("kinds").get_by_role("checkbox", name="question").check()
    field("kinds").get_by_role("checkbox", name="bug").check()
    field("when").get_by_label("when", exact=True).fill("2026-02-03T04:05:06+02:00")
    field("when").locator(".wb-moment").fill("2026-03-04T05:06:07")
    field("day").get_by_label("day").fill("2026-05-06")
    field("colour").locator("input[type=text]").fill("#00ff00")
    field("thing").get_by_role("radio", name="number").check()
    field("thing").locator(".wb-branch input").fill("2.5")
    field("country").get_by_role("combobox").fill("land 2450")
    page.body.get_by_role("option", name="Land 2450", exact=True).click()
    field("level").locator("input[type=text]").fill("7")
    field("flag").get_by_role("radio", name="no").check()
    page.press("note", "null")
    field("big").get_by_role("textbox").fill("9007199254740993")
    field("place").get_by_role("button", name="Fill in").click()
    field("place").get_by_label("x", exact=True).fill("1")
    field("steps").get_by_role("button", name="Add item").click()
    field("steps").get_by_label("do", exact=True).fill("jump")
    field("steps").get_by_role("button", name="duplicate").click()
    field("labels").get_by_label("name of a new entry").fill("a")
    field("labels").get_by_role("button", name="Add entry").click()
    field("labels").get_by_label("a", exact=True).fill("5")
    field("target").get_by_role("radio", name="web").check()
    field("target").get_by_label("url").fill("https://a.b")
    field("password").get_by_label("password").fill("hunter2")
    field("sql").get_by_role("textbox").fill("select\n1")
    field("pair").get_by_role("button", name="Fill in").click()
    field("pair").get_by_label("1.").fill("4")
    field("pair").get_by_label("2.").fill("four")


FILLED = {
    "words": [], "kinds": ["question", "bug"], "when": "2026-03-04T05:06:07+02:00", "day": "2026-05-06",
    "colour": "#00ff00", "thing": 2.5, "country": "Land 2450", "level": 7, "flag": False,
    "note": None, "big": 9007199254740993, "place": {"x": 1}, "steps": [{"do": "jump"}, {"do": "jump"}],
    "labels": {"a": 5}, "target": {"url": "https://a.b"}, "password": "hunter2", "sql": "select\n1",
    "pair": [4, "four"],
}  # fmt: skip


def test_every_control_sends_what_it_shows(gallery, pictures):
    fill_all(gallery)
    gallery.has(FILLED)
    gallery.screenshot("form-gallery-light", pictures)
    gallery.page.emulate_media(color_scheme="dark")
    gallery.screenshot("form-gallery-dark", pictures)
    assert "hunter2" not in json.dumps(gallery.form.view)


def test_every_field_is_cleared_again(gallery):
    fill_all(gallery)
    gallery.has(FILLED)
    for name in FILLED:
        if name != "words":
            gallery.press(name, "clear")
    gallery.has({"words": []})
    gallery.body.get_by_role("button", name="Reset").click()
    gallery.has({"words": [], "level": 3})


WRONG = [
    ("big", "5.5", "must be a whole number", "5", 5), ("level", "70", "must be at most 10, got 70", "9", 9),
    ("when", "tomorrow", "must be a date and time", "2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "wrong", "told", "right", "value"), WRONG)
def test_what_is_wrong_stays_and_is_told(gallery, name, wrong, told, right, value):
    box = gallery.field(name).get_by_label(name, exact=True)
    box.fill(wrong)
    box.blur()
    problem = gallery.field(name).locator("> .wb-problems")
    problem.get_by_text(told).wait_for()
    assert box.input_value() == wrong
    assert box.get_attribute("aria-invalid") == "true"
    box.fill(right)
    problem.get_by_text(told).wait_for(state="detached")
    assert gallery.wait(lambda form: form.value.get(name) == value)[name] == value


def test_an_edit_costs_what_it_changes(gallery):
    gallery.field("big").get_by_role("textbox").fill("12")
    gallery.wait(lambda form: form.value.get("big") == 12)
    assert len(json.dumps(gallery.form.view)) > 10_000
    (patch,) = [message for message in gallery.told if message["op"] == "patch"]
    assert [row["name"] for _, row in patch["rows"]] == ["big"]
    assert len(json.dumps(patch)) < 1_000


def test_json_and_python_say_the_same_and_are_read_back(gallery):
    cell = gallery.body
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
    area.fill(area.input_value().replace("big=5", "big=6"))
    cell.get_by_role("tab", name="Form").click()
    area.wait_for(state="hidden")
    assert gallery.field("big").get_by_role("textbox").input_value() == "6"
    gallery.has({"level": 3, "words": ["x"], "big": 6, "password": "hunter2"})


def test_pasted_json_fills_the_form(gallery):
    paste(gallery, gallery.body, '{"words": ["a"], "big": 9007199254740993}')
    gallery.has({"words": ["a"], "big": 9007199254740993})


def test_a_composite_field_can_be_edited_as_json(gallery):
    place = gallery.field("place")
    gallery.press("place", "as JSON")
    place.locator("textarea").fill('{"x": 1.5')
    place.get_by_text("is not JSON").wait_for()
    place.locator("textarea").fill('{"x": 1.5}')
    place.get_by_text("is not JSON").wait_for(state="detached")
    gallery.press("place", "as fields")
    assert place.get_by_label("x", exact=True).input_value() == "1.5"
    gallery.has({"level": 3, "words": [], "place": {"x": 1.5}})


def test_typing_into_a_union_is_not_interrupted(gallery):
    thing = gallery.field("thing")
    thing.get_by_role("radio", name="number").check()
    box = thing.locator(".wb-branch input")
    box.press_sequentially("12x", delay=130)
    thing.get_by_text("must be a number").wait_for()
    for _ in range(3):
        box.press("Backspace", delay=130)
    box.press_sequentially("7", delay=130)
    assert box.evaluate("e => e === document.activeElement")
    gallery.has({"level": 3, "words": [], "thing": 7})


def test_items_are_moved_by_keys_and_by_dragging(open_form):
    page = open_form(
        {"properties": {"n": {"type": "array", "items": {"type": "integer"}}}}, n=[1, 2, 3]
    )
    row = lambda at: page.body.locator(".wb-group .wb-field").nth(at)  # noqa: E731
    up = row(2).get_by_role("button", name="move up")
    up.focus()
    page.page.keyboard.press("Enter")
    page.has({"n": [1, 3, 2]})
    page.page.keyboard.press("Enter")
    page.has({"n": [3, 1, 2]})
    row(0).locator(".wb-grip").drag_to(row(2))
    page.has({"n": [1, 2, 3]})
    row(1).get_by_role("button", name="remove").click()
    page.has({"n": [1, 3]})


def test_entries_of_a_map_are_renamed(open_form):
    page = open_form(
        {"properties": {"m": {"type": "object", "additionalProperties": {"type": "integer"}}}},
        m={"a": 1},
    )
    page.body.get_by_role("button", name="rename").click()
    page.body.get_by_label("another name for a").fill("b")
    page.page.keyboard.press("Enter")
    page.has({"m": {"b": 1}})


def test_an_invalid_date_from_code_is_seen(open_form):
    page = open_form({"properties": {"d": {"type": "string", "format": "date"}}}, d="31.12.2026")
    assert page.body.get_by_label("d", exact=True).input_value() == "31.12.2026"
    page.body.get_by_label("d", exact=True).fill("2026-12-31")
    page.has({"d": "2026-12-31"})


def test_choices_of_a_function_and_paths_are_looked_up(open_form, tmp_path):
    from workbench.forms import Choices

    (tmp_path / "data.csv").write_text("")
    choices = Choices(lambda: ["tiny", "large"])
    page = open_form({"properties": {"model": {"type": "string", "x-workbench": choices.said}, "where": {"type": "string", "format": "path"}}})  # fmt: skip
    page.field("model").get_by_role("combobox").fill("la")
    page.body.get_by_role("option", name="large").click()
    page.has({"model": "large"})
    page.field("where").get_by_role("combobox").fill(f"{tmp_path}/da")
    page.body.get_by_role("option", name="data.csv").click()
    page.has({"model": "large", "where": f"{tmp_path}/data.csv"})


def test_a_file_is_sent_to_where_the_kernel_is(open_form):
    page = open_form({"properties": {"where": {"type": "string", "format": "path"}}})
    page.body.locator("input[type=file]").set_input_files(
        {"name": "a.csv", "mimeType": "text/csv", "buffer": b"1,2"}
    )
    value = page.wait(lambda form: form.value.get("where"))
    with open(value["where"]) as file:
        assert file.read() == "1,2"
    assert value["where"].endswith(".csv")


def test_earlier_results_are_entered_into_other_forms(open_form):
    from workbench import tool

    page = open_form(tool(lambda n: 40 + n, name="count"), n=2)
    page.body.get_by_role("button", name="Run", exact=True).click()
    page.body.locator(".wb-status", has_text="done").wait_for()
    other = open_form(
        {"properties": {"total": {"type": "integer"}, "name": {"type": "string", "pattern": "^x"}}}
    )
    other.press("total", "notebook")
    other.body.get_by_label("values of the notebook for total").select_option(
        label="result of count: 42"
    )
    other.has({"total": 42})


def test_read_only_fields_are_sent_and_not_edited(open_form):
    page = open_form({"properties": {"v": {"type": "integer", "readOnly": True, "default": 3}}})
    assert page.field("v").get_by_role("textbox").is_disabled()
    page.has({"v": 3})


def test_two_forms_do_not_share_names(open_form):
    schema = {"properties": {"flag": {"type": "boolean"}, "text": {"type": "string"}}}
    first, second = open_form(schema), open_form(schema)
    ids = [
        page.body.locator("[id]").evaluate_all("all => all.map((e) => e.id)")
        for page in (first, second)
    ]
    assert not set(ids[0]) & set(ids[1])
