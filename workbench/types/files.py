"""Files that hold values: written whole or not at all, and gone when the interpreter ends."""

from __future__ import annotations

import atexit
import hashlib
import os
import shutil
import tempfile
from pathlib import Path

__all__ = ["keep", "write_atomically"]

_folder: Path | None = None
_owner: int | None = None


def write_atomically(path: str | Path, data: bytes) -> None:
    """Write a file so that it appears whole, or not at all.

    Raises
    ------
    OSError
        If it cannot be written; nothing is left behind.
    """
    target = Path(path)
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:40]}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        Path(name).chmod(0o666 & ~_umask())
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def keep(data: bytes, extension: str) -> str:
    """Keep bytes in a file named by their content, and give its path; the same bytes, once.

    Examples
    --------
    >>> path = keep(b"hello", ".txt")
    >>> path == keep(b"hello", ".txt"), path.endswith(".txt")
    (True, True)
    """
    path = _private_folder() / f"{hashlib.sha256(data).hexdigest()[:32]}{extension}"
    if not path.exists():
        write_atomically(path, data)
    return str(path)


def _private_folder() -> Path:
    """This process's folder, readable by its owner only; a fork gets its own."""
    global _folder, _owner
    if _folder is None or _owner != os.getpid() or not _folder.is_dir():
        _folder, _owner = Path(tempfile.mkdtemp(prefix="workbench-")), os.getpid()
        atexit.register(_remove, _folder, _owner)
    return _folder


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:
        shutil.rmtree(folder, ignore_errors=True)
