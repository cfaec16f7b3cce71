"""DSPy's tools as tools here. DSPy itself is never imported: its objects say enough."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Mapping
from typing import Any

from workbench.errors import ToolDefinitionError, bounded_repr
from workbench.tools.foreign import Description, ForeignTool
from workbench.tools.tool_class import Tool
from workbench.types import AgentAudio, AgentImage

__all__ = ["tool_from_dspy"]


def tool_from_dspy(tool: Any) -> Tool:
    """A ``dspy.Tool``.

    Parameters
    ----------
    tool : object
        Has ``name``, ``desc``, ``args``, ``func``, ``acall`` and
        ``format_as_litellm_function_call``.

    Raises
    ------
    ToolDefinitionError
        If it is something else.
    """
    words = ("name", "desc", "func", "acall", "format_as_litellm_function_call")
    if isinstance(tool, type) or not all(hasattr(tool, word) for word in words):
        raise ToolDefinitionError(
            f"a dspy.Tool has {', '.join(words)}; got {bounded_repr(tool)}. A plain function is "
            "made a tool with Tool(function)"
        )
    about = Description(
        name=tool.name, description=tool.desc or "", input_schema=_schema(tool), source="DSPy"
    )

    def call(arguments: dict[str, Any]) -> Any:
        return _typed(tool(**arguments))

    async def call_async(arguments: dict[str, Any]) -> Any:
        return _typed(await tool.acall(**arguments))

    is_async = inspect.iscoroutinefunction(tool.func)
    return ForeignTool(about, None if is_async else call, call_async if is_async else None)


def _schema(tool: Any) -> dict[str, Any]:
    """The schema that a model is shown, in a copy: DSPy gives out its own."""
    made = tool.format_as_litellm_function_call()["function"]["parameters"]
    schema: dict[str, Any] = copy.deepcopy(dict(made))
    if not getattr(tool, "has_kwargs", False):
        schema.setdefault("additionalProperties", False)
    return schema


def _typed(value: Any) -> Any:
    """A value with DSPy's media as agent types; an address stays one and is not fetched."""
    if type(value).__module__.startswith("dspy."):
        url, data = getattr(value, "url", None), getattr(value, "data", None)
        if isinstance(url, str) and url.startswith("data:"):
            return AgentImage(url)
        if isinstance(data, str) and hasattr(value, "audio_format"):
            return AgentAudio(data)
        return value
    if isinstance(value, Mapping) and type(value) is dict:
        return {key: _typed(item) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)([_typed(item) for item in value])
    return value
