"""Connections through the second major of the SDK, which speaks both protocol eras."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any

from workbench.sources.mcp.sdk import (
    Callbacks,
    Progress,
    plain,
    reference,
    session_options,
    transport,
)
from workbench.sources.mcp.target import MemoryTarget, Target

__all__ = ["connect"]


class _Peer:
    def __init__(self, client: Any) -> None:
        self._client = client
        self.protocol = str(client.protocol_version)

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        if method.startswith("list_"):
            params["cache_mode"] = "refresh"
        if method == "complete":
            params["ref"] = reference(params["ref"])
        return plain(await getattr(self._client, method)(**params))

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any], on_progress: Progress
    ) -> dict[str, Any]:
        called = self._client.call_tool(name, dict(arguments), progress_callback=on_progress)
        return plain(await called)


async def _accept(name: str, result: Any) -> None:
    """Let every result pass: the SDK would lose one that breaks its schema."""


async def _listen(client: Any) -> None:
    """Have the newer protocol tell of changes; they arrive as the older one's notifications."""
    with contextlib.suppress(Exception):  # a server may have no such thing, or go away
        async with client.listen(tools_list_changed=True) as events:
            async for _ in events:
                pass


def _may_change(client: Any) -> bool:
    tools = client.server_capabilities.tools
    return client.session.discover_result is not None and bool(tools and tools.list_changed)


@contextlib.asynccontextmanager
async def connect(
    target: Target, callbacks: Callbacks, errlog: Any, mode: str
) -> AsyncIterator[_Peer]:
    """Open a connection in one of the SDK's modes."""
    from mcp import Client

    if isinstance(target, MemoryTarget):
        server = target.server
    else:
        server = transport(target, callbacks, errlog)
    async with Client(server, mode=mode, **session_options(callbacks), log_level="debug") as client:
        client.session.validate_tool_result = _accept  # type: ignore[method-assign]  # see there
        listening = asyncio.create_task(_listen(client)) if _may_change(client) else None
        try:
            yield _Peer(client)
        finally:
            if listening is not None:
                listening.cancel()
                await asyncio.wait([listening], timeout=1)
