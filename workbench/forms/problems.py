"""Everything that keeps what is entered from being sent, each problem at the place it is seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from workbench.errors import Problem
from workbench.forms.node import ABSENT, Node
from workbench.forms.survey import holes, place, secrets, shifted, unreadable
from workbench.schema import SchemaValidator

__all__ = ["problems_of"]


def problems_of(node: Node, check: SchemaValidator) -> Iterator[Problem]:
    """What is wrong with what a form holds.

    Parameters
    ----------
    node : Node
        The whole form.
    check : SchemaValidator
        That of the whole schema.

    Examples
    --------
    >>> from workbench.forms.document import Document
    >>> schema = {"type": "integer"}
    >>> node = Node(schema, Document(schema))
    >>> node.set_text("x")
    >>> [problem.message for problem in problems_of(node, SchemaValidator(schema))]
    ["must be a whole number, got 'x'"]
    """
    named = dict(unreadable(node))
    named.update(dict.fromkeys(holes(node), "is empty: enter a value or remove it"))
    for path, why in named.items():
        yield Problem(path=path, message=why)
    value = node.value()
    if value is ABSENT:
        if not named:
            yield Problem(path=(), message="is required")
        return
    placed = [replace(each, path=place(node, each.path)) for each in check.problems(value)]
    doubtful = {*named, *shifted(node)}
    hidden = frozenset(secrets(node)) if placed else frozenset[str]()
    for problem in _of_chosen(node, placed):
        if not any(problem.path[: len(path)] == path for path in doubtful):
            yield _discreet(problem, hidden)


def _of_chosen(node: Node, found: list[Problem]) -> Iterable[Problem]:
    """Problems inside unions told of the alternatives that are chosen, not of the nearest ones."""
    if not found or node.state != "value" or node.raw is not ABSENT:
        return found
    if node.shape.kind == "union":
        return _of_draft(node, found)
    rest, inside = list(found), list[Problem]()
    for child in node.made():
        own = [p for p in rest if p.path[: len(child.path)] == child.path]
        if own:
            rest = [p for p in rest if p not in own]
            inside += _of_chosen(child, own)
    return [*rest, *inside]


def _of_draft(union: Node, found: list[Problem]) -> Iterable[Problem]:
    draft = union.chosen()
    value = draft.value()
    if value is ABSENT or union.branch is None:
        return found
    wrong = union.document.problems(union.shape.branches[union.branch], value)
    placed = [replace(p, path=place(draft, (*union.path, *p.path))) for p in wrong]
    return _of_chosen(draft, placed or found)


MASK = "••••••"


def _discreet(problem: Problem, hidden: frozenset[str]) -> Problem:
    """A problem that does not quote a secret: problems are shown, and saved with the page."""
    told = [repr(secret) for secret in hidden if repr(secret) in problem.message]
    message = problem.message
    for quoted in told:
        message = message.replace(quoted, MASK)
    return replace(problem, message=message, got=MASK) if told else problem
