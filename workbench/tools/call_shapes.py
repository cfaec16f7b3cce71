"""The calls in what a model said: every provider's shape, as id, name and arguments.

=====================  ====================================================================
OpenAI chat            ``{"id", "function": {"name", "arguments": text}}``
OpenAI responses       ``{"type": "function_call", "call_id", "name", "arguments": text}``
Anthropic              ``{"type": "tool_use", "id", "name", "input": dict}``
Gemini                 ``{"functionCall": {"id", "name", "args": dict}}``
plain                  ``{"name", "args"}`` or ``{"name", "arguments"}``
=====================  ====================================================================
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = ["call_in", "calls_in", "is_delta", "joined_deltas", "plain", "read_arguments"]

_WRAPPERS = ("function", "functionCall", "function_call")
_ARGUMENTS = ("args", "arguments", "input", "parameters")
_IDS = ("call_id", "id", "tool_call_id")
_ANSWERS = ("choices", "candidates")
"""Alternatives that a response offers; the first one is the answer."""
_LISTS = ("tool_calls", "invalid_tool_calls")
"""Where a message lists its calls; some libraries repeat them in the content."""
_INSIDE = ("message", "output", "content", "parts")
"""What of a message or a response is searched for calls."""


def plain(value: Any) -> Any:
    """An SDK's object as the dict that it stands for; anything else as it is."""
    if isinstance(value, (Mapping, list, tuple, str, type(None))):
        return value
    for name in ("model_dump", "to_dict", "dict"):
        dump = getattr(value, name, None)
        if callable(dump):
            return dump()
    return vars(value) if hasattr(value, "__dict__") else value


def call_in(item: Any) -> tuple[Any, Any, Any] | None:
    """The id, the name and the arguments of one call; None for what is no call."""
    item = plain(item)
    if not isinstance(item, Mapping):
        return None
    for wrapper in _WRAPPERS:
        inner = plain(item.get(wrapper))
        if isinstance(inner, Mapping) and "name" in inner:
            return _first(item, _IDS) or _first(inner, _IDS), inner["name"], _given(inner)
    if "name" not in item or not any(key in item for key in _ARGUMENTS):
        return None
    return _first(item, _IDS), item["name"], _given(item)


def _first(item: Mapping[str, Any], keys: tuple[str, ...]) -> Any:
    return next((item[key] for key in keys if item.get(key) is not None), None)


def _given(item: Mapping[str, Any]) -> Any:
    return _first(item, _ARGUMENTS)


_NO_CALLS = {"server_tool_use", "mcp_call", "mcp_tool_use", "tool_result", "text"}
"""Items that have a name and arguments but were carried out by the provider, or are none."""


def calls_in(node: Any) -> Iterator[tuple[Any, Any, Any]]:
    """All calls of a message or response, in order."""
    node = plain(node)
    if isinstance(node, (list, tuple)):
        for item in node:
            yield from calls_in(item)
    if not isinstance(node, Mapping) or node.get("type") in _NO_CALLS:
        return
    found = call_in(node)
    if found is not None:
        yield found
        return
    listed = [call for key in _LISTS for call in calls_in(node.get(key))]
    if listed:
        yield from listed
        return
    for key in _ANSWERS:
        yield from calls_in(list(node.get(key) or ())[:1])
    for key in _INSIDE:
        if not isinstance(node.get(key), str):
            yield from calls_in(node.get(key))


def is_delta(item: Any) -> bool:
    """Whether this is one chunk of a streamed chat completion."""
    chunk = plain(item)
    choices = chunk.get("choices") if isinstance(chunk, Mapping) else None
    return bool(choices) and "delta" in (plain(next(iter(choices or ()))) or {})


def joined_deltas(chunks: Any) -> list[dict[str, Any]]:
    """The calls of a streamed chat completion, their pieces joined by index."""
    calls: dict[int, dict[str, Any]] = {}
    for chunk in chunks:
        choices = plain(chunk).get("choices") or [{}]
        delta = plain(plain(choices[0]).get("delta")) or {}
        for position, piece in enumerate(map(plain, delta.get("tool_calls") or ())):
            index = piece.get("index", position)
            call = calls.setdefault(index, {"id": None, "name": "", "arguments": ""})
            function = plain(piece.get("function")) or {}
            call["id"] = call["id"] or piece.get("id")
            call["name"] += function.get("name") or ""
            call["arguments"] += function.get("arguments") or ""
    return [calls[index] for index in sorted(calls)]


def read_arguments(given: Any) -> Any:
    """Arguments as a dict; text is parsed, and repaired where its faults are small.

    Returns
    -------
    object
        A dict; anything else comes back as it was given, and is no set of arguments.

    Examples
    --------
    >>> read_arguments(""), read_arguments('{"q": 1'), read_arguments("garbage")
    ({}, {'q': 1}, 'garbage')
    """
    if given is None or (isinstance(given, str) and not given.strip()):
        return {}
    if isinstance(given, Mapping):
        return dict(given)
    found = _parsed(given) if isinstance(given, str) else given
    if isinstance(found, str):
        found = _parsed(found)
    return found if isinstance(found, dict) else given


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except RecursionError:
        return None
    except ValueError:
        return _repaired(text)


_FENCE = re.compile(r"\s*```\w*\n(.*?)```\s*", re.DOTALL)


def _repaired(text: str) -> Any:
    """The text with its faults mended; None where that would invent or lose a value."""
    from json_repair import repair_json

    fenced = _FENCE.fullmatch(text)
    try:
        found = repair_json(fenced[1] if fenced else text, return_objects=True, strict=True)
    except (ValueError, RecursionError):
        return None
    return found or None
