"""The form without a page: a schema, what has been entered, and what is wrong with it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from workbench.errors import Problem, bounded_repr, json_pointer
from workbench.forms.choosing import fitting
from workbench.forms.document import Document, pattern
from workbench.forms.explaining import Explained, cannot_have, explained
from workbench.forms.fields import Field, field_of
from workbench.forms.hints import Hint
from workbench.forms.node import ABSENT, Node, Path
from workbench.forms.problems import problems_of
from workbench.forms.text import read_json
from workbench.forms.titles import branch_titles
from workbench.schema import SchemaValidator, validator

__all__ = ["Field", "FormModel"]


class FormModel:
    """What a person enters for a JSON Schema; pure data, no page.

    Parameters
    ----------
    schema : mapping or bool
        JSON Schema, in any draft or dialect that tools publish.
    value : object, optional
        What is entered from the start, instead of the schema's defaults.

    Examples
    --------
    >>> model = FormModel({"properties": {"n": {"type": "integer", "maximum": 10}}})
    >>> model.set_text("n", "12")
    >>> model.value, [str(problem) for problem in model.problems]
    ({'n': 12}, ['n: must be at most 10, got 12'])
    """

    def __init__(self, schema: Any, value: Any = ABSENT) -> None:
        self._validator = _check_of(schema)
        self.schema: Mapping[str, Any] = self._validator.schema
        self.node = Node(self.schema, Document(self.schema))
        if value is ABSENT:
            self.node.start()
        else:
            self.node.set(value)
        self._problems: tuple[Problem, ...] | None = None

    @property
    def value(self) -> Any:
        """Everything entered that says a value; None where there is nothing at all."""
        value = self.node.value()
        return None if value is ABSENT else value

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything that keeps the value from being sent."""
        if self._problems is None:
            self._problems = tuple(problems_of(self.node, self._validator))
        return self._problems

    # Entering

    def set(self, path: Any, value: Any) -> None:
        """Enter a value as it is; one that does not fit is kept and has its problem.

        Parameters
        ----------
        path : tuple, JSON Pointer or name
            Where.
        value : object
            A JSON value.
        """
        self.reach(path).set(value)
        self._settle(path)

    def set_text(self, path: Any, text: str) -> None:
        """Enter text as typing does: read by the field's kind, as JSON for composite ones."""
        self.reach(path).set_text(text)
        self._settle(path)

    def set_json(self, path: Any, text: str) -> None:
        """Enter text as JSON, whatever the field's kind; no text means not set."""
        self.read(path, text, read_json)

    def read(self, path: Any, text: str, reader: Callable[[str], Any]) -> None:
        """Enter text that says a whole value in a language of its own."""
        node = self.reach(path)
        if text.strip():
            node.read(text, reader)
        else:
            node.clear()
        self._settle(path)

    def clear(self, path: Any) -> None:
        """Make a place not set; inside a list, the item goes."""
        node, parts = self._find(path), as_path(path)
        if node is None:
            return
        if parts and _inner(self.reach(parts[:-1])).shape.kind == "array":
            self.remove(parts)
            return
        node.clear()
        self._settle(None)

    def set_null(self, path: Any) -> None:
        """Enter null, as a choice of its own."""
        self.reach(path).set_null()
        self._settle(path)

    def choose(self, path: Any, branch: int | str) -> None:
        """Choose an alternative of a union, by index or title; the others keep their drafts.

        Raises
        ------
        KeyError
            If there is no such alternative.
        """
        node = self.reach(path)
        index = branch if isinstance(branch, int) else _index_of(branch_titles(node.shape), branch)
        if node.shape.kind != "union" or not 0 <= index < len(node.shape.branches):
            raise KeyError(f"no alternative {branch!r} at {json_pointer(node.path) or 'the root'}")
        node.branch = index
        draft = node.draft(index)
        if draft.state == "unset":
            draft.start()
            draft.tag()
        node.state, node.raw, node.text, node.why = "value", ABSENT, "", ""
        if draft.state == "text":
            node.text = draft.text
        self._settle(path)

    def pick(self, path: Any, index: int) -> None:
        """Enter one of a field's choices, by its place."""
        self.set(path, self.reach(path).choices[index].value)

    def begin(self, path: Any) -> None:
        """Make an object or a list present, with the defaults of its members."""
        self.reach(path).begin()
        self._settle(path)

    def add(self, path: Any, name: str | None = None) -> Path:
        """Add an item to a list, or a member to a map; gives its path.

        Raises
        ------
        ValueError
            If a map has a member of that name already.
        """
        node = _inner(self.reach(path))
        node.touch()
        if node.shape.kind in ("object", "map"):
            key: str | int = name or _free_name(node.named)
            if name and name in node.named:
                raise ValueError(f"there is an entry {name!r} already")
        else:
            key = len(node.items)
        child = node.child(key)
        child.start()
        if child.state == "unset" and child.shape.kind == "string":
            child.set("")
        self._settle(path)
        return child.path

    def remove(self, path: Any) -> None:
        """Take an item out of its list, or a member out of its map."""
        parts = as_path(path)
        parent = self._find(parts[:-1])
        if parent is None or not parts:
            return
        parent, key = _inner(parent), parts[-1]
        if parent.shape.kind in ("object", "map"):
            parent.named.pop(str(key), None)
        elif isinstance(key, int) and 0 <= key < len(parent.items):
            del parent.items[key]
            parent.renumber()
        self._settle(None)

    def rename(self, path: Any, name: str) -> Path:
        """Give a member of a map another name, in its place; gives its new path.

        Raises
        ------
        ValueError
            If there is a member of that name already.
        """
        *before, old = as_path(path)
        parent = _inner(self.reach(tuple(before)))
        if name != old and name in parent.named:
            raise ValueError(f"there is an entry {bounded_repr(name)} already")
        parent.named = {name if key == old else key: node for key, node in parent.named.items()}
        parent.named[name].relocate((*parent.path, name))
        self._settle(None)
        return (*parent.path, name)

    def move(self, path: Any, to: int) -> None:
        """Move an item to another place in its list."""
        parts = as_path(path)
        parent = self._find(parts[:-1])
        if parent is None:
            return
        parent = _inner(parent)
        if not 0 <= int(parts[-1]) < len(parent.items):
            return
        item = parent.items.pop(int(parts[-1]))
        parent.items.insert(max(0, min(to, len(parent.items))), item)
        parent.renumber()
        self._settle(None)

    def duplicate(self, path: Any) -> Path:
        """Put a copy of a list's item behind it; gives the copy's path.

        Raises
        ------
        KeyError
            If there is no such item.
        """
        *before, index = as_path(path)
        parent = _inner(self.reach(tuple(before)))
        if not isinstance(index, int) or index >= len(parent.items):
            raise KeyError(f"no item {bounded_repr(index)} at {json_pointer(parent.path)}")
        parent.items.insert(index + 1, parent.items[index].copy())
        parent.renumber()
        self._settle(None)
        return (*parent.path, index + 1)

    def toggle(self, path: Any, index: int) -> None:
        """Tick or untick one of the choices of a list."""
        node = _inner(self.reach(path))
        given, wanted = node.value(), node.shape.choices[index].value
        kept = list(given) if isinstance(given, list) else []
        left = [value for value in kept if not same_value(value, wanted)]
        self.set(path, left if len(left) < len(kept) else [*kept, wanted])

    # Controls

    def use(self, path: Any, control: str | Hint) -> None:
        """Ask for a control of a field; those of all items of a list are asked for at once.

        Parameters
        ----------
        path : tuple, JSON Pointer or name
            Which field.
        control : str or Hint
            One of :data:`workbench.forms.choosing.CONTROLS`, or a hint such as ``Slider(0, 1)``.

        Raises
        ------
        ValueError
            If the field cannot have that control; says which it can have.
        """
        said = control.said if isinstance(control, Hint) else {"control": control}
        node = self.reach(path)
        if not fitting(node.shape.kind, said["control"]):
            raise ValueError(cannot_have(node.shape.kind, node.path, said["control"]))
        node.document.used[pattern(node.path)] = said
        self.node.reshape()
        self._problems = None

    def explain(self) -> tuple[Explained, ...]:
        r"""The control of every visible field, and what asked for it.

        Examples
        --------
        >>> model = FormModel({"properties": {"prompt": {"type": "string"}}})
        >>> print(*model.explain(), sep="\n")
        prompt: lines, because of its name
        """
        return tuple(explained(self.node))

    def _settle(self, path: Any) -> None:
        """Make everything around a place present, and forget the old problems."""
        self._problems = None
        if path is None:
            return
        node = self.node
        for part in as_path(path):
            node.touch()
            if node.shape.kind == "union" and node.branch is not None:
                _inner(node).touch()
            node = node.child(part)

    def reach(self, path: Any) -> Node:
        """The node at a path, made if need be.

        Raises
        ------
        KeyError
            If nothing can be there.
        """
        node = self.node
        for part in as_path(path):
            try:
                node = node.child(part)
            except KeyError:
                where = json_pointer(node.path) or "the root"
                raise KeyError(f"nothing called {bounded_repr(part)} at {where}") from None
        return node

    def _find(self, path: Any) -> Node | None:
        try:
            return self.reach(path)
        except KeyError:
            return None

    # Reading

    @property
    def fields(self) -> tuple[Field, ...]:
        """The top-level fields, each with those inside it that are visible."""
        by_path: dict[Path, list[str]] = {}
        for problem in self.problems:
            by_path.setdefault(problem.path, []).append(problem.message)
        return tuple(field_of(node, by_path) for node in self.top())

    def top(self) -> tuple[Node, ...]:
        """The top-level nodes: the members of an object, else the one that is all."""
        is_object = self.node.shape.kind == "object"
        return tuple(self.node.children()) if is_object else (self.node,)


