"""Gradio's objects in this process as tools: an Interface, Blocks, or a tool object."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from workbench._optional import require
from workbench.errors import ToolDefinitionError, bounded_repr
from workbench.sources.space_values import endpoint_schema, output_word
from workbench.sources.spaces import SpaceTool, chosen_endpoint, identifier
from workbench.tools.foreign import Description
from workbench.tools.tool_class import Tool

__all__ = ["tool_from_gradio", "tools_from_gradio"]


def tool_from_gradio(given: Any, api_name: str | None = None) -> Tool:
    """A tool of a Gradio object.

    Parameters
    ----------
    given : object
        A ``gr.Interface`` or ``gr.Blocks``, or an object with ``name``, ``description`` and
        ``run``, whose annotations are read as any function's.
    api_name : str, optional
        Which endpoint of an app; by default the first, with a warning if there are others.

    Raises
    ------
    ToolDefinitionError
        If it is none of these, or has no such endpoint.
    """
    if _is_app(given):
        endpoints = given.get_api_info()["named_endpoints"]
        chosen = chosen_endpoint(endpoints, api_name, "the app")
        return _tool(given, chosen, endpoints[chosen], _once(given))
    if not all(hasattr(given, word) for word in ("name", "description", "run")):
        raise ToolDefinitionError(
            "a tool is made of a gr.Interface, of gr.Blocks, or of an object with name, "
            f"description and run; got {bounded_repr(given)}"
        )
    return Tool(given.run, name=given.name, desc=given.description)


def tools_from_gradio(app: Any) -> list[Tool]:
    """All named endpoints of a ``gr.Blocks``, in its order.

    Raises
    ------
    ToolDefinitionError
        If it is something else.
    """
    if not _is_app(app):
        raise ToolDefinitionError(
            f"this is neither gr.Interface nor gr.Blocks: {bounded_repr(app)}"
        )
    connect = _once(app)
    endpoints = app.get_api_info()["named_endpoints"]
    return [_tool(app, name, endpoint, connect) for name, endpoint in endpoints.items()]


def _is_app(given: Any) -> bool:
    return callable(getattr(given, "get_api_info", None)) and callable(
        getattr(given, "launch", None)
    )


def _tool(app: Any, api_name: str, endpoint: Any, connect: Callable[[], Any]) -> SpaceTool:
    own = getattr(app, "description", None) or ""
    title = getattr(app, "title", None) or ""
    about = Description(
        name=identifier(api_name),
        description=endpoint.get("description") or own or title.removeprefix("Gradio"),
        input_schema=endpoint_schema(endpoint),
        output_type=output_word(endpoint),
        source="a Gradio app",
    )
    return SpaceTool(about, endpoint, api_name, connect)


def _once(app: Any) -> Callable[[], Any]:
    """The app's client, made at the first call: the app then listens on loopback.

    Calling its function directly would leave out what its components do with values, its queue
    and its progress.
    """
    lock, made = threading.Lock(), list[Any]()

    def connect() -> Any:
        with lock:
            if not made:
                made.append(_client(app))
            return made[0]

    return connect


def _client(app: Any) -> Any:
    client_class = require("gradio_client", extra="gradio", feature="calling a Gradio app").Client
    if not getattr(app, "local_url", None):
        app.launch(
            prevent_thread_lock=True,
            quiet=True,
            share=False,
            inbrowser=False,
            inline=False,
            server_name="127.0.0.1",
        )
    return client_class(app.local_url, verbose=False, analytics_enabled=False)
