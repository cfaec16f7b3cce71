"""A call as Python source that makes it again."""

from __future__ import annotations

import base64
import keyword
import math
import sys
from collections.abc import Callable, Mapping
from enum import Enum
from io import BytesIO
from pathlib import PurePath
from typing import Any

from workbench.bench.record import CallRecord
from workbench.bench.secrets import Secret
from workbench.tools.structured import structured
from workbench.types import AgentType, wrap
from workbench.types.files import keep
from workbench.types.sniff import extension, sniff

__all__ = ["call_code"]

_LONG = 2_000
_WIDTH = 88


class _Imports(set[str]):
    """The import statements that a piece of source needs."""

    def of(self, line: str, source: str) -> str:
        """The source, for which the line is needed."""
        self.add(line)
        return source


def call_code(record: CallRecord, bench: str = "bench", shelf: str = "tools") -> str:
    """The source of a cell that makes a call again.

    Media and long texts are named by the path of a file, secrets are asked for, and objects that
    no source can make are taken from the history.

    Parameters
    ----------
    record : CallRecord
        The call.
    bench : str
        The expression for the workbench that has the tool.
    shelf : str
        Where it has it: "tools", "resources" or "prompts".

    Returns
    -------
    str
        Python.
    """
    imports = _Imports()
    given = [
        (name, _argument(value, imports, f"{bench}.history[{record.number}].arguments[{name!r}]"))
        for name, value in record.arguments.items()
    ]
    parts = [f"{name}={source}" for name, source in given]
    if not all(name.isidentifier() and not keyword.iskeyword(name) for name, _ in given):
        parts = ["**{" + ", ".join(f"{name!r}: {source}" for name, source in given) + "}"]
    call = f"{bench}.{shelf}[{record.tool!r}]("
    line = f"{call}{', '.join(parts)})"
    if len(line) > _WIDTH and len(parts) > 1:
        line = call + "\n" + "".join(f"    {part},\n" for part in parts) + ")"
    head = "".join(f"{each}\n" for each in sorted(imports))
    return f"{head}\n{line}" if head else line


class _Unwritable(Exception):
    """No source makes this value."""


def _argument(value: Any, imports: _Imports, elsewhere: str) -> str:
    needed = _Imports()
    try:
        source = _source(value, needed)
    except (_Unwritable, RecursionError):
        return elsewhere
    imports |= needed
    return source


def _source(value: Any, imports: _Imports) -> str:
    """The source of a value, by the first kind that it is of."""
    for kind, write in _WRITERS:
        if isinstance(value, kind):
            return write(value, imports)
    return _foreign(value, imports)


def _secret(value: Secret, imports: _Imports) -> str:
    return imports.of("import getpass", f"getpass.getpass({value.where + ': '!r})")


def _text(value: str, imports: _Imports) -> str:
    """Text as it is; if it is long it is read from a file, an encoded medium from its own."""
    text = str(value)
    if len(text) <= _LONG:
        return repr(text)
    data = _decoded(text)
    kind = sniff(data)
    if kind is not None:
        imports.add("import base64")
        path = keep(data, extension(kind))
        return f"base64.b64encode({_path(path, imports)}.read_bytes()).decode()"
    path = keep(text.encode("utf-8", "surrogatepass"), ".txt")
    return f"{_path(path, imports)}.read_bytes().decode('utf-8', 'surrogatepass')"


def _decoded(text: str) -> bytes:
    """The bytes whose base64 a text is, exactly; else none."""
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        return b""
    return data if base64.b64encode(data).decode() == text else b""


def _path(path: Any, imports: _Imports) -> str:
    return imports.of("from pathlib import Path", f"Path({str(path)!r})")


def _medium(value: AgentType, imports: _Imports) -> str:
    kind = type(value).__name__
    return imports.of(f"from workbench import {kind}", f"{kind}({value.to_string()!r})")


def _bytes(value: bytes, imports: _Imports) -> str:
    if len(value) <= _LONG:
        return repr(bytes(value))
    path = keep(bytes(value), extension(sniff(bytes(value)) or ""))
    return f"{_path(path, imports)}.read_bytes()"


def _float(value: float, imports: _Imports) -> str:
    return repr(float(value)) if math.isfinite(value) else f"float({str(value)!r})"


def _mapping(value: Mapping[Any, Any], imports: _Imports) -> str:
    pairs = (f"{_source(k, imports)}: {_source(v, imports)}" for k, v in value.items())
    return "{" + ", ".join(pairs) + "}"


def _list(value: Any, imports: _Imports) -> str:
    return "[" + ", ".join(_source(item, imports) for item in value) + "]"


def _tuple(value: Any, imports: _Imports) -> str:
    inner = ", ".join(_source(item, imports) for item in value)
    return f"({inner},)" if len(value) == 1 else f"({inner})"


_Writer = Callable[[Any, _Imports], str]
_WRITERS: tuple[tuple[type | tuple[type, ...], _Writer], ...] = (
    (Secret, _secret),
    (Enum, lambda value, imports: _source(value.value, imports)),
    (str, _text),
    ((bool, type(None)), lambda value, imports: repr(value)),
    (int, lambda value, imports: repr(int(value))),
    (float, _float),
    (AgentType, _medium),
    ((bytes, bytearray), _bytes),
    (PurePath, lambda value, imports: _path(value, imports)),
    (Mapping, _mapping),
    (list, _list),
    (tuple, _tuple),
)


def _foreign(value: Any, imports: _Imports) -> str:
    """A value of another class: as a medium, an array, or the JSON that the tool takes as well."""
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.generic):
        return _source(value.item(), imports)
    if numpy is not None and isinstance(value, numpy.ndarray) and not value.dtype.hasobject:
        file = BytesIO()
        numpy.save(file, value)
        return imports.of("import numpy", f"numpy.load({keep(file.getvalue(), '.npy')!r})")
    wrapped = wrap(value)
    if isinstance(wrapped, AgentType):
        return _source(wrapped, imports)
    made = structured(value)
    if made is None:
        raise _Unwritable
    return _source(made, imports)
