"""Two calls side by side: what was given, what came, and where they differ."""

from __future__ import annotations

import difflib
import html
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from workbench.bench.blocks import Block, view_of
from workbench.bench.record import CallRecord, given_text
from workbench.errors import bounded_repr
from workbench.tools.content import Resource
from workbench.tools.result import ToolResult
from workbench.tools.result_html import json_text, result_text, value_html
from workbench.types import AgentImage, AgentType, wrap

__all__ = ["Comparison"]

_MOST_LINES = 2_000
_CELL = "vertical-align:top;text-align:left;padding:.3em .7em;overflow-wrap:anywhere"
_COLOURS = {"+": "rgba(46,160,67,.18)", "-": "rgba(248,81,73,.18)"}
_ABSENT: Any = object()


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """Two calls, for looking at their differences.

    Parameters
    ----------
    first, second : CallRecord
        The calls.

    Examples
    --------
    >>> from workbench import Workbench
    >>> with Workbench(len) as bench:
    ...     _ = bench.tools["len"]("abc"), bench.tools["len"]("abcd")
    ...     print(bench.history.compare(0, 1))
    --- #0 len(obj='abc')
    +++ #1 len(obj='abcd')
    @@ -1 +1 @@
    -3
    +4
    """

    first: CallRecord
    second: CallRecord

    @property
    def same(self) -> bool:
        """Whether both results say the same."""
        return not any(part.differs for part in self._parts())

    def _parts(self) -> Iterator[_Part]:
        one, two = self.first.result, self.second.result
        for at, (a, b) in enumerate(zip_longest(one.content, two.content, fillvalue=_ABSENT), 1):
            yield _Part(name=f"block {at}", first=_inner(a), second=_inner(b))
        if not (_is_repeated(one) and _is_repeated(two)):
            yield _Part(
                name="structured", first=one.structured_content, second=two.structured_content
            )

    def __str__(self) -> str:
        heads = (_title(self.first), _title(self.second))
        one, two = (_lines(result_text(record.result)) for record in (self.first, self.second))
        found = list(difflib.unified_diff(one, two, *heads, lineterm=""))
        return "\n".join(found) if found else f"{heads[0]}\n{heads[1]}\nthe same result"

    __repr__ = __str__

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._html()}

    def _given(self) -> Iterator[_Part]:
        """The arguments of both, by name."""
        one, two = self.first.arguments, self.second.arguments
        for name in dict.fromkeys([*one, *two]):
            first, second = wrap(one.get(name, _ABSENT)), wrap(two.get(name, _ABSENT))
            yield _Part(name=name, first=first, second=second)

    def blocks(self) -> list[Block]:
        """The same, as the panel shows it."""
        return [part.block() for part in (*self._given(), *self._parts())]

    def _html(self) -> str:
        one, two = self.first, self.second
        rows = [part.row() for part in (*self._given(), *self._parts())]
        took = f"{one.elapsed_s:.2f} s", f"{two.elapsed_s:.2f} s"
        heads = "".join(
            f'<th style="{_CELL}">#{record.number} {html.escape(record.tool)}, '
            f"{record.status}, {time}</th>"
            for record, time in zip((one, two), took, strict=True)
        )
        head = f'<tr><th style="{_CELL}"></th>{heads}</tr>'
        return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """One thing that both calls may have."""

    name: str
    first: Any
    second: Any

    @property
    def differs(self) -> bool:
        one, two = self.first, self.second
        if one is two:
            return False
        if isinstance(one, AgentType) and not isinstance(one, str):
            return type(one) is not type(two) or one.to_bytes() != two.to_bytes()  # type: ignore[attr-defined]  # all media have it
        return _text(one) != _text(two)

    def block(self) -> Block:
        """Both values and, for texts of several lines, where they differ."""
        sides = [None if v is _ABSENT else view_of(v) for v in (self.first, self.second)]
        pictures = all(isinstance(value, AgentImage) for value in (self.first, self.second))
        mode = "sides"
        if self.differs and pictures:
            mode = "pictures"
        elif self.differs and _is_long(self.first) and _is_long(self.second):
            mode = "diff"
        view = {"kind": "pair", "title": self.name, "same": not self.differs, "mode": mode}
        view |= {"first": sides[0], "second": sides[1]}
        if mode == "diff":
            view["diff"] = self._lines()
        return Block(value=(self.first, self.second), view=view, place="")

    def row(self) -> str:
        head = f'<th style="{_CELL}">{html.escape(self.name)}</th>'
        if not self.differs:
            note = ' <span style="opacity:.7">(the same)</span>'
            return f'<tr>{head}<td colspan="2" style="{_CELL}">{_shown(self.first)}{note}</td></tr>'
        if _is_long(self.first) and _is_long(self.second):
            return f'<tr>{head}<td colspan="2" style="{_CELL}">{self._diff()}</td></tr>'
        cells = (f'<td style="{_CELL}">{_shown(value)}</td>' for value in (self.first, self.second))
        return f"<tr>{head}{''.join(cells)}</tr>"

    def _lines(self) -> list[str]:
        found = difflib.unified_diff(
            _lines(_text(self.first)), _lines(_text(self.second)), lineterm=""
        )
        return list(found)[2 : _MOST_LINES + 2]

    def _diff(self) -> str:
        lines = (
            f'<div style="background:{_COLOURS.get(line[:1], "none")}">{html.escape(line)}</div>'
            for line in self._lines()
        )
        return f'<pre style="margin:0;white-space:pre-wrap">{"".join(lines)}</pre>'


def _is_repeated(result: ToolResult) -> bool:
    """Whether the structured content is missing, or only says what the one text says."""
    data = result.structured_content
    if data is None:
        return True
    if len(result.content) != 1 or not isinstance(result.content[0], str):
        return False
    text = str(result.content[0])
    return data in (text, {"result": text}, _read(text))


def _read(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError:
        return text


def _inner(block: Any) -> Any:
    return block.value if isinstance(block, Resource) else block


def _title(record: CallRecord) -> str:
    return f"#{record.number} {record.tool}({given_text(record, 80)})"


def _lines(text: str) -> list[str]:
    lines = text.splitlines()
    more = len(lines) - _MOST_LINES
    return lines if more <= 0 else [*lines[:_MOST_LINES], f"... {more} more lines"]


def _text(value: Any) -> str:
    if value is _ABSENT:
        return ""
    return str(value) if isinstance(value, str) else json_text(value)


def _is_long(value: Any) -> bool:
    """Whether a value is text, or a tree, of more than one line."""
    is_text = isinstance(value, (str, dict, list, tuple))
    return is_text and "\n" in _text(value)


def _shown(value: Any) -> str:
    if value is _ABSENT:
        return '<span style="opacity:.7">none</span>'
    if isinstance(value, AgentImage):
        return f"{value_html(value)}<div>{value.width} × {value.height}</div>"  # noqa: RUF001  # the sign for sizes
    if isinstance(value, AgentType) and not isinstance(value, str):
        return value_html(value)
    text = str(value) if isinstance(value, str) else bounded_repr(value, 300)
    return html.escape(text if len(text) <= 2_000 else text[:2_000] + " ...")
