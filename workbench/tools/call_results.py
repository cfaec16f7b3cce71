"""What came of tool calls, each with its call's id, and how a model is told of it."""

from __future__ import annotations

import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast, overload

from workbench.errors import bounded_repr
from workbench.tools.result import ToolResult

if TYPE_CHECKING:
    from workbench.tools.calls import ToolCall

__all__ = ["ToolCallResult", "ToolCallResults"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCallResult:
    """What came of one call.

    Parameters
    ----------
    call_id : str or None
        The call's own.
    name : str
        The tool's.
    value : object
        What the tool returned; of a failure, what went wrong, as text.
    is_error : bool
        The tool failed, or could not be called.
    result : ToolResult
        All of it, block by block.

    Examples
    --------
    >>> ToolCallResult(call_id="c1", name="add", value=3).result.text
    '3'
    """

    call_id: str | None = None
    name: str
    value: Any = None
    is_error: bool = False
    result: ToolResult = field(default=None, repr=False, compare=False)  # type: ignore[assignment]  # filled below

    def __post_init__(self) -> None:
        if cast(Any, self.result) is None:
            result = ToolResult((self.value,), is_error=self.is_error)
            object.__setattr__(self, "result", result)


class ToolCallResults(Sequence[ToolCallResult]):
    """Results in the order of the calls that they answer.

    Parameters
    ----------
    tool_call_results : iterable of ToolCallResult
        In order.

    Examples
    --------
    >>> from workbench.tools.calls import ToolCalls
    >>> calls = ToolCalls([{"id": "c1", "name": "add", "args": {"a": 1, "b": 2}}])
    >>> results = ToolCallResults.from_tool_calls_and_values(calls, [3])
    >>> results.to_messages("openai")
    [{'role': 'tool', 'tool_call_id': 'c1', 'content': '3'}]
    """

    def __init__(self, tool_call_results: Iterable[ToolCallResult] = ()) -> None:
        self._results = tuple(tool_call_results)

    @property
    def tool_call_results(self) -> list[ToolCallResult]:
        """The results, in a list of their own."""
        return list(self._results)

    @classmethod
    def of(cls, calls: Sequence[ToolCall], results: Sequence[ToolResult]) -> ToolCallResults:
        """Pair calls with their results."""
        return cls(
            ToolCallResult(
                call_id=call.id,
                name=call.name,
                value=result.text if result.is_error else result.value,
                is_error=result.is_error,
                result=result,
            )
            for call, result in zip(calls, results, strict=True)
        )

    @classmethod
    def from_tool_calls_and_values(
        cls,
        calls: Sequence[ToolCall],
        values: Sequence[Any] | Mapping[str, Any],
        is_errors: Sequence[bool] | None = None,
    ) -> ToolCallResults:
        """Pair calls with values that were worked out elsewhere.

        Parameters
        ----------
        calls : ToolCalls
            What was asked for.
        values : sequence, or mapping by call id
            What came of each; a :class:`ToolResult` is taken as it is.
        is_errors : sequence of bool, optional
            Which of them are failures.

        Raises
        ------
        ValueError
            If the numbers differ, or an id is unknown or missing.
        """
        if isinstance(values, Mapping):
            values = _in_order(calls, values)
        flags = [False] * len(values) if is_errors is None else list(is_errors)
        if not len(calls) == len(values) == len(flags):
            raise ValueError(
                f"{len(calls)} calls, {len(values)} values and {len(flags)} error flags cannot be "
                "paired; give one of each for each call"
            )
        return cls.of(calls, [_result(v, flag) for v, flag in zip(values, flags, strict=True)])

    @overload
    def __getitem__(self, key: int) -> ToolCallResult: ...

    @overload
    def __getitem__(self, key: slice) -> ToolCallResults: ...

    def __getitem__(self, key: int | slice) -> ToolCallResult | ToolCallResults:
        return ToolCallResults(self._results[key]) if isinstance(key, slice) else self._results[key]

    def __iter__(self) -> Iterator[ToolCallResult]:
        return iter(self._results)

    def __len__(self) -> int:
        return len(self._results)

    def __repr__(self) -> str:
        return f"ToolCallResults({list(self._results)!r})"

    def to_messages(self, dialect: str) -> list[dict[str, Any]]:
        """The messages that tell a model of the results, media as the provider takes them.

        Parameters
        ----------
        dialect : str
            "openai", "openai-responses", "anthropic", "gemini" or "litellm".

        Raises
        ------
        ValueError
            If there is no such dialect.
        """
        from workbench.tools.call_messages import messages

        return messages(self._results, dialect)

    def _repr_mimebundle_(
        self, include: Iterable[str] | None = None, exclude: Iterable[str] | None = None
    ) -> dict[str, Any]:
        parts = "".join(
            f"<p><strong>{html.escape(each.name)}</strong></p>{each.result.to_html()}"
            for each in self._results
        )
        return {"text/plain": repr(self), "text/html": f"<div>{parts}</div>"}


def _in_order(calls: Sequence[ToolCall], values: Mapping[str, Any]) -> list[Any]:
    ids = [call.id for call in calls]
    unknown = [key for key in values if key not in ids]
    missing = [key for key in ids if key not in values]
    if unknown or missing:
        raise ValueError(
            f"the ids do not fit: {bounded_repr(unknown)} name no call, and "
            f"{bounded_repr(missing)} have no value"
        )
    return [values[key] for key in ids if key is not None]


def _result(value: Any, is_error: bool) -> ToolResult:
    return value if isinstance(value, ToolResult) else ToolResult((value,), is_error=is_error)
