"""What came of a call: content blocks in order, structured content, or an error."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from workbench.errors import (
    ConnectionFailed,
    InvalidArguments,
    Problem,
    ToolError,
    WorkbenchError,
)
from workbench.tools.content import Resource, ResourceLink, blocks
from workbench.types import AgentAudio, AgentImage, AgentText, AgentVideo
from workbench.types.visible import visible

if TYPE_CHECKING:
    from workbench.types import AgentType

__all__ = ["ToolResult"]

_UNSET: Any = object()


@dataclass(frozen=True, eq=False, repr=False)
class ToolResult:
    r"""The outcome of one call; a failure is a result too.

    Parameters
    ----------
    content : iterable
        Blocks in order; anything :func:`workbench.wrap` understands.
    structured_content : object
        A JSON value that says the same to a program, or None.
    is_error : bool
        The tool failed, or could not be called.
    value : object
        What ``tool(...)`` returns. By default the one block's value, the list of several, the
        structured content where there is no block, else None.
    error : Exception or None
        What was raised, with its traceback.
    annotations : tuple of mapping
        MCP's ``audience`` and ``priority``, one mapping for each block.
    meta : mapping
        MCP's ``_meta``.
    output_problems : tuple of Problem
        Where the structured content breaks the tool's output schema.
    app : Resource or None
        A page that shows the result, for people only (MCP Apps); it runs in a frame that reaches
        nothing, when somebody asks for it.

    Examples
    --------
    >>> result = ToolResult(["a caption", 3])
    >>> result.value, result.text
    (['a caption', 3], 'a caption\n3')
    """

    content: tuple[Any, ...]
    structured_content: Any = None
    is_error: bool = False
    value: Any = _UNSET
    error: BaseException | None = field(default=None, kw_only=True)
    annotations: tuple[Mapping[str, Any], ...] = field(default=(), kw_only=True)
    meta: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    output_problems: tuple[Problem, ...] = field(default=(), kw_only=True)
    app: Resource | None = field(default=None, kw_only=True)

    def __post_init__(self) -> None:
        content = tuple(block for given in _listed(self.content) for block in blocks(given))
        object.__setattr__(self, "content", content)
        if self.value is _UNSET:
            object.__setattr__(self, "value", _value_of(content, self.structured_content))

    @classmethod
    def failure(cls, error: BaseException) -> ToolResult:
        """The result of a call that raised `error`."""
        return cls((AgentText(error_text(error)),), is_error=True, value=None, error=error)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What was wrong with the arguments, if that is why the call failed."""
        return self.error.problems if isinstance(self.error, InvalidArguments) else ()

    @property
    def text(self) -> str:
        """All text in the result, one line for each block; media are left out."""
        return "\n".join(text for text in map(_text_of, self.content) if text is not None)

    @property
    def images(self) -> tuple[AgentImage, ...]:
        """The pictures, in order, those inside resources included."""
        return tuple(v for v in map(_inner, self.content) if isinstance(v, AgentImage))

    @property
    def audios(self) -> tuple[AgentAudio, ...]:
        """The sounds, in order, those inside resources included."""
        return tuple(v for v in map(_inner, self.content) if isinstance(v, AgentAudio))

    @property
    def videos(self) -> tuple[AgentVideo, ...]:
        """The videos, in order, those inside resources included."""
        return tuple(v for v in map(_inner, self.content) if isinstance(v, AgentVideo))

    @cached_property
    def embedded_media(self) -> tuple[AgentImage | AgentAudio, ...]:
        """Pictures and sounds that the tool has written into text or JSON, at most eight."""
        from workbench.tools.embedded import embedded_media

        return embedded_media((*map(_inner, self.content), self.structured_content))

    def unwrap(self) -> Any:
        """The value, or the failure raised.

        Raises
        ------
        InvalidArguments
            If the arguments did not fit.
        ToolError
            If the tool failed; its own exception is the cause.
        """
        if not self.is_error:
            return self.value
        if isinstance(self.error, (ConnectionFailed, InvalidArguments, ToolError)):
            raise self.error
        raise ToolError(visible(self.text) or "the tool failed without saying why") from self.error

    def __repr__(self) -> str:
        kinds = ", ".join(type(block).__name__ for block in self.content[:5])
        more = f", and {len(self.content) - 5} more" if len(self.content) > 5 else ""
        state = ", is_error=True" if self.is_error else ""
        structured = ", structured" if self.structured_content is not None else ""
        return f"ToolResult([{kinds}{more}]{structured}{state})"

    def to_html(self) -> str:
        """One safe piece of HTML that shows everything, bounded in size."""
        from workbench.tools.result_html import result_html

        return result_html(self)

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> Any:
        from workbench.tools.result_html import result_bundle

        return result_bundle(self, include=include, exclude=exclude)


def error_text(error: BaseException) -> str:
    """An error in one or a few lines: its own words, with its type when it is foreign."""
    if isinstance(error, WorkbenchError) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__


def _listed(content: Any) -> Iterable[Any]:
    """Blocks as given; one value that is no collection of blocks counts as one block."""
    return content if isinstance(content, (tuple, list)) else (content,)


def _value_of(content: tuple[Any, ...], structured: Any) -> Any:
    if not content:
        return structured
    values = [_inner(block) for block in content]
    return values[0] if len(values) == 1 else values


def _inner(block: Any) -> Any:
    return block.value if isinstance(block, Resource) else block


def _text_of(block: Any) -> str | None:
    value: AgentType | Any = _inner(block)
    if isinstance(value, (AgentImage, AgentAudio, AgentVideo, bytes)):
        return None
    return value.uri if isinstance(value, ResourceLink) else str(value)
