"""The calls that were made: a sequence to look at, repeat, and keep."""

from __future__ import annotations

import html
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, overload

from workbench.bench.code import call_code
from workbench.bench.compare import Comparison
from workbench.bench.record import CallRecord, given_text, summary_of, tool_version
from workbench.bench.replay import write_tests
from workbench.bench.saving import load_records, save_records
from workbench.bench.secrets import Secret, masked, unmasked
from workbench.bench.shelf import Shelf
from workbench.errors import WorkbenchError
from workbench.tools.collection import ToolCollection, no_such_tool
from workbench.tools.events import Call
from workbench.tools.result import ToolResult

__all__ = ["History"]

_ROWS = 100
"""Calls that a table shows."""
_LATE = 100
"""Calls among which the latest of a kind is looked for."""


class History(Sequence[CallRecord]):
    """Calls in the order in which they ended.

    The latest are kept as they are; older ones rest in a private folder and are read back when
    they are asked for, so that a long session does not fill the memory.

    Parameters
    ----------
    tools : ToolCollection
        Those that can be called again.
    targets : sequence of str
        What :func:`workbench.open` takes to have them, in another process too.

    Attributes
    ----------
    versions : dict
        For each tool, the digest of its definition at its last call.

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

    def __init__(self, tools: ToolCollection | None = None, targets: Sequence[str] = ()) -> None:
        self._shelves = {"tools": ToolCollection() if tools is None else tools}
        self._targets = tuple(targets)
        self._records: Shelf = Shelf()
        self._secrets: dict[int, dict[str, Any]] = {}
        self._pinned: set[int] = set()
        self.versions: dict[str, str] = {}
        self._watchers: list[Callable[[CallRecord], None]] = []
        self._lock = threading.Lock()

    def add(self, call: Call) -> CallRecord:
        """Keep a call that has ended."""
        arguments, secrets = masked(dict(call.arguments), call.tool.input_schema)
        with self._lock:
            record = CallRecord(
                number=len(self._records),
                tool=call.tool.name,
                source=call.tool.source,
                version=tool_version(call.tool),
                arguments=arguments,
                result=call.result,
                summary=summary_of(call.result, secrets),
                started_at=call.started_at,
                elapsed_s=call.elapsed_s,
                origin=call.origin,
            )
            self._records.append(record)
            self.versions[record.tool] = record.version
            if secrets:
                self._secrets[record.number] = secrets
        self._tell(record)
        return record

    def know(self, kind: str, tools: ToolCollection) -> None:
        """Calls of these can be made again too.

        Parameters
        ----------
        kind : str
            The attribute of the workbench that has them: "resources" or "prompts".
        tools : ToolCollection
            Them.
        """
        self._shelves[kind] = tools

    def _shelf(self, name: str) -> str:
        """Where a tool of that name is; "tools" where it is nowhere."""
        return next((kind for kind, known in self._shelves.items() if name in known.names), "tools")

    def number_of(self, result: ToolResult) -> int | None:
        """The number of the late call that had this very result."""
        late = self[-_LATE:]
        return next((record.number for record in reversed(late) if record.result is result), None)

    def watch(self, watcher: Callable[[CallRecord], None]) -> None:
        """Call `watcher(record)` for every further call, and for one that is pinned."""
        self._watchers.append(watcher)

    def _tell(self, record: CallRecord) -> None:
        for watcher in tuple(self._watchers):
            watcher(record)

    @overload
    def __getitem__(self, key: int) -> CallRecord: ...

    @overload
    def __getitem__(self, key: slice) -> list[CallRecord]: ...

    def __getitem__(self, key: int | slice) -> CallRecord | list[CallRecord]:
        if isinstance(key, slice):
            return [self._records[at] for at in range(*key.indices(len(self)))]
        return self._records[key]

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[CallRecord]:
        return (self._records[at] for at in range(len(self)))

    def filter(self, keep: Callable[[CallRecord], bool]) -> list[CallRecord]:
        """Those calls for which `keep(record)` is true."""
        return [record for record in self if keep(record)]

    def pin(self, index: int, pinned: bool = True) -> CallRecord:
        """Mark a call, to find it again; or take the mark away.

        Raises
        ------
        IndexError
            If there is no such call.
        """
        record = replace(self._records[index], pinned=pinned)
        self._records[index] = record
        (self._pinned.add if pinned else self._pinned.discard)(record.number)
        self._tell(record)
        return record

    @property
    def pinned(self) -> list[CallRecord]:
        """The calls that are marked."""
        return [self._records[number] for number in sorted(self._pinned)]

    def arguments(self, index: int) -> dict[str, Any]:
        """The arguments of a call as they were given, secrets included; not for showing."""
        record = self._records[index]
        whole: dict[str, Any] = unmasked(
            dict(record.arguments), self._secrets.get(record.number, {})
        )
        return whole

    def rerun(self, index: int, /, **changed: Any) -> ToolResult:
        """Make a call again, with the same arguments or some that are changed.

        Parameters
        ----------
        index : int
            Which call.
        **changed
            Arguments to give instead; secrets of a loaded history, which were not saved.

        Raises
        ------
        WorkbenchError
            If its tool is not here, or a secret is not known.
        IndexError
            If there is no such call.
        """
        record = self._records[index]
        shelf = self._shelves[self._shelf(record.tool)]
        tool = shelf.get(record.tool)
        if tool is None:
            raise WorkbenchError(no_such_tool(record.tool, shelf.names))
        arguments = {**self.arguments(index), **changed}
        lost = [secret.where for secret in Secret.inside(arguments)]
        if lost:
            raise WorkbenchError(
                f"secrets are not saved: give {', '.join(lost)} again, as in "
                f"history.rerun({index}, {str(lost[0]).partition('.')[0]}=...)"
            )
        return tool.run(arguments)

    def to_code(self, index: int, bench: str = "bench") -> str:
        """Python source that makes a call again.

        Parameters
        ----------
        index : int
            Which call.
        bench : str
            The workbench's variable in the cell where the source will stand.

        Raises
        ------
        IndexError
            If there is no such call.
        """
        record = self._records[index]
        return call_code(record, bench, self._shelf(record.tool))

    def compare(self, first: int, second: int) -> Comparison:
        """Two calls side by side, for a cell's last line.

        Raises
        ------
        IndexError
            If there is no such call.
        """
        return Comparison(first=self._records[first], second=self._records[second])

    def to_tests(
        self, path: str | Path, calls: Iterable[int] | None = None, *, target: str | None = None
    ) -> Path:
        """Write a pytest file that makes calls again and compares what comes.

        Text and structured data must be the same, pictures and sounds alike; what was recorded
        is kept beside the file.

        Parameters
        ----------
        path : path
            "test_server.py", say.
        calls : iterable of int, optional
            Which calls; by default those that are pinned, and all where none is.
        target : str, optional
            What the tests open, where the workbench was not made of commands, addresses, files
            and importable functions.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        WorkbenchError
            If there are no calls, or nothing that tests can open.
        OSError
            If it cannot be written.
        """
        chosen = [self[at] for at in calls] if calls is not None else self.pinned or list(self)
        pairs = [(record, self._secrets.get(record.number, {})) for record in chosen]
        shelves = dict.fromkeys(("tools", *(self._shelf(record.tool) for record in chosen)))
        targets = self._targets if target is None else (target,)
        return write_tests(path, pairs, targets, tuple(shelves))

    def save(self, path: str | Path) -> None:
        """Write all calls as JSON Lines; media go into a folder beside the file.

        Secrets are masked, also where a tool has repeated them in what it returned.

        Parameters
        ----------
        path : path
            "calls.jsonl" has its media in "calls_media".

        Raises
        ------
        OSError
            If it cannot be written; a file that was there stays as it was.
        """
        save_records(path, ((record, self._secrets.get(record.number, {})) for record in self))

    @classmethod
    def load(cls, path: str | Path, tools: ToolCollection | None = None) -> History:
        """Read calls that were saved; results and arguments are typed values again.

        Parameters
        ----------
        path : path
            The file; its folder of media must be beside it.
        tools : ToolCollection, optional
            Those with which calls can be made again.

        Raises
        ------
        WorkbenchError
            If it cannot be read; names the line.
        """
        history = cls(tools)
        history.read(path)
        return history

    def read(self, path: str | Path) -> None:
        """Add calls that were saved, after those that are here.

        Raises
        ------
        WorkbenchError
            If they cannot be read; names the line.
        """
        for loaded in load_records(path):
            record = replace(loaded, number=len(self))
            self._records.append(record)
            self.versions[record.tool] = record.version
            if record.pinned:
                self._pinned.add(record.number)

    def __repr__(self) -> str:
        if not len(self):
            return "History: no calls yet"
        rows = [_row(record) for record in self[-20:]]
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
            for record in self[-_ROWS:]
        )
        more = len(self) - _ROWS
        note = f"<p>{more} earlier calls are not shown.</p>" if more > 0 else ""
        table = f"{note}<table><thead><tr>{head}</tr></thead><tbody>{cells}</tbody></table>"
        return {"text/plain": repr(self), "text/html": table if cells else "<p>No calls yet.</p>"}


def _row(record: CallRecord) -> tuple[str, str, str, str, str]:
    """Number, tool, arguments, status and result, each in few characters; no times, which vary."""
    mark = " ★" if record.pinned else ""
    short = record.summary if len(record.summary) <= 60 else record.summary[:57] + "..."
    return f"{record.number}{mark}", record.tool, given_text(record, 60), record.status, short
