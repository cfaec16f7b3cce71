"""What a Gradio endpoint takes and gives, in our words: pure steps, no client.

Gradio describes a file as an object with a path and an address. Here it is one medium, by the
component that shows it, and what comes back is typed by that component too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from workbench.errors import MediaError
from workbench.schema.inline import inlined
from workbench.tools.content import Resource
from workbench.types import AgentAudio, AgentImage, AgentText, AgentVideo, sniff
from workbench.types.files import keep
from workbench.types.sniff import extension
from workbench.types.source import read

__all__ = ["endpoint_schema", "output_word", "received", "sent"]

_FAMILY = {
    "annotatedimage": "image",
    "audio": "audio",
    "image": "image",
    "imageeditor": "image",
    "imageslider": "image",
    "video": "video",
}
"""The media family of each component that has one; all others are told by their bytes."""
_KINDS: dict[str, Any] = {"image": AgentImage, "audio": AgentAudio, "video": AgentVideo}


def endpoint_schema(endpoint: Mapping[str, Any]) -> dict[str, Any]:
    """JSON Schema of an endpoint's arguments.

    Parameters
    ----------
    endpoint : mapping
        As Gradio's API information has it: ``parameters``, ``returns``, ``description``.

    Examples
    --------
    >>> name = {"parameter_name": "name", "component": "Textbox", "type": {"type": "string"}}
    >>> endpoint_schema({"parameters": [name]})["properties"]
    {'name': {'type': 'string'}}
    """
    parameters = endpoint.get("parameters") or ()
    return {
        "type": "object",
        "properties": {p["parameter_name"]: _property(p) for p in parameters},
        "required": [p["parameter_name"] for p in parameters if not p.get("parameter_has_default")],
        "additionalProperties": False,
    }


def output_word(endpoint: Mapping[str, Any]) -> str:
    """What comes out, in one word: "image", "audio", "video", "string" or "any".

    Examples
    --------
    >>> output_word({"returns": [{"component": "Image"}]}), output_word({"returns": []})
    ('image', 'any')
    """
    returns = list(endpoint.get("returns") or ())
    if len(returns) != 1:
        return "any"
    text = str(returns[0].get("component", "")).lower() in ("textbox", "markdown")
    return "string" if text else _family(returns[0]) or "any"


def _property(parameter: Mapping[str, Any]) -> dict[str, Any]:
    shown = _shown(_raw(parameter), _family(parameter))
    label = str(parameter.get("label") or "")
    if label and not label.startswith("parameter_"):  # Gradio's own name for what has none
        shown["title"] = label
    if not parameter.get("parameter_has_default"):
        return shown
    default = parameter.get("parameter_default")
    if default is None:
        return {"anyOf": [shown, {"type": "null"}], "default": None}
    return shown if _has_file(shown) else {**shown, "default": default}


def _family(component: Mapping[str, Any]) -> str:
    return _FAMILY.get(str(component.get("component", "")).lower(), "")


def _raw(component: Mapping[str, Any]) -> dict[str, Any]:
    """A component's own schema; some say "type" and mean nothing by it."""
    given = component.get("type")
    schema = inlined(given, given) if isinstance(given, Mapping) else {}
    kept = {k: v for k, v in schema.items() if k not in ("additional_description", "title")}
    return (
        kept
        if isinstance(kept.get("type", ""), (str, list))
        else {key: value for key, value in kept.items() if key != "type"}
    )


def _is_file(schema: Any) -> bool:
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return isinstance(properties, Mapping) and {"path", "meta"} <= set(properties)


def _is_video(schema: Any) -> bool:
    """The shape that Gradio 5 gives a video: the file and its subtitles."""
    properties = schema.get("properties") if isinstance(schema, Mapping) else None
    return isinstance(properties, Mapping) and _is_file(properties.get("video"))


def _shown(schema: Mapping[str, Any], family: str) -> dict[str, Any]:
    """The schema with each file as one medium."""
    if _is_file(schema) or _is_video(schema):
        media = {"contentMediaType": f"{family}/*"} if family else {}
        return {"type": "string", **media, "contentEncoding": "base64"}
    made = dict(schema)
    for key in ("anyOf", "oneOf", "prefixItems"):
        if isinstance(made.get(key), list):
            made[key] = [_shown(sub, family) for sub in made[key]]
    if isinstance(made.get("items"), Mapping):
        made["items"] = _shown(made["items"], family)
    if isinstance(made.get("properties"), Mapping):
        made["properties"] = {n: _shown(s, family) for n, s in made["properties"].items()}
    return made


