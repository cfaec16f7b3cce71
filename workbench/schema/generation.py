"""JSON Schema made from annotations, in the shape that tools publish."""

from __future__ import annotations

import dataclasses
import enum
import inspect
import json
import math
import typing
from collections.abc import Mapping, Sequence, Set
from typing import Annotated, Any, get_args, get_origin

from pydantic import TypeAdapter
from pydantic.errors import PydanticInvalidForJsonSchema, PydanticUserError
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import PydanticSerializationError, core_schema, to_jsonable_python

from workbench.schema.media import translated

__all__ = ["arguments_schema", "output_schema_of", "output_word"]


class _Generator(GenerateJsonSchema):
    """Pydantic's schema generator; what has no schema may be anything."""

    ignored_warning_kinds = {  # noqa: RUF012  # as the base class has it
        "non-serializable-default",
        "skipped-choice",
    }

    def handle_invalid_for_json_schema(
        self, schema: core_schema.CoreSchema, error_info: str
    ) -> JsonSchemaValue:
        return {}

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchemaValue:
        """An enum's values, with its members' names as titles."""
        made = super().enum_schema(schema)
        names = [member.name for member in schema["members"]]
        if "enum" in made and [str(v) for v in made["enum"]] != names:
            made["x-enumNames"] = names
        return made

    def union_schema(self, schema: core_schema.UnionSchema) -> JsonSchemaValue:
        """A union; one of nothing but literals is one list of their values."""
        made = super().union_schema(schema)
        branches = made.get("anyOf", ())
        values = [_literals(branch) for branch in branches]
        kinds = {branch.get("type") for branch in branches}
        if len(kinds) != 1 or not all(values):
            return made
        return {
            "enum": list(dict.fromkeys(v for some in values for v in some)),
            "type": kinds.pop(),
        }

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False


def _literals(schema: Mapping[str, Any]) -> list[Any]:
    """The values of a schema that is a list of values and says no more."""
    if schema.keys() - {"const", "enum", "type"}:
        return []
    return list(schema.get("enum", [schema["const"]] if "const" in schema else []))


def arguments_schema(
    adapter: TypeAdapter[Any],
    parameters: Mapping[str, inspect.Parameter],
    texts: Mapping[str, str],
    types: Mapping[str, Any],
) -> dict[str, Any]:
    """The schema of a callable's arguments: types, texts, defaults, what is required."""
    made = adapter.json_schema(schema_generator=_Generator)
    properties = {
        name: _property(made.get("properties", {}).get(name, {}), parameter, texts.get(name))
        for name, parameter in parameters.items()
        if parameter.kind is not inspect.Parameter.VAR_KEYWORD
    }
    schema: dict[str, Any] = {"type": "object", "properties": properties}
    schema["required"] = [name for name in made.get("required", ()) if name in properties]
    schema["additionalProperties"] = _rest(parameters, types)
    if "$defs" in made:
        schema["$defs"] = made["$defs"]
    return schema


def _rest(parameters: Mapping[str, inspect.Parameter], types: Mapping[str, Any]) -> Any:
    """What further names may hold: nothing, or what ``**kwargs`` is annotated with."""
    for name, parameter in parameters.items():
        if parameter.kind is inspect.Parameter.VAR_KEYWORD:
            kind = types.get(name, Any)
            return (
                True if kind is Any else TypeAdapter(kind).json_schema(schema_generator=_Generator)
            )
    return False


def _property(made: Any, parameter: inspect.Parameter, text: str | None) -> Any:
    schema = dict(made) if isinstance(made, Mapping) else {}
    if _is_wrapper_of_none(schema, parameter):
        schema.pop("default", None)
    if text and "description" not in schema:
        schema["description"] = text
    if parameter.default is not inspect.Parameter.empty and "default" not in schema:
        default = _jsonable(parameter.default)
        if default is not _NO_JSON:
            schema["default"] = default
    return schema


def _is_wrapper_of_none(schema: Mapping[str, Any], parameter: inspect.Parameter) -> bool:
    return parameter.default is None and "default" in schema


_NO_JSON = object()


def _jsonable(value: Any) -> Any:
    """A default in JSON form; `_NO_JSON` where it has none."""
    if isinstance(value, float) and not math.isfinite(value):
        return _NO_JSON
    if type(value).__module__.partition(".")[0] in ("numpy", "torch", "PIL"):
        return _NO_JSON
    if isinstance(value, (bytes, bytearray)):
        return _NO_JSON
    try:
        made = to_jsonable_python(value, inf_nan_mode="constants")
        json.dumps(made, allow_nan=False)
    except (PydanticSerializationError, ValueError, TypeError):
        return _NO_JSON
    return made


_WORDS: dict[Any, str] = {
    str: "string",
    bool: "boolean",
    int: "integer",
    float: "number",
    bytes: "string",
    dict: "object",
    type(None): "null",
    None: "null",
}


def output_word(annotation: Any) -> str:
    """The type of a result in one word, as class tools have it.

    Examples
    --------
    >>> output_word(list[int]), output_word(int | None)
    ('array', 'any')
    """
    if get_origin(annotation) is Annotated:
        return output_word(get_args(annotation)[0])
    kind = get_origin(annotation) or annotation
    if kind in (typing.Union, type(int | str)):
        return "any"
    if kind is Any or kind is inspect.Parameter.empty:
        return "any"
    try:
        if kind in _WORDS:
            return _WORDS[kind]
    except TypeError:
        return "any"
    return _word_of_class(kind) if isinstance(kind, type) else "any"


def _word_of_class(kind: type) -> str:
    media = getattr(kind, "media", None) if hasattr(kind, "to_string") else None
    if media in ("image", "audio", "video"):
        return str(media)
    if any(base.__module__ == "PIL.Image" and base.__name__ == "Image" for base in kind.__mro__):
        return "image"
    if issubclass(kind, str):
        return "string"
    if issubclass(kind, enum.Enum):
        return "any"
    if _is_record(kind) or issubclass(kind, Mapping):
        return "object"
    return "array" if issubclass(kind, (Sequence, Set, tuple)) else "any"


def _is_record(kind: Any) -> bool:
    return (
        dataclasses.is_dataclass(kind) or hasattr(kind, "model_fields") or typing.is_typeddict(kind)
    )


def output_schema_of(annotation: Any, text: str) -> dict[str, Any] | None:
    """The schema of a result that is a record or a map of names; None for anything else."""
    kind = get_origin(annotation) or annotation
    named_map = kind is dict and get_args(annotation)[:1] == (str,)
    if not (_is_record(kind) or named_map):
        return None
    try:
        made = TypeAdapter(translated(annotation)).json_schema(
            mode="serialization", schema_generator=_Generator
        )
    except (PydanticUserError, PydanticInvalidForJsonSchema):
        return None
    if text and "description" not in made:
        made["description"] = text
    return made
