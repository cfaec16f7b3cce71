"""How a result looks where only HTML or plain text can go: safe, bounded, deterministic.

Agent types bring their own HTML. Everything else has a renderer here, tried in order; text is
always escaped. A Python object's own ``_repr_html_`` is used as in any cell: it comes from code
that already runs in this process, never from a server.
"""

from __future__ import annotations

import html
import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workbench.errors import InvalidArguments, bounded_repr
from workbench.tools.content import Resource, ResourceLink
from workbench.tools.repeats import is_repeated, says_more, unwrapped
from workbench.tools.result import ToolResult, error_text
from workbench.tools.traces import own_traceback
from workbench.types import AgentImage, AgentType, media_html, thumbnails_html
from workbench.types.visible import visible

__all__ = [
    "json_text",
    "result_bundle",
    "result_html",
    "result_text",
    "value_html",
]

_ROWS = 100
"""Rows of a table that are written into a notebook; the value itself has them all."""
_TEXT = 20_000
"""Characters of one text or JSON value that are written into a notebook."""

_PRE = "white-space:pre-wrap;overflow-wrap:anywhere;margin:0;max-height:30em;overflow:auto"
_CELL = "text-align:left;vertical-align:top;padding:.25em .6em"
_NOTE = "opacity:.7;font-size:.9em;margin:.3em 0"


def _pre(text: str) -> str:
    shown = text
    note = ""
    if len(text) > _TEXT:
        shown = text[:_TEXT]
        note = _note(f"{len(text) - _TEXT} more characters; the value itself is whole.")
    return f'<pre style="{_PRE}">{html.escape(shown)}</pre>{note}'


def _note(text: str) -> str:
    return f'<p style="{_NOTE}">{html.escape(text)}</p>'


def _records(value: Any) -> bool:
    """Whether a value is a table: a list of flat mappings with string keys."""
    return (
        isinstance(value, (list, tuple))
        and len(value) > 0
        and all(isinstance(row, Mapping) and row for row in value[:_ROWS])
        and all(isinstance(key, str) for row in value[:_ROWS] for key in row)
    )


def _table(rows: Any) -> str:
    shown = rows[:_ROWS]
    names = list(dict.fromkeys(key for row in shown for key in row))[:50]
    head = "".join(f'<th style="{_CELL}">{html.escape(name)}</th>' for name in names)
    body = "".join(
        "<tr>"
        + "".join(f'<td style="{_CELL}">{_cell(row[n]) if n in row else ""}</td>' for n in names)
        + "</tr>"
        for row in shown
    )
    more = len(rows) - len(shown)
    note = _note(f"{more} more rows; the value itself has all {len(rows)}.") if more else ""
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div style="overflow-x:auto">{table}</div>{note}'


def _cell(value: Any) -> str:
    if isinstance(value, AgentType) and not isinstance(value, str):
        return media_html(value)
    text = value if isinstance(value, str) else _short_json(value)
    return html.escape(text if len(text) <= 500 else text[:500] + " ...")


def _short_json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return bounded_repr(value)


def _plain(value: Any) -> Any:
    return bounded_repr(value)


