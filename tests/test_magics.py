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


def test_the_same_target_again_takes_the_earlier_ones_place(shell):
    first = shell.run_line_magic("workbench", "math:sqrt")
    second = shell.run_line_magic("workbench", "math:sqrt")
    second.tools["sqrt"](4)
    assert (len(first.history), len(second.history)) == (0, 1)
    second.close()


def test_a_variable_is_a_target_too(shell):
    shell.user_ns["mine"] = len
    assert shell.run_line_magic("workbench", "mine").tools.names == ("len",)
    shell.user_ns["bench"].close()


CELLS = [
    ("from math import sqrt\ndef a(): ...\ndef b(x: int): return x\nfrom math import cos\n", "b"),
    ("async def later(x: int):\n    return x\n", "later"),
    ("%time 1\ndef after_magic(): ...\n", "after_magic"),
    (
        "import workbench\nclass Own(workbench.Tool):\n    name = 'own'\n    description = 'd'\n"
        "    inputs = {}\n    output_type = 'string'\n    def forward(self): return 'x'\n",
        "own",
    ),
]


@pytest.mark.parametrize(("cell", "name"), CELLS)
def test_the_last_definition_is_the_tool(shell, cell, name):
    assert shell.run_cell_magic("tool", "", cell).name == name
    assert shell.run_cell_magic("tool", "", cell).name == name


FAULTS = [
    ("workbench", "", None, "TARGET"), ("workbench", "none.py", None, "no file"),
    ("workbench", "no-such-program", None, "no program"), ("tool", "", "x = 1\n", "no function"),
]  # fmt: skip


@pytest.mark.parametrize(("magic", "line", "cell", "words"), FAULTS)
def test_faults_are_said_without_a_traceback(shell, magic, line, cell, words):
    from IPython.core.error import UsageError

    run = shell.run_line_magic if cell is None else shell.run_cell_magic
    with pytest.raises(UsageError, match=words):
        run(magic, line, *([] if cell is None else [cell]))


def test_a_cell_that_fails_makes_no_tool(shell, capsys):
    assert shell.run_cell_magic("tool", "", "1 / 0\ndef f(): ...\n") is None
    assert "ZeroDivisionError" in capsys.readouterr().out
