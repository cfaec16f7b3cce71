"""The client for MCP servers: connect in one cell, use the tools in others."""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import functools
import warnings
import weakref
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.errors import ConnectionFailed, WorkbenchError
from workbench.sources.mcp.asking import Asking
from workbench.sources.mcp.catalogue import Catalogue
from workbench.sources.mcp.config import filled, signed_in
from workbench.sources.mcp.connection import Connection
from workbench.sources.mcp.given import targets_from
from workbench.sources.mcp.handle import Handle
from workbench.sources.mcp.live import Listed, LiveTools
from workbench.sources.mcp.oauth import OAuth
from workbench.sources.mcp.target import Target
from workbench.tools.collection import ToolCollection
from workbench.tools.loop import background, in_notebook
from workbench.tools.run import LogLine

__all__ = ["MCPClient"]

_open: weakref.WeakSet[MCPClient] = weakref.WeakSet()


class MCPClient(Catalogue):
    """Connections to one or several MCP servers, and their tools.

    Of several servers, those that do not answer are warned of and listed in :attr:`failures`;
    the others work.

    Parameters
    ----------
    server_parameters : object
        A command string, URL, dict with "command" or "url", ``StdioServerParameters``, server
        object in this process, path of an ``mcp.json``, or a list of these.
    adapter_kwargs : mapping, optional
        "connect_timeout" and "client_session_timeout_seconds", as smolagents has them.
    structured_output : bool
        Take values from the structured content where there is one.
    timeout_s : float
        Seconds without an answer, progress or log line after which a call is given up.
    max_timeout_s : float
        Seconds after which a call is given up however much progress it shows; the time that a
        person takes to answer a question does not count.
    connect_timeout_s : float
        Seconds for a server to answer at all.
    elicitation : callable, optional
        ``elicitation(message, schema)`` gives a dict, or None to decline, or raises
        :class:`ToolCancelled`; may be a coroutine function. For an address to visit, `schema` is
        ``{"url": address}`` and any dict accepts. Without it the person is asked in the form, if
        there is one.
    sampling : callable, optional
        ``sampling(messages, params)`` gives text, an agent type, a list of these, or the
        protocol's own message; None declines. Messages have "role" and typed "content".
    roots : sequence of path, optional
        Folders that the server is told of.
    auth : OAuth or "oauth", optional
        How to sign in to servers at an address that do not say it themselves.
    mode : str
        "auto", or "legacy" for servers that need the older protocol.

    Attributes
    ----------
    failures : dict of str to ConnectionFailed
        The servers that did not answer.

    Raises
    ------
    ConnectionFailed
        If no server answers, naming why.

    Examples
    --------
    >>> with MCPClient("python -m workbench.demo") as tools:
    ...     tools["greet"](name="Ada")
    'Hello, Ada!'
    """

    def __init__(
        self,
        server_parameters: Any,
        adapter_kwargs: Mapping[str, Any] | None = None,
        structured_output: bool = False,
        *,
        timeout_s: float = 60,
        max_timeout_s: float = 3600,
        connect_timeout_s: float = 30,
        elicitation: Callable[..., Any] | None = None,
        sampling: Callable[..., Any] | None = None,
        roots: Sequence[str | Path] | None = None,
        auth: OAuth | str | None = None,
        mode: str = "auto",
    ) -> None:
        if mode not in ("auto", "legacy"):
            raise ValueError(f"mode must be 'auto' or 'legacy', got {mode!r}")
        smol = dict(adapter_kwargs or {})
        self.structured_output = structured_output
        self.failures: dict[str, ConnectionFailed] = {}
        self._targets = [signed_in(target, auth) for target in targets_from(server_parameters)]
        self._options: dict[str, Any] = {
            "timeout_s": float(smol.get("client_session_timeout_seconds") or timeout_s),
            "max_timeout_s": float(max_timeout_s),
            "connect_timeout_s": float(smol.get("connect_timeout") or connect_timeout_s),
            "mode": mode,
        }
        self._asking = Asking(
            elicitation=elicitation,
            sampling=sampling,
            roots=tuple(map(_file_address, roots or ())),
            people=in_notebook(),
        )
        super().__init__()
        self._tools: LiveTools | None = None
        self.connect()

    def connect(self) -> MCPClient:
        """Connect to every server; harmless when that has been done.

        Raises
        ------
        ConnectionFailed
            If none answers.
        """
        if self._tools is None:
            _end_at_exit()
            self.failures = {}
            self._handles = [h for h in map(self._handle, self._targets) if h is not None]
            try:
                listed = background().wait(self._listed_all())
            except BaseException:
                self.disconnect()
                raise
            self._tools = LiveTools(listed, self.structured_output, self.disconnect)
            _open.add(self)
            self._warn_of_failures()
        return self

    def _handle(self, target: Target) -> Handle | None:
        """A connection to be made; None if it lacks something that the person has to give."""
        try:
            connection = Connection(filled(target), self._asking, **self._options)
        except ConnectionFailed as error:
            self.failures[str(target)] = error
            return None
        changed = weakref.WeakMethod(self._changed)
        connection.on_change = lambda: _tell(changed)
        updated = weakref.WeakMethod(self._updated)
        connection.on_update = lambda uri: _tell(updated, uri)
        return Handle(connection)

    async def _listed_all(self) -> list[Listed]:
        """What the servers that answer have.

        Raises
        ------
        ConnectionFailed
            If none does.
        """
        found = await asyncio.gather(*map(self._listed, self._handles))
        listed = [each for each in found if each is not None]
        if not listed and self.failures:
            raise next(iter(self.failures.values()))
        self._handles = [each.handle for each in listed]
        return listed

    async def _listed(self, handle: Handle) -> Listed | None:
        try:
            definitions = await handle.connection.pages("list_tools", "tools")
        except (WorkbenchError, TimeoutError) as error:
            failed = error if isinstance(error, ConnectionFailed) else _no_list(handle, error)
            self.failures[str(handle.connection.target)] = failed
            await handle.connection.close()
            return None
        return Listed(handle=handle, definitions=definitions)

    def _warn_of_failures(self) -> None:
        for name, error in self.failures.items():
            message = f"the server {name!r} is left out: {error.message}"
            warnings.warn(message, RuntimeWarning, stacklevel=4)

    def _changed(self) -> None:
        """Have the tools of now; called on the background loop when a server says so."""
        self._refreshing = asyncio.ensure_future(self._refresh())

    async def _refresh(self) -> None:
        with contextlib.suppress(WorkbenchError, TimeoutError):  # the next call says what is wrong
            await self._list_again()

    async def _list_again(self) -> None:
        if self._tools is None:
            return
        listed = [
            Listed(handle=h, definitions=await h.connection.pages("list_tools", "tools"))
            for h in self._handles
        ]
        for tool in self._tools.update(listed):
            text = f"{tool.name!r} is not what it was: {', '.join(tool.changes)} changed"
            self._handles[0].connection.note("warning", text, "workbench")

    @property
    def servers(self) -> tuple[str, ...]:
        """The servers, as people write them: a command without its environment, an address."""
        return tuple(str(handle.connection.target) for handle in self._handles)

    def disconnect(self) -> None:
        """End all connections and what was started for them; harmless when that has been done."""
        handles, self._handles, self._tools = self._handles, [], None
        _open.discard(self)
        if handles:
            background().wait(_closed(handles))

    def get_tools(self) -> ToolCollection:
        """The tools of all servers; the collection follows when a server changes its list.

        Raises
        ------
        ConnectionFailed
            If there is no connection.
        """
        if self._tools is None:
            raise ConnectionFailed("not connected; call connect() first")
        return self._tools

    def refresh(self) -> ToolCollection:
        """Ask the servers for their tools again; those that tell of changes need no asking.

        Raises
        ------
        ConnectionFailed
            If there is no connection, or a server is gone.
        TimeoutError
            If a server does not answer.
        """
        tools = self.get_tools()
        background().wait(self._list_again())
        return tools

    def __enter__(self) -> ToolCollection:
        return self.connect().get_tools()

    def __exit__(self, *exception: object) -> None:
        self.disconnect()

    async def __aenter__(self) -> ToolCollection:
        return (await asyncio.to_thread(self.connect)).get_tools()

    async def __aexit__(self, *exception: object) -> None:
        await asyncio.to_thread(self.disconnect)

    def __repr__(self) -> str:
        servers = ", ".join(map(str, self._targets))
        count = "not connected" if self._tools is None else f"{len(self._tools)} tools"
        return f"<MCPClient {servers}: {count}>"

    @property
    def log(self) -> tuple[LogLine, ...]:
        """What the servers have logged, and the last lines of their standard error."""
        connections = [handle.connection for handle in self._handles]
        lines = [line for connection in connections for line in connection.log]
        for connection in connections:
            lines += [LogLine(level="stderr", text=t) for t in connection.stderr(100).splitlines()]
        return tuple(lines)


def _file_address(root: str | Path) -> str:
    text = str(root)
    return text if text.startswith("file://") else Path(root).resolve().as_uri()


def _no_list(handle: Handle, error: Exception) -> ConnectionFailed:
    connection = handle.connection
    said = "no answer in time" if isinstance(error, TimeoutError) else error
    return ConnectionFailed(
        f"cannot list the tools of {str(connection.target)!r}: {said}", connection.stderr()
    )


def _tell(reference: Callable[[], Callable[..., None] | None], *news: str) -> None:
    """Call a method, unless what it belongs to is gone."""
    method = reference()
    if method is not None:
        method(*news)


async def _closed(handles: Sequence[Handle]) -> None:
    await asyncio.gather(*(handle.connection.close() for handle in handles))


@functools.cache
def _end_at_exit() -> None:
    """End all connections before the interpreter does; registered after the loop's own end."""
    background()
    atexit.register(_close_all)


def _close_all() -> None:
    closing: list[Coroutine[Any, Any, None]] = [_closed(client._handles) for client in _open]
    futures = [background().submit(work) for work in closing]
    for future in futures:
        with contextlib.suppress(Exception):  # the process ends anyway, and the guard with it
            future.result(5)
