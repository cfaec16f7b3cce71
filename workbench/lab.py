"""JupyterLab on a notebook: the quickstart, or one that was written for a target."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from urllib.parse import quote

from workbench._optional import require

__all__ = ["command", "main", "quickstart"]

_HERE = Path(__file__).parent
_NAME = "01_quickstart.ipynb"


def quickstart(folder: Path | None = None) -> Path:
    """The quickstart notebook: the one in this checkout, else a copy in the current folder.

    Parameters
    ----------
    folder : Path, optional
        Where a copy goes when there is no checkout.
    """
    checkout = _HERE.parent / "notebooks" / _NAME
    if checkout.is_file():
        return checkout
    target = (folder or Path.cwd()) / "workbench-notebooks" / _NAME
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(_HERE / "notebooks" / _NAME, target)
    return target


def command(notebook: Path, options: list[str]) -> list[str]:
    """The command that opens a notebook; `options` are JupyterLab's own.

    Raises
    ------
    MissingExtra
        If JupyterLab is not installed.

    Examples
    --------
    >>> command(Path("a.ipynb"), ["--no-browser"])[-2:]
    ['--LabApp.default_url=/lab/tree/a.ipynb', '--no-browser']
    """
    require("jupyterlab", extra="lab", feature="opening JupyterLab")
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    root = ["--allow-root"] if is_root and "--allow-root" not in options else []
    # The addresses that JupyterLab prints then lead to the notebook too, also without a browser.
    where = [
        f"--ServerApp.root_dir={notebook.resolve().parent}",
        f"--LabApp.default_url=/lab/tree/{quote(notebook.name)}",
    ]
    return [sys.executable, "-m", "jupyterlab", *root, *where, *options]


def main(options: list[str], notebook: Path | None = None) -> int:
    """Become JupyterLab on a notebook, by default the quickstart.

    Raises
    ------
    MissingExtra
        If JupyterLab is not installed.
    """
    words = command(notebook or quickstart(), options)
    if os.name == "posix":
        os.execv(words[0], words)  # noqa: S606  # JupyterLab takes over, with its signals
    import subprocess

    return subprocess.call(words)  # noqa: S603  # our own interpreter
