"""A picture that is a PIL image, keeps the bytes it came from, and shows itself."""

from __future__ import annotations

import base64
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from PIL import Image

from workbench.errors import MediaError, bounded_repr
from workbench.types.base import AgentType, chosen
from workbench.types.data_uri import encode_data_uri
from workbench.types.encoding import MOST_SHOWN, Shown, encode, format_named, mime_of, shown
from workbench.types.files import keep, write_atomically
from workbench.types.opening import Header, decode, read_header, svg_size, turned
from workbench.types.pixels import from_array, from_figure, is_figure, is_tensor, tensor_array
from workbench.types.sniff import extension, sniff
from workbench.types.source import Encoded, read

__all__ = ["AgentImage"]

_KEPT = {"image/png", "image/jpeg", "image/gif", "image/webp"}
"""Formats whose own bytes go into a notebook."""


class AgentImage(AgentType, Image.Image):
    """A ``PIL.Image.Image`` made from anything that holds a picture.

    Parameters
    ----------
    value : object
        A PIL image, path, bytes-like, binary file object, data URI, base64 text, ndarray of
        shape (H, W) or (H, W, 1|3|4) in uint8, uint16, bool or float in [0, 1], torch tensor
        (CHW, NCHW of one, HWC), matplotlib figure, or AgentImage.
    allow_large : bool
        Take pictures of more pixels than ``workbench.types.opening.MAX_PIXELS``.

    Attributes
    ----------
    mime_type : str
        As the bytes have it; "image/png" for a picture without bytes.
    n_frames : int
        Pictures in the file; the value is the first.

    Raises
    ------
    MediaError
        If the value is no picture, naming why.
    MediaNotFound
        If a path names no file.

    Examples
    --------
    >>> picture = AgentImage(np.zeros((2, 3), np.uint8))
    >>> picture.size, picture.resize((6, 4)).size, picture.to_string()[-4:]
    ((3, 2), (6, 4), '.png')
    """

    media: ClassVar[str] = "image"

    def __init__(self, value: Any, *, allow_large: bool = False) -> None:
        Image.Image.__init__(self)
        self._encoded: Encoded | None = None
        self._pending: Encoded | None = None
        self._svg: bytes | None = None
        self._mime = "image/png"
        self._allow_large = allow_large
        self._turn_to_undo = 1
        self._n_frames = 1
        self.format: str | None = None
        self._fill(value)

    def _fill(self, value: Any) -> None:
        if isinstance(value, AgentImage):
            self._share(value)
        elif isinstance(value, Image.Image):
            self._adopt(_loaded(value))
        elif is_figure(value):
            self._open(Encoded(from_figure(value)))
        elif is_tensor(value):
            self._adopt(from_array(tensor_array(value), tensor=True))
        elif isinstance(value, np.ndarray):
            self._adopt(from_array(value))
        else:
            encoded = read(value, "image")
            if encoded is None:
                raise MediaError(
                    f"no image: cannot make it of {type(value).__name__} "
                    f"{bounded_repr(value, 60)}; give a PIL image, path, bytes, file, data URI, "
                    "base64 text or array"
                )
            self._open(encoded)

    def _share(self, other: AgentImage) -> None:
        """Take over another picture; whichever of the two is edited first gets its own pixels."""
        for name in ("_encoded", "_svg", "_mime", "_pending", "_turn_to_undo", "_n_frames"):
            setattr(self, name, getattr(other, name))
        self._mode, self._size = other._mode, other._size
        self._im = other._im.copy() if other._im is not None else None
        self.info, self.palette, self.format = dict(other.info), other.palette, other.format
        self.readonly = 1

    def _adopt(self, picture: Image.Image) -> None:
        """Take pixels of our own."""
        if 0 in picture.size:
            raise MediaError(f"no image: empty image, {picture.width} x {picture.height} pixels")
        self._im, self._mode, self._size = picture.im, picture.mode, picture.size
        self.palette, self.info = picture.palette, dict(picture.info)

    def _open(self, encoded: Encoded) -> None:
        try:
            header = read_header(encoded, self._allow_large)
        except MediaError:
            if sniff(encoded.head()) != "image/svg+xml":
                raise
            self._svg, self._mime = encoded.bytes(), "image/svg+xml"
            self._mode, self._size, self._encoded = "RGBA", svg_size(self._svg), encoded
            return
        self._mime = mime_of(header.format) or sniff(encoded.head()) or "image/unknown"
        self._encoded = self._pending = encoded
        self._from_header(header)

    def _from_header(self, header: Header) -> None:
        self._mode, self._size, self.info = header.mode, header.size, header.info
        self.palette, self.format = header.palette, header.format
        self._turn_to_undo, self._n_frames = header.turn, header.n_frames
        self.readonly = 1

    # Being a PIL image

    @property
    def im(self) -> Any:
        """The pixels, decoded when first asked for."""
        if self._im is None:
            self.load()
        return Image.Image.im.fget(self)  # type: ignore[attr-defined]  # a property of Pillow's

    @im.setter
    def im(self, pixels: Any) -> None:
        self._forget()
        self._im = pixels

    def load(self) -> Any:
        """Decode the pixels if that has not been done.

        Raises
        ------
        MediaError
            If the data is truncated or broken, or the picture is an SVG, which has no pixels.
        """
        if self._svg is not None:
            raise MediaError(
                "an SVG has no pixels until something draws it; its source is in to_bytes()"
            )
        if self._im is None and self._pending is not None:
            picture = decode(self._pending, self._turn_to_undo, self._allow_large)
            self._im, self._mode, self._size = picture.im, picture.mode, picture.size
            self.palette, self._pending = picture.palette, None
        access = Image.Image.load(self)
        return access if access is None or not self.readonly else _Pixels(self)

    def putpalette(self, data: Any, rawmode: str = "RGB") -> None:
        """Attach a palette, as Pillow does."""
        self._ensure_mutable()
        self._forget()
        super().putpalette(data, rawmode)

    def _forget(self) -> None:
        """The pixels change: the bytes and the file they came from no longer hold them."""
        if self._encoded is not None or self._pending is not None:
            self._encoded = self._pending = None
            self._mime, self._n_frames = "image/png", 1
            self.format = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Image.Image):
            return NotImplemented
        if isinstance(other, AgentImage) and (self._svg or other._svg):
            return self._svg == other._svg
        return (
            self.mode == other.mode
            and self.size == other.size
            and self.getpalette() == other.getpalette()
            and self.tobytes() == other.tobytes()
        )

    __hash__ = None  # type: ignore[assignment]  # it can be edited

    def copy(self) -> Any:
        """A copy with pixels of its own, still an AgentImage."""
        return AgentImage(self, allow_large=self._allow_large)

    __copy__ = copy

    def __deepcopy__(self, memo: dict[int, Any]) -> AgentImage:
        return self.copy()  # type: ignore[no-any-return]  # it is one

    def __reduce__(self) -> Any:
        if self._encoded is not None:
            return _from_pickle, (self._encoded.bytes(), None)
        return _from_pickle, (None, Image.Image.__getstate__(self))

    def __getstate__(self) -> Any:
        return Image.Image.__getstate__(self)

    @property
    def n_frames(self) -> int:
        """Pictures in the file that this is the first of."""
        return self._n_frames

    def __repr__(self) -> str:
        about = (
            f"{self.mode} {self.width}x{self.height}"
            if not self._svg
            else f"{self.width}x{self.height}"
        )
        frames = f", {self._n_frames} frames" if self._n_frames > 1 else ""
        return f"<AgentImage {self.mime_type} {about}{frames}>"

    # Being an agent type

    @property
    def mime_type(self) -> str:
        """The media type of the bytes."""
        return self._mime

    def to_raw(self) -> Image.Image:
        """A plain PIL image with pixels of its own.

        Raises
        ------
        MediaError
            If the data is broken, or the picture is an SVG.
        """
        self.load()
        return Image.Image.copy(self)

    def to_string(self) -> str:
        """The path of a file with the picture: the one it came from while it is unchanged."""
        if self._encoded is not None and self._encoded.path and self._encoded.unchanged():
            return self._encoded.path
        return keep(self.to_bytes(), extension(self.mime_type))

    def to_bytes(self, format: str | None = None) -> bytes:  # noqa: A002  # Pillow's word
        """The encoded picture: the very bytes it came as, or encoded in a format.

        Parameters
        ----------
        format : str, optional
            "PNG", "jpeg", ".webp", "image/gif". By default the picture's own, else PNG (TIFF for
            modes that PNG lacks). Alpha is laid on white for JPEG.

        Raises
        ------
        MediaError
            If it cannot be encoded so.
        """
        kind = None if format is None else format_named(format) if not self._svg else format
        if self._encoded is not None and (kind is None or self._is_already(kind)):
            return self._encoded.bytes()
        if kind is None and self.mode in ("I", "F"):
            return encode(self, "TIFF")
        return encode(self, kind or "PNG")

    def _is_already(self, kind: str) -> bool:
        if self._svg is not None:
            return "svg" in kind.lower()
        return self._turn_to_undo == 1 and kind == format_named(self._mime)

    def save(  # type: ignore[override]  # the first parameter is named by the contract
        self,
        output_bytes: Any,
        format: str | None = None,  # noqa: A002  # Pillow's word
        **params: Any,
    ) -> None:
        """Write the picture to a path or a binary file object, as ``PIL.Image.save`` does.

        Parameters
        ----------
        output_bytes : path or file object
            A path is written whole or not at all.
        format : str, optional
            By default by the path's extension.
        **params
            Pillow's options for the format.

        Raises
        ------
        MediaError
            If the format is unknown or cannot hold the picture.
        """
        is_path = isinstance(output_bytes, (str, os.PathLike))
        name = format or (Path(output_bytes).suffix if is_path else "")
        if params and self._svg is None:
            data = encode(self, format_named(name or self._mime), **params)
        else:
            data = self.to_bytes(name or None)
        if is_path:
            write_atomically(output_bytes, data)
        else:
            output_bytes.write(data)

    @classmethod
    def from_url(cls, url: str, **options: Any) -> AgentImage:
        """Fetch a picture; see :func:`workbench.types.fetch.fetch` for the options."""
        from workbench.types.fetch import fetch

        return cls(fetch(url, **options))

    def _wire(self) -> str:
        return encode_data_uri(self.to_bytes(), self.mime_type)

    # Showing itself

    def shown(self) -> Shown:
        """What goes into a page: the very bytes while they are small enough and stand upright."""
        encoded = self._encoded
        if encoded is not None and self._mime in _KEPT | {"image/svg+xml"}:
            upright = self._turn_to_undo == 1 and self.mode != "CMYK"
            if upright and encoded.size() <= MOST_SHOWN:
                return Shown(data=encoded.bytes(), mime=self._mime, size=self.size)
        return shown(self)

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> Any:
        try:
            seen = self.shown()
        except (MediaError, OSError) as error:
            return chosen({"text/plain": f"{self!r}: {error}"}, {}, include, exclude)
        note = f" ({seen.note})" if seen.note else ""
        data: dict[str, Any] = {"text/plain": f"{self!r}{note}"}
        metadata: dict[str, Any] = {}
        if seen.mime == "image/svg+xml":
            from workbench.types.html import media_html

            data["text/html"] = media_html(self)
        else:
            data[seen.mime] = base64.b64encode(seen.data).decode("ascii")
            metadata[seen.mime] = {"width": seen.size[0], "height": seen.size[1]}
        return chosen(data, metadata, include, exclude)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    def _repr_png_(self) -> None:
        return None

    def _repr_jpeg_(self) -> None:
        return None


