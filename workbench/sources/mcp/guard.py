"""Runs a command so that it does not outlive the process that wanted it.

``python guard.py PARENT COMMAND ARGUMENT ...`` starts the command in a process group of its own,
hands its standard streams on, and ends the whole group when the command ends, when this process
is told to stop, or when the process PARENT is gone, however it went. Only the standard library is
used: the script is run by its path, also by interpreters that have nothing installed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time

__all__ = ["main"]

_POLL_S = 0.25
_LEAVE_S = 2.0
"""How long a command may take to leave by itself after its standard input has ended."""

_GRACE_S = 1.0
"""How long a group may take to end politely; shorter than the SDK waits before it kills us."""


class _Stop(BaseException):
    """This process was told to stop."""


def _stop(*_: object) -> None:
    raise _Stop


def _watch(parent: int) -> None:
    """Stop this process once its parent is gone."""
    while os.getppid() == parent:
        time.sleep(_POLL_S)
    time.sleep(_LEAVE_S)
    os.kill(os.getpid(), signal.SIGTERM)


def _signal(group: int, how: int) -> bool:
    """Whether there was anybody in the group to hear it."""
    try:
        os.killpg(group, how)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the command and all that it has started, politely first."""
    deadline = time.monotonic() + _GRACE_S
    left = _signal(process.pid, signal.SIGTERM)
    while left and time.monotonic() < deadline:
        process.poll()
        time.sleep(0.02)
        left = _signal(process.pid, 0)
    if left:
        _signal(process.pid, signal.SIGKILL)
        process.wait()


def main(parent: int, command: list[str]) -> int:
    """Run the command for a parent process; gives its exit code."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        process = subprocess.Popen(command, start_new_session=True)  # noqa: S603  # this is its purpose
    except OSError as error:
        print(f"cannot start {command[0]!r}: {error.strerror or error}", file=sys.stderr)  # noqa: T201  # read by the client
        return 127
    try:
        signal.signal(signal.SIGTERM, _stop)
        threading.Thread(target=_watch, args=(parent,), daemon=True).start()
        code = process.wait()
        print(f"[the server's process ended with exit code {code}]", file=sys.stderr)  # noqa: T201  # read by the client
        return code if code >= 0 else 128 - code
    except _Stop:
        return 0
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        _end(process)


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), sys.argv[2:]))
