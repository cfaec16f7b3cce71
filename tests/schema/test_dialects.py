"""Definitions for providers, held against the rules that each has published.

OpenAI: "Function calling" and "Structured outputs, supported schemas"; Anthropic: "Tool use";
Google: ``FunctionDeclaration`` in the Gemini API reference.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench import tool
from workbench.schema.dialects import DIALECTS, export, wire_name
from workbench.schema.refs import lookup
from workbench.schema.walk import subschemas

TYPES = {"object", "array", "string", "number", "integer", "boolean", "null"}
STRICT_KEYWORDS = {
    "type", "properties", "required", "additionalProperties", "items", "anyOf", "enum", "const", "$ref", "$defs",
    "title", "description", "pattern", "format", "multipleOf", "minimum", "maximum", "exclusiveMinimum",
    "exclusiveMaximum", "minItems", "maxItems",
}  # fmt: skip


def exported(schema, dialect="openai", *, strict=False, name="t", description="Do it."):
    return export(
        name=name,
        description=description,
        input_schema=schema,
        output_schema=None,
        annotations={},
        dialect=dialect,
        strict=strict,
    )


def parameters_of(made):
    """The arguments' schema in a definition of any dialect."""
    inner = made.get("function", made)
    keys = ("parameters", "input_schema", "parametersJsonSchema", "inputSchema")
    return next(inner[key] for key in keys if key in inner)


def kinds_of(schema):
    kind = schema.get("type", [])
    return kind if isinstance(kind, list) else [kind]


def faults(made, dialect):
    """How a definition breaks the rules of its provider."""
    inner, parameters = made.get("function", made), parameters_of(made)
    if parameters.get("type") != "object" or not isinstance(parameters.get("properties"), dict):
        yield "the parameters are no object with properties"
    for place, schema in subschemas(parameters):
        if not set(map(str, kinds_of(schema))) <= TYPES:
            yield f"{place}: no type of JSON Schema"
        refs = [schema[key] for key in ("$ref", "$dynamicRef") if isinstance(schema.get(key), str)]
        if any(lookup(ref, parameters) is None for ref in refs):
            yield f"{place}: {refs} dangles"
        if inner.get("strict"):
            yield from strict_faults(place, schema)
        if (
            dialect == "gemini"
            and "$ref" in schema
            and any(not key.startswith("$") for key in schema)
        ):
            yield f"{place}: something stands beside $ref"
    if dialect == "mcp":
        return
    if parameters.keys() & {"anyOf", "oneOf", "allOf", "not", "enum", "const"}:
        yield "a union at the top"
    if (
        not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]*", inner["name"])
        or len(inner["name"]) > DIALECTS[dialect][1]
    ):
        yield "the name"


def strict_faults(place, schema):
    if "object" in kinds_of(schema):
        if schema.get("additionalProperties") is not False:
            yield f"{place}: open"
        if schema.get("required") != list(schema.get("properties", ())):
            yield f"{place}: not all names are required"
    if "array" in kinds_of(schema) and not schema.get("items"):
        yield f"{place}: no items"
    if not schema.keys() & {"type", "anyOf", "$ref"}:
        yield f"{place}: no type"
    if "$ref" in schema and len(schema) > 1:
        yield f"{place}: something stands beside $ref"
    if schema.keys() - STRICT_KEYWORDS:
        yield f"{place}: {schema.keys() - STRICT_KEYWORDS}"


ALL = [(dialect, False) for dialect in DIALECTS] + [("openai", True), ("openai-responses", True)]
TREE = {"type": "object", "properties": {"root": {"$ref": "#/$defs/Node", "description": "the top"}},
        "$defs": {"Node": {"type": "object", "properties": {
            "n": {"type": "integer"}, "kids": {"type": "array", "items": {"$ref": "#/$defs/Node"}}}}}}  # fmt: skip