def _has_file(shown: Any) -> bool:
    if isinstance(shown, Mapping):
        return "contentEncoding" in shown or any(map(_has_file, shown.values()))
    return isinstance(shown, list) and any(map(_has_file, shown))


def sent(endpoint: Mapping[str, Any], arguments: Mapping[str, Any], handle: Any) -> dict[str, Any]:
    """Arguments as Gradio's client takes them.

    Parameters
    ----------
    endpoint : mapping
        As above.
    arguments : mapping
        Checked.
    handle : callable
        Makes of a path or an address what the client uploads.
    """
    known = {p["parameter_name"]: p for p in endpoint.get("parameters") or ()}
    return {
        name: _upload(_raw(known[name]), _family(known[name]), value, handle)
        for name, value in arguments.items()
    }


def _upload(schema: Any, family: str, value: Any, handle: Callable[[str], Any]) -> Any:
    if isinstance(value, str) and _is_video(schema):
        return {"video": handle(_path_of(value, family)), "subtitles": None}
    if isinstance(value, str) and _is_file(schema):
        return handle(_path_of(value, family))
    if not isinstance(schema, Mapping):
        return value
    if isinstance(value, list) and "items" in schema:
        return [_upload(schema["items"], family, item, handle) for item in value]
    if isinstance(value, Mapping) and "properties" in schema:
        inside = schema["properties"]
        return {n: _upload(inside.get(n), family, item, handle) for n, item in value.items()}
    for branch in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
        made = _upload(branch, family, value, handle)
        if made is not value:
            return made
    return value


def _path_of(value: str, family: str) -> str:
    """A file with the value in it; an address stays one, and it is the Space that follows it."""
    if value.startswith(("http://", "https://")):
        return value
    if family in _KINDS:
        return str(_KINDS[family](value).to_string())
    encoded = read(value, "file")
    assert encoded is not None
    if encoded.path is not None:
        return encoded.path
    data = encoded.bytes()
    return keep(data, extension(sniff(data) or "application/octet-stream"))


def received(endpoint: Mapping[str, Any], answer: Any) -> tuple[Any, ...]:
    """What an endpoint gave: one value for each of its outputs.

    Parameters
    ----------
    endpoint : mapping
        As above.
    answer : object
        As the client has it: a tuple if there are several outputs, with files as paths.

    Examples
    --------
    >>> received({"returns": [{"component": "Textbox", "type": {"type": "string"}}]}, "hi")
    ('hi',)
    """
    outputs = list(endpoint.get("returns") or ())
    answers = answer if len(outputs) > 1 and isinstance(answer, (tuple, list)) else [answer]
    return tuple(
        _typed(value, _family(output)) if _has_file(_shown(_raw(output), "any")) else value
        for output, value in zip(outputs, answers, strict=False)
    )


def _typed(value: Any, family: str) -> Any:
    if isinstance(value, str):
        path = Path(value)
        return _medium(path, family) if path.is_file() else value
    if isinstance(value, Mapping):
        kept = {n: _typed(item, family) for n, item in value.items() if item is not None}
        return next(iter(kept.values())) if len(kept) == 1 else kept
    if isinstance(value, (list, tuple)):
        return [_typed(item, family) for item in value]
    return value


def _medium(path: Path, family: str) -> Any:
    """A file as its component says, else as its bytes say, else as the bytes themselves."""
    data = path.read_bytes()
    kind = _KINDS.get(family or str(sniff(data)).partition("/")[0])
    if kind is not None:
        try:
            return kind(data)
        except MediaError as error:
            return AgentText(f"[{path.name}: {error}]")
    return Resource(uri=path.name, value=_text_or(data), mime_type=sniff(data))


def _text_or(data: bytes) -> Any:
    if b"\0" in data:
        return data
    try:
        return AgentText(data.decode("utf-8"))
    except UnicodeDecodeError:
        return data
