"""One connection, owned by one task on the background loop, usable from everywhere."""

from __future__ import annotations

import asyncio
import contextlib
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from workbench.errors import ConnectionFailed, ToolCancelled, WorkbenchError
from workbench.sources.mcp.faults import cause_of, is_gone, needs_back_channel, told
from workbench.sources.mcp.sdk import Callbacks, Peer, connect
from workbench.sources.mcp.target import Target
from workbench.tools.loop import background
from workbench.tools.run import LogLine, Question, Run, current_run

__all__ = ["Connection", "Handlers"]


class Handlers:
    """What a person, or a callback of theirs, does when a server asks.

    Parameters
    ----------
    elicitation, sampling : callable or None
        As :class:`MCPClient` takes them.
    roots : tuple of str
        File addresses.
    ask_people : bool
        Whether somebody is there to be asked.
    """

    def __init__(
        self,
        elicitation: Callable[..., Any] | None,
        sampling: Callable[..., Any] | None,
        roots: tuple[str, ...],
        ask_people: bool,
    ) -> None:
        self.elicitation = elicitation
        self.sampling = sampling
        self.roots = roots
        self.ask_people = ask_people


async def _awaited(value: Any) -> Any:
    return await value if isinstance(value, Awaitable) else value


class Connection:
    """A server that is connected to when it is needed, and again when it was lost.

    Parameters
    ----------
    target : Target
        The server.
    handlers : Handlers
        What to do when it asks.
    timeout_s, connect_timeout_s : float
        Seconds for a call without any progress, and for connecting.
    mode : str
        "auto" or "legacy".
    """

    def __init__(
        self,
        target: Target,
        handlers: Handlers,
        *,
        timeout_s: float,
        connect_timeout_s: float,
        mode: str,
    ) -> None:
        self.target = target
        self.handlers = handlers
        self.timeout_s = timeout_s
        self.connect_timeout_s = connect_timeout_s
        self.mode = mode
        self.log: list[LogLine] = []
        self.changed = asyncio.Event()
        self._active: list[Run] = []
        self._peer: Peer | None = None
        self._life: asyncio.Task[None] | None = None
        self._leave: asyncio.Event | None = None
        self._opening = asyncio.Lock()
        self._errlog: Any = None

    # Its life, on the background loop

    async def open(self) -> Peer:
        """The connection, made if there is none.

        Raises
        ------
        ConnectionFailed
            Naming the cause, with the server's last words.
        """
        async with self._opening:
            if self._peer is None or self._life is None or self._life.done():
                await self._start()
            assert self._peer is not None
            return self._peer

    async def _start(self) -> None:
        self._errlog = self._errlog or tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115  # closed by close()
        ready: asyncio.Future[Peer] = asyncio.get_running_loop().create_future()
        self._leave = asyncio.Event()
        self._life = asyncio.create_task(self._live(ready, self._leave))
        try:
            async with asyncio.timeout(self.connect_timeout_s):
                self._peer = await asyncio.shield(ready)
        except TimeoutError:
            await self._stop_task()
            raise ConnectionFailed(
                f"no answer from {str(self.target)!r} within {self.connect_timeout_s:g} s",
                self.stderr(),
            ) from None
        except asyncio.CancelledError:
            await self._stop_task()
            raise

    async def _live(self, ready: asyncio.Future[Peer], leave: asyncio.Event) -> None:
        """Enter and leave the SDK's scopes in one task, as they demand."""
        try:
            async with connect(self.target, self._callbacks(), self._errlog, self.mode) as peer:
                ready.set_result(peer)
                await leave.wait()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(self._failed(error))
            elif not isinstance(error, (Exception, BaseExceptionGroup)):
                raise
        finally:
            self._peer = None

    def _failed(self, error: BaseException) -> ConnectionFailed:
        if isinstance(error, ConnectionFailed):
            return error
        message = f"cannot connect to {str(self.target)!r}: {told(cause_of(error))}"
        return ConnectionFailed(message, self.stderr())

    async def _stop_task(self) -> None:
        life, self._life, self._peer = self._life, None, None
        if life is None:
            return
        if self._leave is not None:
            self._leave.set()
        done, _ = await asyncio.wait([life], timeout=5)
        if not done:
            life.cancel()
            await asyncio.wait([life], timeout=2)

    async def close(self) -> None:
        """End the connection; a further call makes a new one."""
        async with self._opening:
            await self._stop_task()
            if self._errlog is not None:
                self._errlog.close()
                self._errlog = None

    @property
    def alive(self) -> bool:
        """Whether there is a connection now."""
        return self._peer is not None

    @property
    def protocol(self) -> str:
        """The protocol revision that was agreed on; empty without a connection."""
        return self._peer.protocol if self._peer is not None else ""

    def stderr(self, lines: int = 20) -> str:
        """The last lines that the server wrote to its standard error."""
        if self._errlog is None or self._errlog.closed:
            return ""
        self._errlog.flush()
        self._errlog.seek(0, 2)
        self._errlog.seek(max(0, self._errlog.tell() - 8000))
        return "\n".join(self._errlog.read().splitlines()[-lines:])

    # Requests, on the background loop

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask for a list or a thing.

        Raises
        ------
        ConnectionFailed
            If the server is gone.
        WorkbenchError
            If it answers with an error.
        """
        peer = await self.open()
        async with self._mapped(method):
            async with asyncio.timeout(self.timeout_s):
                return await peer.request(method, **params)

    async def pages(self, method: str, key: str) -> list[dict[str, Any]]:
        """All pages of a list; a cursor that comes again ends it."""
        found: list[dict[str, Any]] = []
        seen: set[str] = set()
        cursor: str | None = None
        while True:
            page = await self.request(method, **({"cursor": cursor} if cursor else {}))
            found.extend(page.get(key) or ())
            cursor = page.get("nextCursor")
            if not cursor or cursor in seen:
                return found
            seen.add(cursor)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool of the server.

        Raises
        ------
        ConnectionFailed
            If the server is gone; the next call starts it anew.
        WorkbenchError
            If the protocol, not the tool, says no.
        """
        answer = await self._called(name, arguments)
        if self.mode == "auto" and needs_back_channel(answer):
            self.note("info", "the server needs the older protocol to ask back; reconnected in it")
            self.mode = "legacy"
            await self._stop_task()
            answer = await self._called(name, arguments)
        return answer

    async def _called(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        peer, run = await self.open(), current_run()
        last = [time.monotonic()]

        async def heard(done: float, total: float | None, message: str | None) -> None:
            last[0] = time.monotonic()
            if run is not None:
                run.report(done, total, message or "")

        with self._listed(run):
            async with self._mapped(name):
                return await self._patiently(peer.call_tool(name, arguments, heard), last, run)

    async def _patiently(self, call: Any, last: list[float], run: Run | None) -> dict[str, Any]:
        """Wait while there is progress, or while a person is being asked."""
        task = asyncio.ensure_future(call)
        try:
            while True:
                left = last[0] + self.timeout_s - time.monotonic()
                if run is not None and run.question is not None:
                    left, last[0] = self.timeout_s, time.monotonic()
                if left <= 0:
                    raise TimeoutError
                done, _ = await asyncio.wait([task], timeout=left)
                if done:
                    answer: dict[str, Any] = task.result()
                    return answer
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait([task], timeout=2)

    @contextlib.contextmanager
    def _listed(self, run: Run | None) -> Any:
        """Know which runs are under way, so that questions and log lines find theirs."""
        if run is not None:
            self._active.append(run)
        try:
            yield
        finally:
            if run is not None and run in self._active:
                self._active.remove(run)

    @contextlib.asynccontextmanager
    async def _mapped(self, what: str) -> AsyncIterator[None]:
        """The one border where the SDK's exceptions become ours."""
        try:
            yield
        except (WorkbenchError, TimeoutError, asyncio.CancelledError):
            raise
        except Exception as error:
            cause = cause_of(error)
            if is_gone(cause):
                await self._stop_task()
                raise ConnectionFailed(
                    f"the server {str(self.target)!r} went away during {what!r} "
                    f"({told(cause)}); the next call starts it anew",
                    self.stderr(),
                ) from error
            raise WorkbenchError(f"{what}: {told(cause)}") from error

    # When the server speaks first

    def note(self, level: str, text: str, logger: str = "") -> None:
        """Add to the server's log, and to that of the run under way."""
        self.log.append(LogLine(level=level, text=text, logger=logger))
        del self.log[:-5000]
        if self._active:
            self._active[-1].note(level, text, logger)

    def _callbacks(self) -> Callbacks:
        asks = self.handlers.elicitation is not None or self.handlers.ask_people
        return Callbacks(
            elicit=self._elicit if asks else None,
            sample=self._sample if self.handlers.sampling is not None else None,
            roots=self.handlers.roots,
            log=self._heard_log,
            changed=self._heard_change,
        )

    def _heard_log(self, params: dict[str, Any]) -> None:
        data = params.get("data")
        text = data if isinstance(data, str) else str(data)
        self.note(str(params.get("level", "info")), text, str(params.get("logger") or ""))

    def _heard_change(self, method: str) -> None:
        if method == "notifications/tools/list_changed":
            self.changed.set()

    async def _elicit(self, params: dict[str, Any]) -> dict[str, Any]:
        message, schema = str(params.get("message", "")), params.get("requestedSchema") or {}
        try:
            answer = await self._answer(message, schema, params.get("url"))
        except ToolCancelled:
            return {"action": "cancel"}
        if answer is None:
            return {"action": "decline"}
        return {"action": "accept", "content": dict(answer)}

    async def _answer(self, message: str, schema: Any, url: Any) -> Any:
        if self.handlers.elicitation is not None:
            return await _awaited(self.handlers.elicitation(message, schema))
        watched = [run for run in self._active if run.watched]
        if not watched:
            raise ToolCancelled("nobody is there to answer")
        question = Question(message, schema, str(url) if url else None)
        return await asyncio.wrap_future(watched[-1].ask(question))

    async def _sample(self, params: dict[str, Any]) -> dict[str, Any]:
        assert self.handlers.sampling is not None
        answer = await _awaited(self.handlers.sampling(params.get("messages", []), params))
        return {
            "role": "assistant",
            "model": "workbench",
            "content": {"type": "text", "text": str(answer)},
        }


def on_background(work: Any) -> Any:
    """Wait for a coroutine on the background loop, from any thread but its own."""
    return background().wait(work)
