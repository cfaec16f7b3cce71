"""What a run printed and displayed, bounded, in the notebook format's words."""

from __future__ import annotations

import base64
import re
import threading
from collections.abc import Callable, Mapping
from typing import Any

__all__ = ["OutputLog"]

_LIMIT = 100_000
"""Characters kept of one stream: the first and the last half of them."""


def _settle(text: str) -> str:
    r"""Apply carriage returns as a terminal does: a line shows what was written last.

    Examples
    --------
    >>> _settle("10%\r20%\rdone\n")
    'done\n'
    """
    return re.sub(r"[^\n\r]*\r(?!\n|$)", "", text) if "\r" in text else text


def _bounded(text: str) -> tuple[str, int]:
    """Text cut in its middle to the limit, and how many characters were left out."""
    if len(text) <= 2 * _LIMIT:
        return text, 0
    half = _LIMIT // 2
    return text[:half] + text[-half:], len(text) - _LIMIT


class OutputLog:
    """Collects the output of one run; a sink for :func:`workbench.tools.capture.capture`.

    Parameters
    ----------
    changed : callable
        Called after each change, in the thread that printed.

    Examples
    --------
    >>> log = OutputLog(lambda: None)
    >>> log.stream("stdout", "hello")
    >>> log.outputs()
    ({'output_type': 'stream', 'name': 'stdout', 'text': 'hello'},)
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._changed = changed
        self._lock = threading.RLock()
        self._items: list[dict[str, Any]] = []
        self._pieces: list[str] = []
        self._clear_next = False

    def stream(self, name: str, text: str) -> None:
        """Take text written to "stdout" or "stderr"."""
        with self._lock:
            self._start_afresh_if_asked()
            if not self._items or self._items[-1].get("name") != name:
                self._seal()
                self._items.append({"output_type": "stream", "name": name, "text": ""})
            self._pieces.append(text)
            if len(self._pieces) > 512:
                self._seal()
        self._changed()

    def display(
        self, data: Mapping[str, Any], metadata: Mapping[str, Any], key: str | None, update: bool
    ) -> None:
        """Take a mime bundle; bytes become base64, as notebooks hold them."""
        texts = {
            mime: base64.b64encode(value).decode() if isinstance(value, bytes) else value
            for mime, value in data.items()
        }
        item = {"output_type": "display_data", "data": texts, "metadata": dict(metadata)}
        with self._lock:
            self._start_afresh_if_asked()
            self._seal()
            same = [i for i, old in enumerate(self._items) if key and old.get("_key") == key]
            if update and same:
                self._items[same[0]] = {**item, "_key": key}
            elif not update:
                self._items.append({**item, "_key": key})
        self._changed()

    def clear(self, wait: bool) -> None:
        """Forget everything, now or when the next output arrives."""
        with self._lock:
            self._clear_next = True
            if not wait:
                self._start_afresh_if_asked()
        self._changed()

    def outputs(self) -> tuple[dict[str, Any], ...]:
        """Everything so far: nbformat's ``stream`` and ``display_data`` records, copied."""
        with self._lock:
            self._seal()
            return tuple(
                {key: value for key, value in item.items() if key not in ("_key", "_left_out")}
                for item in map(self._shown, self._items)
            )

    @staticmethod
    def _shown(item: dict[str, Any]) -> dict[str, Any]:
        left_out = item.get("_left_out", 0)
        if not left_out:
            return item
        half = _LIMIT // 2
        note = f"\n[... {left_out} characters left out ...]\n"
        return {**item, "text": item["text"][:half] + note + item["text"][half:]}

    def _seal(self) -> None:
        """Join the pieces written so far into the last stream record."""
        if not self._pieces:
            return
        item = self._items[-1]
        text, left_out = _bounded(_settle(item["text"] + "".join(self._pieces)))
        item["text"], item["_left_out"] = text, item.get("_left_out", 0) + left_out
        self._pieces.clear()

    def _start_afresh_if_asked(self) -> None:
        if self._clear_next:
            self._items, self._pieces, self._clear_next = [], [], False
