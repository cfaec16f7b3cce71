"""Connections through the second major of the SDK, which speaks both protocol eras."""

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
from workbench.sources.mcp.sdk_tasks import reporting, task_extension
from workbench.sources.mcp.target import MemoryTarget, Target

__all__ = ["connect"]


class _Peer:
    def __init__(self, client: Any, listener: _Listener | None) -> None:
        self._client = client
        self._listener = listener
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
        with reporting(on_progress):
            called = self._client.call_tool(name, dict(arguments), progress_callback=on_progress)
            return plain(await called)

    async def send(
        self, request: str, params: Mapping[str, Any], result: str, on_progress: Any = None
    ) -> dict[str, Any]:
        answer = await self._client.session.send_request(
            request_named(request, params),
            getattr(import_module("mcp.types"), result),
            progress_callback=on_progress,
        )
        return plain(answer)

    async def subscribe(self, uri: str, wanted: bool) -> None:
        if self._listener is not None:
            await self._listener.subscribe(uri, wanted)
            return
        # Not client.subscribe_resource: it warns, though servers of the older era have only that.
        request = "SubscribeRequest" if wanted else "UnsubscribeRequest"
        await self.send(request, {"uri": uri}, "EmptyResult")


async def _accept(name: str, result: Any) -> None:
    """Let every result pass: the SDK would lose one that breaks its schema."""


class _Listener:
    """The newer protocol's stream of changes; they arrive as the older one's notifications.

    Parameters
    ----------
    client : mcp.Client
        Connected.
    """

    def __init__(self, client: Any) -> None:
        self._client = client
        self._uris: set[str] = set()
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Listen, to what is wanted now."""
        await self.stop()
        offered = self._client.server_capabilities
        told = {
            f"{name}_list_changed": True
            for name in ("tools", "prompts", "resources")
            if getattr(getattr(offered, name), "list_changed", False)
        }
        if told or self._uris:
            self._task = asyncio.create_task(self._listen(told))

    async def _listen(self, told: dict[str, bool]) -> None:
        with contextlib.suppress(Exception):  # a server may have no such thing, or go away
            uris = tuple(self._uris)
            async with self._client.listen(**told, resource_subscriptions=uris) as events:
                async for _ in events:
                    pass

    async def subscribe(self, uri: str, wanted: bool) -> None:
        """Listen to the changes of a resource too, or no longer."""
        (self._uris.add if wanted else self._uris.discard)(uri)
        await self.start()

    async def stop(self) -> None:
        """Listen no longer."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.wait([task], timeout=1)


def _extensions() -> list[Any]:
    pages = import_module("mcp.client.extension").advertise(*APPS)
    return [pages, task_extension()]


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
    options = session_options(callbacks)
    async with Client(
        server, mode=mode, **options, extensions=_extensions(), log_level="debug"
    ) as client:
        client.session.validate_tool_result = _accept  # type: ignore[method-assign]  # see there
        listener = _Listener(client) if client.session.discover_result is not None else None
        try:
            if listener is not None:
                await listener.start()
            yield _Peer(client, listener)
        finally:
            if listener is not None:
                await listener.stop()
