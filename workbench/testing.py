"""Helpers for testing tools, servers and forms, without a page and without a process."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from workbench.bench.likeness import Tolerance, differences
from workbench.errors import InvalidArguments
from workbench.forms import Form
from workbench.interop.serve import server_of
from workbench.sources.mcp import MCPClient
from workbench.tools import ToolCollection, ToolResult

__all__ = ["Tolerance", "assert_like", "fill_and_run", "in_memory"]


def assert_like(
    result: ToolResult, expected: ToolResult, tolerance: Tolerance | None = None
) -> None:
    """Assert that a result says what another did.

    Parameters
    ----------
    result : ToolResult
        What came now.
    expected : ToolResult
        What is right.
    tolerance : Tolerance, optional
        How far pictures, sounds and numbers may be apart.

    Raises
    ------
    AssertionError
        If they differ; names every difference.

    Examples
    --------
    >>> assert_like(ToolResult(["a", 1.0]), ToolResult(["a", 1]))
    """
    __tracebackhide__ = True
    found = differences(result, expected, tolerance)
    if found:
        raise AssertionError("the result is not what it was:\n" + "\n".join(found[:20]))


def fill_and_run(target: Any, *, timeout_s: float = 30.0, **texts: Any) -> ToolResult:
    """Enter values into a form, press Run as a person does, and wait for the result.

    Parameters
    ----------
    target : Form, Tool or callable
        What to fill.
    timeout_s : float
        Seconds to wait.
    **texts
        What is entered, by field: text is typed and read as the field's type, anything else is
        set as it is.

    Raises
    ------
    InvalidArguments
        If what was entered does not fit; the form shows it too.
    ToolTimeout
        If there is no result in time.

    Examples
    --------
    >>> def add(a: int, b: int) -> int:
    ...     return a + b
    >>> fill_and_run(add, a="1", b=2).value
    3
    """
    form = target if isinstance(target, Form) else Form(target)
    for name, entered in texts.items():
        if isinstance(entered, str):
            form.model.set_text((name,), entered)
        else:
            form.model.set((name,), entered)
    if form.problems:
        raise InvalidArguments(form.problems, form.tool.name if form.tool else "")
    return form.run().wait(timeout_s)


@contextlib.contextmanager
def in_memory(*tools: Any, **options: Any) -> Iterator[ToolCollection]:
    """Tools as an MCP client sees them, over a server in this process.

    What comes back has been through the protocol, so that a test finds what a model's host
    would get.

    Parameters
    ----------
    *tools : Tool, callable or server object
        Functions and tools are served; one server object of the MCP SDK is taken as it is.
    **options
        Those of :class:`workbench.MCPClient`.

    Examples
    --------
    >>> def add(a: int, b: int) -> int:
    ...     return a + b
    >>> with in_memory(add) as tools:
    ...     tools["add"].run({"a": 1, "b": 2}).text
    '3'
    """
    lone = tools[0] if len(tools) == 1 else None
    is_server = lone is not None and not callable(lone)
    client = MCPClient(lone if is_server else server_of(tools), **options)
    try:
        yield client.get_tools()
    finally:
        client.disconnect()
