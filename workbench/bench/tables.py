"""Lists of records and data frames as tables: columns, an order, and some rows at a time."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from workbench.errors import bounded_repr
from workbench.types import AgentType

__all__ = ["FIRST_ROWS", "MOST_COLUMNS", "Table", "cell_text", "table_of"]

FIRST_ROWS = 1_000
"""Rows that are shown at first; the rest are fetched on demand."""
MOST_COLUMNS = 60
"""Columns that are shown."""
_LONGEST_CELL = 300
_LOOKED_AT = 200
"""Rows by which a list is known for a table, and has its columns named."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """Rows and columns over a value, which is not copied.

    Parameters
    ----------
    columns : tuple of str
        Their names, as shown.
    rows : sequence
        The records; a data frame's rows by their numbers.
    frame : object or None
        The data frame, where the value is one.

    Examples
    --------
    >>> table = table_of([{"n": 2, "of": "b"}, {"n": 1}])
    >>> table.columns, table.page(0, 10, column=0)
    (('n', 'of'), [(1, ['1', '']), (0, ['2', 'b'])])
    """

    columns: tuple[str, ...]
    rows: Sequence[Any]
    frame: Any = None

    def __len__(self) -> int:
        return len(self.rows)

    def column(self, at: int) -> list[Any]:
        """The values of a column, in the order of the rows; None where a row has none."""
        if self.frame is not None:
            return list(self.frame.iloc[:, at])
        name = self.columns[at]
        return [row.get(name) for row in self.rows]

    def values(self, row: int) -> list[Any]:
        """A row's values, column by column; None where it has none."""
        if self.frame is not None:
            return list(self.frame.iloc[row])
        return [self.rows[row].get(name) for name in self.columns]

    def cells(self, row: int) -> list[str]:
        """A row as short texts."""
        if self.frame is not None:
            return [cell_text(value) for value in self.frame.iloc[row, :MOST_COLUMNS]]
        record = self.rows[row]
        shown = self.columns[:MOST_COLUMNS]
        return [cell_text(record[name]) if name in record else "" for name in shown]

    def page(
        self, start: int, count: int, *, column: int | None = None, descending: bool = False
    ) -> list[tuple[int, list[str]]]:
        """Some rows, each with its number in the value.

        Parameters
        ----------
        start, count : int
            Which of the rows, in the order asked for.
        column : int, optional
            By which they are ordered; by default they stand as they are.
        descending : bool
            The largest first. What is missing comes last either way.
        """
        order: Sequence[int] = range(len(self))
        if column is not None:
            order = _sorted(self.column(column), descending)
        return [(at, self.cells(at)) for at in order[start : start + count]]


def table_of(value: Any) -> Table | None:
    """A value as a table; None where it is not one."""
    if hasattr(value, "iloc") and hasattr(value, "columns"):
        names = tuple(str(name) for name in value.columns)
        return Table(columns=names, rows=range(len(value)), frame=value)
    if not isinstance(value, (list, tuple)) or not value:
        return None
    looked_at = value[:_LOOKED_AT]
    if not all(isinstance(row, Mapping) and row for row in looked_at):
        return None
    names = tuple(dict.fromkeys(name for row in looked_at for name in row))
    if not all(isinstance(name, str) for name in names):
        return None
    rest = islice(value, _LOOKED_AT, None)
    is_table = all(isinstance(row, Mapping) for row in rest)
    return Table(columns=names, rows=value) if is_table else None


def cell_text(value: Any) -> str:
    """A value in few characters.

    Examples
    --------
    >>> cell_text([1, "a"]), cell_text("a")
    ('[1, "a"]', 'a')
    """
    if isinstance(value, str):
        text = str(value[:_LONGEST_CELL])
        return text if len(value) <= _LONGEST_CELL else f"{text} ..."
    if isinstance(value, AgentType):
        return bounded_repr(value)
    small = not isinstance(value, (Mapping, list, tuple)) or len(value) <= 20
    try:
        text = json.dumps(value, ensure_ascii=False) if small else bounded_repr(value)
    except (TypeError, ValueError, RecursionError):
        text = str(value) if hasattr(value, "isoformat") else bounded_repr(value)
    return text if len(text) <= _LONGEST_CELL else f"{text[:_LONGEST_CELL]} ..."


def _sorted(values: list[Any], descending: bool) -> list[int]:
    """The numbers of values in their order: numbers before texts, and what is missing last."""
    there = [at for at, value in enumerate(values) if not _is_missing(value)]
    missing = [at for at, value in enumerate(values) if _is_missing(value)]
    try:
        there.sort(key=values.__getitem__, reverse=descending)
    except TypeError:
        there.sort(key=lambda at: _key(values[at]), reverse=descending)
    return there + missing


def _is_missing(value: Any) -> bool:
    return value is None or (isinstance(value, float) and value != value)


def _key(value: Any) -> tuple[int, float, str]:
    if isinstance(value, (int, float)):
        return 0, value, ""
    return 1, 0.0, cell_text(value)
