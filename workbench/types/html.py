"""Agent values as HTML that also lives in untrusted notebooks: no script, nothing fetched.

Sanitisers of notebook pages drop ``<source>`` children, so the address is on the tag itself.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any

from workbench.errors import MediaError
from workbench.types.audio import AgentAudio
from workbench.types.data_uri import encode_data_uri
from workbench.types.encoding import MOST_SHOWN
from workbench.types.image import AgentImage
from workbench.types.sniff import extension
from workbench.types.text import AgentText
from workbench.types.video import AgentVideo

__all__ = ["media_html", "thumbnails_html"]

_DOWNLOAD = 1_400_000
"""Characters up to which a download link repeats the data that the player already has."""
_FACTS = "opacity:.75;font-size:.9em"
_PRE = "white-space:pre-wrap;overflow-wrap:anywhere;margin:0;max-height:30em;overflow:auto"


def media_html(value: Any) -> str:
    """One agent value as a safe, bounded piece of HTML.

    Examples
    --------
    >>> media_html(AgentText("<b>")).endswith(">&lt;b&gt;</pre>")
    True
    """
    if isinstance(value, AgentText):
        return _text(value)
    if isinstance(value, AgentImage):
        return _guarded(_image, value)
    if isinstance(value, AgentAudio):
        return _guarded(_audio, value)
    return _guarded(_video, value)


def _guarded(draw: Any, value: Any) -> str:
    """A broken medium says so in its place instead of taking the page with it."""
    try:
        return str(draw(value))
    except (MediaError, OSError) as error:
        return f"<p>{html.escape(f'{value!r}: {error}')}</p>"


def _text(value: AgentText) -> str:
    text = value.to_raw()
    cut = 50_000
    more = f"\n... {len(text) - cut:,} more characters" if len(text) > cut else ""
    return f'<pre style="{_PRE}">{html.escape(text[:cut])}{more}</pre>'


def _image(value: AgentImage, limit: str = "max-width:100%") -> str:
    seen = value.shown()
    width, height = seen.size
    alt = html.escape(repr(value).strip("<>"))
    tag = (
        f'<img alt="{alt}" width="{width}" height="{height}" style="{limit};height:auto" '
        f'src="{encode_data_uri(seen.data, seen.mime)}">'
    )
    note = f'<div style="{_FACTS}">{html.escape(seen.note)}</div>' if seen.note else ""
    return tag + note


def _facts(value: AgentAudio) -> str:
    kind = {1: "mono", 2: "stereo"}.get(value.channels, f"{value.channels} channels")
    return f"{value.duration_s:.2f} s, {value.samplerate / 1000:g} kHz, {kind}"


def _download(uri: str, mime: str) -> str:
    if len(uri) > _DOWNLOAD:
        return ""
    name = f"sound{extension(mime)}"
    return f' · <a download="{name}" href="{uri}">download {name}</a>'


def _audio(value: AgentAudio) -> str:
    data, mime, note = value.shown() if value._header is not None else _unread(value)
    facts = _facts(value) if value._header is not None else value.mime_type
    said = html.escape(f"{facts}{f' ({note})' if note else ''}")
    uri = encode_data_uri(data, mime)
    return (
        f'<div><audio controls preload="metadata" aria-label="{said}" src="{uri}"></audio>'
        f'<div style="{_FACTS}">{said}{_download(uri, mime)}</div></div>'
    )


def _unread(value: AgentAudio) -> tuple[bytes, str, str]:
    """A format that only the browser may know: its bytes, if they are few enough."""
    data = value.to_bytes()
    if len(data) > MOST_SHOWN:
        raise MediaError(f"{len(data):,} bytes are too many to show; .save(path) writes them")
    return data, value.mime_type, ""


def _video(value: AgentVideo) -> str:
    if value.size > 2 * MOST_SHOWN:
        raise MediaError(f"{value.size:,} bytes are too many to show; .save(path) writes them")
    source = encode_data_uri(value.to_bytes(), value.mime_type)
    said = html.escape(f"{value.mime_type}, {value.size:,} bytes")
    if value.mime_type == "image/gif":
        return f'<img alt="{said}" style="max-width:100%" src="{source}">'
    return (
        f'<div><video controls preload="metadata" aria-label="{said}" '
        f'style="max-width:100%;max-height:30em" src="{source}"></video>'
        f'<div style="{_FACTS}">{said}</div></div>'
    )


def thumbnails_html(values: Iterable[AgentImage]) -> str:
    """Several pictures in one row that wraps."""
    cells = "".join(
        f'<figure style="margin:0">{_guarded(_thumbnail, value)}'
        f'<figcaption style="{_FACTS}">{value.width} × {value.height}</figcaption></figure>'
        for value in values
    )
    return f'<div style="display:flex;flex-wrap:wrap;gap:.6em;align-items:flex-end">{cells}</div>'


def _thumbnail(value: AgentImage) -> str:
    return _image(value, "max-width:100%;max-height:16em;width:auto")
