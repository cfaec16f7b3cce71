"""The form's model: nothing is sent that was not given; wrong input stays and is named."""

from __future__ import annotations

import pytest

from workbench.forms import FormModel

OBJECT = {"type": "object"}


def of(schema, required=True, **more):
    """A model with one field `v`."""
    outer = {"type": "object", "properties": {"v": schema}, **more}
    return FormModel({**outer, "required": ["v"]} if required else outer)


TYPED = [
    ({"type": "integer"}, "5", 5), ({"type": "integer"}, "9007199254740993", 9007199254740993),
    ({"type": "integer"}, "5.0", 5), ({"type": "number"}, "5", 5), ({"type": "number"}, "5.5", 5.5),
    ({"type": "number"}, "3.0", 3.0), ({"type": "string"}, "007", "007"), ({"type": "string"}, "", ""),
    ({"type": "string"}, "null", "null"), ({"type": "boolean"}, "true", True),
    ({"enum": [1, 2]}, "2", 2), ({"enum": ["a", None]}, "a", "a"), ({"type": "array"}, "[1]", [1]),
    ({"type": ["array", "null"], "items": {"type": "string"}}, '["a"]', ["a"]),
    ({"type": ["string", "null"]}, "a", "a"), ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "5", 5),
    ({"anyOf": [{"type": "integer"}, {"type": "string"}]}, "x", "x"), ({}, '{"a": 1}', {"a": 1}),
    ({"oneOf": [{"const": 1, "title": "one"}, {"const": 2, "title": "two"}]}, "two", 2),
    ({"type": "float"}, "1.5", 1.5), ({"type": "dict"}, '{"a": 1}', {"a": 1}), ({"type": "any"}, "3", 3),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "text", "value"), TYPED)
def test_typed_text_becomes_the_value_that_it_says(schema, text, value):
    model = of(schema)
    model.set_text("v", text)
    assert model.value == {"v": value}
    assert type(model.value["v"]) is type(value)
    assert model.problems == ()


WRONG = [
    ({"type": "integer"}, "x"), ({"type": "integer"}, "5.5"), ({"type": "number"}, "nan"),
    ({"type": "boolean"}, "yes"), ({"enum": [1, 2]}, "3"), ({"type": "array"}, "[1"),
]  # fmt: skip


@pytest.mark.parametrize(("schema", "text"), WRONG)
def test_text_that_says_no_value_stays_and_is_named(schema, text):
    model = of(schema)
    model.set_text("v", text)
    assert model.value == {}
    assert model.fields[0].text == text
    assert [p.path for p in model.problems] == [("v",)]


def test_optional_fields_start_absent_and_can_be_cleared():
    schema = {
        "type": "object",
        "properties": {
            "s": {"type": "string"}, "n": {"type": "number"}, "b": {"type": "boolean"},
            "d": {"type": "string", "default": "a"}, "null": {"type": "string", "default": None},
            "o": {"type": "object", "properties": {"x": {"default": 1}}}, "l": {"type": "array"},
            "c": {"const": 1}, "r": {"type": "array"}, "p": {"type": "object"}, "k": {"const": "k"},
        },
        "required": ["r", "p", "k"],
    }  # fmt: skip
    model = FormModel(schema)
    assert model.value == {"d": "a", "r": [], "p": {}, "k": "k"}
    model.clear("d")
    assert "d" not in model.value
    model.set_text("n", "5")
    model.set_text("n", "")
    assert "n" not in model.value
    model.set("s", "")
    assert model.value["s"] == ""


def test_null_is_a_choice_of_its_own():
    model = of({"type": ["string", "null"]}, required=False)
    model.set_null("v")
    assert model.value == {"v": None}
    model.clear("v")
    assert model.value == {}


def test_invalid_values_from_code_are_kept_and_named():
    model = of({"type": "integer", "maximum": 10})
    for value in (12, "7", True, None):
        model.set("v", value)
        assert model.value == {"v": value}
        assert [p.path for p in model.problems] == [("v",)]
    assert of({"type": "integer", "maximum": 10}).problems[0].message == "is required"


def test_union_branches_keep_their_drafts():
    model = of(
        {
            "anyOf": [
                {"type": "integer"},
                {"type": "object", "properties": {"a": {"type": "string"}}},
            ]
        }
    )
    model.choose("v", 0)
    model.set_text("v", "5")
    model.choose("v", 1)
    model.set(("v", "a"), "x")
    assert model.value == {"v": {"a": "x"}}
    model.choose("v", 0)
    assert model.value == {"v": 5}
    with pytest.raises(KeyError):
        model.choose("v", 7)


def test_true_is_not_one():
    model = of({"anyOf": [{"enum": ["a"]}, {"const": True}, {"type": "number"}]})
    for value in (True, 1, "a"):
        model.set("v", value)
        assert model.value["v"] is value or model.value["v"] == value
        assert type(model.value["v"]) is type(value)
        assert model.problems == ()


