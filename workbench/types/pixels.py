"""Pictures from arrays, and pictures in modes that a page and a file format can take."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from PIL import Image

from workbench.errors import MediaError

__all__ = ["flattened", "from_array", "from_figure", "is_figure", "is_tensor", "shown_mode"]


def is_tensor(value: Any) -> bool:
    """Whether a value is a torch tensor; torch is not imported for the question."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_figure(value: Any) -> bool:
    """Whether a value is a matplotlib figure; matplotlib is not imported for the question."""
    figure = sys.modules.get("matplotlib.figure")
    return figure is not None and isinstance(value, figure.Figure)


def from_figure(figure: Any) -> bytes:
    """A matplotlib figure drawn as PNG."""
    from io import BytesIO

    file = BytesIO()
    figure.savefig(file, format="png", bbox_inches="tight", metadata={"Software": None})
    return file.getvalue()


def tensor_array(tensor: Any) -> np.ndarray[Any, Any]:
    """A tensor's values on the CPU, detached, in a type that numpy has."""
    plain = tensor.detach().cpu()
    if "bfloat16" in str(plain.dtype):
        plain = plain.float()
    array: np.ndarray[Any, Any] = plain.numpy()
    return array


def _channels_last(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Torch's (1, C, H, W) and (C, H, W) as (H, W, C)."""
    if array.ndim == 4 and array.shape[0] == 1:
        array = array[0]
    if array.ndim == 3 and array.shape[0] in (1, 3, 4) and array.shape[2] not in (1, 3, 4):
        return np.moveaxis(array, 0, 2)
    return array


def from_array(array: np.ndarray[Any, Any], *, tensor: bool = False) -> Image.Image:
    """A picture from an array of pixels.

    Parameters
    ----------
    array : ndarray
        Shape (H, W), (H, W, 1), (H, W, 3) or (H, W, 4); uint8, uint16, bool, another integer
        type with values in 0..255, or float in [0, 1].
    tensor : bool
        Channels may come first, as torch has them.

    Raises
    ------
    MediaError
        Naming shape, dtype or range.
    """
    if tensor:
        array = _channels_last(array)
    if array.ndim == 3 and array.shape[2] == 1:
        array = array[:, :, 0]
    good = array.ndim == 2 or (array.ndim == 3 and array.shape[2] in (2, 3, 4))
    if not good:
        first = array.ndim == 3 and array.shape[0] in (1, 3, 4)
        hint = "; with channels first, give np.moveaxis(array, 0, -1)" if first else ""
        raise MediaError(
            f"no image: an array of shape {array.shape} is not (H, W) or (H, W, 1|2|3|4){hint}"
        )
    if 0 in array.shape:
        raise MediaError(f"no image: empty image, shape {array.shape}")
    return _picture(array)


def _picture(array: np.ndarray[Any, Any]) -> Image.Image:
    if not array.dtype.isnative:
        array = array.astype(array.dtype.newbyteorder("="))
    if array.dtype == np.bool_:
        return Image.fromarray(array.astype(np.uint8) * 255).convert(
            "1" if array.ndim == 2 else "RGB"
        )
    if array.dtype == np.uint16:
        return _sixteen_bit(array)
    if array.dtype.kind in "iu":
        return Image.fromarray(_bytes_from_integers(array))
    if array.dtype.kind == "f":
        return Image.fromarray(_bytes_from_floats(array))
    raise MediaError(f"no image: cannot take pixels of dtype {array.dtype}, shape {array.shape}")


def _sixteen_bit(array: np.ndarray[Any, Any]) -> Image.Image:
    if array.ndim == 2:
        return Image.fromarray(np.ascontiguousarray(array))
    return Image.fromarray((array >> 8).astype(np.uint8))


def _bytes_from_integers(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    if array.dtype != np.uint8:
        low, high = int(array.min()), int(array.max())
        if low < 0 or high > 255:
            raise MediaError(
                f"no image: {array.dtype} pixels must be in 0..255, they are in {low}..{high}"
            )
    return np.ascontiguousarray(array.astype(np.uint8, copy=False))


def _bytes_from_floats(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Floats in [0, 1] times 255; in [0, 255] as they are; NaN is black."""
    clean = np.nan_to_num(np.asarray(array, dtype=np.float64), nan=0.0, posinf=1.0, neginf=0.0)
    low, high = float(clean.min()), float(clean.max())
    tolerance = 1e-3
    if low < -tolerance or high > 255 + tolerance:
        raise MediaError(
            f"no image: float pixels must be in [0, 1], they are in [{low:.4g}, {high:.4g}]"
        )
    scale = 255.0 if high <= 1 + tolerance else 1.0
    scaled: np.ndarray[Any, Any] = np.clip(np.rint(clean * scale), 0, 255).astype(np.uint8)
    return scaled


def _eight_bit(picture: Image.Image) -> Image.Image:
    """Grey pictures of more than eight bits, scaled and never clipped.

    16-bit values are divided by 257; floats in [0, 1] are multiplied by 255; anything else is
    stretched from its own least to its own greatest value.
    """
    values = np.nan_to_num(np.asarray(picture, dtype=np.float64))
    low, high = float(values.min()), float(values.max())
    if picture.mode.startswith("I;16"):
        values = values / 257
    elif picture.mode == "F" and low >= 0 and high <= 1:
        values = values * 255
    elif picture.mode == "I" and low >= 0 and high <= 65535:
        values = values if high <= 255 else values / 257
    else:
        values = (values - low) * (255 / (high - low)) if high > low else values * 0
    return Image.fromarray(np.rint(values).astype(np.uint8))


def shown_mode(picture: Image.Image) -> Image.Image:
    """The same picture in a mode that PNG has in eight bits: 1, L, LA, P, RGB or RGBA."""
    if picture.mode in ("1", "L", "LA", "P", "RGB", "RGBA"):
        return picture
    if picture.mode in ("I", "F") or picture.mode.startswith("I;16"):
        return _eight_bit(picture)
    if picture.mode == "PA":
        return picture.convert("RGBA")
    if picture.mode == "La":
        return picture.convert("LA")
    if picture.mode == "LAB":
        return _from_lab(picture)
    return picture.convert("RGBA" if picture.mode == "RGBa" else "RGB")


def _from_lab(picture: Image.Image) -> Image.Image:
    from PIL import ImageCms

    lab, srgb = ImageCms.createProfile("LAB"), ImageCms.createProfile("sRGB")
    converted = ImageCms.profileToProfile(picture, lab, srgb, outputMode="RGB")
    assert converted is not None
    return converted


def has_alpha(picture: Image.Image) -> bool:
    """Whether some of the picture may be see-through."""
    return picture.mode in ("LA", "RGBA", "PA", "La", "RGBa") or "transparency" in picture.info


def flattened(picture: Image.Image) -> Image.Image:
    """The picture as RGB or L, what is see-through laid on white."""
    shown = shown_mode(picture)
    if not has_alpha(shown):
        return (
            shown
            if shown.mode in ("L", "RGB")
            else shown.convert("L" if shown.mode == "1" else "RGB")
        )
    clear = shown.convert("RGBA")
    ground = Image.new("RGBA", clear.size, (255, 255, 255, 255))
    return Image.alpha_composite(ground, clear).convert("RGB")
