"""Data URIs (RFC 2397) and base64 (RFC 4648), read strictly."""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes

from workbench.errors import MediaError, bounded_repr

__all__ = ["DataURI", "decode_base64", "encode_data_uri", "parse_data_uri"]

_ALPHABET = re.compile(r"[A-Za-z0-9+/_-]*={0,2}\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class DataURI:
    """A data URI taken apart.

    Parameters
    ----------
    mime : str
        The media type, without parameters; "text/plain" where none is given.
    parameters : tuple of (str, str)
        Its parameters, in order.
    data : bytes
        What it holds.

    Examples
    --------
    >>> parse_data_uri("data:;base64,aGk=").data
    b'hi'
    """

    mime: str
    parameters: tuple[tuple[str, str], ...]
    data: bytes

    @property
    def full_type(self) -> str:
        """The media type with its parameters."""
        return ";".join([self.mime, *(f"{name}={value}" for name, value in self.parameters)])


def parse_data_uri(text: str) -> DataURI:
    """Take a data URI apart (RFC 2397).

    Raises
    ------
    MediaError
        If it has no comma, or its base64 is broken.

    Examples
    --------
    >>> parse_data_uri("data:image/svg+xml;utf8,%3Csvg/%3E").mime
    'image/svg+xml'
    """
    head, comma, body = text[5:].partition(",")
    if not comma:
        raise MediaError(f"a data URI needs a comma before its data: {bounded_repr(text, 80)}")
    mime, *rest = (part.strip() for part in head.split(";"))
    is_base64 = bool(rest) and rest[-1].lower() == "base64"
    pairs = [part.partition("=") for part in (rest[:-1] if is_base64 else rest)]
    parameters = tuple((name.lower(), value) for name, equals, value in pairs if equals)
    data = decode_base64(unquote_to_bytes(body).decode("latin-1")) if is_base64 else None
    return DataURI(
        mime=mime.lower() or "text/plain",
        parameters=parameters,
        data=unquote_to_bytes(body) if data is None else data,
    )


def decode_base64(text: str) -> bytes:
    r"""Decode base64 in either alphabet, with or without padding and line breaks; else refuse.

    Raises
    ------
    MediaError
        Naming the first character that does not belong.

    Examples
    --------
    >>> decode_base64("aG\nk")
    b'hi'
    """
    packed = "".join(text.split())
    if not _ALPHABET.match(packed):
        wrong = next((c for c in packed.rstrip("=") if not _ALPHABET.match(c) or c == "="), "=")
        raise MediaError(f"not base64: it has the character {wrong!r}")
    bare = packed.rstrip("=").replace("-", "+").replace("_", "/")
    if len(bare) % 4 == 1:
        raise MediaError(f"not base64: {len(bare)} characters cannot be whole bytes")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True)
    except binascii.Error as error:
        raise MediaError(f"not base64: {error}") from error


def encode_data_uri(data: bytes, mime: str) -> str:
    """Write bytes as a base64 data URI.

    Examples
    --------
    >>> encode_data_uri(b"hi", "text/plain")
    'data:text/plain;base64,aGk='
    """
    return f"data:{mime};base64,{base64.b64encode(data).decode('ascii')}"
