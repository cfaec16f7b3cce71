"""Servers as configurations have them: Claude Desktop's, VS Code's and Cursor's ``mcp.json``."""

from __future__ import annotations

import dataclasses
import getpass
import json
import os
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from workbench.errors import ConnectionFailed, bounded_repr
from workbench.sources.mcp.oauth import OAuth
from workbench.sources.mcp.target import (
    HttpTarget,
    MemoryTarget,
    StdioTarget,
    Target,
    program_of,
)
from workbench.tools.loop import in_notebook

__all__ = ["filled", "from_file", "from_mapping", "is_file", "signed_in"]

_TRANSPORTS = {
    "streamable-http": "streamable-http",
    "streamable_http": "streamable-http",
    "streamableHttp": "streamable-http",
    "http": "streamable-http",
    "sse": "sse",
}


def is_file(given: Any) -> bool:
    """Whether this names a file of servers, rather than a command."""
    if isinstance(given, os.PathLike):
        return True
    if not isinstance(given, str) or not given.endswith(".json"):
        return False
    return " " not in given or Path(given).is_file()


def from_file(path: Path) -> list[Target]:
    """The servers of a file.

    Raises
    ------
    ConnectionFailed
        If it cannot be read, or has none.
    """
    try:
        given = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ConnectionFailed(f"there is no file {str(path)!r}") from error
    except (OSError, ValueError) as error:
        raise ConnectionFailed(f"cannot read servers from {str(path)!r}: {error}") from error
    if not isinstance(given, Mapping):
        raise ConnectionFailed(
            f"{str(path)!r} holds {bounded_repr(given)}; servers are an object with 'mcpServers'"
        )
    return from_mapping(given)


def from_mapping(given: Mapping[str, Any]) -> list[Target]:
    """One server with "command" or "url", or all of a configuration that are not disabled.

    Raises
    ------
    ConnectionFailed
        If it is neither.

    Examples
    --------
    >>> [target.name for target in from_mapping({"mcpServers": {"git": {"command": "serve"}}})]
    ['git']
    """
    servers = given.get("mcpServers", given.get("servers"))
    if servers is None:
        return [_entry(given)]
    if not isinstance(servers, Mapping):
        raise ConnectionFailed(f"servers are an object by name, not {bounded_repr(servers)}")
    asked = given.get("inputs")
    listed = asked if isinstance(asked, list) else []
    inputs = {str(item.get("id")): item for item in listed if isinstance(item, Mapping)}
    return [
        dataclasses.replace(_entry(entry, str(name)), inputs=inputs)
        for name, entry in servers.items()
        if not (isinstance(entry, Mapping) and entry.get("disabled"))
    ]


def _entry(entry: Any, name: str = "") -> StdioTarget | HttpTarget:
    if isinstance(entry, Mapping) and entry.get("url"):
        return HttpTarget(
            url=str(entry["url"]),
            transport=_transport(entry),
            headers=_texts(entry, "headers"),
            name=name,
            auth=_auth(entry.get("auth")),
        )
    if isinstance(entry, Mapping) and entry.get("command"):
        args = entry.get("args") or ()
        return StdioTarget(
            command=program_of(str(entry["command"])),
            args=(args,) if isinstance(args, str) else tuple(map(str, args)),
            env=_texts(entry, "env"),
            cwd=str(entry["cwd"]) if entry.get("cwd") else None,
            name=name,
        )
    has = ", ".join(map(repr, entry)) if isinstance(entry, Mapping) else bounded_repr(entry)
    named = f" {name!r}" if name else ""
    raise ConnectionFailed(
        f"a server needs 'command' or 'url'; this entry{named} has {has or 'nothing'}"
    )


def _auth(given: Any) -> OAuth | None:
    if given is None or isinstance(given, OAuth):
        return given
    if given == "oauth":
        return OAuth()
    raise ConnectionFailed(
        f"'auth' is \"oauth\" or an OAuth, not {type(given).__name__}; a token goes into "
        "headers={'Authorization': 'Bearer ...'}"
    )


def signed_in(target: Target, auth: Any) -> Target:
    """The target with a way to sign in, if it has an address and none of its own.

    Raises
    ------
    ConnectionFailed
        If `auth` is no such way.
    """
    if isinstance(target, HttpTarget) and target.auth is None:
        return dataclasses.replace(target, auth=_auth(auth))
    return target


def _transport(entry: Mapping[str, Any]) -> str:
    given = str(entry.get("transport") or entry.get("type") or "streamable-http")
    if given not in _TRANSPORTS:
        raise ConnectionFailed(
            f"no transport {given!r}; there are 'streamable-http' and the legacy 'sse'"
        )
    return _TRANSPORTS[given]


def _texts(entry: Mapping[str, Any], key: str) -> dict[str, str]:
    given = entry.get(key) or {}
    if not isinstance(given, Mapping):
        raise ConnectionFailed(f"{key!r} is an object by name, not {bounded_repr(given)}")
    return {str(name): str(value) for name, value in given.items() if value is not None}


def filled(target: Target) -> Target:
    """The target with its placeholders replaced, asking the person where it says so.

    ``${VAR}``, ``${env:VAR}`` and ``${VAR:-default}`` are from the environment, ``${input:id}``
    from the person, ``${userHome}`` and ``${workspaceFolder}`` are folders.

    Raises
    ------
    ConnectionFailed
        If one has no value, naming it.
    """
    if isinstance(target, MemoryTarget):
        return target
    answers: dict[str, str] = {}

    def fill(text: str) -> str:
        return re.sub(r"\$\{([^}]+)\}", lambda m: _value(m.group(1), target, answers), text)

    def filled_all(texts: Mapping[str, str]) -> dict[str, str]:
        return {name: fill(text) for name, text in texts.items()}

    if isinstance(target, HttpTarget):
        changed = {"url": fill(target.url), "headers": filled_all(target.headers)}
        return dataclasses.replace(target, **changed)  # type: ignore[arg-type]  # two kinds of fields
    return dataclasses.replace(
        target,
        command=fill(target.command),
        args=tuple(map(fill, target.args)),
        env=filled_all(target.env),
        cwd=fill(target.cwd) if target.cwd else None,
    )


def _value(placeholder: str, target: StdioTarget | HttpTarget, answers: dict[str, str]) -> str:
    if placeholder.startswith("input:"):
        wanted = placeholder.removeprefix("input:")
        if wanted not in answers:
            answers[wanted] = _asked(wanted, target)
        return answers[wanted]
    if placeholder in ("userHome", "workspaceFolder"):
        return str(Path.home() if placeholder == "userHome" else Path.cwd())
    name, has_default, default = placeholder.removeprefix("env:").partition(":-")
    if name in os.environ:
        return os.environ[name]
    if has_default:
        return default
    raise ConnectionFailed(
        f"the server {str(target)!r} wants the environment variable {name!r}, which is not set"
    )


def _asked(wanted: str, target: StdioTarget | HttpTarget) -> str:
    """What the person enters, hidden, for an input of a configuration."""
    if wanted in os.environ:
        return os.environ[wanted]
    known = target.inputs.get(wanted, {})
    if not in_notebook() and not (sys.stdin is not None and sys.stdin.isatty()):
        if "default" in known:
            return str(known["default"])
        raise ConnectionFailed(
            f"the server {str(target)!r} wants the input {wanted!r}, and nobody is there to be "
            f"asked; set the environment variable {wanted!r}"
        )
    entered = getpass.getpass(f"{known.get('description') or wanted}: ")
    return entered or str(known.get("default", ""))
