"""The client for MCP servers: connect in one cell, use the tools in others."""

from __future__ import annotations

import atexit
import os
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from workbench.errors import ConnectionFailed, UntrustedCodeError
from workbench.sources.mcp.connection import Connection, Handlers
from workbench.sources.mcp.results import block_from, contents_from
from workbench.sources.mcp.sdk import plain
from workbench.sources.mcp.target import MemoryTarget, StdioTarget, Target, targets_from
from workbench.sources.mcp.tool import MCPTool, python_name
from workbench.tools.collection import ToolCollection
from workbench.tools.loop import background, in_notebook
from workbench.tools.run import LogLine

__all__ = ["MCPClient", "collection_from_mcp", "tool_from_session"]

_open: weakref.WeakSet[MCPClient] = weakref.WeakSet()


class MCPClient:
    """Connections to one or several MCP servers, and their tools.

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
        Seconds without an answer or progress after which a call is given up.
    connect_timeout_s : float
        Seconds for a server to answer at all.
    elicitation : callable, optional
        ``elicitation(message, schema)`` gives a dict, or None to decline, or raises
        :class:`ToolCancelled`; may be a coroutine function. Without it the person is asked in
        the form, if there is one.
    sampling : callable, optional
        ``sampling(messages, params)`` gives text.
    roots : sequence of path, optional
        Folders that the server is told of.
    mode : str
        "auto", or "legacy" for servers that need the older protocol.

    Raises
    ------
    ConnectionFailed
        If a server does not answer, naming why.

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
        connect_timeout_s: float = 30,
        elicitation: Callable[..., Any] | None = None,
        sampling: Callable[..., Any] | None = None,
        roots: Sequence[str | Path] | None = None,
        mode: str = "auto",
    ) -> None:
        smol = dict(adapter_kwargs or {})
        handlers = Handlers(
            elicitation,
            sampling,
            tuple(Path(r).resolve().as_uri() for r in roots or ()),
            in_notebook(),
        )
        self.structured_output = structured_output
        self._tools: ToolCollection | None = None
        self.connections = [
            Connection(
                target,
                handlers,
                timeout_s=float(smol.get("client_session_timeout_seconds") or timeout_s),
                connect_timeout_s=float(smol.get("connect_timeout") or connect_timeout_s),
                mode=mode,
            )
            for target in targets_from(server_parameters)
        ]
        self.connect()

    def connect(self) -> MCPClient:
        """Connect to every server; harmless when that has been done.

        Raises
        ------
        ConnectionFailed
            If one does not answer.
        """
        if self._tools is None:
            _open.add(self)
            try:
                self._tools = background().wait(self._listed())
            except BaseException:
                self.disconnect()
                raise
        return self

    async def _listed(self) -> ToolCollection:
        several = len(self.connections) > 1
        made: list[MCPTool] = []
        taken: set[str] = set()
        for number, connection in enumerate(self.connections):
            prefix = f"{_server_word(connection.target, number)}_" if several else ""
            listed = await connection.pages("list_tools", "tools")
            made.extend(self._tool(item, connection, prefix, taken) for item in listed)
        collection = ToolCollection(made)
        collection._close = self.disconnect
        return collection

    def _tool(
        self, definition: Mapping[str, Any], connection: Connection, prefix: str, taken: set[str]
    ) -> MCPTool:
        name = python_name(str(definition.get("name", "")))
        if name in taken and prefix:
            name = python_name(prefix + name)
        base, count = name, 2
        while name in taken:
            name, count = f"{base}_{count}", count + 1
        taken.add(name)
        return MCPTool(
            definition,
            connection.call,
            name=name,
            source=str(connection.target),
            structured_output=self.structured_output,
        )

    def disconnect(self) -> None:
        """End all connections and what was started for them; harmless when that has been done."""
        self._tools = None
        _open.discard(self)
        for connection in self.connections:
            background().wait(connection.close())

    def get_tools(self) -> ToolCollection:
        """The tools of all servers.

        Raises
        ------
        ConnectionFailed
            If there is no connection.
        """
        if self._tools is None:
            raise ConnectionFailed("not connected; call connect() first")
        return self._tools

    def __enter__(self) -> ToolCollection:
        return self.connect().get_tools()

    def __exit__(self, *exception: object) -> None:
        self.disconnect()

    async def __aenter__(self) -> ToolCollection:
        return self.connect().get_tools()

    async def __aexit__(self, *exception: object) -> None:
        self.disconnect()

    def __repr__(self) -> str:
        servers = ", ".join(str(connection.target) for connection in self.connections)
        count = "not connected" if self._tools is None else f"{len(self._tools)} tools"
        return f"<MCPClient {servers}: {count}>"

    @property
    def log(self) -> tuple[LogLine, ...]:
        """What the servers have logged, and the last lines of their standard error."""
        lines = [line for connection in self.connections for line in connection.log]
        for connection in self.connections:
            lines += [LogLine(level="stderr", text=t) for t in connection.stderr(100).splitlines()]
        return tuple(lines)

    # Resources and prompts

    def _all(self, method: str, key: str) -> list[dict[str, Any]]:
        return [
            item
            for connection in self.connections
            for item in background().wait(connection.pages(method, key))
        ]

    def list_resources(self) -> list[dict[str, Any]]:
        """Every resource: ``uri``, ``name``, ``mimeType`` and so on, as the protocol has them."""
        return self._all("list_resources", "resources")

    def list_resource_templates(self) -> list[dict[str, Any]]:
        """Every template of resources, with its ``uriTemplate`` (RFC 6570)."""
        return self._all("list_resource_templates", "resourceTemplates")

    def read_resource(self, uri: str) -> Any:
        """The contents of a resource as an agent type or bytes; a list if there are several.

        Raises
        ------
        WorkbenchError
            If no server has it.
        """
        answer = self._first("read_resource", uri=uri)
        values = [contents_from(contents).value for contents in answer.get("contents") or ()]
        return values[0] if len(values) == 1 else values

    def list_prompts(self) -> list[dict[str, Any]]:
        """Every prompt, with its ``arguments``."""
        return self._all("list_prompts", "prompts")

    def get_prompt(
        self, name: str, arguments: Mapping[str, str] | None = None
    ) -> list[dict[str, Any]]:
        """The messages of a prompt: ``role``, and ``content`` as an agent type."""
        answer = self._first("get_prompt", name=name, arguments=dict(arguments or {}))
        return [
            {"role": message["role"], "content": block_from(message["content"])}
            for message in answer.get("messages") or ()
        ]

    def complete(self, ref: Mapping[str, Any], argument: str, value: str) -> list[str]:
        """Suggestions for an argument of a prompt or a resource template."""
        given = {"name": argument, "value": value}
        answer = self._first("complete", ref=ref, argument=given)
        return list((answer.get("completion") or {}).get("values") or ())

    def _first(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer of the first server that has one."""
        last: Exception | None = None
        for connection in self.connections:
            try:
                return background().wait(connection.request(method, **params))
            except ConnectionFailed:
                raise
            except Exception as error:  # noqa: BLE001  # the next server may know it
                last = error
        raise last or ConnectionFailed("there is no server to ask")


