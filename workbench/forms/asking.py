"""What the page asks for that changes nothing: each answer is a message back to it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path as FilePath
from typing import Any

from workbench.forms.model import FormModel, as_path
from workbench.forms.notebook import candidates
from workbench.forms.search import found
from workbench.forms.thumbnail import preview

__all__ = ["ASKED", "answer"]

_STATIC = FilePath(__file__).parent.parent / "static"
_MODULES = {"camera", "media", "picture", "recorder"}
"""Controls that few use: their code comes when it is asked for, and is in no saved state."""

Content = Mapping[str, Any]


def _found(model: FormModel, content: Content) -> dict[str, Any]:
    path, text = as_path(content["path"]), str(content["text"])
    return {"text": text, "choices": found(model, path, text)}


def _values(model: FormModel, content: Content) -> dict[str, Any]:
    node = model.reach(as_path(content["path"]))
    return {"values": [[each.key, each.label] for each in candidates(node)]}


def _module(model: FormModel, content: Content) -> dict[str, Any]:
    name = str(content["name"])
    if name not in _MODULES:
        raise ValueError(f"the page asks for a module {name!r}, which is not known")
    return {"name": name, "text": (_STATIC / f"form-{name}.js").read_text("utf-8")}


def _preview(model: FormModel, content: Content) -> dict[str, Any]:
    return {"uri": preview(model, as_path(content["path"]))}


ASKED: dict[str, tuple[str, Callable[[FormModel, Content], dict[str, Any]]]] = {
    "module": ("module", _module),
    "preview": ("preview", _preview),
    "search": ("found", _found),
    "values": ("values", _values),
}
"""What can be asked for: the name of the answer, and what makes it."""


def answer(model: FormModel, content: Content) -> dict[str, Any]:
    """The answer to a question of the page.

    Parameters
    ----------
    model : FormModel
        What is entered.
    content : mapping
        "op", and what the question is about.

    Examples
    --------
    >>> model = FormModel({"properties": {"c": {"enum": ["red", "green"]}}})
    >>> answer(model, {"op": "search", "path": ["c"], "text": "g"})["choices"]
    [(1, 'green')]
    """
    name, make = ASKED[str(content["op"])]
    to = content.get("to", "form")
    return {"op": name, "to": to, "path": content.get("path", []), **make(model, content)}
