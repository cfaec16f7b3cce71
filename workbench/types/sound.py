"""Encoded sound: its header without its samples, its samples, and samples encoded.

Containers are read and written by libsndfile. What it does not know goes through ffmpeg where
that is installed. WAV headers without a length, as streams have, are mended first
(RIFF/WAVE, "Multimedia Programming Interface and Data Specifications 1.0").
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import numpy as np
import soundfile

from workbench.errors import MediaError, bounded_repr
from workbench.types.samples import pcm16
from workbench.types.sniff import canonical, describe_bytes, sniff
from workbench.types.source import Encoded

__all__ = [
    "SoundHeader",
    "decode_sound",
    "encode_sound",
    "read_sound_header",
    "wav",
]

BLOCK = 65_536
"""Frames written at once: one call with millions of frames crashes libsndfile's Vorbis encoder."""

_FORMATS = {
    "wav": ("WAV", "PCM_16"),
    "flac": ("FLAC", "PCM_16"),
    "ogg": ("OGG", "VORBIS"),
    "mpeg": ("MP3", "MPEG_LAYER_III"),
    "mp3": ("MP3", "MPEG_LAYER_III"),
    "aiff": ("AIFF", "PCM_16"),
    "opus": ("OGG", "OPUS"),
}
_RATES = {"MPEG_LAYER_III": {8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000}}
_RATES["OPUS"] = {8000, 12000, 16000, 24000, 48000}


@dataclass(frozen=True, slots=True, kw_only=True)
class SoundHeader:
    """What is known of a sound before it is decoded.

    Parameters
    ----------
    frames : int
        Samples of one channel.
    samplerate : int
        In Hz.
    channels : int
        How many.
    is_played : bool
        Whether browsers play the codec, where its container is one that they play.
    """

    frames: int
    samplerate: int
    channels: int
    is_played: bool = True


def read_sound_header(encoded: Encoded) -> SoundHeader | None:
    """Frames, rate and channels from the header; None where only ffmpeg could tell.

    Raises
    ------
    MediaError
        If it is no sound, or a broken one.
    """
    head = encoded.head()
    try:
        with soundfile.SoundFile(_readable(encoded)) as file:
            if file.channels < 1 or file.samplerate < 1:
                raise MediaError(f"no audio: {file.channels} channels at {file.samplerate} Hz")
            return SoundHeader(
                frames=file.frames,
                samplerate=file.samplerate,
                channels=file.channels,
                is_played=file.format not in _WAVES or file.subtype in _PLAYED_IN_WAVES,
            )
    except (soundfile.LibsndfileError, RuntimeError, OSError) as error:
        if isinstance(error, OSError) and not isinstance(error, soundfile.LibsndfileError):
            raise MediaError(f"no audio: {error}") from error
        mime = sniff(head) or ""
        if mime.startswith(("audio/", "video/")) and mime not in _KNOWN:
            return None
        where = f" {encoded.path!r}" if encoded.path else ""
        hint = "" if mime else "; raw samples need mime_type='audio/L16;rate=24000' or an array"
        raise MediaError(f"no audio{where}: {describe_bytes(head)}{hint}") from error


