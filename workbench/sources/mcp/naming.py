"""Names in Python for what servers call as they like; the original stays on the wire."""

from __future__ import annotations

import keyword
import posixpath
from collections import Counter
from collections.abc import Sequence

from workbench.sources.mcp.target import MemoryTarget, StdioTarget, Target

__all__ = ["names_for", "python_name", "server_words"]


def python_name(name: str) -> str:
    """A Python identifier for a tool's name.

    Examples
    --------
    >>> python_name("send-email"), python_name("class"), python_name("1x")
    ('send_email', 'class_', '_1x')
    """
    safe = "".join(char if f"_{char}".isidentifier() else "_" for char in name) or "tool"
    if not safe.isidentifier():
        safe = f"_{safe}"
    return f"{safe}_" if keyword.iskeyword(safe) else safe


def names_for(listed: Sequence[tuple[str, Sequence[str]]]) -> list[list[str]]:
    """One name for each tool of each server, all different.

    A name that several servers have is given their words in front; what is still the same after
    that is numbered.

    Parameters
    ----------
    listed : sequence of (str, sequence of str)
        A word for each server, and the names of its tools.

    Returns
    -------
    list of list of str
        In the same order.

    Examples
    --------
    >>> names_for([("git", ["log", "show"]), ("time", ["log"])])
    [['git_log', 'show'], ['time_log']]
    >>> names_for([("a", ["x-y", "x.y"])])
    [['x_y', 'x_y_2']]
    """
    plain = [[python_name(name) for name in names] for _, names in listed]
    owners = Counter(name for names in plain for name in set(names))
    taken: set[str] = set()
    return [
        [_free(f"{word}_{name}" if owners[name] > 1 else name, taken) for name in names]
        for (word, _), names in zip(listed, plain, strict=True)
    ]


def _free(name: str, taken: set[str]) -> str:
    free, count = name, 2
    while free in taken:
        free, count = f"{name}_{count}", count + 1
    taken.add(free)
    return free


def server_words(targets: Sequence[Target]) -> list[str]:
    """A different word for each server, to tell its tools from others."""
    taken: set[str] = set()
    return [_free(_word(target), taken) for target in targets]


def _word(target: Target) -> str:
    if target.name:
        return python_name(target.name)
    if isinstance(target, StdioTarget):
        words = [a for a in (target.command, *target.args) if not a.startswith("-")]
        return python_name(posixpath.basename(words[-1]).partition(".")[0])
    if isinstance(target, MemoryTarget):
        return python_name(str(target))
    return python_name(target.url.partition("://")[2].partition("/")[0].partition(":")[0])
