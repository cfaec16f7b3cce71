"""From any Python value to agent types, and back."""

from __future__ import annotations

import sys
from typing import Any

from workbench.errors import MediaError
from workbench.types.audio import AgentAudio
from workbench.types.base import AgentType
from workbench.types.image import AgentImage
from workbench.types.pixels import is_figure
from workbench.types.text import AgentText
from workbench.types.video import AgentVideo

__all__ = ["unwrap", "wrap"]

_BY_NAME = {
    "string": AgentText,
    "text": AgentText,
    "image": AgentImage,
    "audio": AgentAudio,
    "video": AgentVideo,
}


def wrap(value: Any, output_type: str | None = None) -> Any:
    """Make agent types of a value: of text, of pictures, and of those inside containers.

    Parameters
    ----------
    value : object
        Anything. None stays None; what no type fits stays as it is.
    output_type : str, optional
        "string", "image", "audio" or "video": what the value is meant to be.

    Raises
    ------
    MediaError
        If the value is not what `output_type` says.

    Examples
    --------
    >>> type(wrap("hi")).__name__, wrap(3), wrap(["a", {"b": None}])
    ('AgentText', 3, ['a', {'b': None}])
    """
    if value is None or isinstance(value, AgentType):
        return value
    if output_type is None and type(value) in (int, float, bool):
        return value
    value = _ours(value)
    kind = _BY_NAME.get(output_type or "")
    if kind is not None and not (kind is AgentText and not isinstance(value, str)):
        return _declared(value, kind)
    if isinstance(value, (str, AgentType)):
        return AgentText(value) if type(value) is str else value
    return _inferred(value)


def _declared(value: Any, kind: Any) -> Any:
    """The value as its declared type; a list of them, item by item."""
    many = isinstance(value, (list, tuple)) and kind is not AgentAudio
    if many and value and not all(isinstance(item, (int, float)) for item in value):
        return type(value)([wrap(item, _name(kind)) for item in value])
    return kind(value)


def _name(kind: Any) -> str:
    return next(name for name, known in _BY_NAME.items() if known is kind)


def _inferred(value: Any) -> Any:
    if _is_picture(value):
        return AgentImage(value)
    if type(value) in (list, tuple):
        return type(value)([wrap(item) for item in value])
    if type(value) is dict:
        return {key: wrap(item) for key, item in value.items()}
    return value


def _is_picture(value: Any) -> bool:
    pillow = sys.modules.get("PIL.Image")
    return (pillow is not None and isinstance(value, pillow.Image)) or is_figure(value)


_THEIRS = {"AgentImage": AgentImage, "AgentAudio": AgentAudio, "AgentText": AgentText}


def _ours(value: Any) -> Any:
    """Another library's agent types (they have ``to_raw`` and ``to_string``), as ours.

    They are looked at first: smolagents' picture is a PIL image without pixels, and its sound is
    a str.
    """
    kind: Any = _THEIRS.get(type(value).__name__)
    if kind is None or isinstance(value, AgentType) or not callable(getattr(value, "to_raw", None)):
        return value
    if kind is AgentAudio:
        return AgentAudio(value.to_raw(), getattr(value, "samplerate", None))
    return kind(str(value) if kind is AgentText else value.to_raw())


def unwrap(value: Any) -> Any:
    """The native value behind agent types, containers included.

    Examples
    --------
    >>> unwrap([AgentText("a")])
    ['a']
    """
    if isinstance(value, AgentType):
        try:
            return value.to_raw()
        except MediaError:
            return value
    if type(value) in (list, tuple):
        return type(value)([unwrap(item) for item in value])
    if type(value) is dict:
        return {key: unwrap(item) for key, item in value.items()}
    return value
