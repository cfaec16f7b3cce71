"""The public names, the error tree, and what is shipped."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import workbench
from workbench import errors

PROJECT = Path(__file__).parent.parent


def test_all_is_sorted_and_is_the_namespace():
    assert workbench.__all__ == sorted(workbench.__all__)
    assert set(workbench.__all__) == set(workbench._MODULE_OF)
    for name in workbench.__all__:
        assert getattr(workbench, name) is not None
    public = {name for name in dir(workbench) if not name.startswith("_")}
    modules = {info.name for info in pkgutil.iter_modules(workbench.__path__)}
    extra = {"annotations", "import_module", "load_ipython_extension", "Any", "TYPE_CHECKING"}
    assert public - modules - extra == set(workbench.__all__) - modules


@pytest.mark.parametrize(
    "name",
    [
        info.name
        for info in pkgutil.walk_packages(workbench.__path__, "workbench.")
        if not info.name.endswith(("__main__", "demo.server", "sdk_v1"))
    ],
)
def test_every_module_lists_its_names_sorted(name):
    module = importlib.import_module(name)
    listed = getattr(module, "__all__", [])
    assert list(listed) == sorted(listed, key=lambda n: (not n.isupper(), n)) or list(
        listed
    ) == sorted(listed)
    for each in listed:
        assert hasattr(module, each)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        workbench.nonsense


@pytest.mark.parametrize(
    ("error", "base"),
    [
        (errors.InvalidArguments, ValueError), (errors.ToolError, RuntimeError),
        (errors.AsyncToolError, ValueError), (errors.ToolDefinitionError, TypeError),
        (errors.UntrustedCodeError, ValueError), (errors.MediaError, ValueError),
        (errors.MediaNotFound, FileNotFoundError), (errors.ConnectionFailed, ConnectionError),
        (errors.ToolTimeout, TimeoutError), (errors.ToolCancelled, errors.ToolError),
        (errors.MissingExtra, ImportError),
    ],
)  # fmt: skip
def test_the_error_tree(error, base):
    assert issubclass(error, errors.WorkbenchError)
    assert issubclass(error, base)


def test_errors_survive_pickling():
    problem = errors.Problem(path=("a", 0), message="is wrong")
    error = pickle.loads(pickle.dumps(errors.InvalidArguments([problem], "add")))
    assert (error.problems, error.tool) == ((problem,), "add")
    assert "a[0]: is wrong" in str(error)


def test_a_missing_extra_says_how_to_install_it():
    from workbench._optional import require

    with pytest.raises(errors.MissingExtra, match=r"pip install 'tool-workbench\[lab\]'"):
        require("no_such_module", extra="lab", feature="this")


@pytest.mark.skipif(not (PROJECT / "pyproject.toml").exists(), reason="not in a checkout")
def test_the_wheel_has_what_it_needs(tmp_path):
    command = [
        sys.executable,
        "-m",
        "pip",
        "wheel",
        "-q",
        "--no-deps",
        "-w",
        str(tmp_path),
        str(PROJECT),
    ]
    subprocess.run(command, check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    names = set(zipfile.ZipFile(wheel).namelist())
    for needed in (
        "py.typed",
        "static/form.js",
        "static/form.css",
        "static/picker.js",
        "notebooks/01_quickstart.ipynb",
    ):
        assert f"workbench/{needed}" in names
