"""A definition with everything that it uses: imports, constants, and helpers, each in its order.

What a name stands for is decided by its value, so that names from other cells of a notebook are
found too; how it came to be is read in the module's own source.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import linecache
import sys
import textwrap
from collections.abc import Mapping
from types import FunctionType, ModuleType
from typing import Any

from workbench.errors import bounded_repr
from workbench.tools.code_names import dotted_uses, outer_names, without_annotations
from workbench.tools.requirements import is_installed
from workbench.tools.tool_class import Tool

__all__ = ["Parts", "namespace_of", "source_of"]

_LONGEST_CONSTANT = 100_000
_FUTURE_ANNOTATIONS = 0x1000000


def source_of(thing: Any) -> str | None:
    """The source of a function or class, from the first column; None where there is none."""
    try:
        lines = inspect.getsource(thing)
    except (OSError, TypeError):
        return _class_in_cell(thing) if inspect.isclass(thing) else None
    if not lines[:1].isspace():
        return lines.rstrip() + "\n"
    # Taking away the indentation would shift the lines of long strings, so it is written anew.
    return ast.unparse(ast.parse("if 1:\n" + lines).body[0].body[0]) + "\n"  # type: ignore[attr-defined]  # it is an If


def _class_in_cell(kind: type) -> str | None:
    """A class defined in a notebook, whose module has no file: found through a method of its."""
    function = _function_in(kind)
    text = "".join(linecache.getlines(function.__code__.co_filename)) if function else ""
    for node in ast.walk(_parsed(text)):
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            first = min([node.lineno, *(d.lineno for d in node.decorator_list)])
            lines = text.splitlines()[first - 1 : node.end_lineno]
            return textwrap.dedent("\n".join(lines)) + "\n"
    return None


def _parsed(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except SyntaxError:  # a cell with magics
        return ast.Module(body=[], type_ignores=[])


def _function_in(thing: Any) -> FunctionType | None:
    """The function itself, or a class's first method that has source of its own."""
    if isinstance(thing, FunctionType):
        return thing
    members = [
        getattr(member, "__func__", getattr(member, "fget", member))
        for member in vars(thing).values()
    ]
    own = [m for m in members if isinstance(m, FunctionType) and m.__module__ == thing.__module__]
    return next((m for m in own if linecache.getlines(m.__code__.co_filename)), None)


def namespace_of(thing: Any) -> dict[str, Any]:
    """What names mean inside a function or class: closures over globals."""
    function = _function_in(thing)
    if function is None:
        return dict(vars(sys.modules.get(thing.__module__, builtins)))
    cells: dict[str, Any] = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=False):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # not filled yet
            continue
    return {**function.__globals__, **cells}


def _file_of(thing: Any) -> str:
    """The source around a function or class: its module, or its cell."""
    function = _function_in(thing)
    module = sys.modules.get(thing.__module__)
    path = function.__code__.co_filename if function else getattr(module, "__file__", None)
    return "".join(linecache.getlines(path)) if path else ""


def _has_lazy_annotations(thing: Any, file: str) -> bool:
    function = _function_in(thing)
    flagged = function is not None and bool(function.__code__.co_flags & _FUTURE_ANNOTATIONS)
    return flagged or "from __future__ import annotations" in file


