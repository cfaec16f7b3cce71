"""Connections through the first major of the SDK."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from importlib import import_module
from typing import Any

from workbench.sources.mcp.sdk import Callbacks, plain, reference, session_options, transport
from workbench.sources.mcp.target import MemoryTarget, Target

__all__ = ["connect"]


def _types() -> Any:
    """The SDK's models, under the names that this major gives them."""
    return import_module("mcp.types")


class _Peer:
    def __init__(self, session: Any, protocol: str) -> None:
        self._session = session
        self.protocol = protocol

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        types = _types()

        if method.startswith("list_"):
            cursor = params.pop("cursor", None)
            page = types.PaginatedRequestParams(cursor=cursor) if cursor else None
            return plain(await getattr(self._session, method)(params=page))
        if method == "complete":
            params["ref"] = reference(params["ref"])
        return plain(await getattr(self._session, method)(**params))

    async def call_tool(
        self,
        name: str,
        arguments: Mapping[str, Any],
        on_progress: Callable[[float, float | None, str | None], Awaitable[None]],
    ) -> dict[str, Any]:
        types = _types()

        number = self._session._request_id
        request = types.CallToolRequest(
            params=types.CallToolRequestParams(name=name, arguments=dict(arguments))
        )
        try:
            answer = await self._session.send_request(
                types.ClientRequest(request), types.CallToolResult, progress_callback=on_progress
            )
        except asyncio.CancelledError:
            await asyncio.shield(self._tell_cancelled(number))
            raise
        return plain(answer)

    async def _tell_cancelled(self, number: Any) -> None:
        """This major of the SDK stops waiting without telling the server."""
        types = _types()

        params = types.CancelledNotificationParams(requestId=number, reason="cancelled by the user")
        note = types.CancelledNotification(method="notifications/cancelled", params=params)
        with contextlib.suppress(Exception):  # the connection may be gone, and the call is anyway
            await self._session.send_notification(types.ClientNotification(note))


@contextlib.asynccontextmanager
async def connect(
    target: Target, callbacks: Callbacks, errlog: Any, mode: str
) -> AsyncIterator[_Peer]:
    """Open a connection; `mode` has no meaning for this major."""
    session_class: Any = import_module("mcp").ClientSession
    if isinstance(target, MemoryTarget):
        in_memory: Any = import_module("mcp.shared.memory")
        connected = in_memory.create_connected_server_and_client_session
        async with connected(target.server, **session_options(callbacks)) as session:
            yield _Peer(session, "in memory")
        return
    async with (
        transport(target, errlog) as streams,
        session_class(streams[0], streams[1], **session_options(callbacks)) as session,
    ):
        hello = await session.initialize()
        yield _Peer(session, str(hello.protocolVersion))
