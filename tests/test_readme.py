"""The README's code runs, and its two commands are on the first screen."""

from __future__ import annotations

import re
from pathlib import Path

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)


def test_every_python_block_runs():
    space = {"__name__": "readme"}
    for language, source in BLOCKS:
        if language == "python":
            exec(compile(source, "README.md", "exec"), space)


def test_the_first_screen_has_the_two_commands_and_code():
    lines = README.split("\n")
    first = next(i for i, line in enumerate(lines) if line == "```python")
    assert first < 30
    commands = [source for language, source in BLOCKS if language == "bash"]
    assert "workbench lab" in commands[0]
    assert "pytest" in commands[1]
    assert README.index("workbench lab") < README.index("```python")


def test_links_and_pictures_exist():
    prose = re.sub(r"```.*?```", "", README, flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)#]+)\)", prose):
        if not target.startswith("http"):
            assert (Path(__file__).parent.parent / target).exists(), target


def test_every_named_test_is_there():
    files = (Path(__file__).parent).rglob("test_*.py")
    known = set(
        re.findall(r"^def (test_\w+)", "\n".join(f.read_text("utf-8") for f in files), re.M)
    )
    named = set(re.findall(r"`(test_\w+)`", README))
    assert len(named) > 10
    assert named <= known, sorted(named - known)
