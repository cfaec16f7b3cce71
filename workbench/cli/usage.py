"""What the commands say by their exit codes, and of a wrong command line."""

from __future__ import annotations

from workbench.errors import WorkbenchError

__all__ = ["CONNECTION", "FAILED", "INTERRUPTED", "OK", "USAGE", "Usage"]

OK, FAILED, USAGE, CONNECTION, INTERRUPTED = 0, 1, 2, 3, 130
"""The tool answered; it failed; command or arguments are wrong; no server; Ctrl-C."""


class Usage(WorkbenchError):
    """The command line is wrong."""
