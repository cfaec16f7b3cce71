"""One place in the form and what is in it: not set, null, a value, or text that says none.

A node knows its own schema and makes its children when somebody asks for them, so that
recursive schemas cost what is visible.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property, partial
from typing import Any

from workbench.forms.conditions import has_conditions, with_conditions
from workbench.forms.document import Document, Path
from workbench.forms.shape import Choice, Shape
from workbench.forms.text import Unreadable, read_json, read_text

__all__ = ["ABSENT", "Node", "Path"]

ABSENT: Any = type("Absent", (), {"__repr__": lambda self: "ABSENT"})()
"""Stands for "no value here"."""

_ANY: Mapping[str, Any] = {}
_MAY_START = frozenset({"default", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"})
"""Keywords without one of which an optional field starts empty."""
_MOST_BEGUN = 24
"""How deep what must be there is begun: a schema may need itself inside itself."""
_CONTAINERS = ("object", "map", "array", "tuple")


class Node:
    """A place in the form.

    Parameters
    ----------
    schema : mapping or bool
        Its subschema.
    document : Document
        The schema that it is part of.
    path : tuple
        Where it is in the value.
    required : bool
        It must be there.
    """

    def __init__(
        self, schema: Any, document: Document, path: Path = (), required: bool = True
    ) -> None:
        self.schema = schema
        self.document = document
        self.path = path
        self.required = required
        self.state = "unset"
        self.text = ""
        self.why = ""
        self.raw: Any = ABSENT
        self._choices: tuple[Choice, ...] | None = None
        self.named: dict[str, Node] = {}
        self.items: list[Node] = []
        self.drafts: dict[int, Node] = {}
        self.branch: int | None = None

    @cached_property
    def shape(self) -> Shape:
        """What kind of field it is; worked out when somebody asks."""
        return self.document.shape(self.schema, self.path)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What there is to choose from: the schema's choices, or those found since."""
        return self.shape.choices if self._choices is None else self._choices

    @choices.setter
    def choices(self, found: tuple[Choice, ...]) -> None:
        self._choices = found

    # What it starts with

    def start(self) -> None:
        """Take the default, or be empty where something must be there."""
        if not self.required and not _may_start(self.schema):
            return
        kind, default = self.shape.kind, self.shape.schema.get("default")
        if default is not None:
            self.set(default)
        elif kind == "const" and self.required:
            self.set(self.shape.schema["const"])
        elif kind in _CONTAINERS and self.required and self._may_begin():
            self.begin()

    def _may_begin(self) -> bool:
        return (not self.shape.nullable or not self.path) and len(self.path) < _MOST_BEGUN

    def begin(self) -> None:
        """Become an empty container, with the defaults of its own members; or the fixed value."""
        if self.shape.kind == "const":
            self.set(self.shape.schema["const"])
            return
        self.state, self.raw = "value", ABSENT
        if self.shape.kind == "object":
            for name in self.properties():
                self.child(name).start()
        elif self.shape.kind == "tuple":
            self.items = [self._item(i) for i in range(len(self.shape.schema["prefixItems"]))]
            for item in self.items:
                item.start()

    def tag(self) -> None:
        """Enter what only one value can be, as it tells an alternative from the others."""
        for child in self.children() if self.shape.kind == "object" else ():
            if child.required and child.state == "unset" and len(child.shape.choices) == 1:
                child.set(child.shape.choices[0].value)

    # Its children

    def properties(self) -> Mapping[str, Any]:
        """The subschemas that the schema names."""
        given = self._schema_now().get("properties")
        return given if isinstance(given, Mapping) else {}

    def _schema_now(self) -> Mapping[str, Any]:
        """The schema with what its conditions add for what is entered."""
        if not has_conditions(self.shape.schema):
            return self.shape.schema
        value = self.value()
        return with_conditions(self.shape.schema, {} if value is ABSENT else value, self.document)

    def child(self, key: str | int) -> Node:
        """The child of that name or index, made if need be.

        Raises
        ------
        KeyError
            If nothing can be there.
        """
        if self.shape.kind == "union":
            return self._chosen_for(key).child(key)
        if self.shape.kind in ("object", "map"):
            # A pointer's "/0" may name a member too.
            name = str(key)
            if name not in self.named:
                self.named[name] = self._member(name)
            return self.named[name]
        if self.shape.kind in ("array", "tuple") and isinstance(key, int) and key >= 0:
            while len(self.items) <= key:
                self.items.append(self._item(len(self.items)))
            return self.items[key]
        raise KeyError(key)

    def _chosen_for(self, key: str | int) -> Node:
        """The chosen branch; where none is, the first that can hold a member of that name."""
        if self.branch is None:
            named, listed = ("object", "map"), ("array", "tuple")
            drafts = [self.draft(index) for index in range(len(self.shape.branches))]
            for kinds in (named,) if isinstance(key, str) else (listed, named):
                fitting = (at for at, draft in enumerate(drafts) if draft.shape.kind in kinds)
                self.branch = next(fitting, None) if self.branch is None else self.branch
        return self.chosen()

    def _member(self, name: str) -> Node:
        schema = self._schema_now()
        path = (*self.path, name)
        return Node(self._member_schema(schema, name), self.document, path, _needs(schema, name))

    def _member_schema(self, schema: Mapping[str, Any], name: str) -> Any:
        properties = schema.get("properties")
        if isinstance(properties, Mapping) and name in properties:
            return properties[name]
        for pattern, sub in (schema.get("patternProperties") or {}).items():
            try:
                if re.search(pattern, name):
                    return sub
            except re.error:
                continue
        rest = schema.get("additionalProperties", True)
        return _ANY if isinstance(rest, bool) else rest

    def _item(self, index: int) -> Node:
        prefix = self.shape.schema.get("prefixItems") or ()
        schema = prefix[index] if index < len(prefix) else self.shape.schema.get("items", True)
        return Node(_ANY if schema is True else schema, self.document, (*self.path, index), True)

    def children(self) -> Iterator[Node]:
        """Members in the order of the schema, then added ones; items in their order."""
        if self.shape.kind == "object":
            schema, properties = self._schema_now(), self.properties()
            for name in properties:
                child = self.child(name)
                child.required = _needs(schema, name)
                yield child
            yield from [node for name, node in self.named.items() if name not in properties]
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
            node = Node(self.shape.branches[index], self.document, self.path, True)
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
        self.branch = best_branch(self.shape.branches, value, self.document)
        self.draft(self.branch).set(value)

    def set_text(self, text: str) -> None:
        """Take typed text: parsed by the kind, kept and named where it says nothing."""
        if self.shape.kind == "union" and (self.branch is not None or self.shape.control != "any"):
            self._set_union_text(text)
            return
        if text == "" and not (self.shape.kind == "string" and self.required):
            self.clear()
            return
        self.read(text, partial(read_text, self.shape))

    def read(self, text: str, reader: Callable[[str], Any] = read_json) -> None:
        """Take text that says the whole value; text that says none is kept and named."""
        try:
            value = reader(text)
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
            fits = draft.state in ("value", "null") and not self.document.problems(
                self.shape.branches[index], draft.value()
            )
            if fits or index == order[-1]:
                self.branch = index
                self.state, self.raw = draft.state, ABSENT
                self.text, self.why = draft.text, draft.why
                return

    def clear(self) -> None:
        """Become not set; drafts of unions are kept, but none is chosen."""
        self.state, self.text, self.why, self.raw = "unset", "", "", ABSENT
        self.branch = None
        self.items, self.named = [], {}

    def set_null(self) -> None:
        """Become null."""
        self.state, self.text, self.why, self.raw = "null", "", "", ABSENT

    def made(self) -> tuple[Node, ...]:
        """What is inside and has been made so far; of a union, the chosen draft."""
        if self.shape.kind == "union":
            return (self.chosen(),)
        return (*self.named.values(), *self.items)

    def touch(self) -> None:
        """Become present because something inside has been set."""
        if self.state != "value" or (self.raw is not ABSENT and self.shape.kind in _CONTAINERS):
            self.state, self.raw, self.text, self.why = "value", ABSENT, "", ""

    def reshape(self) -> None:
        """Look again at what kind of field this and everything inside is."""
        self.__dict__.pop("shape", None)
        self._choices = None
        for node in (*self.named.values(), *self.items, *self.drafts.values()):
            node.reshape()

    def copy(self) -> Node:
        """The same, drafts and unreadable text included, with nothing shared."""
        made = copy.copy(self)
        made.named = {name: node.copy() for name, node in self.named.items()}
        made.items = [item.copy() for item in self.items]
        made.drafts = {index: draft.copy() for index, draft in self.drafts.items()}
        return made

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


def _may_start(schema: Any) -> bool:
    return not isinstance(schema, Mapping) or not _MAY_START.isdisjoint(schema)


def _needs(schema: Mapping[str, Any], name: str) -> bool:
    required = schema.get("required")
    return isinstance(required, list) and name in required


def best_branch(branches: tuple[Mapping[str, Any], ...], value: Any, document: Document) -> int:
    """The alternative that a value is of: the first that it fits, else the nearest one."""
    counts = []
    for index, branch in enumerate(branches):
        problems = document.problems(branch, value)
        if not problems:
            return index
        wrong_kind = any(p.path == () for p in problems)
        counts.append((wrong_kind, len(problems), index))
    return min(counts)[2]
