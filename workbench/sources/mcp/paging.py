"""Lists that come in pages (MCP, "Pagination"): all of them, from servers that may never end."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["Pages"]

_MOST_PAGES = 1000


class Pages:
    """What has come of a list so far.

    Parameters
    ----------
    method, key : str
        What is asked for, and where the answer has it.
    note : callable
        Takes a level and a text: where a list is cut.

    Examples
    --------
    >>> listed = Pages("list_tools", "tools", print)
    >>> listed.take({"tools": [{"name": "a"}], "nextCursor": "x"})
    >>> listed.params
    {'cursor': 'x'}
    >>> listed.take({"tools": [{"name": "b"}], "nextCursor": "x"})
    warning list_tools: the server gave the cursor 'x' again; what it listed until then is kept
    >>> listed.more, len(listed.found)
    (False, 2)
    """

    def __init__(self, method: str, key: str, note: Callable[[str, str], object]) -> None:
        self.found: list[dict[str, Any]] = []
        self.more = True
        self.params: dict[str, Any] = {}
        self._method, self._key, self._note = method, key, note
        self._seen: set[str] = set()

    def take(self, page: Mapping[str, Any]) -> None:
        """Add a page; a cursor that comes again, or a thousand pages, end the list."""
        self.found.extend(page.get(self._key) or ())
        cursor = page.get("nextCursor")
        if not cursor:
            self.more = False
        elif cursor in self._seen:
            self._cut(f"the server gave the cursor {cursor!r:.80} again")
        elif len(self._seen) + 1 >= _MOST_PAGES:
            self._cut(f"the server has not ended the list after {_MOST_PAGES} pages")
        else:
            self._seen.add(cursor)
            self.params = {"cursor": cursor}

    def _cut(self, why: str) -> None:
        self.more = False
        self._note("warning", f"{self._method}: {why}; what it listed until then is kept")
