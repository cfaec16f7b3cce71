"""The form's other tabs: everything entered as JSON or as a call in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.forms.model import FormModel
from workbench.forms.node import ABSENT
from workbench.forms.text import read_json, write_text
from workbench.forms.whole import put_back, read_call, without_secrets, write_call

__all__ = ["Tabs"]


class Tabs:
    """Which tab is in front, and what the marks in its text stand for.

    Examples
    --------
    >>> model = FormModel({"properties": {"n": {"type": "integer"}}}, {"n": 5})
    >>> tabs = Tabs("add")
    >>> tabs.show(model, "python")["text"]
    'add(n=5)'
    >>> tabs.read(model, "python", "add(n=6)")
    >>> model.value
    {'n': 6}
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._front = "form"
        self._kept: dict[str, str] = {}

    def show(self, model: FormModel, language: str) -> dict[str, Any] | None:
        """The text of a tab; None where there is text that says nothing, which is not let go.

        It is sent on demand: it is no part of the widget's saved state.
        """
        if self._front != "form" and model.node.state == "text":
            return None
        self._front = language
        value, self._kept = without_secrets(model.node)
        arguments = None if value is ABSENT else value
        text = write_call(self._name, arguments) if language == "python" else write_text(arguments)
        return {"op": "shown", "as": language, "text": text}

    def read(self, model: FormModel, language: str, text: str) -> None:
        """Enter what is written in a tab."""
        reader = read_call if language == "python" else read_json
        kept: Mapping[str, str] = self._kept
        model.read((), text, lambda said: put_back(reader(said), kept))
