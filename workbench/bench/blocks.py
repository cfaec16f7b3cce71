"""A result as the page draws it: block by block, as plain JSON, bounded.

Pictures, sounds, further rows and what is inside nested values are no part of it: the page asks
for them, by the block's number, when it shows them.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.bench.tables import FIRST_ROWS, MOST_COLUMNS, table_of
from workbench.bench.tree import is_tree, node_view
from workbench.errors import InvalidArguments, MediaError, bounded_repr
from workbench.tools.content import Resource, ResourceLink
from workbench.tools.repeats import is_repeated, says_more, unwrapped
from workbench.tools.result import ToolResult, error_text
from workbench.tools.traces import own_traceback
from workbench.types import AgentAudio, AgentImage, AgentText, AgentType, AgentVideo

__all__ = ["MOST_TEXT", "Block", "blocks_of", "displayed", "view_of"]

MOST_TEXT = 20_000
"""Characters of a text that are sent at a time."""
_HOST = re.compile(r"(https?|wss?)://(\*\.)?[A-Za-z0-9.-]+(:\d+)?(/[\w\-./@~%]*)?", re.ASCII)
_MOST_BLOCKS = 100
_PICTURES = ("image/png", "image/jpeg", "image/gif", "image/webp")

View = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One thing in a result.

    Parameters
    ----------
    value : object
        What is shown, whole.
    view : mapping
        What the page is told of it: "kind", and what that kind needs.
    place : str
        Where it is in the result, as Python writes it: "content[0]".
    """

    value: Any
    view: View
    place: str


def blocks_of(result: ToolResult) -> list[Block]:
    """What there is to see of a result, in order.

    Examples
    --------
    >>> [block.view["kind"] for block in blocks_of(ToolResult(["a caption", 3, {"a": [1]}]))]
    ['text', 'scalar', 'tree']
    """
    if result.is_error:
        return [_error(result)]
    return list(_shown(result))


def _shown(result: ToolResult) -> Iterator[Block]:
    data = result.structured_content
    if is_repeated(result) or (not result.content and data is not None):
        is_wrapped = unwrapped(data) is not data
        place = "structured_content" + ("['result']" if is_wrapped else "")
        yield _block(unwrapped(data), place)
    else:
        for at, value in enumerate(result.content[:_MOST_BLOCKS]):
            yield _block(value, f"content[{at}]")
        if data is not None and says_more(result):
            folded = {**view_of(data), "title": "Structured content"}
            yield Block(value=data, view=folded, place="structured_content")
    for at, medium in enumerate(result.embedded_media):
        view = {**view_of(medium), "title": "In the text"}
        yield Block(value=medium, view=view, place=f"embedded_media[{at}]")
    if result.app is not None:
        yield Block(value=result.app.value, view=_of_resource(result.app), place="app.value")
    more = len(result.content) - _MOST_BLOCKS
    if more > 0:
        yield _note(f"{more} more blocks; the result itself has them all.")
    if not result.content and data is None:
        yield _note("The tool returned nothing.")
    if result.output_problems:
        text = "\n".join(map(str, result.output_problems))
        view = {"kind": "problems", "text": text[:MOST_TEXT]}
        yield Block(value=text, view=view, place="output_problems")


def _block(value: Any, place: str) -> Block:
    if isinstance(value, Resource):
        kind = f" ({value.mime_type})" if value.mime_type else ""
        view = {**_of_resource(value), "from": f"{value.uri}{kind}"}
        return Block(value=value.value, view=view, place=f"{place}.value")
    return Block(value=value, view=view_of(value), place=place)


def _note(text: str) -> Block:
    return Block(value=text, view={"kind": "note", "text": text}, place="")


def _error(result: ToolResult) -> Block:
    error = result.error
    said = "\n".join(str(block) for block in result.content if isinstance(block, str))
    is_refused = isinstance(error, InvalidArguments)
    head = "Nothing was run: the arguments do not fit" if is_refused else "The tool failed"
    trace = "" if error is None or is_refused else own_traceback(error)
    text = error_text(error) if error is not None else said or "It does not say why."
    view = {"kind": "error", "head": head, "text": text[:MOST_TEXT], "trace": trace[-MOST_TEXT:]}
    return Block(value=text, view=view, place="text")


def view_of(value: Any) -> View:
    """What the page is told of one value, by the first kind that it is of.

    Examples
    --------
    >>> view_of("hi")
    {'kind': 'text', 'text': 'hi', 'more': 0, 'markdown': False}
    """
    for known, view in _KINDS:
        if isinstance(value, known):
            return _guarded(view, value)
    if _is_talk(value):
        said = [{"role": str(item["role"]), "view": view_of(item["content"])} for item in value]
        return {"kind": "messages", "said": said}
    table = table_of(value)
    if table is not None:
        names = list(table.columns[:MOST_COLUMNS])
        hidden = len(table.columns) - len(names)
        return {
            "kind": "table", "columns": names, "hidden": hidden, "count": len(table),
            "first": FIRST_ROWS,
        }  # fmt: skip
    if _has_own_view(value):
        return {"kind": "own", "text": bounded_repr(value)}
    if is_tree(value):
        return {"kind": "tree", "node": node_view(value)}
    return {"kind": "scalar", "text": bounded_repr(value, 2_000)}