def _server_word(target: Target, number: int) -> str:
    if target.name:
        return python_name(target.name)
    if isinstance(target, StdioTarget):
        words = [a for a in (target.command, *target.args) if not a.startswith("-")]
        return python_name(os.path.basename(words[-1]).partition(".")[0])  # noqa: PTH119  # text, not a path
    return python_name(str(target)) if isinstance(target, MemoryTarget) else f"server{number + 1}"


def collection_from_mcp(
    server_parameters: Any, *, trust_remote_code: bool = False, structured_output: bool = False
) -> ToolCollection:
    """The tools of servers as a collection whose ``with`` block ends the connections.

    Raises
    ------
    UntrustedCodeError
        Without `trust_remote_code`, before anything has started.
    """
    if not trust_remote_code:
        named = ", ".join(repr(str(target)) for target in targets_from(server_parameters))
        raise UntrustedCodeError(
            f"this would start or reach {named}, whose code is not checked by anyone; nothing has "
            "run. If you trust it, pass trust_remote_code=True"
        )
    return MCPClient(server_parameters, structured_output=structured_output).get_tools()


def tool_from_session(session: Any, tool: Any, *, result_mode: str = "text") -> MCPTool:
    """A tool of a session that the caller owns, on the loop where the caller uses it.

    Raises
    ------
    ValueError
        If `result_mode` is neither "text" nor "structured".
    """
    if result_mode not in ("text", "structured"):
        raise ValueError(f"result_mode must be 'text' or 'structured', got {result_mode!r}")
    definition = tool if isinstance(tool, Mapping) else plain(tool)

    async def caller(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        answer = await session.call_tool(name, arguments=dict(arguments))
        return dict(answer) if isinstance(answer, Mapping) else plain(answer)

    from workbench.sources.mcp.session_tool import SessionTool

    return SessionTool(
        definition,
        caller,
        name=python_name(str(definition.get("name", ""))),
        source="an MCP session",
        structured_output=result_mode == "structured",
    )


def _close_all() -> None:
    for client in tuple(_open):
        client.disconnect()


atexit.register(_close_all)
