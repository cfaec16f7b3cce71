"""The workbench in a page: the tools at the left, the form of one of them, and what was called."""

from __future__ import annotations

import contextvars
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anywidget
import ipywidgets
import traitlets

from workbench.bench.history import History
from workbench.bench.record import CallRecord, given_text
from workbench.forms.form import Form
from workbench.tools.collection import ToolCollection
from workbench.tools.tool_class import Tool
from workbench.tools.views import badges

__all__ = ["Panel"]

_STATIC = Path(__file__).parent.parent / "static"
_SHOWN_CALLS = 50


class Picker(anywidget.AnyWidget):
    """A searchable list of tools, or of calls."""

    _esm = _STATIC / "picker.js"
    _css = _STATIC / "picker.css"
    kind = traitlets.Unicode("tools").tag(sync=True)
    entries: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Unicode("").tag(sync=True)
    code = traitlets.Unicode("").tag(sync=True)


class Panel:
    """Widgets for tools and their history.

    Parameters
    ----------
    tools : ToolCollection
        What can be chosen.
    history : History
        What was called.
    """

    def __init__(self, tools: ToolCollection, history: History) -> None:
        self.tools = tools
        self.history = history
        self.form: Form | None = None
        self._handle: Any = None
        self._context = contextvars.copy_context()
        self.picker = Picker(kind="tools", entries=[_entry(tool) for tool in tools])
        self.calls = Picker(kind="calls", entries=[_call(record) for record in history])
        self._place = ipywidgets.VBox(layout=ipywidgets.Layout(width="100%", overflow="visible"))
        row = ipywidgets.Layout(
            display="flex", flex_flow="row wrap", grid_gap="14px", overflow="visible"
        )
        self._left = ipywidgets.VBox(
            [self.picker],
            layout=ipywidgets.Layout(flex="1 1 200px", min_width="200px", overflow="visible"),
        )
        self._right = ipywidgets.VBox(
            [self._place, self.calls],
            layout=ipywidgets.Layout(flex="5 1 420px", min_width="0", overflow="visible"),
        )
        self.box = ipywidgets.Box([self._left, self._right], layout=row)
        self.picker.observe(self._picked, "chosen")
        self.calls.on_msg(self._asked)
        history.watch(self._added)
        if len(tools):
            self.select(tools[0].name, {})

    def select(self, name: str, values: Mapping[str, Any]) -> None:
        """Show the form of a tool."""
        if self.form is not None and not values and self.form.tool is self.tools[name]:
            return
        form = Form(self.tools[name], **values)
        form.adopt(self._handle)
        old, self.form = self.form, form
        self._place.children = [form]
        self.picker.chosen = name
        if old is not None and (old.current is None or old.current.ended):
            old.close()

    def _picked(self, change: Any) -> None:
        if self.tools.get(change["new"]) is not None:
            self.select(change["new"], {})

    def _asked(self, widget: Any, content: Mapping[str, Any], buffers: Any) -> None:
        """Do what is asked for a call: fill the form with it, repeat it, or show its code."""
        index = int(content["number"])
        record = self.history[index]
        if content["op"] == "code":
            self.calls.code = self.history.to_code(index)
            return
        if self.tools.get(record.tool) is None:
            return
        self.select(record.tool, self.history.arguments(index))
        if content["op"] == "rerun" and self.form is not None:
            self.form.run()

    def _added(self, record: CallRecord) -> None:
        self._context.copy().run(self._list_calls)

    def _list_calls(self) -> None:
        self.calls.entries = [_call(record) for record in self.history[-_SHOWN_CALLS:]]

    def show(self, static: Mapping[str, Any]) -> None:
        """Display the widgets and, under them, the place where the last result is kept."""
        from IPython.display import display

        self._context = contextvars.copy_context()
        shown = _bundle(self.box)
        display({**shown[0], **static}, metadata=shown[1], raw=True)
        self._handle = display({"text/plain": ""}, raw=True, display_id=True)
        if self.form is not None:
            self.form.adopt(self._handle)

    def close(self) -> None:
        """Close all widgets."""
        if self.form is not None:
            self.form.close()
        for widget in (self.picker, self.calls, self._place, self._left, self._right, self.box):
            widget.close()


def _bundle(widget: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A widget's mime bundle, with ipywidgets 7 too, which displays instead of giving one."""
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    data = {"application/vnd.jupyter.widget-view+json": view}
    make = getattr(widget, "_repr_mimebundle_", None)
    made = make() if callable(make) else None
    return (dict(made), {}) if isinstance(made, dict) else (data, {})


def _entry(tool: Tool) -> dict[str, Any]:
    return {
        "id": tool.name,
        "title": tool.title or tool.name,
        "about": tool.description.partition("\n")[0][:160],
        "group": tool.source[:120],
        "badges": badges(tool),
    }


def _call(record: CallRecord) -> dict[str, Any]:
    return {
        "id": str(record.number),
        "title": record.tool,
        "about": given_text(record, 160),
        "status": record.status,
        "result": record.summary,
        "elapsed_s": round(record.elapsed_s, 3),
    }
