"""One plain ipywidget for each kind of field, by a table."""

from __future__ import annotations

import datetime
import html
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import ipywidgets as widgets

__all__ = ["Control", "Row", "Send", "look", "make_control"]

Row = Mapping[str, Any]


class Send(Protocol):
    """Carries out an edit of the field."""

    def __call__(self, op: str, **content: Any) -> None:
        """Carry out `op`."""


_SIDE = "border_left" if hasattr(widgets.Layout, "border_left") else "border"
_LAYOUTS = {
    "row": {"margin": "0 0 6px 0"},
    "inside": {"margin": "4px 0 0 0", "padding": "4px 0 0 12px", _SIDE: "2px solid #c9ced6"},
    "wide": {"width": "100%", "max_width": "640px"},
    "small": {"width": "auto"},
    "gone": {"display": "none"},
}


_made: dict[str, Any] = {}


def look(name: str) -> Any:
    """A layout that widgets share: one message in all, instead of one for each."""
    if name not in _made or _made[name].comm is None:
        # The second: ipywidgets has a function that closes all widgets, this one too.
        _made[name] = widgets.Layout(**_LAYOUTS[name])
    return _made[name]


@dataclass(slots=True, kw_only=True)
class Control:
    """A widget and how a row of the view is shown in it.

    Parameters
    ----------
    widget : ipywidgets.Widget
        What is laid out.
    focus : ipywidgets.Widget
        What is entered into.
    update : callable
        Shows a row.
    signature : tuple
        What about a row asks for another control when it changes.
    """

    widget: Any
    focus: Any
    update: Callable[[Row], None]
    signature: tuple[Any, ...] = ()
    quiet: bool = False

    @staticmethod
    def signature_of(row: Row) -> tuple[Any, ...]:
        """What decides which control a row needs."""
        day = row["control"] == "date" and _day(row.get("text", "")) is not False
        choices, branches = row.get("choices", ()), row.get("branches", ())
        return row["kind"], row["control"], tuple(choices), tuple(branches), day

    def show(self, row: Row) -> None:
        """Show a row without taking it for something that a person did."""
        self.quiet = True
        try:
            self.update(row)
        finally:
            self.quiet = False


def make_control(row: Row, send: Send) -> Control:
    """The control for a row of the view.

    Examples
    --------
    >>> from workbench.forms import FormModel
    >>> from workbench.forms.view import form_view
    >>> view = form_view(FormModel({"properties": {"b": {"type": "boolean"}}}))
    >>> type(make_control(view["fields"][0], print).widget).__name__
    'ToggleButtons'
    """
    control = _KINDS.get(row["kind"], _text)(row, send)
    control.signature = Control.signature_of(row)
    return control


def _entered(control: Control, do: Callable[[Any], None]) -> Control:
    def changed(change: Mapping[str, Any]) -> None:
        if not control.quiet:
            do(change["new"])

    control.focus.observe(changed, "value")
    return control


def _simple(widget: Any, update: Callable[[Row], None], do: Callable[[Any], None]) -> Control:
    return _entered(Control(widget=widget, focus=widget, update=update), do)


def _text(row: Row, send: Send) -> Control:
    if row["control"] == "secret":
        return _secret(row, send)
    if row["control"] == "date" and _day(row.get("text", "")) is not False:
        return _date(row, send)
    long = row["control"] == "lines" or row["kind"] == "json"
    widget = (widgets.Textarea if long else widgets.Text)(layout=look("wide"))
    op = "json" if row["kind"] == "json" else "text"

    def update(row: Row) -> None:
        widget.placeholder = "null" if row["state"] == "null" else row.get("default", "")
        if widget.value != row["text"]:
            widget.value = row["text"]

    return _simple(widget, update, lambda text: send(op, text=text))


def _secret(row: Row, send: Send) -> Control:
    widget = widgets.Password(layout=look("wide"))

    def update(row: Row) -> None:
        widget.placeholder = "set, not shown" if row.get("filled") else ""
        if not row.get("filled"):
            widget.value = ""

    return _simple(widget, update, lambda text: send("text", text=text))


def _day(text: str) -> datetime.date | bool | None:
    """A day, None for no text, False for text that is none."""
    try:
        return datetime.date.fromisoformat(text) if text else None
    except ValueError:
        return False


def _date(row: Row, send: Send) -> Control:
    widget = widgets.DatePicker()

    def update(row: Row) -> None:
        widget.value = _day(row["text"]) or None

    return _simple(widget, update, lambda day: send("text", text=day.isoformat() if day else ""))


def _boolean(row: Row, send: Send) -> Control:
    options = [("not set", 0), ("yes", 1), ("no", 2)]
    widget = widgets.ToggleButtons(options=options, value=0, style={"button_width": "auto"})

    def update(row: Row) -> None:
        widget.value = {True: 1, False: 2}.get(row["picked"], 0)

    def do(at: int) -> None:
        if at:
            send("set", value=at == 1)
        else:
            send("clear")

    return _simple(widget, update, do)


