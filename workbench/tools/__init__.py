"""Tools: described once, called in one way, with results that are objects."""

from workbench.tools.annotations import ToolAnnotations
from workbench.tools.call_results import ToolCallResults
from workbench.tools.calls import ToolCalls
from workbench.tools.collection import ToolCollection
from workbench.tools.content import Resource, ResourceLink
from workbench.tools.decorator import tool
from workbench.tools.result import ToolResult
from workbench.tools.run import LogLine, Progress, Question, Run, current_run
from workbench.tools.runner import start
from workbench.tools.settings import configure, context
from workbench.tools.tool_class import Tool

__all__ = [
    "LogLine",
    "Progress",
    "Question",
    "Resource",
    "ResourceLink",
    "Run",
    "Tool",
    "ToolAnnotations",
    "ToolCallResults",
    "ToolCalls",
    "ToolCollection",
    "ToolResult",
    "configure",
    "context",
    "current_run",
    "start",
    "tool",
]
