"""A result, or a part of one, as the input of another tool."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from typing import Any

from workbench.bench.tree import opened
from workbench.forms.form import Form
from workbench.forms.model import Field
from workbench.tools.content import Resource, ResourceLink
from workbench.tools.result_html import json_text
from workbench.tools.structured import structured
from workbench.types import AgentType

__all__ = ["enter", "fields_for"]


def fields_for(form: Form, value: Any) -> list[dict[str, Any]]:
    """The fields of a form, first those that a value fits.

    Examples
    --------
    >>> from workbench import tool
    >>> def repeat(text: str, times: int = 2) -> str:
    ...     return text * times
    >>> form = Form(tool(repeat))
    >>> [(field["title"], field["fits"]) for field in fields_for(form, 3)]
    [('times', True), ('text', False)]
    >>> form.close()
    """
    found = [
        {
            "path": list(field.path),
            "title": field.title or field.name,
            "type": field.control or field.kind,
            "fits": _fits(field, value),
        }
        for field in form.model.fields
    ]
    return sorted(found, key=lambda field: not field["fits"])


def _fits(field: Field, value: Any) -> bool:
    if isinstance(value, AgentType) and not isinstance(value, str):
        return field.kind == "media" and field.control in (value.media, "file")
    return field.kind in _KINDS.get(_kind(value), ())


_ANYTHING = ("union", "json")
_KINDS = {
    "text": ("string", "choice", "integer", "number", "boolean", *_ANYTHING),
    "truth": ("boolean", *_ANYTHING),
    "number": ("number", "integer", "choice", *_ANYTHING),
    "object": ("object", "map", *_ANYTHING),
    "array": ("array", "tuple", *_ANYTHING),
}
"""The kinds of fields that each kind of value goes into as it is."""


def _kind(value: Any) -> str:
    seen = opened(value)
    known: tuple[tuple[Any, str], ...] = (
        (str, "text"),
        (bool, "truth"),
        ((int, float), "number"),
        (Mapping, "object"),
        ((list, tuple), "array"),
    )
    return next((word for kind, word in known if isinstance(seen, kind)), "other")


def enter(form: Form, path: Sequence[str | int], value: Any) -> None:
    """Put a value into a field of a form, as the JSON value that it stands for.

    A medium becomes base64; text is read as if it were typed, so that "5" is 5 in a field for
    numbers; data in a field for text is its JSON. What does not fit is kept, with its problem.

    Examples
    --------
    >>> from workbench import tool
    >>> form = Form(tool(abs, name="absolute"))
    >>> enter(form, ("x",), "-5")
    >>> form.value
    {'x': -5}
    >>> form.close()
    """
    place = tuple(path)
    made = _plain(value)
    kind = _field_kind(form, place)
    if kind in ("string", "media"):
        form.model.set(place, made if isinstance(made, str) else json_text(made))
    elif isinstance(made, str):
        form.model.set_text(place, made)
    else:
        form.model.set(place, made)
    form._redraw()


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Resource):
        return _plain(value.value)
    if isinstance(value, ResourceLink):
        return value.uri
    if isinstance(value, str):
        return str(value)
    if isinstance(value, AgentType):
        return base64.b64encode(value.to_bytes()).decode("ascii")  # type: ignore[attr-defined]  # all media have it
    if isinstance(value, (bytes, bytearray)):
        return base64.b64encode(value).decode("ascii")
    made = structured(value)
    return str(value) if made is None and value is not None else made


def _field_kind(form: Form, path: tuple[str | int, ...]) -> str:
    """The kind of the field at a path; "json" where it is not in sight."""
    fields, kind = form.model.fields, "json"
    for at in range(len(path)):
        found = next((field for field in fields if field.path == path[: at + 1]), None)
        if found is None:
            return "json"
        fields, kind = found.children, found.kind
    return kind