_MOST_OPTIONS = 60


def _choice(row: Row, send: Send) -> Control:
    if len(row["choices"]) > _MOST_OPTIONS:
        return _combobox(row, send)
    return _dropdown(row["choices"], "picked", lambda at: send("pick", index=at), send)


def _dropdown(labels: Any, key: str, do: Callable[[int], None], send: Send) -> Control:
    options = [("not set", -1), *((label, at) for at, label in enumerate(labels))]
    widget = widgets.Dropdown(options=options, value=-1, layout=look("wide"))

    def update(row: Row) -> None:
        at = row[key] if row["state"] not in ("unset", "null") else None
        widget.value = -1 if at is None else at

    return _simple(widget, update, lambda at: send("clear") if at < 0 else do(at))


def _combobox(row: Row, send: Send) -> Control:
    widget = widgets.Combobox(options=tuple(row["choices"]), layout=look("wide"))

    def update(row: Row) -> None:
        text = row["text"] if row["picked"] is None else row["choices"][row["picked"]]
        if widget.value != text:
            widget.value = text

    return _simple(widget, update, lambda text: send("text", text=text))


def _const(row: Row, send: Send) -> Control:
    text, button = widgets.HTML(), widgets.Button(description="Include", layout=look("small"))
    button.on_click(lambda _: send("begin"))

    def update(row: Row) -> None:
        text.value = f"<code>{html.escape(row['fixed'])}</code>"
        button.layout = look("gone" if row["state"] == "value" else "small")

    return Control(widget=widgets.HBox([text, button]), focus=button, update=update)


def _union(row: Row, send: Send) -> Control:
    return _dropdown(row["branches"], "branch", lambda at: send("choose", branch=at), send)


def _array(row: Row, send: Send) -> Control:
    if row["control"] != "checks":
        return _container(row, send)
    options = [(label, at) for at, label in enumerate(row["choices"])]
    widget = widgets.SelectMultiple(options=options, rows=min(len(options), 6), layout=look("wide"))
    ticked: set[int] = set()

    def update(row: Row) -> None:
        ticked.clear()
        ticked.update(row.get("ticked", ()))
        widget.value = tuple(sorted(ticked))

    def do(chosen: tuple[int, ...]) -> None:
        for at in sorted(ticked ^ set(chosen)):
            send("toggle", index=at)

    return _simple(widget, update, do)


def _container(row: Row, send: Send) -> Control:
    button = widgets.Button(layout=look("small"))
    key = widgets.Text(placeholder="name of a new entry")
    grows = row["kind"] in ("array", "map")
    box = widgets.HBox([key, button] if row["kind"] == "map" else [button])

    def update(row: Row) -> None:
        names = {"array": "Add item", "map": "Add entry"}
        button.description = names.get(row["kind"], "Fill in")
        hidden = not grows and (row["state"] == "value" or row["required"])
        box.layout.display = "none" if hidden else ""

    def clicked(_: Any) -> None:
        send("add" if grows else "begin", **({"name": key.value} if row["kind"] == "map" else {}))
        key.value = ""

    button.on_click(clicked)
    return Control(widget=box, focus=button, update=update)


def _media(row: Row, send: Send) -> Control:
    accept = row.get("accept") or ""
    pick = widgets.FileUpload(accept=accept if "/" in accept else "", multiple=False)
    path = widgets.Text(placeholder="or a path or data: address", layout=look("wide"))
    note = widgets.HTML()

    def update(row: Row) -> None:
        note.value = html.escape(row.get("note") or "")
        if path.value != row["text"]:
            path.value = row["text"]

    def take(change: Mapping[str, Any]) -> None:
        for file in _files(change["new"]):
            about = {"id": id(file), "index": 0, "total": 1, "type": file["type"]}
            send("upload", buffers=[file["content"]], **about)

    pick.observe(take, "value")
    control = Control(
        widget=widgets.VBox([widgets.HBox([pick, note]), path]), focus=path, update=update
    )
    return _entered(control, lambda text: send("text", text=text))


def _files(value: Any) -> list[dict[str, Any]]:
    """Uploaded files alike in ipywidgets 7, which has a dict by name, and 8, which has a tuple."""
    if isinstance(value, Mapping):
        return [{"type": f["metadata"]["type"], "content": f["content"]} for f in value.values()]
    return [{"type": file["type"], "content": bytes(file["content"])} for file in value]


_KINDS: dict[str, Callable[[Row, Send], Control]] = {
    "array": _array,
    "boolean": _boolean,
    "choice": _choice,
    "const": _const,
    "map": _container,
    "media": _media,
    "object": _container,
    "tuple": _container,
    "union": _union,
}
