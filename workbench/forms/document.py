"""One schema and what has been worked out about its parts, each once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.errors import Problem
from workbench.forms.choosing import HINT, hinted
from workbench.forms.shape import Shape, as_asked, shape_of
from workbench.schema import SchemaValidator, validator

__all__ = ["Document", "Path", "pattern"]

Path = tuple[str | int, ...]


def pattern(path: Path) -> Path:
    """A path that means all items of a list alike.

    Examples
    --------
    >>> pattern(("steps", 3, "do"))
    ('steps', '*', 'do')
    """
    return tuple("*" if isinstance(part, int) else part for part in path)


class Document:
    """A whole schema, with its parts' shapes and validators.

    Parameters
    ----------
    root : mapping
        The schema that references point into.

    Examples
    --------
    >>> document = Document({"$defs": {"n": {"type": "integer"}}})
    >>> [str(problem) for problem in document.problems({"$ref": "#/$defs/n"}, "x")]
    ["must be a whole number, got 'x'"]
    """

    def __init__(self, root: Mapping[str, Any]) -> None:
        self.root = root
        # Parts are known by identity; holding them keeps their identity theirs.
        self._shapes: dict[tuple[int, str], tuple[Any, Shape]] = {}
        self._validators: dict[int, tuple[Any, SchemaValidator]] = {}
        self._whole: SchemaValidator | None = None
        self.used: dict[Path, Mapping[str, Any]] = {}

    def shape(self, schema: Any, path: Path) -> Shape:
        """The kind of field for a part of the schema at a place of the form."""
        name = path[-1] if path and isinstance(path[-1], str) else ""
        key = (id(schema), name)
        if key not in self._shapes:
            self._shapes[key] = schema, shape_of(schema, self.root, name)
        made = self._shapes[key][1]
        return self._used(made, path) if self.used else made

    def _used(self, shape: Shape, path: Path) -> Shape:
        """A shape with the control that a person asks for at this place, if one does."""
        said = self.used.get(pattern(path))
        if said is None:
            return shape
        schema = {**shape.schema, HINT: {**hinted(shape.schema), **said}}
        return as_asked(shape._replace(schema=schema), said["control"], "form.use")

    def problems(self, schema: Any, value: Any) -> tuple[Problem, ...]:
        """What is wrong with a value for a part of the schema."""
        if id(schema) not in self._validators:
            self._whole = self._whole or validator(self.root)
            self._validators[id(schema)] = schema, self._whole.part(schema)
        return self._validators[id(schema)][1].problems(value)
