"""What a person gives for a server, as one of three records."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from workbench.errors import ConnectionFailed, bounded_repr

__all__ = ["HttpTarget", "MemoryTarget", "StdioTarget", "Target", "targets_from"]


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
    """

    command: str
    args: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    cwd: str | None = None
    name: str = ""

    def __str__(self) -> str:
        program = "python" if self.command == sys.executable else self.command
        return shlex.join([program, *self.args])


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
    """

    url: str
    transport: str = "streamable-http"
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    name: str = ""

    def __str__(self) -> str:
        return self.url.partition("?")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryTarget:
    """A server object in this process."""

    server: Any
    name: str = ""

    def __str__(self) -> str:
        return str(getattr(self.server, "name", "") or type(self.server).__name__)


Target = StdioTarget | HttpTarget | MemoryTarget


def targets_from(given: Any) -> list[Target]:
    """The servers that a person names.

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
    if isinstance(given, os.PathLike) or (isinstance(given, str) and given.endswith(".json")):
        return _from_file(Path(given))
    if isinstance(given, str):
        return [HttpTarget(url=given) if _is_url(given) else _command(_split(given))]
    return _from_object(given)


def _is_one_command(given: list[Any] | tuple[Any, ...]) -> bool:
    """Whether a list is a program with its arguments, rather than several servers."""
    if not given or not all(isinstance(part, str) for part in given):
        return False
    options = any(part.startswith("-") for part in given[1:])
    return options or not any(" " in p or _is_url(p) or p.endswith(".json") for p in given)


def _from_object(given: Any) -> list[Target]:
    if isinstance(given, Mapping):
        servers = given.get("mcpServers") or given.get("servers")
        if isinstance(servers, Mapping):
            return [_from_mapping(entry, str(name)) for name, entry in servers.items()]
        return [_from_mapping(given)]
    if hasattr(given, "command") and hasattr(given, "args"):
        return [
            _from_mapping({k: getattr(given, k, None) for k in ("command", "args", "env", "cwd")})
        ]
    if hasattr(given, "run") or hasattr(given, "_mcp_server"):
        return [MemoryTarget(server=given)]
    raise ConnectionFailed(
        f"cannot tell which server is meant by {bounded_repr(given)}; give a command, a URL, a "
        "dict with 'command' or 'url', a server object or the path of an mcp.json"
    )


def _is_url(text: str) -> bool:
    return text.startswith(("http://", "https://"))


def _split(text: str) -> list[str]:
    parts = shlex.split(text, posix=os.name == "posix")
    if not parts:
        raise ConnectionFailed("the command for a server is empty")
    return parts


def _command(parts: list[str]) -> StdioTarget:
    return StdioTarget(command=_program(parts[0]), args=tuple(parts[1:]))


def _program(word: str) -> str:
    """``python`` means the interpreter that runs this code, as it does in ``%pip``."""
    return sys.executable if word in ("python", "python3") and sys.executable else word


def _from_mapping(entry: Mapping[str, Any], name: str = "") -> Target:
    if entry.get("url"):
        transport = str(entry.get("transport") or entry.get("type") or "streamable-http")
        transport = {"http": "streamable-http", "streamable_http": "streamable-http"}.get(
            transport, transport
        )
        if transport not in ("streamable-http", "sse"):
            raise ConnectionFailed(
                f"no transport {transport!r}; there are 'streamable-http' and the legacy 'sse'"
            )
        headers = {str(k): _filled(str(v)) for k, v in (entry.get("headers") or {}).items()}
        return HttpTarget(url=str(entry["url"]), transport=transport, headers=headers, name=name)
    if entry.get("command"):
        return StdioTarget(
            command=_program(str(entry["command"])),
            args=tuple(_filled(str(arg)) for arg in entry.get("args") or ()),
            env={str(k): _filled(str(v)) for k, v in (entry.get("env") or {}).items()},
            cwd=str(entry["cwd"]) if entry.get("cwd") else None,
            name=name,
        )
    keys = ", ".join(map(repr, entry)) or "nothing"
    raise ConnectionFailed(f"a server needs 'command' or 'url'; this entry has {keys}")


def _filled(text: str) -> str:
    """``${VAR}``, ``${env:VAR}`` and ``${VAR:-default}`` from the environment."""
    import re

    def value(match: re.Match[str]) -> str:
        name, _, default = match.group(1).removeprefix("env:").partition(":-")
        return os.environ.get(name, default)

    return re.sub(r"\$\{([^}]+)\}", value, text)


def _from_file(path: Path) -> list[Target]:
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConnectionFailed(f"there is no file {str(path)!r}") from error
    except (OSError, ValueError) as error:
        raise ConnectionFailed(f"cannot read servers from {str(path)!r}: {error}") from error
    return targets_from(given)


def found(target: StdioTarget, path: str | None) -> str:
    """Where the program is.

    Raises
    ------
    ConnectionFailed
        If it is nowhere on the path.
    """
    where = shutil.which(target.command, path=path)
    if where is None:
        raise ConnectionFailed(
            f"cannot start the server {str(target)!r}: there is no program {target.command!r} on "
            "the PATH; install it, or give its full path"
        )
    return where
