"""Choices that match what is typed, where there are too many to send, or where they change."""

from __future__ import annotations

from workbench.forms.choosing import hinted
from workbench.forms.folders import entries
from workbench.forms.hints import offered
from workbench.forms.model import FormModel
from workbench.forms.node import Node, Path

__all__ = ["found"]

_MOST = 100


def found(model: FormModel, path: Path, text: str) -> list[tuple[int | None, str]]:
    """Places and labels of a field's choices that contain a text; those that begin with it first.

    Paths have no place: their labels are what is entered.

    Examples
    --------
    >>> model = FormModel({"properties": {"c": {"enum": ["red", "green", "grey"]}}})
    >>> found(model, ("c",), "GRE")
    [(1, 'green'), (2, 'grey')]
    """
    node = model.reach(path)
    if node.shape.control == "path":
        return [(None, entry) for entry in entries(text)]
    word = text.strip().lower()
    hits = [(at, label) for at, label in enumerate(_labels(node)) if word in label.lower()]
    hits.sort(key=lambda hit: not hit[1].lower().startswith(word))
    return list(hits[:_MOST])


def _labels(node: Node) -> list[str]:
    if node.shape.control == "choices":
        node.choices = offered(hinted(node.shape.schema)) or ()
    return [choice.label for choice in node.choices]
