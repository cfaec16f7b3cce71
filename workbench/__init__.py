"""Try any tool by hand: a form from its schema, a run, a typed result, in a notebook.

Names are loaded when they are first used, so that ``import workbench`` stays light.
"""

# The name that type checkers know; ``typing`` alone would double the time of this import.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from workbench.bench import CallRecord, History, Workbench, open
    from workbench.errors import (
        AsyncToolError,
        ConnectionFailed,
        InvalidArguments,
        MediaError,
        MissingExtra,
        Problem,
        ToolCancelled,
        ToolDefinitionError,
        ToolError,
        ToolTimeout,
        UntrustedCodeError,
        WorkbenchError,
    )
    from workbench.forms import Form, FormModel
    from workbench.interop import launch_gradio_demo
    from workbench.sources.hub import load_tool
    from workbench.sources.mcp import MCPClient, OAuth
    from workbench.tools import (
        Run,
        Tool,
        ToolCallResults,
        ToolCalls,
        ToolCollection,
        ToolResult,
        configure,
        context,
        tool,
    )
    from workbench.types import (
        AgentAudio,
        AgentImage,
        AgentText,
        AgentType,
        AgentVideo,
        unwrap,
        wrap,
    )

__version__ = "0.1.0"

__all__ = [
    "AgentAudio",
    "AgentImage",
    "AgentText",
    "AgentType",
    "AgentVideo",
    "AsyncToolError",
    "CallRecord",
    "ConnectionFailed",
    "Form",
    "FormModel",
    "History",
    "InvalidArguments",
    "MCPClient",
    "MediaError",
    "MissingExtra",
    "OAuth",
    "Problem",
    "Run",
    "Tool",
    "ToolCallResults",
    "ToolCalls",
    "ToolCancelled",
    "ToolCollection",
    "ToolDefinitionError",
    "ToolError",
    "ToolResult",
    "ToolTimeout",
    "UntrustedCodeError",
    "Workbench",
    "WorkbenchError",
    "configure",
    "context",
    "launch_gradio_demo",
    "load_tool",
    "open",
    "tool",
    "unwrap",
    "wrap",
]

_HOME = {
    "workbench.bench": ("CallRecord", "History", "Workbench", "open"),
    "workbench.errors": (
        "AsyncToolError",
        "ConnectionFailed",
        "InvalidArguments",
        "MediaError",
        "MissingExtra",
        "Problem",
        "ToolCancelled",
        "ToolDefinitionError",
        "ToolError",
        "ToolTimeout",
        "UntrustedCodeError",
        "WorkbenchError",
    ),
    "workbench.forms": ("Form", "FormModel"),
    "workbench.interop": ("launch_gradio_demo",),
    "workbench.sources.hub": ("load_tool",),
    "workbench.sources.mcp": ("MCPClient", "OAuth"),
    "workbench.tools": (
        "Run",
        "Tool",
        "ToolCallResults",
        "ToolCalls",
        "ToolCollection",
        "ToolResult",
        "configure",
        "context",
        "tool",
    ),
    "workbench.types": (
        "AgentAudio",
        "AgentImage",
        "AgentText",
        "AgentType",
        "AgentVideo",
        "unwrap",
        "wrap",
    ),
}
_MODULE_OF = {name: module for module, names in _HOME.items() for name in names}


def __getattr__(name: str) -> "Any":
    from importlib import import_module  # not at the top: bare Python has not loaded it

    if name not in _MODULE_OF:
        raise AttributeError(f"module 'workbench' has no attribute {name!r}")
    value = getattr(import_module(_MODULE_OF[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def load_ipython_extension(ipython: "Any") -> None:
    """Add the magics: called by ``%load_ext workbench``."""
    from workbench.magics import register

    register(ipython)
