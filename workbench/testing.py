"""Helpers for testing tools and forms, without a page."""

from __future__ import annotations

from typing import Any

from workbench.forms import Form
from workbench.tools import ToolResult

__all__ = ["fill_and_run"]


def fill_and_run(target: Any, *, timeout_s: float = 30.0, **texts: str) -> ToolResult:
    """Type texts into a form's fields, press Run, and wait for the result.

    Parameters
    ----------
    target : Form, Tool or callable
        What to fill.
    timeout_s : float
        Seconds to wait.
    **texts
        What is typed, by field.

    Raises
    ------
    InvalidArguments
        If what was typed does not fit.

    Examples
    --------
    >>> def add(a: int, b: int) -> int:
    ...     return a + b
    >>> fill_and_run(add, a="1", b="2").value
    3
    """
    form = target if isinstance(target, Form) else Form(target)
    for name, text in texts.items():
        form.model.set_text((name,), text)
    return form.run().wait(timeout_s)
