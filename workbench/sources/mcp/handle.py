"""A connection as clients and tools hold it."""

from __future__ import annotations

import sys
import weakref
from collections.abc import Mapping
from typing import Any

from workbench.sources.mcp.connection import Connection
from workbench.tools.loop import background

__all__ = ["Handle"]


class Handle:
    """Ends its connection when nobody holds it any more.

    The connection itself is held by its own task, so it would never be garbage.

    Parameters
    ----------
    connection : Connection
        Whose end this is.
    """

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        weakref.finalize(self, _close_soon, connection).atexit = False

    async def call(
        self, name: str, arguments: Mapping[str, Any], *, as_task: bool = False
    ) -> dict[str, Any]:
        """Call a tool; see :meth:`Connection.call`."""
        return await self.connection.call(name, arguments, as_task=as_task)

    async def fetch(self, uri: str) -> dict[str, Any]:
        """The answer of ``resources/read``."""
        return await self.connection.request("read_resource", uri=uri)


def _close_soon(connection: Connection) -> None:
    if connection.is_open and not sys.is_finalizing():
        background().submit(connection.close())
