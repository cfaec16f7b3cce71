"""A value from code as the JSON value that a form holds."""

from __future__ import annotations

import base64
from typing import Any

from workbench.forms.node import Node
from workbench.tools.structured import structured
from workbench.types import AgentType, wrap

__all__ = ["encoded", "entered"]


def entered(value: Any) -> Any:
    """A value from code: media as base64, records as objects, what has no JSON form as it is.

    Examples
    --------
    >>> from datetime import date
    >>> entered(date(2026, 1, 2)), entered(b"hi")
    ('2026-01-02', 'aGk=')
    """
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode("ascii")
    wrapped = wrap(value)
    if isinstance(wrapped, AgentType) and not isinstance(wrapped, str):
        return base64.b64encode(wrapped.to_bytes()).decode("ascii")  # type: ignore[attr-defined]  # all media have it
    made = structured(value)
    return value if made is None else made


def encoded(node: Node, data: bytes, mime: str) -> str:
    """Bytes as the text that a field holds: base64 where its schema says so, else a data URI."""
    text = base64.b64encode(data).decode("ascii")
    schema, word = node.shape.schema, "base64"
    said = f"{node.path[-1] if node.path else ''} {schema.get('description') or ''}".lower()
    plain = schema.get("contentEncoding") == word or schema.get("format") == "byte"
    told = word in said.replace("base-64", word) and "data ur" not in said
    return text if plain or told else f"data:{mime};base64,{text}"
