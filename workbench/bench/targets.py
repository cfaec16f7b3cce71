"""What a person names, as tools: objects, commands, addresses, modules and files."""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.errors import WorkbenchError, bounded_repr
from workbench.tools.collection import ToolCollection
from workbench.tools.decorator import tool as made_tool
from workbench.tools.tool_class import Tool

__all__ = ["Found", "target_name", "tools_from"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a source has.

    Parameters
    ----------
    tools : list of Tool
        Its tools.
    client : object or None
        The client of its server, if it is one, which may have resources and prompts too.
    close : callable
        Ends what has been started for it.
    """

    tools: list[Tool]
    client: Any = None
    close: Callable[[], None] = lambda: None


def tools_from(source: Any) -> Found:
    """What a source has.

    Parameters
    ----------
    source : object
        A Tool, callable, ToolCollection, MCPClient, or what names one: "package.module",
        "package.module:function", "file.py", "file.py:function", a URL, an ``mcp.json``, or a
        command.

    Raises
    ------
    WorkbenchError
        If nothing is there.
    ConnectionFailed
        If a server does not answer.
    """
    if isinstance(source, Tool):
        return Found(tools=[source])
    if isinstance(source, ToolCollection):
        return Found(tools=source.tools)
    if hasattr(source, "get_tools") and callable(source.get_tools):
        return Found(tools=list(source.get_tools()), client=source)
    if isinstance(source, str):
        return _from_text(source.strip())
    if callable(source) and not hasattr(source, "run"):
        return Found(tools=[made_tool(source)])
    if isinstance(source, (list, tuple)) and all(
        isinstance(item, (Tool, ToolCollection)) for item in source
    ):
        return Found(tools=[tool for item in source for tool in tools_from(item).tools])
    return _from_server(source)


def target_name(source: Any) -> str | None:
    """The text that names a source in another process too; None where there is none.

    Examples
    --------
    >>> from math import sqrt
    >>> target_name(sqrt), target_name(lambda: 1)
    ('math:sqrt', None)
    """
    if isinstance(source, str):
        return source.strip()
    func = source.func if isinstance(source, Tool) and not source.remote else source
    module, name = getattr(func, "__module__", None), getattr(func, "__qualname__", "")
    known = sys.modules.get(module) if isinstance(module, str) and module != "__main__" else None
    is_found = known is not None and getattr(known, name, None) in (func, source)
    return f"{module}:{name}" if is_found else None


def _from_server(source: Any) -> Found:
    from workbench.sources.mcp import MCPClient

    client = MCPClient(source)
    return Found(tools=list(client.get_tools()), client=client, close=client.disconnect)


_FILE = re.compile(r"(?P<path>[^:\n]+\.py)(:(?P<name>\w+))?\Z")
_MODULE = re.compile(r"(?P<module>[A-Za-z_]\w*(\.\w+)*):(?P<name>\w+)\Z")


def _from_text(text: str) -> Found:
    file = _FILE.match(text)
    if file and " " not in text:
        return Found(tools=_named(_loaded(Path(file["path"])), file["name"], text))
    module = _MODULE.match(text)
    if module:
        return Found(tools=_named(_imported(module["module"], text), module["name"], text))
    if re.fullmatch(r"[A-Za-z_]\w*(\.\w+)+", text) and importlib.util.find_spec(
        text.partition(".")[0]
    ):
        return Found(tools=_named(_imported(text, text), None, text))
    return _from_server(text)


def _loaded(path: Path) -> Any:
    if not path.is_file():
        raise WorkbenchError(f"there is no file {str(path)!r}")
    spec = importlib.util.spec_from_file_location(f"workbench_target_{path.stem}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise WorkbenchError(f"{str(path)!r} fails when it is loaded: {error!r}") from error
    return module


def _imported(name: str, text: str) -> Any:
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise WorkbenchError(f"{text!r} cannot be imported: {error}") from error


def _named(module: Any, name: str | None, text: str) -> list[Tool]:
    """The function of that name; without a name, the tools and the module's own functions."""
    if name is not None:
        found = getattr(module, name, None)
        if found is None:
            known = [n for n, v in vars(module).items() if callable(v) and not n.startswith("_")]
            raise WorkbenchError(
                f"{text!r} has no {name!r}; it has {', '.join(known[:12]) or 'nothing'}"
            )
        return tools_from(found).tools
    tools = [value for value in vars(module).values() if isinstance(value, Tool)]
    own = [
        made_tool(value)
        for key, value in vars(module).items()
        if inspect.isfunction(value) and value.__module__ == module.__name__ and key[0] != "_"
    ]
    if not (tools or own):
        raise WorkbenchError(f"{bounded_repr(text)} has no tools and no functions of its own")
    return tools or own
