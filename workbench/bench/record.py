"""One call that has ended, as the history keeps it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.bench.secrets import MASK, Secret
from workbench.errors import bounded_repr
from workbench.tools.content import Resource, ResourceLink
from workbench.tools.result import ToolResult, error_text
from workbench.tools.tool_class import Tool
from workbench.types import wrap

__all__ = ["CallRecord", "given_text", "summary_of", "tool_version"]

_LONGEST = 120


@dataclass(frozen=True, slots=True, kw_only=True)
class CallRecord:
    """A call: what was called, with which arguments, and what came of it.

    Parameters
    ----------
    number : int
        Its place in the history, from 0.
    tool : str
        The tool's name.
    source : str
        Where the tool is from.
    version : str
        A digest of the tool's definition, so that a changed tool shows.
    arguments : mapping
        As given; secrets are masked.
    result : ToolResult
        What came of it.
    summary : str
        The result in one line, for lists.
    started_at : float
        Seconds since the epoch.
    elapsed_s : float
        Duration in seconds.
    origin : str
        "form", "code", "model" or "app".
    pinned : bool
        Marked by the person, to be found again.

    Examples
    --------
    >>> from workbench import Workbench
    >>> with Workbench(len) as bench:
    ...     _ = bench.tools["len"]("abc")
    ...     bench.history[0].tool, bench.history[0].result.value
    ('len', 3)
    """

    number: int
    tool: str
    source: str
    version: str
    arguments: Mapping[str, Any]
    result: ToolResult
    summary: str
    started_at: float
    elapsed_s: float
    origin: str
    pinned: bool = False

    @property
    def status(self) -> str:
        """How it ended: "failed" or "done"."""
        return "failed" if self.result.is_error else "done"


def tool_version(tool: Tool) -> str:
    """A digest of what a tool says of itself: its description and its schemas."""
    said = [tool.description, tool.input_schema, tool.output_schema]
    return hashlib.sha256(json.dumps(said, sort_keys=True, default=str).encode()).hexdigest()[:12]


def given_text(record: CallRecord, limit: int) -> str:
    """The arguments in one line of at most `limit` characters.

    Examples
    --------
    >>> from workbench import Workbench
    >>> with Workbench(len) as bench:
    ...     _ = bench.tools["len"]("abc")
    ...     given_text(bench.history[0], 40)
    "obj='abc'"
    """
    pairs = (f"{name}={_brief(value)}" for name, value in record.arguments.items())
    return _cut(", ".join(pairs), limit)


def summary_of(result: ToolResult, secrets: Mapping[str, Any]) -> str:
    r"""A result in one line; a secret that the tool repeats is masked.

    Examples
    --------
    >>> summary_of(ToolResult(["two\nlines", 3]), {})
    'two lines · 3'
    """
    if result.error is not None:
        said = error_text(result.error)[: 20 * _LONGEST]
    else:
        blocks = result.content[:5] or (result.structured_content,)
        said = " · ".join(map(_line, blocks))
    for secret in secrets.values():
        said = said.replace(str(secret), MASK) if secret not in ("", None) else said
    return _cut(said.replace("\n", " "), _LONGEST)


def _line(block: Any) -> str:
    if isinstance(block, Resource):
        return f"{block.uri}: {_line(block.value)}"
    if isinstance(block, ResourceLink):
        return block.uri
    if isinstance(block, str):
        return " ".join(str(block[: 4 * _LONGEST]).split())
    return "nothing" if block is None else bounded_repr(block, _LONGEST)


def _brief(value: Any) -> str:
    if isinstance(value, Secret):
        return MASK
    shown = value if isinstance(value, (str, list, tuple, dict)) else wrap(value)
    return bounded_repr(shown, 30 if isinstance(shown, str) else 40)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 3] + "..."
