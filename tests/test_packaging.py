"""The wheel: everything that is needed and nothing else, and it works away from the checkout."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest

PROJECT = Path(__file__).parent.parent
DATA = {".css", ".ipynb", ".js", ".py", ".typed"}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    pytest.importorskip("hatchling", reason="hatchling, which builds the wheel, is not installed")
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(command, check=True, capture_output=True, cwd=PROJECT)
    (made,) = folder.glob("tool_workbench-*-py3-none-any.whl")
    return zipfile.ZipFile(made)


def test_the_wheel_has_every_file_of_the_package(wheel):
    package = PROJECT / "workbench"
    files = {str(path.relative_to(PROJECT)) for path in package.rglob("*") if path.suffix in DATA}
    shipped = {name for name in wheel.namelist() if name.startswith("workbench/")}
    assert shipped == files | {"workbench/notebooks/01_quickstart.ipynb"}
    assert {"workbench/py.typed", "workbench/static/form.js"} <= shipped


def test_the_wheel_has_nothing_else(wheel):
    tops = {name.partition("/")[0] for name in wheel.namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"workbench"}


def test_the_wheel_says_what_it_is(wheel):
    info = {name.partition("/")[2]: name for name in wheel.namelist() if ".dist-info/" in name}
    about = message_from_bytes(wheel.read(info["METADATA"]))
    assert about["Name"] == "tool-workbench"
    assert about["License-Expression"] == "MIT"
    assert about["Requires-Python"] == ">=3.11"
    assert b"workbench = workbench.cli:main" in wheel.read(info["entry_points.txt"])
    assert "licenses/LICENSE" in info


def test_the_wheel_brings_its_quickstart_along(wheel, tmp_path):
    wheel.extractall(tmp_path / "site")
    code = "from workbench.lab import quickstart; print(quickstart())"
    done = subprocess.run(
        [sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True,
        cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "site")},
    )  # fmt: skip
    copy = tmp_path / "workbench-notebooks" / "01_quickstart.ipynb"
    assert Path(done.stdout.strip()) == copy
    assert copy.read_bytes() == (PROJECT / "notebooks" / "01_quickstart.ipynb").read_bytes()
