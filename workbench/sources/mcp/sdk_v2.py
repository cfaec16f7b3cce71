"""Connections through the second major of the SDK, which speaks both protocol eras."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from workbench.sources.mcp.sdk import Callbacks, plain, transport
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
            params["ref"] = _reference(params["ref"])
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


def _reference(ref: Mapping[str, Any]) -> Any:
    from mcp import types

    if ref.get("type") == "ref/prompt":
        return types.PromptReference(type="ref/prompt", name=ref["name"])
    return types.ResourceTemplateReference(type="ref/resource", uri=ref["uri"])


def _options(callbacks: Callbacks) -> dict[str, Any]:
    from mcp import types

    async def elicit(context: Any, params: Any) -> Any:
        assert callbacks.elicit is not None
        return types.ElicitResult.model_validate(await callbacks.elicit(plain(params)))

    async def sample(context: Any, params: Any) -> Any:
        assert callbacks.sample is not None
        return types.CreateMessageResult.model_validate(await callbacks.sample(plain(params)))

    async def roots(context: Any) -> Any:
        listed = [types.Root.model_validate({"uri": uri}) for uri in callbacks.roots]
        return types.ListRootsResult(roots=listed)

    async def log(params: Any) -> None:
        callbacks.log(plain(params))

    async def heard(message: Any) -> None:
        method = getattr(getattr(message, "root", message), "method", None)
        if isinstance(method, str):
            callbacks.changed(method)

    return {
        "elicitation_callback": elicit if callbacks.elicit else None,
        "sampling_callback": sample if callbacks.sample else None,
        "list_roots_callback": roots if callbacks.roots else None,
        "logging_callback": log,
        "log_level": "debug",
        "message_handler": heard,
    }


@contextlib.asynccontextmanager
async def connect(
    target: Target, callbacks: Callbacks, errlog: Any, mode: str
) -> AsyncIterator[_Peer]:
    """Open a connection in one of the SDK's modes."""
    from mcp import Client

    server = target.server if isinstance(target, MemoryTarget) else transport(target, errlog)
    async with Client(server, mode=mode, **_options(callbacks)) as client:
        yield _Peer(client)
