"""What the page reports, carried out on the model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from workbench.forms.model import FormModel, as_path
from workbench.forms.node import Path
from workbench.forms.notebook import taken

__all__ = ["edit"]

Content = Mapping[str, Any]

_EDITS: dict[str, Callable[[FormModel, Path, Content], object]] = {
    "text": lambda model, path, content: model.set_text(path, str(content["text"])),
    "json": lambda model, path, content: model.set_json(path, str(content["text"])),
    "toggle": lambda model, path, content: model.toggle(path, int(content["index"])),
    "pick": lambda model, path, content: model.pick(path, int(content["index"])),
    "set": lambda model, path, content: model.set(path, content["value"]),
    "clear": lambda model, path, content: model.clear(path),
    "null": lambda model, path, content: model.set_null(path),
    "choose": lambda model, path, content: model.choose(path, int(content["branch"])),
    "begin": lambda model, path, content: model.begin(path),
    "add": lambda model, path, content: model.add(path, content.get("name") or None),
    "remove": lambda model, path, content: model.remove(path),
    "duplicate": lambda model, path, content: model.duplicate(path),
    "rename": lambda model, path, content: model.rename(path, str(content["name"])),
    "take": lambda model, path, content: model.set(path, taken(model.reach(path), content["key"])),
    "move": lambda model, path, content: model.move(path, int(content["at"])),
}


def edit(model: FormModel, op: str, content: Content) -> None:
    """Carry out one edit.

    Parameters
    ----------
    model : FormModel
        What is edited.
    op : str
        "text", "json", "pick", "toggle", "set", "clear", "null", "choose", "begin", "add",
        "remove", "duplicate", "rename", "move", or "take" for a value of the notebook.
    content : mapping
        "path", and what the edit needs besides.

    Raises
    ------
    ValueError
        If there is no such edit.

    Examples
    --------
    >>> model = FormModel({"properties": {"n": {"type": "integer"}}})
    >>> edit(model, "text", {"path": ["n"], "text": "5"})
    >>> model.value
    {'n': 5}
    """
    if op not in _EDITS:
        raise ValueError(f"the page asks for {op!r}, which is not known")
    _EDITS[op](model, as_path(content.get("path", [])), content)
