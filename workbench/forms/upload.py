"""Files from the page: they come in pieces, and become the value of their field."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

from workbench.forms.model import FormModel
from workbench.forms.node import Path

__all__ = ["Uploads"]

_MOST_BYTES = 100_000_000


class Uploads:
    """Files that are on their way.

    Examples
    --------
    >>> model = FormModel({"properties": {"f": {"type": "string", "contentEncoding": "base64"}}})
    >>> Uploads().take(model, ("f",), {"id": 1, "index": 0, "total": 1}, [b"hi"])
    >>> model.value
    {'f': 'aGk='}
    """

    def __init__(self) -> None:
        self._parts: dict[Any, list[bytes]] = {}

    def take(self, model: FormModel, path: Path, content: Mapping[str, Any], buffers: Any) -> None:
        """Take one piece; the last one enters the file.

        Raises
        ------
        ValueError
            If the file is too large.
        """
        parts = self._parts.setdefault(content["id"], [])
        parts.extend(bytes(piece) for piece in buffers)
        if sum(map(len, parts)) > _MOST_BYTES:
            del self._parts[content["id"]]
            raise ValueError(f"the file has more than {_MOST_BYTES:,} bytes; give its path instead")
        if content["index"] + 1 < content["total"]:
            return
        data = b"".join(self._parts.pop(content["id"]))
        encoded = base64.b64encode(data).decode("ascii")
        is_base64 = model._reach(path).shape.schema.get("contentEncoding") == "base64"
        mime = str(content.get("type") or "application/octet-stream")
        model.set(path, encoded if is_base64 else f"data:{mime};base64,{encoded}")
