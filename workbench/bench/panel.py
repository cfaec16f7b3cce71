"""The workbench in a page: the tools at the left, the form of one of them, and what was called."""

from __future__ import annotations

import contextvars
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import ipywidgets
import traitlets

from workbench.bench import apps
from workbench.bench.chaining import enter, fields_for
from workbench.bench.record import CallRecord
from workbench.bench.rows import call_row, model_view, run_row, tool_row
from workbench.bench.stage import Stage
from workbench.bench.throttle import Throttle
from workbench.bench.viewer import Viewer, source
from workbench.errors import WorkbenchError
from workbench.forms.form import Form
from workbench.schema.dialects import DIALECTS
from workbench.tools.result import error_text
from workbench.tools.run import Run
from workbench.tools.traces import own_traceback
from workbench.tools.views import badges

if TYPE_CHECKING:
    from workbench.bench.workbench import Workbench

__all__ = ["Panel"]

_STATIC = Path(__file__).parent.parent / "static"
_SHOWN_CALLS = 100
_MOST_FORMS = 20
"""Forms that are kept with what was typed into them."""
_PERIOD_S = 0.2


class ToolList(anywidget.AnyWidget):
    """A searchable list of tools, of which one is chosen."""

    _esm = source("bench.dom.js", "bench.js")
    _css = _STATIC / "bench.css"
    kind = traitlets.Unicode("tools").tag(sync=True)
    entries: Any = traitlets.List().tag(sync=True)
    chosen = traitlets.Unicode("").tag(sync=True)


class Drawer(anywidget.AnyWidget):
    """What is under the form: runs, calls, and what a model sees of the tool."""

    _esm = source("bench.dom.js", "bench.js")
    _css = _STATIC / "bench.css"
    kind = traitlets.Unicode("drawer").tag(sync=True)
    chosen = traitlets.Unicode("").tag(sync=True)
    dialects: Any = traitlets.List().tag(sync=True)
    calls: Any = traitlets.List().tag(sync=True)
    total = traitlets.Int(0).tag(sync=True)
    runs: Any = traitlets.List().tag(sync=True)
    code: Any = traitlets.Dict().tag(sync=True)
    seen: Any = traitlets.Dict().tag(sync=True)
    fault: Any = traitlets.Dict().tag(sync=True)


