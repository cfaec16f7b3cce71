"""Which names a piece of source takes from outside: by the compiler's own symbol tables."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator

__all__ = ["dotted_uses", "outer_names", "without_annotations"]

_OF_EVERY_MODULE = {"__name__", "__doc__", "__builtins__", "__spec__", "__package__", "__class__"}


def outer_names(source: str) -> list[str]:
    r"""Names that are read and not defined in the source, in order.

    Names in annotations written as text count too; names of a module's own and names that only
    look like others do not, as the compiler knows.

    Examples
    --------
    >>> outer_names("def f(x: 'Path') -> int:\n    y = x\n    return [sin(z) for z in y]")
    ['int', 'sin', 'Path']
    """
    table = symtable.symtable(source, "<source>", "exec")
    defined = {symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned()}
    defined |= {symbol.get_name() for symbol in table.get_symbols() if symbol.is_imported()}
    tree = ast.parse(source)
    found = set(_read(table, top=True)) | set(_in_text(tree))
    wanted = found - defined - _OF_EVERY_MODULE
    return [name for name in _in_order(tree) if name in wanted]


def _read(table: symtable.SymbolTable, *, top: bool = False) -> Iterator[str]:
    for symbol in table.get_symbols():
        if (top and symbol.is_referenced()) or (not top and symbol.is_global()):
            yield symbol.get_name()
    for child in table.get_children():
        yield from _read(child)


def _annotations(tree: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.arg, ast.AnnAssign)) and node.annotation is not None:
            yield node.annotation
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns:
            yield node.returns


def _texts(tree: ast.AST) -> Iterator[ast.expr]:
    """Annotations, or parts of them, that are written as text: parsed."""
    for annotation in _annotations(tree):
        for node in ast.walk(annotation):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                try:
                    yield ast.parse(node.value.strip(), mode="eval").body
                except SyntaxError:
                    continue


def _in_text(tree: ast.AST) -> Iterator[str]:
    for parsed in _texts(tree):
        yield from (node.id for node in ast.walk(parsed) if isinstance(node, ast.Name))


def _in_order(tree: ast.AST) -> list[str]:
    nodes = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    nodes.sort(key=lambda node: (node.lineno, node.col_offset))
    return list(dict.fromkeys([*(node.id for node in nodes), *_in_text(tree)]))


class _Bare(ast.NodeTransformer):
    def visit_arg(self, node: ast.arg) -> ast.arg:
        return ast.arg(arg=node.arg)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)


def without_annotations(source: str) -> str:
    r"""The source without the annotations of its functions, which only describe.

    Examples
    --------
    >>> without_annotations("def f(x: Missing) -> Gone: return x")
    'def f(x):\n    return x'
    """
    return ast.unparse(ast.fix_missing_locations(_Bare().visit(ast.parse(source))))


def dotted_uses(source: str, name: str) -> set[str]:
    """The dotted paths that begin with a name: ``{"xml.etree", "xml.etree.ElementTree"}``.

    Examples
    --------
    >>> sorted(dotted_uses("os.path.join(a); a.os", "os"))
    ['os.path', 'os.path.join']
    """
    found = set()
    for node in ast.walk(ast.parse(source)):
        parts: list[str] = []
        at: ast.AST = node
        while isinstance(at, ast.Attribute):
            parts.append(at.attr)
            at = at.value
        if parts and isinstance(at, ast.Name) and at.id == name:
            found.add(".".join([name, *reversed(parts)]))
    return found