class Parts:
    """Collects what a definition needs, and what stands in the way.

    Attributes
    ----------
    imports : set of str
        Import statements.
    definitions : list of str
        Constants, functions and classes; what is used stands before what uses it.
    problems : list of str
        Why something cannot be taken along.

    Examples
    --------
    >>> from workbench.tools.code_names import outer_names
    >>> parts = Parts()
    >>> parts.take("outer_names", outer_names, "def outer_names(x: Iterator): return ast.parse(x)")
    >>> sorted(parts.imports)
    ['from collections.abc import Iterator', 'import ast']
    """

    def __init__(self) -> None:
        self.imports: set[str] = set()
        self.definitions: list[str] = []
        self.problems: list[str] = []
        self.lazy_annotations = False
        self._seen: set[str] = set()

    @property
    def names(self) -> set[str]:
        """All names that have been taken."""
        return set(self._seen)

    def take(self, name: str, thing: Any, source: str) -> None:
        """Take a function or class, and before it what its source uses."""
        if name in self._seen:
            return
        self._seen.add(name)
        file = _file_of(thing)
        self.lazy_annotations |= _has_lazy_annotations(thing, file)
        self._take_names(source, namespace_of(thing), file, owner=name)
        self.definitions.append(source)

    def _take_names(self, source: str, known: Mapping[str, Any], file: str, *, owner: str) -> None:
        """Take everything that a source reads from outside."""
        needed = set(outer_names(without_annotations(source)))
        for name in outer_names(source):
            if name in self._seen or name == owner:
                continue
            if name in known:
                self._take(name, source, known, file)
            elif name in needed and not hasattr(builtins, name):
                self.problems.append(f"{owner} uses {name!r}, which is not defined")

    def _take(self, name: str, source: str, known: Mapping[str, Any], file: str) -> None:
        value = known[name]
        statement = _import_of(name, file)
        if isinstance(value, ModuleType) and is_installed(value.__name__):
            self._seen.add(name)
            self.imports.add(statement or _import_of_module(name, value))
            self.imports.update(_submodules(name, value, source))
        elif isinstance(value, ModuleType):
            self.problems.append(
                f"{name!r} is the module {value.__name__!r}, a file of yours that no package "
                "brings; put what is used of it beside the tool"
            )
        elif statement is not None and is_installed(statement.split()[1]):
            self._seen.add(name)
            self.imports.add(statement)
        else:
            self._take_object(name, known, file)

    def _take_object(self, name: str, known: Mapping[str, Any], file: str) -> None:
        value = known[name]
        home = _public_home(name, value)
        if home is not None:
            self._seen.add(name)
            self.imports.add(home)
            return
        function = value.func if isinstance(value, Tool) else value
        source = source_of(function) if _is_definition(function) else None
        if source is not None and function.__name__ == name:
            self.take(name, function, source)
            return
        self._take_value(name, known, file)

    def _take_value(self, name: str, known: Mapping[str, Any], file: str) -> None:
        """Take a constant: written out, or by the statement that made it."""
        self._seen.add(name)
        value = known[name]
        written = _literal(value)
        if written is not None:
            self.definitions.append(f"{name} = {written}\n")
            return
        statement = _assignment_of(name, file)
        if statement is None:
            self.problems.append(
                f"{name!r} is {bounded_repr(value)}, which cannot be written as code; make it "
                "inside the tool, or import it"
            )
            return
        self._take_names(statement, known, file, owner=name)
        self.definitions.append(statement + "\n")


def _is_definition(value: Any) -> bool:
    return isinstance(value, (FunctionType, type)) and value.__name__ != "<lambda>"


def _literal(value: Any) -> str | None:
    """A constant as Python writes it; None where it would not come back the same."""
    written = repr(value)
    if len(written) > _LONGEST_CONSTANT:
        return None
    try:
        read = ast.literal_eval(written)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None
    same = type(read) is type(value) and read == value
    return written if same else None


def _import_of(name: str, file: str) -> str | None:
    """The statement at the top of a module that imports a name, for that name alone."""
    for node in _parsed(file).body:
        if not isinstance(node, (ast.Import, ast.ImportFrom)):
            continue
        if isinstance(node, ast.ImportFrom) and node.level:
            continue
        for alias in node.names:
            bound = alias.asname or alias.name.partition(".")[0]
            if bound == name:
                single = ast.Import(names=[alias])
                if isinstance(node, ast.ImportFrom):
                    return ast.unparse(ast.ImportFrom(module=node.module, names=[alias], level=0))
                return ast.unparse(single)
    return None


def _import_of_module(name: str, module: ModuleType) -> str:
    path = module.__name__
    return f"import {path}" if path == name else f"import {path} as {name}"


def _submodules(name: str, module: ModuleType, source: str) -> set[str]:
    """Imports of the modules inside a package that are used by their dotted names."""
    paths = {
        module.__name__ + use[len(name) :]
        for use in dotted_uses(source, name)
        if name == module.__name__
    }
    return {f"import {path}" for path in paths if isinstance(sys.modules.get(path), ModuleType)}


_HOMES = ("workbench", "typing", "typing_extensions", "collections.abc")


def _public_home(name: str, value: Any) -> str | None:
    """The import that gives this very object, from a module that others can have."""
    own = getattr(value, "__module__", None)
    qualname = getattr(value, "__qualname__", None) or getattr(value, "_name", None) or name
    for home in (*_HOMES, own, type(value).__module__):
        module = sys.modules.get(home) if isinstance(home, str) else None
        if module is None or home in ("__main__", "builtins") or not is_installed(str(home)):
            continue
        for known in (name, qualname):
            if isinstance(known, str) and _same(getattr(module, known, None), value):
                alias = "" if known == name else f" as {name}"
                return f"from {home} import {known}{alias}"
    return None


def _same(found: Any, value: Any) -> bool:
    return found is value and value is not None


def _assignment_of(name: str, file: str) -> str | None:
    """The statement at the top of a module that gives a name its value."""
    found = None
    for node in _parsed(file).body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            found = ast.get_source_segment(file, node)
    return found
