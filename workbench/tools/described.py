"""What a tool is: its name, its schema and the views of it. How it is called is elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from workbench.tools.annotations import ToolAnnotations
from workbench.tools.definition import Definition

if TYPE_CHECKING:
    from workbench.tools.lint import Findings
    from workbench.tools.tool_class import Tool

__all__ = ["Described"]


class Described:
    """The description of a tool; :class:`workbench.Tool` is a Described that can be called.

    Attributes
    ----------
    name, title, description : str
        What it is called, for programs and for people, and what it does.
    output_type : str
        The result's type in one word.
    output_schema : mapping or None
        JSON Schema of the structured result.
    check_output : bool
        Whether a result that breaks the output schema is a failure.
    annotations : ToolAnnotations
        Hints on its behaviour.
    source : str
        Where it comes from, for people.

    Examples
    --------
    >>> from workbench import tool
    >>> tool(len).args
    {'obj': {}}
    """

    name: str
    description: str
    output_type: str
    output_schema: Mapping[str, Any] | None = None
    check_output: bool = False
    annotations: ToolAnnotations
    title: str | None = None
    source: str = ""
    _definition: Definition
    _inputs: dict[str, dict[str, Any]]

    @property
    def desc(self) -> str:
        """The description, under its other name."""
        return self.description

    @property
    def input_schema(self) -> Mapping[str, Any]:
        """JSON Schema (2020-12) of the arguments, an object."""
        return self._definition.input_schema

    @property
    def args(self) -> dict[str, Any]:
        """JSON Schema of each argument, by name; a view of the input schema."""
        return dict(self.input_schema.get("properties") or {})

    @property
    def arg_types(self) -> dict[str, Any]:
        """The annotation of each argument, resolved."""
        return dict(self._definition.spec.arg_types)

    @property
    def arg_desc(self) -> dict[str, str]:
        """The description of each argument that has one."""
        return {n: s["description"] for n, s in self.args.items() if _described(s)}

    @property
    def inputs(self) -> dict[str, dict[str, Any]]:
        """Type, description and nullability of each argument; a view of the input schema."""
        from workbench.tools.views import inputs_view

        return inputs_view(self.input_schema)

    @inputs.setter
    def inputs(self, given: dict[str, dict[str, Any]]) -> None:
        self._inputs = given

    @property
    def is_async(self) -> bool:
        """Whether a plain call cannot have the value (see :class:`AsyncToolError`)."""
        return bool(self._definition.spec.is_async)

    @property
    def func(self) -> Callable[..., Any]:
        """What is called."""
        return self._definition.func

    def as_text(self) -> str:
        """Name, description and parameters as plain text, for a prompt or a terminal."""
        from workbench.tools.views import tool_text

        return tool_text(self)

    def schema(self, dialect: str = "mcp", *, strict: bool = False) -> dict[str, Any]:
        """The definition as a provider wants it.

        Parameters
        ----------
        dialect : str
            "mcp", "openai", "openai-responses", "anthropic", "gemini" or "litellm".
        strict : bool
            The provider's strict mode, where it has one.

        Raises
        ------
        ValueError
            If there is no such dialect.
        """
        from workbench.schema.dialects import export

        exported = export(
            name=self.name,
            description=self.description,
            input_schema=self.input_schema,
            output_schema=self.output_schema,
            annotations=self.annotations.to_dict(),
            dialect=dialect,
            strict=strict,
        )
        return exported.schema

    def format_as_litellm_function_call(self) -> dict[str, Any]:
        """The definition as LiteLLM and OpenAI's chat completions take it."""
        return self.schema("litellm")

    def lint(self) -> Findings:
        """What will hurt a model or a provider about this tool, each with a way to mend it."""
        from workbench.tools.lint import lint

        return lint([self])  # type: ignore[list-item]  # a Described is a Tool

    def to_dict(self) -> dict[str, Any]:
        """The tool as plain data: ``name``, ``code``, ``requirements``, and its output schema.

        Raises
        ------
        ToolDefinitionError
            Naming everything that cannot be taken along, and why.
        """
        from workbench.tools.code import to_dict

        return to_dict(self)  # type: ignore[arg-type]  # a Described is a Tool

    def save(
        self, output_dir: Any, tool_file_name: str = "tool", make_gradio_app: bool = True
    ) -> None:
        """Write the tool as code into a folder, with its ``requirements.txt``.

        Parameters
        ----------
        output_dir : path
            The folder; made if it is not there.
        tool_file_name : str
            The module's name, without ``.py``.
        make_gradio_app : bool
            Also write ``app.py``, which opens the tool as a Gradio app.

        Raises
        ------
        ToolDefinitionError
            If it cannot be written as code; nothing is written then.
        """
        from workbench.tools.code import save

        save(self, output_dir, tool_file_name, make_gradio_app)  # type: ignore[arg-type]  # a Described is a Tool

    @staticmethod
    def from_dict(
        given: Mapping[str, Any], *, trust_remote_code: bool = False, **kwargs: Any
    ) -> Tool:
        """Make a tool from what :meth:`to_dict` gave; its code is executed.

        Parameters
        ----------
        given : mapping
            Has ``code``.
        trust_remote_code : bool
            That you have read the code, and want it to run.
        **kwargs
            For the constructor, if the code has a class instead of a tool.

        Raises
        ------
        UntrustedCodeError
            Without trust; nothing has run.
        """
        from workbench.tools.code import from_dict

        return from_dict(given, trust_remote_code=trust_remote_code, **kwargs)

    def __repr__(self) -> str:
        return f"Tool({self.name!r}, {', '.join(self.args) or 'no arguments'})"

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> dict[str, Any]:
        from workbench.tools.views import tool_html, tool_text

        return {"text/plain": tool_text(self), "text/html": tool_html(self)}


def _described(schema: Any) -> bool:
    return isinstance(schema, Mapping) and isinstance(schema.get("description"), str)
