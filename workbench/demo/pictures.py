"""Landscapes that are drawn, not photographed, but as rich in detail as a photograph."""

from __future__ import annotations

import numpy as np
from PIL import Image

__all__ = ["landscape", "sample_photo"]

_PALETTES = {
    "dawn": ((255, 214, 165), (120, 110, 170), (70, 60, 95)),
    "noon": ((205, 228, 245), (72, 133, 200), (45, 88, 70)),
    "dusk": ((250, 150, 90), (60, 45, 105), (35, 25, 55)),
    "night": ((40, 55, 95), (8, 12, 34), (10, 14, 26)),
}


def _smooth_noise(rng: np.random.Generator, length: int, points: int) -> np.ndarray:
    """A smooth random line between 0 and 1."""
    values = rng.random(points + 1)
    at = np.linspace(0, points, length)
    whole = np.minimum(at.astype(int), points - 1)
    part = at - whole
    part = part * part * (3 - 2 * part)
    line: np.ndarray = values[whole] * (1 - part) + values[whole + 1] * part
    return line


def _ridge(rng: np.random.Generator, width: int, detail: int) -> np.ndarray:
    """The outline of a mountain range: noise on four scales."""
    parts = [_smooth_noise(rng, width, detail * 2**k) / 2**k for k in range(6)]
    line: np.ndarray = np.sum(parts, axis=0) / 1.97
    return line


def _sky(width: int, height: int, light: str) -> np.ndarray:
    low, high, _ = (np.array(colour, float) for colour in _PALETTES[light])
    down = np.linspace(0, 1, height)[:, None, None] ** 1.3
    sky: np.ndarray = np.broadcast_to(high * (1 - down) + low * down, (height, width, 3)).copy()
    return sky


def _sun(picture: np.ndarray, light: str) -> None:
    height, width, _ = picture.shape
    y, x = np.mgrid[:height, :width]
    far = np.hypot(x - 0.7 * width, y - 0.34 * height) / height
    disc = np.clip((0.052 - far) * 90, 0, 1)[:, :, None]
    glow = np.exp(-far * 5)[:, :, None]
    colour = np.array((235, 240, 255) if light == "night" else (255, 238, 205), float)
    picture += glow * (colour - picture) * (0.3 if light == "night" else 0.55)
    picture += disc * (colour - picture)


def landscape(
    width: int = 640, height: int = 400, light: str = "dusk", seed: int = 7
) -> Image.Image:
    """Draw mountains over a lake.

    Parameters
    ----------
    width, height : int
        Pixels, at least 16.
    light : str
        "dawn", "noon", "dusk" or "night".
    seed : int
        Another number, another landscape.

    Returns
    -------
    PIL.Image.Image
        RGB.

    Examples
    --------
    >>> landscape(64, 40).size
    (64, 40)
    """
    rng = np.random.default_rng(seed)
    picture = _sky(width, height, light)
    _sun(picture, light)
    shore = int(height * 0.74)
    rows = np.arange(height)[:, None]
    ground = np.array(_PALETTES[light][2], float)
    for layer in range(4):
        top = height * (0.36 + 0.1 * layer) + (0.5 - _ridge(rng, width, 3 + layer)) * height * 0.34
        depth = (layer + 1) / 4
        colour = ground * depth + picture[shore // 2].mean(axis=0) * (1 - depth)
        shade = 1 + 0.1 * (rng.random((height, width, 1)) - 0.5) * depth
        inside = (rows >= top[None, :]) & (rows < shore)
        picture[inside] = (colour * shade)[inside]
    _lake(picture, shore, rng)
    picture += rng.normal(0, 2.2, picture.shape)
    return Image.fromarray(np.clip(picture, 0, 255).astype(np.uint8))


def _lake(picture: np.ndarray, shore: int, rng: np.random.Generator) -> None:
    """Mirror what stands above the shore, with ripples."""
    height = picture.shape[0]
    for row in range(shore, height):
        depth = (row - shore) / max(1, height - shore)
        source = max(0, shore - 1 - int((row - shore) * 1.6))
        shift = int(rng.normal(0, 1 + 5 * depth))
        picture[row] = np.roll(picture[source], shift, axis=0) * (0.82 - 0.22 * depth)


def sample_photo(width: int = 640, height: int = 400) -> Image.Image:
    """A picture to try tools on: RGB, with the detail of a photograph.

    Examples
    --------
    >>> sample_photo().mode
    'RGB'
    """
    return landscape(width, height)
