"""What is in the kernel's folders, for a field that holds a path."""

from __future__ import annotations

from pathlib import Path

__all__ = ["entries"]

_MOST = 100


def entries(text: str) -> list[str]:
    """The paths that begin as a text does, folders with a slash behind them.

    Examples
    --------
    >>> entries("/no/such/folder/x")
    []
    """
    folder, _, start = text.rpartition("/")
    base = Path(folder or ("/" if text.startswith("/") else ".")).expanduser()
    try:
        found = sorted(base.iterdir(), key=lambda path: (not path.is_dir(), path.name.lower()))
    except OSError:
        return []
    shown = [path for path in found if start.startswith(".") or not path.name.startswith(".")]
    fitting = [path for path in shown if path.name.lower().startswith(start.lower())]
    before = f"{folder}/" if folder or text.startswith("/") else ""
    return [before + path.name + "/" * path.is_dir() for path in fitting[:_MOST]]
