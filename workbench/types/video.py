"""A video: its bytes, what they are, and a player."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from workbench.errors import MediaError, bounded_repr
from workbench.types.base import AgentType, player_bundle
from workbench.types.data_uri import encode_data_uri
from workbench.types.files import keep, write_atomically
from workbench.types.sniff import describe_bytes, extension, sniff
from workbench.types.source import Encoded, read

__all__ = ["AgentVideo"]

_ALSO_VIDEO = {"image/gif": "image/gif"}


class AgentVideo(AgentType):
    r"""An encoded video made from a path, bytes, a file object, a data URI or base64 text.

    Parameters
    ----------
    value : object
        As above, or an AgentVideo.

    Attributes
    ----------
    mime_type : str
        As the bytes have it.

    Raises
    ------
    MediaError
        If the value is no video, naming why.
    MediaNotFound
        If a path names no file.

    Examples
    --------
    >>> AgentVideo(b"\x00\x00\x00\x18ftypisom" + bytes(40)).mime_type
    'video/mp4'
    """

    media: ClassVar[str] = "video"

    def __init__(self, value: Any) -> None:
        encoded = value._encoded if isinstance(value, AgentVideo) else read(value, "video")
        if encoded is None:
            raise MediaError(
                f"no video: cannot make one of {type(value).__name__} {bounded_repr(value, 60)}; "
                "give a path, bytes, file, data URI or base64 text"
            )
        head = encoded.head()
        mime = sniff(head) or ""
        if not (mime.startswith("video/") or mime in _ALSO_VIDEO):
            where = f" in {encoded.path!r}" if encoded.path else ""
            raise MediaError(f"no video{where}: {describe_bytes(head)}")
        self._encoded: Encoded = encoded
        self._mime = mime

    @property
    def mime_type(self) -> str:
        """The media type of the bytes."""
        return self._mime

    @property
    def size(self) -> int:
        """How many bytes it has."""
        return self._encoded.size()

    def to_raw(self) -> bytes:
        """The encoded bytes."""
        return self._encoded.bytes()

    def to_bytes(self, format: str | None = None) -> bytes:  # noqa: A002  # the word Pillow uses
        """The encoded bytes; a video is never encoded anew.

        Raises
        ------
        MediaError
            If another format is asked for.
        """
        if format is not None and extension(format if "/" in format else f"video/{format}") != (
            extension(self._mime)
        ):
            raise MediaError(f"this video is {self._mime}; it cannot be had as {format!r}")
        return self._encoded.bytes()

    def to_string(self) -> str:
        """The path of a file with the video: the one it came from while that is unchanged."""
        if self._encoded.path and self._encoded.unchanged():
            return self._encoded.path
        return keep(self.to_bytes(), extension(self._mime))

    def save(self, path: Any) -> None:
        """Write the bytes to a path, whole or not at all."""
        write_atomically(Path(path), self.to_bytes())

    def __repr__(self) -> str:
        return f"<AgentVideo {self._mime}, {self._encoded.size():,} bytes>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, AgentVideo):
            return NotImplemented
        return self.to_bytes() == other.to_bytes()

    def __hash__(self) -> int:
        return hash(self.to_bytes())

    def __reduce__(self) -> Any:
        return AgentVideo, (self._encoded.bytes(),)

    def _wire(self) -> str:
        return encode_data_uri(self.to_bytes(), self._mime)

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> Any:
        return player_bundle(self, include, exclude)
