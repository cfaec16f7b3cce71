"""A server to reach, as one of three records."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.errors import ConnectionFailed
from workbench.sources.mcp.oauth import OAuth

__all__ = ["HttpTarget", "MemoryTarget", "StdioTarget", "Target", "found", "program_of"]

_SECRET = re.compile(r"(?i)(key|token|secret|passw|credential|auth)")
_HIDDEN = "•••"


@dataclass(frozen=True, slots=True, kw_only=True)
class StdioTarget:
    """A command to start, spoken to over its standard streams.

    Parameters
    ----------
    command : str
        The program.
    args : tuple of str
        Its arguments.
    env : mapping
        Added to a safe environment; values are secrets.
    cwd : str or None
        Where to start it.
    name : str
        What a configuration calls it.
    inputs : mapping
        What a configuration asks the person for, by id.

    Examples
    --------
    >>> str(StdioTarget(command="serve", args=("--api-key", "s3cret", "a b")))
    "serve --api-key ••• 'a b'"
    """

    command: str
    args: tuple[str, ...] = field(default=(), repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None
    name: str = ""
    inputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)

    def __str__(self) -> str:
        program = "python" if self.command == sys.executable else self.command
        return shlex.join([program, *_without_secrets(self.args)]).replace(f"'{_HIDDEN}'", _HIDDEN)


def _without_secrets(args: tuple[str, ...]) -> list[str]:
    """Arguments to show: the values of options that are named for secrets are hidden."""
    shown, hide = [], False
    for arg in args:
        option, equals, _ = arg.partition("=")
        secret = arg.startswith("-") and _SECRET.search(option) is not None
        shown.append(_HIDDEN if hide else option + "=" + _HIDDEN if secret and equals else arg)
        hide = secret and not equals
    return shown


@dataclass(frozen=True, slots=True, kw_only=True)
class HttpTarget:
    """A server at an address.

    Parameters
    ----------
    url : str
        Its address.
    transport : str
        "streamable-http", or the legacy "sse".
    headers : mapping
        Sent with every request; values are secrets.
    name : str
        What a configuration calls it.
    inputs : mapping
        What a configuration asks the person for, by id.
    auth : OAuth or None
        How the person signs in.

    Examples
    --------
    >>> str(HttpTarget(url="https://ada:s3cret@example.org/mcp?key=1"))
    'https://example.org/mcp'
    """

    url: str = field(repr=False)
    transport: str = "streamable-http"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    name: str = ""
    inputs: Mapping[str, Mapping[str, Any]] = field(default_factory=dict, repr=False)
    auth: OAuth | None = None

    def __str__(self) -> str:
        return re.sub(r"//[^/@]*@", "//", self.url.partition("?")[0])


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTarget:
    """A server object in this process."""

    server: Any
    name: str = ""

    def __str__(self) -> str:
        return str(getattr(self.server, "name", "") or type(self.server).__name__)


Target = StdioTarget | HttpTarget | MemoryTarget


def program_of(word: str) -> str:
    """``python`` means the interpreter that runs this code, as it does in ``%pip``."""
    return sys.executable if word in ("python", "python3") and sys.executable else word


def found(target: StdioTarget, path: str | None) -> str:
    """Where the program is.

    Raises
    ------
    ConnectionFailed
        If it is nowhere on the path, or there is no folder to start it in.
    """
    if target.cwd is not None and not Path(target.cwd).is_dir():
        raise ConnectionFailed(
            f"cannot start the server {str(target)!r} in {target.cwd!r}: there is no such folder"
        )
    beside = Path(target.cwd or ".") / target.command
    command = str(beside) if os.path.dirname(target.command) else target.command  # noqa: PTH120  # a word, not yet a path
    where = shutil.which(command, path=path)
    if where is None:
        raise ConnectionFailed(
            f"cannot start the server {str(target)!r}: there is no program {target.command!r} on "
            "the PATH; install it, or give its full path"
        )
    return str(Path(where).absolute())