class Panel:
    """Widgets for the tools of a workbench and its history.

    Parameters
    ----------
    bench : Workbench
        Whose tools and calls are shown.
    """

    def __init__(self, bench: Workbench) -> None:
        self.tools = bench.tools
        self.history = bench.history
        self.form: Form | None = None
        self._bench = bench
        self._forms: dict[str, Form] = {}
        self._at_work: list[Form] = []
        self._runs: dict[int, Run] = {}
        self._started = 0
        self._context = contextvars.copy_context()
        self._redraw = Throttle(self._draw_in_context, _PERIOD_S)
        self.list = ToolList(entries=self._entries())
        self.drawer = Drawer(dialects=list(DIALECTS))
        self._place = ipywidgets.VBox(layout=_layout(width="100%"))
        viewer = Viewer(self._guarded, self._answer)
        self.stage = Stage(bench.history, viewer, lambda uri: bool(bench.resources))
        self._right = ipywidgets.VBox(
            [self._place, viewer, self.drawer], layout=_layout(flex="5 1 420px", min_width="0")
        )
        self._left = ipywidgets.VBox(
            [self.list], layout=_layout(flex="1 1 200px", min_width="200px")
        )
        self.box = ipywidgets.Box(
            [self._left, self._right],
            layout=_layout(display="flex", flex_flow="row wrap", grid_gap="14px"),
        )
        self.list.observe(self._chosen, "chosen")
        self.drawer.on_msg(self._heard)
        self.history.watch(lambda record: self._redraw.ask())
        self._draw()
        if len(self.tools):
            self.select(self.tools[0].name)

    def _entries(self) -> list[dict[str, Any]]:
        bench, versions = self._bench, self.history.versions
        tools = (*bench.tools, *bench.resources, *bench.prompts)
        return [tool_row(tool, versions.get(tool.name)) for tool in tools]

    # The form

    @property
    def names(self) -> tuple[str, ...]:
        """What can be chosen: tools, resources and prompts."""
        bench = self._bench
        return (*bench.tools.names, *bench.resources.names, *bench.prompts.names)

    def _form(self, name: str, values: Mapping[str, Any] | None = None) -> Form:
        """The form of a tool, as it was left, or filled with `values`."""
        form = self._forms.get(name)
        if form is None or values is not None:
            self._forget(name)
            form = Form(self._bench.tool(name), **(values or {}))
            form.on_run(self.follow)
        self._forms.pop(name, None)
        self._forms[name] = form
        return form

    def select(self, name: str, values: Mapping[str, Any] | None = None) -> Form:
        """Show the form of a tool, as it was left, or filled with `values`."""
        form = self._form(name, values)
        if form is not self.form:
            self._show(form)
        self.list.chosen = self.drawer.chosen = name
        for old in list(self._forms)[:-_MOST_FORMS]:
            self._forget(old)
        return form

    def _show(self, form: Form) -> None:
        """Put a form into its place; from now on its results, and no other's, are shown.

        Until it has one, that of the form before stays: it may be wanted as input.
        """
        self.form = form
        form.adopt(self.stage)
        self._place.children = [form]
        if form.current is not None:
            self.stage.follow(form.current)

    def _forget(self, name: str) -> None:
        """Close a form, unless it is still at work."""
        form = self._forms.pop(name, None)
        if form is None:
            return
        if form.current is None or form.current.ended:
            _end(form)
        else:
            self._at_work.append(form)

    def follow(self, run: Run) -> None:
        """List a run as long as it is under way."""
        self._started += 1
        self._runs[self._started] = run
        if self.form is not None and run is self.form.current:
            self.stage.clear()
        run.watch(self._changed)
        # It may have ended before anybody watched.
        self._changed(run)

    def _changed(self, run: Run) -> None:
        """Show how a run gets on, from whatever thread it tells."""
        self._redraw.ask()
        if self.form is not None and run is self.form.current:
            context = self._context.copy()
            context.run(self._guarded, lambda: self.stage.follow(run))

    # What is drawn

    def _draw_in_context(self) -> None:
        self._context.copy().run(self._draw)

    def _draw(self) -> None:
        self._runs = {number: run for number, run in self._runs.items() if not run.ended}
        self.drawer.runs = [run_row(number, run) for number, run in self._runs.items()]
        records = self.history[-_SHOWN_CALLS:]
        first = len(self.history) - len(records)
        pinned = [record for record in self.history.pinned if record.number < first]
        self.drawer.calls = [call_row(record) for record in (*pinned, *records)]
        self.drawer.total = len(self.history)

    def refresh(self) -> None:
        """Draw now what would otherwise be drawn soon."""
        self._redraw.now()

    # What the page asks for

    def _chosen(self, change: Mapping[str, Any]) -> None:
        self.drawer.fault = {}
        self._guarded(lambda: self.select(self._bench.tool(change["new"]).name))

    def _heard(self, widget: Any, content: Mapping[str, Any], buffers: Any) -> None:
        self.drawer.fault = {}
        self._guarded(lambda: _ASKED[str(content.get("op"))](self, content))

    def _guarded(self, action: Callable[[], Any]) -> Any:
        """Do something; whatever goes wrong is said in the page, and not in a log."""
        try:
            return action()
        except Exception as error:  # noqa: BLE001  # a fault here must not vanish
            trace = "" if isinstance(error, WorkbenchError) else _report(error)
            self.drawer.fault = {"message": error_text(error), "trace": trace}
            return None

    def _answer(
        self, op: str, content: Mapping[str, Any], value: Any, label: str
    ) -> Mapping[str, Any] | Future[Any]:
        """Answer what the viewer asks for, about a value in the result that it shows."""
        self.drawer.fault = {}
        if op in _ASKED:
            _ASKED[op](self, content)
            return {}
        answer: Mapping[str, Any] | Future[Any] = _ABOUT_VALUES[op](self, content, value, label)
        return answer

    def _targets(self, content: Mapping[str, Any], value: Any, label: str) -> Mapping[str, Any]:
        name = str(content.get("tool") or self.list.chosen)
        form = self._form(name)
        return {"tool": name, "tools": list(self.names), "fields": fields_for(form, value)}

    def _use(self, content: Mapping[str, Any], value: Any, label: str) -> Mapping[str, Any]:
        name = str(content.get("tool") or self.list.chosen)
        form, shown = self._form(name), self.form
        enter(form, content["path"], value)
        if form is not shown:
            self.select(name)
        return {"said": f"{label} is now {'.'.join(map(str, content['path']))} of {name}"}

    def _read(self, content: Mapping[str, Any], value: Any, label: str) -> Mapping[str, Any]:
        """Read a resource that a result links to, by its own tool where it is listed."""
        for tool in self._bench.resources:
            if tool.description.partition("\n")[0] == value.uri:
                self.select(tool.name).run()
                return {}
        raise WorkbenchError(f"{value.uri} is not among the resources that the servers list")

    def _app(self, content: Mapping[str, Any], value: Any, label: str) -> Future[Any]:
        return apps.ask(self._bench, content, self.follow)

    def _fill(self, content: Mapping[str, Any]) -> Form:
        index = int(content["number"])
        name = self._bench.tool(self.history[index].tool).name
        return self.select(name, self.history.arguments(index))

    def _rerun(self, content: Mapping[str, Any]) -> None:
        form = self._fill(content)
        # What may destroy something is asked for once more, by the form's own button.
        if form.tool is not None and "destructive" not in badges(form.tool):
            form.run()

    def _code(self, content: Mapping[str, Any]) -> None:
        number, name = int(content["number"]), _variable(self._bench)
        self.drawer.code = {
            "number": number,
            "call": self.history.to_code(number, name),
            "value": f"{name}.history[{number}].result.value",
        }

    def _view(self, content: Mapping[str, Any]) -> None:
        self.stage.record(self.history[int(content["number"])])

    def _pin(self, content: Mapping[str, Any]) -> None:
        record: CallRecord = self.history[int(content["number"])]
        self.history.pin(record.number, not record.pinned)

    def _compare(self, content: Mapping[str, Any]) -> None:
        first, second = sorted(map(int, content["numbers"]))
        self.stage.comparison(self.history.compare(first, second))

    def _schema(self, content: Mapping[str, Any]) -> None:
        self.drawer.seen = model_view(self._bench.tool(self.list.chosen), str(content["dialect"]))

    def _cancel(self, content: Mapping[str, Any]) -> None:
        run = self._runs.get(int(content["number"]))
        if run is not None:
            run.cancel()

    def _go(self, content: Mapping[str, Any]) -> None:
        run = self._runs.get(int(content["number"]))
        if run is not None:
            self.select(run.tool.name)

    # Its life

    def show(self, static: Mapping[str, Any]) -> None:
        """Display the widgets and, under them, the place where the last result is kept."""
        from IPython.display import display

        self._context = contextvars.copy_context()
        shown = _bundle(self.box)
        display({**shown[0], **static}, metadata=shown[1], raw=True)
        self.stage.place(display({"text/plain": ""}, raw=True, display_id=True))

    def close(self) -> None:
        """End what runs from here, and all widgets."""
        self._redraw.stop()
        for widget in (*self._forms.values(), *self._at_work, self.stage.viewer):
            _end(widget)
        for widget in (self.list, self.drawer, self._place, self._left, self._right, self.box):
            _end(widget)


