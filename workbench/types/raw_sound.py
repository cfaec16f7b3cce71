"""Raw samples, which only their media type explains: ``audio/L16;rate=24000;channels=1``."""

from __future__ import annotations

import re
from io import BytesIO
from typing import Any

import numpy as np
import soundfile

from workbench.errors import MediaError, bounded_repr
from workbench.types.samples import valid_rate
from workbench.types.sniff import sniff
from workbench.types.source import Encoded

__all__ = ["raw_samples"]

_CODECS = {
    "audio/l8": ("PCM_U8", 1, 16_000),
    "audio/l16": ("PCM_16", 2, 16_000),
    "audio/l24": ("PCM_24", 3, 16_000),
    "audio/pcm": ("PCM_16", 2, 16_000),
    "audio/x-pcm": ("PCM_16", 2, 16_000),
    "audio/pcmu": ("ULAW", 1, 8000),
    "audio/pcma": ("ALAW", 1, 8000),
    "audio/basic": ("ULAW", 1, 8000),
}
"""Libsndfile's name, bytes of a sample and rate in Hz where none is given (RFC 3551, 2046)."""

_BY_CHANCE = {"audio/mpeg", "audio/aac", "video/mpeg"}
"""What the first bytes of raw samples may happen to look like, beside pictures."""


def raw_samples(encoded: Encoded, mime: str) -> tuple[np.ndarray[Any, Any], int] | None:
    """Samples by their media type.

    RFC 2586 says big-endian; what is sent in practice is little-endian, so that is the default,
    and a parameter ``endian=big`` says otherwise.

    Returns
    -------
    tuple or None
        Samples as float32 of shape (frames,) or (frames, channels), and the rate in Hz; None
        where the type is not a raw one, or the bytes are a file of sound all the same.

    Raises
    ------
    MediaError
        If a parameter makes no sense.
    """
    known = _CODECS.get(mime.partition(";")[0].strip().lower())
    if known is None or _is_file_of_sound(encoded.head()):
        return None
    (codec, width, usual), data = known, encoded.bytes()
    options: dict[str, str] = dict(re.findall(r";\s*([\w-]+)\s*=\s*\"?([\w.-]+)", mime.lower()))
    channels = _number(options.get("channels", "1"), "channels")
    rate = valid_rate(_number(options.get("rate", str(usual)), "rate"))
    big = (options.get("endian") or options.get("endianness") or "").startswith("big")
    whole = len(data) // (width * channels) * width * channels
    return _read(data[:whole], codec, channels, rate, "BIG" if big else "LITTLE"), rate


def _is_file_of_sound(head: bytes) -> bool:
    found = sniff(head) or ""
    return found.startswith(("audio/", "video/")) and (
        found not in _BY_CHANCE or head.startswith(b"ID3")
    )


def _read(data: bytes, codec: str, channels: int, rate: int, endian: str) -> np.ndarray[Any, Any]:
    samples, _ = soundfile.read(
        BytesIO(data),
        dtype="float32",
        samplerate=rate,
        channels=channels,
        format="RAW",
        subtype=codec,
        endian=endian,
    )
    read: np.ndarray[Any, Any] = samples
    return read


def _number(text: str, name: str) -> int:
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 1 <= number < 2**31 or (name == "channels" and number > 1024):
        raise MediaError(f"no audio: {name}={bounded_repr(text)} in its media type makes no sense")
    return int(number)
