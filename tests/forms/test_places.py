"""Lists with gaps, unions with a chosen branch, secrets: each problem where it is seen."""

from __future__ import annotations

import pytest

from workbench.forms import FormModel
from workbench.forms.view import form_view


def of(schema, **more):
    return FormModel({"type": "object", "properties": {"v": schema}, **more})


def told(model):
    return [str(problem) for problem in model.problems]


NUMBERS = {"type": "array", "items": {"type": "integer", "maximum": 9}}
PAIR = {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "string"}]}


def test_an_empty_item_is_named_and_not_left_out():
    model = of(NUMBERS)
    model.add("v"), model.add("v")
    model.set_text(("v", 1), "50")
    assert told(model) == [
        "v[0]: is empty: enter a value or remove it",
        "v[1]: must be at most 9, got 50",
    ]
    model.clear(("v", 0))
    model.set_text(("v", 0), "5")
    assert (model.value, model.problems) == ({"v": [5]}, ())


def test_items_of_a_tuple_keep_their_places():
    model = of(PAIR)
    model.begin("v")
    model.set_text(("v", 1), "a")
    assert told(model) == ["v[0]: is empty: enter a value or remove it"]
    model.set_text(("v", 0), "1")
    assert (model.value, model.problems) == ({"v": [1, "a"]}, ())
    model.clear(("v", 1))
    assert (model.value, model.problems) == ({"v": [1]}, ())


CAT = {"title": "Cat", "type": "object", "properties": {"kind": {"enum": ["cat"]}, "lives": {"type": "integer"}},
       "required": ["kind", "lives"]}  # fmt: skip
DOG = {"title": "Dog", "type": "object", "properties": {"kind": {"enum": ["dog"]}, "name": {"type": "string"}},
       "required": ["kind", "name"]}  # fmt: skip


def test_problems_are_those_of_the_chosen_alternative():
    model = of({"oneOf": [CAT, DOG]})
    for title, missing in (("Dog", "name"), ("Cat", "lives")):
        model.choose("v", title)
        assert told(model) == [f"v.{missing}: is required"]
    assert model.value == {"v": {"kind": "cat"}}


def test_a_member_may_be_entered_before_an_alternative_is_chosen():
    model = FormModel(
        {"properties": {"a": {"type": "string"}}, "oneOf": [CAT, DOG], "type": "object"}
    )
    model.set("a", "x")
    assert model.value == {"a": "x"}


def test_references_inside_alternatives_are_those_of_the_whole():
    schema = {
        "properties": {"n": {"type": "integer"}, "v": {"anyOf": [{"$ref": "#/properties/n"}, {"type": "boolean"}]}},
    }  # fmt: skip
    model = FormModel(schema, {"v": True})
    assert model.value == {"v": True}
    assert model.node.child("v").branch == 1


def test_secrets_are_in_no_problem_and_no_view():
    schema = {"type": "string", "format": "password", "pattern": "^[0-9]+$"}
    model = of(schema)
    model.set("v", "hunter2")
    assert len(model.problems) == 1
    assert "hunter2" not in str(model.problems)
    assert "hunter2" not in str(form_view(model))


POINTED = [
    ({"type": "object", "additionalProperties": {"type": "integer"}}, {"0": 5}),
    (NUMBERS, [5]),
]


@pytest.mark.parametrize(("schema", "value"), POINTED)
def test_a_number_in_a_pointer_is_a_name_or_an_index(schema, value):
    model = of(schema)
    model.set("/v/0", 5)
    assert model.value == {"v": value}
    model.remove("/v/0")
    assert model.value in ({"v": {}}, {"v": []})


def test_entries_are_renamed_in_place():
    model = of({"type": "object", "additionalProperties": {"type": "integer"}})
    model.set("v", {"a": 1, "b": 2})
    assert model.rename(("v", "a"), "z") == ("v", "z")
    assert list(model.value["v"].items()) == [("z", 1), ("b", 2)]
    with pytest.raises(ValueError, match="already"):
        model.rename(("v", "z"), "b")


