"""The places of a form at one moment, as records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.forms.node import ABSENT, Node, Path
from workbench.forms.shape import Choice

__all__ = ["Field", "field_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One place of a form at one moment.

    Parameters
    ----------
    name : str
        The property's name, or the index in a list.
    path : tuple
        Where it is in the value.
    kind : str
        See :class:`workbench.forms.shape.Shape`.
    state : str
        "unset", "null", "value" or "text" (typed, but no value).
    value : object
        The value, if there is one.
    text : str
        What has been typed.
    problems : tuple of str
        What is wrong at this very place.
    """

    name: str
    path: Path
    kind: str
    state: str
    title: str = ""
    description: str = ""
    required: bool = False
    nullable: bool = False
    value: Any = None
    text: str = ""
    control: str = ""
    choices: tuple[Choice, ...] = ()
    problems: tuple[str, ...] = ()
    children: tuple[Field, ...] = ()


def field_of(node: Node, problems: Mapping[Path, list[str]]) -> Field:
    """A place and those inside it that are visible.

    Parameters
    ----------
    node : Node
        The place.
    problems : mapping
        What is wrong, by path.
    """
    shape = node.shape
    visible = node.state == "value" or (shape.kind == "object" and node.required)
    value = node.value()
    return Field(
        name=str(node.path[-1]) if node.path else "",
        path=node.path,
        kind=shape.kind,
        state=node.state,
        title=str(shape.schema.get("title") or ""),
        description=str(shape.schema.get("description") or ""),
        required=node.required,
        nullable=shape.nullable,
        value=None if value is ABSENT else value,
        text=node.text,
        control=shape.control,
        choices=shape.choices,
        problems=tuple(problems.get(node.path, ())),
        children=tuple(field_of(c, problems) for c in node.children()) if visible else (),
    )
