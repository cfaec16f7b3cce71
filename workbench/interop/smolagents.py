"""A tool for smolagents' agents."""

from __future__ import annotations

import functools
import importlib.util
from collections.abc import Mapping
from typing import Any

from workbench._optional import require
from workbench.schema.inline import inlined_properties
from workbench.tools.settings import context
from workbench.tools.tool_class import Tool
from workbench.types import AgentAudio, AgentImage, unwrap, wrap

__all__ = ["smolagents_class", "to_smolagents"]


def to_smolagents(tool: Tool) -> Any:
    """A ``smolagents.Tool`` that calls this tool.

    Arguments are checked here. Agents get their own types of text, picture and sound; failures
    raise, so that the agent reads them. An async tool is waited for, since smolagents has no
    other way of calling.

    Parameters
    ----------
    tool : Tool
        Any tool, wherever it came from; its name must be a Python identifier.

    Raises
    ------
    MissingExtra
        If ``smolagents`` is not installed.
    """
    return _kind()(tool)


def smolagents_class(tool: Tool) -> Any:
    """A subclass of ``smolagents.Tool`` whose instances are this tool, for what loads classes.

    Parameters
    ----------
    tool : Tool
        What an instance without arguments calls; with arguments, they go to its own class.

    Raises
    ------
    MissingExtra
        If ``smolagents`` is not installed.
    """
    base = _kind()

    class SmolagentsTool(base):  # type: ignore[misc, valid-type]  # known at run time only
        """A tool of workbench, loaded as a class."""

        name, description = tool.name, tool.description
        inputs = inputs_of(tool.input_schema)

        def __init__(self, **kwargs: Any) -> None:
            # smolagents passes options that nobody has given as None.
            given = {name: value for name, value in kwargs.items() if value is not None}
            super().__init__(type(tool)(**given) if given else tool)

    return SmolagentsTool


@functools.cache
def _kind() -> Any:
    """The subclass of ``smolagents.Tool``, made when smolagents is there."""
    library = require("smolagents", extra="smolagents", feature="a smolagents tool")
    base = library.Tool

    class WorkbenchTool(base):  # type: ignore[misc, valid-type]  # known at run time only
        """A tool of workbench, in smolagents' words."""

        skip_forward_signature_validation = True

        def __init__(self, tool: Tool) -> None:
            self.name = tool.name
            self.description = tool.description
            self.input_schema = dict(tool.input_schema)
            self.inputs = inputs_of(tool.input_schema)
            self.output_type = tool.output_type if tool.output_type in _OUTPUTS else "any"
            self.output_schema = None if tool.output_schema is None else dict(tool.output_schema)
            self.forward = functools.partial(_value, tool)
            super().__init__()

        def __call__(self, *args: Any, sanitize_inputs_outputs: bool = False, **kwargs: Any) -> Any:
            value = self.forward(*args, **kwargs)
            return _theirs(value, library) if sanitize_inputs_outputs else unwrap(value)

    return WorkbenchTool


def _value(tool: Tool, *args: Any, **kwargs: Any) -> Any:
    arguments = tool.bind(args, kwargs)
    with context(allow_tool_async_sync_conversion=True):
        return tool.run({name: wrap(value) for name, value in arguments.items()}).unwrap()


def _theirs(value: Any, library: Any) -> Any:
    """A value as smolagents' types; sound stays ours where torch, which they need, is missing."""
    if isinstance(value, AgentImage):
        return library.AgentImage(value.to_raw())
    if isinstance(value, AgentAudio):
        if importlib.util.find_spec("torch") is None:
            return value
        return library.AgentAudio((value.samplerate, value.to_raw()))
    return library.AgentText(str(value)) if isinstance(value, str) else unwrap(value)


_OUTPUTS = ("string", "boolean", "integer", "number", "array", "object", "null")
"""Output types that are said; media stand as "any", since they are made into theirs here."""
_TYPES = {*_OUTPUTS, "any"}


def inputs_of(schema: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The arguments in smolagents' words: a type from its list, a description, nullability.

    Media stand as "any": an agent checks a picture against "object", and would refuse it.

    Examples
    --------
    >>> inputs_of({"properties": {"n": {"type": "integer", "default": 1}}})
    {'n': {'default': 1, 'type': 'integer', 'description': 'n', 'nullable': True}}
    """
    required = schema.get("required") or ()
    return {
        name: _input(name, given, name not in required)
        for name, given in inlined_properties(schema).items()
    }


def _input(name: str, given: dict[str, Any], optional: bool) -> dict[str, Any]:
    given = _one_of_few(given)
    words = given.get("type", "any")
    listed = words if isinstance(words, list) else [words]
    known = [word for word in listed if word in _TYPES and word != "null"]
    media = "contentMediaType" in given or not known
    kept = {key: value for key, value in given.items() if key not in ("type", "description")}
    made = {
        **kept,
        "type": "any" if media else known[0] if len(known) == 1 else known,
        "description": str(given.get("description") or name),
    }
    return {**made, "nullable": True} if optional or "null" in listed else made


def _one_of_few(given: dict[str, Any]) -> dict[str, Any]:
    """A union as a list of types, which is the only union that smolagents reads."""
    branches = given.get("anyOf") or given.get("oneOf")
    if not branches:
        return given
    rest = {k: v for k, v in given.items() if k not in ("anyOf", "oneOf")}
    kinds = [b.get("type") if isinstance(b, Mapping) else None for b in branches]
    if not all(isinstance(kind, str) for kind in kinds):
        return rest
    real = [branch for branch in branches if branch["type"] != "null"]
    inside = dict(real[0]) if len(real) == 1 else {}
    return {**inside, **rest, "type": list(dict.fromkeys(kinds))}
