"""Tools and results in the words of the Model Context Protocol."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from workbench.tools.content import Resource, ResourceLink
from workbench.tools.result import ToolResult
from workbench.tools.result_html import json_text
from workbench.tools.tool_class import Tool
from workbench.types import AgentAudio, AgentImage, AgentVideo

__all__ = ["result_to_wire", "tool_to_wire"]


def tool_to_wire(tool: Tool) -> dict[str, Any]:
    """A tool's definition (MCP ``Tool``)."""
    made = tool.schema("mcp")
    return {**made, "title": tool.title} if tool.title else made


def result_to_wire(result: ToolResult) -> dict[str, Any]:
    """A result (MCP ``CallToolResult``): every block in its order, media by their own bytes.

    Examples
    --------
    >>> result_to_wire(ToolResult(["hi"]))
    {'content': [{'type': 'text', 'text': 'hi'}], 'isError': False}
    """
    wire: dict[str, Any] = {
        "content": [_block(block) for block in result.content],
        "isError": result.is_error,
    }
    if isinstance(result.structured_content, Mapping):
        wire["structuredContent"] = dict(result.structured_content)
    for block, said in zip(wire["content"], result.annotations, strict=False):
        block.update({"annotations": dict(said)} if said else {})
    return {**wire, "_meta": dict(result.meta)} if result.meta else wire


def _text64(data: bytes) -> str:
    return base64.b64encode(data).decode("ascii")


def _block(value: Any) -> dict[str, Any]:
    if isinstance(value, (AgentImage, AgentAudio)):
        data = _text64(value.to_bytes())
        return {"type": value.media, "data": data, "mimeType": value.mime_type}
    if isinstance(value, (AgentVideo, bytes)):
        return _embedded("result://value", value)
    if isinstance(value, Resource):
        return _embedded(value.uri, value.value)
    if isinstance(value, ResourceLink):
        link = {
            "uri": value.uri,
            "name": value.name or value.uri,
            "title": value.title,
            "description": value.description,
            "mimeType": value.mime_type,
            "size": value.size,
        }
        return {"type": "resource_link", **{k: v for k, v in link.items() if v is not None}}
    return {"type": "text", "text": str(value) if isinstance(value, str) else json_text(value)}


def _embedded(uri: str, value: Any) -> dict[str, Any]:
    if isinstance(value, str):
        kind = getattr(value, "mime_type", "text/plain")
        return {
            "type": "resource",
            "resource": {"uri": uri, "text": str(value), "mimeType": kind},
        }
    data = value if isinstance(value, bytes) else value.to_bytes()
    mime = getattr(value, "mime_type", "application/octet-stream")
    return {
        "type": "resource",
        "resource": {"uri": uri, "blob": _text64(data), "mimeType": mime},
    }
