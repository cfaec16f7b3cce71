"""A small picture of a picture, for a field that was filled from code."""

from __future__ import annotations

import functools

from workbench.forms.model import FormModel
from workbench.forms.node import Path

__all__ = ["preview", "thumbnail"]

_SIDE = 360


@functools.lru_cache(maxsize=16)
def thumbnail(text: str) -> str | None:
    """A data URI of at most 360 pixels a side; None where the text is no picture.

    Parameters
    ----------
    text : str
        Base64 or a data URI; the value of the field.
    """
    from workbench.errors import MediaError
    from workbench.types import AgentImage
    from workbench.types.data_uri import encode_data_uri

    try:
        picture = AgentImage(text).to_raw()
    except (MediaError, OSError):
        return None
    picture.thumbnail((_SIDE, _SIDE))
    return encode_data_uri(AgentImage(picture).to_bytes("JPEG"), "image/jpeg")


def preview(model: FormModel, path: Path) -> str | None:
    """A small picture of what is in a field, made when the page asks: it is not kept there."""
    value = model.reach(path).value()
    return thumbnail(value) if isinstance(value, str) else None
