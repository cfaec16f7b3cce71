"""What the page of an app may ask of the panel (MCP Apps, 2026-01-26).

A tool may have a page that shows its results. The page runs in a frame that reaches nothing; what
it wants of its server it asks for in messages, which the panel answers here.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from workbench.errors import InvalidArguments, WorkbenchError, bounded_repr
from workbench.interop.wire import result_to_wire
from workbench.sources.mcp.tool import MCPTool
from workbench.tools.loop import background
from workbench.tools.result import ToolResult, error_text
from workbench.tools.result_html import json_text
from workbench.tools.run import Run
from workbench.tools.runner import start
from workbench.tools.views import badges

if TYPE_CHECKING:
    from workbench.bench.workbench import Workbench

__all__ = ["ask"]

Content = Mapping[str, Any]
Reply = dict[str, Any]

_INVALID_PARAMS = -32602
_REFUSED = -32000
_MOST_SHOWN = 2_000


def ask(bench: Workbench, content: Content, follow: Callable[[Run], None]) -> Future[Reply]:
    """Answer a request of a page.

    Parameters
    ----------
    bench : Workbench
        Whose tools may be called.
    content : mapping
        "number" of the call that the page shows, "method", "params", and what the person has
        "allowed": "none", "all" or "this".
    follow : callable
        Takes each run that is started.

    Returns
    -------
    Future of dict
        "result" or "error" as in JSON-RPC; or "asks", the question that the person has to answer
        before a tool is called that may change something.
    """
    try:
        tool = _tool_of(bench, content)
        return _METHODS[str(content["method"])](bench, tool, content, follow)
    except InvalidArguments as error:
        return _at_once(_error(_INVALID_PARAMS, error))
    except WorkbenchError as error:
        return _at_once(_error(_REFUSED, error))


def _error(code: int, error: BaseException) -> Reply:
    return {"error": {"code": code, "message": error_text(error)}}


def _at_once(reply: Reply) -> Future[Reply]:
    done: Future[Reply] = Future()
    done.set_result(reply)
    return done


def _tool_of(bench: Workbench, content: Content) -> MCPTool:
    """The tool whose result the page shows."""
    tool = bench.tool(bench.history[int(content["number"])].tool)
    if not isinstance(tool, MCPTool):
        raise WorkbenchError(f"{tool.name!r} is on no server, which its page could ask")
    return tool


def _opened(
    bench: Workbench, tool: MCPTool, content: Content, follow: Callable[[Run], None]
) -> Future[Reply]:
    """What the page shows: the tool, the arguments and the result, in the protocol's words."""
    number = int(content["number"])
    given = tool.check(bench.history.arguments(number))
    result = result_to_wire(bench.history[number].result)
    return _at_once({"result": {"tool": tool.definition, "arguments": given, "result": result}})


def _called(
    bench: Workbench, tool: MCPTool, content: Content, follow: Callable[[Run], None]
) -> Future[Reply]:
    """Call a tool of the same server; what may change something only when allowed.

    What is for apps alone is the app's own business, and no call for the history.
    """
    params = content["params"]
    wanted = _sibling(bench, tool, str(params.get("name")))
    given = dict(params.get("arguments") or {})
    if _is_asked(wanted, str(content.get("allowed"))):
        text = json_text(given)[:_MOST_SHOWN]
        asks = {"name": wanted.name, "source": wanted.source, "arguments": text}
        return _at_once({"asks": {**asks, "badges": badges(wanted)}})
    if "model" not in wanted.visibility:
        return _translated(background().submit(wanted.perform_async(wanted.check(given))))
    run = start(wanted, given, origin="app")
    follow(run)
    return _translated(run.done)


def _is_asked(tool: MCPTool, allowed: str) -> bool:
    """Whether the person is asked: "this" call may be allowed, or "all" that destroy nothing."""
    harmless = allowed == "all" and "destructive" not in badges(tool)
    return not ("read-only" in badges(tool) or allowed == "this" or harmless)


def _translated(outcome: Future[ToolResult]) -> Future[Reply]:
    """An outcome in the protocol's words, when it is there."""
    return _after(outcome, lambda: {"result": result_to_wire(outcome.result())})


def _after(outcome: Future[Any], reply: Callable[[], Reply]) -> Future[Reply]:
    """What `reply` makes of an outcome, or its failure."""
    later: Future[Reply] = Future()

    def ended(outcome: Future[Any]) -> None:
        try:
            later.set_result(reply())
        except Exception as error:  # noqa: BLE001  # the page hears of any failure
            later.set_result(_error(_REFUSED, error))

    outcome.add_done_callback(ended)
    return later


def _sibling(bench: Workbench, tool: MCPTool, name: str) -> MCPTool:
    """A tool of the same server by its name there, if the server lets apps call it."""
    for each in bench.tools:
        if not isinstance(each, MCPTool) or "app" not in each.visibility:
            continue
        if (each.source, each.wire_name) == (tool.source, name):
            return each
    raise WorkbenchError(f"{tool.source} has no tool {bounded_repr(name)} for apps")


def _read(
    bench: Workbench, tool: MCPTool, content: Content, follow: Callable[[Run], None]
) -> Future[Reply]:
    """Read a resource of the same server."""
    answer = tool.resource(str(content["params"].get("uri")))
    return _after(answer, lambda: {"result": answer.result()})


_METHODS: dict[str, Callable[..., Future[Reply]]] = {
    "open": _opened,
    "tools/call": _called,
    "resources/read": _read,
}
