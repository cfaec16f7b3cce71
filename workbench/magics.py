"""``%load_ext workbench``: a workbench in one line, and a tool in one cell."""

from __future__ import annotations

from typing import Any

from IPython.core.magic import Magics, cell_magic, line_magic, magics_class

from workbench.bench import Workbench
from workbench.errors import WorkbenchError
from workbench.tools.decorator import tool

__all__ = ["WorkbenchMagics", "register"]


@magics_class
class WorkbenchMagics(Magics):
    """The magics ``%workbench`` and ``%%tool``."""

    def _shell(self) -> Any:
        return self.shell

    @line_magic
    def workbench(self, line: str) -> Workbench | None:
        """Open a workbench: ``%workbench python -m workbench.demo``; it is then ``bench``."""
        target = line.strip()
        if not target:
            print("usage: %workbench TARGET, a command, URL, module:function or file.py")  # noqa: T201  # for the person in the cell
            return None
        bench = Workbench(target)
        self._shell().user_ns["bench"] = bench
        return bench

    @cell_magic
    def tool(self, line: str, cell: str) -> Any:
        """Run the cell, make a tool of the last function in it, and show its form."""
        shell = self._shell()
        before = dict(shell.user_ns)
        result = shell.run_cell(cell)
        if not result.success:
            return None
        space = shell.user_ns
        made = [
            n for n, v in space.items() if callable(v) and before.get(n) is not v and n[0] != "_"
        ]
        if not made:
            raise WorkbenchError("the cell defines no function to make a tool of")
        space[made[-1]] = tool(space[made[-1]])
        return space[made[-1]]


def register(ipython: Any) -> None:
    """Add the magics to a running IPython."""
    ipython.register_magics(WorkbenchMagics)
