"""What a server writes to its standard error: kept in a file that stays small."""

from __future__ import annotations

import os
import tempfile

from workbench.types.visible import visible

__all__ = ["StderrFile"]

_LIMIT = 8_000_000
_KEPT = 64_000


class StderrFile:
    """A file without a name for a process to write to, of which the end can be read.

    A notebook's own ``sys.stderr`` may have no file descriptor, and a pipe would have to be read.

    Examples
    --------
    >>> log = StderrFile()
    >>> _ = os.write(log.fileno(), b"first" + bytes([10]) + b"last")
    >>> log.tail(1)
    'last'
    >>> log.close()
    """

    def __init__(self) -> None:
        # Appending, since the process shares the file's position.
        self._file = tempfile.TemporaryFile("ab+", buffering=0)  # noqa: SIM115  # closed by close()

    def fileno(self) -> int:
        """The descriptor to hand to a process."""
        return self._file.fileno()

    def tail(self, lines: int = 20) -> str:
        """The last lines, colours spelled out; empty once the file is closed."""
        if self._file.closed:
            return ""
        text = self._end().decode("utf-8", "replace")
        return visible("\n".join(text.splitlines()[-lines:]))

    def _end(self) -> bytes:
        size = os.fstat(self.fileno()).st_size
        self._file.seek(max(0, size - _KEPT))
        return self._file.read(_KEPT)

    def trim(self) -> None:
        """Drop all but the end of a file that has grown large."""
        if self._file.closed or os.fstat(self.fileno()).st_size < _LIMIT:
            return
        end = self._end()
        os.ftruncate(self.fileno(), 0)
        os.write(self.fileno(), end)

    def close(self) -> None:
        """Give the file back; harmless when that has been done."""
        self._file.close()
