"""Connections through the first major of the SDK."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from importlib import import_module
from typing import Any

from workbench.sources.mcp.sdk import (
    APPS,
    Callbacks,
    Progress,
    plain,
    reference,
    request_named,
    session_options,
    transport,
)
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
        if method.startswith("list_"):
            cursor = params.pop("cursor", None)
            page = _types().PaginatedRequestParams(cursor=cursor) if cursor else None
            return plain(await getattr(self._session, method)(params=page))
        if method == "complete":
            params["ref"] = reference(params["ref"])
        return plain(await getattr(self._session, method)(**params))

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any], on_progress: Progress
    ) -> dict[str, Any]:
        types = _types()
        # Not session.call_tool: it loses a result that breaks its schema.
        request = types.CallToolRequest(
            params=types.CallToolRequestParams(name=name, arguments=dict(arguments))
        )
        number = self._session._request_id
        try:
            answer = await self._session.send_request(
                types.ClientRequest(request), types.CallToolResult, progress_callback=on_progress
            )
        except asyncio.CancelledError:
            await self._tell_cancelled(number)
            raise
        return plain(answer)

    async def send(
        self, request: str, params: Mapping[str, Any], result: str, on_progress: Any = None
    ) -> dict[str, Any]:
        made = _types().ClientRequest(request_named(request, params))
        answer = await self._session.send_request(
            made, getattr(_types(), result), progress_callback=on_progress
        )
        return plain(answer)

    async def subscribe(self, uri: str, wanted: bool) -> None:
        change = self._session.subscribe_resource if wanted else self._session.unsubscribe_resource
        await change(uri)

    async def _tell_cancelled(self, number: Any) -> None:
        """This major of the SDK stops waiting without telling the server."""
        types = _types()
        params = types.CancelledNotificationParams(requestId=number, reason="cancelled by the user")
        note = types.CancelledNotification(method="notifications/cancelled", params=params)
        with contextlib.suppress(Exception):  # the connection may be gone, and the call is anyway
            async with asyncio.timeout(1):
                await self._session.send_notification(types.ClientNotification(note))


def _session_class() -> Any:
    types = _types()
    base: Any = import_module("mcp").ClientSession

    class Session(base):  # type: ignore[misc]  # a class of the SDK, by name
        """A session that goes on reading while a person is asked, and tells of its extensions."""

        async def send_request(self, request: Any, *args: Any, **options: Any) -> Any:
            if isinstance(request.root, types.InitializeRequest):
                told = request.root.params.capabilities
                extended = types.ClientCapabilities.model_validate(
                    {**told.model_dump(), "extensions": dict([APPS])}
                )
                request.root.params.capabilities = extended
            return await super().send_request(request, *args, **options)

        async def _received_request(self, responder: Any) -> None:
            self._task_group.start_soon(super()._received_request, responder)

    return Session


@contextlib.asynccontextmanager
async def _in_memory(server: Any) -> AsyncIterator[tuple[Any, Any]]:
    """Streams to a server object that runs beside."""
    streams: Any = import_module("mcp.shared.memory").create_client_server_memory_streams
    lowlevel = getattr(server, "_mcp_server", server)
    async with streams() as (ours, theirs):
        options = lowlevel.create_initialization_options()
        serving = asyncio.create_task(lowlevel.run(theirs[0], theirs[1], options))
        try:
            yield ours
        finally:
            serving.cancel()
            await asyncio.wait([serving], timeout=2)


@contextlib.asynccontextmanager
async def connect(
    target: Target, callbacks: Callbacks, errlog: Any, mode: str
) -> AsyncIterator[_Peer]:
    """Open a connection; `mode` has no meaning for this major."""
    if isinstance(target, MemoryTarget):
        opened: Any = _in_memory(target.server)
    else:
        opened = transport(target, callbacks, errlog)
    async with (
        opened as streams,
        _session_class()(streams[0], streams[1], **session_options(callbacks)) as session,
    ):
        hello = await session.initialize()
        yield _Peer(session, str(hello.protocolVersion))
