"""Sound samples: from whatever numbers a person has, to float32 in [-1, 1], frames first."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

from workbench.errors import MediaError, bounded_repr
from workbench.types.pixels import is_tensor, tensor_array

__all__ = ["from_numbers", "pcm16", "split_rate", "valid_rate"]

_MOST_CHANNELS = 32


def valid_rate(rate: Any) -> int:
    """A sampling rate in Hz as an int.

    Raises
    ------
    MediaError
        If it is no positive whole number.
    """
    if isinstance(rate, np.generic):
        rate = rate.item()
    good = isinstance(rate, numbers.Real) and not isinstance(rate, bool)
    if not good or not np.isfinite(rate) or rate <= 0 or int(rate) != rate:
        raise MediaError(
            f"samplerate must be a positive whole number of Hz, got {bounded_repr(rate)}"
        )
    return int(rate)


def split_rate(value: Any) -> tuple[Any, Any] | None:
    """Take (rate, samples) or (samples, rate) apart; None for anything else."""
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        return None
    first, second = (_is_scalar(part) for part in value)
    if first == second:
        return None
    return (value[1], value[0]) if first else (value[0], value[1])


def _is_scalar(value: Any) -> bool:
    return isinstance(value, numbers.Number) or (isinstance(value, np.ndarray) and value.ndim == 0)


def from_numbers(value: Any) -> np.ndarray[Any, Any]:
    """Samples as float32 of shape (frames,) or (frames, channels).

    Parameters
    ----------
    value : array-like or tensor
        Shape (n,), (n, channels) or (channels, n). Floats are taken as they are; integers are
        divided by their full scale, unsigned bytes around 128; Python ints and int64 count as
        16-bit where they fit.

    Raises
    ------
    MediaError
        If it is no such array.
    """
    if is_tensor(value):
        value = tensor_array(value)
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise MediaError(f"no audio: the samples are not one array ({error})") from error
    return np.ascontiguousarray(_frames_first(_scaled(array)))


def _scaled(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    kind, width = array.dtype.kind, array.dtype.itemsize
    if kind == "f":
        return array.astype(np.float32, copy=True)
    if kind == "b":
        return array.astype(np.float32)
    if kind == "u":
        half = 2.0 ** (8 * width - 1)
        centred: np.ndarray[Any, Any] = (array.astype(np.float64) - half) / half
        return centred.astype(np.float32)
    if kind == "i":
        full = 2.0 ** (8 * width - 1) if width < 8 else _full_scale(array)
        scaled: np.ndarray[Any, Any] = array.astype(np.float64) / full
        return scaled.astype(np.float32)
    raise MediaError(f"no audio: cannot take samples of dtype {array.dtype}")


def _full_scale(array: np.ndarray[Any, Any]) -> float:
    """The full scale that wide integers are meant in: the least usual one that holds them."""
    most = max((int(abs(array).max()) if array.size else 0), 1)
    return 32768.0 if most <= 32768 else 2.0**31


def _frames_first(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    while array.ndim > 2 and array.shape[0] == 1:
        array = array[0]
    if array.ndim == 0 or array.ndim > 2:
        raise MediaError(
            f"no audio: shape {array.shape} is not (n,), (n, channels) or (channels, n)"
        )
    if array.ndim == 2 and array.shape[0] < array.shape[1] and array.shape[0] <= _MOST_CHANNELS:
        array = array.T
    if array.ndim == 2 and array.shape[1] > _MOST_CHANNELS:
        raise MediaError(f"no audio: {array.shape[1]} channels, from shape {array.shape}")
    mono = array.ndim == 2 and array.shape[1] == 1
    frames: np.ndarray[Any, Any] = array[:, 0] if mono else array
    return frames


def pcm16(samples: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Samples as 16-bit integers: clipped, never wrapped; NaN is silence."""
    scaled: np.ndarray[Any, Any] = samples * np.float32(32768)
    np.nan_to_num(scaled, copy=False, nan=0.0, posinf=32767, neginf=-32768)
    np.rint(scaled, out=scaled)
    np.clip(scaled, -32768, 32767, out=scaled)
    return scaled.astype("<i2")
