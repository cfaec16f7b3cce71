"""What will hurt a model or a provider about a tool, how badly, and how to mend it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.errors import bounded_repr
from workbench.schema import validator
from workbench.schema.dialects import DIALECTS, export, wire_name
from workbench.schema.validate import metaschema_problems
from workbench.schema.walk import subschemas
from workbench.tools.collection import ToolCollection
from workbench.tools.result import ToolResult
from workbench.tools.tool_class import Tool

__all__ = ["Finding", "Findings", "lint"]

_LONGEST_DESCRIPTION = 1024
"""Characters; OpenAI refuses more."""
_MANY_VALUES = 200
_ORDER = ("error", "warning", "note")


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that will hurt.

    Parameters
    ----------
    severity : str
        "error": a provider refuses it, or no call can succeed; "warning": a model will get it
        wrong; "note": something is lost on the way to some provider.
    tool : str
        The tool's name.
    where : str
        The place in its schema; empty for the tool as a whole.
    message : str
        What is wrong.
    remedy : str
        How to mend it.

    Examples
    --------
    >>> print(
    ...     Finding(
    ...         severity="warning",
    ...         tool="add",
    ...         where="a",
    ...         message="has no description",
    ...         remedy="describe it in the docstring",
    ...     )
    ... )
    warning: add, a: has no description; describe it in the docstring
    """

    severity: str
    tool: str
    where: str = ""
    message: str
    remedy: str

    def __str__(self) -> str:
        place = f"{self.tool}, {self.where}" if self.where else self.tool
        return f"{self.severity}: {place}: {self.message}; {self.remedy}"


