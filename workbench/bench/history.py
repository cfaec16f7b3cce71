"""The calls that were made: a sequence to look at, repeat, and keep."""

from __future__ import annotations

import html
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, overload

from workbench.bench.code import call_code
from workbench.bench.record import CallRecord, record_of
from workbench.errors import WorkbenchError, bounded_repr
from workbench.tools.collection import ToolCollection
from workbench.tools.events import Call
from workbench.tools.result import ToolResult
from workbench.tools.result_html import result_text

__all__ = ["History"]


class History(Sequence[CallRecord]):
    """Calls in the order in which they ended.

    Parameters
    ----------
    tools : ToolCollection
        Those that can be called again.

    Examples
    --------
    >>> from workbench import Workbench
    >>> with Workbench(len) as bench:
    ...     _ = bench.tools["len"]("abc")
    ...     print(bench.history.to_code(0))
    ...     bench.history.rerun(0).value
    bench.tools['len'](obj='abc')
    3
    """

    def __init__(self, tools: ToolCollection) -> None:
        self._tools = tools
        self._records: list[CallRecord] = []
        self._given: dict[int, Any] = {}
        self._watchers: list[Callable[[CallRecord], None]] = []

    def add(self, call: Call) -> CallRecord:
        """Keep a call that has ended."""
        record = record_of(call, len(self._records))
        self._records.append(record)
        self._given[record.number] = dict(call.arguments)
        for watcher in tuple(self._watchers):
            watcher(record)
        return record

    def watch(self, watcher: Callable[[CallRecord], None]) -> None:
        """Call `watcher(record)` for every further call."""
        self._watchers.append(watcher)

    @overload
    def __getitem__(self, key: int) -> CallRecord: ...

    @overload
    def __getitem__(self, key: slice) -> list[CallRecord]: ...

    def __getitem__(self, key: int | slice) -> CallRecord | list[CallRecord]:
        return self._records[key]

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[CallRecord]:
        return iter(self._records)

    def filter(self, keep: Callable[[CallRecord], bool]) -> list[CallRecord]:
        """Those calls for which `keep(record)` is true."""
        return [record for record in self._records if keep(record)]

    def arguments(self, index: int) -> dict[str, Any]:
        """The arguments of a call as they were given, secrets included; not for showing."""
        return dict(self._given[self._records[index].number])

    def rerun(self, index: int) -> ToolResult:
        """Make a call again, with the same arguments.

        Raises
        ------
        WorkbenchError
            If its tool is not here any more.
        IndexError
            If there is no such call.
        """
        record = self._records[index]
        tool = self._tools.get(record.tool)
        if tool is None:
            raise WorkbenchError(f"the tool {bounded_repr(record.tool)} is not here any more")
        return tool.run(self.arguments(index))

    def to_code(self, index: int) -> str:
        """Python source that makes a call again, for a cell where the workbench is ``bench``."""
        return call_code(self._records[index])

    def __repr__(self) -> str:
        if not self._records:
            return "History: no calls yet"
        rows = [_row(record) for record in self._records[-20:]]
        wide = [max(len(row[i]) for row in rows) for i in range(4)]
        lines = [
            "  ".join(cell.ljust(wide[i]) for i, cell in enumerate(row[:4])) + f"  {row[4]}"
            for row in rows
        ]
        more = len(self) - len(rows)
        head = [f"History: {len(self)} calls"] + ([f"  ... {more} earlier"] if more else [])
        return "\n".join([*head, *(f"  {line}".rstrip() for line in lines)])

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> dict[str, Any]:
        head = "".join(f"<th>{word}</th>" for word in ("#", "Tool", "Arguments", "", "Result"))
        cells = "".join(
            "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in _row(record)) + "</tr>"
            for record in self._records[-100:]
        )
        table = f"<table><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>"
        return {"text/plain": repr(self), "text/html": table if cells else "<p>No calls yet.</p>"}


def _row(record: CallRecord) -> tuple[str, str, str, str, str]:
    """Number, tool, arguments, status and result, each in few characters; no times, which vary."""
    given = ", ".join(
        f"{name}={bounded_repr(value, 30)}" for name, value in record.arguments.items()
    )
    first = result_text(record.result).strip().partition("\n")[0]
    return (
        str(record.number),
        record.tool,
        given if len(given) <= 60 else given[:57] + "...",
        record.status,
        first if len(first) <= 60 else first[:57] + "...",
    )
