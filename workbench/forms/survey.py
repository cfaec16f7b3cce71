"""What is seen by walking through a form: text that says no value, what is missing, secrets."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.forms.document import Path
from workbench.forms.node import ABSENT, Node

__all__ = ["holes", "place", "secrets", "shifted", "unreadable"]


def unreadable(node: Node) -> Iterator[tuple[Path, str]]:
    """Every text inside that says no value, and why."""
    if node.state == "text":
        yield node.path, node.why
    elif node.state == "value" and node.raw is ABSENT:
        for child in node.made():
            yield from unreadable(child)


def holes(node: Node) -> Iterator[Path]:
    """Items that are not set: leaving them out would move those behind them."""
    if node.state != "value" or node.raw is not ABSENT:
        return
    if node.items:
        unset = [item.state == "unset" for item in node.items]
        last = len(unset) if node.shape.kind == "array" else _behind_last(unset)
        yield from (node.items[at].path for at in range(last) if unset[at])
    for child in node.made():
        yield from holes(child)


def shifted(node: Node) -> Iterator[Path]:
    """Tuples of whose items some give no value, so that others are not in their places."""
    if node.state != "value" or node.raw is not ABSENT:
        return
    if node.shape.kind == "tuple":
        absent = [item.value() is ABSENT for item in node.items]
        if any(absent[: _behind_last(absent)]):
            yield node.path
    for child in node.made():
        yield from shifted(child)


def secrets(node: Node) -> Iterator[str]:
    """Every text inside that is not to be seen."""
    if node.shape.control == "secret" and isinstance(node.raw, str):
        yield node.raw
    for child in node.made() if node.state == "value" and node.raw is ABSENT else ():
        yield from secrets(child)


def place(node: Node, path: Path) -> Path:
    """Where something of the value is among the nodes: items that give no value count here."""
    if node.shape.kind == "union" and node.state == "value" and node.raw is ABSENT:
        return place(node.chosen(), path)
    key = path[len(node.path)] if len(path) > len(node.path) else None
    if isinstance(key, int) and node.shape.kind in ("array", "tuple"):
        given = [at for at, item in enumerate(node.items) if item.value() is not ABSENT]
        key = given[key] if key < len(given) else key
        inner = node.items[key] if key < len(node.items) else None
    else:
        inner = node.named.get(str(key)) if key is not None else None
    if key is None:
        return path
    placed = (*node.path, key, *path[len(node.path) + 1 :])
    return placed if inner is None else place(inner, placed)


def _behind_last(unset: list[bool]) -> int:
    """The place behind the last item that is set."""
    return max((at + 1 for at, empty in enumerate(unset) if not empty), default=0)
