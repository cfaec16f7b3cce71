"""Pictures and sounds that a tool has written into text: an SVG drawing, base64 in JSON."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from workbench.errors import MediaError
from workbench.types import AgentAudio, AgentImage, AgentType, sniff

__all__ = ["embedded_media"]

_MOST = 8
_LONGEST = 20_000_000
"""Characters of one text that are searched."""
_NODES = 10_000
_BASE64 = re.compile(
    r"(?<![A-Za-z0-9+/=])(?:data:(?:image|audio)/[\w.+-]{1,40};base64,)?"
    r"((?:[A-Za-z0-9+/]|\\n){80,}={0,2})(?![A-Za-z0-9+/=])"
)
_KINDS: dict[str, type[AgentImage | AgentAudio]] = {"image": AgentImage, "audio": AgentAudio}


def embedded_media(values: Iterable[Any]) -> tuple[AgentImage | AgentAudio, ...]:
    """What a person could see or hear of texts and JSON values.

    Parameters
    ----------
    values : iterable of object
        The blocks of a result. Media among them are not found again in the others.

    Returns
    -------
    tuple of AgentImage or AgentAudio
        At most eight, each once, in order.

    Examples
    --------
    >>> embedded_media(['<svg xmlns="http://www.w3.org/2000/svg" width="9" height="4"/>'])
    (<AgentImage image/svg+xml 9x4>,)
    """
    blocks = list(values)
    known = {value.to_bytes() for value in blocks if type(value) in _KINDS.values()}
    found: list[AgentImage | AgentAudio] = []
    for data in _encoded(blocks):
        made = _medium(data) if data not in known else None
        known.add(data)
        if made is not None:
            found.append(made)
        if len(found) == _MOST:
            break
    return tuple(found)


def _encoded(blocks: Iterable[Any]) -> Iterator[bytes]:
    for text in _texts(blocks):
        if text.lstrip()[:1] == "<" and sniff(text[:2000].encode()) == "image/svg+xml":
            yield text.encode()
            continue
        for found in _BASE64.finditer(text, 0, _LONGEST):
            data = _decoded(found[1])
            if data is not None:
                yield data


def _texts(blocks: Iterable[Any]) -> Iterator[str]:
    """Each text in nested values, in order, as far as a person would look."""
    waiting = list(reversed(list(blocks)))
    for _ in range(_NODES):
        if not waiting:
            return
        value = waiting.pop()
        if isinstance(value, str):
            yield value
        elif isinstance(value, Mapping):
            waiting.extend(reversed(list(value.values())[:_NODES]))
        elif isinstance(value, (list, tuple)):
            waiting.extend(reversed(value[:_NODES]))


def _decoded(text: str) -> bytes | None:
    """The bytes, if they begin as a picture or a sound does; only then all are decoded."""
    text = text.replace("\\n", "")
    try:
        kind = sniff(base64.b64decode(text[:80])) or ""
        if kind.partition("/")[0] in _KINDS:
            return base64.b64decode(text)
    except (binascii.Error, ValueError):
        pass
    return None


def _medium(data: bytes) -> AgentImage | AgentAudio | None:
    try:
        made: AgentType = _KINDS[(sniff(data) or "").partition("/")[0]](data)
    except (MediaError, KeyError):
        return None
    assert isinstance(made, (AgentImage, AgentAudio))
    return made
