"""``%load_ext workbench``: a workbench in one line, and a tool in one cell."""

from __future__ import annotations

import ast
from typing import Any

from IPython.core.error import UsageError
from IPython.core.magic import Magics, cell_magic, line_magic, magics_class

from workbench.bench import Workbench
from workbench.errors import WorkbenchError
from workbench.tools.decorator import tool
from workbench.tools.tool_class import Tool

__all__ = ["WorkbenchMagics", "register"]


@magics_class
class WorkbenchMagics(Magics):
    """The magics ``%workbench`` and ``%%tool``."""

    def __init__(self, shell: Any) -> None:
        super().__init__(shell)
        self._opened: dict[str, Workbench] = {}

    def _shell(self) -> Any:
        return self.shell

    @line_magic
    def workbench(self, line: str) -> Workbench:
        """Open a workbench on what a person names; it is then ``bench``.

        ``%workbench python -m workbench.demo``: a command, a URL, ``module:function``,
        ``file.py`` or ``mcp.json``; or the name of a variable. Done again for the same target,
        it takes the place of the earlier one, which is closed.

        Raises
        ------
        UsageError
            If there is nothing of that name; shown without a traceback.
        """
        target = line.strip()
        if not target:
            raise UsageError(
                "%workbench TARGET: a command, a URL, module:function, file.py, mcp.json, "
                "or a variable"
            )
        space = self._shell().user_ns
        try:
            bench = Workbench(space.get(target, target))
        except WorkbenchError as error:
            raise UsageError(str(error)) from error
        if target in self._opened:
            self._opened[target].close()
        space["bench"] = self._opened[target] = bench
        return bench

    @cell_magic
    def tool(self, line: str, cell: str) -> Any:
        """Run the cell, make a tool of the last function or class in it, and show its form.

        Raises
        ------
        UsageError
            If there is none, or no tool can be made of it; shown without a traceback.
        """
        shell = self._shell()
        if not shell.run_cell(cell).success:
            return None
        try:
            name = _last_definition(shell.transform_cell(cell))
            found = shell.user_ns[name]
            if isinstance(found, type) and issubclass(found, Tool):
                return found()
            made = shell.user_ns[name] = tool(found)
        except WorkbenchError as error:
            raise UsageError(str(error)) from error
        return made


def _last_definition(source: str) -> str:
    """The name of the last function or class that a cell defines.

    Raises
    ------
    WorkbenchError
        If it defines none.
    """
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    names = [node.name for node in ast.parse(source).body if isinstance(node, kinds)]
    if not names:
        raise WorkbenchError("the cell defines no function to make a tool of")
    return names[-1]


def register(ipython: Any) -> None:
    """Add the magics to a running IPython."""
    ipython.register_magics(WorkbenchMagics)
