"""The server side of the SDK, either major, as far as the demo needs it."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any

import mcp
from mcp import types
from pydantic import BaseModel

__all__ = ["Context", "Server", "ToolFailure", "asked", "block", "hints"]

_MAJOR = 2 if hasattr(mcp, "Client") else 1
_PACKAGE = import_module("mcp.server.mcpserver" if _MAJOR == 2 else "mcp.server.fastmcp")

Server: Any = _PACKAGE.MCPServer if _MAJOR == 2 else _PACKAGE.FastMCP
Context: Any = _PACKAGE.Context
ToolFailure: Any = import_module(f"{_PACKAGE.__name__}.exceptions").ToolError


def block(kind: str, **fields: Any) -> Any:
    """A content block, from the protocol's own field names."""
    models: dict[str, Any] = {
        "text": types.TextContent,
        "image": types.ImageContent,
        "audio": types.AudioContent,
        "resource_link": types.ResourceLink,
    }
    return models[kind].model_validate({"type": kind, **fields})


def hints(**given: bool) -> Any:
    """Annotations of a tool, from the protocol's own field names."""
    return types.ToolAnnotations.model_validate(given)


def asked(message: str, model: type[BaseModel], then: Callable[[Any], str]) -> Any:
    """A tool function that asks the person for `model` and answers with ``then(answer)``."""
    if _MAJOR == 2:
        return _asked_by_resolving(message, model, then)

    async def ask(context: Context) -> str:
        answer = await context.elicit(message, schema=model)
        if answer.action != "accept":
            return f"No answer ({answer.action})."
        return then(answer.data)

    return ask


def _asked_by_resolving(message: str, model: type[BaseModel], then: Callable[[Any], str]) -> Any:
    """The newer protocol cannot ask in the middle of a call: the answer is an argument."""
    from typing import Annotated

    from mcp.server.mcpserver import AcceptedElicitation, Elicit, ElicitationResult, Resolve

    async def question() -> Any:
        return Elicit(message, model)

    async def ask(answer: Any) -> str:
        if not isinstance(answer, AcceptedElicitation):
            return "No answer."
        return then(answer.data)

    question.__annotations__["return"] = Elicit[model]  # type: ignore[valid-type]  # known at run time
    ask.__annotations__["answer"] = Annotated[ElicitationResult[model], Resolve(question)]  # type: ignore[valid-type]  # known at run time
    return ask
