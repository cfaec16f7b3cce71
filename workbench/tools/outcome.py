"""What a call of a Python tool came to: its value, or its failure, as a result."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from workbench.errors import InvalidArguments, ToolError
from workbench.tools.result import ToolResult
from workbench.tools.structured import output_problems, structured
from workbench.types import AgentText, wrap

__all__ = ["declared_type", "failed", "outcome"]


class _Promising(Protocol):
    """What a tool says of its results."""

    name: str
    output_type: str
    output_schema: Mapping[str, Any] | None
    check_output: bool


def declared_type(output_type: str) -> str | None:
    """The output type to wrap by, where it says more than the value itself does."""
    return output_type if output_type in ("image", "audio", "video") else None


def outcome(tool: _Promising, value: Any) -> ToolResult:
    """The result of a call that returned `value`, held to the tool's output schema.

    A result that breaks the schema says where. It is a failure only if the tool asks for that
    with ``check_output``; the value is in the content all the same.
    """
    result = value if isinstance(value, ToolResult) else _described(tool, value)
    if not tool.check_output or result.is_error or tool.output_schema is None:
        return result
    problems = result.output_problems or output_problems(
        tool.output_schema, result.structured_content
    )
    return _broken_promise(tool.name, result, problems) if problems else result


def _described(tool: _Promising, value: Any) -> ToolResult:
    wrapped = wrap(value, declared_type(tool.output_type))
    data = structured(value) if tool.output_schema is not None else None
    return ToolResult(
        (wrapped,), data, value=wrapped, output_problems=output_problems(tool.output_schema, data)
    )


def _broken_promise(name: str, result: ToolResult, problems: tuple[Any, ...]) -> ToolResult:
    lines = "".join(f"\n  - {problem}" for problem in problems)
    error = ToolError(f"{name!r} gave a result that breaks its output schema:{lines}")
    return ToolResult(
        (AgentText(str(error)), *result.content),
        result.structured_content,
        is_error=True,
        value=None,
        error=error,
        output_problems=problems,
    )


def failed(name: str, error: BaseException) -> ToolResult:
    """The result of a call that raised; bad arguments of a call inside it are its own failure."""
    if not isinstance(error, InvalidArguments):
        return ToolResult.failure(error)
    inner = ToolError(f"{name!r} failed: {error}")
    inner.__cause__ = error
    return ToolResult.failure(inner)
