"""OpenAI's strict mode: the subset of JSON Schema that it takes, and the way back.

Every object is closed and requires every name; what was optional may be null instead, and
:func:`without_nulls` takes such nulls out of a model's arguments again. Keywords and formats by
OpenAI's guide to structured outputs, "Supported schemas".
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from workbench.schema.portable import folded
from workbench.schema.refs import resolve
from workbench.schema.validate import validator
from workbench.schema.walk import subschemas

__all__ = ["NotStrict", "strict", "without_nulls"]

_KEPT = {
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "anyOf",
    "enum",
    "const",
    "$ref",
    "$defs",
    "title",
    "description",
    "pattern",
    "format",
    "multipleOf",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
    "minItems",
    "maxItems",
}
_FORMATS = {
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
}
_SILENT = {
    "$schema", "$id", "id", "$comment", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "default",
    "oneOf", "allOf", "definitions", "prefixItems", "example", "examples", "markdownDescription",
    "discriminator", "deprecated", "contentMediaType", "contentEncoding",
}  # fmt: skip
"""Dropped without a note: they forbid nothing, or are said in other words."""
_MOST_NAMES = 5000
_MOST_VALUES = 1000
_MOST_DEPTH = 60
_KINDS: dict[type, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    type(None): "null",
    dict: "object",
    list: "array",
}


class NotStrict(ValueError):
    """A schema that strict mode cannot say; the message names the place and the reason."""


def strict(schema: Mapping[str, Any], notes: list[str]) -> dict[str, Any]:
    """The same arguments in the strict subset.

    Parameters
    ----------
    schema : mapping
        A portable one, folded.
    notes : list of str
        Takes what is lost.

    Raises
    ------
    NotStrict
        If some value may be anything, or an object may have any names.

    Examples
    --------
    >>> strict({"type": "object", "properties": {"a": {"type": "string"}}}, [])["required"]
    ['a']
    """
    writer = _Writer(schema, notes)
    made = writer.write(schema, "")
    whole = {**made, "$defs": writer.defs} if writer.defs else made
    names = sum(len(sub.get("properties", ())) for _, sub in subschemas(whole))
    values = sum(len(sub.get("enum", ())) for _, sub in subschemas(whole))
    if names > _MOST_NAMES or values > _MOST_VALUES:
        raise NotStrict(f"it has {names} names and {values} listed values, which is too many")
    return whole


class _Writer:
    """Writes one document; definitions are written when they are first referred to."""

    def __init__(self, root: Mapping[str, Any], notes: list[str]) -> None:
        self.root = root
        self.notes = notes
        self.defs: dict[str, Any] = {}
        self.names: dict[str, str] = {}

    def write(self, schema: Any, path: str, depth: int = 0) -> dict[str, Any]:
        """One schema in the strict subset."""
        where = path or "arguments"
        if not isinstance(schema, Mapping) or depth > _MOST_DEPTH:
            raise NotStrict(f"{where} may be anything")
        for word in ("$dynamicRef", "$recursiveRef"):
            if word in schema:
                rest = {key: value for key, value in schema.items() if key != word}
                return self.write({"$ref": schema[word], **rest}, path, depth + 1)
        if "$ref" in schema:
            return self.write_reference(schema, path, depth)
        known = self.without_unions(schema, where)
        made = {key: value for key, value in known.items() if self.keeps(key, value, where)}
        if "anyOf" in known:
            made["anyOf"] = [self.write(sub, path, depth + 1) for sub in known["anyOf"]]
            return made
        made["type"] = _type_of(known, where)
        kinds = made["type"] if isinstance(made["type"], list) else [made["type"]]
        if "object" in kinds:
            self.close(made, known, path, depth)
        made.pop("items", None)
        if "array" in kinds:
            self.write_items(made, known, path, depth)
        return made

    def write_reference(self, schema: Mapping[str, Any], path: str, depth: int) -> dict[str, Any]:
        """A reference; beside it only texts may stand, and those around it."""
        ref = str(schema["$ref"])
        texts = {k: schema[k] for k in ("title", "description") if k in schema}
        if schema.keys() - {"$ref", "default", *texts}:
            return self.write(dict(resolve(schema, self.root)), path, depth + 1)
        if ref not in self.names:
            name = self.names[ref] = self.new_name(ref)
            self.defs[name] = {}
            self.defs[name] = self.write(resolve({"$ref": ref}, self.root), name, depth + 1)
        made = {"$ref": f"#/$defs/{self.names[ref]}"}
        return {"anyOf": [made], **texts} if texts else made

    def new_name(self, ref: str) -> str:
        """A name for what a reference leads to, unlike all others."""
        base = ref.rpartition("/")[2].strip("#") or "arguments"
        taken = set(self.names.values())
        return base if base not in taken else f"{base}_{len(taken)}"

    def without_unions(self, schema: Mapping[str, Any], where: str) -> dict[str, Any]:
        """The schema with at most ``anyOf``, and that alone."""
        unions = [key for key in ("anyOf", "oneOf", "allOf") if key in schema]
        if not unions:
            return dict(schema)
        branches = schema[unions[0]]
        if unions == ["oneOf"]:
            self.notes.append(f"{where}: oneOf is sent as anyOf")
        if len(unions) == 1 and unions != ["allOf"] and not schema.keys() & _OF_ITS_OWN:
            rest = {key: value for key, value in schema.items() if key != unions[0]}
            return {**rest, "anyOf": branches}
        return folded(schema, self.notes, root=self.root, path=where)[0]

    def keeps(self, key: str, value: Any, where: str) -> bool:
        """Whether a keyword may stay as it is; says so in a note where one is lost."""
        kept = key in _KEPT and (key != "format" or value in _FORMATS)
        if not kept and key not in _SILENT and not key.startswith("x-"):
            word = f"{key} {value!r}" if key == "format" else key
            self.notes.append(f"{where}: {word} is left out")
        return kept and key not in ("$defs", "$ref")

    def close(self, made: dict[str, Any], schema: Mapping[str, Any], path: str, depth: int) -> None:
        """Make an object take its own names and all of them."""
        where, names = path or "arguments", schema.get("properties") or {}
        others = schema.get("additionalProperties")
        if schema.get("patternProperties") or (
            not names and others is not False and (others is not None or path)
        ):
            raise NotStrict(f"{where} may have any names")
        if others not in (False, None):
            self.notes.append(f"{where}: further names are not taken")
        needed = set(schema.get("required") or ())
        properties = {}
        for name, sub in names.items():
            inner = self.write(sub, f"{path}.{name}" if path else name, depth + 1)
            properties[name] = inner if name in needed else _or_null(inner, sub)
        made.update(properties=properties, required=list(properties), additionalProperties=False)

    def write_items(
        self, made: dict[str, Any], schema: Mapping[str, Any], path: str, depth: int
    ) -> None:
        """The items of a list; those of a tuple are taken in any order."""
        rest = schema.get("items")
        items = [*(schema.get("prefixItems") or ()), *([rest] if isinstance(rest, Mapping) else [])]
        if not items:
            raise NotStrict(f"{path or 'arguments'} may hold anything")
        if "prefixItems" in schema:
            self.notes.append(f"{path or 'arguments'}: the order of kinds in the list is not kept")
        written = [self.write(item, f"{path}[]", depth + 1) for item in items]
        made["items"] = written[0] if len(written) == 1 else {"anyOf": written}


_OF_ITS_OWN = {"properties", "required", "type", "$ref"}
"""With one of these beside it, a union says something about them, and is folded into them."""


def _type_of(schema: Mapping[str, Any], where: str) -> Any:
    if "type" in schema:
        return schema["type"]
    values = schema.get("enum") or ([schema["const"]] if "const" in schema else [])
    kinds = list(dict.fromkeys(_KINDS.get(type(value), "") for value in values))
    if kinds and all(kinds):
        return kinds if len(kinds) > 1 else kinds[0]
    if "properties" in schema:
        return "object"
    if "items" in schema or "prefixItems" in schema:
        return "array"
    raise NotStrict(f"{where} may be anything")


def _or_null(written: dict[str, Any], schema: Any) -> dict[str, Any]:
    """What may be left out may be null; that means the default, where there is one."""
    made = _nullable(written)
    default = schema.get("default") if isinstance(schema, Mapping) else None
    if default is None:
        return made
    said = f"null means {json.dumps(default, ensure_ascii=False)}"
    text = str(made.get("description") or "")
    return {**made, "description": f"{text} ({said})" if text else said}


def _nullable(schema: dict[str, Any]) -> dict[str, Any]:
    kind = schema.get("type")
    kinds = kind if isinstance(kind, list) else [kind] if kind else []
    null = {"type": "null"}
    if "null" in kinds or null in schema.get("anyOf", ()):
        return schema
    if "anyOf" in schema:
        return {**schema, "anyOf": [*schema["anyOf"], null]}
    if kinds and not schema.keys() & {"enum", "const"}:
        return {**schema, "type": [*kinds, "null"]}
    texts = {k: v for k, v in schema.items() if k == "description"}
    return {"anyOf": [{k: v for k, v in schema.items() if k not in texts}, null], **texts}


def without_nulls(arguments: Any, schema: Any, root: Mapping[str, Any]) -> Any:
    """A model's arguments without the nulls that stand for what was left out.

    A null goes where the name is optional and the schema does not take null.

    Examples
    --------
    >>> schema = {"properties": {"a": {"type": "string"}, "b": {"type": ["string", "null"]}}}
    >>> without_nulls({"a": None, "b": None}, schema, schema)
    {'b': None}
    """
    seen = _record_in(schema, root)
    if isinstance(arguments, list):
        return [without_nulls(item, seen.get("items"), root) for item in arguments]
    known = seen.get("properties")
    if not isinstance(arguments, dict) or not isinstance(known, Mapping):
        return arguments
    needed = seen.get("required") or ()
    return {
        name: without_nulls(value, known.get(name), root)
        for name, value in arguments.items()
        if value is not None
        or name not in known
        or name in needed
        or _may_be_null(known[name], root)
    }


def _record_in(schema: Any, root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema, or of alternatives the one that has names or items."""
    seen = resolve(schema, root)
    branches = [
        resolve(branch, root) for key in ("anyOf", "oneOf") for branch in seen.get(key) or ()
    ]
    return next((b for b in branches if "properties" in b or "items" in b), seen)


def _may_be_null(schema: Any, root: Mapping[str, Any]) -> bool:
    definitions = {key: root[key] for key in ("$defs", "definitions") if key in root}
    return validator({**definitions, "allOf": [schema]}).is_valid(None)
