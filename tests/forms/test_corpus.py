"""Laws over a corpus of schemas as tools publish them; its folder need not be there."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from workbench.forms import FormModel
from workbench.forms.node import ABSENT
from workbench.forms.view import form_view
from workbench.forms.whole import put_back, read_call, without_secrets, write_call
from workbench.schema import resolve, validator

CORPUS = Path(__file__).parents[2].parent / "shared" / "cases" / "schemas"
FILES = sorted(CORPUS.glob("*/*.json"))
NOT_TOOLS = {"schemastore", "json-schema-test-suite"}

pytestmark = pytest.mark.skipif(not FILES, reason="the corpus of schemas is not here")


@pytest.fixture(scope="module")
def schemas():
    found = {f"{p.parent.name}/{p.name}": json.loads(p.read_text())["schema"] for p in FILES}
    assert len(found) > 1000
    return found


def identical(one, other):
    """Equal with the same types inside."""
    if type(one) is not type(other):
        return False
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(identical(one[k], other[k]) for k in one)
    if isinstance(one, list):
        return len(one) == len(other) and all(map(identical, one, other))
    return one == other


TEXTS = {"date": "2024-01-02", "date-time": "2024-01-02T03:04:05Z", "uri": "https://a.b",
         "uuid": "7f4df7e2-5c4b-4c1e-9d53-4c2a5b5a0c01", "email": "a@b.co", "time": "03:04:05Z"}  # fmt: skip


def text(schema, rng):
    made = TEXTS.get(schema.get("format"), rng.choice(["abc", "", "5", "null", '{"a":1}', "漢字"]))
    return made.ljust(int(schema.get("minLength", 0)), "x")[: int(schema.get("maxLength", 10**9))]


def number(schema, rng):
    low = schema.get("minimum", schema.get("exclusiveMinimum", -3))
    step = 1 if schema["type"] == "integer" else 0.5
    return min(low + step * rng.randint(1, 3), schema.get("maximum", 10**9))


def array(schema, root, rng, depth):
    first = [made(sub, root, rng, depth + 1) for sub in schema.get("prefixItems", ())]
    more = (
        schema.get("minItems", 0)
        if depth > 4
        else max(schema.get("minItems", 0), rng.randint(0, 2))
    )
    items = schema.get("items", {})
    count = 0 if items is False else more - len(first)
    return first + [made(items, root, rng, depth + 1) for _ in range(count)]


def obj(schema, root, rng, depth):
    properties, needed = schema.get("properties", {}), schema.get("required", ())
    names = [n for n in properties if n in needed or (depth < 4 and rng.random() < 0.5)]
    value = {name: made(properties[name], root, rng, depth + 1) for name in names}
    rest = schema.get("additionalProperties")
    if isinstance(rest, dict) and depth < 4:
        value["another"] = made(rest, root, rng, depth + 1)
    return value


def made(schema, root, rng, depth=0):
    """Some instance of a schema; nearly always one that fits."""
    schema = resolve(schema, root)
    if "const" in schema or schema.get("enum"):
        return schema["const"] if "const" in schema else rng.choice(schema["enum"])
    for word in ("anyOf", "oneOf", "allOf"):
        if schema.get(word):
            rest = {k: v for k, v in schema.items() if k != word}
            return made({**rest, **resolve(rng.choice(schema[word]), root)}, root, rng, depth)
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kind = rng.choice(kind) if isinstance(kind, list) else kind
    makers = {
        "null": lambda: None, "boolean": lambda: rng.random() < 0.5, "string": lambda: text(schema, rng),
        "integer": lambda: number({**schema, "type": kind}, rng), "number": lambda: number({**schema, "type": kind}, rng),
        "array": lambda: array(schema, root, rng, depth), "object": lambda: obj(schema, root, rng, depth),
    }  # fmt: skip
    return makers[kind]()


def instances(schemas):
    for name, schema in schemas.items():
        root = FormModel(schema).schema
        yield name, schema, made(root, root, random.Random(name))


def test_every_schema_builds_and_keeps_its_defaults(schemas):
    for schema in schemas.values():
        model = FormModel(schema)
        form_view(model)
        if model.value is not None:
            assert identical(FormModel(schema, model.value).value, model.value)


def test_values_come_back_as_they_were_and_valid_ones_have_no_problems(schemas):
    valid = 0
    for name, schema, value in instances(schemas):
        model = FormModel(schema, value)
        assert identical(model.value, value), name
        fits = not validator(model.schema).problems(value)
        assert fits == (not model.problems), name
        form_view(model)
        valid += fits
    assert valid > 900


def test_the_whole_form_as_json_and_as_python_says_the_same(schemas):
    for name, schema, value in instances(schemas):
        model = FormModel(schema, value)
        shown, kept = without_secrets(model.node)
        model.set_json((), json.dumps(shown))
        assert identical(put_back(model.value, kept), value), name
        if isinstance(shown, dict):
            assert identical(put_back(read_call(write_call("t", shown)), kept), value), name


def spoil(value):
    """The path of a member and the value with something of no JSON Schema type there."""
    if isinstance(value, dict) and value:
        name = sorted(value)[-1]
        path, spoilt = spoil(value[name])
        return (name, *path), {**value, name: spoilt}
    if isinstance(value, list) and value:
        path, spoilt = spoil(value[-1])
        return (len(value) - 1, *path), [*value[:-1], spoilt]
    return (), {"no": {"such": [["thing"]]}}


def test_spoilt_values_are_kept_and_their_problem_is_near(schemas):
    near = 0
    for name, schema, value in instances(schemas):
        path, spoilt = spoil(value)
        model = FormModel(schema, spoilt)
        assert identical(model.value, spoilt), name
        near += any(p.path[:1] == path[:1] for p in model.problems)
        assert bool(model.problems) == bool(validator(model.schema).problems(spoilt)), name
    assert near > 900


def raw_json(node, depth=0):
    """Whether anything in a form, six levels deep, has to be typed as JSON."""
    shape = node.shape
    if shape.kind == "json" or depth > 5:
        return shape.kind == "json"
    inside = {
        "object": lambda: [node.child(name) for name in node.properties()],
        "map": lambda: [node.child("k")],
        "array": lambda: [node.child(0)],
        "tuple": lambda: [node.child(at) for at in range(len(shape.schema["prefixItems"]))],
        "union": lambda: [node.draft(at) for at in range(len(shape.branches))],
    }
    return any(raw_json(child, depth + 1) for child in inside.get(shape.kind, list)())


def test_hardly_any_tool_needs_raw_json(schemas, capsys):
    tools = {n: s for n, s in schemas.items() if n.partition("/")[0] not in NOT_TOOLS}
    raw = [name for name, schema in tools.items() if raw_json(FormModel(schema).node)]
    share = 1 - len(raw) / len(tools)
    with capsys.disabled():
        print(f"\n{share:.1%} of {len(tools)} tools have a form without a raw JSON field")
    assert share >= 0.97
    assert FormModel({}).node.value() is ABSENT
