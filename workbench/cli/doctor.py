"""``workbench doctor``: what is installed, what will not work, and why."""

from __future__ import annotations

import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

__all__ = ["Check", "check_version", "examine"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was looked at.

    Parameters
    ----------
    state : str
        "ok"; "limited": something will not work; "broken": nothing will.
    what : str
        What was looked at.
    found : str
        What was there.
    remedy : str
        What will not work, and what to do; empty where all is well.

    Examples
    --------
    >>> print(Check(state="limited", what="node", found="missing", remedy="no npm servers"))
    !  node           missing: no npm servers
    """

    state: str
    what: str
    found: str
    remedy: str = ""

    def __str__(self) -> str:
        mark = {"ok": "✓", "limited": "!", "broken": "✗"}[self.state]
        return f"{mark}  {self.what:<14} {self.found}" + (f": {self.remedy}" if self.remedy else "")


_NEEDED = (
    "ipython", "ipywidgets", "anywidget", "mcp", "pydantic", "jsonschema", "numpy", "pillow",
    "soundfile",
)  # fmt: skip
_LAB = "'workbench lab' and 'workbench open' will not work; pip install 'tool-workbench[lab]'"
_OPTIONAL = {
    "ipykernel": "no notebook can run with this Python; pip install ipykernel",
    "jupyterlab": _LAB,
    "notebook": "no Jupyter Notebook; JupyterLab is enough",
    "torch": "only tensors need it; pip install torch",
}
_LEAST = {"ipython": (7, 34), "ipywidgets": (7, 7, 1), "anywidget": (0, 9, 18), "mcp": (1, 24)}
_KNOWN: tuple[tuple[str, Callable[[tuple[int, ...]], bool], str], ...] = (
    (
        "ipykernel",
        lambda version: version[:2] == (7, 0),
        "widgets cannot be updated from threads (ipywidgets #4001); pip install 'ipykernel>=7.1'",
    ),
    ("jupyterlab", lambda version: version < (4,), "forms are tested with JupyterLab 4 only"),
    ("mcp", lambda version: version >= (3,), "not tested with this major; pip install 'mcp<3'"),
)
_PROGRAMS = (
    ("node", "no servers that are started with npx", (18,)),
    ("npx", "no servers that are started with npx", ()),
    ("ffmpeg", "no M4A, AAC and WMA sound as samples", ()),
)


def examine() -> list[Check]:
    """Look at everything that matters.

    Examples
    --------
    >>> examine()[0].what
    'python'
    """
    return [_python(), *_packages(), *_widgets(), *map(_program, *zip(*_PROGRAMS, strict=True))]


def _python() -> Check:
    from workbench import __version__

    found = f"{platform.python_version()}, {platform.platform()}, workbench {__version__}"
    return Check(state="ok", what="python", found=found)


def _packages() -> Iterator[Check]:
    for name in (*_NEEDED, *_OPTIONAL):
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            state = "broken" if name in _NEEDED else "limited"
            remedy = _OPTIONAL.get(name, f"nothing works without it; pip install {name}")
            yield Check(state=state, what=name, found="missing", remedy=remedy)
            continue
        yield check_version(name, version)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", version)[:3])


def check_version(name: str, version: str) -> Check:
    """Whether a version of a package will do.

    Examples
    --------
    >>> check_version("mcp", "1.2").remedy
    "too old; pip install 'mcp>=1.24'"
    """
    numbers = _numbers(version)
    least = _LEAST.get(name, ())
    if numbers < least:
        wanted = ".".join(map(str, least))
        remedy = f"too old; pip install '{name}>={wanted}'"
        return Check(state="broken", what=name, found=version, remedy=remedy)
    for known, fits, remedy in _KNOWN:
        if known == name and fits(numbers):
            return Check(state="limited", what=name, found=version, remedy=remedy)
    return Check(state="ok", what=name, found=version)


def _widgets() -> Iterator[Check]:
    """JupyterLab draws forms with what is installed in its own environment."""
    share = Path(sys.prefix) / "share" / "jupyter" / "labextensions"
    for name, folder in (
        ("anywidget", "anywidget"),
        ("ipywidgets", "@jupyter-widgets/jupyterlab-manager"),
    ):
        if (share / folder).is_dir():
            continue
        remedy = (
            f"this environment's JupyterLab draws no forms; pip install --force-reinstall {name}"
        )
        yield Check(state="limited", what=f"{name} in lab", found="missing", remedy=remedy)
    lab = shutil.which("jupyter-lab")
    if lab is not None and not Path(lab).resolve().is_relative_to(Path(sys.prefix).resolve()):
        remedy = (
            "another environment's; there, forms are drawn only with ipywidgets and anywidget in it"
        )
        yield Check(state="limited", what="jupyter-lab", found=lab, remedy=remedy)


def _program(name: str, use: str, least: tuple[int, ...]) -> Check:
    path = shutil.which(name)
    if path is None:
        return Check(state="limited", what=name, found="missing", remedy=use)
    if not least:
        return Check(state="ok", what=name, found=path)
    said = subprocess.run([path, "--version"], capture_output=True, text=True, check=False)  # noqa: S603  # a program on the person's own PATH
    version = said.stdout.strip()
    if _numbers(version) < least:
        wanted = ".".join(map(str, least))
        return Check(state="limited", what=name, found=version, remedy=f"{use}; {wanted} is needed")
    return Check(state="ok", what=name, found=f"{path}, {version}")
