"""One call that has ended, as the history keeps it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.schema import resolve
from workbench.tools.events import Call
from workbench.tools.result import ToolResult
from workbench.tools.tool_class import Tool

__all__ = ["MASK", "CallRecord", "masked"]

MASK = "••••••"
"""Stands in place of a secret."""


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
    secrets : tuple of str
        Names of the arguments that were masked.
    result : ToolResult
        What came of it.
    started_at : float
        Seconds since the epoch.
    elapsed_s : float
        Duration in seconds.
    origin : str
        "form", "code" or "model".

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
    secrets: tuple[str, ...]
    result: ToolResult
    started_at: float
    elapsed_s: float
    origin: str

    @property
    def status(self) -> str:
        """How it ended: "failed" or "done"."""
        return "failed" if self.result.is_error else "done"


def record_of(call: Call, number: int) -> CallRecord:
    """The record of a call, its secrets masked."""
    arguments, secrets = masked(call.tool, call.arguments)
    return CallRecord(
        number=number,
        tool=call.tool.name,
        source=call.tool.source,
        version=_version(call.tool),
        arguments=arguments,
        secrets=secrets,
        result=call.result,
        started_at=call.started_at,
        elapsed_s=call.elapsed_s,
        origin=call.origin,
    )


def _version(tool: Tool) -> str:
    definition = json.dumps([tool.description, tool.input_schema], sort_keys=True, default=str)
    return hashlib.sha256(definition.encode()).hexdigest()[:12]


def masked(tool: Tool, arguments: Mapping[str, Any]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The arguments with secrets masked, and the names of those that were."""
    secrets = tuple(name for name in arguments if _is_secret(tool, name))
    shown = {name: MASK if name in secrets else value for name, value in arguments.items()}
    return shown, secrets


def _is_secret(tool: Tool, name: str) -> bool:
    schema = resolve(tool.args.get(name, {}), tool.input_schema)
    return schema.get("format") == "password" or schema.get("writeOnly") is True
