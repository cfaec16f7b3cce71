"""A tool's definition in the words of each provider.

Shapes by the providers' API references: OpenAI chat completions and responses, Anthropic
messages, Gemini ``functionDeclarations`` with ``parametersJsonSchema``, LiteLLM (OpenAI's shape),
and MCP's ``Tool``.
"""

from __future__ import annotations

import copy
import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["DIALECTS", "Export", "export", "wire_name"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Export:
    """A definition for one provider, and what had to be changed for it.

    Parameters
    ----------
    schema : dict
        What the provider is sent.
    notes : tuple of str
        What was changed, for people.
    """

    schema: dict[str, Any]
    notes: tuple[str, ...] = ()


def wire_name(name: str, most: int) -> str:
    """A name of at most `most` characters out of ``[A-Za-z0-9_-]``; a changed one ends in a hash.

    Examples
    --------
    >>> wire_name("add", 64), wire_name("coding.start", 64)
    ('add', 'coding_start_3b5736')
    """
    safe = re.sub(r"[^A-Za-z0-9_-]", "_", name) or "tool"
    if safe == name and len(safe) <= most:
        return name
    suffix = "_" + hashlib.sha256(name.encode()).hexdigest()[:6]
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
        "parametersJsonSchema": tool.parameters,
    }


def _mcp(tool: _Definition) -> dict[str, Any]:
    made = {"name": tool.name, "description": tool.description, "inputSchema": tool.parameters}
    if tool.output_schema is not None:
        made["outputSchema"] = copy.deepcopy(dict(tool.output_schema))
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

    Raises
    ------
    ValueError
        If there is no such dialect, or it has no strict mode.
    """
    if dialect not in DIALECTS:
        raise ValueError(f"no dialect {dialect!r}; there are {', '.join(map(repr, DIALECTS))}")
    if strict and dialect not in ("openai", "openai-responses"):
        raise ValueError(f"{dialect!r} has no strict mode; 'openai' and 'openai-responses' have")
    shape, most = DIALECTS[dialect]
    wire = name if dialect == "mcp" else wire_name(name, most)
    notes = [] if wire == name else [f"the name {name!r} is sent as {wire!r}"]
    parameters = _object(input_schema)
    if strict:
        parameters = _strict(parameters, notes)
    definition = _Definition(
        name=wire,
        description=description,
        parameters=parameters,
        output_schema=output_schema,
        annotations=annotations,
        strict=strict,
    )
    return Export(schema=shape(definition), notes=tuple(notes))


def _object(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A copy that says it is an object and has ``properties``, as every provider wants."""
    made: dict[str, Any] = copy.deepcopy(dict(schema))
    made.setdefault("type", "object")
    if not isinstance(made.get("properties"), dict):
        made["properties"] = {}
    return made


_UNSUPPORTED = {
    "default",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "examples",
    "contentMediaType",
    "contentEncoding",
    "x-enumNames",
    "uniqueItems",
    "minProperties",
    "maxProperties",
}


def _strict(schema: Any, notes: list[str], path: str = "") -> Any:
    """OpenAI's strict subset: closed objects, every name required, optional ones nullable."""
    if not isinstance(schema, dict):
        return schema
    made = {key: value for key, value in schema.items() if key not in _UNSUPPORTED}
    notes.extend(
        f"{path or 'arguments'}: {key} is not supported" for key in schema if key in _UNSUPPORTED
    )
    for key in ("anyOf", "prefixItems"):
        if key in made:
            made[key] = [_strict(sub, notes, path) for sub in made[key]]
    if "items" in made:
        made["items"] = _strict(made["items"], notes, f"{path}[]")
    if "$defs" in made:
        made["$defs"] = {n: _strict(sub, notes, n) for n, sub in made["$defs"].items()}
    if made.get("type") == "object" or "properties" in made:
        _close(made, notes, path)
    return made


def _close(schema: dict[str, Any], notes: list[str], path: str) -> None:
    required = set(schema.get("required", ()))
    properties = {}
    for name, sub in schema.get("properties", {}).items():
        inner = _strict(sub, notes, f"{path}.{name}" if path else name)
        properties[name] = inner if name in required else _or_null(inner)
    schema["properties"] = properties
    schema["required"] = list(properties)
    if schema.get("additionalProperties") not in (None, False):
        notes.append(f"{path or 'arguments'}: further properties are not supported")
    schema["additionalProperties"] = False


def _or_null(schema: Any) -> Any:
    if isinstance(schema, dict) and isinstance(schema.get("type"), str) and "enum" not in schema:
        return {**schema, "type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}