_ASKED: dict[str, Callable[[Panel, Mapping[str, Any]], Any]] = {
    "fill": Panel._fill,
    "rerun": Panel._rerun,
    "code": Panel._code,
    "view": Panel._view,
    "pin": Panel._pin,
    "compare": Panel._compare,
    "schema": Panel._schema,
    "cancel": Panel._cancel,
    "go": Panel._go,
}
_ABOUT_VALUES: dict[str, Callable[[Panel, Mapping[str, Any], Any, str], Any]] = {
    "targets": Panel._targets,
    "use": Panel._use,
    "drop": Panel._use,
    "read": Panel._read,
    "app": Panel._app,
}


def _report(error: BaseException) -> str:
    """What the authors need to know of a fault."""
    names = ("tool-workbench", "ipywidgets", "anywidget", "ipykernel")
    versions = [f"{name} {_version(name)}" for name in names]
    return f"{own_traceback(error)}\n{', '.join(versions)}, Python {sys.version.split()[0]}"


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "is not installed"


def _end(widget: Any) -> None:
    """Close a widget and its layout, which is a widget of its own."""
    layout = widget.layout
    widget.close()
    layout.close()


def _layout(**options: str) -> Any:
    return ipywidgets.Layout(overflow="visible", **options)


def _variable(bench: Workbench) -> str:
    """The name that the person has given to a workbench."""
    from IPython import get_ipython

    shell = get_ipython() if "IPython" in sys.modules else None
    space: Mapping[str, Any] = {} if shell is None else shell.user_ns
    return next((n for n, v in list(space.items()) if v is bench and n[0] != "_"), "bench")


def _bundle(widget: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """A widget's mime bundle, with ipywidgets 7 too, which displays instead of giving one."""
    view = {"version_major": 2, "version_minor": 0, "model_id": widget.model_id}
    data = {"application/vnd.jupyter.widget-view+json": view}
    make = getattr(widget, "_repr_mimebundle_", None)
    made = make() if callable(make) else None
    return (dict(made), {}) if isinstance(made, dict) else (data, {})