class Findings(tuple[Finding, ...]):
    """Findings, the worst first; shows itself one to a line.

    Examples
    --------
    >>> Findings()
    nothing found
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return "\n".join(map(str, self)) or "nothing found"


Found = Iterator[tuple[str, str, str, str]]


def lint(
    tools: Tool | Iterable[Tool | Callable[..., Any]], result: ToolResult | None = None
) -> Findings:
    """Look for what will hurt a model or a provider.

    Parameters
    ----------
    tools : Tool or iterable of Tool or callable
        Each is looked at, and all of them together.
    result : ToolResult, optional
        What the one tool gave, to be held against its output schema.

    Examples
    --------
    >>> lint([lambda x: x])[0].message
    'has no description'
    """
    several = [tools] if isinstance(tools, Tool) else list(ToolCollection(tools))
    found = [
        Finding(severity=severity, tool=tool.name, where=where, message=message, remedy=remedy)
        for tool in several
        for check in _CHECKS
        for severity, where, message, remedy in check(tool)
    ]
    found += _together(several)
    if result is not None:
        found += [_unfit(several[0].name, str(problem)) for problem in result.output_problems]
    return Findings(sorted(found, key=lambda finding: _ORDER.index(finding.severity)))


def _unfit(name: str, problem: str) -> Finding:
    return Finding(
        severity="error",
        tool=name,
        where="output",
        message=f"the result does not fit the output schema: {problem}",
        remedy="return what output_schema says, or change it",
    )


def _descriptions(tool: Tool) -> Found:
    text = tool.description.strip()
    if not text:
        yield "warning", "", "has no description", "say in its docstring what it does and when"
    if len(text) > _LONGEST_DESCRIPTION:
        message = f"its description has {len(text)} characters; OpenAI takes {_LONGEST_DESCRIPTION}"
        yield "warning", "", message, "shorten it, or pass desc="
    seen: dict[str, str] = {}
    for name, schema in tool.args.items():
        said = schema.get("description") if isinstance(schema, Mapping) else None
        if not said:
            yield (
                "warning",
                name,
                "has no description",
                "describe it in the docstring, or in arg_desc=",
            )
        elif said in seen:
            message = f"is described with the same words as {seen[said]!r}"
            yield "warning", name, message, "say how they differ"
        if said:
            seen.setdefault(said, name)


def _name(tool: Tool) -> Found:
    sent = wire_name(tool.name, 64)
    if sent != tool.name:
        message = f"its name is sent to providers as {sent!r}"
        yield "note", "", message, "use at most 64 letters, digits, - and _, or tool.renamed(...)"


def _schema(tool: Tool) -> Found:
    for problem in metaschema_problems(tool.input_schema):
        message = f"the schema breaks JSON Schema: {problem.message}"
        yield (
            "error",
            problem.where,
            message,
            "it is read as it is meant here; mend it at its source",
        )
    for name in tool.input_schema.get("required") or ():
        if name not in tool.args:
            yield "error", str(name), "is required, but is no property", "add it to properties"
    for name, schema in tool.args.items():
        if (
            schema is True
            or schema == {}
            or (isinstance(schema, Mapping) and not schema.keys() - _TEXTS)
        ):
            yield "warning", name, "may be anything", "annotate it, so that a model need not guess"


_TEXTS = {"title", "description", "default"}


def _defaults_and_values(tool: Tool) -> Found:
    root = tool.input_schema
    definitions = {key: root[key] for key in ("$defs", "definitions") if key in root}
    for place, schema in subschemas(root):
        count = len(schema["enum"]) if isinstance(schema.get("enum"), list) else 0
        if count > _MANY_VALUES:
            message = f"lists {count} values, which every request carries"
            yield "warning", place, message, "take text and look it up in the tool"
        if "default" in schema and place and "$id" not in schema:
            for problem in validator({**definitions, **schema}).problems(schema["default"])[:1]:
                message = f"its default does not fit: {problem.message}"
                yield "error", place, message, "change the default, or widen the annotation"


def _output(tool: Tool) -> Found:
    schema = tool.output_schema
    if schema is None:
        return
    for problem in metaschema_problems(schema):
        message = f"the output schema breaks JSON Schema: {problem.message}"
        yield "error", "output", message, "mend output_schema"
    if schema.get("type") != "object":
        yield (
            "warning",
            "output",
            "its schema is not that of an object",
            "MCP wants an object; wrap it",
        )


def _characters(tool: Tool) -> Found:
    texts: list[tuple[str, Any]] = [("", tool.name), ("", tool.description)]
    for place, schema in subschemas(tool.input_schema):
        texts += [(place, schema.get(key)) for key in ("title", "description")]
        texts += [(place, name) for name in schema.get("properties") or ()]
    for place, text in texts:
        hidden = invisible(text) if isinstance(text, str) else ()
        if hidden:
            message = f"has characters that nobody sees: {', '.join(hidden)}"
            yield "warning", place, message, "remove them; they can carry hidden instructions"


_HARMLESS = {"\n", "\t", "\r", "\u200d", "\ufe0f"}
"""Line ends, and what joins emoji."""


def invisible(text: str) -> tuple[str, ...]:
    r"""The code points in a text that show nothing: controls, zero widths, tags, private use.

    Examples
    --------
    >>> invisible("a\u200bb")
    ('U+200B',)
    """
    found = {c for c in text if c not in _HARMLESS and unicodedata.category(c) in _UNSEEN}
    return tuple(f"U+{ord(c):04X}" for c in sorted(found))


_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn"}


def _dialects(tool: Tool) -> Found:
    """What each provider loses, one line for each loss."""
    losers: dict[str, list[str]] = {}
    for dialect in DIALECTS:
        made = export(
            name="t",
            description="",
            input_schema=tool.input_schema,
            output_schema=None,
            annotations={},
            dialect=dialect,
        )
        for note in made.notes:
            losers.setdefault(note, []).append(dialect)
    for note, dialects in losers.items():
        where, _, what = note.rpartition(": ")
        whom = "every provider" if len(dialects) == len(DIALECTS) else ", ".join(dialects)
        yield "note", where, f"{what} ({whom})", "say it in the description too, if it matters"


_CHECKS = (_descriptions, _name, _schema, _defaults_and_values, _output, _characters, _dialects)


def _together(tools: list[Tool]) -> list[Finding]:
    """What tools do to one another: names that become one, descriptions that are the same."""
    found = []
    for severity, key, what, remedy in (
        ("error", _sent, "is sent under the same name as", "rename one with tool.renamed(...)"),
        ("warning", _said, "is described with the same words as", "say how they differ"),
    ):
        first: dict[str, str] = {}
        for tool in tools:
            other = first.setdefault(key(tool), tool.name)
            if other != tool.name and key(tool):
                message = f"{what} {bounded_repr(other)}"
                found.append(
                    Finding(severity=severity, tool=tool.name, message=message, remedy=remedy)
                )
    return found


def _sent(tool: Tool) -> str:
    return wire_name(tool.name, 64)


def _said(tool: Tool) -> str:
    return tool.description.strip()
