"""The header of a JPEG, read at once: the common case of opening, at the cost of little more."""

from __future__ import annotations

import os
import struct
from io import BytesIO

from PIL.JpegImagePlugin import JpegImageFile

from workbench.types.source import Encoded

__all__ = ["jpeg_header"]

_START = b"\xff\xd8\xff"
_END = b"\xff\xd9"
_BROKEN = (ArithmeticError, LookupError, OSError, SyntaxError, TypeError, ValueError, struct.error)
_HEAD = 16_384
_TAIL = 4096


def jpeg_header(encoded: Encoded) -> JpegImageFile | None:
    """Pillow's image of a JPEG that is whole and has an ordinary header.

    It is made of the file's first bytes and cannot be decoded. Pillow's general way of opening
    asks each format in turn and warns; here neither is needed.

    Returns
    -------
    JpegImageFile or None
        None for all else, which includes JPEGs that are cut short, of several pictures, or
        with metadata before the size that is longer than 16 kB.
    """
    ends = _ends(encoded)
    if ends is None or ends[0][:3] != _START or ends[1].rfind(_END) < 0:
        return None
    try:
        picture = JpegImageFile(BytesIO(ends[0]))
    except _BROKEN:  # the general way of opening says what is wrong
        return None
    return None if "mp" in picture.info else picture


def _ends(encoded: Encoded) -> tuple[bytes, bytes] | None:
    """The first and the last bytes."""
    if encoded.data is not None:
        return encoded.data[:_HEAD], encoded.data[-_TAIL:]
    assert encoded.path is not None
    try:
        file = os.open(encoded.path, os.O_RDONLY | getattr(os, "O_BINARY", 0))
    except OSError:
        return None
    try:
        head = os.read(file, _HEAD)
        os.lseek(file, max(0, os.fstat(file).st_size - _TAIL), os.SEEK_SET)
        return head, os.read(file, _TAIL)
    finally:
        os.close(file)
