"""Several tools together: a sequence, and a mapping by name."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, overload

from workbench.errors import ToolDefinitionError, bounded_repr
from workbench.tools.bridges import CollectionBridges
from workbench.tools.decorator import tool as made_tool
from workbench.tools.tool_class import Tool
from workbench.tools.views import type_words
from workbench.types.visible import visible

if TYPE_CHECKING:
    from workbench.tools.lint import Findings

__all__ = ["ToolCollection", "no_such_tool"]


class ToolCollection(CollectionBridges, Sequence[Tool]):
    """Tools in order, each under its own name.

    Parameters
    ----------
    tools : iterable of Tool or callable
        In order.

    Raises
    ------
    ToolDefinitionError
        If two have the same name, naming both owners.

    Examples
    --------
    >>> def add(a: int, b: int) -> int:
    ...     return a + b
    >>> tools = ToolCollection([add])
    >>> tools["add"](1, 2), len(tools), tools.names
    (3, 1, ('add',))
    """

    def __init__(self, tools: Iterable[Tool | Callable[..., Any]] = ()) -> None:
        made = [item if isinstance(item, Tool) else made_tool(item) for item in tools]
        self._tools = tuple(made)
        self._by_name = _by_name(self._tools)
        self._close: Callable[[], None] = lambda: None

    @property
    def tools(self) -> list[Tool]:
        """The tools, in a list of their own."""
        return list(self._tools)

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(self._by_name)

    @overload
    def __getitem__(self, key: int | str) -> Tool: ...

    @overload
    def __getitem__(self, key: slice) -> ToolCollection: ...

    def __getitem__(self, key: int | str | slice) -> Tool | ToolCollection:
        if isinstance(key, slice):
            return ToolCollection(self._tools[key])
        if isinstance(key, int):
            return self._tools[key]
        if key not in self._by_name:
            raise KeyError(no_such_tool(key, self.names))
        return self._by_name[key]

    def get(self, name: str, default: Tool | None = None) -> Tool | None:
        """The tool of that name, or `default`."""
        return self._by_name.get(name, default)

    def __contains__(self, item: object) -> bool:
        return item in self._by_name if isinstance(item, str) else item in self._tools

    def __iter__(self) -> Iterator[Tool]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)

    def __add__(self, other: Iterable[Tool | Callable[..., Any]]) -> ToolCollection:
        return ToolCollection([*self._tools, *other])

    def filter(self, keep: Callable[[Tool], bool]) -> ToolCollection:
        """Those tools for which `keep(tool)` is true."""
        return ToolCollection(tool for tool in self._tools if keep(tool))

    def prefix(self, text: str) -> ToolCollection:
        """The same tools with `text` before each name."""
        return ToolCollection(tool.renamed(text + tool.name) for tool in self._tools)

    def rename(self, names: dict[str, str]) -> ToolCollection:
        """The same tools, some of them under other names.

        Parameters
        ----------
        names : dict
            New names by old ones.

        Raises
        ------
        KeyError
            If there is no tool of an old name.
        """
        for old in names:
            self[old]
        return ToolCollection(
            tool.renamed(names[tool.name]) if tool.name in names else tool for tool in self._tools
        )

    def lint(self) -> Findings:
        """What will hurt a model or a provider about these tools, each with a way to mend it."""
        from workbench.tools.lint import lint

        return lint(self)

    def __enter__(self) -> ToolCollection:
        return self

    def __exit__(self, *exception: object) -> None:
        self._close()

    def __repr__(self) -> str:
        if not self._tools:
            return "ToolCollection([])"
        wide = min(40, max(len(name) for name in self.names))
        lines = [f"  {tool.name:<{wide}}  {_first_line(tool)}" for tool in self._tools[:100]]
        more = len(self) - 100
        return "\n".join(
            [f"{len(self)} tools:", *(visible(line.rstrip()) for line in lines)]
            + ([f"  ... and {more} more"] if more > 0 else [])
        )

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> dict[str, Any]:
        rows = "".join(_row(tool) for tool in self._tools[:500])
        head = "<tr><th>Tool</th><th>Parameters</th><th>Description</th></tr>"
        table = f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
        return {"text/plain": repr(self), "text/html": f"<div>{table}</div>"}


def _by_name(tools: tuple[Tool, ...]) -> dict[str, Tool]:
    named: dict[str, Tool] = {}
    for tool in tools:
        other = named.setdefault(tool.name, tool)
        if other is not tool:
            raise ToolDefinitionError(
                f"two tools are called {tool.name!r}: one from {other.source or 'here'}, one from "
                f"{tool.source or 'here'}; rename one with tool.renamed(...), or use .prefix(...)"
            )
    return named


def no_such_tool(name: Any, names: tuple[str, ...]) -> str:
    """That there is no tool of a name, and which one may have been meant."""
    near = get_close_matches(str(name), names, n=3, cutoff=0.5)
    hint = f"did you mean {', '.join(map(repr, near))}?" if near else _known(names)
    return f"there is no tool {bounded_repr(name)}; {hint}"


def _known(names: tuple[str, ...]) -> str:
    if not names:
        return "there are none"
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    return f"there are {', '.join(map(repr, names[:8]))}{more}"


def _first_line(tool: Tool) -> str:
    line = tool.description.strip().partition("\n")[0]
    return line if len(line) <= 80 else line[:77] + "..."


def _row(tool: Tool) -> str:
    parameters = ", ".join(f"{n}: {type_words(s, tool.input_schema)}" for n, s in tool.args.items())
    cells = (tool.name, parameters, _first_line(tool))
    return "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"
