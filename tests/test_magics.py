"""The magics in a real IPython."""

from __future__ import annotations

import pytest


@pytest.fixture
def shell():
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.run_line_magic("load_ext", "workbench")
    yield shell
    InteractiveShell.clear_instance()


def test_a_workbench_in_one_line(shell):
    bench = shell.run_line_magic("workbench", "math:sqrt")
    assert shell.user_ns["bench"] is bench
    assert bench.tools["sqrt"](9) == 3.0
    bench.close()


def test_a_tool_in_one_cell(shell):
    made = shell.run_cell_magic("tool", "", "def half(x: float) -> float:\n    return x / 2\n")
    assert made(4) == 2.0
    assert shell.user_ns["half"] is made
