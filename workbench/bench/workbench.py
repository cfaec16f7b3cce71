"""The workbench: tools from anywhere, a form for the one that is chosen, and a history."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from workbench.bench.history import History
from workbench.bench.targets import target_name, tools_from
from workbench.errors import WorkbenchError
from workbench.tools import events
from workbench.tools.collection import ToolCollection
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

    Raises
    ------
    ConnectionFailed
        If a server does not answer.
    WorkbenchError
        If a source has no tools.

    Examples
    --------
    >>> def add(a: int, b: int) -> int:
    ...     return a + b
    >>> bench = Workbench(add)
    >>> bench.run("add", a=1, b=2).wait().value, len(bench.history)
    (3, 1)
    >>> bench.close()
    """

    def __init__(self, *sources: Any) -> None:
        self._closers: list[Callable[[], None]] = []
        tools: list[Tool] = []
        try:
            for source in sources:
                found, closers = tools_from(source)
                self._closers.extend(closers)
                tools.extend(found)
            self.tools = ToolCollection(_apart(tools))
        except BaseException:
            self.close()
            raise
        self._own = {id(tool) for tool in self.tools}
        self.history = History(self.tools, [name for name in map(target_name, sources) if name])
        self._panel: Panel | None = None
        self._closers.append(events.subscribe(self._heard))

    def _heard(self, call: events.Call) -> None:
        if id(call.tool) in self._own:
            self.history.add(call)

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
        """The tool of that name.

        Raises
        ------
        WorkbenchError
            If there is none; names what is near.
        """
        try:
            return self.tools[name]
        except KeyError as error:
            raise WorkbenchError(str(error.args[0])) from None

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


def _apart(tools: list[Tool]) -> list[Tool]:
    """The same tools, those with equal names from different sources told apart by a number."""
    taken: set[str] = set()
    apart = []
    for tool in tools:
        name, count = tool.name, 2
        while name in taken:
            name, count = f"{tool.name}_{count}", count + 1
        taken.add(name)
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
