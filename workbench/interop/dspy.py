"""A tool for DSPy's programs and agents."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from workbench._optional import require
from workbench.schema.inline import inlined_properties
from workbench.tools.settings import context
from workbench.tools.tool_class import Tool
from workbench.types import AgentAudio, AgentImage

__all__ = ["to_dspy"]


def to_dspy(tool: Tool) -> Any:
    """A ``dspy.Tool`` that calls this tool.

    Arguments are checked here, not by DSPy. Pictures and sounds come back as ``dspy.Image`` and
    ``dspy.Audio``, so that a trajectory carries them to the model. Failures raise. An async tool
    may be called synchronously where DSPy's own setting allows that.

    Parameters
    ----------
    tool : Tool
        Any tool, wherever it came from.

    Raises
    ------
    MissingExtra
        If ``dspy`` is not installed.
    """
    dspy = require("dspy", extra="dspy", feature="a DSPy tool")

    def call(**arguments: Any) -> Any:
        allowed = bool(dspy.settings.allow_tool_async_sync_conversion)
        changes = {"allow_tool_async_sync_conversion": True} if allowed else {}
        with context(**changes):
            return _shown(tool.run(arguments).unwrap(), dspy)

    async def call_async(**arguments: Any) -> Any:
        return _shown((await tool.arun(arguments)).unwrap(), dspy)

    return _kind()(
        call_async if tool.is_async and not tool.remote else call,
        sync=call,
        later=call_async,
        make_schema=functools.partial(tool.schema, "litellm"),
        name=tool.name,
        desc=tool.description,
        args=inlined_properties(tool.input_schema),
        arg_types=dict.fromkeys(tool.args, Any),
    )


@functools.cache
def _kind() -> Any:
    """The subclass of ``dspy.Tool``, made when DSPy is there."""
    base = require("dspy", extra="dspy", feature="a DSPy tool").Tool
    watched = require("dspy.utils.callback", extra="dspy", feature="a DSPy tool").with_callbacks
    private = require("pydantic", extra="dspy", feature="a DSPy tool").PrivateAttr

    class WorkbenchTool(base):  # type: ignore[misc, valid-type]  # known at run time only
        """A tool of workbench, in DSPy's words."""

        _sync: Any = private()
        _later: Any = private()
        _make_schema: Any = private()

        def __init__(self, func: Any, *, sync: Any, later: Any, make_schema: Any, **about: Any):
            about["desc"] = about["desc"] or " "  # DSPy would take the adapter's own docstring
            super().__init__(func, **about)
            self.desc = about["desc"].strip()
            self._sync, self._later, self._make_schema = sync, later, make_schema

        def format_as_litellm_function_call(self) -> dict[str, Any]:
            return dict(self._make_schema())

        @watched  # type: ignore[untyped-decorator]  # DSPy has no types
        def __call__(self, **arguments: Any) -> Any:
            return self._sync(**arguments)

        @watched  # type: ignore[untyped-decorator]  # DSPy has no types
        async def acall(self, **arguments: Any) -> Any:
            return await self._later(**arguments)

    return WorkbenchTool


def _shown(value: Any, dspy: Any) -> Any:
    """A value with its media in DSPy's types."""
    if isinstance(value, AgentImage):
        return dspy.Image(_data_uri(value))
    if isinstance(value, AgentAudio):
        return dspy.Audio(_data_uri(value))
    if isinstance(value, Mapping):
        return {key: _shown(item, dspy) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)([_shown(item, dspy) for item in value])
    return str(value) if isinstance(value, str) else value


def _data_uri(value: Any) -> str:
    import base64

    return f"data:{value.mime_type};base64,{base64.b64encode(value.to_bytes()).decode('ascii')}"
