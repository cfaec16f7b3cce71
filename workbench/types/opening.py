"""Opening encoded pictures: the header at once, the pixels when they are asked for."""

from __future__ import annotations

import contextlib
import re
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

from PIL import Image, ImageFile, UnidentifiedImageError

from workbench.errors import MediaError
from workbench.types.jpeg import jpeg_header
from workbench.types.png import without_broken_chunks
from workbench.types.sniff import describe_bytes, sniff
from workbench.types.source import Encoded

__all__ = ["MAX_PIXELS", "Header", "decode", "read_header", "svg_size"]

MAX_PIXELS = 89_478_485
"""Pixels beyond which a picture is taken for a decompression bomb (Pillow warns here too)."""

_ORIENTATION = 0x0112
_TURNS = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}
_ENDS = {
    "JPEG": b"\xff\xd9",
    "MPO": b"\xff\xd9",
    "PNG": b"IEND\xaeB`\x82",
    "GIF": b";",
}
_WITHOUT_ASKING = {"JPEG", "PNG", "WEBP", "GIF", "BMP"}
_EXIF = {"exif", "Raw profile type exif", "XML:com.adobe.xmp", "xmp"}
_patching = threading.Lock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """What is known of a picture before its pixels are decoded.

    Parameters
    ----------
    mode : str
        Pillow's mode.
    size : tuple of int
        Width and height in pixels, upright.
    info : dict
        Pillow's, with an Exif record that says the picture is upright.
    format : str or None
        Pillow's name of the format.
    turn : int
        The Exif orientation that still has to be undone, 1 to 8.
    n_frames : int
        Pictures in the file.
    """

    mode: str
    size: tuple[int, int]
    info: dict[Any, Any] = field(default_factory=dict)
    format: str | None = None
    turn: int = 1
    n_frames: int = 1
    palette: Any = None


