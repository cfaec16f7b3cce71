"""What a result is made of: any Python value as content blocks, in order.

A block is an agent type, a :class:`Resource`, a :class:`ResourceLink`, or a plain Python value
(a number, a record, a table, a figure) that shows itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.errors import WorkbenchError, bounded_repr
from workbench.types import AgentType, wrap

__all__ = ["Resource", "ResourceLink", "blocks"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """A resource whose contents came with the result (MCP ``EmbeddedResource``).

    Parameters
    ----------
    uri : str
        Where it says it is from.
    value : object
        Its contents as an agent type, or ``bytes`` where no type fits.
    mime_type : str or None
        As the bytes have it, else as the server says.
    meta : mapping
        The server's ``_meta``.

    Examples
    --------
    >>> from workbench import AgentText
    >>> Resource(uri="note://1", value=AgentText("hi"), mime_type="text/plain").value
    'hi'
    """

    uri: str
    value: Any
    mime_type: str | None = None
    meta: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceLink:
    """A resource that can be read on demand (MCP ``ResourceLink``); it is never fetched unasked.

    Parameters
    ----------
    uri : str
        Where it is.
    name, title, description, mime_type : str or None
        What the server says of it.
    size : int or None
        Bytes, if the server says.

    Examples
    --------
    >>> ResourceLink(uri="demo://report", name="report").uri
    'demo://report'
    """

    uri: str
    name: str | None = None
    title: str | None = None
    description: str | None = None
    mime_type: str | None = None
    size: int | None = None

    def read(self) -> Any:
        """The contents, read now: an agent type, bytes, or a list where there are several.

        Raises
        ------
        WorkbenchError
            If the server has no such thing, or the link came without a connection to one.
        """
        raise WorkbenchError(
            f"the link to {bounded_repr(self.uri)} has no server to read it from; connect to the "
            "server and use client.read_resource(uri)"
        )


_BLOCKS = (AgentType, Resource, ResourceLink)


def blocks(value: Any) -> tuple[Any, ...]:
    """Turn any value into content blocks, in order.

    Parameters
    ----------
    value : object
        What a tool returned. Tuples and lists that hold media or text blocks are spread; other
        containers stay one block.

    Returns
    -------
    tuple
        Empty for None.

    Examples
    --------
    >>> blocks(("a caption", 3))
    ('a caption', 3)
    >>> blocks([1, 2])
    ([1, 2],)
    """
    wrapped = wrap(value)
    if wrapped is None:
        return ()
    if type(wrapped) in (tuple, list) and _is_sequence_of_blocks(wrapped):
        return tuple(block for item in wrapped for block in blocks(item))
    return (wrapped,)


def _is_sequence_of_blocks(items: tuple[Any, ...] | list[Any]) -> bool:
    """A tuple of unlike parts, or a list that has something to look at or listen to."""
    if type(items) is list:
        return any(isinstance(item, _BLOCKS) and not isinstance(item, str) for item in items)
    return any(isinstance(item, _BLOCKS) for item in items)
