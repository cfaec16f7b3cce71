"""Text that is a ``str`` and knows what kind of text it is."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Any, ClassVar

from workbench.types.base import AgentType, chosen
from workbench.types.visible import visible

__all__ = ["AgentText"]

_SHOWN = 50_000
"""Characters shown in a notebook; the value has them all."""


class AgentText(AgentType, str):
    """A ``str`` with a media type.

    Parameters
    ----------
    value : object
        Anything; what is no str is converted as ``str()`` does.
    mime_type : str
        "text/plain", or "text/markdown" to have it shown as Markdown.

    Examples
    --------
    >>> text = AgentText("plain")
    >>> text + "!", text.to_raw(), text.mime_type
    ('plain!', 'plain', 'text/plain')
    """

    media: ClassVar[str] = "text"
    mime_type: str

    def __new__(cls, value: object = "", *, mime_type: str = "text/plain") -> AgentText:
        """Make the text; `str` is immutable, so it is made here."""
        text = str.__new__(cls, value)
        text.mime_type = mime_type
        return text

    def __init__(self, value: object = "", *, mime_type: str = "text/plain") -> None:
        super().__init__()

    def to_raw(self) -> str:
        """The text, as a plain ``str``."""
        return str.__str__(self)

    def to_string(self) -> str:
        """The text, as a plain ``str``."""
        return str.__str__(self)

    def __getnewargs_ex__(self) -> Any:
        return (self.to_raw(),), {"mime_type": self.mime_type}

    def __copy__(self) -> AgentText:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> AgentText:
        return self

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> Any:
        data = {"text/plain": visible(self.to_raw()[:_SHOWN])}
        if self.mime_type.partition(";")[0] == "text/markdown":
            # Raw HTML in Markdown would be live in a trusted notebook.
            data["text/markdown"] = html.escape(self.to_raw()[:_SHOWN], quote=False).replace(
                "![", "&#33;["
            )
        return chosen(data, {}, include, exclude)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        more = len(self) - _SHOWN
        text = visible(self.to_raw()[:_SHOWN])
        printer.text(text if more <= 0 else f"{text}\n... {more} more characters")

    def _wire(self) -> str:
        return self.to_raw()

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: Any) -> Any:
        from pydantic_core import core_schema

        return core_schema.no_info_after_validator_function(
            cls,
            core_schema.str_schema(strict=True),
            serialization=core_schema.plain_serializer_function_ser_schema(
                lambda value: str.__str__(value), when_used="json"
            ),
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, core: Any, handler: Any) -> dict[str, Any]:
        return {"type": "string"}
