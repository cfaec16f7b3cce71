"""Where a result is: live in the panel, and in an output of the cell that is saved with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from workbench.bench.blocks import Block, blocks_of, displayed
from workbench.bench.compare import Comparison
from workbench.bench.history import History
from workbench.bench.record import CallRecord, given_text
from workbench.bench.viewer import Viewer
from workbench.tools.result import ToolResult
from workbench.tools.result_html import result_html, result_text, value_html
from workbench.tools.run import Run

__all__ = ["Stage"]

_NOTHING: dict[str, Any] = {"text/plain": ""}


class Stage:
    """What the panel shows as the result, in both places at once.

    Parameters
    ----------
    history : History
        Where calls have their numbers from.
    viewer : Viewer
        The live place.
    readable : callable
        Whether the resource of an address can be read here.
    """

    def __init__(self, history: History, viewer: Viewer, readable: Callable[[str], bool]) -> None:
        self.viewer = viewer
        self._history = history
        self._readable = readable
        self._handle: Any = None
        self._kept: tuple[Mapping[str, Any], Mapping[str, Any]] = (_NOTHING, {})
        self._seen: tuple[int, ...] = ()

    def place(self, handle: Any) -> None:
        """Keep what is shown in another output, from now on."""
        self._handle = handle
        self._put(*self._kept)

    def update(self, data: Any, metadata: Any = None, raw: bool = False) -> None:
        """Ignore what a form writes about its run: the stage hears of the run itself."""

    def clear(self) -> None:
        """Show nothing."""
        self._seen = ()
        self.viewer.clear()
        self._put(_NOTHING, {})

    def follow(self, run: Run) -> None:
        """Show what a run displays, and in the end its result."""
        if run.result is not None:
            self.result(run.result, run.outputs, run.tool.name)
            return
        shown = [output for output in run.outputs if "data" in output]
        seen = tuple(id(output["data"]) for output in shown)
        if seen != self._seen:
            self._seen = seen
            self.viewer.show(displayed(shown), title=run.tool.name, about="so far")

    def result(
        self, result: ToolResult, outputs: Sequence[Mapping[str, Any]] = (), title: str = ""
    ) -> None:
        """Show what came of a call, and what it displayed on the way."""
        number = self._history.number_of(result)
        if number is not None:
            self.record(self._history[number], outputs)
        else:
            self._show(result, outputs, {"title": title, "about": "", **_status(result)})

    def record(self, record: CallRecord, outputs: Sequence[Mapping[str, Any]] = ()) -> None:
        """Show what came of an earlier call."""
        about = f"{given_text(record, 120)} · {record.elapsed_s:.2f} s"
        head = {"number": record.number, "title": f"#{record.number} {record.tool}"}
        self._show(
            record.result, outputs, {**head, "about": about.strip(" ·"), **_status(record.result)}
        )

    def comparison(self, made: Comparison) -> None:
        """Show two calls side by side."""
        one, two = made.first, made.second
        title = f"#{one.number} {one.tool} and #{two.number} {two.tool}"
        about = f"{one.elapsed_s:.2f} s and {two.elapsed_s:.2f} s"
        self.viewer.show(made.blocks(), title=title, about=about)
        self._put(made._repr_mimebundle_(), {})

    def _show(
        self, result: ToolResult, outputs: Sequence[Mapping[str, Any]], head: dict[str, Any]
    ) -> None:
        on_the_way = displayed(outputs)
        blocks = [self._with_link(block) for block in blocks_of(result)]
        if on_the_way and not result.content and result.structured_content is None:
            blocks = [block for block in blocks if block.view["kind"] != "note"]
        self.viewer.show([*on_the_way, *blocks], **head)
        self._put(*_bundle(result, on_the_way))

    def _with_link(self, block: Block) -> Block:
        if block.view["kind"] != "link":
            return block
        view = {**block.view, "readable": self._readable(block.view["uri"])}
        return Block(value=block.value, view=view, place=block.place)

    def _put(self, data: Mapping[str, Any], metadata: Mapping[str, Any]) -> None:
        self._kept = (data, metadata)
        if self._handle is not None:
            self._handle.update(dict(data), metadata=dict(metadata), raw=True)


def _status(result: ToolResult) -> dict[str, str]:
    return {"status": "failed" if result.is_error else "done"}


def _bundle(
    result: ToolResult, on_the_way: Sequence[Block]
) -> tuple[Mapping[str, Any], Mapping[str, Any]]:
    """A result for the notebook's file, with what was displayed before it."""
    if not on_the_way:
        made = result._repr_mimebundle_()
        return made if isinstance(made, tuple) else (made, {})
    before = "".join(f"<div>{value_html(block.value)}</div>" for block in on_the_way)
    texts = [repr(block.value) for block in on_the_way]
    text = "\n".join([*texts, result_text(result)])
    return {"text/plain": text, "text/html": before + result_html(result)}, {}
