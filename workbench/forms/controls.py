"""The second face of a form: plain ipywidgets over the same model, for hosts that run no others."""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import ipywidgets as widgets

from workbench.forms.controls_by_kind import Control, Row, Send, look, make_control

if TYPE_CHECKING:
    from workbench.forms.form import Form

__all__ = ["Controls"]


class Controls(widgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
    """A form as a tree of plain ipywidgets; both faces show the same.

    Parameters
    ----------
    form : Form
        Whose model is shown and edited.

    Examples
    --------
    >>> from workbench.forms import Form
    >>> form = Form({"properties": {"n": {"type": "integer"}}})
    >>> controls = form.controls()
    >>> controls.control("n").value = "5"
    >>> form.value
    {'n': 5}
    >>> form.close()
    """

    def __init__(self, form: Form) -> None:
        self.form = form
        self._rows: dict[tuple[Any, ...], _RowBox] = {}
        self._general = widgets.HTML()
        self._run = _RunBar(form) if form.tool is not None else None
        super().__init__()
        self.refresh()

    def control(self, path: Any) -> Any:
        """The ipywidget in which a visible field is entered.

        Parameters
        ----------
        path : tuple, JSON Pointer or name
            Which field.

        Raises
        ------
        KeyError
            If no such field is visible.
        """
        from workbench.forms.model import as_path

        return self._rows[as_path(path)].control.focus

    def refresh(self) -> None:
        """Show what the model says, keeping the widgets of fields that are still there."""
        view, seen = self.form.view, set[tuple[Any, ...]]()
        rows = self._boxes(view["fields"], seen)
        for key in [key for key in self._rows if key not in seen]:
            self._rows.pop(key).close()
        self._general.value = _lines(view["general"] if view["tried"] else [])
        parts = (*rows, self._general, *((self._run,) if self._run is not None else ()))
        _set_children(self, parts)
        if self._run is not None:
            self._run.refresh()

    def _boxes(self, rows: list[Row], seen: set[tuple[Any, ...]]) -> tuple[Any, ...]:
        return tuple(self._box(row, seen) for row in rows)

    def _box(self, row: Row, seen: set[tuple[Any, ...]]) -> _RowBox:
        path = tuple(row["path"])
        key = (path, "inside") if row.get("inner") else path
        seen.add(key)
        box = self._rows.get(key)
        if box is None or box.control.signature != Control.signature_of(row):
            if box is not None:
                box.close()
            box = self._rows[key] = _RowBox(row, self._sender(path))
        box.show(row, self._boxes(row.get("children", []), seen), self.form.view["tried"])
        return box

    def _sender(self, path: tuple[Any, ...]) -> Send:
        def send(op: str, **content: Any) -> None:
            buffers = content.pop("buffers", ())
            self.form._heard(self.form, {"op": op, "path": path, **content}, buffers)

        return send


class _RowBox(widgets.VBox):  # type: ignore[misc]  # as above
    """A label, a control, what is inside, and what is wrong."""

    def __init__(self, row: Row, send: Send) -> None:
        self.control: Control = make_control(row, send)
        self._send = send
        self._head, self._wrong = widgets.HTML(), widgets.HTML()
        self._buttons = {op: self._button(op) for op in ("null", "clear", "remove", "duplicate")}
        self._line = widgets.HBox()
        self._inside = widgets.VBox(layout=look("inside"))
        super().__init__(layout=look("row"))

    def _button(self, op: str) -> Any:
        button = widgets.Button(description=op, layout=look("small"))
        button.on_click(lambda _: self._send(op))
        return button

    def show(self, row: Row, inside: tuple[Any, ...], tried: bool) -> None:
        """Show a row of the view."""
        self.control.show(row)
        texts = row.get("problems", []) if tried or row["state"] != "unset" else []
        self._wrong.value, self._head.value = _lines(texts), _head(row)
        _set_children(self._inside, inside)
        buttons = [self._buttons[op] for op in _allowed(row)]
        _set_children(self._line, (self.control.widget, *buttons))
        parts = [] if row.get("inner") else [self._head]
        parts += (
            [self._line] + ([self._inside] if inside else []) + ([self._wrong] if texts else [])
        )
        _set_children(self, tuple(parts))

    def close(self) -> None:
        """End this widget and those that are its own."""
        own = (self._head, self._wrong, self._line, self._inside, self.control.widget)
        for widget in (*own, *self._buttons.values()):
            widget.close()
        super().close()


def _set_children(box: Any, children: tuple[Any, ...]) -> None:
    if tuple(box.children) != children:
        box.children = children


def _allowed(row: Row) -> list[str]:
    """The buttons that make sense beside a control."""
    removable = bool(row.get("removable"))
    item = removable and isinstance(row["path"][-1], int)
    given = row["state"] != "unset" and not removable
    wanted = {
        "null": row.get("nullable", False) and row["state"] != "null" and row["kind"] != "json",
        "clear": given and not (row["required"] and row["kind"] in ("object", "const")),
        "duplicate": item,
        "remove": removable,
    }
    return [op for op, yes in wanted.items() if yes and not row.get("inner")]


def _head(row: Row) -> str:
    title = row["title"] or row["name"] or "value"
    mark = " *" if row["required"] and not row.get("removable") else ""
    state = {"null": " · null", "unset": "" if row["required"] else " · not set"}
    about = row["description"]
    return (
        f"<b>{html.escape(title)}{mark}</b> <i>{html.escape(row['type'])}"
        f"{state.get(row['state'], '')}</i>"
        + (f"<div style='line-height: 1.4'>{html.escape(about)}</div>" if about else "")
    )


def _lines(texts: list[str]) -> str:
    inside = "".join(f"<div>{html.escape(text)}</div>" for text in texts)
    return f"<div style='color: #b3261e; line-height: 1.4'>{inside}</div>" if inside else ""


class _RunBar(widgets.VBox):  # type: ignore[misc]  # as above
    """Run, Cancel, how it is getting on, and the result."""

    def __init__(self, form: Form) -> None:
        self._form = form
        self._start = widgets.Button(description="Run", button_style="primary")
        self._stop = widgets.Button(description="Cancel", disabled=True)
        self._status, self._result = widgets.HTML(), widgets.Output()
        self._start.on_click(lambda _: form._heard(form, {"op": "run"}, ()))
        self._stop.on_click(lambda _: form._heard(form, {"op": "cancel"}, ()))
        form.observe(lambda change: self.follow(change["new"]), "run_view")
        super().__init__([widgets.HBox([self._start, self._stop, self._status]), self._result])

    def refresh(self) -> None:
        """Say what keeps the call from starting."""
        view = self._form.view
        if view["tried"] and view["problems"]:
            self._status.value = _lines([f"{view['problems']} to mend first"])

    def follow(self, run: Mapping[str, Any]) -> None:
        """Show how a run is getting on; called from any thread."""
        live = run.get("status") in ("pending", "running")
        self._start.disabled, self._stop.disabled = live, not live
        words = f"{run.get('status', '')} {run.get('elapsed_s', 0)} s" if run.get("status") else ""
        self._status.value = html.escape(words)
        result = self._form.current.result if self._form.current is not None else None
        self._result.outputs = () if result is None else (_display(result),)


def _display(result: Any) -> dict[str, Any]:
    bundle = result._repr_mimebundle_()
    data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
    return {"output_type": "display_data", "data": data, "metadata": metadata}
