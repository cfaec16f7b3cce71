"""A tool for LangChain and LangGraph."""

from __future__ import annotations

import base64
from typing import Any

from workbench._optional import require
from workbench.tools.result import ToolResult
from workbench.tools.result_html import json_text
from workbench.tools.tool_class import Tool
from workbench.types import AgentAudio, AgentImage, AgentVideo

__all__ = ["to_langchain"]


def to_langchain(tool: Tool) -> Any:
    """A LangChain ``StructuredTool`` that calls this tool.

    Its content is what a model reads: the value itself, or content blocks where there are media.
    Its artifact is the whole :class:`ToolResult`. A failure raises ``ToolException``, which
    ``handle_tool_error`` may turn into an answer.

    Parameters
    ----------
    tool : Tool
        Any tool, wherever it came from.

    Raises
    ------
    MissingExtra
        If ``langchain-core`` is not installed.
    """
    module = require("langchain_core.tools", extra="langchain", feature="a LangChain tool")

    def outcome(result: ToolResult) -> tuple[Any, ToolResult]:
        if result.is_error:
            raise module.ToolException(result.text) from result.error
        return _content(result), result

    def call(**arguments: Any) -> Any:
        return outcome(tool.run(arguments))

    async def call_async(**arguments: Any) -> Any:
        return outcome(await tool.arun(arguments))

    hints = tool.annotations.to_dict()
    title = {"title": tool.title} if tool.title else {}
    return module.StructuredTool(
        name=tool.name,
        description=tool.description,
        args_schema=dict(tool.schema("mcp")["inputSchema"]),
        func=None if tool.is_async and not tool.remote else call,
        coroutine=call_async,
        response_format="content_and_artifact",
        metadata={**hints, **title} or None,
    )


def _content(result: ToolResult) -> Any:
    media = (AgentImage, AgentAudio, AgentVideo)
    values = [getattr(block, "value", block) for block in result.content]
    return (
        [_block(v) for v in values] if any(isinstance(v, media) for v in values) else result.value
    )


def _block(value: Any) -> dict[str, Any]:
    """A value as one of LangChain's standard content blocks."""
    if isinstance(value, (AgentImage, AgentAudio, AgentVideo)):
        data = base64.b64encode(value.to_bytes()).decode("ascii")
        return {"type": value.media, "base64": data, "mime_type": value.mime_type}
    return {"type": "text", "text": str(value) if isinstance(value, str) else json_text(value)}
