"""What a docstring says: summary and body, the parameters, the result. It never fails."""

from __future__ import annotations

import inspect
import re
from dataclasses import dataclass, field

import docstring_parser

__all__ = ["Documented", "parse_docstring"]

_SECTION = re.compile(r"\A(Args|Arguments|Parameters|Params|Returns|Yields|Raises)\s*:?\s*\Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class Documented:
    r"""A docstring taken apart.

    Parameters
    ----------
    description : str
        Summary and body, without the sections.
    parameters : dict of str to str
        Text for each parameter that has one.
    returns : str
        Text for the result.

    Examples
    --------
    >>> parse_docstring("Add.\n\nArgs:\n    a: first\n    b: second").parameters
    {'a': 'first', 'b': 'second'}
    """

    description: str = ""
    parameters: dict[str, str] = field(default_factory=dict)
    returns: str = ""


def parse_docstring(text: str | None) -> Documented:
    """Read a docstring in Google's, numpydoc's or Sphinx's manner, whichever it is in.

    Parameters
    ----------
    text : str or None
        As ``__doc__`` has it.
    """
    clean = inspect.cleandoc(text or "")
    if not clean:
        return Documented()
    if _SECTION.match(clean.partition("\n")[0].strip()):
        clean = _summarised(clean)
    try:
        parsed = docstring_parser.parse(_joined(clean))
    except Exception:  # noqa: BLE001  # whatever a text breaks in the parser, it is still a description
        return Documented(description=clean)
    parts = (parsed.short_description, parsed.long_description)
    return Documented(
        description="\n\n".join(part.strip() for part in parts if part),
        parameters={
            name.lstrip("*"): _one_line(meta.description or "")
            for meta in parsed.params
            for name in re.split(r"\s*,\s*", meta.arg_name)
            if meta.description
        },
        returns=_one_line(parsed.returns.description or "") if parsed.returns else "",
    )


def _summarised(text: str) -> str:
    """A docstring that begins with a section, as if a summary stood before it.

    The section's lines have lost their indentation to ``cleandoc``, unless they are numpydoc's.
    """
    first, *rest = text.split("\n")
    if first.rstrip().endswith(":") and not any(line.startswith(" ") for line in rest[:1]):
        rest = [line if _SECTION.match(line) else f"    {line}" for line in rest]
    return "\n".join(["", first, *rest])


def _one_line(text: str) -> str:
    return " ".join(text.split())


def _joined(text: str) -> str:
    """Google's ``Args`` with continuation lines joined, so that a colon in one is no new entry."""
    lines: list[str] = []
    inside, base = False, -1
    for line in text.split("\n"):
        indent = len(line) - len(line.lstrip())
        if re.match(r"\s*(Args|Arguments|Parameters|Params)\s*:\s*\Z", line):
            inside, base = True, -1
        elif inside and line.strip() and indent == 0:
            inside = False
        elif inside and line.strip():
            base = indent if base < 0 else base
            if indent > base and lines and lines[-1].strip():
                lines[-1] += " " + line.strip()
                continue
        lines.append(line)
    return "\n".join(lines)
