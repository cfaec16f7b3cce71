"""One schema and what has been worked out about its parts, each once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from workbench.errors import Problem
from workbench.forms.shape import Shape, shape_of
from workbench.schema import SchemaValidator, validator

__all__ = ["Document"]


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

    def shape(self, schema: Any, name: str) -> Shape:
        """The kind of field for a part of the schema."""
        key = (id(schema), name)
        if key not in self._shapes:
            self._shapes[key] = schema, shape_of(schema, self.root, name)
        return self._shapes[key][1]

    def problems(self, schema: Any, value: Any) -> tuple[Problem, ...]:
        """What is wrong with a value for a part of the schema."""
        if isinstance(schema, bool):
            return () if schema else validator({"not": {}}).problems(value)
        if id(schema) not in self._validators:
            known = {k: self.root[k] for k in ("$defs", "definitions", "$id") if k in self.root}
            self._validators[id(schema)] = schema, validator({**known, **schema})
        return self._validators[id(schema)][1].problems(value)
