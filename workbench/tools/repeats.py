"""Whether a result's structured content says more than its content, or the same once more."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from workbench.types import AgentAudio, AgentImage, AgentText

if TYPE_CHECKING:
    from workbench.tools.result import ToolResult

__all__ = ["is_repeated", "says_more", "unwrapped"]


def is_repeated(result: ToolResult) -> bool:
    """Whether the content is only the text of the structured content, which shows better."""
    data = result.structured_content
    only_text = all(type(block) is AgentText for block in result.content) and result.content
    return bool(
        only_text and isinstance(unwrapped(data), (Mapping, list)) and not says_more(result)
    )


def unwrapped(data: Any) -> Any:
    """The value in ``{"result": value}``."""
    return data["result"] if isinstance(data, Mapping) and set(data) == {"result"} else data


def says_more(result: ToolResult) -> bool:
    """Whether the structured content is not just the content again."""
    if not result.content:
        return False
    said = [_read(block) for block in result.content]
    repeated = said[0] if len(said) == 1 else said
    data = result.structured_content
    if _are_blocks(data, result.content):
        return False
    return bool(data != repeated and data != {"result": repeated})


def _read(block: Any) -> Any:
    """A text block as the JSON that it may be."""
    if not isinstance(block, str):
        return block
    try:
        return json.loads(block)
    except ValueError:
        return str(block)


def _are_blocks(data: Any, content: tuple[Any, ...]) -> bool:
    """Whether data is the protocol's own spelling of the content, as some servers repeat it."""
    if isinstance(data, Mapping) and len(data) == 1:
        (data,) = data.values()
    if not isinstance(data, list) or len(data) != len(content):
        return False
    return all(map(_is_block, data, content))


def _is_block(data: Any, block: Any) -> bool:
    if not isinstance(data, Mapping):
        return False
    if isinstance(block, (AgentImage, AgentAudio)):
        return bool(data.get("data") == base64.b64encode(block.to_bytes()).decode())
    return isinstance(block, str) and data.get("type") == "text" and data.get("text") == block