def _check_of(schema: Any) -> SchemaValidator:
    """The validator of a form's schema, which is an object's if it says nothing else."""
    if not isinstance(schema, (bool, Mapping)):
        schema = {}
    check = validator({"not": {}} if schema is False else {} if schema is True else schema)
    known = check.schema
    if "properties" in known and not _SAY_MORE & set(known):
        return validator({"type": "object", **known})
    return check


_SAY_MORE = {"type", "anyOf", "oneOf", "enum", "const", "$ref", "items", "prefixItems"}


def _inner(node: Node) -> Node:
    while node.shape.kind == "union":
        node = node.chosen()
    return node


def same_value(one: Any, other: Any) -> bool:
    """Equal as JSON values: True is not 1."""
    return type(one) is type(other) and bool(one == other)


def as_path(path: Any) -> Path:
    """A path from a tuple, a JSON Pointer, or the bare name of a top-level field."""
    if isinstance(path, (tuple, list)):
        return tuple(path)
    if isinstance(path, int):
        return (path,)
    if path == "":
        return ()
    if path.startswith("/"):
        parts = [part.replace("~1", "/").replace("~0", "~") for part in path[1:].split("/")]
        return tuple(int(part) if part.isdigit() else part for part in parts)
    return (path,)


def _index_of(titles: list[str], title: str) -> int:
    return titles.index(title) if title in titles else -1


def _free_name(taken: Mapping[str, Any]) -> str:
    names = (f"key{i}" if i else "key" for i in range(len(taken) + 1))
    return next(name for name in names if name not in taken)
