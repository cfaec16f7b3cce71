"""A tool as a Gradio app: a component for each argument, one for the result."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterable, Mapping
from keyword import iskeyword
from typing import Any

from workbench._optional import require
from workbench.errors import InvalidArguments, Problem
from workbench.schema.inline import inlined_properties
from workbench.tools.result_html import json_text
from workbench.tools.tool_class import Tool
from workbench.types import AgentType

__all__ = ["demo_of", "launch_gradio_demo"]

_MEDIA = {"image": "Image", "audio": "Audio", "video": "Video"}
_RESULTS = {**_MEDIA, "string": "Textbox", "number": "Number", "integer": "Number"}
_MOST_CHOICES = 500


def launch_gradio_demo(tool: Tool, **options: Any) -> Any:
    """Open a Gradio app for a tool.

    Parameters
    ----------
    tool : Tool
        Any tool, wherever it came from.
    **options
        For Gradio's ``launch``: ``share``, ``server_port``, ``prevent_thread_lock`` and so on.

    Returns
    -------
    tuple
        What ``launch`` gives: the app, its address here, and its shared address.

    Raises
    ------
    MissingExtra
        If ``gradio`` is not installed.
    """
    return demo_of(tool).launch(**options)


def demo_of(tool: Tool) -> Any:
    """A ``gr.Interface`` that calls this tool.

    Media go in and out as files; arrays, objects and unions are written as JSON. What is left
    empty is left out where the tool allows that. A failure is shown as Gradio's error.

    Parameters
    ----------
    tool : Tool
        Any tool.

    Raises
    ------
    MissingExtra
        If ``gradio`` is not installed.
    """
    gradio = require("gradio", extra="gradio", feature="a Gradio demo of a tool")
    views, schemas = tool.inputs, inlined_properties(tool.input_schema)

    async def answer(*given: Any) -> Any:
        try:
            arguments = _arguments(tool, views, given)
        except InvalidArguments as error:
            raise gradio.Error(str(error)) from None
        result = await tool.arun(arguments)
        if result.is_error:
            raise gradio.Error(result.text)
        return _sent(result.value, tool.output_type)

    answer.__signature__ = _signature(views)  # type: ignore[attr-defined]  # inspect reads it
    return gradio.Interface(
        fn=answer,
        api_name=tool.name,
        inputs=[_input(gradio, name, view, schemas[name]) for name, view in views.items()],
        outputs=_output(gradio, tool.output_type),
        title=tool.title or tool.name,
        description=tool.description,
        flagging_mode="never",
    )


def _signature(names: Iterable[str]) -> inspect.Signature:
    """What Gradio names an endpoint's parameters after; numbered where Python has no such names."""
    kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
    known = list(names)
    if not all(name.isidentifier() and not iskeyword(name) for name in known):
        known = [f"param_{at}" for at in range(len(known))]
    return inspect.Signature([inspect.Parameter(name, kind) for name in known])


def _kind(view: Mapping[str, Any]) -> str:
    kind = view["type"]
    return kind if isinstance(kind, str) else "any"


def _is_json(view: Mapping[str, Any]) -> bool:
    """Whether an argument is written as JSON, having no component of its own."""
    return _kind(view) not in (*_MEDIA, "string", "number", "integer", "boolean")


def _input(gradio: Any, name: str, view: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
    kind, value = _kind(view), schema.get("default")
    about = {"label": name if not _is_json(view) else f"{name} (JSON)"}
    if view.get("description"):
        about["info"] = view["description"]
    if kind in _MEDIA:
        more = {} if kind == "video" else {"type": "filepath"}
        return getattr(gradio, _MEDIA[kind])(label=name, **more)
    if _is_json(view):
        text = json.dumps(value, ensure_ascii=False) if "default" in schema else None
        return gradio.Textbox(value=text, lines=3, **about)
    if 0 < len(view.get("enum") or ()) <= _MOST_CHOICES:
        return gradio.Dropdown(choices=list(view["enum"]), value=value, **about)
    if kind == "boolean":
        return gradio.Checkbox(value=bool(value), **about)
    if kind == "string":
        return gradio.Textbox(value=value, **about)
    return gradio.Number(value=value, precision=0 if kind == "integer" else None, **about)


def _output(gradio: Any, output_type: str) -> Any:
    name = _RESULTS.get(output_type, "JSON")
    return getattr(gradio, name)(label="result")


def _arguments(tool: Tool, views: Mapping[str, Any], given: tuple[Any, ...]) -> dict[str, Any]:
    """What the components hold, as arguments.

    Raises
    ------
    InvalidArguments
        If what is written as JSON is none.
    """
    arguments, problems = {}, []
    for (name, view), value in zip(views.items(), given, strict=True):
        if value is None or value == "":
            if _kind(view) == "string" and not view.get("nullable"):
                arguments[name] = ""
            continue
        try:
            arguments[name] = json.loads(value) if _is_json(view) else value
        except ValueError as error:
            problems.append(Problem(path=(name,), message=f"is not JSON: {error}"))
    if problems:
        raise InvalidArguments(problems, tool.name)
    return arguments


def _sent(value: Any, output_type: str) -> Any:
    """A result as Gradio's component takes it: media as files, data as JSON."""
    if output_type in ("string", *_MEDIA):
        return None if value is None else str(value)
    if output_type in ("number", "integer"):
        return value
    return json_text(str(value) if isinstance(value, AgentType) else value)
