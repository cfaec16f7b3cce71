"""Choices that match what is typed, where there are too many to send them all."""

from __future__ import annotations

from workbench.forms.model import FormModel
from workbench.forms.node import Path

__all__ = ["found"]

_MOST = 100


def found(model: FormModel, path: Path, text: str) -> list[tuple[int, str]]:
    """Places and labels of a field's choices that contain a text; those that begin with it first.

    Examples
    --------
    >>> model = FormModel({"properties": {"c": {"enum": ["red", "green", "grey"]}}})
    >>> found(model, ("c",), "GRE")
    [(1, 'green'), (2, 'grey')]
    """
    word = text.strip().lower()
    labels = [choice.label for choice in model._reach(path).shape.choices]
    hits = [(at, label) for at, label in enumerate(labels) if word in label.lower()]
    return sorted(hits, key=lambda hit: not hit[1].lower().startswith(word))[:_MOST]
