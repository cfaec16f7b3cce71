"""smolagents' tools as tools here. smolagents itself is never imported: its objects say enough."""

from __future__ import annotations

import copy
import sys
from collections.abc import Callable, Mapping
from typing import Any

from workbench.errors import ToolDefinitionError, bounded_repr
from workbench.tools.foreign import Description, ForeignTool
from workbench.tools.tool_class import Tool
from workbench.types import AgentAudio, AgentImage

__all__ = ["tool_from_smolagents"]


def tool_from_smolagents(tool: Any) -> Tool:
    """A ``smolagents.Tool``.

    Parameters
    ----------
    tool : object
        Has ``name``, ``description``, ``inputs``, ``output_type`` and ``forward``.

    Raises
    ------
    ToolDefinitionError
        If it is something else.
    """
    words = ("name", "description", "inputs", "output_type", "forward")
    if isinstance(tool, (type, Tool)) or not all(hasattr(tool, word) for word in words):
        raise ToolDefinitionError(
            f"a smolagents.Tool has {', '.join(words)}; got {bounded_repr(tool)}"
        )
    schema = getattr(tool, "input_schema", None) or schema_of(tool.inputs)
    media = {name: _media(given) for name, given in schema.get("properties", {}).items()}
    about = Description(
        name=tool.name,
        description=tool.description,
        input_schema=copy.deepcopy(dict(schema)),
        output_schema=tool.output_schema,
        output_type=tool.output_type if tool.output_type in ("image", "audio") else "any",
        source="smolagents",
    )

    def call(arguments: dict[str, Any]) -> Any:
        return tool(**{name: _native(value, media.get(name)) for name, value in arguments.items()})

    return ForeignTool(about, call)


_OWN = ("type", "nullable")
_WORDS: dict[str, dict[str, Any]] = {
    "any": {},
    "image": {"type": "string", "contentMediaType": "image/*", "contentEncoding": "base64"},
    "audio": {"type": "string", "contentMediaType": "audio/*", "contentEncoding": "base64"},
}


def schema_of(inputs: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """JSON Schema of what smolagents calls ``inputs``.

    "nullable" says both that an argument may be left out, and, unless it has a default, that it
    may be null.

    Examples
    --------
    >>> made = schema_of({"n": {"type": "integer", "description": "How many", "nullable": True}})
    >>> made["properties"], made["required"]
    ({'n': {'type': ['integer', 'null'], 'description': 'How many'}}, [])
    """
    return {
        "type": "object",
        "properties": {name: _property(given) for name, given in inputs.items()},
        "required": [name for name, given in inputs.items() if not given.get("nullable")],
        "additionalProperties": False,
    }


def _property(given: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in given.items() if key not in _OWN}
    words = given.get("type", "any")
    listed = list(words) if isinstance(words, (list, tuple)) else [words]
    made = _WORDS.get(listed[0], {"type": listed[0]}) if len(listed) == 1 else {"type": listed}
    if given.get("nullable") and "default" not in kept and "type" in made:
        made = {**made, "type": [*_types(made["type"]), "null"]}
    return {**made, **kept}


def _types(words: Any) -> list[str]:
    """The types of a schema as a list, without "null"."""
    return [word for word in (words if isinstance(words, list) else [words]) if word != "null"]


def _media(schema: Any) -> Callable[[Any], Any] | None:
    """What makes the argument's native value, where it is a picture or a sound."""
    kind = str(schema.get("contentMediaType", "")) if isinstance(schema, Mapping) else ""
    return {"image": _picture, "audio": _sound}.get(kind.partition("/")[0])


def _native(value: Any, make: Callable[[Any], Any] | None) -> Any:
    return make(value) if make is not None and isinstance(value, str) else value


def _picture(text: str) -> Any:
    return AgentImage(text).to_raw()


def _sound(text: str) -> Any:
    """A tensor, as smolagents has sounds; an array where there is no torch."""
    sound = AgentAudio(text)
    return sound.to_torch() if "torch" in sys.modules else sound.to_raw()