def test_lists_and_maps_grow_shrink_and_move():
    model = of({"type": "array", "items": {"type": "integer"}})
    for text in "123":
        model.set_text(model.add("v"), text)
    model.move(("v", 2), 0)
    assert model.value == {"v": [3, 1, 2]}
    model.remove(("v", 1))
    assert model.value == {"v": [3, 2]}
    mapped = of({"type": "object", "additionalProperties": {"type": "integer"}})
    mapped.set_text(mapped.add("v", "a"), "1")
    assert mapped.value == {"v": {"a": 1}}
    with pytest.raises(ValueError, match="already"):
        mapped.add("v", "a")


def test_recursion_costs_what_is_visible():
    schema = {
        "$ref": "#/$defs/n",
        "$defs": {
            "n": {
                "type": "object",
                "properties": {"n": {"$ref": "#/$defs/n"}, "v": {"type": "integer"}},
            }
        },
    }
    model = FormModel(schema)
    model.set("/n/n/v", 3)
    assert model.value == {"n": {"n": {"v": 3}}}
    assert model.problems == ()


ODD = [True, False, {}, {"type": "object"}, {"properties": []}, {"type": "array"}, {"type": "string"},
       {"properties": {"a": True, "b": False, "c": {}}}, {"$ref": "#/nowhere"}, {"enum": []},
       {"type": "object", "properties": {"a": {"$ref": "https://example.org/x"}}}, {"type": 5}]  # fmt: skip


@pytest.mark.parametrize("schema", ODD, ids=str)
def test_no_legal_or_odd_schema_raises(schema):
    model = FormModel(schema)
    model.value, model.problems, model.fields


PATHS = [("a", 0, "b"), "/a/0/b"]


@pytest.mark.parametrize("path", PATHS)
def test_paths_are_tuples_pointers_or_names(path):
    schema = {
        "properties": {"a": {"type": "array", "items": {"properties": {"b": {"type": "integer"}}}}}
    }
    model = FormModel(schema)
    model.set(path, 1)
    assert model.value == {"a": [{"b": 1}]}


ANYTHING = [('{"a": 1}', {"a": 1}), ("3", 3), ("true", True), ('"x"', "x"), ("null", None), ("[1]", [1])]  # fmt: skip


@pytest.mark.parametrize(("text", "value"), ANYTHING)
def test_a_field_for_anything_reads_json_until_a_type_is_chosen(text, value):
    model = of({})
    model.set_text("v", text)
    assert model.value == {"v": value}
    assert type(model.value["v"]) is type(value)
    model.choose("v", 0)
    model.set_text("v", text)
    assert model.value == {"v": text}


def test_conditions_show_the_fields_that_they_ask_for():
    schema = {
        "type": "object", "properties": {"kind": {"enum": ["file", "text"]}}, "required": ["kind"],
        "if": {"properties": {"kind": {"const": "file"}}, "required": ["kind"]},
        "then": {"properties": {"path": {"type": "string"}}, "required": ["path"]},
        "dependentSchemas": {"path": {"properties": {"mode": {"type": "integer"}}}},
    }  # fmt: skip
    model = FormModel(schema)
    assert [field.name for field in model.fields] == ["kind"]
    model.set("kind", "file")
    assert [(f.name, f.required) for f in model.fields] == [("kind", True), ("path", True)]
    model.set("path", "a")
    model.set_text("mode", "5")
    assert model.value == {"kind": "file", "path": "a", "mode": 5}
    assert model.problems == ()


def test_items_are_duplicated_with_their_unreadable_text():
    model = of({"type": "array", "items": {"type": "integer"}})
    model.set_text(model.add("v"), "x")
    assert model.duplicate(("v", 0)) == ("v", 1)
    assert [child.text for child in model.fields[0].children] == ["x", "x"]
    model.set_text(("v", 1), "1")
    assert model.value == {"v": [1]}
    with pytest.raises(KeyError):
        model.duplicate(("v", 7))


def test_choices_of_a_list_are_ticked():
    model = of({"type": "array", "items": {"enum": [1, True, "a"]}})
    for index in (2, 0, 1, 0):
        model.toggle("v", index)
    assert model.value == {"v": ["a", True]}


def test_alternatives_that_only_test_are_no_union():
    member = {"type": "string"}
    schema = {"type": "object", "properties": {"a": member, "b": member},
              "anyOf": [{"required": ["a"]}, {"required": ["b"]}]}  # fmt: skip
    model = FormModel(schema)
    assert [field.name for field in model.fields] == ["a", "b"]
    assert model.problems
    model.set("b", "x")
    assert model.problems == ()
