"""The official SDK, both majors: the only place that knows which one is installed.

Everything that leaves here is plain data in the protocol's own spelling (``inputSchema``,
``isError``), so that the rest of the package sees one protocol and no SDK.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from workbench.errors import ConnectionFailed
from workbench.sources.mcp.streams import watched
from workbench.sources.mcp.target import HttpTarget, MemoryTarget, StdioTarget, Target, found
from workbench.sources.mcp.tolerance import restored

__all__ = ["APPS", "Callbacks", "Peer", "connect", "major"]

_GUARD = Path(__file__).with_name("guard.py")
_INTERNAL_ERROR = -32603

APPS = ("io.modelcontextprotocol/ui", {"mimeTypes": ["text/html;profile=mcp-app"]})
"""That pages which show a result are shown (MCP Apps): what servers are told of it."""

Progress = Callable[[float, float | None, str | None], Awaitable[None]]


class Peer(Protocol):
    """One connection to one server; every answer is plain data."""

    protocol: str

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask for a list or a thing: "list_tools", "read_resource" and so on."""

    async def call_tool(
        self, name: str, arguments: Mapping[str, Any], on_progress: Progress
    ) -> dict[str, Any]:
        """Call a tool; cancelling this reaches the server."""

    async def send(
        self, request: str, params: Mapping[str, Any], result: str, on_progress: Any = None
    ) -> dict[str, Any]:
        """Send a request by the names that the protocol's schema has for it and its result."""

    async def subscribe(self, uri: str, wanted: bool) -> None:
        """Have the server tell of changes of a resource, or no longer."""


Answers = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Callbacks:
    """What the client does when the server speaks first; None is not advertised.

    Parameters
    ----------
    elicit, sample : callable or None
        Take the parameters as plain data, give the answer as plain data.
    samples_tools : bool
        Whether `sample` knows what to do with tools.
    roots : tuple of str
        File addresses.
    log : callable
        Takes the parameters of a log message as plain data.
    noise : callable
        Takes a text about something that was no message.
    changed : callable
        Takes the method of a notification, and its parameters as plain data.
    ended : callable
        Called when the server has nothing more to say.
    refused : callable
        Takes the status of an HTTP answer of 400 and more, and what it asks for.
    failed : callable
        Takes what went wrong while a person signed in.
    waiting : callable
        Gives a block in which a person is waited for, so that no clock runs.
    """

    elicit: Answers | None
    sample: Answers | None
    samples_tools: bool
    roots: tuple[str, ...]
    log: Callable[[dict[str, Any]], None]
    noise: Callable[[str], None]
    changed: Callable[[str, dict[str, Any]], None]
    ended: Callable[[], None]
    refused: Callable[[int, str], None]
    failed: Callable[[ConnectionFailed], None]
    waiting: Callable[[], contextlib.AbstractContextManager[None]]


def major() -> int:
    """The major version of the SDK that is installed."""
    import mcp

    return 2 if hasattr(mcp, "Client") else 1


def plain(model: Any) -> dict[str, Any]:
    """A model of the SDK as the JSON object that the server sent."""
    inner = getattr(model, "root", model)
    made: dict[str, Any] = inner.model_dump(by_alias=True, mode="json", exclude_none=True)
    for key in ("tools", "content"):
        if isinstance(made.get(key), list):
            made[key] = [restored(item) for item in made[key]]
    return restored(made)


@contextlib.asynccontextmanager
async def connect(
    target: Target, callbacks: Callbacks, errlog: Any, mode: str
) -> AsyncIterator[Peer]:
    """Open a connection; leaving the block closes it, from the same task.

    Parameters
    ----------
    target : Target
        The server.
    callbacks : Callbacks
        What to do when the server asks.
    errlog : file
        Where the server's standard error goes; has a file descriptor.
    mode : str
        "auto" or "legacy": which protocol era to try (the second major only).
    """
    from workbench.sources.mcp import sdk_v1, sdk_v2

    # Its complaints reach the client's own log; without a handler they would also be printed.
    for name in ("mcp", "client"):
        if not logging.getLogger(name).handlers:
            logging.getLogger(name).addHandler(logging.NullHandler())
    opened = sdk_v2.connect if major() == 2 else sdk_v1.connect
    async with opened(target, callbacks, errlog, mode) as peer:
        yield peer


def transport(target: Target, callbacks: Callbacks, errlog: Any) -> Any:
    """The SDK's transport for a target that is not in this process."""
    assert not isinstance(target, MemoryTarget)
    made = _stdio(target, errlog) if isinstance(target, StdioTarget) else _http(target, callbacks)
    return watched(made, callbacks.ended)


