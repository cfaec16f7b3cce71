"""The layers of the package: imports go downwards, siblings are blind, nothing goes in circles."""

from __future__ import annotations

import ast
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import workbench

PACKAGE = Path(workbench.__file__).parent
PYPROJECT = Path(__file__).parent.parent / "pyproject.toml"
LAYERS = [
    {"errors"},
    {"_optional"},
    {"types"},
    {"schema"},
    {"tools"},
    {"sources", "interop", "forms"},
    {"bench", "demo"},
    {"cli", "magics", "testing", "lab", "__init__", "__main__"},
]
RANK = {name: rank for rank, names in enumerate(LAYERS) for name in names}
# Inside a function only: who uses these knows that the layer above is there.
LAZY_UPWARD = {
    ("tools/bridges.py", "interop"),
    ("tools/bridges.py", "sources"),
    ("tools/tool_class.py", "forms"),
}
THIRD_PARTY_HOME = {
    "IPython": ("forms/form.py", "bench/panel.py", "magics.py"),
    "PIL": ("types/", "demo/"),
    "anyio": ("demo/",),
    "anywidget": ("forms/form.py", "bench/panel.py", "bench/viewer.py"),
    "docstring_parser": ("schema/docstrings.py",),
    "ipywidgets": ("forms/controls", "bench/panel.py"),
    "json_repair": ("tools/call_shapes.py",),
    "jsonschema": ("schema/",),
    "mcp": ("sources/mcp/sdk", "interop/sdk", "demo/"),
    "nbformat": ("cli.py",),
    "numpy": ("types/", "schema/media.py", "bench/waveform.py", "demo/"),
    "pydantic": ("schema/", "demo/"),
    "referencing": ("schema/",),
    "soundfile": ("types/sound.py", "types/raw_sound.py", "demo/server.py"),
    "traitlets": ("forms/form.py", "bench/panel.py", "bench/viewer.py"),
}
# What comes with a declared dependency and shares its life.
BROUGHT_BY = {
    "PIL": "pillow",
    "anyio": "mcp",
    "nbformat": "jupyterlab",
    "pydantic-core": "pydantic",
    "referencing": "jsonschema",
    "traitlets": "ipywidgets",
    "typing-extensions": "pydantic",
}
MODULES = {str(path.relative_to(PACKAGE)): path for path in sorted(PACKAGE.rglob("*.py"))}
each_module = pytest.mark.parametrize("where", MODULES)


@dataclass(frozen=True, slots=True, kw_only=True)
class Import:
    """One import: the module, the name taken from it, and when it happens."""

    module: str
    name: str = ""
    lazy: bool = False

    @property
    def top(self) -> str:
        return self.module.partition(".")[0]

    @property
    def area(self) -> str:
        """The layer's member that is meant, "" for another package or the package itself."""
        parts = f"{self.module}.{self.name}".split(".")
        return parts[1] if parts[0] == "workbench" and parts[1] in RANK else ""


def area_of(where: str) -> str:
    return where.partition("/")[0].removesuffix(".py")


def statements(node: ast.AST, lazy: bool = False) -> Iterator[tuple[ast.AST, bool]]:
    """Every node, and whether it is inside a function; what only type checkers see is left out."""
    yield node, lazy
    lazy = lazy or isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    only_typing = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    for child in node.orelse if only_typing else ast.iter_child_nodes(node):
        yield from statements(child, lazy)


@cache
def imports(where: str) -> tuple[Import, ...]:
    found = []
    for node, lazy in statements(ast.parse(MODULES[where].read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [Import(module=alias.name, lazy=lazy) for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{where}: relative imports hide their layer"
            names = [alias.name for alias in node.names]
            found += [Import(module=node.module, name=name, lazy=lazy) for name in names]
    return tuple(found)


@each_module
def test_imports_go_downwards(where):
    own = area_of(where)
    assert own in RANK, f"{own} has no layer"
    for each in imports(where):
        if not each.area or each.area == own or RANK[each.area] < RANK[own]:
            continue
        among_ways_in = RANK[own] == len(LAYERS) - 1
        allowed = each.lazy and (where, each.area) in LAZY_UPWARD
        assert among_ways_in or allowed, f"{where} imports {each.area}, which is not below it"


@each_module
def test_nothing_below_the_top_takes_names_from_the_top(where):
    if RANK[area_of(where)] < len(LAYERS) - 1:
        taken = [e.name for e in imports(where) if e.module == "workbench" and not e.area]
        assert not taken, f"{where} takes {taken} from the lazy top level"


def test_every_allowed_upward_import_is_still_needed():
    used = {(where, each.area) for where in MODULES for each in imports(where) if each.lazy}
    assert used >= LAZY_UPWARD


@each_module
def test_third_parties_are_imported_in_their_homes(where):
    for each in imports(where):
        homes = THIRD_PARTY_HOME.get(each.top)
        assert homes is None or where.startswith(homes), f"{where} imports {each.module}"


@each_module
def test_third_parties_are_declared(where):
    project = tomllib.loads(PYPROJECT.read_text(encoding="utf-8"))["project"]
    declared = [project["dependencies"], *project["optional-dependencies"].values()]
    names = {line.split(">")[0].split("[")[0] for lines in declared for line in lines}
    for each in imports(where):
        if each.top in sys.stdlib_module_names or each.top == "workbench":
            continue
        distribution = BROUGHT_BY.get(each.top.replace("_", "-"), each.top.replace("_", "-"))
        assert distribution.lower() in names, f"{where} imports {each.module}, not declared"


def module_of(each: Import) -> str:
    """The module that is loaded: `from workbench.tools import run` may name a module or a value."""
    as_path = f"{each.module}.{each.name}".replace(".", "/").removeprefix("workbench/")
    is_module = f"{as_path}.py" in MODULES or f"{as_path}/__init__.py" in MODULES
    return f"{each.module}.{each.name}" if each.name and is_module else each.module


def test_nothing_goes_in_circles():
    graph: dict[str, set[str]] = {}
    for where in MODULES:
        parts = ("workbench", *where.removesuffix(".py").removesuffix("/__init__").split("/"))
        name = ".".join(part for part in parts if part != "__init__")
        graph[name] = {module_of(each) for each in imports(where) if not each.lazy} - {name}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"a circle: {' -> '.join((*trail, name))}"
        # A package is loaded before its modules, which may look at it: no circle by itself.
        for other in () if name in done else graph.get(name, ()):
            if not name.startswith(f"{other}."):
                visit(other, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())


@each_module
def test_modules_stay_readable(where):
    source = MODULES[where].read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 400
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno - node.lineno <= 60, f"{node.name} is too long"