def _is_talk(value: Any) -> bool:
    """Whether a value is a few messages, as prompts give them."""
    return (
        isinstance(value, list)
        and 0 < len(value) <= _MOST_BLOCKS
        and all(isinstance(item, dict) and list(item) == ["role", "content"] for item in value)
    )


def _guarded(view: Callable[[Any], View], value: Any) -> View:
    """A broken medium says so in its place instead of taking the panel with it."""
    try:
        return view(value)
    except (MediaError, OSError) as error:
        return {"kind": "note", "text": f"{value!r}: {error}"}


def _text(value: str) -> View:
    mime = value.mime_type.partition(";")[0] if isinstance(value, AgentText) else ""
    shown = str(value[:MOST_TEXT])
    more = len(value) - len(shown)
    return {"kind": "text", "text": shown, "more": more, "markdown": mime == "text/markdown"}


def _image(value: AgentImage) -> View:
    facts = {"width": value.width, "height": value.height, "mime": value.mime_type}
    return {"kind": "image", **facts, "note": value.shown().note}


def _audio(value: AgentAudio) -> View:
    if value._header is None:
        return {"kind": "audio", "facts": value.mime_type, "seconds": 0}
    channels = {1: "mono", 2: "stereo"}.get(value.channels, f"{value.channels} channels")
    facts = f"{value.duration_s:.2f} s, {value.samplerate / 1000:g} kHz, {channels}"
    return {"kind": "audio", "facts": facts, "seconds": value.duration_s}


def _video(value: AgentVideo) -> View:
    facts = f"{value.mime_type}, {value.size:,} bytes"
    return {"kind": "video", "facts": facts, "animation": value.mime_type == "image/gif"}


def _link(value: ResourceLink) -> View:
    title = value.title or value.name or value.uri
    return {"kind": "link", "title": title, "uri": value.uri, "about": value.description or ""}


def _of_resource(resource: Resource) -> View:
    """A page of HTML is shown as its source, and in a frame of its own when that is asked for."""
    is_page = str(resource.mime_type or "").startswith("text/html")
    if not (is_page and isinstance(resource.value, str)):
        return view_of(resource.value)
    app = _wishes(resource) if resource.uri.startswith("ui://") else None
    return {**_text(resource.value), "kind": "page", "app": app}


def _wishes(app: Resource) -> View:
    """What an app would like beyond its frame: hosts, which a person may allow, and rights."""
    own = app.meta.get("ui")
    asked = own if isinstance(own, Mapping) else {}
    csp = asked["csp"] if isinstance(asked.get("csp"), Mapping) else {}
    rights = asked["permissions"] if isinstance(asked.get("permissions"), Mapping) else {}
    load, connect = _hosts(csp.get("resourceDomains")), _hosts(csp.get("connectDomains"))
    return {"load": load, "connect": connect, "rights": [str(right) for right in rights][:20]}


def _hosts(asked: object) -> list[str]:
    """The sources that can stand in a page's policy (CSP 3, section 2.3.1), and can do no more."""
    named = asked if isinstance(asked, list) else []
    return [host for host in dict.fromkeys(map(str, named)) if _HOST.fullmatch(host)][:20]


def _bytes(value: bytes) -> View:
    return {"kind": "bytes", "text": f"{len(value):,} bytes of binary data"}


_KINDS: tuple[tuple[Any, Callable[[Any], View]], ...] = (
    (AgentImage, _image),
    (AgentAudio, _audio),
    (AgentVideo, _video),
    (ResourceLink, _link),
    (Resource, _of_resource),
    (str, _text),
    ((bytes, bytearray), _bytes),
)


def _has_own_view(value: Any) -> bool:
    """Whether an object of this process shows itself in notebooks, as figures and maps do."""
    known = ("_repr_html_", "_repr_mimebundle_", "_repr_svg_", "_repr_png_", "_repr_jpeg_")
    is_ours = isinstance(value, (type, AgentType))
    return not is_ours and any(callable(getattr(value, name, None)) for name in known)


def displayed(outputs: Iterable[Mapping[str, Any]]) -> list[Block]:
    """What a tool displayed while it ran: pictures as pictures, everything else as its text."""
    found = []
    for at, output in enumerate(outputs):
        data = output.get("data")
        if isinstance(data, Mapping):
            value = _picture(data) or AgentText(str(data.get("text/plain", "")))
            view = {**view_of(value), "from": "displayed while it ran"}
            found.append(Block(value=value, view=view, place=f"outputs[{at}]"))
    return found[-_MOST_BLOCKS:]


def _picture(data: Mapping[str, Any]) -> AgentImage | None:
    for mime in _PICTURES:
        if isinstance(data.get(mime), str):
            try:
                return AgentImage(base64.b64decode(data[mime]))
            except (MediaError, binascii.Error):
                return None
    return None
