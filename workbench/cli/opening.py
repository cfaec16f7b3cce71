"""``workbench open``: a notebook for a target."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from workbench._optional import require
from workbench.cli.usage import OK
from workbench.errors import WorkbenchError

__all__ = ["open_notebook"]


def _notebook_for(target: str, nbformat: Any) -> dict[str, Any]:
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


_SAYS_NOTHING = {"npx", "y", "m", "https", "http", "uvx", "python", "python3", "node", "latest"}


def _file_name(target: str) -> str:
    words = [w for w in re.split(r"[^A-Za-z0-9]+", target) if w and w not in _SAYS_NOTHING]
    return ("_".join(words)[:60] or "tools") + ".ipynb"


def _named_file(target: str) -> str:
    """The target; a file that it names must be there, and is named so that any folder finds it.

    Raises
    ------
    WorkbenchError
        If the file is not there.
    """
    file = re.fullmatch(r"([^\s:]+\.(?:py|json))(:\w+)?", target)
    if file is None:
        return target
    if not Path(file[1]).is_file():
        raise WorkbenchError(f"there is no file {file[1]!r}")
    return f"{Path(file[1]).resolve()}{file[2] or ''}"


def open_notebook(options: argparse.Namespace) -> int:
    """Write a notebook for a target, and open it in JupyterLab.

    Raises
    ------
    WorkbenchError
        If the target is a file that is not there.
    MissingExtra
        If notebooks cannot be written or opened here.
    """
    nbformat = require("nbformat", extra="lab", feature="writing a notebook")
    path = Path(options.output or _file_name(options.target))
    target = _named_file(options.target)
    if path.exists():
        print(f"{path} is there already; it is opened as it is")
    else:
        nbformat.write(_notebook_for(target, nbformat), path)
        print(f"wrote {path}")
    if options.no_launch:
        return OK
    from workbench.lab import main as lab

    return lab([], path)
