"""Records in memory up to a measure; beyond it, in a private folder."""

from __future__ import annotations

import os
import shutil
import tempfile
import weakref
from pathlib import Path
from typing import Any

from workbench.bench.portable import Folder
from workbench.bench.record import CallRecord
from workbench.bench.saving import record_of_text, text_of_record
from workbench.types import AgentAudio, AgentVideo

__all__ = ["Shelf"]

_MOST_RECORDS = 500
_MOST_BYTES = 500_000_000
_FEWEST = 8
"""So many are kept in memory, whatever they weigh."""


class Shelf:
    """A growing sequence of records, the older of which are on disk.

    Parameters
    ----------
    most_records, most_bytes : int
        What is kept in memory.

    Examples
    --------
    >>> len(Shelf())
    0
    """

    def __init__(self, most_records: int = _MOST_RECORDS, most_bytes: int = _MOST_BYTES) -> None:
        self._limits = (max(most_records, _FEWEST), most_bytes)
        self._places: list[CallRecord | Path] = []
        self._first = 0
        self._weight = 0
        self._folder: Path | None = None

    def append(self, record: CallRecord) -> None:
        """Add a record at the end; some at the front may go to disk for it."""
        self._places.append(record)
        self._weight += _weight(record)
        while len(self._places) - self._first > _FEWEST and self._is_full():
            if not self._store():
                break

    def _is_full(self) -> bool:
        records, size = self._limits
        return len(self._places) - self._first > records or self._weight > size

    def _store(self) -> bool:
        """Move the oldest record in memory to disk; not when there is no room for it."""
        record = self._places[self._first]
        assert isinstance(record, CallRecord)
        try:
            self._places[self._first] = self._written(self._first, record)
        except OSError:
            # A full disk must not fail the call that is being recorded.
            return False
        self._weight -= _weight(record)
        self._first += 1
        return True

    def _written(self, at: int, record: CallRecord) -> Path:
        path = self._home() / f"{at}.json"
        path.write_text(text_of_record(record, self._media()), encoding="utf-8")
        return path

    def _home(self) -> Path:
        if self._folder is None:
            self._folder = Path(tempfile.mkdtemp(prefix="workbench-history-"))
            weakref.finalize(self, _remove, self._folder, os.getpid())
        return self._folder

    def _media(self) -> Folder:
        return Folder(self._home() / "media")

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, at: int) -> CallRecord:
        found = self._places[at]
        if isinstance(found, CallRecord):
            return found
        return record_of_text(found.read_text(encoding="utf-8"), self._media())

    def __setitem__(self, at: int, record: CallRecord) -> None:
        place = range(len(self))[at]
        stored = isinstance(self._places[place], Path)
        self._places[place] = self._written(place, record) if stored else record


def _remove(folder: Path, owner: int) -> None:
    """Remove a folder, unless this is a fork of the process that it belongs to."""
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)


def _weight(record: CallRecord) -> int:
    """Bytes, roughly: media by what they hold decoded, everything else by its text."""
    return sum(map(_bytes_of, (*record.result.content, *record.arguments.values()))) + 1_000


def _bytes_of(value: Any) -> int:
    if hasattr(value, "getbands"):
        return int(value.width * value.height * len(value.getbands()))
    if isinstance(value, AgentAudio):
        return 4 * int(value.size) if value._header is not None else 0
    if isinstance(value, AgentVideo):
        return int(value.size)
    held = getattr(value, "nbytes", None)
    if isinstance(held, int):
        return held
    if isinstance(value, (str, bytes)):
        return len(value)
    return 100 * len(value) if hasattr(value, "__len__") else 100
