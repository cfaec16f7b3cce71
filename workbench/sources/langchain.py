"""LangChain's tools as tools here. LangChain itself is never imported: its objects say enough."""

from __future__ import annotations

import copy
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from workbench.errors import MediaError, ToolDefinitionError, ToolError, bounded_repr
from workbench.tools.content import blocks
from workbench.tools.foreign import Description, ForeignTool
from workbench.tools.result import ToolResult
from workbench.tools.tool_class import Tool
from workbench.types import AgentAudio, AgentImage, AgentText, AgentVideo

__all__ = ["tool_from_langchain", "tools_from_langchain"]


def tool_from_langchain(tool: Any) -> Tool:
    """One LangChain tool.

    Parameters
    ----------
    tool : object
        A ``BaseTool``: has ``name``, ``description``, ``args_schema``, ``invoke`` and ``ainvoke``.

    Raises
    ------
    ToolDefinitionError
        If it is something else; a toolkit is several tools.
    """
    if callable(getattr(tool, "get_tools", None)):
        raise ToolDefinitionError(
            f"{bounded_repr(tool)} is a toolkit, so several tools: use "
            "ToolCollection.from_langchain(toolkit)"
        )
    if not all(hasattr(tool, name) for name in ("name", "args_schema", "invoke", "ainvoke")):
        raise ToolDefinitionError(
            f"a LangChain tool has name, args_schema, invoke and ainvoke; got {bounded_repr(tool)}"
        )
    about = Description(
        name=tool.name,
        description=tool.description or "",
        input_schema=_schema(tool),
        annotations=tool.metadata or {},
        title=(tool.metadata or {}).get("title"),
        source=f"LangChain {type(tool).__name__}",
    )

    def call(arguments: dict[str, Any]) -> Any:
        return _outcome(tool.invoke(_request(tool, arguments)))

    async def call_async(arguments: dict[str, Any]) -> Any:
        return _outcome(await tool.ainvoke(_request(tool, arguments)))

    return ForeignTool(about, call if _is_sync(tool) else None, call_async)


def tools_from_langchain(given: Any) -> list[Tool]:
    """The tools of a toolkit, or of an iterable of LangChain's tools, in order.

    Parameters
    ----------
    given : object
        Has ``get_tools()``, or is iterated over.
    """
    listed: Iterable[Any] = given.get_tools() if hasattr(given, "get_tools") else given
    return [tool_from_langchain(tool) for tool in listed]


def _is_sync(tool: Any) -> bool:
    """Whether a plain call works: a ``StructuredTool`` of a coroutine alone refuses one."""
    return not (getattr(tool, "coroutine", None) is not None and tool.func is None)


def _schema(tool: Any) -> dict[str, Any]:
    """The schema that a model is shown, in a copy: the tool's own is cached, and not ours."""
    given = tool.tool_call_schema
    if not isinstance(given, Mapping):
        make = getattr(given, "model_json_schema", None) or given.schema
        given = make()
    # The model's own name and docstring are the tool's, or those of a class nobody named.
    inside = {
        k: v for k, v in copy.deepcopy(dict(given)).items() if k not in ("description", "title")
    }
    inside["properties"] = {n: _untitled(n, s) for n, s in inside.get("properties", {}).items()}
    return inside


def _untitled(name: str, schema: Any) -> Any:
    """A property without the title that pydantic makes of every name."""
    made = name.replace("_", " ").title()
    if isinstance(schema, Mapping) and schema.get("title") == made:
        return {key: value for key, value in schema.items() if key != "title"}
    return schema


def _request(tool: Any, arguments: dict[str, Any]) -> dict[str, Any]:
    """Plain arguments, or a tool call where only its answer tells all.

    An answer to plain arguments keeps Python values, but drops artifacts, and does not tell an
    error that the tool handles from a success.
    """
    quiet = getattr(tool, "handle_tool_error", False) or getattr(
        tool, "handle_validation_error", False
    )
    if tool.response_format != "content_and_artifact" and not quiet:
        return arguments
    return {"type": "tool_call", "id": uuid.uuid4().hex, "name": tool.name, "args": arguments}


def _outcome(answer: Any) -> Any:
    """A tool's answer as its value, or as a result where it is a message."""
    if not (hasattr(answer, "tool_call_id") and hasattr(answer, "content")):
        return _content(answer)
    artifact = getattr(answer, "artifact", None)
    content = _content(answer.content)
    if getattr(answer, "status", "success") == "error":
        text = ToolResult(blocks(content)).text
        return ToolResult.failure(ToolError(text))
    if isinstance(artifact, ToolResult):
        return artifact
    return content if artifact is None else (content, artifact)


def _content(content: Any) -> Any:
    """Content blocks as agent types; what is not a list of blocks stays as it is."""
    if not (isinstance(content, list) and content and all(map(_is_block, content))):
        return content
    values = [_block(block) for block in content]
    return values[0] if len(values) == 1 else values


def _is_block(block: Any) -> bool:
    return isinstance(block, Mapping) and block.get("type") in _READ


def _text(block: Mapping[str, Any]) -> Any:
    return AgentText(str(block.get("text", "")))


def _image_url(block: Mapping[str, Any]) -> Any:
    given = block.get("image_url")
    url = given.get("url") if isinstance(given, Mapping) else given
    # An address is never fetched unasked; a data URI holds the picture itself.
    return AgentImage(url) if str(url).startswith("data:") else dict(block)


def _media(block: Mapping[str, Any]) -> Any:
    data = block.get("base64") or block.get("data")
    if not isinstance(data, str):
        return dict(block)
    try:
        return _MEDIA[str(block["type"])](data)
    except MediaError as error:
        return AgentText(f"[{block['type']}: {error}]")


_MEDIA = {"image": AgentImage, "audio": AgentAudio, "video": AgentVideo}
_READ = {"text": _text, "image_url": _image_url, **dict.fromkeys(_MEDIA, _media)}
"""How each kind of content block is read (LangChain's standard blocks and OpenAI's)."""


def _block(block: Mapping[str, Any]) -> Any:
    return _READ[str(block["type"])](block)