_WAVES = {"WAV", "WAVEX", "RF64"}
_PLAYED_IN_WAVES = {"PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "ULAW", "ALAW"}
_KNOWN = {"audio/wav", "audio/flac", "audio/ogg", "audio/mpeg", "audio/aiff", "audio/basic"}


def _readable(encoded: Encoded) -> Any:
    """What libsndfile opens: the path, the bytes, or the bytes with a mended header."""
    head = encoded.head()
    if head[:4] in (b"RIFF", b"RF64") and head[8:12] == b"WAVE":
        mended = _mended(head, encoded.size())
        if mended is not None:
            data = bytearray(encoded.bytes())
            data[: len(mended)] = mended
            return BytesIO(bytes(data))
    return encoded.file()


def _mended(head: bytes, size: int) -> bytes | None:
    """The head of a WAV with a data length where it had none; None where nothing is to mend."""
    at = 12
    while at + 8 <= len(head):
        name, length = head[at : at + 4], struct.unpack("<I", head[at + 4 : at + 8])[0]
        if name == b"data":
            rest = size - at - 8
            if rest <= 0 or length not in (0, 0xFFFFFFFF, 0x7FFFFFFF) or head[:4] == b"RF64":
                return None
            fixed = bytearray(head[: at + 8])
            fixed[4:8] = struct.pack("<I", min(size - 8, 0xFFFFFFFE))
            fixed[at + 4 : at + 8] = struct.pack("<I", min(rest, 0xFFFFFFFE))
            return bytes(fixed)
        at += 8 + length + (length & 1)
    return None


def decode_sound(encoded: Encoded, frames: int = -1) -> tuple[np.ndarray[Any, Any], int]:
    """Samples as float32, shape (frames,) or (frames, channels), and their rate in Hz.

    Parameters
    ----------
    encoded : Encoded
        The file.
    frames : int
        How many to read at most; all by default.

    Raises
    ------
    MediaError
        If it cannot be decoded.
    """
    try:
        with soundfile.SoundFile(_readable(encoded)) as file:
            return _samples(file, frames), file.samplerate
    except (soundfile.LibsndfileError, RuntimeError) as error:
        converted = _through_ffmpeg(encoded, error)
    samples, rate = soundfile.read(BytesIO(converted), frames, dtype="float32")
    return samples, int(rate)


def _samples(file: soundfile.SoundFile, frames: int) -> np.ndarray[Any, Any]:
    """Samples from where the file stands; some codecs, as GSM 6.10, cannot say how many follow."""
    if not file.seekable():
        frames = file.frames if frames < 0 else min(frames, file.frames)
    read: np.ndarray[Any, Any] = file.read(frames, dtype="float32")
    return read


def _through_ffmpeg(encoded: Encoded, error: Exception) -> bytes:
    what = sniff(encoded.head()) or "this format"
    program = shutil.which("ffmpeg")
    if program is None:
        raise MediaError(
            f"cannot decode {what}: {error}; with ffmpeg installed it would be read"
        ) from error
    command = [program, "-v", "error", "-i", "pipe:0", "-f", "wav", "-c:a", "pcm_f32le", "pipe:1"]
    done = subprocess.run(command, input=encoded.bytes(), capture_output=True, check=False)  # noqa: S603  # fixed command
    if done.returncode or len(done.stdout) < 44:
        raise MediaError(f"cannot decode {what}: {bounded_repr(done.stderr[-200:])}") from error
    head = _mended(done.stdout[:BLOCK], len(done.stdout)) or b""
    return head + done.stdout[len(head) :]


def wav(samples: np.ndarray[Any, Any], samplerate: int) -> bytes:
    """Samples as a 16-bit PCM WAV; RF64 past 4 GB."""
    return encode_sound(samples, samplerate, "wav")


def encode_sound(samples: np.ndarray[Any, Any], samplerate: int, kind: str) -> bytes:
    """Encode samples.

    Parameters
    ----------
    samples : ndarray
        Shape (frames,) or (frames, channels), float in [-1, 1]; what is outside is clipped.
    samplerate : int
        In Hz.
    kind : str
        "wav", "flac", "ogg", "mp3" or another name, extension or media type of these.

    Raises
    ------
    MediaError
        If the format is unknown or lacks the rate.
    """
    container, codec = format_of(kind)
    rates = _RATES.get(codec)
    if rates is not None and samplerate not in rates:
        raise MediaError(f"{container} has no rate of {samplerate} Hz; WAV, FLAC and OGG do")
    channels = 1 if samples.ndim == 1 else samples.shape[1]
    if container == "WAV" and samples.size * 2 > 4_000_000_000:
        container = "RF64"
    file = BytesIO()
    try:
        with soundfile.SoundFile(file, "w", samplerate, channels, codec, format=container) as out:
            step = BLOCK if codec == "VORBIS" else max(len(samples), 1)
            for start in range(0, max(len(samples), 1), step):
                out.write(pcm16(samples[start : start + step]))
    except (soundfile.LibsndfileError, RuntimeError) as error:
        raise MediaError(f"cannot write {container} at {samplerate} Hz: {error}") from error
    return file.getvalue()


def format_of(kind: str) -> tuple[str, str]:
    """Libsndfile's container and codec for a name, extension or media type."""
    word = canonical(kind).rpartition("/")[2].lstrip(".").lower()
    if word not in _FORMATS:
        raise MediaError(f"cannot write sound as {kind!r}; wav, flac, ogg, mp3 and aiff are known")
    return _FORMATS[word]
