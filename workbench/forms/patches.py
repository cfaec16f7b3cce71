"""What has changed between two views of a form, so that an edit costs what it changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

__all__ = ["difference"]


def difference(old: Mapping[str, Any], new: Mapping[str, Any]) -> dict[str, Any] | None:
    """What makes the new view of the old one; None where there are other fields.

    Examples
    --------
    >>> old = {"fields": [{"path": ["a"], "text": ""}, {"path": ["b"]}], "problems": 1}
    >>> new = {"fields": [{"path": ["a"], "text": "x"}, {"path": ["b"]}], "problems": 1}
    >>> difference(old, new)
    {'rows': [[0, {'path': ['a'], 'text': 'x'}]], 'rest': {}}
    """
    before, after = old["fields"], new["fields"]
    if [row["path"] for row in before] != [row["path"] for row in after]:
        return None
    rows = [[at, row] for at, row in enumerate(after) if row != before[at]]
    rest = {key: new[key] for key in new if key != "fields" and new[key] != old.get(key)}
    return {"rows": rows, "rest": rest}
