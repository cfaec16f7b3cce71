"""What a tool says of its own behaviour: MCP's hints, which are claims and not guarantees."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

__all__ = ["ToolAnnotations"]

_WIRE = {
    "title": "title",
    "readOnlyHint": "read_only_hint",
    "destructiveHint": "destructive_hint",
    "idempotentHint": "idempotent_hint",
    "openWorldHint": "open_world_hint",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolAnnotations:
    """Hints about a tool's behaviour (MCP specification, ``ToolAnnotations``).

    Parameters
    ----------
    title : str or None
        A name for people.
    read_only_hint : bool or None
        The tool changes nothing. None when not said, here as below.
    destructive_hint : bool or None
        It may delete or overwrite.
    idempotent_hint : bool or None
        Calling it again with the same arguments changes nothing more.
    open_world_hint : bool or None
        It reaches outside: the web, other systems.

    Examples
    --------
    >>> ToolAnnotations.from_dict({"readOnlyHint": True}).read_only_hint
    True
    """

    title: str | None = None
    read_only_hint: bool | None = None
    destructive_hint: bool | None = None
    idempotent_hint: bool | None = None
    open_world_hint: bool | None = None

    @classmethod
    def from_dict(cls, given: Mapping[str, Any] | None) -> ToolAnnotations:
        """Read hints in MCP's camelCase or in snake_case; what is unknown is left out."""
        if not given:
            return cls()
        names = {field.name for field in fields(cls)}
        known = {_WIRE.get(key, key): value for key, value in given.items()}
        return cls(**{key: value for key, value in known.items() if key in names})

    @classmethod
    def of(cls, given: ToolAnnotations | Mapping[str, Any] | None) -> ToolAnnotations:
        """Hints as they are, or read from a mapping."""
        return given if isinstance(given, ToolAnnotations) else cls.from_dict(given)

    def to_dict(self) -> dict[str, Any]:
        """The hints that are set, in MCP's spelling."""
        pairs = ((wire, getattr(self, name)) for wire, name in _WIRE.items())
        return {wire: value for wire, value in pairs if value is not None}
