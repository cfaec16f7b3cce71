"""A tool of a session that the caller owns: awaited where the session lives."""

from __future__ import annotations

from typing import Any, ClassVar

from workbench.sources.mcp.tool import MCPTool
from workbench.tools.execution import finish
from workbench.tools.result import ToolResult

__all__ = ["SessionTool"]


class SessionTool(MCPTool):
    """Async, since a session belongs to one event loop; plain calls need the context's leave."""

    remote: ClassVar[bool] = False

    @property
    def is_async(self) -> bool:
        """Always: the session is awaited."""
        return True

    def perform(self, checked: dict[str, Any]) -> ToolResult:
        """Refuse, unless the context allows to wait for it."""
        outcome = finish(self._outcome(checked), self.name)
        assert isinstance(outcome, ToolResult)
        return outcome

    async def perform_async(self, checked: dict[str, Any]) -> ToolResult:
        """Await the session here."""
        return await self._outcome(checked)
