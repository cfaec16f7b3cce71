"""What the panel is told of tools, calls and runs: plain JSON, bounded, nothing secret."""

from __future__ import annotations

import json
from typing import Any

from workbench.bench.record import CallRecord, given_text, tool_version
from workbench.tools.run import Run
from workbench.tools.tool_class import Tool
from workbench.tools.views import badges

__all__ = ["call_row", "model_view", "run_row", "tool_row"]

_MOST_SCHEMA = 50_000


def tool_row(tool: Tool, called: str | None = None) -> dict[str, Any]:
    """A tool in the list; `called` is its version when it was last called, if it was.

    Examples
    --------
    >>> from workbench import tool
    >>> tool_row(tool(len))["title"]
    'len'
    """
    changed = ["changed"] if called is not None and called != tool_version(tool) else []
    for_app = ["app-only"] if "model" not in getattr(tool, "visibility", ("model",)) else []
    return {
        "id": tool.name,
        "title": tool.title or tool.name,
        "about": tool.description.strip().partition("\n")[0][:200],
        "badges": [*badges(tool), *for_app, *changed],
        "group": _group(tool),
    }


def _group(tool: Tool) -> str:
    """The server or the module; nothing for what the person has written in the notebook."""
    if tool.remote or " · " in tool.source:
        return tool.source
    module = tool.source.rpartition(".")[0]
    return "" if module == "__main__" else module


def call_row(record: CallRecord) -> dict[str, Any]:
    """A call in the list."""
    return {
        "number": record.number,
        "title": record.tool,
        "about": given_text(record, 160),
        "status": record.status,
        "result": record.summary,
        "started_at": record.started_at,
        "elapsed_s": round(record.elapsed_s, 3),
        "pinned": record.pinned,
    }


def run_row(number: int, run: Run) -> dict[str, Any]:
    """A run that is under way."""
    progress = run.progress
    return {
        "number": number,
        "title": run.tool.name,
        "status": "asks" if run.question is not None else run.status,
        "elapsed_s": round(run.elapsed_s, 2),
        "fraction": None if progress is None else progress.fraction,
        "message": "" if progress is None else progress.message[:200],
    }


def model_view(tool: Tool, dialect: str) -> dict[str, Any]:
    """What a model sees of a tool: the definition as a provider is sent it, and how long it is.

    Raises
    ------
    ValueError
        If there is no such dialect.

    Examples
    --------
    >>> from workbench import tool
    >>> model_view(tool(lambda x: x, name="echo"), "gemini")["size"]
    '141 characters, about 36 tokens'
    """
    made = tool.schema(dialect)
    sent = json.dumps(made, ensure_ascii=False, separators=(",", ":"))
    text = json.dumps(made, ensure_ascii=False, indent=2)
    more = len(text) - _MOST_SCHEMA
    return {
        "tool": tool.name,
        "dialect": dialect,
        "text": text if more <= 0 else f"{text[:_MOST_SCHEMA]}\n... {more} more characters",
        "size": f"{len(sent):,} characters, about {-(-len(sent) // 4):,} tokens",
        "notes": list(getattr(made, "notes", ())),
    }