class _Pixels:
    """Pixel access that notices the first change."""

    def __init__(self, picture: AgentImage) -> None:
        self._picture = picture
        self._access = Image.Image.load(picture)

    def __getitem__(self, at: Any) -> Any:
        return self._access[at]  # type: ignore[index]  # there are pixels

    def __setitem__(self, at: Any, colour: Any) -> None:
        if self._picture.readonly:
            self._picture._ensure_mutable()
            self._access = Image.Image.load(self._picture)
        self._picture._forget()
        self._access[at] = colour  # type: ignore[index]  # there are pixels

    def putpixel(self, at: Any, colour: Any) -> None:
        self[at] = colour

    def getpixel(self, at: Any) -> Any:
        return self[at]


def _loaded(picture: Image.Image) -> Image.Image:
    """A copy of a PIL image's pixels, upright."""
    try:
        picture.load()
        return turned(picture.copy() if picture.size[0] and picture.size[1] else picture)
    except MediaError:
        raise
    except Exception as error:  # decoders raise nearly everything on broken data
        raise MediaError(f"the image is truncated or broken: {error}") from error


def _from_pickle(data: bytes | None, state: Any) -> AgentImage:
    if data is not None:
        return AgentImage(data, allow_large=True)
    plain = Image.Image()
    plain.__setstate__(state)
    return AgentImage(plain, allow_large=True)
