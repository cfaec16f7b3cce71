"""The command line: typed results, clear messages, exit codes."""

from __future__ import annotations

import subprocess
import sys

import pytest

from workbench.cli import main
from workbench.lab import command, quickstart

CASES = [
    (["call", "math:sqrt", "sqrt", "--arg", "x=9"], 0, "3.0", ""),
    (["call", "math:sqrt"], 0, "sqrt", ""),
    (["call", "math:sqrt", "sqrt", "-a", "x=-1"], 1, "", "ValueError"),
    (["call", "builtins:len", "len", "--json", "[1]"], 2, "", "must be an object"),
    (["call", "math:sqrt", "squart"], 2, "", "did you mean 'sqrt'"),
    (["call", "math:nope", "x"], 2, "", "has no 'nope'"),
    (["call", "no-such-program x", "y"], 3, "", "no program"),
    (["cal", "x"], 2, "", "Did you mean 'workbench call'?"),
    (["call"], 2, "", "required"),
]


@pytest.mark.parametrize(("words", "code", "out", "err"), CASES, ids=str)
def test_calls_from_the_terminal(words, code, out, err, capsys):
    assert main(words) == code
    said = capsys.readouterr()
    assert out in said.out
    assert err in said.err
    assert "Traceback" not in said.err


def test_media_are_written_to_files(tmp_path, capsys):
    words = [
        "call",
        "workbench.demo.pictures:landscape",
        "landscape",
        "-a",
        "width=40",
        "-a",
        "height=30",
    ]
    assert main([*words, "--output-dir", str(tmp_path)]) == 0
    (path,) = tmp_path.iterdir()
    assert path.suffix == ".png"
    assert str(path) in capsys.readouterr().out


def test_open_writes_a_notebook_that_runs(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    path = tmp_path / "made.ipynb"
    assert main(["open", "math:sqrt", "--no-launch", "--output", str(path)]) == 0
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert "workbench.open('math:sqrt')" in notebook.cells[1].source


def test_doctor_names_every_part(capsys):
    assert main(["doctor"]) == 0
    assert "ipywidgets" in capsys.readouterr().out


def test_lab_hands_options_on():
    pytest.importorskip("jupyterlab")
    words = command(quickstart(), ["--no-browser", "--port", "8899"])
    assert words[1:3] == ["-m", "jupyterlab"]
    assert words[-3:] == ["--no-browser", "--port", "8899"]
    assert words[-4].endswith("/lab/tree/01_quickstart.ipynb")


def test_the_module_is_the_command():
    done = subprocess.run(
        [sys.executable, "-m", "workbench", "--help"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0
    assert "doctor" in done.stdout
