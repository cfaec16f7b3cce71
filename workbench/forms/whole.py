"""The whole form as text: JSON or a call in Python, and back, without loss.

Secrets and media do not go into the page: marks stand for them, and are read back as what they
stand for.
"""

from __future__ import annotations

import ast
import json
import keyword
from collections.abc import Mapping
from typing import Any

from workbench.forms.document import Document
from workbench.forms.node import ABSENT, Node
from workbench.forms.text import Unreadable, read_json, write_text

__all__ = ["input_label", "put_back", "read_call", "without_secrets", "write_call"]

Kept = dict[str, str]
"""What each mark stands for."""


def without_secrets(node: Node) -> tuple[Any, Kept]:
    """The value of a place with marks for secrets and media, and what the marks stand for.

    Examples
    --------
    >>> node = Node({"type": "string", "format": "password"}, Document({}))
    >>> node.set("hunter2")
    >>> without_secrets(node)
    ('<secret 1, not shown>', {'<secret 1, not shown>': 'hunter2'})
    """
    kept: Kept = {}
    return _shown(node, kept), kept


_LONG = 500


def _shown(node: Node, kept: Kept) -> Any:
    value = node.value()
    if value is ABSENT or node.state == "null":
        return value
    if node.shape.kind == "union":
        return _shown(node.chosen(), kept)
    if isinstance(value, Mapping) and node.raw is ABSENT:
        pairs = {name: _shown(child, kept) for name, child in node.named.items()}
        return {name: each for name, each in pairs.items() if each is not ABSENT}
    if isinstance(value, list) and node.raw is ABSENT:
        return [each for each in (_shown(item, kept) for item in node.items) if each is not ABSENT]
    secret = node.shape.control == "secret"
    if not isinstance(value, str) or not (secret or (node.shape.kind == "media" and value[_LONG:])):
        return value
    mark = f"<{'secret' if secret else node.shape.control} {len(kept) + 1}, not shown>"
    kept[mark] = value
    return mark


def put_back(value: Any, kept: Mapping[str, str]) -> Any:
    """A value with what its marks stand for."""
    if isinstance(value, str):
        return kept.get(value, value)
    if isinstance(value, dict):
        return {name: put_back(each, kept) for name, each in value.items()}
    return [put_back(each, kept) for each in value] if isinstance(value, list) else value


def write_call(name: str, arguments: Any) -> str:
    """A call as Python.

    Examples
    --------
    >>> write_call("add", {"a": 1, "b": None})
    'add(a=1, b=None)'
    >>> write_call("add", {"Notion-Version": True})
    "add(**{'Notion-Version': True})"
    """
    given = arguments if isinstance(arguments, Mapping) else {}
    plain = {n: v for n, v in given.items() if n.isidentifier() and not keyword.iskeyword(n)}
    odd = {name: value for name, value in given.items() if name not in plain}
    parts = [f"{name}={value!r}" for name, value in plain.items()]
    parts += [f"**{odd!r}"] if odd else []
    target = name if name.isidentifier() else f"tools[{name!r}]"
    line = f"{target}({', '.join(parts)})"
    if len(line) > 88 and parts:
        line = f"{target}(\n" + "".join(f"    {part},\n" for part in parts) + ")"
    return line


def input_label(schema: Mapping[str, Any], value: Any) -> str:
    """An earlier input in a few words, without its secrets."""
    node = Node(schema, Document(schema))
    node.set(value)
    shown, _ = without_secrets(node)
    said = write_call("", shown) if isinstance(shown, Mapping) else write_text(shown)
    line = " ".join(said.partition("(")[2].rstrip(")").split()) or "nothing entered"
    return line if len(line) <= _MOST_LABEL else line[: _MOST_LABEL - 1] + "…"


_MOST_LABEL = 80


def read_call(text: str) -> dict[str, Any]:
    """The arguments of a call written in Python; nothing is executed.

    Raises
    ------
    Unreadable
        If it is no call with literal keyword arguments.

    Examples
    --------
    >>> read_call("add(a=1, **{'b-c': [True]})")
    {'a': 1, 'b-c': [True]}
    """
    try:
        call = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        where = f" in line {error.lineno}" if isinstance(error, SyntaxError) else ""
        raise Unreadable(f"is not Python{where}: {getattr(error, 'msg', error)}") from None
    if not isinstance(call, ast.Call) or call.args:
        raise Unreadable("must be one call with arguments by name, such as tool(a=1)")
    made: dict[str, Any] = {}
    for word in call.keywords:
        value = _literal(word.value)
        if word.arg is not None:
            made[word.arg] = value
        elif isinstance(value, dict):
            made.update(value)
    return made


def _literal(node: ast.expr) -> Any:
    try:
        value = ast.literal_eval(node)
        return read_json(json.dumps(value, allow_nan=False))
    except (ValueError, TypeError, RecursionError):
        said = write_text(ast.unparse(node))[:60]
        raise Unreadable(f"must have plain values, got {said}") from None
