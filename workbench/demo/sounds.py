"""Short melodies, made from sines."""

from __future__ import annotations

import numpy as np

__all__ = ["melody"]

_STEPS = {"major": (0, 4, 7, 12, 7, 4, 0), "minor": (0, 3, 7, 12, 7, 3, 0)}


def melody(
    root_hz: float = 220.0, mode: str = "major", note_s: float = 0.28, samplerate: int = 22_050
) -> np.ndarray:
    """Play a chord, note by note.

    Parameters
    ----------
    root_hz : float
        The lowest note, in Hz.
    mode : str
        "major" or "minor".
    note_s : float
        Length of each note, in seconds.
    samplerate : int
        In Hz.

    Returns
    -------
    ndarray
        Shape (frames,), float32 in [-1, 1].

    Examples
    --------
    >>> melody(note_s=0.1, samplerate=8000).shape
    (5600,)
    """
    time_s = np.arange(int(note_s * samplerate)) / samplerate
    fade = np.exp(-4 * time_s / note_s) * np.minimum(1, time_s / 0.01)
    notes = [_note(root_hz * 2 ** (step / 12), time_s) * fade for step in _STEPS[mode]]
    return (0.5 * np.concatenate(notes)).astype(np.float32)


def _note(pitch_hz: float, time_s: np.ndarray) -> np.ndarray:
    """A tone with a few overtones."""
    tone: np.ndarray = np.sum(
        [np.sin(2 * np.pi * pitch_hz * k * time_s) / k**2 for k in (1, 2, 3)], axis=0
    )
    return tone
