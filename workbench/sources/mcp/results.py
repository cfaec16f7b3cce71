"""A server's answer as a result: every block in its order, typed, nothing dropped."""

from __future__ import annotations

import base64
import binascii
import dataclasses
import functools
from collections.abc import Callable, Mapping
from typing import Any

from workbench.errors import MediaError
from workbench.tools.content import Resource, ResourceLink
from workbench.tools.result import ToolResult
from workbench.tools.structured import output_problems
from workbench.types import AgentAudio, AgentImage, AgentText, AgentVideo, sniff

__all__ = ["Reader", "block_from", "contents_from", "read_from", "result_from"]

Reader = Callable[[str], Any]

_BY_FAMILY = {"image": AgentImage, "audio": AgentAudio, "video": AgentVideo}


def result_from(
    answer: Mapping[str, Any],
    *,
    output_schema: Mapping[str, Any] | None = None,
    tool_name: str = "",
    structured_output: bool = False,
    reader: Reader | None = None,
) -> ToolResult:
    """A ``CallToolResult`` as a :class:`ToolResult`.

    Parameters
    ----------
    answer : mapping
        As it came over the wire.
    output_schema : mapping, optional
        What the tool promised.
    tool_name : str
        By which the SDK's own wrappers are recognised.
    structured_output : bool
        Take the value from the structured content where there is one.
    reader : callable, optional
        Takes the address of a resource and gives its contents, for links that are read.

    Examples
    --------
    >>> result_from({"content": [{"type": "text", "text": "hi"}]}).value
    'hi'
    """
    given = [block for block in answer.get("content") or () if isinstance(block, Mapping)]
    content = tuple(block_from(block, reader) for block in given)
    data = answer.get("structuredContent")
    failed = bool(answer.get("isError"))
    wrapped = _is_wrapped(data, output_schema, answer, tool_name)
    plain = data["result"] if wrapped and isinstance(data, Mapping) else data
    result = ToolResult(
        content,
        data,
        failed,
        annotations=tuple(block.get("annotations") or {} for block in given),
        meta=answer.get("_meta") or {},
        output_problems=() if failed or data is None else output_problems(output_schema, data),
    )
    takes_data = data is not None and (structured_output or not content)
    if takes_data and not failed:
        object.__setattr__(result, "value", plain)
    return result


def _is_wrapped(
    data: Any, schema: Mapping[str, Any] | None, answer: Mapping[str, Any], name: str
) -> bool:
    """Whether ``{"result": ...}`` was put around the value by the server's SDK."""
    if not isinstance(data, Mapping) or set(data) != {"result"}:
        return False
    known = schema or {}
    if known.get("x-fastmcp-wrap-result") or (answer.get("_meta") or {}).get("fastmcp", {}).get(
        "wrap_result"
    ):
        return True
    return known.get("title") == f"{name}Output" and set(known.get("properties", {})) == {"result"}


class _LiveLink(ResourceLink):
    """A link of a server that is connected to."""

    __slots__ = ("_reader",)

    def read(self) -> Any:
        reader: Reader = self._reader  # type: ignore[attr-defined]  # set where it is made
        return reader(self.uri)

    def __reduce__(self) -> Any:
        known = {f.name: getattr(self, f.name) for f in dataclasses.fields(ResourceLink)}
        return functools.partial(ResourceLink, **known), ()


def _link(block: Mapping[str, Any], reader: Reader | None) -> ResourceLink:
    made = (ResourceLink if reader is None else _LiveLink)(
        uri=str(block.get("uri", "")),
        name=block.get("name"),
        title=block.get("title"),
        description=block.get("description"),
        mime_type=block.get("mimeType"),
        size=block.get("size"),
    )
    if reader is not None:
        object.__setattr__(made, "_reader", reader)
    return made


def block_from(block: Mapping[str, Any], reader: Reader | None = None) -> Any:
    """One content block; a kind that is not known stays the mapping it is."""
    kind = block.get("type")
    if kind == "text":
        return AgentText(str(block.get("text", "")))
    if kind in ("image", "audio"):
        return _media(str(block.get("data", "")), str(block.get("mimeType") or ""), kind)
    if kind == "resource" and isinstance(block.get("resource"), Mapping):
        return contents_from(block["resource"])
    if kind == "resource_link":
        return _link(block, reader)
    return dict(block)


def read_from(answer: Mapping[str, Any]) -> Any:
    """What ``resources/read`` gave: one value, or a list of several."""
    values = [contents_from(contents).value for contents in answer.get("contents") or ()]
    return values[0] if len(values) == 1 else values


def contents_from(contents: Mapping[str, Any]) -> Resource:
    """The contents of a resource, typed by its bytes."""
    mime = str(contents.get("mimeType") or "") or None
    uri = str(contents.get("uri", ""))
    meta = contents.get("_meta") or {}
    if "text" in contents:
        value: Any = AgentText(str(contents["text"]), mime_type=mime or "text/plain")
        return Resource(uri=uri, value=value, mime_type=mime, meta=meta)
    data = _decoded(str(contents.get("blob", "")))
    found = sniff(data) or mime
    family = str(found or "").partition("/")[0]
    return Resource(uri=uri, value=_typed(data, found or "", family), mime_type=found, meta=meta)


def _decoded(text: str) -> bytes:
    try:
        return base64.b64decode(text, validate=False)
    except (binascii.Error, ValueError):
        return b""


def _media(text: str, mime: str, kind: str) -> Any:
    data = _decoded(text)
    family = str(sniff(data) or mime).partition("/")[0]
    return _typed(data, mime, family if family in _BY_FAMILY else kind)


def _typed(data: bytes, mime: str, family: str) -> Any:
    """Bytes as the agent type of their family; what is broken says so and keeps its bytes."""
    make = _BY_FAMILY.get(family)
    if make is None:
        return data
    try:
        return AgentAudio(data, mime_type=mime) if make is AgentAudio else make(data)
    except MediaError as error:
        return AgentText(f"[{mime or family}: {error}]")
