"""Getting at encoded bytes, from whatever a person has: a path, bytes, a file, text."""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from workbench.errors import MediaError, MediaNotFound, bounded_repr
from workbench.types.data_uri import decode_base64, parse_data_uri

__all__ = ["Encoded", "read"]

_MOST_PATH = 4096
_HEAD = 65_536


@dataclass(frozen=True, slots=True)
class Encoded:
    """An encoded file: its bytes, or where they are on disk.

    Parameters
    ----------
    data : bytes or None
        The bytes; None while they are only on disk.
    path : str or None
        The file they came from.
    label : str
        The media type that came along, with parameters; not to be believed.

    Examples
    --------
    >>> Encoded(b"abc").bytes()
    b'abc'
    """

    data: bytes | None = None
    path: str | None = None
    label: str = ""
    _stamp: tuple[int, int] | None = field(default=None)

    def head(self) -> bytes:
        """The first 64 kB."""
        if self.data is not None:
            return self.data[:_HEAD]
        with Path(self._checked()).open("rb") as file:
            return file.read(_HEAD)

    def tail(self, size: int = 4096) -> bytes:
        """The last bytes."""
        if self.data is not None:
            return self.data[-size:]
        with Path(self._checked()).open("rb") as file:
            file.seek(0, os.SEEK_END)
            file.seek(max(0, file.tell() - size))
            return file.read()

    def size(self) -> int:
        """The number of bytes."""
        return len(self.data) if self.data is not None else Path(self._checked()).stat().st_size

    def bytes(self) -> bytes:
        """All the bytes; a file is read each time, and must not have changed."""
        return self.data if self.data is not None else Path(self._checked()).read_bytes()

    def file(self) -> Any:
        """What libraries open: the path, or the bytes as a file object."""
        return BytesIO(self.data) if self.data is not None else self._checked()

    def open(self) -> BinaryIO:
        """The bytes as a file object, positioned at their start; to be closed by the caller."""
        if self.data is not None:
            return BytesIO(self.data)
        assert self.path is not None
        return Path(self.path).open("rb")

    def unchanged(self) -> bool:
        """Whether the file on disk, if that is where it is, is still the one that was read."""
        return self.path is None or _stamp_of(self.path) == self._stamp

    def _checked(self) -> str:
        assert self.path is not None
        if not self.unchanged():
            raise MediaError(f"the file {self.path!r} was changed or removed after it was opened")
        return self.path


def _stamp_of(path: str) -> tuple[int, int] | None:
    try:
        status = os.stat(path)  # noqa: PTH116  # asked for every picture, and faster than Path
    except (OSError, ValueError):
        return None
    return status.st_mtime_ns, status.st_size


def read(value: Any, what: str) -> Encoded | None:
    """Find the encoded bytes behind a value.

    Parameters
    ----------
    value : object
        A path, bytes-like, a file object, a data URI or base64 text.
    what : str
        "image", "audio" or "video", for messages.

    Returns
    -------
    Encoded or None
        None where the value is none of these.

    Raises
    ------
    MediaNotFound
        If a path names no file.
    MediaError
        If the text is neither path nor data, or there are no bytes.
    """
    if isinstance(value, (bytes, bytearray, memoryview)):
        return _nonempty(Encoded(bytes(value)), what)
    if isinstance(value, str):
        return _from_text(value, what)
    if isinstance(value, os.PathLike):
        return _from_path(os.fsdecode(os.fspath(value)), what)
    if callable(getattr(value, "read", None)):
        return _from_file(value, what)
    return None


def _nonempty(encoded: Encoded, what: str) -> Encoded:
    if encoded.size() == 0:
        where = f" in {encoded.path!r}" if encoded.path else ""
        raise MediaError(f"no {what}{where}: it is empty (0 bytes)")
    return encoded


def _from_file(file: Any, what: str) -> Encoded:
    data = file.read()
    if not isinstance(data, (bytes, bytearray)):
        raise MediaError(f"open the file for {what} in binary mode: read() gave text")
    return _nonempty(Encoded(bytes(data)), what)


def _from_path(path: str, what: str) -> Encoded:
    try:
        status = os.stat(path)  # noqa: PTH116  # asked for every picture, and faster than Path
    except (OSError, ValueError):
        raise MediaNotFound(f"no {what}: there is no file {bounded_repr(path)}") from None
    if not stat.S_ISREG(status.st_mode):
        raise MediaError(f"no {what}: {bounded_repr(path)} is not a file")
    if status.st_size == 0:
        raise MediaError(f"no {what} in {path!r}: it is empty (0 bytes)")
    return Encoded(path=path, _stamp=(status.st_mtime_ns, status.st_size))


def _from_text(text: str, what: str) -> Encoded:
    if text[:5].lower() == "data:":
        uri = parse_data_uri(text)
        return _nonempty(Encoded(uri.data, label=uri.full_type), what)
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]+)://", text)
    if scheme:
        hint = f"use from_url({bounded_repr(text, 80)}), which fetches it"
        raise MediaError(f"an address is not fetched unasked; {hint}")
    if _may_be_path(text):
        return _from_path(text, what)
    return _nonempty(Encoded(_base64(text, what)), what)


def _may_be_path(text: str) -> bool:
    """Whether text is to be taken for a path: it names a file, or could not be anything else."""
    if len(text) > _MOST_PATH or "\n" in text or "\0" in text:
        return False
    try:
        exists = Path(text).exists()
    except (OSError, ValueError):
        exists = False
    looks = re.search(r"\.\w{1,5}\Z|\A[./~]|\\", text) is not None and len(text) < 1024
    return exists or looks


def _base64(text: str, what: str) -> bytes:
    try:
        return decode_base64(text)
    except MediaError as error:
        kind = MediaNotFound if len(text) < 256 and "\n" not in text else MediaError
        raise kind(
            f"no {what}: the text {bounded_repr(text, 60)} is no existing path, no data URI and "
            f"no base64 ({error})"
        ) from error
