"""Secrets among arguments: found by the schema, and kept out of everything that is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from workbench.errors import Problem
from workbench.schema import resolve

__all__ = ["MASK", "Secret", "masked", "unmasked"]

MASK = "••••••"
"""What a secret looks like."""


class Secret(str):
    """Stands in place of a secret, and says of which.

    Parameters
    ----------
    where : str
        The place among the arguments, as people write it.

    Examples
    --------
    >>> Secret("login.password").where
    'login.password'
    """

    __slots__ = ("where",)

    where: str

    def __new__(cls, where: str) -> Secret:
        """Make the stand-in; its text is always the same."""
        secret = str.__new__(cls, MASK)
        secret.where = where
        return secret

    def __getnewargs__(self) -> tuple[str]:
        return (self.where,)

    @classmethod
    def inside(cls, value: Any) -> Iterator[Secret]:
        """The stand-ins in a value, at any depth."""
        if isinstance(value, Secret):
            yield value
        elif isinstance(value, (Mapping, list, tuple)):
            for item in value.values() if isinstance(value, Mapping) else value:
                yield from cls.inside(item)


def masked(value: Any, schema: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Arguments with their secrets masked, and the secrets by their places.

    A secret is what the schema calls ``"format": "password"``, ``"writeOnly": true`` or
    ``"x-workbench": {"secret": true}``, at any depth.

    Parameters
    ----------
    value : object
        The arguments.
    schema : mapping
        JSON Schema of them.

    Examples
    --------
    >>> schema = {"properties": {"key": {"type": "string", "format": "password"}}}
    >>> masked({"key": "hunter2", "n": 1}, schema)
    ({'key': '••••••', 'n': 1}, {'key': 'hunter2'})
    """
    found: dict[str, Any] = {}
    return _masked(value, [schema], schema, (), found), found


def unmasked(value: Any, secrets: Mapping[str, Any]) -> Any:
    """The opposite of :func:`masked`; secrets that are not known stay masked."""
    if isinstance(value, Secret):
        return secrets.get(value.where, value)
    if type(value) is dict:
        return {key: unmasked(item, secrets) for key, item in value.items()}
    if type(value) in (list, tuple):
        return type(value)([unmasked(item, secrets) for item in value])
    return value


def _masked(
    value: Any,
    schemas: list[Any],
    root: Mapping[str, Any],
    path: tuple[str | int, ...],
    found: dict[str, Any],
) -> Any:
    known = [seen for schema in schemas for seen in _meant(schema, root)]
    if not known or value is None:
        return value
    if any(map(_is_secret, known)):
        where = Problem(path=path, message="").where
        found[where] = value
        return Secret(where)
    if type(value) is dict:
        return {
            key: _masked(item, [_named(s, key) for s in known], root, (*path, key), found)
            for key, item in value.items()
        }
    if type(value) in (list, tuple):
        parts = [
            _masked(item, [_placed(s, at) for s in known], root, (*path, at), found)
            for at, item in enumerate(value)
        ]
        return type(value)(parts)
    return value


def _is_secret(schema: Mapping[str, Any]) -> bool:
    own = schema.get("x-workbench")
    said = isinstance(own, Mapping) and own.get("secret") is True
    return said or schema.get("format") == "password" or schema.get("writeOnly") is True


def _meant(schema: Any, root: Mapping[str, Any], depth: int = 8) -> Iterator[Mapping[str, Any]]:
    """A schema and all its branches: what one of them calls a secret is one."""
    if not isinstance(schema, Mapping) or not schema:
        return
    seen = resolve(schema, root)
    yield seen
    for word in ("allOf", "anyOf", "oneOf") if depth else ():
        for branch in seen.get(word) or ():
            yield from _meant(branch, root, depth - 1)


def _named(schema: Mapping[str, Any], name: Any) -> Any:
    properties = schema.get("properties")
    known = isinstance(properties, Mapping) and name in properties
    return properties[name] if known else schema.get("additionalProperties")  # type: ignore[index]  # known


def _placed(schema: Mapping[str, Any], at: int) -> Any:
    first = schema.get("prefixItems")
    known = isinstance(first, (list, tuple)) and at < len(first)
    return first[at] if known else schema.get("items")  # type: ignore[index]  # known
