"""The form in a page: one widget that draws what the model says and reports what is done.

The page decides nothing: each edit goes to Python, which answers with the whole view. The
result goes to an output of the cell beside the widget, so that it is saved with the notebook.
"""

from __future__ import annotations

import contextlib
import contextvars
from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from workbench.errors import InvalidArguments, Problem, ToolCancelled
from workbench.forms.asking import ASKED, answer
from workbench.forms.edits import edit
from workbench.forms.entering import entered
from workbench.forms.model import FormModel, as_path
from workbench.forms.node import Path
from workbench.forms.notebook import keep_result
from workbench.forms.patches import difference
from workbench.forms.portrait import form_html, form_text, heading
from workbench.forms.tabs import Tabs
from workbench.forms.upload import Uploads
from workbench.forms.view import form_view
from workbench.forms.whole import input_label
from workbench.tools import Run, Tool, ToolResult, start
from workbench.tools import tool as made_tool
from workbench.tools.progress_view import run_view

if TYPE_CHECKING:
    from workbench.forms.controls import Controls
    from workbench.forms.explaining import Explained
    from workbench.forms.hints import Hint

__all__ = ["Form"]

_STATIC = FilePath(__file__).parent.parent / "static"


class Form(anywidget.AnyWidget):
    """A form for a tool, or for a bare schema.

    Parameters
    ----------
    target : Tool, callable, mapping or bool
        A tool has a Run button; a JSON Schema has none.
    **values
        What is entered from the start, by name.

    Examples
    --------
    >>> def add(a: int, b: int = 2) -> int:
    ...     return a + b
    >>> form = Form(add, a=1)
    >>> form.value, form.run().wait().value
    ({'a': 1, 'b': 2}, 3)
    >>> form.close()
    """

    _esm = _STATIC / "form.js"
    _css = _STATIC / "form.css"
    view = traitlets.Dict().tag(sync=True)
    run_view = traitlets.Dict().tag(sync=True)
    timeout_s: Any = traitlets.Float(None, allow_none=True, min=0).tag(sync=True)
    """Seconds after which a run is given up; None for no limit."""

    def __init__(self, target: Any, **values: Any) -> None:
        is_schema = isinstance(target, (Mapping, bool))
        self.tool: Tool | None = None if is_schema else made_tool(target)
        self.model = FormModel(target if self.tool is None else self.tool.input_schema)
        self.question: FormModel | None = None
        self.current: Run | None = None
        self.result: ToolResult | None = None
        self._found: tuple[Problem, ...] = ()
        self._tried = False
        self._sequence = 0
        self._asked_sequence = 0
        self._handle: Any = None
        self._listeners: list[Callable[[Run], None]] = []
        self._uploads = Uploads()
        self._as_json: set[Path] = set()
        self._tabs = Tabs(self.tool.name if self.tool is not None else "dict")
        self._inputs: list[Any] = []
        self._used: list[tuple[Any, str | Hint]] = []
        self._version, self._patching = 0, False
        self._context = contextvars.copy_context()
        for name, value in values.items():
            self.model.set((name,), entered(value))
        super().__init__(view={**self._view(), "version": 0}, run_view={})
        self.on_msg(self._heard)

    # What it holds

    @property
    def value(self) -> Any:
        """What is entered: the arguments as they would be sent."""
        return self.model.value

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What keeps the arguments from being sent."""
        return self.model.problems

    def run(self) -> Run:
        """Start a call with what is entered.

        Raises
        ------
        InvalidArguments
            If something is wrong; nothing has started.
        TypeError
            If the form is for a bare schema.
        """
        if self.tool is None:
            raise TypeError("a form for a bare schema has nothing to run")
        if self.problems:
            raise InvalidArguments(self.problems, self.tool.name)
        run = start(self.tool, self.value or {}, timeout_s=self.timeout_s, origin="form")
        self.current = run
        self._remember(self.value)
        for listener in tuple(self._listeners):
            listener(run)
        self._context = contextvars.copy_context()
        if self._handle is not None:
            # The result of an earlier call must not pass for that of this one.
            self._handle.update({"text/plain": ""}, raw=True)
        run.watch(self._follow, answers=True)
        self._follow(run)
        return run

    def use(self, path: Any, control: str | Hint) -> Form:
        """Ask for a control of a field; see :meth:`workbench.FormModel.use`.

        Returns
        -------
        Form
            This one, to be displayed or asked further.

        Examples
        --------
        >>> form = Form({"properties": {"note": {"type": "string"}}})
        >>> print(*form.use("note", control="line").explain())
        note: line, because of form.use
        >>> form.close()
        """
        self.model.use(path, control)
        self._used.append((path, control))
        self._redraw()
        return self

    def explain(self) -> tuple[Explained, ...]:
        """The control of every visible field, and what asked for it."""
        return self.model.explain()

    def controls(self) -> Controls:
        """The same form as plain ipywidgets; what is entered in either is shown in both.

        Returns
        -------
        Controls
            An ``ipywidgets.VBox``.
        """
        from workbench.forms.controls import Controls

        made = Controls(self)
        self.observe(lambda change: made.refresh(), "view")
        return made

    def on_run(self, listener: Callable[[Run], None]) -> None:
        """Call `listener(run)` whenever a call is started from this form."""
        self._listeners.append(listener)

    def adopt(self, handle: Any) -> None:
        """Keep results in an output that somebody else has displayed."""
        self._handle = handle
        if handle is not None:
            self._context = contextvars.copy_context()

    def fill(self, value: Mapping[str, Any]) -> None:
        """Enter other arguments, instead of what is there."""
        self._begin(FormModel(self.model.schema, value))

    def reset(self) -> None:
        """Enter the schema's defaults, and nothing else."""
        self._begin(FormModel(self.model.schema))

    def _begin(self, model: FormModel) -> None:
        self.model = model
        for path, control in self._used:
            model.use(path, control)
        self._found, self._tried = (), False
        self._as_json.clear()
        self._redraw()

    def _remember(self, value: Any) -> None:
        """Keep what was sent, to enter it again."""
        known = [each for each in self._inputs if each != value]
        self._inputs = [value, *known][:_MOST_INPUTS]

    # The page

    def _view(self) -> dict[str, Any]:
        extra: dict[Any, list[str]] = {}
        known = {(p.path, p.message) for p in self.model.problems}
        for problem in self._found:
            if (problem.path, problem.message) not in known:
                extra.setdefault(problem.path, []).append(problem.message)
        head = {} if self.tool is None else heading(self.tool)
        shown = {**form_view(self.model, extra, self._as_json), **head, "tried": self._tried}
        shown["inputs"] = [input_label(self.model.schema, value) for value in self._inputs]
        return {**shown, "sequence": self._sequence}

    def _redraw(self, patch: bool = False) -> None:
        """Show what the model says; a page that can take it gets only what has changed."""
        view = self._view()
        changed = difference(self.view, view) if patch and self.view else None
        if changed is None:
            self.view = {**view, "version": self._version + 1}
        else:
            self._patching = True
            self.view = {**view, "version": self._version + 1}
            self._patching = False
            self.send({"op": "patch", "from": self._version, **changed})
        self._version += 1

    def _should_send_property(self, key: str, value: Any) -> bool:
        """Whether ipywidgets sends a changed trait; a view that goes as a patch is not sent."""
        sent: bool = super()._should_send_property(key, value)
        return sent and not (key == "view" and self._patching)

    def _heard(self, widget: Any, content: Any, buffers: Any) -> None:
        """Do what the page asks for; whatever goes wrong is said in the page."""
        try:
            self._do(content, buffers)
        except Exception as error:  # noqa: BLE001  # a fault here must not vanish into a log
            self.run_view = {**self.run_view, "fault": f"{type(error).__name__}: {error}"}

    def _do(self, content: Mapping[str, Any], buffers: Any) -> None:
        op = str(content.get("op"))
        if op == "run":
            self._run_from_page()
        elif op == "cancel":
            if self.current is not None:
                self.current.cancel()
        elif op == "answer":
            self._answer(str(content.get("how")))
        elif op == "show":
            self._show_whole(str(content["as"]))
        elif op == "view":
            self._redraw()
        elif op in ASKED:
            self.send(answer(self._asked_of(content), content))
        else:
            self._edit(op, content, buffers)

    def _asked_of(self, content: Mapping[str, Any]) -> FormModel:
        """The model that is meant: that of the form, or that of what the tool asks."""
        asked = content.get("to") == "question" and self.question is not None
        return self.question if asked and self.question is not None else self.model

    def _edit(self, op: str, content: Mapping[str, Any], buffers: Any) -> None:
        model = self._asked_of(content)
        if op in _OWN_EDITS:
            _OWN_EDITS[op](self, content)
        elif op == "upload":
            self._upload(model, content, buffers)
        else:
            edit(model, op, content)
        if model is self.question and self.current is not None:
            self._asked_sequence = int(content.get("sequence", 0))
            self._follow(self.current)
            return
        self._found = ()
        self._sequence = int(content.get("sequence", 0))
        self._redraw(patch=bool(content.get("patch")))

    def _upload(self, model: FormModel, content: Mapping[str, Any], buffers: Any) -> None:
        """Take a piece of a file, and tell the page, which then sends the next ones."""
        about = {"op": "uploaded", "id": content["id"], "to": content.get("to", "form")}
        about["path"] = content["path"]
        try:
            self._uploads.take(model, as_path(content["path"]), content, buffers)
        except ValueError as error:
            self.send({**about, "refused": str(error)})
        else:
            self.send({**about, "index": content["index"]})

    def _show_whole(self, language: str) -> None:
        shown = self._tabs.show(self.model, language)
        if shown is not None:
            self.send(shown)

    def _read_whole(self, content: Mapping[str, Any]) -> None:
        self._tabs.read(self.model, content["as"], str(content["text"]))

    def _toggle_json(self, content: Mapping[str, Any]) -> None:
        self._as_json ^= {as_path(content["path"])}

    def _refill(self, content: Mapping[str, Any]) -> None:
        self.fill(self._inputs[int(content["index"])])

    def _run_from_page(self) -> None:
        self._tried = True
        try:
            self.run()
        except InvalidArguments as error:
            self._found = error.problems
        self._redraw()

    def _answer(self, how: str) -> None:
        run, model = self.current, self.question
        if run is None or model is None:
            return
        if how == "accept" and model.problems:
            self._follow(run, tried=True)
            return
        self.question = None
        answers = {"accept": model.value or {}, "decline": None}
        run.answer(answers[how] if how in answers else ToolCancelled("the question was dismissed"))

    def _follow(self, run: Run, tried: bool = False) -> None:
        """Show how a run is getting on; called from any thread."""
        self._context.copy().run(self._show, run, tried)

    def _show(self, run: Run, tried: bool) -> None:
        if run is not self.current:
            return
        question = run.question
        if question is None:
            self.question = None
        elif self.question is None:
            self.question, self._asked_sequence = FormModel(question.schema), 0
        shown = run_view(run)
        if self._handle is not None:
            # The result's own output says it, and stays when the notebook is saved.
            shown.pop("error", None)
        if question is not None and self.question is not None:
            asked = {
                "message": question.message,
                "url": question.url,
                "sequence": self._asked_sequence,
            }
            shown["question"] = {**asked, **form_view(self.question), "tried": tried}
        self.run_view = shown
        if run.result is not None:
            if self.result is not run.result and not run.result.is_error:
                keep_result(run.tool.name, run.result.value)
            self.result = run.result
            self._keep(run.result)

    def _keep(self, result: ToolResult) -> None:
        """Put the result where it is saved with the notebook."""
        if self._handle is None:
            return
        bundle = result._repr_mimebundle_()
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        self._handle.update(data, metadata=metadata, raw=True)

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        shown = super()._repr_mimebundle_(**kwargs)
        data, metadata = shown if isinstance(shown, tuple) else (shown or {}, {})
        text, table = form_text(self.tool, self.model), form_html(self.tool, self.model)
        return {**data, "text/plain": text, "text/html": table}, metadata

    def __repr__(self) -> str:
        return f"Form({self.tool.name if self.tool else 'schema'!r})"

    def _ipython_display_(self, **kwargs: Any) -> None:
        """Display the widget and, under it, the place where results are kept."""
        from IPython.display import display

        data, metadata = self._repr_mimebundle_()
        display(data, metadata=metadata, raw=True)
        if self.tool is not None:
            self._handle = display({"text/plain": ""}, raw=True, display_id=True)
            if self.result is not None:
                self._keep(self.result)

    def close(self) -> None:
        """End what runs, and the widget."""
        if self.current is not None:
            self.current.cancel()
        with contextlib.suppress(AttributeError):
            super().close()


_MOST_INPUTS = 20
_OWN_EDITS: dict[str, Callable[[Form, Mapping[str, Any]], None]] = {
    "as_json": Form._toggle_json,
    "whole": Form._read_whole,
    "refill": Form._refill,
    "reset": lambda form, content: form.reset(),
}
"""Edits that concern the whole form, besides those of :mod:`workbench.forms.edits`."""
