"""A call as a task: started, asked after, and fetched when it is done (MCP 2025-11-25, tasks)."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Mapping
from typing import Any

from workbench.errors import WorkbenchError
from workbench.sources.mcp.sdk import Peer, Progress

__all__ = ["called_as_task", "needs_task", "pause_s"]

_KEPT_MS = 600_000
"""How long the server is asked to keep the result."""

_PAUSE_S = (0.05, 30.0)
"""Bounds for the time between two questions after a task."""


def needs_task(definition: Mapping[str, Any]) -> bool:
    """Whether a tool can only be called as a task.

    Examples
    --------
    >>> needs_task({"execution": {"taskSupport": "required"}}), needs_task({})
    (True, False)
    """
    execution = definition.get("execution")
    return isinstance(execution, Mapping) and execution.get("taskSupport") == "required"


def pause_s(wanted_ms: object) -> float:
    """Seconds until the next question after a task, of which the server wants `wanted_ms`.

    Examples
    --------
    >>> pause_s(100), pause_s(None), pause_s(3_600_000)
    (0.1, 0.5, 30.0)
    """
    least, most = _PAUSE_S
    wanted_s = wanted_ms / 1000 if isinstance(wanted_ms, int | float) else 0.5
    return min(max(wanted_s, least), most)


async def called_as_task(
    peer: Peer, name: str, arguments: Mapping[str, Any], on_progress: Progress
) -> dict[str, Any]:
    """Call a tool as a task and wait for its result; cancelling this cancels the task.

    Raises
    ------
    WorkbenchError
        If the server ends the task without a result.
    """
    params = {"name": name, "arguments": dict(arguments), "task": {"ttl": _KEPT_MS}}
    # As an ordinary result, since the SDK's second major takes no other; see tolerance.py.
    started = await peer.send("CallToolRequest", params, "CallToolResult", on_progress)
    task = started.get("task")
    if not isinstance(task, Mapping):
        return started
    which = {"taskId": task["taskId"]}
    try:
        task = await _ended(peer, task, on_progress)
    except asyncio.CancelledError:
        with contextlib.suppress(Exception):  # it may be done, and the call is given up anyway
            async with asyncio.timeout(1):
                await peer.send("CancelTaskRequest", which, "CancelTaskResult")
        raise
    if task["status"] == "cancelled":
        raise WorkbenchError(f"{name}: the server cancelled the task")
    return await peer.send("GetTaskPayloadRequest", which, "CallToolResult")


async def _ended(peer: Peer, task: Mapping[str, Any], on_progress: Progress) -> Mapping[str, Any]:
    """The task when it has ended, or waits for input: then asking for the result brings it on."""
    steps = 0
    while task["status"] == "working":
        steps += 1
        await on_progress(steps, None, task.get("statusMessage"))
        await asyncio.sleep(pause_s(task.get("pollInterval")))
        task = await peer.send("GetTaskRequest", {"taskId": task["taskId"]}, "GetTaskResult")
    return task
