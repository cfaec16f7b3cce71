"""The result in the panel: drawn block by block, with what is large sent when it is asked for."""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from workbench.bench.blocks import MOST_TEXT, Block
from workbench.bench.pieces import as_file, label_of, piece
from workbench.bench.tables import table_of
from workbench.bench.tree import children
from workbench.bench.waveform import waveform
from workbench.errors import WorkbenchError, bounded_repr
from workbench.types import AgentAudio, AgentImage, AgentType
from workbench.types.encoding import MOST_SHOWN

__all__ = ["Viewer", "source"]

_STATIC = Path(__file__).parent.parent / "static"
_MOST_ASKED = 1_000
"""Rows or nodes that one answer has."""

Content = Mapping[str, Any]
Answer = tuple[dict[str, Any], list[bytes]]


def source(*names: str) -> str:
    """The panel's ES modules as one, which needs no import."""
    return "\n".join((_STATIC / name).read_text(encoding="utf-8") for name in names)


class Viewer(anywidget.AnyWidget):
    """What came of a call, for looking at closely.

    Parameters
    ----------
    guarded : callable
        Does what it is given; says in the page what goes wrong, and then returns None.
    asked : callable
        ``asked(op, content, value, label)`` answers what is not about the result alone: putting
        a value into a form, say; at once, or with a future.
    """

    _esm = source("bench.dom.js", "bench.markdown.js", "bench.app.js", "bench.viewer.js")
    _css = _STATIC / "bench.css"
    head: Any = traitlets.Dict().tag(sync=True)
    blocks: Any = traitlets.List().tag(sync=True)

    def __init__(
        self,
        guarded: Callable[[Callable[[], Any]], Any],
        asked: Callable[[str, Content, Any, str], Mapping[str, Any] | Future[Any]],
    ) -> None:
        self._shown: Sequence[Block] = ()
        self._serial = 0
        self._guarded = guarded
        self._asked = asked
        super().__init__()
        self.on_msg(self._heard)

    def show(self, blocks: Sequence[Block], **head: Any) -> None:
        """Show blocks under a heading.

        Parameters
        ----------
        blocks : sequence of Block
            What is shown.
        **head
            "title", and where it is a call "number", "status" and "about".
        """
        self._serial += 1
        self._shown = blocks
        with self.hold_sync():
            self.blocks = [block.view for block in blocks]
            self.head = {**head, "serial": self._serial}

    def clear(self) -> None:
        """Show nothing."""
        if self._shown:
            self.show(())

    def _heard(self, widget: Any, content: Content, buffers: Any) -> None:
        if "block" not in content:
            self._guarded(lambda: self._asked(str(content.get("op")), content, None, ""))
            return
        answer = self._guarded(lambda: self._answer(content))
        if isinstance(answer, Future):
            answer.add_done_callback(lambda done: self.send({"id": content["id"], **done.result()}))
            return
        message, sent = answer or ({"failed": True}, [])
        self.send({"id": content.get("id"), **message}, sent)

    def _answer(self, content: Content) -> Answer | Future[Any]:
        if content["serial"] != self._serial:
            return {"failed": True}, []
        block, steps, op = self._shown[int(content["block"])], content["steps"], str(content["op"])
        value = piece(block.value, steps)
        if op in _ANSWERS:
            return _ANSWERS[op](value, content)
        label = f"{block.place}{label_of(block.value, steps)}"
        if op == "label":
            return {"text": label_of(block.value, steps)}, []
        answer = self._asked(op, content, value, label)
        return answer if isinstance(answer, Future) else (dict(answer), [])


def _media(value: Any, content: Content) -> Answer:
    """The bytes of a medium for a page; of a large picture a preview, unless all is wanted."""
    if isinstance(value, AgentAudio) and value._header is not None:
        data, mime, note = value.shown()
        return {"mime": mime, "note": note}, [data]
    if isinstance(value, AgentImage) and not content.get("whole"):
        seen = value.shown()
        return {"mime": seen.mime, "note": seen.note}, [seen.data]
    _, mime, data = as_file(value)
    if len(data) > 10 * MOST_SHOWN:
        raise WorkbenchError(f"{len(data):,} bytes are too many to show; download it instead")
    return {"mime": mime}, [data]


def _wave(value: Any, content: Content) -> Answer:
    known = isinstance(value, AgentAudio) and value._header is not None
    return {"peaks": waveform(value) if known else []}, []


def _rows(value: Any, content: Content) -> Answer:
    table = table_of(value)
    assert table is not None
    count = min(int(content["count"]), _MOST_ASKED)
    column, descending = content.get("column"), bool(content.get("descending"))
    rows = table.page(int(content["start"]), count, column=column, descending=descending)
    return {"rows": rows}, []


def _inside(value: Any, content: Content) -> Answer:
    count = min(int(content["count"]), _MOST_ASKED)
    return {"items": children(value, int(content["start"]), count)}, []


def _text(value: Any, content: Content) -> Answer:
    start = int(content["start"])
    end = start + 5 * MOST_TEXT
    return {"text": str(value[start:end]), "more": max(0, len(value) - end)}, []


def _file(value: Any, content: Content) -> Answer:
    name, mime, data = as_file(value)
    return {"name": name, "mime": mime}, [data]


def _page(value: Any, content: Content) -> Answer:
    return {"text": str(value)}, []


def _name(value: Any, content: Content) -> Answer:
    """A name for a variable, which is not taken."""
    is_medium = isinstance(value, AgentType) and not isinstance(value, str)
    word = {"image": "picture", "audio": "sound"}.get(value.media, "video") if is_medium else ""
    word = word or ("table" if table_of(value) is not None else "result")
    taken, name, count = _space(), word, 2
    while name in taken:
        name, count = f"{word}{count}", count + 1
    return {"name": name}, []


def _assign(value: Any, content: Content) -> Answer:
    name = str(content["name"]).strip()
    if not name.isidentifier() or keyword.iskeyword(name):
        raise WorkbenchError(f"{bounded_repr(name)} cannot be the name of a variable")
    if hasattr(builtins, name):
        raise WorkbenchError(f"{name!r} is Python's own; take another name")
    _space()[name] = value
    return {"said": f"{name} = {bounded_repr(value, 60)}"}, []


def _space() -> dict[str, Any]:
    """The notebook's variables."""
    import sys

    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        raise WorkbenchError("there is no notebook whose variable it could be")
    space: dict[str, Any] = shell.user_ns
    return space


_ANSWERS: dict[str, Callable[[Any, Content], Answer]] = {
    "media": _media,
    "wave": _wave,
    "rows": _rows,
    "inside": _inside,
    "text": _text,
    "file": _file,
    "page": _page,
    "name": _name,
    "assign": _assign,
}
