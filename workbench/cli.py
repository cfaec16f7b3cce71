"""The command ``workbench``: open tools in a notebook, or call one from the terminal."""

from __future__ import annotations

import argparse
import json
import sys
import traceback
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import metadata
from pathlib import Path
from typing import Any

from workbench.errors import ConnectionFailed, InvalidArguments, WorkbenchError

__all__ = ["main"]

OK, FAILED, USAGE, CONNECTION = 0, 1, 2, 3
"""Exit codes: the tool answered; it failed; the command or arguments are wrong; no server."""


class _Usage(WorkbenchError):
    """The command line is wrong."""


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints name what is near."""

    def error(self, message: str) -> Any:
        raise _Usage(message)


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(prog="workbench", description="Try any tool by hand, in a notebook.")
    parser.add_argument("--traceback", action="store_true", help="show tracebacks of errors")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    lab = commands.add_parser("lab", help="open JupyterLab on the quickstart", add_help=False)
    lab.set_defaults(run=_lab)
    opened = commands.add_parser("open", help="write a notebook for a target, and open it")
    opened.add_argument("target", help="a command, a URL, module:function, file.py or mcp.json")
    opened.add_argument("--no-launch", action="store_true", help="only write the notebook")
    opened.add_argument("--output", help="the notebook to write")
    opened.set_defaults(run=_open)
    call = commands.add_parser("call", help="call one tool, and print its result")
    call.add_argument("target", help="a command, a URL, module:function, file.py or mcp.json")
    call.add_argument("tool", nargs="?", help="the tool; left out, the tools are listed")
    call.add_argument("--arg", "-a", action="append", default=[], metavar="NAME=VALUE")
    call.add_argument("--json", default="{}", metavar="OBJECT", help="arguments as JSON")
    call.add_argument("--output-dir", default=".", help="where media are written")
    call.set_defaults(run=_call)
    commands.add_parser("doctor", help="what is installed, and what will not work").set_defaults(
        run=_doctor
    )
    return parser


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; gives the exit code.

    Examples
    --------
    >>> main(["call", "math:sqrt", "sqrt", "--json", '{"x": 9}'])
    3.0
    0
    """
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        return _dispatch(words)
    except _Usage as error:
        return _complain(f"{error}\n{_hint(words)}", USAGE, words)
    except ConnectionFailed as error:
        return _complain(str(error), CONNECTION, words)
    except WorkbenchError as error:
        return _complain(str(error), USAGE, words)
    except KeyboardInterrupt:
        return _complain("interrupted", 130, words)


def _dispatch(words: list[str]) -> int:
    if words[:1] == ["lab"]:
        return _lab(words[1:])
    parser = _parser()
    options = parser.parse_args(words)
    if options.command is None:
        parser.print_help()
        return USAGE
    run: Callable[[Any], int] = options.run
    return run(options)


def _hint(words: list[str]) -> str:
    known = ["lab", "open", "call", "doctor"]
    near = get_close_matches(words[0], known, n=1) if words and words[0] not in known else []
    return f"Did you mean 'workbench {near[0]}'?" if near else "See 'workbench --help'."


def _complain(message: str, code: int, words: list[str]) -> int:
    if "--traceback" in words:
        traceback.print_exc()
    print(f"workbench: {message}", file=sys.stderr)
    return code


def _lab(options: list[str]) -> int:
    from workbench.lab import main as lab

    return lab(options)


def _notebook_for(target: str) -> dict[str, Any]:
    import nbformat

    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {
        "name": "python3",
        "display_name": "Python 3",
        "language": "python",
    }
    notebook.cells = [
        nbformat.v4.new_markdown_cell(f"# Trying the tools of `{target}`\n\nRun the cell below."),
        nbformat.v4.new_code_cell(f"import workbench\n\nbench = workbench.open({target!r})\nbench"),
        nbformat.v4.new_code_cell("bench.history"),
    ]
    made: dict[str, Any] = notebook
    return made


def _file_name(target: str) -> str:
    import re

    words = [
        word
        for word in re.split(r"[^A-Za-z0-9]+", target)
        if word not in ("npx", "y", "m", "https", "http", "uvx", "python")
    ]
    return ("_".join(words)[:60] or "tools") + ".ipynb"


def _open(options: argparse.Namespace) -> int:
    from workbench._optional import require

    nbformat = require("nbformat", extra="lab", feature="writing a notebook")
    path = Path(options.output or _file_name(options.target))
    if path.exists():
        print(f"{path} is there already; it is opened as it is")
    else:
        nbformat.write(_notebook_for(options.target), path)
        print(f"wrote {path}")
    if options.no_launch:
        return OK
    from workbench.lab import main as lab

    return lab([], path)


def _arguments(options: argparse.Namespace, tool: Any) -> dict[str, Any]:
    """Arguments from ``--json`` and ``--arg``, the latter read by the tool's schema."""
    from workbench.forms import FormModel

    try:
        given = json.loads(options.json)
    except ValueError as error:
        raise _Usage(f"--json is not JSON: {error}") from None
    if not isinstance(given, dict):
        raise _Usage(f"--json must be an object, got {options.json!r}")
    model = FormModel(tool.input_schema, given) if given else FormModel(tool.input_schema)
    for pair in options.arg:
        name, equals, text = pair.partition("=")
        if not equals:
            raise _Usage(f"--arg takes NAME=VALUE, got {pair!r}")
        model.set_text((name,), text)
    if model.problems:
        raise InvalidArguments(model.problems, tool.name)
    return dict(model.value or {})


def _call(options: argparse.Namespace) -> int:
    from workbench.bench import Workbench

    with Workbench(options.target) as bench:
        if options.tool is None:
            print(bench.tools)
            return OK
        tool = bench._tool(options.tool)
        result = tool.run(_arguments(options, tool))
        _show(result, Path(options.output_dir))
        return FAILED if result.is_error else OK


def _show(result: Any, folder: Path) -> None:
    from workbench.tools.result_html import result_text
    from workbench.types import AgentType
    from workbench.types.sniff import extension

    if result.is_error:
        print(result_text(result), file=sys.stderr)
        return
    media = [b for b in result.content if isinstance(b, AgentType) and not isinstance(b, str)]
    if not media:
        print(result_text(result))
        return
    for number, block in enumerate(result.content, 1):
        if any(block is medium for medium in media):
            path = folder / f"result-{number}{extension(block.mime_type)}"
            block.save(path)
            print(f"{block!r} in {path}")
        else:
            print(block)


_PARTS = (
    "ipython", "ipykernel", "ipywidgets", "anywidget", "jupyterlab", "notebook", "mcp",
    "pydantic", "jsonschema", "numpy", "pillow", "soundfile", "torch",
)  # fmt: skip
_OPTIONAL = {"jupyterlab", "notebook", "ipykernel", "torch"}


def _doctor(options: argparse.Namespace) -> int:
    import platform
    import shutil

    from workbench import __version__

    print(f"workbench {__version__}, Python {platform.python_version()}, {platform.platform()}")
    bad = 0
    for name in _PARTS:
        try:
            print(f"  {name:<12} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            needed = name not in _OPTIONAL
            bad += needed
            print(
                f"  {name:<12} missing{': nothing works without it' if needed else ' (optional)'}"
            )
    for program, use in (
        ("node", "servers started with npx"),
        ("ffmpeg", "M4A, AAC and WMA sound"),
    ):
        found = shutil.which(program)
        print(f"  {program:<12} {found or f'missing: no {use}'}")
    return FAILED if bad else OK
