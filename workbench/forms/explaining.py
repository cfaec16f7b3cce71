"""Why a field is drawn as it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.errors import json_pointer
from workbench.forms.choosing import CONTROLS
from workbench.forms.node import Node, Path

__all__ = ["Explained", "cannot_have", "explained"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Explained:
    """The control of a field, and why it has it.

    Parameters
    ----------
    path : tuple
        Which field.
    control : str
        What draws it.
    because : str
        What asked for that: the schema's type, a keyword, the name, ``x-workbench``, ``form.use``.
    """

    path: Path
    control: str
    because: str

    def __str__(self) -> str:
        name = ".".join(map(str, self.path)) or "value"
        return f"{name}: {self.control}, because of {self.because}"


def explained(node: Node) -> Iterator[Explained]:
    """The controls of a place and of all that is visible inside it."""
    shape = node.shape
    if node.path:
        control = shape.control or {"array": "items", "choice": "choice"}.get(
            shape.kind, shape.kind
        )
        yield Explained(path=node.path, control=control, because=shape.why or f"type {shape.kind}")
    visible = node.state == "value" or (shape.kind == "object" and node.required)
    for child in node.children() if visible else ():
        if child.path == node.path:
            yield from list(explained(child))[1:]
        else:
            yield from explained(child)


def cannot_have(kind: str, path: Path, control: object) -> str:
    """That a field cannot have a control, and which it can have."""
    can = ", ".join(map(repr, CONTROLS.get(kind, ()))) or "no other than its own"
    where = json_pointer(path) or "the root"
    return f"{where} is of the kind {kind!r}, which has no control {control!r}; it can have {can}"
