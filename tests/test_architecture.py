"""The layers of the package: imports go downwards, siblings are blind, nothing goes in circles."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import workbench

PACKAGE = Path(workbench.__file__).parent
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
LAZY_UPWARD = {
    ("tools/collection.py", "workbench.sources.mcp"),
    ("tools/tool_class.py", "workbench.sources.mcp"),
    ("tools/tool_class.py", "workbench.forms"),
}
THIRD_PARTY_HOME = {
    "mcp": ("sources/mcp/sdk", "interop/sdk", "demo/"),
    "anywidget": ("forms/form.py", "bench/panel.py"),
    "ipywidgets": ("bench/panel.py",),
    "IPython": ("forms/form.py", "bench/panel.py", "magics.py"),
    "soundfile": ("types/sound.py", "demo/server.py"),
    "jsonschema": ("schema/",),
    "pydantic": ("schema/", "demo/"),
    "PIL": ("types/", "demo/"),
}
MODULES = sorted(PACKAGE.rglob("*.py"))


def area(path: Path) -> str:
    parts = path.relative_to(PACKAGE).parts
    return parts[0] if len(parts) > 1 else path.stem


def imports(path: Path):
    """Each imported module of ours or of others, and whether the import is inside a function."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    lazy = {
        id(node)
        for function in ast.walk(tree)
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
    }
    typing_only = {
        id(node)
        for block in ast.walk(tree)
        if isinstance(block, ast.If) and ast.unparse(block.test) == "TYPE_CHECKING"
        for node in ast.walk(block)
    }
    for node in ast.walk(tree):
        names = (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
        for name in names:
            if id(node) not in typing_only:
                yield name, id(node) in lazy


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_imports_go_downwards(path):
    own = area(path)
    assert own in RANK, f"{own} has no layer"
    for name, lazy in imports(path):
        if not name.startswith("workbench."):
            continue
        other = name.split(".")[1]
        where = (str(path.relative_to(PACKAGE)), name)
        if own == other or RANK[other] < RANK[own] or (lazy and where in LAZY_UPWARD):
            continue
        top_level_only = RANK[own] == len(LAYERS) - 1
        assert top_level_only, f"{where[0]} imports {name}, which is not below it"


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_third_parties_are_imported_in_their_homes(path):
    where = str(path.relative_to(PACKAGE))
    for name, _ in imports(path):
        homes = THIRD_PARTY_HOME.get(name.partition(".")[0])
        assert homes is None or where.startswith(homes), f"{where} imports {name}"


def test_no_two_modules_import_each_other():
    graph: dict[str, set[str]] = {}
    for path in MODULES:
        parts = path.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(("workbench", *(p for p in parts if p != "__init__")))
        graph[name] = {other for other, lazy in imports(path) if not lazy and other != name}
    done: set[str] = set()

    def visit(name: str, trail: tuple[str, ...]) -> None:
        assert name not in trail, f"a circle: {' -> '.join((*trail, name))}"
        if name in done or name not in graph:
            return
        for other in graph[name]:
            if not name.startswith(other + "."):
                visit(other, (*trail, name))
        done.add(name)

    for name in graph:
        visit(name, ())


@pytest.mark.parametrize("path", MODULES, ids=lambda p: str(p.relative_to(PACKAGE)))
def test_modules_stay_readable(path):
    source = path.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 400
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno - node.lineno <= 60, f"{node.name} is too long"


HEAVY = [
    "mcp",
    "ipywidgets",
    "anywidget",
    "IPython",
    "PIL",
    "numpy",
    "soundfile",
    "pydantic",
    "jsonschema",
]


def test_import_is_light():
    code = (
        "import sys; before = set(sys.modules); import workbench; "
        "new = set(sys.modules) - before; print(len(new)); "
        f"print([name for name in {HEAVY!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    count, heavy = done.stdout.splitlines()
    assert heavy == "[]"
    assert int(count) <= 100
