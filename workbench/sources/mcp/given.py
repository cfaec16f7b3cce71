"""What a person gives for a server: a command, an address, an object, a file, or several."""

from __future__ import annotations

import os
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.errors import ConnectionFailed, bounded_repr
from workbench.sources.mcp.config import from_file, from_mapping, is_file
from workbench.sources.mcp.target import (
    HttpTarget,
    MemoryTarget,
    StdioTarget,
    Target,
    program_of,
)

__all__ = ["targets_from"]


def targets_from(given: Any) -> list[Target]:
    """The servers that a person names; nothing is started or asked.

    Parameters
    ----------
    given : object
        A command string, a URL, a path of an ``mcp.json``, a dict with "command" or "url",
        ``StdioServerParameters``, a server object, or a list of these (a list of strings that
        are no addresses is one command).

    Raises
    ------
    ConnectionFailed
        If it is none of them, naming what was given.

    Examples
    --------
    >>> str(targets_from("https://example.org/mcp")[0])
    'https://example.org/mcp'
    """
    if isinstance(given, (list, tuple)):
        if _is_one_command(given):
            return [_command([str(part) for part in given])]
        return [target for item in given for target in targets_from(item)]
    if is_file(given):
        return from_file(Path(given))
    if isinstance(given, str):
        return [HttpTarget(url=given) if _is_url(given) else _command(_split(given))]
    if isinstance(given, Mapping):
        return from_mapping(given)
    return [_from_object(given)]


def _is_one_command(given: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list is a program with its arguments, rather than several servers."""
    if not given or not all(isinstance(part, str) for part in given) or _is_url(given[0]):
        return False
    if " " in given[0]:
        return Path(given[0]).is_file()
    options = any(part.startswith("-") for part in given[1:])
    return options or not any(_is_url(part) or " " in part for part in given)


def _from_object(given: Any) -> Target:
    if hasattr(given, "command") and hasattr(given, "args"):
        return StdioTarget(
            command=program_of(str(given.command)),
            args=tuple(given.args or ()),
            env=dict(getattr(given, "env", None) or {}),
            cwd=str(given.cwd) if getattr(given, "cwd", None) else None,
        )
    if hasattr(given, "run") or hasattr(given, "_mcp_server"):
        return MemoryTarget(server=given)
    raise ConnectionFailed(
        f"cannot tell which server is meant by {bounded_repr(given)}; give a command, a URL, a "
        "dict with 'command' or 'url', a server object or the path of an mcp.json"
    )


def _is_url(text: str) -> bool:
    return text.startswith(("http://", "https://"))


def _split(text: str) -> list[str]:
    try:
        parts = shlex.split(text, posix=os.name == "posix")
    except ValueError as error:
        raise ConnectionFailed(
            f"cannot read the command {bounded_repr(text)}: {error}; give it as a list instead"
        ) from error
    if not parts:
        raise ConnectionFailed("the command for a server is empty")
    return parts


def _command(parts: list[str]) -> StdioTarget:
    return StdioTarget(command=program_of(parts[0]), args=tuple(parts[1:]))
