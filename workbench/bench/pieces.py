"""A part of a result: what a person points at, to keep it or to put it into another tool's form."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from workbench.bench.tables import Table, table_of
from workbench.bench.tree import opened
from workbench.errors import WorkbenchError
from workbench.tools.content import Resource, ResourceLink
from workbench.tools.result_html import json_text
from workbench.types import AgentText, AgentType
from workbench.types.sniff import extension

__all__ = ["as_file", "label_of", "piece"]

Step = int | Mapping[str, int]
"""The number of an item in a list, mapping or table; or ``{"column": number}`` of a table."""


def piece(value: Any, steps: Sequence[Step]) -> Any:
    """The part of a value that is reached by steps.

    Raises
    ------
    WorkbenchError
        If there is no such part.

    Examples
    --------
    >>> rows = [{"n": 1, "of": "a"}, {"n": 2, "of": "b"}]
    >>> piece(rows, [1]), piece(rows, [{"column": 1}]), piece(rows, [1, {"column": 1}])
    ({'n': 2, 'of': 'b'}, ['a', 'b'], 'b')
    """
    found = value
    table = None
    for step in steps:
        table, found = table_of(found) or table, _inside(found, step, table)
    return found


def _inside(value: Any, step: Step, outer: Any) -> Any:
    table = table_of(value)
    try:
        if isinstance(step, Mapping):
            at = step["column"]
            return table.column(at) if table is not None else value.get(outer.columns[at])
        if table is not None and table.frame is not None:
            return dict(zip(table.columns, table.frame.iloc[step], strict=False))
        seen = opened(value)
        return next(islice(seen.values(), step, None)) if isinstance(seen, Mapping) else seen[step]
    except (AttributeError, IndexError, KeyError, StopIteration, TypeError) as error:
        raise WorkbenchError(f"the result has no part {step!r}; it may have changed") from error


def label_of(value: Any, steps: Sequence[Step]) -> str:
    """A part's place, as people write it.

    Examples
    --------
    >>> label_of([{"n": 1, "of": "a"}], [0, {"column": 1}]), label_of({"a": [5]}, [0, 0])
    ("[0]['of']", "['a'][0]")
    """
    text, found, table = "", value, None
    for step in steps:
        table = table_of(found) or table
        text += _step_text(found, step, table)
        found = _inside(found, step, table)
    return text


def _step_text(value: Any, step: Step, table: Any) -> str:
    if isinstance(step, Mapping):
        return f"[{table.columns[step['column']]!r}]"
    seen = opened(value)
    key = next(islice(seen, step, None)) if isinstance(seen, Mapping) else step
    return f"[{key!r}]"


def as_file(value: Any) -> tuple[str, str, bytes]:
    r"""A value as a file: its name, its media type, and its bytes.

    Pictures, sounds and videos are their own bytes, tables CSV, other data JSON.

    Examples
    --------
    >>> as_file("hi"), as_file([{"a": 1}])
    (('result.txt', 'text/plain', b'hi'), ('result.csv', 'text/csv', b'a\r\n1\r\n'))
    """
    if isinstance(value, (Resource, ResourceLink)):
        return as_file(value.value if isinstance(value, Resource) else value.uri)
    if isinstance(value, (bytes, bytearray)):
        return "result.bin", "application/octet-stream", bytes(value)
    if isinstance(value, AgentType) and not isinstance(value, str):
        mime: str = value.mime_type  # type: ignore[attr-defined]  # all media have it
        return f"result{extension(mime)}", mime, value.to_bytes()  # type: ignore[attr-defined]  # all media have it
    if isinstance(value, str):
        mime = value.mime_type.partition(";")[0] if isinstance(value, AgentText) else "text/plain"
        ending = {"text/markdown": ".md", "text/html": ".html"}.get(mime, ".txt")
        return f"result{ending}", mime, str(value).encode("utf-8", "replace")
    table = table_of(value)
    if table is not None:
        return "result.csv", "text/csv", _csv(table)
    return "result.json", "application/json", json_text(opened(value)).encode("utf-8", "replace")


def _csv(table: Table) -> bytes:
    out = io.StringIO(newline="")
    writer = csv.writer(out)
    writer.writerow(table.columns)
    for row in range(len(table)):
        writer.writerow([_csv_cell(value) for value in table.values(row)])
    return out.getvalue().encode("utf-8", "replace")


def _csv_cell(value: Any) -> Any:
    return json_text(value) if isinstance(value, (Mapping, list, tuple)) else value