SCHEMAS = {
    "nothing": {},
    "no properties": {"type": "object"},
    "properties as a list": {"type": "object", "properties": []},
    "a recursive tree": TREE,
    "another dialect's words": {"type": "dict", "properties": {"x": {"type": "float"}, "y": {"type": "any"}}},
    "a remote reference": {"properties": {"x": {"$ref": "https://example.org/x.json"}, "y": {"$ref": "#/nowhere"}}},
    "a reference to a property": {"properties": {"x": {"type": "string"}, "y": {"$ref": "#/properties/x"}}},
    "a reference at the top": {"$ref": "#/definitions/A", "definitions": {"A": {"properties": {"a": {"type": "string"}}}}},
    "a reference to the top": {"type": "object", "properties": {"again": {"$ref": "#"}}},
    "true and false": {"properties": {"a": True, "b": False}, "additionalProperties": True},
    "alternatives at the top": {"type": "object", "properties": {"c": {"type": "string"}, "u": {"type": "string"}},
                                "anyOf": [{"required": ["c"]}, {"required": ["u"]}]},
    "all of it at the top": {"allOf": [{"properties": {"a": {"type": "string"}}, "required": ["a"]},
                                       {"anyOf": [{"properties": {"b": {"type": "null"}}}, {"not": {}}]}]},
    "a tuple": {"properties": {"t": {"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}}},
    "old keywords": {"$schema": "http://json-schema.org/draft-04/schema#", "properties": {
        "t": {"type": "array", "items": [{"type": "string"}]}, "n": {"type": "number", "minimum": 0, "exclusiveMinimum": True}}},
    "an untyped choice": {"properties": {"c": {"enum": ["a", 1, None]}, "d": {"const": "x"}}},
    "types in a row": {"properties": {"c": {"type": ["string", "null"]}, "d": {"type": ["object", "array"]}}},
}  # fmt: skip


@pytest.mark.parametrize(("dialect", "strict"), ALL)
@pytest.mark.parametrize("schema", SCHEMAS.values(), ids=SCHEMAS)
def test_every_definition_keeps_the_rules(schema, dialect, strict):
    before = json.dumps(schema)
    made = exported(schema, dialect, strict=strict)
    assert list(faults(made, dialect)) == []
    jsonschema.Draft202012Validator.check_schema(parameters_of(made))
    assert json.dumps(schema) == before


NAMES = st.sampled_from(["a", "b c", "$ref", "class", "x-y"])
LEAVES = st.sampled_from([
    True, {}, {"type": "string", "minLength": 2, "format": "uri"}, {"type": "integer", "default": 3}, {"enum": ["a", None]},
    {"type": ["number", "null"], "exclusiveMinimum": 0}, {"$ref": "#/$defs/D"}, {"$ref": "#/$defs/D", "description": "d"},
    {"$ref": "#"}, {"$ref": "#/$defs/gone"}, {"type": "object"}, {"const": 1}, {"pattern": "^a"}, {"nullable": True, "type": "str"},
])  # fmt: skip


def _larger(inner):
    properties = st.dictionaries(NAMES, inner, max_size=3)
    return st.one_of(
        st.fixed_dictionaries({"type": st.just("object"), "properties": properties}, optional={
            "required": st.lists(NAMES, max_size=2, unique=True), "additionalProperties": inner | st.booleans()}),
        st.fixed_dictionaries({"type": st.just("array"), "items": inner}),
        st.fixed_dictionaries({"anyOf": st.lists(inner, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"oneOf": st.lists(inner, min_size=1, max_size=2), "description": st.just("one")}),
        st.fixed_dictionaries({"allOf": st.lists(inner, min_size=1, max_size=2), "type": st.just("object")}),
    )  # fmt: skip


DOCUMENTS = st.builds(
    lambda schema, definition: (
        {**schema, "$defs": {"D": definition}} if isinstance(schema, dict) else {}
    ),
    st.recursive(LEAVES, _larger, max_leaves=12),
    st.recursive(LEAVES, _larger, max_leaves=4),
)


@settings(max_examples=150)
@given(DOCUMENTS, st.sampled_from(ALL))
def test_no_schema_breaks_the_rules(schema, way):
    dialect, strict = way
    assert list(faults(exported(schema, dialect, strict=strict), dialect)) == []


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        ("add", "add"), ("send-email", "send-email"), ("search_a", "search_a"),
        ("coding.start", r"coding_start_\w{6}"), ("a b", r"a_b_\w{6}"), ("1x", r"_1x_\w{6}"), ("도구", r"___\w{6}"),
        ("", r"tool_\w{6}"), ("x" * 67, r"x{57}_\w{6}"), ("\ud800", r"__\w{6}"),
    ],
)  # fmt: skip
def test_names_keep_a_readable_head_and_a_stable_suffix(name, sent):
    made = wire_name(name, 64)
    assert re.fullmatch(sent, made)
    assert made == wire_name(name, 64)


@given(st.lists(st.text(min_size=1), unique=True, min_size=2, max_size=5))
def test_different_names_stay_different(names):
    sent = [wire_name(name, 64) for name in names]
    assert len(set(sent)) == len(names)
    assert all(re.fullmatch(r"[A-Za-z_][A-Za-z0-9_-]{0,63}", name) for name in sent)


def test_a_changed_name_is_noted():
    made = exported({}, name="a.b")
    assert made.notes == (f"the name 'a.b' is sent as {made['function']['name']!r}",)
    assert exported({}, "mcp", name="a.b")["name"] == "a.b"


def test_alternatives_at_the_top_are_folded_and_told_in_the_description():
    made = exported(SCHEMAS["alternatives at the top"], "anthropic")
    assert list(made["input_schema"]["properties"]) == ["c", "u"]
    assert made["description"] == "Do it.\n\nGive one of: c; u."
    assert any("folded" in note for note in made.notes)
    assert "anyOf" in exported(SCHEMAS["alternatives at the top"], "mcp")["inputSchema"]


def test_alternatives_require_what_all_of_them_require():
    schema = {"oneOf": [{"properties": {"kind": {"const": k}, k: {"type": "string"}}, "required": ["kind", k]} for k in "ab"]}  # fmt: skip
    made = parameters_of(exported(schema))
    assert made["required"] == ["kind"]
    assert made["properties"]["kind"] == {"anyOf": [{"const": "a"}, {"const": "b"}]}


STRICTLY = [
    ({"type": "string"}, {"type": ["string", "null"]}),
    ({"type": ["string", "null"]}, {"type": ["string", "null"]}),
    ({"type": "integer", "default": 3}, {"type": ["integer", "null"], "description": "null means 3"}),
    ({"type": "string", "enum": ["a"]}, {"anyOf": [{"type": "string", "enum": ["a"]}, {"type": "null"}]}),
    ({"enum": ["a", 1]}, {"anyOf": [{"enum": ["a", 1], "type": ["string", "integer"]}, {"type": "null"}]}),
    ({"oneOf": [{"type": "string"}, {"type": "null"}]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}),
    ({"type": "string", "format": "uri"}, {"type": ["string", "null"]}),
    ({"type": "string", "format": "date", "pattern": "^2"}, {"type": ["string", "null"], "format": "date", "pattern": "^2"}),
    ({"$ref": "#/$defs/D", "description": "text"}, {"anyOf": [{"$ref": "#/$defs/D"}, {"type": "null"}], "description": "text"}),
    ({"allOf": [{"$ref": "#/$defs/D"}], "description": "text"},
     {"type": ["object", "null"], "properties": {"n": {"type": ["integer", "null"]}}, "description": "text",
      "required": ["n"], "additionalProperties": False}),
    ({"type": "array", "items": {"type": "object", "properties": {}, "additionalProperties": False}},
     {"type": ["array", "null"], "items": {"type": "object", "properties": {}, "required": [], "additionalProperties": False}}),
]  # fmt: skip


@pytest.mark.parametrize(("given_schema", "written"), STRICTLY)
def test_strict_mode_says_the_same_in_its_subset(given_schema, written):
    definitions = {"D": {"type": "object", "properties": {"n": {"type": "integer"}}}}
    made = exported({"properties": {"x": given_schema}, "$defs": definitions}, strict=True)
    assert made["function"]["strict"] is True
    assert parameters_of(made)["properties"]["x"] == written


@pytest.mark.parametrize(
    "schema",
    [{}, True, {"type": "object"}, {"type": "object", "additionalProperties": {"type": "integer"}},
     {"type": "array"}, {"type": "array", "items": {}}, {"description": "anything"},
     {"type": "object", "properties": {}, "patternProperties": {"^x": {}}}],
)  # fmt: skip
def test_what_strict_mode_cannot_say_is_sent_without_it(schema):
    made = exported({"properties": {"a": {"properties": {"x": schema}}}}, strict=True)
    assert "strict" not in made["function"]
    assert any(re.match(r"sent without strict mode: a\.x(\[\])? may", note) for note in made.notes)
    assert (
        exported({"properties": {"x": schema}}, "openai-responses", strict=True)["strict"] is False
    )


def test_what_is_lost_is_noted():
    schema = {
        "properties": {
            "x": {"type": "string", "minLength": 1},
            "y": {"type": "string", "format": "uri"},
        }
    }
    assert exported(schema, strict=True).notes == (
        "x: minLength is left out",
        "y: format 'uri' is left out",
    )
    assert exported(schema, "gemini").notes == ("x: minLength is not read by Gemini",)
    assert exported(schema).notes == ()


def test_strict_mode_is_openais():
    with pytest.raises(ValueError, match="no strict mode"):
        exported({}, "anthropic", strict=True)


def test_a_tools_definition_carries_its_notes():
    made = tool(lambda x: x, name="a.b").schema("openai")
    assert made.notes
    assert json.loads(json.dumps(made)) == made


CORPUS = Path(__file__).parents[2].parent / "shared" / "cases" / "schemas"


@pytest.mark.skipif(not CORPUS.exists(), reason="needs the corpus of published schemas")
@pytest.mark.parametrize(("dialect", "strict"), ALL)
def test_every_published_schema_keeps_the_rules(dialect, strict):
    wrong = {}
    for path in CORPUS.glob("*/*.json"):
        record = json.loads(path.read_text(encoding="utf-8"))
        schema = record["schema"] if isinstance(record["schema"], dict) else {}
        found = list(faults(exported(schema, dialect, strict=strict), dialect))
        wrong.update({path.name: found} if found else {})
    assert wrong == {}
