"""The command ``workbench``: open tools in a notebook, or call one from the terminal."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from typing import Any

from workbench.cli.calling import call
from workbench.cli.doctor import examine
from workbench.cli.opening import open_notebook
from workbench.cli.serving import add_options, serve_target
from workbench.cli.usage import CONNECTION, FAILED, INTERRUPTED, OK, USAGE, Usage
from workbench.errors import ConnectionFailed, WorkbenchError

__all__ = ["main"]

_TARGET = "a command, a URL, module:function, file.py or mcp.json"


class _Parser(argparse.ArgumentParser):
    """A parser that raises what is wrong, instead of leaving the process."""

    def error(self, message: str) -> Any:
        raise Usage(message)


def _parser() -> argparse.ArgumentParser:
    shared = _Parser(add_help=False)
    shared.add_argument("--traceback", action="store_true", help="show tracebacks of errors")
    parser = _Parser(prog="workbench", description="Try any tool by hand, in a notebook.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    def command(name: str, run: Callable[[Any], int], text: str) -> argparse.ArgumentParser:
        made: argparse.ArgumentParser = commands.add_parser(name, help=text, parents=[shared])
        made.set_defaults(run=run)
        return made

    commands.add_parser("lab", help="open JupyterLab on the quickstart, with JupyterLab's options")
    opened = command("open", open_notebook, "write a notebook for a target, and open it")
    opened.add_argument("target", help=_TARGET)
    opened.add_argument("--no-launch", action="store_true", help="only write the notebook")
    opened.add_argument("--output", metavar="FILE", help="the notebook to write")
    called = command("call", call, "call one tool, and print its result")
    called.add_argument("target", help=_TARGET)
    called.add_argument("tool", nargs="?", help="the tool; left out, the tools are listed")
    called.add_argument(
        "--arg", "-a", action="append", default=[], metavar="NAME=VALUE",
        help="an argument as one would type it into the form; NAME=@FILE takes a file's contents",
    )  # fmt: skip
    called.add_argument("--json", default="{}", metavar="OBJECT", help="arguments as JSON")
    called.add_argument("--timeout", type=float, metavar="SECONDS", help="give up after so long")
    called.add_argument("--output-dir", default=".", metavar="DIR", help="where media are written")
    lint = command("lint", _lint, "what will hurt a model or a provider about tools")
    lint.add_argument("target", help=_TARGET)
    lint.add_argument(
        "--fail-on", choices=_SEVERITIES, default="error", help="the mildest that fails"
    )
    served = command("serve", serve_target, "serve a target's tools over MCP")
    served.add_argument("target", help=_TARGET)
    add_options(served)
    command("doctor", _doctor, "what is installed, and what will not work and why")
    return parser


_SEVERITIES = ("error", "warning", "note")


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
    except Usage as error:
        return _complain(f"{error}\n{_hint(words)}", USAGE, words)
    except ConnectionFailed as error:
        return _complain(str(error), CONNECTION, words)
    except WorkbenchError as error:
        return _complain(str(error), USAGE, words)
    except KeyboardInterrupt:
        return _complain("interrupted", INTERRUPTED, words)
    except BrokenPipeError:
        # Whoever read has seen enough, as in ``workbench call ... | head``.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception as error:  # noqa: BLE001  # the last line of defence before a person
        what = f"{type(error).__name__}: {error} (--traceback shows where)"
        return _complain(what, FAILED, words)


def _dispatch(words: list[str]) -> int:
    if words[:1] == ["lab"]:
        from workbench.lab import main as lab

        return lab(words[1:])
    parser = _parser()
    options = parser.parse_args(words)
    if options.command is None:
        parser.print_help()
        return USAGE
    run: Callable[[Any], int] = options.run
    return run(options)


def _hint(words: list[str]) -> str:
    known = ["lab", "open", "call", "lint", "serve", "doctor"]
    near = get_close_matches(words[0], known, n=1) if words and words[0] not in known else []
    return f"Did you mean 'workbench {near[0]}'?" if near else "See 'workbench --help'."


def _complain(message: str, code: int, words: list[str]) -> int:
    if "--traceback" in words:
        traceback.print_exc()
    print(f"workbench: {message}", file=sys.stderr)
    return code


def _lint(options: argparse.Namespace) -> int:
    from workbench.bench import Workbench

    with Workbench(options.target) as bench:
        findings = bench.tools.lint()
        print(findings)
    bad = _SEVERITIES[: _SEVERITIES.index(options.fail_on) + 1]
    return FAILED if any(finding.severity in bad for finding in findings) else OK


def _doctor(options: argparse.Namespace) -> int:
    checks = examine()
    print("\n".join(map(str, checks)))
    return FAILED if any(check.state == "broken" for check in checks) else OK
