"""PNG files with a broken record beside the picture, as some servers send them.

Ancillary chunks (PNG specification, section 4.7.1) do not change the pixels; browsers leave out
those whose checksum is wrong, and so do we.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator

__all__ = ["without_broken_chunks"]

_SIGNATURE = 8


def without_broken_chunks(data: bytes) -> bytes:
    r"""The same PNG without ancillary chunks whose checksum is wrong; critical ones all stay.

    Examples
    --------
    >>> head = b"\x89PNG\r\n\x1a\n"
    >>> without_broken_chunks(head + bytes(3) + b"\x00tEXt" + bytes(4)) == head
    True
    """
    return data[:_SIGNATURE] + b"".join(chunk for chunk in _chunks(data) if _is_sound(chunk))


def _chunks(data: bytes) -> Iterator[bytes]:
    at = _SIGNATURE
    while at + 12 <= len(data):
        end = at + 12 + struct.unpack(">I", data[at : at + 4])[0]
        yield data[at:end]
        at = end


def _is_sound(chunk: bytes) -> bool:
    is_critical = not chunk[4] & 0x20
    checksum: int = struct.unpack(">I", chunk[-4:])[0]
    return is_critical or checksum == zlib.crc32(chunk[4:-4])
