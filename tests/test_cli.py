"""The command line: typed results, clear messages, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from workbench.cli import main
from workbench.cli.doctor import check_version
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
    (["call", "math:sqrt", "sqrt", "-a", "x"], 2, "", "NAME=VALUE"),
    (["call", "math:sqrt", "sqrt", "--json", "{"], 2, "", "not JSON"),
    (["call", "math:sqrt", "sqrt", "-a", "x=@none.txt"], 2, "", "No such file"),
    (["call", "python -m no_such_module", "x"], 3, "", "No module named no_such_module"),
    (["open", "none.py", "--no-launch"], 2, "", "no file 'none.py'"),
    (["lint", "math:sqrt"], 0, "has no description", ""),
    (["lint", "math:sqrt", "--fail-on", "warning"], 1, "has no description", ""),
    (["lint", "none.json"], 3, "", "no file 'none.json'"),
    ([], 2, "doctor", ""),
]


@pytest.mark.parametrize(("words", "code", "out", "err"), CASES, ids=str)
def test_calls_from_the_terminal(words, code, out, err, capsys):
    assert main(words) == code
    said = capsys.readouterr()
    assert out in said.out
    assert err in said.err
    assert "Traceback" not in said.err


MINE = """
import base64, time

async def wait(seconds: float) -> str:
    import asyncio
    await asyncio.sleep(seconds)
    return "waited"

def size(picture: "PIL.Image.Image") -> list:
    return list(picture.size)

def count(text: str) -> int:
    print("counting")
    return len(text)

def fail() -> None:
    raise LookupError("nothing there")

def several() -> tuple:
    from workbench import AgentImage
    from PIL import Image
    return "a caption", AgentImage(Image.new("L", (2, 2))), {"deep": [1]}
"""


@pytest.fixture
def mine(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text(MINE.replace("import base64, time", "import PIL.Image"))
    return str(path)


def test_results_of_every_kind(mine, tmp_path, capsys):
    (tmp_path / "four.txt").write_text("four")
    calls = [
        (["wait", "-a", "seconds=0"], 0, "waited\n"),
        (["count", "-a", f"text=@{tmp_path}/four.txt"], 0, "counting\n4\n"),
        (["count", "-a", "text=@@ada"], 0, "counting\n4\n"),
        (["wait", "-a", "seconds=60", "--timeout", "0.01"], 1, ""),
        (["fail"], 1, ""),
    ]
    for words, code, out in calls:
        assert main(["call", mine, *words]) == code
        assert capsys.readouterr().out == out


def test_a_traceback_is_shown_on_demand(mine, capsys):
    assert main(["call", mine, "fail"]) == 1
    assert "Traceback" not in capsys.readouterr().err
    assert main(["call", mine, "fail", "--traceback"]) == 1
    assert 'raise LookupError("nothing there")' in capsys.readouterr().err


def test_media_are_written_to_files_and_read_from_them(mine, tmp_path, capsys):
    folder = tmp_path / "made"
    words = ["call", mine, "several", "--output-dir", str(folder)]
    assert [main(words), main(words)] == [0, 0]
    assert sorted(path.name for path in folder.iterdir()) == ["several-1.png", "several-2.png"]
    said = capsys.readouterr().out
    assert said.startswith("a caption\n<AgentImage image/png L 2x2>")
    assert f"in {folder / 'several-2.png'}\n" in said
    assert main(["call", mine, "size", "-a", f"picture=@{folder / 'several-1.png'}"]) == 0
    assert json.loads(capsys.readouterr().out) == [2, 2]


def test_open_writes_a_notebook_that_runs(tmp_path):
    nbformat = pytest.importorskip("nbformat")
    path = tmp_path / "made.ipynb"
    assert main(["open", "math:sqrt", "--no-launch", "--output", str(path)]) == 0
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    assert "workbench.open('math:sqrt')" in notebook.cells[1].source


def test_a_file_is_found_from_the_notebooks_folder(mine, tmp_path, monkeypatch):
    nbformat = pytest.importorskip("nbformat")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "notebooks").mkdir()
    assert main(["open", "mine.py", "--no-launch", "--output", "notebooks/a.ipynb"]) == 0
    notebook = nbformat.read(tmp_path / "notebooks" / "a.ipynb", as_version=4)
    assert f"workbench.open({mine!r})" in notebook.cells[1].source


def test_a_notebook_is_not_overwritten(tmp_path, capsys):
    pytest.importorskip("nbformat")
    path = tmp_path / "mine.ipynb"
    path.write_text("what I have written")
    assert main(["open", "math:sqrt", "--no-launch", "--output", str(path)]) == 0
    assert path.read_text() == "what I have written"
    assert "is there already" in capsys.readouterr().out


NAMES = [
    ("npx -y @modelcontextprotocol/server-everything", "modelcontextprotocol_server_everything.ipynb"),
    ("math:sqrt", "math_sqrt.ipynb"), ("https://example.com/mcp", "example_com_mcp.ipynb"), ("...", "tools.ipynb"),
]  # fmt: skip


@pytest.mark.parametrize(("target", "name"), NAMES)
def test_a_notebook_is_named_for_its_target(target, name, tmp_path, monkeypatch):
    pytest.importorskip("nbformat")
    monkeypatch.chdir(tmp_path)
    assert main(["open", target, "--no-launch"]) == 0
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_doctor_names_every_part(capsys):
    assert main(["doctor"]) == 0
    assert "ipywidgets" in capsys.readouterr().out


VERSIONS = [
    ("mcp", "2.3.0", "ok", ""), ("mcp", "1.2.0", "broken", "pip install 'mcp>=1.24'"), ("mcp", "3.0", "limited", "mcp<3"),
    ("ipykernel", "7.0.1", "limited", "ipykernel>=7.1"), ("ipykernel", "6.17.1", "ok", ""), ("ipython", "7.34.0", "ok", ""),
    ("ipywidgets", "7.7.0", "broken", "ipywidgets>=7.7.1"), ("numpy", "2.0.0rc1", "ok", ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "version", "state", "remedy"), VERSIONS)
def test_doctor_knows_what_does_not_work(name, version, state, remedy):
    check = check_version(name, version)
    assert check.state == state
    assert remedy in str(check)


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
