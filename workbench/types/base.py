"""What all agent types have in common."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from workbench.errors import MediaError

__all__ = ["AgentType", "chosen", "player_bundle"]


class AgentType:
    """A value that behaves as its native self, and knows its raw, text and notebook forms.

    Subclasses are :class:`AgentText`, :class:`AgentImage`, :class:`AgentAudio` and
    :class:`AgentVideo`.

    Examples
    --------
    >>> from workbench import AgentText
    >>> isinstance(AgentText("hi"), AgentType)
    True
    """

    media: ClassVar[str] = ""
    """The family of media types, as in ``image/*``; what JSON Schema says of the type."""

    def to_raw(self) -> Any:
        """The native value: str, PIL image, array or bytes."""
        raise NotImplementedError

    def to_string(self) -> str:
        """The text itself, or the path of a file that holds the value."""
        raise NotImplementedError

    def __str__(self) -> str:
        return self.to_string()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        def coerce(value: Any) -> Any:
            return value if isinstance(value, cls) else cls(value)  # type: ignore[call-arg]  # each subclass takes a value

        return core_schema.no_info_plain_validator_function(
            coerce,
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: value._wire(), when_used="json"
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        return {
            "type": "string",
            "contentMediaType": f"{cls.media}/*",
            "contentEncoding": "base64",
        }

    def _wire(self) -> str:
        """The text that stands for the value in JSON."""
        raise NotImplementedError


def chosen(
    data: dict[str, Any],
    metadata: dict[str, Any],
    include: Iterable[str] | None,
    exclude: Iterable[str] | None,
) -> Any:
    """A mime bundle with IPython's include and exclude applied."""
    wanted = set(include or data) - set(exclude or ())
    data = {mime: value for mime, value in data.items() if mime in wanted}
    metadata = {mime: value for mime, value in metadata.items() if mime in data}
    return (data, metadata) if metadata else data


def player_bundle(
    value: AgentType, include: Iterable[str] | None, exclude: Iterable[str] | None
) -> Any:
    """The mime bundle of a sound or video: a player in HTML, and a line of text."""
    from workbench.types.html import media_html

    try:
        data = {"text/plain": repr(value), "text/html": media_html(value)}
    except (MediaError, OSError) as error:
        data = {"text/plain": f"{type(value).__name__}: {error}"}
    return chosen(data, {}, include, exclude)