MERGED = [
    ([{"type": "integer", "minimum": 3}, {"minimum": 5}, {"maximum": 9}], ("integer", "slider")),
    ([{"type": "number"}, {"type": "integer"}], ("integer", "")),
    ([{"enum": ["a", "b"]}, {"enum": ["b", "c"]}], ("choice", "")),
    ([{"properties": {"a": {"type": "string"}}}, {"properties": {"a": {"maxLength": 5}, "b": {}}}], ("object", "")),
    ([{"anyOf": [{"type": "string"}, {"type": "integer"}]}, {"title": "x"}], ("union", "")),
]  # fmt: skip


@pytest.mark.parametrize(("parts", "drawn"), MERGED)
def test_parts_of_all_of_are_one_field(parts, drawn):
    field = of({"allOf": parts}).fields[0]
    assert (field.kind, field.control) == drawn


ENDLESS = [
    {"$defs": {"a": {"allOf": [{"$ref": "#/$defs/a"}, {"$ref": "#/$defs/a"}]}}, "properties": {"v": {"$ref": "#/$defs/a"}}},
    {"$defs": {"a": {"anyOf": [{"$ref": "#/$defs/a"}, {"type": "null"}]}}, "properties": {"v": {"$ref": "#/$defs/a"}}},
    {"$defs": {"a": {"$ref": "#/$defs/a"}}, "properties": {"v": {"$ref": "#/$defs/a"}}},
    {"$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}}, "properties": {"v": {"$ref": "#/$defs/a"}}},
    {"$defs": {"a": {"properties": {"c": {"$ref": "#/$defs/a"}}, "required": ["c"]}}, "properties": {"v": {"$ref": "#/$defs/a"}}, "required": ["v"]},
]  # fmt: skip


@pytest.mark.parametrize("schema", ENDLESS)
def test_schemas_that_go_in_circles_have_a_form(schema):
    model = FormModel(schema)
    model.set("v", "x")
    assert model.value == {"v": "x"}
    form_view(model)


def test_patterns_and_names_of_members_are_a_map():
    model = of({"type": "object", "patternProperties": {"^i_": {"type": "integer"}}, "additionalProperties": False,
                "propertyNames": {"enum": ["i_a", "i_b"]}})  # fmt: skip
    model.set_text(model.add("v", "i_a"), "5")
    row = form_view(model)["fields"][0]
    assert (row["kind"], row["grows"], row["names"]) == ("map", True, ["i_a", "i_b"])
    assert model.value == {"v": {"i_a": 5}}


def test_null_is_offered_only_where_the_schema_admits_it():
    assert not of({"type": ["string", "null"], "enum": ["a"]}).fields[0].nullable
    assert of({"type": ["string", "null"], "enum": ["a", None]}).fields[0].nullable


def test_equal_labels_are_told_apart():
    field = of({"enum": ["1", 1, True, "true"]}).fields[0]
    assert [choice.label for choice in field.choices] == ['"1"', "1", "true", '"true"']


def test_long_lists_and_deep_ones_are_json():
    model = of({"type": "array", "items": {"type": "integer"}})
    model.set("v", list(range(1000)))
    assert form_view(model)["fields"][0]["kind"] == "json"
    assert len(model.value["v"]) == 1000


def test_tags_are_only_for_text():
    model = of({"type": "array", "items": {"type": "string", "maxLength": 3}})
    model.set("v", ["a", "long"])
    row = form_view(model)["fields"][0]
    assert row["tags"] == ["a", "long"]
    assert row["problems"] == ["'long': must have at most 3 characters, has 4"]
    model.set("v", ["a", 1])
    assert "tags" not in form_view(model)["fields"][0]


INTEGERS = [("1e3", 1000), ("12.0", 12), ("-0", 0), ("9007199254740993.0", 9007199254740993)]


@pytest.mark.parametrize(("text", "value"), INTEGERS)
def test_whole_numbers_in_any_spelling_are_exact(text, value):
    model = of({"type": "integer"})
    model.set_text("v", text)
    assert model.value == {"v": value}
    assert type(model.value["v"]) is int


def test_media_that_is_not_an_address_stays_out_of_the_view():
    model = of({"type": "string", "contentMediaType": "image/*", "contentEncoding": "base64"})
    model.set_text("v", "A" * 5000)
    assert "AAAA" not in str(form_view(model))
    model.set_text("v", "picture.png")
    assert form_view(model)["fields"][0]["text"] == "picture.png"
