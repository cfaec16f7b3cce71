"""The workbench: tools from anywhere, a form for the one that is chosen, and a history."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.bench.history import History
from workbench.bench.servers import prompts_of, resources_of
from workbench.bench.targets import target_name, tools_from
from workbench.errors import WorkbenchError
from workbench.tools import events
from workbench.tools.collection import ToolCollection, no_such_tool
from workbench.tools.result import ToolResult
from workbench.tools.run import Run
from workbench.tools.runner import start
from workbench.tools.tool_class import Tool

if TYPE_CHECKING:
    from workbench.bench.panel import Panel

__all__ = ["Workbench", "open"]


class Workbench:
    """Tools to try by hand, with a history of the calls.

    Parameters
    ----------
    *sources : object
        Tools, callables, collections, clients, command strings, URLs, "module:function",
        "file.py" or the path of an ``mcp.json``.
    history : path, optional
        Calls that were saved with ``bench.history.save(path)``, to go on from; tools that have
        changed since are marked in the panel.

    Raises
    ------
    ConnectionFailed
        If a server does not answer.
    WorkbenchError
        If a source has no tools, or the history cannot be read.

    Examples
    --------
    >>> def add(a: int, b: int) -> int:
    ...     return a + b
    >>> bench = Workbench(add)
    >>> bench.run("add", a=1, b=2).wait().value, len(bench.history)
    (3, 1)
    >>> bench.close()
    """

    def __init__(self, *sources: Any, history: str | Path | None = None) -> None:
        self._closers: list[Callable[[], None]] = []
        self._clients: list[Any] = []
        tools: list[Tool] = []
        try:
            for source in sources:
                found = tools_from(source)
                self._closers.append(found.close)
                if hasattr(found.client, "list_resources"):
                    self._clients.append(found.client)
                tools.extend(found.tools)
            self.tools = ToolCollection(_apart(tools))
        except BaseException:
            self.close()
            raise
        self._own = {id(tool) for tool in self.tools}
        targets = [name for name in map(target_name, sources) if name]
        self.history = History(self.tools, targets)
        if history is not None:
            self.history.read(history)
        self._panel: Panel | None = None
        self._closers.append(events.subscribe(self._heard))

    def _heard(self, call: events.Call) -> None:
        if id(call.tool) in self._own:
            self.history.add(call)

    @cached_property
    def resources(self) -> ToolCollection:
        """The resources of MCP servers, each as a tool that reads it; asked for when first used.

        Raises
        ------
        ConnectionFailed
            If a server is gone.
        """
        return self._shelf("resources", resources_of, self.tools.names)

    @cached_property
    def prompts(self) -> ToolCollection:
        """The prompts of MCP servers, each as a tool that gives its messages.

        Raises
        ------
        ConnectionFailed
            If a server is gone.
        """
        return self._shelf("prompts", prompts_of, (*self.tools.names, *self.resources.names))

    def _shelf(
        self, kind: str, made_of: Callable[[Any], list[Tool]], taken: Iterable[str]
    ) -> ToolCollection:
        found = []
        for client in self._clients:
            for tool in made_of(client):
                tool.source = f"{_server(client)} · {kind}"
                found.append(tool)
        shelf = ToolCollection(_apart(found, taken))
        self._own |= {id(tool) for tool in shelf}
        self.history.know(kind, shelf)
        return shelf

    def run(self, name: str, /, **arguments: Any) -> Run:
        """Start a call and return at once.

        Raises
        ------
        WorkbenchError
            If there is no such tool.
        InvalidArguments
            If the arguments do not fit; nothing has started.
        """
        run = start(self.tool(name), arguments, origin="code")
        if self._panel is not None:
            self._panel.follow(run)
        return run

    def tool(self, name: str) -> Tool:
        """The tool of that name; a resource or a prompt, where no tool has it.

        Raises
        ------
        WorkbenchError
            If there is none; names what is near.
        """
        for shelf in ("tools", "resources", "prompts"):
            found: Tool | None = getattr(self, shelf).get(name)
            if found is not None:
                return found
        raise WorkbenchError(no_such_tool(name, self.tools.names))

    def select(self, name: str, /, **values: Any) -> Workbench:
        """Show the form of a tool, filled with `values`.

        Raises
        ------
        WorkbenchError
            If there is no such tool.
        """
        self.panel.select(self.tool(name).name, values or None)
        return self

    @property
    def panel(self) -> Panel:
        """What is shown in a notebook."""
        if self._panel is None:
            from workbench.bench.panel import Panel

            self._panel = Panel(self)
        return self._panel

    @property
    def last(self) -> ToolResult | None:
        """The result of the last call; None before the first."""
        return self.history[-1].result if len(self.history) else None

    def close(self) -> None:
        """End the connections that this workbench has made, and its widgets."""
        closers, self._closers = self._closers, []
        for closer in reversed(closers):
            with contextlib.suppress(WorkbenchError):
                closer()
        panel = self.__dict__.get("_panel")
        if panel is not None:
            panel.close()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Workbench of {self.tools!r}"

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> dict[str, Any]:
        table = self.tools._repr_mimebundle_()["text/html"]
        return {"text/plain": repr(self), "text/html": f"<strong>Workbench</strong>{table}"}

    def _ipython_display_(self) -> None:
        self.panel.show(self._repr_mimebundle_())


def _server(client: Any) -> str:
    """A client's servers, as people write them."""
    return ", ".join(str(connection.target) for connection in client.connections)


def _apart(tools: list[Tool], taken: Iterable[str] = ()) -> list[Tool]:
    """The same tools, those with equal names from different sources told apart by a number."""
    known = set(taken)
    apart = []
    for tool in tools:
        name, count = tool.name, 2
        while name in known:
            name, count = f"{tool.name}_{count}", count + 1
        known.add(name)
        apart.append(tool if name == tool.name else tool.renamed(name))
    return apart


def open(target: Any, *more: Any) -> Workbench:  # noqa: A001  # read as workbench.open
    """Open a workbench on anything that has tools.

    Parameters
    ----------
    target, *more : object
        As :class:`Workbench` takes them.

    Examples
    --------
    >>> with open(len) as bench:
    ...     bench.tools.names
    ('len',)
    """
    return Workbench(target, *more)
