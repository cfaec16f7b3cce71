"""Pictures as bytes: for files, for a page, within bounds."""

from __future__ import annotations

from dataclasses import dataclass
from io import BytesIO
from typing import Any

from PIL import Image

from workbench.errors import MediaError
from workbench.types.pixels import flattened, has_alpha, shown_mode

__all__ = ["MOST_SHOWN", "Shown", "encode", "format_named", "mime_of", "shown"]

MOST_SHOWN = 4_500_000
"""Bytes of one medium that go into a notebook; base64 makes a third more of them."""
PREVIEW_SIDE = 2048
"""Pixels of the longest side of a preview."""
_WORTH_LOSSY = 1_000_000

_MIMES = {
    "PNG": "image/png",
    "JPEG": "image/jpeg",
    "GIF": "image/gif",
    "WEBP": "image/webp",
    "BMP": "image/bmp",
    "TIFF": "image/tiff",
    "AVIF": "image/avif",
    "ICO": "image/x-icon",
}
_MIMES["MPO"] = "image/jpeg"
_FLAT = {"JPEG", "BMP"}
_MODES = {
    "PNG": {"1", "L", "LA", "P", "RGB", "RGBA", "I;16"},
    "JPEG": {"L", "RGB", "CMYK"},
    "GIF": {"1", "L", "P", "RGB", "RGBA"},
    "WEBP": {"RGB", "RGBA"},
    "BMP": {"1", "L", "P", "RGB"},
    "AVIF": {"RGB", "RGBA"},
}
_MOST_SIDE = {"JPEG": 65_500, "WEBP": 16_383}


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """What of a picture goes into a page.

    Parameters
    ----------
    data : bytes
        Encoded.
    mime : str
        What the bytes are.
    size : tuple of int
        Width and height in pixels of what is shown.
    note : str
        Empty, or that this is a preview, and how to get the original.
    """

    data: bytes
    mime: str
    size: tuple[int, int]
    note: str = ""


def mime_of(kind: str | None) -> str | None:
    """The media type of one of Pillow's formats: our spelling of it, else Pillow's."""
    return _MIMES.get(kind or "") or Image.MIME.get(kind or "")


def format_named(name: str) -> str:
    """Pillow's name of a format, from its name, extension or media type.

    Raises
    ------
    MediaError
        If pictures cannot be written in it.

    Examples
    --------
    >>> format_named("image/jpg"), format_named(".webp")
    ('JPEG', 'WEBP')
    """
    word = name.rpartition("/")[2].lstrip(".").upper()
    known = {"JPG": "JPEG", "JPE": "JPEG", "TIF": "TIFF", "X-ICON": "ICO"}.get(word, word)
    Image.init()
    if known not in Image.SAVE:
        raise MediaError(f"cannot write pictures as {name!r}; PNG, JPEG, WEBP and GIF are usual")
    return known


def fit(picture: Image.Image, kind: str) -> Image.Image:
    """The picture in a mode that the format has; alpha is laid on white where it has none."""
    side = max(picture.size)
    if side > _MOST_SIDE.get(kind, side):
        raise MediaError(f"{kind} cannot be {side} pixels long; PNG can")
    if picture.mode in _MODES.get(kind, {picture.mode}) and not (
        kind in _FLAT and has_alpha(picture)
    ):
        return picture
    if kind in _FLAT:
        return flattened(picture)
    seen = shown_mode(picture)
    if seen.mode in _MODES.get(kind, {seen.mode}):
        return seen
    return seen.convert("RGBA" if has_alpha(seen) else "RGB")


def encode(picture: Image.Image, kind: str, **options: Any) -> bytes:
    """Encode a picture in a format, converted as little as the format needs.

    Raises
    ------
    MediaError
        If the format cannot hold it.
    """
    file = BytesIO()
    try:
        Image.Image.save(fit(picture, kind), file, kind, **options)
    except (OSError, ValueError, KeyError, SystemError) as error:
        raise MediaError(
            f"a picture of mode {picture.mode}, {picture.width} x {picture.height}, cannot be "
            f"written as {kind}: {error}"
        ) from error
    return file.getvalue()


def shown(picture: Image.Image) -> Shown:
    """Encode a picture for a page: lossless while that is small, else lossy, else a preview."""
    width, height = picture.size
    small = picture
    if max(width, height) > PREVIEW_SIDE:
        small = _preview(picture)
    seen = shown_mode(small)
    data, mime = _encoded(seen)
    note = ""
    if small is not picture:
        note = (
            f"preview {seen.width} x {seen.height} of {width} x {height}; "
            ".save(path) writes the original"
        )
    return Shown(data=data, mime=mime, size=seen.size, note=note)


def _encoded(seen: Image.Image) -> tuple[bytes, str]:
    data = encode(seen, "PNG", compress_level=1 if seen.width * seen.height > 500_000 else 6)
    if len(data) < _WORTH_LOSSY:
        return data, "image/png"
    if has_alpha(seen):
        lossy, mime = encode(seen, "WEBP", quality=85, method=0), "image/webp"
    else:
        lossy, mime = encode(seen, "JPEG", quality=90), "image/jpeg"
    return (
        (lossy, mime)
        if len(lossy) < len(data) / 3 or len(data) > MOST_SHOWN
        else (data, "image/png")
    )


def _preview(picture: Image.Image) -> Image.Image:
    seen = shown_mode(picture)
    if seen.mode in ("1", "P"):
        seen = seen.convert("RGBA" if has_alpha(seen) else "L" if seen.mode == "1" else "RGB")
    scale = PREVIEW_SIDE / max(seen.size)
    size = (max(1, round(seen.width * scale)), max(1, round(seen.height * scale)))
    return seen.resize(size, Image.Resampling.BILINEAR, reducing_gap=2.0)
