"""The stream of a server's messages, watched on its way into the SDK."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from workbench.sources.mcp.tolerance import tolerated

__all__ = ["watched"]


class _Watched:
    """A stream that tolerates odd results, and says when it has ended.

    Parameters
    ----------
    stream : object
        The transport's own.
    ended : callable
        Called when there is nothing more to come.
    """

    def __init__(self, stream: Any, ended: Callable[[], None]) -> None:
        self._stream = stream
        self._ended = ended

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def __aiter__(self) -> _Watched:
        return self

    async def __anext__(self) -> Any:
        try:
            return _made_tolerable(await self._stream.__anext__())
        except BaseException:
            self._ended()
            raise

    async def receive(self) -> Any:
        try:
            return _made_tolerable(await self._stream.receive())
        except BaseException:
            self._ended()
            raise

    async def __aenter__(self) -> _Watched:
        await self._stream.__aenter__()
        return self

    async def __aexit__(self, *exception: Any) -> Any:
        return await self._stream.__aexit__(*exception)


def _made_tolerable(message: Any) -> Any:
    """The message itself, with a result that the SDK takes; exceptions pass."""
    inner: Any = getattr(message, "message", None)
    response: Any = getattr(inner, "root", inner)
    result = getattr(response, "result", None)
    if isinstance(result, dict):
        response.result = tolerated(result)
    return message


@contextlib.asynccontextmanager
async def watched(transport: Any, ended: Callable[[], None]) -> AsyncIterator[tuple[Any, Any]]:
    """A transport of the SDK whose messages are watched."""
    async with transport as streams:
        yield _Watched(streams[0], ended), streams[1]
