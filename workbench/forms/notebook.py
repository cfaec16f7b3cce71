"""Values that are there already: variables of the notebook, and what tools gave before."""

from __future__ import annotations

import sys
import types
from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.errors import MediaError, bounded_repr
from workbench.forms.entering import encoded, entered
from workbench.forms.node import Node
from workbench.types import AgentAudio, AgentImage, AgentType, AgentVideo

__all__ = ["Candidate", "candidates", "keep_result", "taken"]

_MOST_RESULTS = 20
_MOST_LISTED = 60
_MOST_ITEMS = 10_000
_results: deque[tuple[str, Any]] = deque(maxlen=_MOST_RESULTS)
_SHELL_OWN = {"In", "Out", "exit", "quit", "get_ipython", "open"}
_UNFIT = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, type)
_MEDIA = {"image": AgentImage, "audio": AgentAudio, "video": AgentVideo}


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A value that fits a field.

    Parameters
    ----------
    key : str
        Its name, by which it is taken.
    label : str
        What a person reads.
    """

    key: str
    label: str


def keep_result(tool: str, value: Any) -> None:
    """Remember what a tool gave, to be entered into other forms."""
    if value is not None:
        _results.append((tool, value))


def _known() -> Iterator[tuple[str, str, Any]]:
    for number, (tool, value) in reversed(list(enumerate(_results))):
        yield f"result:{number}", f"result of {tool}", value
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    space: Mapping[str, Any] = {} if shell is None else dict(shell.user_ns)
    for name, value in space.items():
        if not name.startswith("_") and name not in _SHELL_OWN and not isinstance(value, _UNFIT):
            yield f"name:{name}", name, value


def candidates(node: Node) -> list[Candidate]:
    """The variables and earlier results that fit a field, results first.

    Examples
    --------
    >>> from workbench.forms.document import Document
    >>> keep_result("count", 12)
    >>> candidates(Node({"type": "integer"}, Document({})))[0].label
    'result of count: 12'
    """
    found = []
    for key, name, value in _known():
        if _fits(node, value):
            said = "" if node.shape.control == "secret" else f": {bounded_repr(value, 60)}"
            found.append(Candidate(key=key, label=name + said))
        if len(found) == _MOST_LISTED:
            break
    return found


def _fits(node: Node, value: Any) -> bool:
    if isinstance(value, (str, list, tuple, dict, set)) and len(value) > _MOST_ITEMS:
        return False
    if node.shape.kind == "media":
        return _as_media(node.shape.control, value) is not None
    if isinstance(value, AgentType) and not isinstance(value, str):
        return False
    made = entered(value)
    return _is_json(made) and not node.document.problems(node.schema, made)


def _is_json(value: Any) -> bool:
    plain = (str, int, float, bool, type(None), list, dict)
    return isinstance(value, plain)


def _as_media(control: str, value: Any) -> Any:
    """A value as a picture, a sound, a film, or bytes; None where it is not one."""
    if control == "file":
        return value if isinstance(value, (bytes, bytearray, AgentType)) else None
    kind = _MEDIA.get(control)
    if kind is None or isinstance(value, (str, int, float, bool, dict, type(None))):
        return None
    try:
        return value if isinstance(value, kind) else kind(value)
    except (MediaError, TypeError, ValueError):
        return None


def taken(node: Node, key: str) -> Any:
    """A variable or an earlier result as the JSON value for a field.

    Raises
    ------
    KeyError
        If there is no such value any more.
    """
    for known, _, value in _known():
        if known != key:
            continue
        medium = _as_media(node.shape.control, value) if node.shape.kind == "media" else None
        if medium is None or isinstance(medium, (bytes, bytearray)):
            data = bytes(medium) if medium is not None else None
            return entered(value) if data is None else encoded(node, data, _ANY_BYTES)
        return encoded(node, medium.to_bytes(), medium.mime_type)
    raise KeyError(f"{key.partition(':')[2]} is not there any more")


_ANY_BYTES = "application/octet-stream"
