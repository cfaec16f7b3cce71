"""A call as Python source that makes it again."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from workbench.bench.record import CallRecord
from workbench.types import AgentType

__all__ = ["call_code"]

_MOST_TEXT = 2_000
_WIDTH = 88


def call_code(record: CallRecord, tools: str = "bench.tools") -> str:
    """The source of a cell that makes a call again.

    Parameters
    ----------
    record : CallRecord
        The call. Media are named by their path; secrets are asked for.
    tools : str
        The expression for the collection that holds the tool.

    Returns
    -------
    str
        Python.
    """
    imports: set[str] = set()
    pairs = [
        (name, _secret(name, imports) if name in record.secrets else source_of(value, imports))
        for name, value in record.arguments.items()
    ]
    head = "".join(f"{line}\n" for line in sorted(imports))
    target = f"{tools}[{record.tool!r}]"
    if all(name.isidentifier() and name not in _KEYWORDS for name, _ in pairs):
        given = [f"{name}={text}" for name, text in pairs]
    else:
        given = ["**{" + ", ".join(f"{name!r}: {text}" for name, text in pairs) + "}"]
    line = f"{target}({', '.join(given)})"
    if len(line) > _WIDTH and len(given) > 1:
        line = f"{target}(\n" + "".join(f"    {text},\n" for text in given) + ")"
    return f"{head}{line}"


_KEYWORDS = {
    "class",
    "def",
    "from",
    "import",
    "return",
    "lambda",
    "in",
    "is",
    "not",
    "pass",
    "global",
}


def _secret(name: str, imports: set[str]) -> str:
    imports.add("import getpass")
    return f"getpass.getpass({name + ': '!r})"


def source_of(value: Any, imports: set[str]) -> str:
    """The source of a value; imports that it needs are added."""
    if isinstance(value, AgentType) and not isinstance(value, str):
        return repr(value.to_string())
    if isinstance(value, str):
        return _text(str(value), imports)
    if isinstance(value, float) and not math.isfinite(value):
        return f"float({str(value)!r})"
    if value is None or isinstance(value, (bool, int, float, bytes)):
        return repr(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{k!r}: {source_of(v, imports)}" for k, v in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        inner = ", ".join(source_of(item, imports) for item in value)
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    return _native(value, imports)


def _text(value: str, imports: set[str]) -> str:
    """Text as it is; long base64 is kept in a file, and read from there."""
    if len(value) <= _MOST_TEXT:
        return repr(value)
    from workbench.types.files import keep

    imports.add("from pathlib import Path")
    path = keep(value.encode(), ".txt")
    return f"Path({path!r}).read_text(encoding='utf-8')"


def _native(value: Any, imports: set[str]) -> str:
    """A value of another type, by the JSON form that the tool takes as well."""
    if hasattr(value, "dtype") and getattr(value, "ndim", 1) == 0:
        return source_of(value.item(), imports)
    from workbench.tools.structured import structured
    from workbench.types import wrap

    wrapped = wrap(value)
    if isinstance(wrapped, AgentType):
        return source_of(wrapped, imports)
    made = structured(value)
    return repr(value) if made is None else source_of(made, imports)
