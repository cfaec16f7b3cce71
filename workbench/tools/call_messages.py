"""Results of tool calls as messages for a model, media in each provider's own content parts.

=================  ==========================  =================================================
dialect            pictures                    sounds
=================  ==========================  =================================================
openai, litellm    in a user message after     in the same user message (``input_audio``)
                   all tool messages
openai-responses   ``input_image``             not taken: named in text
anthropic          ``image`` blocks            not taken: named in text
gemini             in the function response    ``inlineData`` beside the function responses
=================  ==========================  =================================================

Media types are those of the bytes; a format that the provider does not take is converted.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from workbench.errors import MediaError
from workbench.tools.call_results import ToolCallResult
from workbench.tools.content import Resource, ResourceLink
from workbench.types import AgentAudio, AgentImage, AgentType, AgentVideo
from workbench.types.data_uri import encode_data_uri

__all__ = ["messages"]

_COMMON = frozenset({"image/png", "image/jpeg", "image/gif", "image/webp"})


@dataclass(frozen=True, slots=True, kw_only=True)
class _Taken:
    """What a provider takes in results of tools."""

    images: frozenset[str] = _COMMON
    audios: frozenset[str] = frozenset()
    videos: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Medium:
    """A picture, sound or video, encoded."""

    family: str
    mime: str
    data: bytes

    @property
    def base64(self) -> str:
        return base64.b64encode(self.data).decode("ascii")

    @property
    def uri(self) -> str:
        return encode_data_uri(self.data, self.mime)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Told:
    """One result, ready to be told: text, and what goes with it, in order."""

    call_id: str
    given_id: str | None
    name: str
    is_error: bool
    parts: tuple[str | _Medium, ...]

    @property
    def text(self) -> str:
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def media(self) -> tuple[_Medium, ...]:
        return tuple(part for part in self.parts if isinstance(part, _Medium))


def _as_chat(results: Sequence[_Told]) -> list[dict[str, Any]]:
    made: list[dict[str, Any]] = [
        {"role": "tool", "tool_call_id": told.call_id, "content": told.text or _instead(told)}
        for told in results
    ]
    shown: list[dict[str, Any]] = []
    for told in results:
        if told.media:
            shown.append({"type": "text", "text": f"From {told.name} ({told.call_id}):"})
            shown.extend(map(_chat_part, told.media))
    return [*made, {"role": "user", "content": shown}] if shown else made


def _instead(told: _Told) -> str:
    return "(in the next message)" if told.media else ""


def _chat_part(medium: _Medium) -> dict[str, Any]:
    if medium.family == "image":
        return {"type": "image_url", "image_url": {"url": medium.uri}}
    kind = "mp3" if medium.mime == "audio/mpeg" else "wav"
    return {"type": "input_audio", "input_audio": {"data": medium.base64, "format": kind}}


def _as_responses(results: Sequence[_Told]) -> list[dict[str, Any]]:
    return [
        {
            "type": "function_call_output",
            "call_id": told.call_id,
            "output": [_responses_part(part) for part in told.parts] if told.media else told.text,
        }
        for told in results
    ]


def _responses_part(part: str | _Medium) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "input_text", "text": part}
    return {"type": "input_image", "image_url": part.uri, "detail": "auto"}


def _as_anthropic(results: Sequence[_Told]) -> list[dict[str, Any]]:
    blocks = []
    for told in results:
        block = {
            "type": "tool_result",
            "tool_use_id": told.call_id,
            "content": [_anthropic_part(part) for part in told.parts if part],
        }
        blocks.append({**block, "is_error": True} if told.is_error else block)
    return [{"role": "user", "content": blocks}] if blocks else []


def _anthropic_part(part: str | _Medium) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    source = {"type": "base64", "media_type": part.mime, "data": part.base64}
    return {"type": "image", "source": source}


def _as_gemini(results: Sequence[_Told]) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    beside: list[dict[str, Any]] = []
    for told in results:
        response: dict[str, Any] = {
            "name": told.name,
            "response": {"error" if told.is_error else "output": told.text},
        }
        if told.given_id is not None:
            response["id"] = told.given_id
        pictures = [_inline(medium) for medium in told.media if medium.family == "image"]
        if pictures:
            response["parts"] = pictures
        parts.append({"functionResponse": response})
        beside += [_inline(medium) for medium in told.media if medium.family != "image"]
    return [{"role": "user", "parts": [*parts, *beside]}] if parts else []


def _inline(medium: _Medium) -> dict[str, Any]:
    return {"inlineData": {"mimeType": medium.mime, "data": medium.base64}}


_CHAT = _Taken(audios=frozenset({"audio/wav", "audio/mpeg"}))
_GEMINI = _Taken(
    images=frozenset({"image/png", "image/jpeg", "image/webp"}),
    audios=frozenset(
        {"audio/wav", "audio/mpeg", "audio/aiff", "audio/aac", "audio/ogg", "audio/flac"}
    ),
    videos=frozenset({"video/mp4", "video/mpeg", "video/quicktime", "video/webm"}),
)
_WRITERS: dict[str, tuple[Callable[[Sequence[_Told]], list[dict[str, Any]]], _Taken]] = {
    "openai": (_as_chat, _CHAT),
    "openai-responses": (_as_responses, _Taken()),
    "anthropic": (_as_anthropic, _Taken()),
    "gemini": (_as_gemini, _GEMINI),
    "litellm": (_as_chat, _CHAT),
}


def messages(results: Sequence[ToolCallResult], dialect: str) -> list[dict[str, Any]]:
    """Write results as a provider's messages.

    Raises
    ------
    ValueError
        If there is no such dialect.
    """
    if dialect not in _WRITERS:
        raise ValueError(f"no dialect {dialect!r}; there are {', '.join(map(repr, _WRITERS))}")
    write, taken = _WRITERS[dialect]
    return write([_told(index, each, taken) for index, each in enumerate(results)])


def _told(index: int, each: ToolCallResult, taken: _Taken) -> _Told:
    parts = [part for block in each.result.content for part in _parts(block, taken)]
    return _Told(
        call_id=each.call_id or f"call_{index}",
        given_id=each.call_id,
        name=each.name,
        is_error=each.is_error,
        parts=tuple(parts),
    )


def _parts(block: Any, taken: _Taken) -> list[str | _Medium]:
    """A block as text, as a medium, or as text followed by the media inside it."""
    if isinstance(block, Resource):
        return _parts(block.value, taken)
    if isinstance(block, str):
        return [str(block)]
    if isinstance(block, AgentType):
        return [_encoded(block, taken)]
    if isinstance(block, ResourceLink):
        return [_json({k: v for k, v in asdict(block).items() if v is not None})]
    if isinstance(block, (bytes, bytearray)):
        return [f"({len(block)} bytes)"]
    media: list[str | _Medium] = []
    text = _text(_without_media(block, media, taken))
    return [text, *media]


def _without_media(value: Any, media: list[str | _Medium], taken: _Taken) -> Any:
    """The value with each medium in it replaced by a mark, and the media themselves listed."""
    if isinstance(value, AgentType) and not isinstance(value, str):
        media.append(_encoded(value, taken))
        return f"[{value.media} {len(media)}]"
    if type(value) is dict:
        return {key: _without_media(item, media, taken) for key, item in value.items()}
    if type(value) in (list, tuple):
        return [_without_media(item, media, taken) for item in value]
    return value


def _encoded(value: Any, taken: _Taken) -> str | _Medium:
    """A medium in a format that the provider takes, else a line that says what it is."""
    if isinstance(value, AgentImage) and value.mime_type == "image/svg+xml":
        return value.to_bytes().decode("utf-8", "replace")
    try:
        return _fitting(value, taken) or f"({value!r}: this model's provider does not take it)"
    except (MediaError, OSError) as error:
        return f"({value!r} cannot be sent: {error})"


def _fitting(value: Any, taken: _Taken) -> _Medium | None:
    kinds = {
        AgentImage: (taken.images, "png", "image/png"),
        AgentAudio: (taken.audios, "wav", "audio/wav"),
        AgentVideo: (taken.videos, "", ""),
    }
    accepted, instead, mime = next(row for kind, row in kinds.items() if isinstance(value, kind))
    if value.mime_type in accepted:
        return _Medium(family=value.media, mime=value.mime_type, data=value.to_bytes())
    if not accepted or not instead:
        return None
    return _Medium(family=value.media, mime=mime, data=value.to_bytes(instead))


def _text(value: Any) -> str:
    """A value as text for a model: itself, a table as CSV, else JSON."""
    if isinstance(value, str):
        return str(value)
    if callable(getattr(value, "to_csv", None)) and hasattr(value, "columns"):
        return str(value.to_csv())
    return _json(value)


def _json(value: Any) -> str:
    from pydantic_core import to_jsonable_python

    plain = to_jsonable_python(value, inf_nan_mode="strings", fallback=_leaf)
    return json.dumps(plain, ensure_ascii=False)


def _leaf(value: Any) -> Any:
    """What has no JSON form of its own: arrays as lists, anything else as its text."""
    tolist = getattr(value, "tolist", None)
    if callable(tolist):
        return tolist()
    return dict(value) if isinstance(value, Mapping) else str(value)
