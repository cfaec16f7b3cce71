"""Runs a command so that it does not outlive the process that wanted it.

``python guard.py COMMAND ARGUMENT ...`` starts the command in a process group of its own, hands
its standard streams on, and ends the group when the command ends, when this process is told to
stop, or when its parent is gone, however it went. Only the standard library is used: the script
is run by its path, also by interpreters that have nothing installed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from types import FrameType

__all__ = ["main"]

_POLL_S = 0.25
_GRACE_S = 2.0


def _end(process: subprocess.Popen[bytes], how: signal.Signals) -> None:
    try:
        os.killpg(process.pid, how)
    except (ProcessLookupError, PermissionError):
        return


def _wait(process: subprocess.Popen[bytes], seconds: float) -> bool:
    """Whether the process has ended within some seconds."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        return False
    return True


def main(command: list[str]) -> int:
    """Run the command; gives its exit code."""
    parent = os.getppid()
    process = subprocess.Popen(command, start_new_session=True)  # noqa: S603  # this is its purpose

    def stop(number: int, frame: FrameType | None) -> None:
        _end(process, signal.SIGTERM)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    while not _wait(process, _POLL_S):
        if os.getppid() != parent:
            # Its standard input has ended too: it may leave by itself.
            if not _wait(process, _GRACE_S):
                _end(process, signal.SIGTERM)
                _wait(process, _GRACE_S)
            break
    _end(process, signal.SIGTERM if process.poll() is not None else signal.SIGKILL)
    return process.poll() or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
