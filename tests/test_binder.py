"""Binder's files name things that exist and that the package knows."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

PROJECT = Path(__file__).parent.parent


def test_binder_installs_this_package_and_a_supported_python():
    lines = (PROJECT / "binder" / "requirements.txt").read_text().split("\n")
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    extra = re.fullmatch(r"\.\[(\w+)\]", lines[0]).group(1)
    assert extra in project["optional-dependencies"]
    version = (PROJECT / "binder" / "runtime.txt").read_text().strip().removeprefix("python-")
    assert tuple(map(int, version.split("."))) >= (3, 11)
    assert {p.name for p in (PROJECT / "binder").iterdir()} == {"requirements.txt", "runtime.txt"}


def test_the_notebook_that_binder_opens_is_there_and_is_run_by_nobody_else():
    assert (PROJECT / "notebooks" / "01_quickstart.ipynb").is_file()
