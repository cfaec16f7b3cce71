"""Pictures, sounds, arrays and bytes as annotations: their schema, and the value asked for.

A JSON argument for one of these is text: a path, a data URI or base64. What arrives in the
function is the annotated type.
"""

from __future__ import annotations

import sys
import types
import typing
from collections.abc import Callable
from typing import Annotated, Any, NotRequired, Union, get_args, get_origin

from pydantic_core import PydanticCustomError, core_schema
from typing_extensions import TypedDict

from workbench.errors import MediaError

__all__ = ["translated"]


class _Medium:
    """Pydantic's view of a foreign type: how values become it, and its JSON Schema."""

    def __init__(self, convert: Callable[[Any], Any], schema: dict[str, Any]) -> None:
        self.convert = convert
        self.schema = schema

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
        def validate(value: Any) -> Any:
            try:
                return self.convert(value)
            except MediaError as error:
                raise PydanticCustomError("media", "{why}", {"why": str(error)}) from error

        return core_schema.no_info_plain_validator_function(validate)

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        return dict(self.schema)


def _media_schema(kind: str) -> dict[str, Any]:
    return {"type": "string", "contentMediaType": f"{kind}/*", "contentEncoding": "base64"}


def _to_pil(value: Any) -> Any:
    from workbench.types import AgentImage

    pillow = sys.modules["PIL.Image"]
    if isinstance(value, pillow.Image) and not isinstance(value, AgentImage):
        return value
    return AgentImage(value).to_raw()


def _to_array(value: Any) -> Any:
    import numpy as np

    from workbench.types import AgentAudio, AgentImage

    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, (list, tuple, int, float)) and not isinstance(value, bool):
        return _array_of_numbers(value)
    if isinstance(value, AgentAudio):
        return value.to_raw()
    try:
        return np.asarray(AgentImage(value).to_raw())
    except MediaError as error:
        return _sound_or(error, value)


def _array_of_numbers(value: Any) -> Any:
    import numpy as np

    try:
        array = np.asarray(value)
    except ValueError as error:
        raise MediaError(f"not one array of numbers: {error}") from error
    if array.dtype.kind not in "biufc":
        raise MediaError(f"not an array of numbers: its items are {array.dtype}")
    return array


def _sound_or(error: MediaError, value: Any) -> Any:
    from workbench.types import AgentAudio

    try:
        return AgentAudio(value).to_raw()
    except MediaError:
        raise error from None


def _to_tensor(value: Any) -> Any:
    torch = sys.modules["torch"]
    if isinstance(value, torch.Tensor):
        return value
    return torch.as_tensor(_to_array(value))


def _to_bytes(value: Any) -> Any:
    from workbench.types import AgentType
    from workbench.types.source import read

    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value)
    if isinstance(value, AgentType) and not isinstance(value, str):
        return value.to_bytes()  # type: ignore[attr-defined]  # all media have it
    if value == "":
        return b""
    encoded = read(value, "data")
    if encoded is None:
        raise MediaError(f"must be base64 text, a path or bytes, not {type(value).__name__}")
    return encoded.bytes()


_ARRAY = {"anyOf": [_media_schema("image"), {"type": "array", "items": {}}]}
_BYTES = {"type": "string", "contentEncoding": "base64"}


def _foreign(annotation: Any) -> Any | None:
    """The replacement for a type of a package that the author has imported."""
    pillow, numpy = sys.modules.get("PIL.Image"), sys.modules.get("numpy")
    torch = sys.modules.get("torch")
    if annotation is bytes:
        return Annotated[Any, _Medium(_to_bytes, _BYTES)]
    if annotation is bytearray:
        return Annotated[Any, _Medium(lambda value: bytearray(_to_bytes(value)), _BYTES)]
    origin = get_origin(annotation) or annotation
    if pillow is not None and (annotation is pillow or annotation is pillow.Image):
        return Annotated[Any, _Medium(_to_pil, _media_schema("image"))]
    if numpy is not None and origin is numpy.ndarray:
        return Annotated[Any, _Medium(_to_array, _ARRAY)]
    if torch is not None and annotation is torch.Tensor:
        return Annotated[Any, _Medium(_to_tensor, _ARRAY)]
    return None


def translated(annotation: Any) -> Any:
    """An annotation with foreign types inside it replaced by ones that pydantic can handle."""
    replaced = _foreign(annotation)
    if replaced is not None:
        return replaced
    if sys.version_info < (3, 12) and typing.is_typeddict(annotation):
        return _extended(annotation)
    origin, args = get_origin(annotation), get_args(annotation)
    if origin is None or not args or origin is typing.Literal:
        return annotation
    if origin is Annotated:
        return Annotated[(translated(args[0]), *args[1:])]
    inner = tuple(translated(arg) for arg in args)
    if inner == args:
        return annotation
    return _rebuilt(annotation, origin, inner)


def _extended(record: Any) -> Any:
    """A ``typing.TypedDict`` as that of typing_extensions, which pydantic wants before 3.12."""
    if record.__class__.__module__ == "typing_extensions":
        return record
    hints = typing.get_type_hints(record, include_extras=True)
    fields = {
        name: translated(kind)
        if name in record.__required_keys__
        else NotRequired[translated(kind)]
        for name, kind in hints.items()
    }
    return TypedDict(record.__name__, fields)  # type: ignore[operator]  # fields are known at run time only


def _rebuilt(annotation: Any, origin: Any, inner: tuple[Any, ...]) -> Any:
    if origin in (Union, types.UnionType):
        return Union[inner]  # noqa: UP007  # made at run time
    try:
        return origin[inner]
    except TypeError:
        return annotation
