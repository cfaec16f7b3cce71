"""Calls as JSON Lines, with media in a folder beside the file, and back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from workbench import errors
from workbench.bench.portable import Folder, read_value, write_value
from workbench.bench.record import CallRecord
from workbench.bench.secrets import MASK
from workbench.errors import (
    InvalidArguments,
    Problem,
    ToolError,
    WorkbenchError,
    bounded_repr,
)
from workbench.tools.content import Resource
from workbench.tools.result import ToolResult, error_text
from workbench.tools.traces import own_traceback
from workbench.types.files import write_atomically

__all__ = ["load_records", "record_of_text", "save_records", "text_of_record"]

_FORMAT = 1
_PLAIN = (
    "number", "tool", "source", "version", "summary", "started_at", "elapsed_s", "origin", "pinned",
)  # fmt: skip


class _EarlierError(Exception):
    """What a tool raised in an earlier session: its traceback as text."""


def save_records(path: str | Path, records: Iterable[tuple[CallRecord, Mapping[str, Any]]]) -> None:
    """Write records, each with its secrets, which are masked wherever they occur.

    Raises
    ------
    OSError
        If the file cannot be written; an older one then stays as it was.
    """
    target = Path(path)
    folder = _folder(target)
    lines = [_without(text_of_record(record, folder), secrets) for record, secrets in records]
    write_atomically(target, "".join(f"{line}\n" for line in lines).encode())


def _folder(path: Path) -> Folder:
    return Folder(path.with_name(f"{path.stem}_media"))


def _without(line: str, secrets: Mapping[str, Any]) -> str:
    """A line in which no secret is repeated, as a tool may do in what it returns."""
    for secret in secrets.values():
        if isinstance(secret, str) and secret:
            for quoted in {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}:
                line = line.replace(quoted, MASK)
    return line


def load_records(path: str | Path) -> list[CallRecord]:
    """Read records.

    Raises
    ------
    WorkbenchError
        If the file, one of its lines or a medium cannot be read; names which.
    """
    source = Path(path)
    folder = _folder(source)
    try:
        lines = source.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise WorkbenchError(f"no history can be read from {str(path)!r}: {error}") from error
    return [_read(source, number, line, folder) for number, line in enumerate(lines, 1) if line]


def _read(source: Path, number: int, line: str, folder: Folder) -> CallRecord:
    try:
        return record_of_text(line, folder)
    except (LookupError, TypeError, ValueError, WorkbenchError) as error:
        raise WorkbenchError(
            f"{str(source)!r}, line {number}: no call can be read from it: {error_text(error)}"
        ) from error


def text_of_record(record: CallRecord, folder: Folder) -> str:
    """One line of JSON for a call; its media go into the folder."""
    data = {"format": _FORMAT, **{name: getattr(record, name) for name in _PLAIN}}
    data["arguments"] = _whole(dict(record.arguments), folder)
    data["result"] = _result_data(record.result, folder)
    line = json.dumps(data, ensure_ascii=False, allow_nan=False)
    lone_surrogates = not line.isascii() and any("\ud800" <= char <= "\udfff" for char in line)
    return json.dumps(data, allow_nan=False) if lone_surrogates else line


def _whole(value: Any, folder: Folder) -> Any:
    try:
        return write_value(value, folder)
    except RecursionError:
        return bounded_repr(value)


def _result_data(result: ToolResult, folder: Folder) -> dict[str, Any]:
    data = {
        "content": [_whole(block, folder) for block in result.content],
        "structured_content": _whole(result.structured_content, folder),
        "is_error": result.is_error,
        "value": _value_data(result, folder),
        "annotations": _whole(list(result.annotations), folder),
        "meta": _whole(dict(result.meta), folder),
        "output_problems": [_problem_data(problem) for problem in result.output_problems],
        "error": None if result.error is None else _error_data(result.error),
    }
    return {name: item for name, item in data.items() if item not in (None, [], {})}


def _value_data(result: ToolResult, folder: Folder) -> Any:
    """The value; where it is one of the blocks, the number of that."""
    for number, block in enumerate(result.content):
        if result.value is (block.value if isinstance(block, Resource) else block):
            return {"$block": number}
    return {"$value": _whole(result.value, folder)}


def _problem_data(problem: Problem) -> dict[str, Any]:
    return {name: getattr(problem, name) for name in ("path", "message", "expected", "got")}


def _error_data(error: BaseException) -> dict[str, Any]:
    data: dict[str, Any] = {"class": type(error).__name__, "message": error_text(error)}
    if isinstance(error, InvalidArguments):
        return {**data, "tool": error.tool, "problems": list(map(_problem_data, error.problems))}
    return {**data, "trace": own_traceback(error)}


def record_of_text(line: str, folder: Folder) -> CallRecord:
    """The opposite of :func:`text_of_record`.

    Raises
    ------
    WorkbenchError, LookupError, TypeError, ValueError
        If the line is not such a text, or a medium is missing.
    """
    data = json.loads(line)
    made = data.get("format") if isinstance(data, dict) else None
    if made != _FORMAT:
        raise WorkbenchError(f"it has format {bounded_repr(made)}, not {_FORMAT}")
    return CallRecord(
        arguments=read_value(data["arguments"], folder),
        result=_result(data["result"], folder),
        **{name: data[name] for name in _PLAIN},
    )


def _result(data: Mapping[str, Any], folder: Folder) -> ToolResult:
    content = tuple(read_value(block, folder) for block in data.get("content", ()))
    made = data.get("value", {})
    if "$block" in made:
        block = content[made["$block"]]
        value = block.value if isinstance(block, Resource) else block
    else:
        value = read_value(made.get("$value"), folder)
    return ToolResult(
        content,
        read_value(data.get("structured_content"), folder),
        data["is_error"],
        value,
        error=_error(data["error"]) if "error" in data else None,
        annotations=tuple(read_value(data.get("annotations", []), folder)),
        meta=read_value(data.get("meta", {}), folder),
        output_problems=tuple(map(_problem, data.get("output_problems", ()))),
    )


def _problem(data: Mapping[str, Any]) -> Problem:
    return Problem(**{**data, "path": tuple(data["path"])})


def _error(data: Mapping[str, Any]) -> BaseException:
    """An error of ours as what it was; any other as a ToolError with the same words."""
    if "problems" in data:
        return InvalidArguments(list(map(_problem, data["problems"])), data["tool"])
    kind = getattr(errors, str(data["class"]), None)
    ours = isinstance(kind, type) and issubclass(kind, WorkbenchError)
    error: BaseException = (kind if ours else ToolError)(data["message"])  # type: ignore[misc]  # a class
    if data.get("trace"):
        error.__cause__ = _EarlierError(data["trace"])
    return error
