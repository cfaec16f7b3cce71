"""`workbench lab`: the right notebook, JupyterLab's own options, and a server that really starts."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from workbench import MissingExtra, lab
from workbench.cli import main

NAME = "01_quickstart.ipynb"


@pytest.fixture
def installed(tmp_path, monkeypatch):
    """As after `pip install`, where there is no checkout around the package."""
    shipped = tmp_path / "site" / "workbench" / "notebooks" / NAME
    shipped.parent.mkdir(parents=True)
    shipped.write_text("shipped")
    monkeypatch.setattr(lab, "_HERE", shipped.parents[1])
    return shipped


def test_a_checkout_opens_its_own_notebook():
    checkout = Path(lab.__file__).parents[1]
    if not (checkout / "pyproject.toml").is_file():
        pytest.skip("the package is installed apart from its checkout")
    assert lab.quickstart() == checkout / "notebooks" / NAME


def test_without_a_checkout_a_copy_is_made_and_then_kept(installed, tmp_path):
    copy = lab.quickstart(tmp_path / "mine")
    assert copy == tmp_path / "mine" / "workbench-notebooks" / NAME
    assert copy.read_text() == "shipped"
    copy.write_text("edited")
    assert lab.quickstart(tmp_path / "mine").read_text() == "edited"


def test_a_missing_jupyterlab_is_named_with_its_command(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "jupyterlab", None)
    with pytest.raises(MissingExtra, match=r"opening JupyterLab.*tool-workbench\[lab\]"):
        lab.command(Path(NAME), [])
    assert main(["lab"]) != 0
    said = capsys.readouterr().err
    assert "pip install 'tool-workbench[lab]'" in said
    assert "Traceback" not in said


@pytest.mark.parametrize(("uid", "expected"), [(0, 1), (1000, 0)])
def test_root_is_allowed_once(uid, expected, monkeypatch):
    pytest.importorskip("jupyterlab")
    monkeypatch.setattr(os, "geteuid", lambda: uid)
    assert lab.command(Path(NAME), []).count("--allow-root") == expected
    assert lab.command(Path(NAME), ["--allow-root"]).count("--allow-root") == 1


def test_odd_names_are_quoted_in_the_address(tmp_path):
    pytest.importorskip("jupyterlab")
    words = lab.command(tmp_path / "my tool #1.ipynb", [])
    assert words[-1] == "--LabApp.default_url=/lab/tree/my%20tool%20%231.ipynb"


def test_the_server_starts_and_says_where_the_quickstart_is(tmp_path):
    pytest.importorskip("jupyterlab")
    home = {"HOME": str(tmp_path), "JUPYTER_CONFIG_DIR": str(tmp_path / "config")}
    words = ["-m", "workbench", "lab", "--no-browser", "--ServerApp.ip=127.0.0.1"]
    server = subprocess.Popen(
        [sys.executable, *words], env=os.environ | home, text=True, start_new_session=True,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        said = next((line for line in server.stdout if f"/lab/tree/{NAME}?token=" in line), "")
        assert "http://127.0.0.1:" in said
    finally:
        os.killpg(server.pid, signal.SIGTERM)
        server.communicate(timeout=30)
    assert server.returncode in (0, -signal.SIGTERM)
