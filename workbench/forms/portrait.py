"""A form where no widget is drawn: its heading, and what it asks for as a table and as text."""

from __future__ import annotations

import html
from typing import Any

from workbench.forms.model import FormModel
from workbench.tools import Tool
from workbench.tools.views import badges, tool_html, tool_text, type_words

__all__ = ["form_html", "form_text", "heading"]


def heading(tool: Tool) -> dict[str, Any]:
    """What stands above the fields."""
    return {
        "tool": tool.name,
        "heading": tool.title or tool.name,
        "about": tool.description,
        "source": tool.source,
        "badges": badges(tool),
    }


def form_text(tool: Tool | None, model: FormModel) -> str:
    """The form as plain text.

    Examples
    --------
    >>> print(form_text(None, FormModel({"properties": {"n": {"type": "integer"}}})))
    Form for a schema
      n  integer, optional
    """
    if tool is not None:
        return f"Form for {tool_text(tool)}"
    wide = max((len(name) for name, *_ in _rows(model)), default=0)
    lines = [f"  {name:<{wide}}  {kind}, {need}" for name, kind, need, _ in _rows(model)]
    return "\n".join(["Form for a schema", *lines])


def form_html(tool: Tool | None, model: FormModel) -> str:
    """The form as a static table, every text escaped."""
    if tool is not None:
        return tool_html(tool)
    cells = "".join(
        "<tr>" + "".join(f"<td>{html.escape(text)}</td>" for text in row) + "</tr>"
        for row in _rows(model)
    )
    return f"<table><tbody>{cells}</tbody></table>" if cells else "<p>No parameters.</p>"


def _rows(model: FormModel) -> list[tuple[str, str, str, str]]:
    """Name, type, whether it is needed, and description of each top-level field."""
    return [
        (
            str(child.path[-1]) if child.path else "value",
            type_words(child.schema, model.schema),
            "required" if child.required else "optional",
            str(child.shape.schema.get("description") or ""),
        )
        for child in model.top()
    ]
