"""Which control a field gets, and why: what the author says, then the schema, then its name.

Names and descriptions only choose a control; what is sent is what is entered.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

__all__ = ["CONTROLS", "HINT", "fitting", "hinted", "number_control", "text_control"]

HINT = "x-workbench"
"""The keyword with which a schema asks for a control."""

_MEDIA = ("image", "audio", "video", "file")
_TEXT = (
    "line", "lines", "code", "secret", "date", "datetime", "time", "color", "email", "url",
    "path", "choices",
)  # fmt: skip
CONTROLS: dict[str, tuple[str, ...]] = {
    "string": (*_TEXT, *_MEDIA),
    "media": (*_MEDIA, "line"),
    "integer": ("number", "slider", "choices"),
    "number": ("number", "slider", "choices"),
    "choice": ("segments", "list", "search"),
    "array": ("items", "tags", "checks", "json"),
    "object": ("fields", "json"),
    "map": ("fields", "json"),
    "tuple": ("fields", "json"),
    "union": ("fields", "json"),
}
"""The controls that a kind of field can have."""

_BY_FORMAT = {
    "password": "secret", "date": "date", "date-time": "datetime", "time": "time",
    "color": "color", "email": "email", "uri": "url", "url": "url", "path": "path",
    "file-path": "path", "directory-path": "path", "json": "code",
}  # fmt: skip

_BY_NAME = {
    "secret": "password passwd passphrase secret api_?key access_?token auth_?token private_?key",
    "code": "code script html css sql query json yaml xml",
    "lines": "text prompt content contents body message markdown instructions note notes "
    "description source",
}
"""The last words of names, underscores between words, that ask for a control."""
_NAMES = [
    (control, re.compile(f"(^|_)({'|'.join(words.split())})$"))
    for control, words in _BY_NAME.items()
]
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ENCODED = re.compile(r"\bbase-?64\b", re.IGNORECASE)
_MEDIA_WORDS = (
    ("image", re.compile(r"image|picture|photo|screenshot|\bpng\b|\bjpe?g\b", re.IGNORECASE)),
    ("audio", re.compile(r"audio|sound|\bwav\b|\bmp3\b|recording", re.IGNORECASE)),
    ("video", re.compile(r"video|\bmp4\b", re.IGNORECASE)),
    ("file", re.compile(r"file|document|attachment|\bpdf\b|data|content", re.IGNORECASE)),
)


def hinted(schema: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the author says of the control: ``x-workbench``, as a mapping."""
    given = schema.get(HINT)
    if isinstance(given, str):
        return {"control": given}
    return given if isinstance(given, Mapping) else {}


def fitting(kind: str, control: Any) -> bool:
    """Whether a field of a kind can have a control."""
    return isinstance(control, str) and control in CONTROLS.get(kind, ())


def text_control(schema: Mapping[str, Any], name: str) -> tuple[str, str]:
    """The control for a text, and why.

    Examples
    --------
    >>> text_control({"format": "date"}, "day"), text_control({}, "apiKey")
    (('date', 'format date'), ('secret', 'its name'))
    """
    if schema.get("writeOnly") is True:
        return "secret", "writeOnly"
    by_format = _BY_FORMAT.get(str(schema.get("format", "")))
    if by_format:
        return by_format, f"format {schema['format']}"
    mime = str(schema.get("contentMediaType") or "")
    if mime:
        return ("lines", mime) if mime in ("text/plain", "text/markdown") else ("code", mime)
    most = schema.get("maxLength")
    if isinstance(most, int) and most <= 80:
        return "line", f"at most {most} characters"
    encoded = _encoded(schema, name)
    if encoded:
        return encoded, "its description"
    word = _CAMEL.sub("_", name).lower().replace("-", "_")
    named = next((control for control, words in _NAMES if words.search(word)), "")
    if named:
        return named, "its name"
    long = isinstance(most, int) and most > 200
    return ("lines", f"up to {most} characters") if long else ("line", "text")


def _encoded(schema: Mapping[str, Any], name: str) -> str:
    """The control for text that stands for bytes, as its description says."""
    about = f"{name} {schema.get('title') or ''} {schema.get('description') or ''}"
    if not _ENCODED.search(about.replace("_", " ")):
        return ""
    return next((control for control, words in _MEDIA_WORDS if words.search(about)), "")


_WIDEST = 10_000


def number_control(schema: Mapping[str, Any]) -> tuple[str, str]:
    """The control for a number, and why.

    Examples
    --------
    >>> number_control({"minimum": 0, "maximum": 10})
    ('slider', 'both ends are given')
    """
    low, high = schema.get("minimum"), schema.get("maximum")
    real = [n for n in (low, high) if isinstance(n, (int, float)) and not isinstance(n, bool)]
    near = len(real) == 2 and 0 < real[1] - real[0] <= _WIDEST
    return ("slider", "both ends are given") if near else ("", "number")
