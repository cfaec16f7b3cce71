"""A server of the SDK at an address: streamable HTTP, for known hosts and origins only.

A page of another site can send requests to a server on this machine under a name that it has
pointed here (DNS rebinding): the protocol asks servers to check where requests come from
(MCP 2025-11-25, basic/transports, "Security Warning").
"""

from __future__ import annotations

import contextlib
import inspect
import ipaddress
import socket
import sys
from collections.abc import AsyncIterator, Sequence
from importlib import import_module
from typing import Any

__all__ = ["http_app", "run_http"]

PATH = "/mcp"
_MOST_BYTES = 64 * 2**20
"""Of a request: pictures and sounds are arguments too."""
_PATIENCE_S = 3
"""How long streams may end by themselves when the server is stopped."""


def http_app(
    server: Any,
    host: str,
    port: int,
    allowed_hosts: Sequence[str] = (),
    allowed_origins: Sequence[str] = (),
) -> Any:
    """The server as an ASGI application.

    Parameters
    ----------
    server : object
        A low-level server of the SDK.
    host, port : str, int
        Where it is bound, which is what requests may name.
    allowed_hosts, allowed_origins : sequence of str
        Further names that they may come with, as "example.org:8000" and "https://example.org".

    Raises
    ------
    ValueError
        If it is bound to every address, and no name is given under which it is known.
    """
    manager_class: Any = import_module(
        "mcp.server.streamable_http_manager"
    ).StreamableHTTPSessionManager
    options: dict[str, Any] = {"max_request_body_size": _MOST_BYTES}
    known = inspect.signature(manager_class).parameters
    manager = manager_class(
        app=server,
        security_settings=_security(host, port, allowed_hosts, allowed_origins),
        **{name: value for name, value in options.items() if name in known},
    )

    @contextlib.asynccontextmanager
    async def lifespan(app: Any) -> AsyncIterator[None]:
        async with manager.run():
            yield

    async def endpoint(scope: Any, receive: Any, send: Any) -> None:
        await manager.handle_request(scope, receive, send)

    routing: Any = import_module("starlette.routing")
    application: Any = import_module("starlette.applications").Starlette
    return application(routes=[routing.Route(PATH, endpoint=_Asgi(endpoint))], lifespan=lifespan)


class _Asgi:
    """An ASGI application as an object, which a route does not take for a request handler."""

    def __init__(self, call: Any) -> None:
        self._call = call

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await self._call(scope, receive, send)


def run_http(
    server: Any,
    host: str,
    port: int,
    allowed_hosts: Sequence[str] = (),
    allowed_origins: Sequence[str] = (),
) -> None:
    """Serve until the process is told to stop; says on stderr where, when it can be reached.

    Parameters
    ----------
    port : int
        0 takes a free one.
    server, host, allowed_hosts, allowed_origins
        As :func:`http_app` takes them.

    Raises
    ------
    ValueError
        As :func:`http_app` does.
    OSError
        If the address is taken, or none of this machine's.
    """
    uvicorn: Any = import_module("uvicorn")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.create_server((host, port), family=family) as bound:
        port = bound.getsockname()[1]
        app = http_app(server, host, port, allowed_hosts, allowed_origins)
        config = uvicorn.Config(app, log_level="warning", timeout_graceful_shutdown=_PATIENCE_S)
        written = f"[{host}]" if family == socket.AF_INET6 else host
        sys.stderr.write(f"serving at http://{written}:{port}{PATH}\n")
        sys.stderr.flush()
        uvicorn.Server(config).run(sockets=[bound])


def _security(host: str, port: int, hosts: Sequence[str], origins: Sequence[str]) -> Any:
    names = _names(host)
    if not names and not hosts:
        raise ValueError(
            f"bound to {host!r} the server answers under every name: say under which it is known, "
            "as allowed_hosts=['example.org:8000']"
        )
    own = [f"{name}:{port}" for name in names]
    settings: Any = import_module("mcp.server.transport_security").TransportSecuritySettings
    return settings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=[*own, *hosts],
        allowed_origins=[*(f"http://{each}" for each in own), *origins],
    )


def _names(host: str) -> list[str]:
    """What a bound address is called; nothing for those that stand for all addresses."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return ["localhost", "127.0.0.1"] if host == "localhost" else [host]
    if address.is_unspecified:
        return []
    written = f"[{address}]" if address.version == 6 else str(address)
    return [written, "localhost"] if address.is_loopback else [written]
