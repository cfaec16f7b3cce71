"""What a model asks for: tool calls, read from any provider's message, and carried out.

Only the tools that are handed over can be called. Every call ends in a result, in the order of
the calls: unknown names, unreadable arguments and failures are results too.
"""

from __future__ import annotations

import asyncio
import contextvars
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, ClassVar, overload

from workbench.errors import InvalidArguments, Problem, ToolError, bounded_repr
from workbench.schema.dialects import DIALECTS, wire_name
from workbench.schema.strict import without_nulls
from workbench.tools.call_results import ToolCallResults
from workbench.tools.call_shapes import (
    call_in,
    calls_in,
    is_delta,
    joined_deltas,
    plain,
    read_arguments,
)
from workbench.tools.collection import ToolCollection, no_such_tool
from workbench.tools.decorator import tool as made_tool
from workbench.tools.result import ToolResult
from workbench.tools.tool_class import Tool

__all__ = ["ToolCall", "ToolCalls"]

Tools = Iterable[Tool | Callable[..., Any]] | Mapping[str, Tool | Callable[..., Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call that a model asks for.

    Parameters
    ----------
    id : str or None
        What the provider calls it; its result carries the same.
    name : str
        The tool's name.
    args : dict
        Its arguments. Text is parsed, and repaired where its faults are small; what cannot be
        read stays as it was given, and the call becomes an error result.

    Examples
    --------
    >>> ToolCall(id="c1", name="add", args='{"a": 1, "b": 2').args
    {'a': 1, 'b': 2}
    """

    id: str | None = None
    name: str
    args: Any = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", read_arguments(self.args))

    @property
    def problem(self) -> Problem | None:
        """Why the arguments cannot be read; None where they can."""
        if isinstance(self.args, dict):
            return None
        got = bounded_repr(self.args)
        return Problem(
            path=(), message=f"must be a JSON object, got {got}", expected="an object", got=got
        )

    def to_dict(self) -> dict[str, Any]:
        """The call as ``{"id", "name", "args"}``, which :meth:`ToolCalls.from_dict_list` reads."""
        return {"id": self.id, "name": self.name, "args": self.args}


_Call = ToolCall


class ToolCalls(Sequence[_Call]):
    """Calls in the order in which a model asks for them.

    Parameters
    ----------
    tool_calls : iterable of ToolCall or mapping
        Mappings in any shape that :meth:`from_dict_list` reads.

    Examples
    --------
    >>> def add(a: int, b: int) -> int:
    ...     return a + b
    >>> calls = ToolCalls([{"id": "c1", "name": "add", "arguments": '{"a": 1, "b": 2}'}])
    >>> [result.value for result in calls.execute([add])]
    [3]
    """

    ToolCall: ClassVar = _Call

    def __init__(self, tool_calls: Iterable[_Call | Mapping[str, Any]] = ()) -> None:
        self._calls = tuple(c if isinstance(c, _Call) else _read(c) for c in tool_calls)

    @property
    def tool_calls(self) -> list[_Call]:
        """The calls, in a list of their own."""
        return list(self._calls)

    @classmethod
    def from_dict_list(cls, given: Any) -> ToolCalls:
        """Read calls written as dicts.

        Parameters
        ----------
        given : list of mapping, or mapping
            Each ``{name, args}``, ``{name, arguments}``, ``{function: {name, arguments}}``, or
            as a provider writes it; also one alone, or ``{"tool_calls": [...]}``.

        Raises
        ------
        ValueError
            If something there is no call.
        """
        if isinstance(given, Mapping):
            listed = given.get("tool_calls")
            given = [given] if listed is None else listed
        if not isinstance(given, (list, tuple)):
            raise ValueError(f"calls are a list of dicts, not {bounded_repr(given)}")
        return cls(given)

    @classmethod
    def from_message(cls, message: Any) -> ToolCalls:
        """Read the calls in an assistant's message or a whole response; there may be none.

        Parameters
        ----------
        message : mapping, SDK object, or list
            Of OpenAI (chat, responses, and the chunks of a stream), Anthropic, Gemini, or a
            library that speaks like one of them.

        Raises
        ------
        ValueError
            If it is no message.
        """
        given = plain(message)
        if not isinstance(given, (Mapping, list, tuple)):
            raise ValueError(f"a message is a dict or an SDK's object, not {bounded_repr(message)}")
        if isinstance(given, (list, tuple)) and any(map(is_delta, given)):
            return cls(joined_deltas(given))
        return cls(_made(*found) for found in calls_in(given))

    @overload
    def __getitem__(self, key: int) -> _Call: ...

    @overload
    def __getitem__(self, key: slice) -> ToolCalls: ...

    def __getitem__(self, key: int | slice) -> _Call | ToolCalls:
        return ToolCalls(self._calls[key]) if isinstance(key, slice) else self._calls[key]

    def __iter__(self) -> Iterator[_Call]:
        return iter(self._calls)

    def __len__(self) -> int:
        return len(self._calls)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ToolCalls) and self._calls == other._calls

    __hash__ = None  # type: ignore[assignment]  # arguments are dicts

    def __repr__(self) -> str:
        return f"ToolCalls({list(self._calls)!r})"

    def to_dict(self) -> dict[str, Any]:
        """The calls as plain data, which :meth:`from_dict_list` reads."""
        return {"tool_calls": [call.to_dict() for call in self._calls]}

    def execute(self, tools: Tools, *, max_concurrent: int = 8) -> ToolCallResults:
        """Carry out the calls side by side, in threads.

        Parameters
        ----------
        tools : iterable of Tool or callable, or mapping by name
            All that may be called.
        max_concurrent : int
            Calls at once, at most.

        Returns
        -------
        ToolCallResults
            One for each call, in order; failures are results too.
        """
        known = _known(tools)
        if len(self) <= 1 or max_concurrent == 1:
            return ToolCallResults.of(self, [_run(known, call) for call in self])
        pool = ThreadPoolExecutor(min(max_concurrent, len(self)), "workbench-calls")
        try:
            waiting = [
                pool.submit(contextvars.copy_context().run, _run, known, call) for call in self
            ]
            return ToolCallResults.of(self, [future.result() for future in waiting])
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    async def aexecute(self, tools: Tools, *, max_concurrent: int = 8) -> ToolCallResults:
        """Carry out the calls side by side, on a loop that stays free.

        Parameters
        ----------
        tools : iterable of Tool or callable, or mapping by name
            All that may be called.
        max_concurrent : int
            Calls at once, at most.
        """
        known, turn = _known(tools), asyncio.Semaphore(max_concurrent)

        async def run(call: _Call) -> ToolResult:
            async with turn:
                return await _run_async(known, call)

        return ToolCallResults.of(self, await asyncio.gather(*map(run, self)))


def _read(item: Any) -> ToolCall:
    found = call_in(item)
    if found is None:
        raise ValueError(
            f"no tool call: {bounded_repr(item)}; one has 'name' and 'args' or 'arguments', or a "
            "provider's own shape"
        )
    return _made(*found)


def _made(call_id: Any, name: Any, args: Any) -> ToolCall:
    return ToolCall(id=None if call_id is None else str(call_id), name=str(name or ""), args=args)


def _known(tools: Tools) -> dict[str, Tool]:
    """Tools by their names, and by the names under which providers were told of them."""
    if isinstance(tools, Mapping):
        known = {n: t if isinstance(t, Tool) else made_tool(t) for n, t in tools.items()}
    else:
        known = {tool.name: tool for tool in ToolCollection(tools)}
    for name, tool in tuple(known.items()):
        for most in {most for _, most in DIALECTS.values()}:
            known.setdefault(wire_name(name, most), tool)
    return known


def _asked(known: Mapping[str, Tool], call: ToolCall) -> Tool:
    """The tool that a call is for.

    Raises
    ------
    ToolError
        If there is none of that name.
    InvalidArguments
        If the arguments cannot be read.
    """
    if call.name not in known:
        raise ToolError(no_such_tool(call.name, tuple(known)))
    if call.problem is not None:
        raise InvalidArguments([call.problem], call.name)
    return known[call.name]


def _meant(tool: Tool, call: ToolCall) -> dict[str, Any]:
    """The arguments without the nulls by which strict mode leaves something out."""
    arguments: dict[str, Any] = without_nulls(call.args, tool.input_schema, tool.input_schema)
    return arguments


def _run(known: Mapping[str, Tool], call: ToolCall) -> ToolResult:
    started_at, clock = time.time(), time.perf_counter()
    try:
        tool = _asked(known, call)
    except (InvalidArguments, ToolError) as error:
        return ToolResult.failure(error)
    try:
        result = tool.perform(tool.check(_meant(tool, call)))
    except InvalidArguments as error:
        result = ToolResult.failure(error)
    tool.publish(call.args, result, started_at, time.perf_counter() - clock, "model")
    return result


async def _run_async(known: Mapping[str, Tool], call: ToolCall) -> ToolResult:
    started_at, clock = time.time(), time.perf_counter()
    try:
        tool = _asked(known, call)
    except (InvalidArguments, ToolError) as error:
        return ToolResult.failure(error)
    try:
        result = await tool.perform_async(tool.check(_meant(tool, call)))
    except InvalidArguments as error:
        result = ToolResult.failure(error)
    tool.publish(call.args, result, started_at, time.perf_counter() - clock, "model")
    return result
