"""Sound that behaves as its samples, knows its rate, and plays itself."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from workbench.errors import MediaError, bounded_repr
from workbench.types.base import AgentType, player_bundle
from workbench.types.data_uri import encode_data_uri
from workbench.types.encoding import MOST_SHOWN
from workbench.types.files import keep, write_atomically
from workbench.types.raw_sound import raw_samples
from workbench.types.samples import from_numbers, split_rate, valid_rate
from workbench.types.sniff import canonical, extension, sniff
from workbench.types.sound import (
    SoundHeader,
    decode_sound,
    encode_sound,
    format_of,
    read_sound_header,
    wav,
)
from workbench.types.source import Encoded, read

__all__ = ["AgentAudio"]

_PLAYED = {
    "audio/wav",
    "audio/mpeg",
    "audio/ogg",
    "audio/flac",
    "audio/mp4",
    "audio/webm",
    "audio/aac",
}
"""Formats that browsers play."""
_DEFAULT_RATE = 16_000
_PREVIEW_S = 180.0


class AgentAudio(AgentType, np.lib.mixins.NDArrayOperatorsMixin):
    """Samples with a rate, made from anything that holds a sound.

    Parameters
    ----------
    value : object
        A path, bytes-like, binary file object, data URI, base64 text, array or list of shape
        (n,), (n, channels) or (channels, n), ``(rate, samples)`` or ``(samples, rate)``, torch
        tensor, or AgentAudio.
    samplerate : int, optional
        In Hz. By default that of the header or the media type, else 16000.
    mime_type : str, optional
        Of raw samples: "audio/L16;rate=24000".

    Attributes
    ----------
    shape : tuple of int
        (frames,) or (frames, channels).
    dtype : numpy.dtype
        float32; values are in [-1, 1] unless they were made otherwise.
    samplerate, channels : int
        Known without decoding, as is ``duration_s``.

    Raises
    ------
    MediaError
        If the value is no sound, naming why.
    MediaNotFound
        If a path names no file.

    Examples
    --------
    >>> sound = AgentAudio(np.zeros(8000), samplerate=8000)
    >>> sound.duration_s, len(sound[:4000]), sound[:4000].samplerate
    (1.0, 4000, 8000)
    """

    media: ClassVar[str] = "audio"
    __hash__ = None  # type: ignore[assignment]  # compares as its samples do

    def __init__(
        self, value: Any, samplerate: float | None = None, *, mime_type: str | None = None
    ) -> None:
        self._samples: np.ndarray[Any, Any] | None = None
        self._encoded: Encoded | None = None
        self._header: SoundHeader | None = None
        self._mime = "audio/wav"
        rate = None if samplerate is None else valid_rate(samplerate)
        self._fill(value, rate, mime_type)

    def _fill(self, value: Any, rate: int | None, mime_type: str | None) -> None:
        if isinstance(value, AgentAudio):
            self._share(value, rate)
            return
        pair = split_rate(value)
        if pair is not None:
            self._take(from_numbers(pair[0]), rate or valid_rate(pair[1]))
            return
        encoded = None if isinstance(value, (list, np.ndarray)) else read(value, "audio")
        if encoded is not None:
            self._open(encoded, rate, mime_type or encoded.label)
        elif isinstance(value, (list, tuple, np.ndarray)) or hasattr(value, "__array__"):
            self._take(from_numbers(value), rate or _DEFAULT_RATE)
        else:
            raise MediaError(
                f"no audio: cannot make it of {type(value).__name__} {bounded_repr(value, 60)}; "
                "give a path, bytes, file, data URI, base64 text, samples or (rate, samples)"
            )

    def _share(self, other: AgentAudio, rate: int | None) -> None:
        if rate is not None and rate != other.samplerate:
            self._take(other._decoded(), rate)
            return
        for name in ("_samples", "_encoded", "_header", "_mime"):
            setattr(self, name, getattr(other, name))

    def _take(self, samples: np.ndarray[Any, Any], rate: int) -> None:
        channels = 1 if samples.ndim == 1 else samples.shape[1]
        self._samples = samples
        self._samples.setflags(write=False)
        self._header = SoundHeader(frames=len(samples), samplerate=rate, channels=channels)

    def _open(self, encoded: Encoded, rate: int | None, label: str) -> None:
        raw = raw_samples(encoded, label) if label else None
        if raw is not None:
            self._take(raw[0], rate or raw[1])
            return
        self._header = read_sound_header(encoded)
        self._mime = _sound_type(sniff(encoded.head()), label)
        if rate is not None and self._header is not None and rate != self._header.samplerate:
            self._take(decode_sound(encoded)[0], rate)
            self._mime = "audio/wav"
            return
        self._encoded = encoded

    # Being samples

    def _decoded(self) -> np.ndarray[Any, Any]:
        if self._samples is None:
            assert self._encoded is not None
            header = self._header
            self._take(*decode_sound(self._encoded))
            assert self._header is not None
            if header is not None:
                self._header = replace(self._header, is_played=header.is_played)
        assert self._samples is not None
        return self._samples

    def _facts(self) -> SoundHeader:
        if self._header is None:
            self._decoded()
        assert self._header is not None
        return self._header

    @property
    def samplerate(self) -> int:
        """Frames in a second, in Hz."""
        return self._facts().samplerate

    @property
    def channels(self) -> int:
        """How many channels there are."""
        return self._facts().channels

    @property
    def duration_s(self) -> float:
        """Length in seconds."""
        return self._facts().frames / self._facts().samplerate

    @property
    def shape(self) -> tuple[int, ...]:
        """(frames,) for one channel, else (frames, channels)."""
        facts = self._facts()
        return (facts.frames,) if facts.channels == 1 else (facts.frames, facts.channels)

    @property
    def ndim(self) -> int:
        """1 for one channel, else 2."""
        return len(self.shape)

    @property
    def size(self) -> int:
        """Samples in all channels together."""
        return math.prod(self.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """Always float32."""
        return np.dtype(np.float32)

    def __len__(self) -> int:
        return self._facts().frames

    def __iter__(self) -> Iterator[Any]:
        return iter(self._decoded())

    def __getitem__(self, key: Any) -> Any:
        taken = self._decoded()[key]
        if self._keeps_time(key):
            return AgentAudio(taken, self.samplerate) if taken.ndim else taken
        return taken

    @staticmethod
    def _keeps_time(key: Any) -> bool:
        """Whether an index leaves frames in order and without gaps, so that the rate holds."""
        first, *rest = key if isinstance(key, tuple) else (key,)
        channels = all(isinstance(part, (int, slice)) for part in rest)
        return isinstance(first, slice) and first.step in (None, 1) and channels

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        samples = self._decoded()
        if dtype is not None and np.dtype(dtype) != samples.dtype:
            return samples.astype(dtype)
        return samples.copy() if copy else samples

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        plain = [np.asarray(i) if isinstance(i, AgentAudio) else i for i in inputs]
        if "out" in kwargs:
            raise TypeError("the samples of an AgentAudio do not change; leave out= away")
        result = getattr(ufunc, method)(*plain, **kwargs)
        same = isinstance(result, np.ndarray) and result.shape == self.shape
        if method == "__call__" and same and result.dtype.kind == "f":
            return AgentAudio(result, self.samplerate)
        return result

    def __getattr__(self, name: str) -> Any:
        """Reductions and the like (``mean``, ``max``, ``astype``), as arrays have them."""
        if name.startswith("_") or not hasattr(np.ndarray, name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        return getattr(self._decoded(), name)

    def __bool__(self) -> bool:
        return len(self) > 0

    def __repr__(self) -> str:
        if self._header is None:
            return f"<AgentAudio {self._mime}>"
        facts = self._header
        kind = {1: "mono", 2: "stereo"}.get(facts.channels, f"{facts.channels} channels")
        seconds = facts.frames / facts.samplerate
        return f"<AgentAudio {seconds:.2f} s, {facts.samplerate} Hz, {kind}, {self._mime}>"

    def __reduce__(self) -> Any:
        if self._encoded is not None:
            return AgentAudio, (self._encoded.bytes(),)
        return AgentAudio, (np.array(self._decoded()), self.samplerate)

    def __copy__(self) -> AgentAudio:
        return AgentAudio(self)

    def __deepcopy__(self, memo: dict[int, Any]) -> AgentAudio:
        return AgentAudio(self)

    # Being an agent type

    @property
    def mime_type(self) -> str:
        """The media type of the bytes; "audio/wav" for samples without bytes."""
        return self._mime

    def to_raw(self) -> np.ndarray[Any, Any]:
        """The samples: float32, shape (frames,) or (frames, channels), a copy."""
        return np.array(self._decoded())

    def to_torch(self) -> Any:
        """The samples as a tensor of shape (channels, frames), float32.

        Raises
        ------
        MissingExtra
            If torch is not installed.
        """
        from workbench._optional import require

        torch = require("torch", extra="torch", feature="a tensor of samples")
        samples = self.to_raw()
        return torch.from_numpy(np.ascontiguousarray(np.atleast_2d(samples.T)))

    def to_string(self) -> str:
        """The path of a file with the sound: the one it came from while that is unchanged."""
        if self._encoded is not None and self._encoded.path and self._encoded.unchanged():
            return self._encoded.path
        return keep(self.to_bytes(), extension(self._mime))

    def to_bytes(self, format: str | None = None) -> bytes:  # noqa: A002  # the word Pillow uses
        """The encoded sound: the very bytes it came as, or encoded in a format.

        Parameters
        ----------
        format : str, optional
            "wav" (16-bit PCM), "flac", "ogg", "mp3", "aiff", or a media type of these.

        Raises
        ------
        MediaError
            If the format is unknown or lacks the rate.
        """
        if self._encoded is not None and (format is None or self._is_already(format)):
            return self._encoded.bytes()
        return encode_sound(self._decoded(), self.samplerate, format or "wav")

    def _is_already(self, kind: str) -> bool:
        return format_of(kind)[0].lower() in (extension(self._mime)[1:], canonical(self._mime)[6:])

    def save(self, path: Any, format: str | None = None) -> None:  # noqa: A002  # the word Pillow uses
        """Write the sound to a path, whole or not at all.

        Parameters
        ----------
        path : path or file object
            The format is that of its extension, unless `format` says another.
        """
        if hasattr(path, "write"):
            path.write(self.to_bytes(format))
            return
        write_atomically(path, self.to_bytes(format or Path(path).suffix or None))

    @classmethod
    def from_url(cls, url: str, **options: Any) -> AgentAudio:
        """Fetch a sound; see :func:`workbench.types.fetch.fetch` for the options."""
        from workbench.types.fetch import fetch

        return cls(fetch(url, **options))

    def _wire(self) -> str:
        return encode_data_uri(self.to_bytes(), self._mime)

    # Showing itself

    def shown(self) -> tuple[bytes, str, str]:
        """Bytes for a page, their media type, and a note where they are only a part."""
        encoded = self._encoded
        is_played = self._mime in _PLAYED and (self._header is None or self._header.is_played)
        if encoded is not None and is_played and encoded.size() <= MOST_SHOWN:
            return encoded.bytes(), self._mime, ""
        if self.size * 2 <= MOST_SHOWN:
            return wav(self._decoded(), self.samplerate), "audio/wav", ""
        part = self._first(int(_PREVIEW_S * self.samplerate))
        data = encode_sound(part, self.samplerate, "ogg")
        if len(part) == len(self):
            return data, "audio/ogg", "compressed; .save(path) writes the original"
        seconds = len(part) / self.samplerate
        note = f"the first {seconds:.0f} s of {self.duration_s:.0f} s; .save(path) writes all of it"
        return data, "audio/ogg", note

    def _first(self, frames: int) -> np.ndarray[Any, Any]:
        if self._samples is None and self._encoded is not None:
            return decode_sound(self._encoded, frames)[0]
        return self._decoded()[:frames]

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> Any:
        return player_bundle(self, include, exclude)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))


def _sound_type(sniffed: str | None, label: str) -> str:
    """The media type of a sound: by its bytes; a container that holds only sound is one."""
    if sniffed is None:
        return canonical(label) if label else "audio/wav"
    return {"video/mp4": "audio/mp4", "video/webm": "audio/webm"}.get(sniffed, sniffed)
