"""The public names, how little they load, and the error tree."""

from __future__ import annotations

import importlib
import pickle
import pkgutil
import subprocess
import sys

import pytest

import workbench
from workbench import errors

# What the interpreter's module object and the lazy loading itself need.
MACHINERY = {"Any", "TYPE_CHECKING", "annotations", "import_module", "load_ipython_extension"}
HEAVY = {
    "IPython", "PIL", "anywidget", "ipywidgets", "jsonschema", "mcp", "numpy", "pydantic",
    "soundfile",
}  # fmt: skip
MODULES = [
    info.name
    for info in pkgutil.walk_packages(workbench.__path__, "workbench.")
    # The first is a program, the second runs with one major of the SDK only.
    if not info.name.endswith(("__main__", "sdk_v1", "sdk_v2"))
]


def loaded_by(statement: str) -> set[str]:
    code = (
        f"import sys; before = set(sys.modules); {statement}; print(*(set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_all_is_sorted_and_is_the_namespace():
    assert workbench.__all__ == sorted(set(workbench.__all__))
    assert set(workbench.__all__) == set(workbench._MODULE_OF)
    public = {name for name in dir(workbench) if not name.startswith("_")}
    modules = {info.name for info in pkgutil.iter_modules(workbench.__path__)}
    assert public - modules - MACHINERY == set(workbench.__all__)


@pytest.mark.parametrize("name", workbench.__all__)
def test_every_public_name_resolves_from_its_documented_home(name):
    home = importlib.import_module(workbench._MODULE_OF[name])
    assert getattr(workbench, name) is getattr(home, name)
    assert name in home.__all__
    assert getattr(workbench, name).__doc__


@pytest.mark.parametrize("name", MODULES)
def test_every_module_lists_its_names_sorted(name):
    module = importlib.import_module(name)
    listed = list(getattr(module, "__all__", []))
    constants_first = sorted(listed, key=lambda each: (not each.isupper(), each))
    assert listed in (sorted(listed), constants_first)
    for each in listed:
        assert hasattr(module, each)


def test_star_gives_all_names():
    space: dict[str, object] = {}
    exec("from workbench import *", space)
    assert set(workbench.__all__) <= set(space)


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="nonsense"):
        workbench.nonsense


@pytest.mark.parametrize("statement", ["import workbench", "import workbench.errors"])
def test_import_is_light(statement):
    loaded = loaded_by(statement)
    assert not HEAVY & loaded
    assert len(loaded) <= 100


@pytest.mark.parametrize("name", ["workbench.schema", "workbench.tools", "workbench.types"])
def test_lower_layers_need_no_notebook(name):
    assert not {"IPython", "anywidget", "ipywidgets", "mcp"} & loaded_by(f"import {name}")


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
