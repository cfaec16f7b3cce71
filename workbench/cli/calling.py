"""``workbench call``: one tool, its arguments from the terminal, its result to the terminal."""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.cli.usage import CONNECTION, FAILED, OK, USAGE, Usage
from workbench.errors import ConnectionFailed, InvalidArguments

if TYPE_CHECKING:
    from workbench.forms import FormModel
    from workbench.tools import Tool, ToolResult

__all__ = ["call"]


def call(options: argparse.Namespace) -> int:
    """Call one tool and print its result; without a tool, list them.

    Raises
    ------
    Usage
        If the arguments are not written as they should be.
    InvalidArguments
        If they do not fit the tool.
    WorkbenchError
        If there is no such tool, or no such target.
    """
    from workbench.bench import Workbench
    from workbench.tools.traces import own_traceback

    with Workbench(options.target) as bench:
        if options.tool is None:
            print(bench.tools)
            return OK
        tool = bench.tool(options.tool)
        result = _result(tool, _arguments(options, tool), options.timeout)
        _show(result, tool.name, Path(options.output_dir))
        if options.traceback and result.error is not None:
            print(own_traceback(result.error), file=sys.stderr)
        return _code(result)


def _arguments(options: argparse.Namespace, tool: Tool) -> dict[str, Any]:
    """Arguments from ``--json`` and ``--arg``, the latter read by the tool's schema."""
    from workbench.forms import FormModel

    try:
        given = json.loads(options.json)
    except ValueError as error:
        raise Usage(f"--json is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise Usage(f"--json must be an object, got {options.json!r}")
    model = FormModel(tool.input_schema, given) if given else FormModel(tool.input_schema)
    for pair in options.arg:
        name, equals, text = pair.partition("=")
        if not equals:
            raise Usage(f"--arg takes NAME=VALUE, got {pair!r}")
        _enter(model, name, text)
    if model.problems:
        raise InvalidArguments(model.problems, tool.name)
    return dict(model.value or {})


def _enter(model: FormModel, name: str, text: str) -> None:
    if not text.startswith("@") or text.startswith("@@"):
        model.set_text((name,), text.replace("@@", "@", 1) if text.startswith("@@") else text)
        return
    try:
        data = Path(text[1:]).read_bytes()
    except OSError as error:
        raise Usage(f"--arg {name}: {error}; write {name}=@{text} for the text itself") from None
    field = next((field for field in model.fields if field.name == name), None)
    if field is not None and field.kind == "media":
        model.set((name,), base64.b64encode(data).decode())
    else:
        model.set_text((name,), data.decode("utf-8", "replace"))


def _result(tool: Tool, arguments: dict[str, Any], timeout_s: float | None) -> ToolResult:
    if tool.is_async and not tool.remote:
        return asyncio.run(tool.arun(arguments, timeout_s=timeout_s))
    watching = tool.remote and sys.stderr.isatty()
    return tool.run(arguments, timeout_s=timeout_s, on_progress=_tell if watching else None)


def _tell(progress: Any) -> None:
    done = "" if progress.fraction is None else f"{progress.fraction:4.0%} "
    print(f"\r\x1b[K{done}{progress.message[:70]}", end="\r", file=sys.stderr, flush=True)


def _code(result: ToolResult) -> int:
    if isinstance(result.error, InvalidArguments):
        return USAGE
    if isinstance(result.error, ConnectionFailed):
        return CONNECTION
    return FAILED if result.is_error else OK


def _show(result: ToolResult, name: str, folder: Path) -> None:
    """Print a result block by block; media go into files, whose paths are printed."""
    from workbench.tools.result_html import result_text
    from workbench.types import AgentType

    if result.is_error or not result.content:
        print(result_text(result), file=sys.stderr if result.is_error else sys.stdout)
        return
    for block in result.content:
        value = getattr(block, "value", block)
        if isinstance(value, AgentType) and not isinstance(value, str):
            print(f"{value!r} in {_written(value, name, folder)}")
        else:
            print(result_text(type(result)((block,))))


def _written(value: Any, name: str, folder: Path) -> Path:
    """Write a medium to a file that is not there yet."""
    from workbench.types.sniff import extension

    safe, number = re.sub(r"\W+", "_", name), 1
    while (path := folder / f"{safe}-{number}{extension(value.mime_type)}").exists():
        number += 1
    folder.mkdir(parents=True, exist_ok=True)
    value.save(path)
    return path
