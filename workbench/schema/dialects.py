"""A tool's definition in the words of each provider.

Shapes and limits by the providers' API references: OpenAI chat completions and responses, Anthropic
messages, Gemini ``functionDeclarations`` with ``parametersJsonSchema``, LiteLLM (OpenAI's shape),
and MCP's ``Tool``.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.errors import bounded_repr
from workbench.schema.portable import as_object, copied, folded, portable
from workbench.schema.strict import NotStrict, strict
from workbench.schema.walk import rebuilt, subschemas

__all__ = ["DIALECTS", "Export", "export", "wire_name"]


class Export(dict[str, Any]):
    """A definition for one provider: a dict that is sent as it is.

    Parameters
    ----------
    schema : mapping
        What the provider is sent.
    notes : iterable of str
        What had to be changed or is lost, for people.

    Examples
    --------
    >>> Export({"name": "add"}, ["a note"]).notes
    ('a note',)
    """

    def __init__(self, schema: Mapping[str, Any], notes: Iterable[str] = ()) -> None:
        super().__init__(schema)
        self.notes = tuple(dict.fromkeys(notes))

    @property
    def schema(self) -> Export:
        """The definition itself."""
        return self


def wire_name(name: str, most: int) -> str:
    """A name of at most `most` characters out of ``[A-Za-z0-9_-]``; a changed one ends in a hash.

    Examples
    --------
    >>> wire_name("add", 64), wire_name("coding.start", 64)
    ('add', 'coding_start_3b5736')
    """
    safe = re.sub(r"[^A-Za-z0-9_-]", "_", name) or "tool"
    if not safe[0].isalpha() and safe[0] != "_":
        safe = f"_{safe}"
    if safe == name and len(safe) <= most:
        return name
    suffix = "_" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:6]
    return safe[: most - len(suffix)] + suffix


@dataclass(frozen=True, slots=True, kw_only=True)
class _Definition:
    name: str
    description: str
    parameters: dict[str, Any]
    output_schema: Mapping[str, Any] | None
    annotations: Mapping[str, Any]
    strict: bool


def _openai(tool: _Definition) -> dict[str, Any]:
    return {"type": "function", "function": _function(tool)}


def _function(tool: _Definition) -> dict[str, Any]:
    made = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    return {**made, "strict": True} if tool.strict else made


def _openai_responses(tool: _Definition) -> dict[str, Any]:
    return {"type": "function", **_function(tool), "strict": tool.strict}


def _anthropic(tool: _Definition) -> dict[str, Any]:
    return {"name": tool.name, "description": tool.description, "input_schema": tool.parameters}


def _gemini(tool: _Definition) -> dict[str, Any]:
    return {
        "name": tool.name,
        "description": tool.description,
        "parametersJsonSchema": _with_bare_references(tool.parameters, ""),
    }


def _mcp(tool: _Definition) -> dict[str, Any]:
    made = {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters}
    if tool.output_schema is not None:
        made["outputSchema"] = copied(tool.output_schema)
    return {**made, "annotations": dict(tool.annotations)} if tool.annotations else made


DIALECTS: dict[str, tuple[Callable[[_Definition], dict[str, Any]], int]] = {
    "mcp": (_mcp, 128),
    "openai": (_openai, 64),
    "openai-responses": (_openai_responses, 64),
    "anthropic": (_anthropic, 128),
    "gemini": (_gemini, 64),
    "litellm": (_openai, 64),
}
"""Each dialect's shape, and the longest name it takes."""
_STRICT = ("openai", "openai-responses")


def export(
    *,
    name: str,
    description: str,
    input_schema: Mapping[str, Any],
    output_schema: Mapping[str, Any] | None,
    annotations: Mapping[str, Any],
    dialect: str,
    strict: bool = False,
) -> Export:
    """Write a definition for a provider; the given schemas stay as they are.

    Parameters
    ----------
    name, description : str
        The tool's.
    input_schema : mapping
        JSON Schema of the arguments, as published.
    output_schema : mapping or None
        JSON Schema of the result; sent where the dialect has a place for it.
    annotations : mapping
        Hints in MCP's spelling.
    dialect : str
        One of `DIALECTS`.
    strict : bool
        OpenAI's strict mode. A schema that it cannot say is sent without it, with a note.

    Raises
    ------
    ValueError
        If there is no such dialect, or it has no strict mode.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"no dialect {dialect!r}; there are {', '.join(map(repr, DIALECTS))}")
    if strict and dialect not in _STRICT:
        raise ValueError(f"{dialect!r} has no strict mode; 'openai' and 'openai-responses' have")
    notes: list[str] = []
    parameters, closed, hint = _parameters(input_schema, dialect, strict, notes)
    shape, most = DIALECTS[dialect]
    wire = name if dialect == "mcp" else wire_name(name, most)
    if wire != name:
        notes.append(f"the name {bounded_repr(name)} is sent as {wire!r}")
    definition = _Definition(
        name=wire,
        description="\n\n".join(filter(None, [description, hint])),
        parameters=parameters,
        output_schema=output_schema,
        annotations=annotations,
        strict=closed,
    )
    return Export(shape(definition), notes)


def _parameters(
    schema: Mapping[str, Any], dialect: str, closed: bool, notes: list[str]
) -> tuple[dict[str, Any], bool, str]:
    """The arguments' schema for a dialect, whether it is strict, and what a model should know."""
    made = portable(schema, notes)
    if dialect == "mcp":
        return made, False, ""
    made.pop("$schema", None)
    union_free, hint = folded(made, notes)
    made = as_object(union_free)
    if closed:
        lost: list[str] = []
        try:
            written = strict(made, lost)
        except NotStrict as reason:
            notes.append(f"sent without strict mode: {reason}")
        else:
            notes.extend(lost)
            return written, True, hint
    notes.extend(_UNREAD_NOTES[dialect](made) if dialect in _UNREAD_NOTES else ())
    return made, False, hint


_READ_BY_GEMINI = {
    "$anchor", "$defs", "$id", "$ref", "additionalProperties", "anyOf", "definitions",
    "description", "enum", "format", "items", "maximum", "maxItems", "minimum", "minItems",
    "oneOf", "prefixItems", "properties", "propertyOrdering", "required", "title", "type",
}  # fmt: skip
_NO_LOSS = {"default", "examples", "$comment", "x-enumNames", "contentMediaType", "contentEncoding"}


def _unread_by_gemini(schema: Mapping[str, Any]) -> Iterable[str]:
    for place, sub in subschemas(schema):
        for key in sorted(sub.keys() - _READ_BY_GEMINI - _NO_LOSS):
            yield f"{place or 'arguments'}: {key} is not read by Gemini"


_NAME = re.compile(r"[A-Za-z0-9_.-]{1,64}")


def _refused_by_anthropic(schema: Mapping[str, Any]) -> Iterable[str]:
    for name in schema["properties"]:
        if not _NAME.fullmatch(name):
            yield f"the argument name {bounded_repr(name)} is refused by Anthropic"


_UNREAD_NOTES: dict[str, Callable[[Mapping[str, Any]], Iterable[str]]] = {
    "gemini": _unread_by_gemini,
    "anthropic": _refused_by_anthropic,
}


def _with_bare_references(schema: Any, path: str) -> Any:
    """References with nothing beside them, as Gemini wants; what stood there goes around them."""
    if not isinstance(schema, Mapping):
        return schema
    made = rebuilt(schema, path, _with_bare_references)
    beside = {key: value for key, value in made.items() if not key.startswith("$")}
    if "$ref" not in made or not beside:
        return made
    return {"anyOf": [{k: v for k, v in made.items() if k not in beside}], **beside}
