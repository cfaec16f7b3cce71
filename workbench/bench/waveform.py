"""A sound as a picture: the lowest and highest sample of each of some hundred stretches."""

from __future__ import annotations

import numpy as np

from workbench.types import AgentAudio

__all__ = ["waveform"]

_MOST_SAMPLES = 60_000_000
"""Samples, of all channels, up to which a sound is decoded to be drawn."""


def waveform(sound: AgentAudio, stretches: int = 600) -> list[list[float]]:
    """The outline of a sound, its channels taken together.

    Parameters
    ----------
    sound : AgentAudio
        The sound.
    stretches : int
        How many parts of equal length it is divided into, at most.

    Returns
    -------
    list
        For each stretch its lowest and its highest sample, in [-1, 1]; empty for a sound without
        samples, or too long to be decoded for this.

    Examples
    --------
    >>> waveform(AgentAudio([0.0, 0.5, -0.25, 0.0], samplerate=8_000), stretches=2)
    [[0.0, 0.5], [-0.25, 0.0]]
    """
    frames = len(sound)
    if not 0 < frames * sound.channels <= _MOST_SAMPLES:
        return []
    samples = np.asarray(sound).reshape(frames, -1)
    starts = np.linspace(0, frames, min(stretches, frames), endpoint=False).astype(int)
    low = np.minimum.reduceat(samples.min(axis=1), starts)
    high = np.maximum.reduceat(samples.max(axis=1), starts)
    return [[round(float(a), 3), round(float(b), 3)] for a, b in zip(low, high, strict=True)]
