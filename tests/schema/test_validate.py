"""JSON values against published schemas: JSON's own kinds, worded problems, nothing fetched."""

from __future__ import annotations

import pytest

from workbench.schema import repair, resolve, validator
from workbench.schema.validate import metaschema_problems

NAN = float("nan")
OBJECT = {"type": "object", "properties": {"n": {"type": "integer", "maximum": 10}, "s": {"enum": ["a", "b"]}}, "required": ["n"]}  # fmt: skip
UNION = {
    "anyOf": [
        {"type": "object", "properties": {"r": {"type": "integer"}}, "required": ["r"]},
        {"type": "string"},
    ]
}
NODE = {
    "$defs": {"N": {"properties": {"v": {"type": "integer"}, "next": {"$ref": "#/$defs/N"}}}},
    "$ref": "#/$defs/N",
}


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        ({"type": "integer"}, 1.0), ({"type": "integer"}, 10**30), ({"type": "number"}, 1), ({"type": "array"}, (1, 2)),
        ({"type": ["string", "null"]}, None), (True, object()), ({}, {"any": "thing"}), (NODE, {"v": 1, "next": {"v": 2}}),
        ({"type": "string", "nullable": True}, None), ({"type": "dict"}, {}), ({"type": "any"}, 5), (UNION, "x"), (UNION, {"r": 1}),
        ({"const": 1}, 1.0),
    ],
)  # fmt: skip
def test_what_fits(schema, value):
    assert validator(schema).problems(value) == ()


@pytest.mark.parametrize(
    ("schema", "value", "problems"),
    [
        ({"type": "integer"}, True, ["must be a whole number, got True"]),
        ({"type": "integer"}, "5", ["must be a whole number, got '5'"]),
        ({"type": "number"}, NAN, ["must be a finite number, got nan"]),
        ({}, [NAN], ["[0]: must be a finite number, got nan"]),
        (OBJECT, {}, ["n: is required"]),
        (OBJECT, {"n": 12, "s": "c"}, ["n: must be at most 10, got 12", "s: must be one of 'a', 'b'; got 'c'"]),
        ({**OBJECT, "additionalProperties": False}, {"n": 1, "m": 2}, ["m: is not known; known are 'n', 's'"]),
        (UNION, {"r": "x"}, ["r: must be a whole number, got 'x'"]), (UNION, {}, ["r: is required"]),
        (UNION, 5, ["must be an object or text, got 5"]),
        (NODE, {"next": {"next": {"v": "x"}}}, ["next.next.v: must be a whole number, got 'x'"]),
        ({"type": ["string", "null"]}, 5, ["must be text or null, got 5"]),
        ({"type": "array", "minItems": 1}, [], ["must have at least 1 item, has 0"]),
        ({"type": "string", "format": "date"}, "x", ["must be a date like 2026-01-31, got 'x'"]),
        ({"oneOf": [{"type": "integer"}, {"type": "number"}]}, 5, ["fits more than one of the alternatives: 5"]),
        ({"properties": {"a": False}}, {"a": 1}, ["a: is not allowed: 1"]),
        ({"dependentRequired": {"a": ["b"]}}, {"a": 1}, ["with 'a' it also needs 'b'"]),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_told_in_words(schema, value, problems):
    assert [str(problem) for problem in validator(schema).problems(value)] == problems


def test_a_remote_reference_is_not_fetched_and_said_to_be_undecided():
    (problem,) = validator({"$ref": "https://example.invalid/x.json"}).problems(1)
    assert "cannot be checked" in problem.message


def test_equal_schemas_share_a_validator():
    assert validator({"type": "integer"}) is validator({"type": "integer"})


@pytest.mark.parametrize(
    ("schema", "resolved"),
    [
        ({"$ref": "#/$defs/a"}, {"type": "integer"}), ({"$ref": "#/$defs/a", "title": "T"}, {"type": "integer", "title": "T"}),
        ({"$ref": "#/properties/b%20c"}, {"type": "string"}), ({"$ref": "#named"}, {"$anchor": "named"}),
        ({"$ref": "#/$defs/loop"}, {}), ({"$ref": "#/$defs/gone", "title": "T"}, {"$ref": "#/$defs/gone", "title": "T"}),
        (True, {}), (False, {"not": {}}), (None, {}),
    ],
)  # fmt: skip
def test_references_are_followed_in_the_document(schema, resolved):
    root = {"properties": {"b c": {"type": "string"}}, "$defs": {
        "a": {"type": "integer"}, "n": {"$anchor": "named"}, "loop": {"$ref": "#/$defs/loop"}}}  # fmt: skip
    assert dict(resolve(schema, root)) == resolved


@pytest.mark.parametrize(
    ("schema", "repaired"),
    [
        ({"type": "float", "nullable": True}, {"type": ["number", "null"]}), ({"type": "any"}, {}),
        ({"type": "String"}, {"type": "string"}), ({"type": ["str", "int"]}, {"type": ["string", "integer"]}),
        ({"properties": []}, {"properties": {}}), ({"enum": ["a"], "nullable": True}, {"enum": ["a", None]}),
        ({"items": [{"type": "int"}], "additionalItems": False}, {"prefixItems": [{"type": "integer"}], "items": False}),
        ({"minimum": 1, "exclusiveMinimum": True}, {"exclusiveMinimum": 1}), ({"required": True}, {}), (5, {}), (True, True),
    ],
)  # fmt: skip
def test_schemas_are_read_as_they_are_meant(schema, repaired):
    assert repair(schema) == repaired


def test_a_good_schema_is_not_copied():
    assert repair(OBJECT) is OBJECT


def test_the_faults_of_a_schema_are_named_by_the_draft_that_it_names():
    assert metaschema_problems(OBJECT) == ()
    assert [p.where for p in metaschema_problems({"type": "object", "required": "n"})] == [
        "required"
    ]
    draft4 = {
        "$schema": "http://json-schema.org/draft-04/schema#",
        "minimum": 0,
        "exclusiveMinimum": True,
    }
    assert metaschema_problems(draft4) == ()
