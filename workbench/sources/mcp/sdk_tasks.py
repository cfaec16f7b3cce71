"""Tasks of the newer protocol, through the second major of the SDK.

A server may answer a call with a handle instead of a result. Then it is asked how the task goes,
what the task asks is answered, and the result is in its last state (extension
``io.modelcontextprotocol/tasks``, revision 2026-07-28).
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from functools import cache
from importlib import import_module
from typing import Any, ClassVar, Literal

from workbench.errors import WorkbenchError
from workbench.sources.mcp.sdk import Progress
from workbench.sources.mcp.tasks import pause_s
from workbench.sources.mcp.tolerance import tolerated

__all__ = ["reporting", "task_extension"]

_EXTENSION = "io.modelcontextprotocol/tasks"

_QUESTIONS = {
    "elicitation/create": "ElicitRequest",
    "roots/list": "ListRootsRequest",
    "sampling/createMessage": "CreateMessageRequest",
}

_progress: ContextVar[Progress | None] = ContextVar("workbench_task_progress", default=None)


@contextlib.contextmanager
def reporting(on_progress: Progress) -> Iterator[None]:
    """Have the state of tasks that begin in here told as progress."""
    token = _progress.set(on_progress)
    try:
        yield
    finally:
        _progress.reset(token)


@cache
def task_extension() -> Any:
    """The extension that the SDK's client takes; made when the SDK is first used."""
    sdk: Any = import_module("mcp.client.extension")
    claim = sdk.ResultClaim(result_type="task", model=_models()[0], resolve=_resolve)

    class Tasks(sdk.ClientExtension):  # type: ignore[misc]  # a class of the SDK, by name
        identifier = _EXTENSION

        def claims(self) -> Any:
            return (claim,)

    return Tasks()


@cache
def _models() -> tuple[Any, Any, Any]:
    """The handle that answers a call, a later state of its task, and a request after it."""
    types: Any = import_module("mcp.types")

    class State(types.Result):  # type: ignore[misc]  # a class of the SDK, by name
        model_config: ClassVar[Any] = {"extra": "allow"}

    class Handle(State):
        result_type: Literal["task"] = "task"

    class About(types.Request):  # type: ignore[misc]  # a class of the SDK, by name
        # The specification wants the task's name in a header, for routers on the way.
        name_param: ClassVar[str | None] = "taskId"
        method: str
        params: Any

    return Handle, State, About


async def _ask(session: Any, method: str, **params: Any) -> dict[str, Any]:
    _, state, about = _models()
    answer = await session.send_request(about(method=method, params=params), state)
    return dict(answer.model_dump(by_alias=True, mode="json"))


async def _resolve(handle: Any, context: Any) -> Any:
    """The result of a call that was answered with a handle."""
    task = handle.model_dump(by_alias=True, mode="json")
    try:
        task = await _ended(context.session, task)
    except asyncio.CancelledError:
        with contextlib.suppress(Exception):  # it may be done, and the call is given up anyway
            async with asyncio.timeout(1):
                await _ask(context.session, "tasks/cancel", taskId=task["taskId"])
        raise
    return _outcome(context.tool_name, task)


async def _ended(session: Any, task: dict[str, Any]) -> dict[str, Any]:
    steps, answered = 0, set[str]()
    while task.get("status") in ("working", "input_required"):
        steps += 1
        report = _progress.get()
        if report is not None:
            await report(steps, None, task.get("statusMessage"))
        await _answer(session, task, answered)
        await asyncio.sleep(pause_s(task.get("pollIntervalMs")))
        task = await _ask(session, "tasks/get", taskId=task["taskId"])
    return task


async def _answer(session: Any, task: Mapping[str, Any], answered: set[str]) -> None:
    """Answer what the task asks, each question once."""
    for key, asked in (task.get("inputRequests") or {}).items():
        if key in answered:
            continue
        answered.add(key)
        reply = await _reply(session, key, asked)
        await _ask(session, "tasks/update", taskId=task["taskId"], inputResponses={key: reply})


async def _reply(session: Any, key: str, asked: Any) -> Any:
    types: Any = import_module("mcp.types")
    method = asked.get("method") if isinstance(asked, Mapping) else None
    if method not in _QUESTIONS:
        raise WorkbenchError(f"the server's task asks {asked!r:.200}, which no client can answer")
    request = getattr(types, _QUESTIONS[method]).model_validate(asked, by_name=False)
    client: Any = import_module("mcp.client")
    context = client.ClientRequestContext(session=session, request_id=key, meta=None)
    reply = await session.dispatch_input_request(context, request)
    if isinstance(reply, types.ErrorData):
        raise import_module("mcp").MCPError.from_error_data(reply)
    return reply.model_dump(by_alias=True, mode="json", exclude_none=True)


def _outcome(name: str, task: Mapping[str, Any]) -> Any:
    types: Any = import_module("mcp.types")
    if task.get("status") == "completed":
        return types.CallToolResult.model_validate(tolerated(dict(task.get("result") or {})))
    if task.get("status") == "failed":
        error = {"code": -32603, "message": task.get("statusMessage") or "the task failed"}
        error = types.ErrorData.model_validate({**error, **(task.get("error") or {})})
        raise import_module("mcp").MCPError.from_error_data(error)
    why = task.get("statusMessage") or ""
    raise WorkbenchError(f"{name}: the server cancelled the task{why and f' ({why})'}")
