"""What a server sends, made such that the SDK takes it: one odd thing must not hide the rest.

The SDK refuses a whole list for one tool that it does not like, and a whole result for one block
that it does not know. Before it looks, such an item is cleaned, and put as it was into its own
``_meta``, from where :func:`restored` takes it again. What has no name is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["restored", "tolerated"]

_KEPT = "workbench/as-sent"
_Fits = Callable[[Any], bool]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_mapping(value: Any) -> bool:
    return isinstance(value, dict)


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_schema(value: Any) -> bool:
    if not isinstance(value, dict) or value.get("type") != "object":
        return False
    properties = value.get("properties", {})
    return (
        isinstance(properties, dict)
        and all(isinstance(known, (dict, bool)) for known in properties.values())
        and _is_texts(value.get("required", []))
        and _is_text(value.get("$schema", ""))
    )


def _is_hints(value: Any) -> bool:
    return isinstance(value, Mapping) and all(
        isinstance(hint, str if name == "title" else bool) or hint is None
        for name, hint in value.items()
        if name == "title" or name.endswith("Hint")
    )


def _is_notes(value: Any) -> bool:
    if not isinstance(value, Mapping):
        return False
    priority, audience = value.get("priority", 0), value.get("audience", [])
    return (
        isinstance(priority, (int, float))
        and 0 <= priority <= 1
        and isinstance(audience, list)
        and all(role in ("user", "assistant") for role in audience)
        and _is_text(value.get("lastModified", ""))
    )


def _is_icons(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(icon, Mapping)
        and _is_text(icon.get("src"))
        and _is_text(icon.get("mimeType", ""))
        and _is_texts(icon.get("sizes", []))
        and icon.get("theme", "dark") in ("dark", "light")
        for icon in value
    )


def _is_execution(value: Any) -> bool:
    known = ("forbidden", "optional", "required")
    return isinstance(value, Mapping) and value.get("taskSupport", "forbidden") in known


def _is_contents(value: Any) -> bool:
    return (
        isinstance(value, Mapping)
        and _is_text(value.get("uri"))
        and (_is_text(value.get("text")) or _is_text(value.get("blob")))
        and _is_text(value.get("mimeType", ""))
    )


_TOOL: dict[str, _Fits] = {
    "name": _is_text,
    "title": _is_text,
    "description": _is_text,
    "inputSchema": _is_schema,
    "outputSchema": _is_schema,
    "annotations": _is_hints,
    "execution": _is_execution,
    "icons": _is_icons,
    "_meta": _is_mapping,
}
_BLOCKS: dict[str, dict[str, _Fits]] = {
    "text": {"text": _is_text},
    "image": {"data": _is_text, "mimeType": _is_text},
    "audio": {"data": _is_text, "mimeType": _is_text},
    "resource": {"resource": _is_contents},
    "resource_link": {"uri": _is_text, "name": _is_text},
}
_ANY_BLOCK: dict[str, _Fits] = {
    "annotations": _is_notes,
    "description": _is_text,
    "icons": _is_icons,
    "mimeType": _is_text,
    "size": lambda value: type(value) is int,
    "title": _is_text,
    "_meta": _is_mapping,
}


def tolerated(result: dict[str, Any]) -> dict[str, Any]:
    """A result as the SDK takes it.

    Parameters
    ----------
    result : dict
        The ``result`` of a response, of any request.

    Returns
    -------
    dict
        The same object where it is no list of tools and no tool's result.

    Examples
    --------
    >>> made = tolerated({"content": [{"type": "hologram"}]})
    >>> made["content"][0]["type"], restored(made["content"][0])
    ('text', {'type': 'hologram'})
    """
    tools, content = result.get("tools"), result.get("content")
    if isinstance(tools, list):
        return {**result, "tools": [_tool(item) for item in tools if _is_named(item)]}
    if isinstance(result.get("task"), Mapping) and content is None:
        return {"content": [], "_meta": {_KEPT: result}}
    if not isinstance(content, list) and "structuredContent" not in result:
        return result
    made = {**result, "content": [_block(block) for block in content or ()]}
    data = result.get("structuredContent")
    if data is not None and not isinstance(data, Mapping):
        del made["structuredContent"]
        made["_meta"] = {**(result.get("_meta") or {}), _KEPT: {"structuredContent": data}}
    return made


def restored(item: Mapping[str, Any]) -> dict[str, Any]:
    """A tool, a block or a tool's result as the server sent it."""
    meta = item.get("_meta")
    if not isinstance(meta, Mapping) or _KEPT not in meta:
        return dict(item)
    kept = meta[_KEPT]
    if "content" not in item:
        return dict(kept)
    left = {key: value for key, value in meta.items() if key != _KEPT}
    return {**item, **kept, "_meta": left}


def _is_named(tool: Any) -> bool:
    """What has no name cannot be called, so it is no tool."""
    return isinstance(tool, dict) and _is_text(tool.get("name"))


def _block(block: Any) -> Any:
    kind = block.get("type") if isinstance(block, Mapping) else None
    wanted = _BLOCKS.get(kind) if isinstance(kind, str) else None
    if wanted is not None:
        whole = all(fits(block.get(key)) for key, fits in wanted.items())
        if whole and all(fits(block[key]) for key, fits in _ANY_BLOCK.items() if key in block):
            return block
    kept = block if isinstance(block, Mapping) else {"type": "unknown", "value": block}
    return {"type": "text", "text": json.dumps(block), "_meta": {_KEPT: kept}}


def _tool(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    fine = {key: value for key, value in tool.items() if key not in _TOOL or _TOOL[key](value)}
    if len(fine) == len(tool) and "inputSchema" in tool:
        return tool
    return {
        "inputSchema": {"type": "object"},
        **fine,
        "_meta": {**fine.get("_meta", {}), _KEPT: dict(tool)},
    }
