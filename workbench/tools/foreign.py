"""A tool of another library: described by its schema, called with checked JSON arguments.

Every source that is not a Python function becomes one of these. Arguments are named and checked
here by the schema alone; what the other library does with them is in its own module.
"""

from __future__ import annotations

import functools
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from workbench.tools.annotations import ToolAnnotations
from workbench.tools.definition import Definition
from workbench.tools.outcome import failed, outcome
from workbench.tools.schema_spec import SchemaSpec
from workbench.tools.tool_class import Tool

__all__ = ["Description", "ForeignTool"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """What another library says of a tool.

    Parameters
    ----------
    name, description : str
        As the library has them.
    input_schema : mapping
        JSON Schema of the arguments, an object.
    output_schema : mapping or None
        JSON Schema of the structured result.
    output_type : str
        The result in one word: "any", "image", "audio", "video" or a JSON type.
    title : str or None
        A name for people.
    annotations : mapping
        Hints, in MCP's spelling or in snake_case.
    source : str
        Where the tool comes from, for people.

    Examples
    --------
    >>> Description(name="add", input_schema={"properties": {"a": {}}}).output_type
    'any'
    """

    name: str
    description: str = ""
    input_schema: Mapping[str, Any] = field(default_factory=dict)
    output_schema: Mapping[str, Any] | None = None
    output_type: str = "any"
    title: str | None = None
    annotations: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""


class ForeignTool(Tool):
    """A tool that another library describes and runs.

    Parameters
    ----------
    description : Description
        What the library says of it.
    call : callable or None
        Takes the checked arguments as one dict; gives the value or a :class:`ToolResult`.
    call_async : callable or None
        The same, to be awaited; where there is only this one, the tool is async.

    Examples
    --------
    >>> about = Description(name="add", input_schema={"properties": {"a": {}, "b": {}}})
    >>> ForeignTool(about, lambda given: given["a"] + given["b"])(1, b=2)
    3
    """

    def __init__(
        self,
        description: Description,
        call: Callable[[dict[str, Any]], Any] | None,
        call_async: Callable[[dict[str, Any]], Awaitable[Any]] | None = None,
    ) -> None:
        super().__init__()
        self.source = description.source
        self._call_async = call_async
        self._definition = _definition(description, call or call_async, is_async=call is None)
        hints = ToolAnnotations.from_dict(description.annotations)
        self._take(description.title or hints.title, description.output_schema, hints)

    async def perform_async(self, checked: dict[str, Any]) -> Any:
        """Like :meth:`perform`, on a loop that stays free."""
        if self._call_async is None or self.is_async:
            return await super().perform_async(checked)
        try:
            return outcome(self, await self._call_async(checked))
        except Exception as error:  # noqa: BLE001  # any failure of a tool is a result
            return failed(self.name, error)

    def __reduce__(self) -> Any:
        raise TypeError(f"{self.name!r} comes from {self.source or 'elsewhere'}: it has no pickle")


def _definition(about: Description, func: Any, *, is_async: bool) -> Definition:
    schema = {"type": "object", "properties": {}, **about.input_schema}
    return Definition(
        name=about.name,
        title=None,
        description=about.description,
        make_schema=functools.partial(dict, schema),
        output_schema=about.output_schema,
        output_type=about.output_type,
        func=func,
        spec=SchemaSpec(name=about.name, schema=schema, is_async=is_async),
    )
