"""The tools of servers, kept up to date while they change."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.sources.mcp.handle import Handle
from workbench.sources.mcp.naming import names_for, server_words
from workbench.sources.mcp.tasks import needs_task
from workbench.sources.mcp.tool import MCPTool
from workbench.tools.collection import ToolCollection

__all__ = ["Listed", "LiveTools"]

_MARKED = ("title", "description", "inputSchema", "outputSchema", "annotations")


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """What one server has listed.

    Parameters
    ----------
    handle : Handle
        Its connection.
    definitions : sequence of mapping
        Its tools, as published.
    """

    handle: Handle
    definitions: Sequence[Mapping[str, Any]]


class LiveTools(ToolCollection):
    """A collection that its client updates in place.

    Parameters
    ----------
    listed : sequence of Listed
        What each server has.
    structured_output : bool
        Take values from the structured content where there is one.
    close : callable
        Ends the connections.
    """

    def __init__(
        self, listed: Sequence[Listed], structured_output: bool, close: Callable[[], None]
    ) -> None:
        self._structured_output = structured_output
        self._first_seen: dict[tuple[int, str], Mapping[str, Any]] = {}
        super().__init__(self._made(listed))
        self._close = close

    def update(self, listed: Sequence[Listed]) -> tuple[MCPTool, ...]:
        """Have what the servers have now; gives the tools that are not what they were."""
        fresh = ToolCollection(self._made(listed))
        self._tools, self._by_name = fresh._tools, fresh._by_name
        return tuple(tool for tool in self._tools if isinstance(tool, MCPTool) and tool.changes)

    def _made(self, listed: Sequence[Listed]) -> list[MCPTool]:
        words = server_words([each.handle.connection.target for each in listed])
        wire = [[str(item.get("name", "")) for item in each.definitions] for each in listed]
        names = names_for(list(zip(words, wire, strict=True)))
        made = []
        for number, (each, own) in enumerate(zip(listed, names, strict=True)):
            source = str(each.handle.connection.target)
            for definition, name in zip(each.definitions, own, strict=True):
                made.append(self._tool(number, each.handle, definition, name, source))
        return made

    def _tool(
        self, number: int, handle: Handle, definition: Mapping[str, Any], name: str, source: str
    ) -> MCPTool:
        key = (number, str(definition.get("name", "")))
        first = self._first_seen.setdefault(key, definition)
        return MCPTool(
            definition,
            functools.partial(handle.call, as_task=needs_task(definition)),
            name=name,
            source=source,
            structured_output=self._structured_output,
            fetch=handle.fetch,
            changes=()
            if first is definition
            else tuple(k for k in _MARKED if first.get(k) != definition.get(k)),
        )
