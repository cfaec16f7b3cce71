"""Connections through the second major of the SDK, which speaks both protocol eras."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from workbench.sources.mcp.sdk import Callbacks, plain, reference, session_options, transport
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
        self,
        name: str,
        arguments: Mapping[str, Any],
        on_progress: Callable[[float, float | None, str | None], Awaitable[None]],
    ) -> dict[str, Any]:
        from mcp import types

        try:
            answer = await self._client.call_tool(
                name, dict(arguments), progress_callback=on_progress
            )
        except RuntimeError as error:
            # The SDK refuses a result that breaks its schema; people want to see both.
            if "output schema" not in str(error) and "structured" not in str(error):
                raise
            request = types.CallToolRequest(
                params=types.CallToolRequestParams(name=name, arguments=dict(arguments))
            )
            answer = await self._client.session.send_request(request, types.CallToolResult)
        return plain(answer)


@contextlib.asynccontextmanager
async def connect(
    target: Target, callbacks: Callbacks, errlog: Any, mode: str
) -> AsyncIterator[_Peer]:
    """Open a connection in one of the SDK's modes."""
    from mcp import Client

    server = target.server if isinstance(target, MemoryTarget) else transport(target, errlog)
    async with Client(server, mode=mode, **session_options(callbacks), log_level="debug") as client:
        yield _Peer(client)