def _stdio(target: StdioTarget, errlog: Any) -> Any:
    """The transport that starts a command, under the guard where process groups exist."""
    from mcp.client.stdio import StdioServerParameters, get_default_environment, stdio_client

    env = {**get_default_environment(), **target.env}
    program = found(target, env.get("PATH"))
    command, args = program, list(target.args)
    if os.name == "posix":
        guard = ["-I", "-S", str(_GUARD), str(os.getpid())]
        command, args = sys.executable, [*guard, program, *args]
    parameters = StdioServerParameters(command=command, args=args, env=env, cwd=target.cwd)
    return stdio_client(parameters, errlog=errlog)


@contextlib.asynccontextmanager
async def _http(target: HttpTarget, callbacks: Callbacks) -> AsyncIterator[Any]:
    """The transport for an address, signed in where the target says so."""
    if target.auth is None:
        async with _reached(target, None, callbacks) as streams:
            yield streams
        return
    from workbench.sources.mcp.sdk_oauth import provider

    auth, close = await provider(target.auth, target.url, callbacks)
    try:
        async with _reached(target, auth, callbacks) as streams:
            yield streams
    finally:
        await close()


@contextlib.asynccontextmanager
async def _reached(target: HttpTarget, auth: Any, callbacks: Callbacks) -> AsyncIterator[Any]:
    """The SDK's transport; answers of the server that are refusals are heard of."""
    from mcp.shared._httpx_utils import create_mcp_http_client

    def made(headers: Any = None, timeout: Any = None, auth: Any = None) -> Any:
        client: Any = create_mcp_http_client(headers=headers, timeout=timeout, auth=auth)
        client.event_hooks = {"response": [_hearing(callbacks.refused)]}
        return client

    headers = dict(target.headers)
    if target.transport == "sse":
        from mcp.client.sse import sse_client

        async with sse_client(
            target.url, headers=headers, auth=auth, httpx_client_factory=made
        ) as streams:
            yield streams
        return
    from mcp.client.streamable_http import streamable_http_client

    async with (
        made(headers, None, auth) as client,
        streamable_http_client(target.url, http_client=client) as streams,
    ):
        yield streams


def _hearing(refused: Callable[[int, str], None]) -> Callable[[Any], Awaitable[None]]:
    async def heard(response: Any) -> None:
        if response.status_code >= 400:
            refused(response.status_code, response.headers.get("www-authenticate", ""))

    return heard


def reference(ref: Mapping[str, Any]) -> Any:
    """The SDK's model of what a completion is for."""
    types: Any = import_module("mcp.types")
    if ref.get("type") == "ref/prompt":
        return types.PromptReference(type="ref/prompt", name=ref["name"])
    return types.ResourceTemplateReference(type="ref/resource", uri=ref["uri"])


def request_named(request: str, params: Mapping[str, Any]) -> Any:
    """The SDK's model of a request."""
    model: Any = getattr(import_module("mcp.types"), request)
    method = model.model_fields["method"].default
    return model.model_validate({"method": method, "params": dict(params)})


def session_options(callbacks: Callbacks) -> dict[str, Any]:
    """The callbacks as both majors take them; what nobody serves is not advertised."""
    types: Any = import_module("mcp.types")
    tools = types.SamplingToolsCapability() if callbacks.samples_tools else None

    async def roots(context: Any) -> Any:
        listed = [types.Root.model_validate({"uri": uri}) for uri in callbacks.roots]
        return types.ListRootsResult(roots=listed)

    async def log(params: Any) -> None:
        callbacks.log(plain(params))

    async def heard(message: Any) -> None:
        if isinstance(message, Exception):
            callbacks.noise(f"not a message of the protocol: {str(message)[:300]}")
        note = getattr(message, "root", message)
        method, params = getattr(note, "method", None), getattr(note, "params", None)
        if isinstance(method, str):
            callbacks.changed(method, plain(params) if params is not None else {})

    return {
        "elicitation_callback": _answering(callbacks.elicit, types, types.ElicitResult),
        "sampling_callback": _answering(
            callbacks.sample, types, types.CreateMessageResultWithTools
        ),
        "sampling_capabilities": types.SamplingCapability(tools=tools),
        "list_roots_callback": roots if callbacks.roots else None,
        "logging_callback": log,
        "message_handler": heard,
    }


def _answering(answers: Answers | None, types: Any, model: Any) -> Any:
    """A callback of the SDK; what goes wrong is an error for the server, not the session's end."""
    if answers is None:
        return None

    async def answer(context: Any, params: Any) -> Any:
        try:
            return model.model_validate(await answers(plain(params)))
        except Exception as error:  # noqa: BLE001  # a callback may raise anything
            return types.ErrorData(code=_INTERNAL_ERROR, message=str(error) or repr(error))

    return answer