def json_text(value: Any) -> str:
    """A value as indented JSON; what has no JSON form stands as a bounded repr."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=_plain)


def _json_start(value: Any, limit: int) -> tuple[str, bool]:
    """The first `limit` characters of :func:`json_text`, and whether there are more.

    A value of millions of items is not written whole to show the first few of them.
    """
    encoder = json.JSONEncoder(ensure_ascii=False, indent=2, default=_plain)
    parts, size = [], 0
    for part in encoder.iterencode(value):
        parts.append(part)
        size += len(part)
        if size > limit:
            return "".join(parts)[:limit], True
    return "".join(parts), False


def _json_pre(value: Any) -> str:
    text, more = _json_start(value, _TEXT)
    note = _note("There is more; the value itself is whole.") if more else ""
    return _pre(text) + note


def _own_html(value: Any) -> str | None:
    """What an object shows of itself in a notebook, if it shows anything."""
    own = getattr(value, "_repr_html_", None)
    if isinstance(value, type) or not callable(own):
        return None
    try:
        shown = own()
    except Exception:  # noqa: BLE001  # a broken repr of the value's own must not lose the result
        return None
    return shown if isinstance(shown, str) else None


def _media_inside(value: Any) -> str | None:
    """A mapping with media in it, drawn name by name."""
    if not isinstance(value, Mapping):
        return None
    media = [v for v in value.values() if isinstance(v, AgentType) and not isinstance(v, str)]
    if not media:
        return None
    rows = "".join(
        f'<tr><th style="{_CELL}">{html.escape(str(name))}</th>'
        f'<td style="{_CELL}">{value_html(item)}</td></tr>'
        for name, item in value.items()
    )
    return f"<table><tbody>{rows}</tbody></table>"


def _agent(value: Any) -> str | None:
    return media_html(value) if isinstance(value, AgentType) else None


def _resource(value: Any) -> str | None:
    if not isinstance(value, Resource):
        return None
    kind = f" ({value.mime_type})" if value.mime_type else ""
    return _note(f"Resource {value.uri}{kind}") + value_html(value.value)


def _link(value: Any) -> str | None:
    if not isinstance(value, ResourceLink):
        return None
    name = value.title or value.name or value.uri
    text = f"<strong>{html.escape(name)}</strong> <code>{html.escape(value.uri)}</code>"
    return f"<p>{text}</p>" + (_note(value.description) if value.description else "")


def _binary(value: Any) -> str | None:
    if not isinstance(value, (bytes, bytearray, memoryview)):
        return None
    return _note(f"{len(bytes(value)):,} bytes of binary data")


def _tabular(value: Any) -> str | None:
    return _table(value) if _records(value) else None


def _jsonable(value: Any) -> str | None:
    if isinstance(value, (Mapping, list, tuple)):
        return _json_pre(value)
    return None


def _record(value: Any) -> str | None:
    """Dataclasses and pydantic models, as the JSON objects they stand for."""
    from workbench.tools.structured import structured

    if not (hasattr(value, "__dataclass_fields__") or hasattr(value, "model_dump")):
        return None
    data = structured(value)
    return None if data is None else _json_pre(data)


_RENDERERS: tuple[Callable[[Any], str | None], ...] = (
    _agent,
    _resource,
    _link,
    _own_html,
    _binary,
    _media_inside,
    _tabular,
    _record,
    _jsonable,
)


def value_html(value: Any) -> str:
    """One value as HTML, by the first renderer that knows it."""
    for render in _RENDERERS:
        shown = render(value)
        if shown is not None:
            return shown
    return _pre(str(value) if isinstance(value, (int, float, complex)) else repr(value))


def _error_html(result: ToolResult) -> str:
    said = "".join(value_html(block) for block in result.content)
    trace = own_traceback(result.error) if result.error is not None else ""
    folded = (
        f"<details><summary>Traceback</summary>{_pre(trace)}</details>"
        if trace and not isinstance(result.error, InvalidArguments)
        else ""
    )
    head = '<strong style="color:var(--jp-error-color1,#c62828)">The tool failed</strong>'
    if isinstance(result.error, InvalidArguments):
        head = head.replace("The tool failed", "Nothing was run: the arguments do not fit")
    style = (
        "border-left:4px solid var(--jp-error-color1,#c62828);border-radius:0 5px 5px 0;"
        "padding:.5em .9em;margin:.5em 0;max-width:820px"
    )
    return f'<div role="alert" style="{style}">{head}{said}{folded}</div>'


def result_html(result: ToolResult) -> str:
    """A whole result as one piece of HTML.

    Examples
    --------
    >>> "&lt;b&gt;" in result_html(ToolResult(["<b>"]))
    True
    """
    if result.is_error:
        return f'<div class="workbench-result">{_error_html(result)}</div>'
    if is_repeated(result):
        parts = [value_html(unwrapped(result.structured_content))]
    else:
        parts = [_row(group) for group in _grouped(result.content)] or [_nothing(result)]
    if result.embedded_media:
        parts.append(_note("In the text:") + "".join(map(_row, _grouped(result.embedded_media))))
    if result.structured_content is not None and says_more(result):
        parts.append(_folded("Structured content", _json_pre(result.structured_content)))
    if result.output_problems:
        lines = "\n".join(map(str, result.output_problems))
        title = "The result breaks the tool's output schema"
        parts.append(_folded(title, _pre(lines), is_open=True))
    return '<div class="workbench-result">' + "".join(f"<div>{p}</div>" for p in parts) + "</div>"


def _nothing(result: ToolResult) -> str:
    data = result.structured_content
    return _note("The tool returned nothing.") if data is None else value_html(data)


def _folded(title: str, body: str, *, is_open: bool = False) -> str:
    state = " open" if is_open else ""
    return f"<details{state}><summary>{html.escape(title)}</summary>{body}</details>"


def _grouped(content: tuple[Any, ...]) -> Iterable[tuple[Any, ...]]:
    """Neighbouring pictures stand in one row; everything else stands alone."""
    row: list[Any] = []
    for block in content:
        if isinstance(block, AgentImage):
            row.append(block)
            continue
        if row:
            yield tuple(row)
            row = []
        yield (block,)
    if row:
        yield tuple(row)


def _row(group: tuple[Any, ...]) -> str:
    return thumbnails_html(group) if len(group) > 1 else value_html(group[0])


def result_text(result: ToolResult) -> str:
    """A whole result as plain text: for a terminal, and for pages that show nothing else."""
    return visible(_said(result))


def _said(result: ToolResult) -> str:
    if result.error is not None:
        return f"failed: {error_text(result.error)}"
    said = "\n".join(_block_text(block) for block in result.content)
    if not result.content:
        data = result.structured_content
        said = "(nothing returned)" if data is None else _json_start(data, _TEXT)[0]
    return f"failed: {said}" if result.is_error else said


def _block_text(block: Any) -> str:
    if isinstance(block, ResourceLink):
        return f"{block.title or block.name or 'resource'}: {block.uri}"
    if isinstance(block, Resource):
        return f"{block.uri}: {_block_text(block.value)}"
    if isinstance(block, str):
        return str(block)
    if isinstance(block, (Mapping, list, tuple)):
        return _json_start(block, _TEXT)[0]
    return bounded_repr(block, 2000)


def result_bundle(
    result: ToolResult, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
) -> Any:
    """The mime bundle of a result: a lone block's own, else one composed piece of HTML."""
    lone = result.content[0] if len(result.content) == 1 and _shows_itself(result) else None
    if lone is not None:
        return lone._repr_mimebundle_(include=include, exclude=exclude)
    bundle = {"text/plain": result_text(result), "text/html": result_html(result)}
    wanted = set(include or bundle) - set(exclude or ())
    return {mime: data for mime, data in bundle.items() if mime in wanted}


def _shows_itself(result: ToolResult) -> bool:
    """One agent value and nothing to say beside it."""
    more = result.is_error or result.output_problems or result.embedded_media
    if result.structured_content is not None and (says_more(result) or is_repeated(result)):
        return False
    return not more and isinstance(result.content[0], AgentType)
