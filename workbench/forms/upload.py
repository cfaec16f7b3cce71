"""Files from the page: they come in pieces, and become the value of their field."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

from workbench.forms.entering import encoded
from workbench.forms.model import FormModel
from workbench.forms.node import Node, Path
from workbench.types.files import keep

__all__ = ["Uploads", "most_bytes"]

_MOST_BYTES = 100_000_000


def most_bytes(node: Node) -> int:
    """The size of the largest file that a field takes, in bytes.

    Examples
    --------
    >>> from workbench.forms.document import Document
    >>> schema = {"type": "string", "contentEncoding": "base64", "maxLength": 4000}
    >>> most_bytes(Node(schema, Document(schema)))
    3000
    """
    most = node.shape.schema.get("maxLength")
    if not isinstance(most, int) or node.shape.kind != "media":
        return _MOST_BYTES
    return min(_MOST_BYTES, most * 3 // 4)


class Uploads:
    """Files that are on their way.

    Examples
    --------
    >>> model = FormModel({"properties": {"f": {"type": "string", "contentEncoding": "base64"}}})
    >>> Uploads().take(model, ("f",), {"id": 1, "index": 0, "total": 1}, [b"hi"])
    True
    >>> model.value
    {'f': 'aGk='}
    """

    def __init__(self) -> None:
        self._parts: dict[Any, list[bytes]] = {}

    def take(self, model: FormModel, path: Path, content: Mapping[str, Any], buffers: Any) -> bool:
        """Take one piece; the last one enters the file, and True is said.

        Raises
        ------
        ValueError
            If the file is too large.
        """
        node = model.reach(path)
        parts = self._parts.setdefault(content["id"], [])
        parts.extend(bytes(piece) for piece in buffers)
        if sum(map(len, parts)) > most_bytes(node):
            del self._parts[content["id"]]
            raise ValueError(f"the file has more than {most_bytes(node):,} bytes")
        if content["index"] + 1 < content["total"]:
            return False
        data = b"".join(self._parts.pop(content["id"]))
        if node.shape.control == "path":
            model.set(path, keep(data, PurePath(str(content.get("name") or "")).suffix[:12]))
        else:
            mime = str(content.get("type") or "application/octet-stream")
            model.set(path, encoded(node, data, mime))
        return True
