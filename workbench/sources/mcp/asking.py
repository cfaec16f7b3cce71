"""What a person, or a callback of theirs, does when a server asks."""

from __future__ import annotations

import asyncio
import base64
import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from workbench.errors import InvalidArguments, ToolCancelled
from workbench.schema import validator
from workbench.sources.mcp.results import block_from
from workbench.tools.run import Question, Run
from workbench.types import AgentAudio, AgentImage

__all__ = ["Asking"]

_ANSWER = {
    "type": "object",
    "properties": {"text": {"type": "string", "title": "Answer", "contentMediaType": "text/plain"}},
    "required": ["text"],
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Asking:
    """The answers to a server's own requests.

    Parameters
    ----------
    elicitation, sampling : callable or None
        As :class:`MCPClient` takes them.
    roots : tuple of str
        File addresses.
    people : bool
        Whether somebody may be there to be asked, where there is no callback.
    """

    elicitation: Callable[..., Any] | None = None
    sampling: Callable[..., Any] | None = None
    roots: tuple[str, ...] = ()
    people: bool = False

    @property
    def elicits(self) -> bool:
        """Whether the client can say that it answers questions."""
        return self.elicitation is not None or self.people

    @property
    def samples(self) -> bool:
        """Whether the client can say that it answers for a model."""
        return self.sampling is not None or self.people

    async def elicit(self, params: Mapping[str, Any], run: Run | None) -> dict[str, Any]:
        """Answer a question (``elicitation/create``).

        Parameters
        ----------
        params : mapping
            As they came over the wire.
        run : Run or None
            The run that somebody watches and can answer in.

        Raises
        ------
        InvalidArguments
            If a callback's answer does not fit what was asked for.
        """
        try:
            answer = await self._answer(params, run)
        except ToolCancelled:
            return {"action": "cancel"}
        if answer is None:
            return {"action": "decline"}
        if params.get("url"):
            return {"action": "accept"}
        content = _with_defaults(params.get("requestedSchema") or {}, answer)
        return {"action": "accept", "content": content}

    async def _answer(self, params: Mapping[str, Any], run: Run | None) -> Any:
        message, url = str(params.get("message", "")), params.get("url")
        schema = params.get("requestedSchema") or {}
        if self.elicitation is not None:
            return await _called(self.elicitation, message, {"url": str(url)} if url else schema)
        return await _asked(run, Question(message, schema, str(url) if url else None))

    async def sample(self, params: Mapping[str, Any], run: Run | None) -> dict[str, Any]:
        """Answer for a model (``sampling/createMessage``).

        Raises
        ------
        ToolCancelled
            If whoever is asked does not want to.
        """
        messages = [
            {"role": message.get("role"), "content": _typed(message.get("content"))}
            for message in params.get("messages") or ()
        ]
        if self.sampling is not None:
            answer = await _called(self.sampling, messages, dict(params))
        else:
            given = await _asked(run, Question(_conversation(messages, params), _ANSWER))
            answer = None if given is None else given.get("text", "")
        if answer is None:
            raise ToolCancelled("the person does not want to answer for a model")
        return _message(answer)


async def _called(callback: Callable[..., Any], *given: Any) -> Any:
    """What a callback answers; a plain function may take its time, so it has a thread."""
    if inspect.iscoroutinefunction(callback):
        return await callback(*given)
    answer = await asyncio.to_thread(callback, *given)
    return await answer if inspect.isawaitable(answer) else answer


async def _asked(run: Run | None, question: Question) -> Any:
    if run is None:
        raise ToolCancelled("nobody is there to answer")
    return await asyncio.wrap_future(run.ask(question))


def _with_defaults(schema: Mapping[str, Any], answer: Mapping[str, Any]) -> dict[str, Any]:
    """The answer, completed by the defaults of what was asked for (SEP-1034), and checked."""
    properties = schema.get("properties") or {}
    defaults = {
        name: known["default"]
        for name, known in properties.items()
        if isinstance(known, Mapping) and known.get("default") is not None
    }
    content = {**defaults, **answer}
    problems = validator(schema).problems(content)
    if problems:
        raise InvalidArguments(problems, "the server's question")
    return content


def _typed(content: Any) -> Any:
    """Content of a message as agent types; a list where there are several blocks."""
    if isinstance(content, Mapping):
        return block_from(content)
    return [block_from(block) for block in content or ()]


def _conversation(messages: list[dict[str, Any]], params: Mapping[str, Any]) -> str:
    """What a model would read, for a person to read."""
    system = params.get("systemPrompt")
    lines = [f"(system) {system}"] if system else []
    for message in messages:
        content = message["content"]
        parts = content if isinstance(content, list) else [content]
        lines += [
            f"({message['role']}) {part if isinstance(part, str) else repr(part)}" for part in parts
        ]
    return "The server asks for a model's answer to this:\n\n" + "\n".join(lines)


def _message(answer: Any) -> dict[str, Any]:
    """An answer as the protocol's message; a mapping is one already."""
    head = {"role": "assistant", "model": "workbench"}
    if isinstance(answer, Mapping):
        return {**head, **answer}
    if isinstance(answer, (list, tuple)):
        return {**head, "content": [_block(part) for part in answer]}
    return {**head, "content": _block(answer)}


def _block(value: Any) -> dict[str, Any]:
    if isinstance(value, (AgentImage, AgentAudio)):
        data = base64.b64encode(value.to_bytes()).decode("ascii")
        return {"type": value.media, "data": data, "mimeType": value.mime_type}
    return dict(value) if isinstance(value, Mapping) else {"type": "text", "text": str(value)}
