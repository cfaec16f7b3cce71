"""The arguments of a tool that is elsewhere: named, written as JSON and checked by its schema."""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.errors import InvalidArguments, Problem
from workbench.schema import resolve, validator
from workbench.tools.structured import structured
from workbench.types import AgentAudio, AgentImage, AgentText, AgentVideo, wrap
from workbench.types.data_uri import encode_data_uri

__all__ = ["SchemaSpec"]

_JSON_LEAVES = (str, int, float, bool, type(None))
_MEDIA = (AgentImage, AgentAudio, AgentVideo)
_PATHS = ("path", "file", "filename", "filepath")


@dataclass(frozen=True, slots=True, kw_only=True)
class SchemaSpec:
    """How the arguments of a tool are named and checked that has a schema and no signature here.

    Parameters
    ----------
    name : str
        The tool's, for messages.
    schema : mapping
        Its input schema, as published.
    is_async : bool
        Whether a call has to be awaited.

    Examples
    --------
    >>> spec = SchemaSpec(name="add", schema={"properties": {"a": {"type": "integer"}}})
    >>> spec.check(spec.arguments((1,), {}))
    {'a': 1}
    """

    name: str
    schema: Mapping[str, Any]
    arg_types: Mapping[str, Any] = field(default_factory=dict)
    is_async: bool = False

    @property
    def _properties(self) -> Mapping[str, Any]:
        known = self.schema.get("properties")
        return known if isinstance(known, Mapping) else {}

    def arguments(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        """Name the arguments of a call: positional, keyword, or one dict of them all.

        Raises
        ------
        InvalidArguments
            If there are too many, or one is given twice.
        """
        names = list(self._properties)
        if len(args) == 1 and not kwargs and self._is_all(args[0]):
            return dict(args[0])
        if len(args) > len(names):
            message = f"takes at most {len(names)} positional arguments, got {len(args)}"
            raise InvalidArguments([Problem(path=(), message=message)], self.name)
        placed = dict(zip(names, args, strict=False))
        twice = [Problem(path=(name,), message="given twice") for name in placed if name in kwargs]
        if twice:
            raise InvalidArguments(twice, self.name)
        return {**placed, **kwargs}

    def _is_all(self, given: Any) -> bool:
        """Whether one dict is the arguments, rather than the first of them."""
        if not isinstance(given, Mapping) or any(key not in self._properties for key in given):
            return False
        first = next(iter(self._properties.values()), {"type": "string"})
        return not _may_be_object(first, self.schema)

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as JSON.

        Raises
        ------
        InvalidArguments
            Naming everything that does not fit the schema.
        """
        known = self._properties
        sent = {
            name: value
            if type(value) in _JSON_LEAVES
            else _wire(value, known.get(name), self.schema, name)
            for name, value in arguments.items()
        }
        problems = validator(self.schema).problems(sent)
        if problems:
            raise InvalidArguments(problems, self.name)
        return sent

    def call(self, func: Callable[..., Any], checked: dict[str, Any]) -> Any:
        """Call with checked arguments, as one dict."""
        return func(checked)


def _may_be_object(schema: Any, root: Mapping[str, Any], depth: int = 8) -> bool:
    known = resolve(schema, root)
    kind = known.get("type")
    if kind is not None:
        return kind == "object" or (isinstance(kind, list) and "object" in kind)
    if "enum" in known or "const" in known:
        return False
    branches = known.get("anyOf") or known.get("oneOf")
    if isinstance(branches, list) and depth:
        return any(_may_be_object(branch, root, depth - 1) for branch in branches)
    return True


def _wire(value: Any, schema: Any, root: Mapping[str, Any], name: str) -> Any:
    """A value as JSON: media as the schema wants them, containers item by item."""
    if type(value) in _JSON_LEAVES:
        return value
    known = resolve(schema, root)
    if isinstance(value, Mapping):
        inner = known.get("properties")
        fields = inner if isinstance(inner, Mapping) else {}
        return {str(k): _wire(v, fields.get(k), root, str(k)) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_wire(item, known.get("items"), root, name) for item in value]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return base64.b64encode(bytes(value)).decode("ascii")
    wrapped = wrap(value)
    if isinstance(wrapped, _MEDIA):
        return _medium(wrapped, known, name)
    return str(value) if isinstance(value, AgentText) else structured(value)


def _medium(value: Any, schema: Mapping[str, Any], name: str) -> str:
    """A picture, sound or video as text: an address, a path, or base64."""
    form = str(schema.get("format") or "")
    if schema.get("contentEncoding") != "base64":
        if form in ("uri", "uri-reference", "data-url", "data-uri", "url"):
            return encode_data_uri(value.to_bytes(), value.mime_type)
        if form in ("path", "file-path") or name.lower().endswith(_PATHS):
            return str(value.to_string())
    return base64.b64encode(value.to_bytes()).decode("ascii")