@contextmanager
def _opened(encoded: Encoded, allow_large: bool) -> Iterator[ImageFile.ImageFile]:
    """Pillow's image, with what goes wrong in it as a MediaError."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        warnings.simplefilter("ignore", UserWarning)
        try:
            picture = _open(encoded, allow_large)
            with contextlib.closing(picture.fp or picture):
                yield picture
        except MediaError:
            raise
        except Image.DecompressionBombError as error:
            raise MediaError(f"no image: {_too_large(str(error))}") from error
        except Exception as error:  # decoders raise nearly everything on broken data
            raise MediaError(_broken(encoded, error)) from error


def _open(encoded: Encoded, allow_large: bool) -> ImageFile.ImageFile:
    if not allow_large:
        return _identified(encoded)
    with _patching:
        limit = Image.MAX_IMAGE_PIXELS
        Image.MAX_IMAGE_PIXELS = None
        try:
            return _identified(encoded)
        finally:
            Image.MAX_IMAGE_PIXELS = limit


def _identified(encoded: Encoded) -> ImageFile.ImageFile:
    try:
        return Image.open(encoded.open())
    except UnidentifiedImageError:
        if sniff(encoded.head()) != "image/png":
            raise
        return Image.open(BytesIO(without_broken_chunks(encoded.bytes())))


def _too_large(said: str) -> str:
    return f"{said}; if you trust the file, pass allow_large=True"


def _broken(encoded: Encoded, error: Exception) -> str:
    where = f" {encoded.path!r}" if encoded.path else ""
    head = encoded.head()
    if isinstance(error, UnidentifiedImageError):
        if sniff(head) == "image/heic":
            return f"no image{where}: HEIC needs a plugin; pip install pillow-heif and register it"
        if (sniff(head) or "").startswith("image/"):
            return f"the image{where} is truncated or broken: {describe_bytes(head)}"
        hint = "; raw pixels need an array with their shape" if sniff(head) is None else ""
        return f"no image{where}: {describe_bytes(head)}{hint}"
    cause = "truncated or broken"
    return f"the image{where} is {cause}: {type(error).__name__}: {error}"


def read_header(encoded: Encoded, allow_large: bool = False) -> Header:
    """Read size, mode and metadata; pixels only where the file seems cut short.

    Raises
    ------
    MediaError
        If it is no picture, is broken, or is larger than `MAX_PIXELS`.
    """
    quick = jpeg_header(encoded)
    if quick is not None and quick.width * quick.height <= MAX_PIXELS:
        return _header(quick)
    with _opened(encoded, allow_large) as picture:
        width, height = picture.size
        if width * height > MAX_PIXELS and not allow_large:
            raise MediaError(
                f"no image: {width} x {height} pixels are more than {MAX_PIXELS:,}; "
                "if you trust the file, pass allow_large=True"
            )
        header = _header(picture)
        if not _complete(picture, encoded):
            picture.load()
    return header


def _header(picture: ImageFile.ImageFile) -> Header:
    width, height = picture.size
    turn = _turn(picture)
    return Header(
        mode=picture.mode,
        size=(height, width) if turn >= 5 else (width, height),
        info=_upright_info(picture, turn),
        format=picture.format,
        turn=turn,
        n_frames=_frames(picture),
        palette=picture.palette,
    )


def _frames(picture: ImageFile.ImageFile) -> int:
    if picture.format not in ("GIF", "WEBP", "PNG", "TIFF", "MPO", "AVIF", "ICO"):
        return 1
    return int(getattr(picture, "n_frames", 1))


def _turn(picture: Image.Image) -> int:
    if picture.format in _WITHOUT_ASKING and not _EXIF.intersection(picture.info):
        return 1  # of a PNG, asking would decode all pixels to look for a record behind them
    turn = picture.getexif().get(_ORIENTATION, 1)
    return turn if turn in _TURNS else 1


def _upright_info(picture: Image.Image, turn: int) -> dict[Any, Any]:
    info = dict(picture.info)
    if turn == 1:
        return info
    exif = picture.getexif()
    exif.pop(_ORIENTATION, None)
    for key in ("XML:com.adobe.xmp", "xmp", "Raw profile type exif"):
        info.pop(key, None)
    info["exif"] = exif.tobytes() if len(exif) else b""
    return info if info["exif"] else {k: v for k, v in info.items() if k != "exif"}


def _complete(picture: ImageFile.ImageFile, encoded: Encoded) -> bool:
    """Whether the file reaches to the end that its format asks for; where it is unclear, False."""
    if picture.format == "WEBP":
        return encoded.size() >= int.from_bytes(encoded.head()[4:8], "little") + 8
    if picture.format not in _ENDS:
        return all(end <= encoded.size() for end in _ends_of_data(picture))
    end, file = _ENDS[str(picture.format)], picture.fp
    if file is None:
        return False
    here = file.tell()
    size = file.seek(0, 2)
    file.seek(max(0, size - 4096))
    tail = file.read()
    file.seek(here)
    return tail.rstrip(b"\0\r\n").endswith(end) if picture.format == "GIF" else end in tail


def _ends_of_data(picture: ImageFile.ImageFile) -> list[int]:
    """Where the pixel data ends, in bytes; infinitely far where only decoding could tell."""
    tags = getattr(picture, "tag_v2", {})
    starts, sizes = tags.get(273) or tags.get(324), tags.get(279) or tags.get(325)
    if starts and sizes and len(starts) == len(sizes):  # TIFF 6.0: strips and tiles
        return [start + size for start, size in zip(starts, sizes, strict=True)]
    return [sys.maxsize]


def decode(encoded: Encoded, turn: int, allow_large: bool) -> Image.Image:
    """Decode the pixels of the first picture, upright.

    Raises
    ------
    MediaError
        If the data is truncated or broken.
    """
    with _opened(encoded, allow_large) as picture:
        picture.load()
        return picture.transpose(_TURNS[turn]) if turn in _TURNS else picture.copy()


def turned(picture: Image.Image) -> Image.Image:
    """A picture in memory, upright, without the Exif orientation that said it was not."""
    turn = _turn(picture)
    if turn == 1:
        return picture
    upright = picture.transpose(_TURNS[turn])
    upright.info = _upright_info(picture, turn)
    return upright


_LENGTH = re.compile(r"\s*([0-9.]+)\s*(px|pt|mm|cm|in|)\s*\Z")
_UNITS = {"px": 1.0, "": 1.0, "pt": 4 / 3, "mm": 96 / 25.4, "cm": 96 / 2.54, "in": 96.0}


def svg_size(data: bytes) -> tuple[int, int]:
    """Width and height of an SVG in CSS pixels; 300 by 150 by default (CSS 2.1, 10.3.2)."""
    tag = re.search(r"<svg\b[^>]*>", data[:65_536].decode("utf-8", "replace"), re.I | re.S)
    text = tag.group(0) if tag else ""
    sides = [_length(text, "width"), _length(text, "height")]
    box = re.search(r"viewBox\s*=\s*[\"']\s*([-0-9.eE,\s]+)[\"']", text)
    numbers = re.split(r"[\s,]+", box.group(1).strip()) if box else []
    if len(numbers) == 4:
        sides = [side or _number(n) for side, n in zip(sides, numbers[2:], strict=True)]
    return round(sides[0] or 300) or 1, round(sides[1] or 150) or 1


def _length(tag: str, name: str) -> float | None:
    found = re.search(rf"\b{name}\s*=\s*[\"']([^\"']*)[\"']", tag)
    match = _LENGTH.match(found.group(1)) if found else None
    number = _number(match.group(1)) if match else None
    return number * _UNITS[match.group(2)] if match and number is not None else None


def _number(text: str) -> float | None:
    try:
        value = float(text)
    except ValueError:
        return None
    return value if 0 < value < 1e6 else None
