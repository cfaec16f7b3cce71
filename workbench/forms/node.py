"""One place in the form and what is in it: not set, null, a value, or text that says none.

A node knows its own schema and makes its children when somebody asks for them, so that
recursive schemas cost what is visible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.forms.shape import Shape, shape_of
from workbench.forms.text import Unreadable, read_text
from workbench.schema import validator

__all__ = ["ABSENT", "Node", "Path"]

Path = tuple[str | int, ...]
ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()
"""Stands for "no value here"."""

_CONTAINERS = ("object", "map", "array", "tuple")


class Node:
    """A place in the form.

    Parameters
    ----------
    schema : mapping or bool
        Its subschema.
    root : mapping
        The document.
    path : tuple
        Where it is in the value.
    required : bool
        It must be there.
    """

    def __init__(
        self, schema: Any, root: Mapping[str, Any], path: Path = (), required: bool = True
    ) -> None:
        self.root = root
        self.path = path
        self.required = required
        self.shape: Shape = shape_of(schema, root, str(path[-1]) if path else "")
        self.state = "unset"
        self.text = ""
        self.why = ""
        self.raw: Any = ABSENT
        self.named: dict[str, Node] = {}
        self.items: list[Node] = []
        self.drafts: dict[int, Node] = {}
        self.branch: int | None = None

    # What it starts with

    def start(self) -> None:
        """Take the default, or be empty where something must be there."""
        kind, default = self.shape.kind, self.shape.schema.get("default")
        if default is not None:
            self.set(default)
        elif kind == "const" and self.required:
            self.set(self.shape.schema["const"])
        elif kind in _CONTAINERS and self.required and not self.shape.nullable:
            self.begin()

    def begin(self) -> None:
        """Become an empty container, with the defaults of its own members."""
        self.state, self.raw = "value", ABSENT
        if self.shape.kind == "object":
            for name in self.properties():
                self.child(name).start()
        elif self.shape.kind == "tuple":
            self.items = [self._item(i) for i in range(len(self.shape.schema["prefixItems"]))]
            for item in self.items:
                item.start()

    # Its children

    def properties(self) -> Mapping[str, Any]:
        """The subschemas that the schema names."""
        given = self.shape.schema.get("properties")
        return given if isinstance(given, Mapping) else {}

    def child(self, key: str | int) -> Node:
        """The child of that name or index, made if need be.

        Raises
        ------
        KeyError
            If nothing can be there.
        """
        if self.shape.kind == "union":
            return self.chosen().child(key)
        if self.shape.kind in ("object", "map") and isinstance(key, str):
            if key not in self.named:
                self.named[key] = self._member(key)
            return self.named[key]
        if self.shape.kind in ("array", "tuple") and isinstance(key, int):
            while len(self.items) <= key:
                self.items.append(self._item(len(self.items)))
            return self.items[key]
        raise KeyError(key)

    def _member(self, name: str) -> Node:
        schema, required = self.shape.schema, self.shape.schema.get("required")
        needed = isinstance(required, list) and name in required
        return Node(self._member_schema(schema, name), self.root, (*self.path, name), needed)

    def _member_schema(self, schema: Mapping[str, Any], name: str) -> Any:
        import re

        properties = self.properties()
        if name in properties:
            return properties[name]
        for pattern, sub in (schema.get("patternProperties") or {}).items():
            try:
                if re.search(pattern, name):
                    return sub
            except re.error:
                continue
        rest = schema.get("additionalProperties", {})
        return {} if isinstance(rest, bool) else rest

    def _item(self, index: int) -> Node:
        prefix = self.shape.schema.get("prefixItems") or ()
        schema = prefix[index] if index < len(prefix) else self.shape.schema.get("items", {})
        return Node({} if schema is True else schema, self.root, (*self.path, index), True)

    def children(self) -> Iterator[Node]:
        """Members in the order of the schema, then added ones; items in their order."""
        if self.shape.kind == "object":
            for name in self.properties():
                yield self.child(name)
            yield from (n for name, n in self.named.items() if name not in self.properties())
        elif self.shape.kind == "map":
            yield from self.named.values()
        elif self.shape.kind in ("array", "tuple"):
            yield from self.items
        elif self.shape.kind == "union" and self.branch is not None:
            yield self.chosen()

    def chosen(self) -> Node:
        """The draft of the chosen branch; the first branch is chosen if none is."""
        if self.branch is None:
            self.branch = 0
        return self.draft(self.branch)

    def draft(self, index: int) -> Node:
        """The draft of a branch; each branch keeps its own."""
        if index not in self.drafts:
            node = Node(self.shape.branches[index], self.root, self.path, True)
            self.drafts[index] = node
        return self.drafts[index]

    # Its value

    def value(self) -> Any:
        """The value, or ABSENT."""
        if self.state == "null":
            return None
        if self.state != "value":
            return ABSENT
        if self.raw is not ABSENT:
            return self.raw
        return self._composed()

    def _composed(self) -> Any:
        if self.shape.kind in ("object", "map"):
            pairs = ((name, node.value()) for name, node in self.named.items())
            return {name: value for name, value in pairs if value is not ABSENT}
        if self.shape.kind in ("array", "tuple"):
            values = (item.value() for item in self.items)
            return [value for value in values if value is not ABSENT]
        return self.chosen().value() if self.shape.kind == "union" else ABSENT

    def set(self, value: Any) -> None:
        """Take a value as it is, whether it fits or not."""
        self.state, self.text, self.why, self.raw = "value", "", "", ABSENT
        if value is None and self.shape.kind not in ("json", "const", "null", "union"):
            self.state = "null"
            return
        if self.shape.kind == "union":
            self._set_union(value)
        elif self.shape.kind in ("object", "map") and isinstance(value, Mapping):
            self.named = {}
            for name, item in value.items():
                self.child(str(name)).set(item)
        elif self.shape.kind in ("array", "tuple") and isinstance(value, (list, tuple)):
            self.items = []
            for index, item in enumerate(value):
                self.child(index).set(item)
        else:
            self.raw = value

    def _set_union(self, value: Any) -> None:
        if value is None and self.shape.nullable:
            self.state = "null"
            return
        self.branch = best_branch(self.shape.branches, value, self.root)
        self.draft(self.branch).set(value)

    def set_text(self, text: str) -> None:
        """Take typed text: parsed by the kind, kept and named where it says nothing."""
        if self.shape.kind == "union":
            self._set_union_text(text)
            return
        if text == "" and not (self.shape.kind == "string" and self.required):
            self.clear()
            return
        try:
            value = read_text(self.shape, text)
        except Unreadable as why:
            self.state, self.text, self.why, self.raw = "text", text, str(why), ABSENT
            return
        self.set(value)
        self.text = text

    def _set_union_text(self, text: str) -> None:
        order = range(len(self.shape.branches)) if self.branch is None else [self.branch]
        for index in order:
            draft = self.draft(index)
            draft.set_text(text)
            fits = draft.state in ("value", "null") and not validator(
                {**draft.shape.schema, **_definitions(self.root)}
            ).problems(draft.value())
            if fits or index == order[-1]:
                self.branch = index
                self.state, self.raw = draft.state, ABSENT
                self.text, self.why = draft.text, draft.why
                return

    def clear(self) -> None:
        """Become not set; drafts of unions are kept."""
        self.state, self.text, self.why, self.raw = "unset", "", "", ABSENT
        self.items, self.named = [], {}

    def set_null(self) -> None:
        """Become null."""
        self.state, self.text, self.why, self.raw = "null", "", "", ABSENT

    def touch(self) -> None:
        """Become present because something inside has been set."""
        if self.state != "value" or (self.raw is not ABSENT and self.shape.kind in _CONTAINERS):
            self.state, self.raw, self.text, self.why = "value", ABSENT, "", ""

    def unreadable(self) -> Iterator[tuple[Path, str]]:
        """Every text inside that says no value, and why."""
        if self.state == "text":
            yield self.path, self.why
        elif self.state == "value" and self.raw is ABSENT:
            for child in (self.chosen(),) if self.shape.kind == "union" else self.children():
                yield from child.unreadable()

    def renumber(self) -> None:
        """Give items the paths of their places, after one has moved."""
        for index, item in enumerate(self.items):
            item.relocate((*self.path, index))

    def relocate(self, path: Path) -> None:
        """Move to another path, with everything inside."""
        old = len(self.path)
        self.path = path
        inside = [*self.named.values(), *self.items, *self.drafts.values()]
        for node in inside:
            node.relocate((*path, *node.path[old:]))


def _definitions(root: Mapping[str, Any]) -> dict[str, Any]:
    return {key: root[key] for key in ("$defs", "definitions", "$id") if key in root}


def best_branch(
    branches: tuple[Mapping[str, Any], ...], value: Any, root: Mapping[str, Any]
) -> int:
    """The alternative that a value is of: the first that it fits, else the nearest one."""
    counts = []
    for index, branch in enumerate(branches):
        problems = validator({**branch, **_definitions(root)}).problems(value)
        if not problems:
            return index
        wrong_kind = any(p.path == () for p in problems)
        counts.append((wrong_kind, len(problems), index))
    return min(counts)[2]
