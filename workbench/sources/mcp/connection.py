"""One connection, owned by one task on the background loop, usable from everywhere."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable, Iterator, Mapping
from typing import Any

from workbench.errors import ConnectionFailed, WorkbenchError
from workbench.sources.mcp.asking import Asking
from workbench.sources.mcp.calls import Calls
from workbench.sources.mcp.faults import (
    Fault,
    Refused,
    cause_of,
    code_of,
    forgot_session,
    is_gone,
    mapped,
    needs_back_channel,
    refusal,
    told,
)
from workbench.sources.mcp.paging import Pages
from workbench.sources.mcp.sdk import Callbacks, Peer, connect
from workbench.sources.mcp.stderr import StderrFile
from workbench.sources.mcp.target import Target
from workbench.sources.mcp.tasks import called_as_task
from workbench.tools.run import LogLine

__all__ = ["Connection"]

_TRIM_S = 5.0
_STOP_S = 8.0
"""How long ending a connection may take; the SDK's own steps take up to six seconds."""


_IMPATIENCE_S = 0.5
"""The same for a server that has not even answered to being connected to."""


class Connection:
    """A server that is connected to when it is needed, and again when it was lost.

    Everything but the properties belongs on the background loop.

    Parameters
    ----------
    target : Target
        The server.
    asking : Asking
        What to do when it asks.
    timeout_s, max_timeout_s, connect_timeout_s : float
        Seconds for a call without any sign of life, for any call, and for connecting.
    mode : str
        "auto" or "legacy".
    """

    def __init__(
        self,
        target: Target,
        asking: Asking,
        *,
        timeout_s: float,
        max_timeout_s: float,
        connect_timeout_s: float,
        mode: str,
    ) -> None:
        self.target = target
        self.asking = asking
        self.timeout_s = timeout_s
        self.connect_timeout_s = connect_timeout_s
        self.mode = mode
        self.log: list[LogLine] = []
        self.on_change: Callable[[], None] = lambda: None
        self.on_update: Callable[[str], None] = lambda uri: None
        self._subscribed: set[str] = set()
        self._clock: asyncio.Timeout | None = None
        self._refusal: tuple[int, str] | None = None
        self._failure: ConnectionFailed | None = None
        self._calls = Calls(timeout_s, max_timeout_s)
        self._peer: Peer | None = None
        self._life: asyncio.Task[None] | None = None
        self._leave = asyncio.Event()
        self._opening = asyncio.Lock()
        self._stderr: StderrFile | None = None

    # Its life

    async def open(self) -> Peer:
        """The connection, made if there is none.

        Raises
        ------
        ConnectionFailed
            Naming the cause, with the server's last words.
        """
        if self._peer is not None:
            return self._peer
        async with self._opening:
            if self._peer is None:
                await self._stop()
                self._peer = await self._start()
                await self._subscribe_again(self._peer)
            return self._peer

    async def _start(self) -> Peer:
        self._stderr = self._stderr or StderrFile()
        ready: asyncio.Future[Peer] = asyncio.get_running_loop().create_future()
        self._leave, self._refusal, self._failure = asyncio.Event(), None, None
        self._life = asyncio.create_task(self._live(ready, self._leave, self._stderr))
        try:
            async with asyncio.timeout(self.connect_timeout_s) as self._clock:
                return await asyncio.shield(ready)
        except TimeoutError:
            ready.cancel()
            await self._stop(patience_s=_IMPATIENCE_S)
            raise ConnectionFailed(
                f"no answer from {str(self.target)!r} within {self.connect_timeout_s:g} s",
                self.stderr(),
            ) from None
        except BaseException:
            await self._stop()
            raise
        finally:
            self._clock = None

    async def _live(
        self, ready: asyncio.Future[Peer], leave: asyncio.Event, stderr: StderrFile
    ) -> None:
        """Enter and leave the SDK's scopes in one task, as they demand."""
        try:
            async with connect(self.target, self._callbacks(leave), stderr, self.mode) as peer:
                ready.set_result(peer)
                while not leave.is_set():
                    with contextlib.suppress(TimeoutError):
                        await asyncio.wait_for(leave.wait(), _TRIM_S)
                    stderr.trim()
        except BaseException as error:
            if not ready.done():
                ready.set_exception(self._failed(error))
            elif not isinstance(error, (Exception, BaseExceptionGroup)):
                raise

    def _failed(self, error: BaseException) -> ConnectionFailed:
        known = self._failure or error
        if isinstance(known, ConnectionFailed):
            return known
        cause = cause_of(error)
        why = told(cause) if self._refusal is None else refusal(*self._refusal, told(cause))
        message = f"cannot connect to {str(self.target)!r}: {why}"
        return ConnectionFailed(message, self.stderr())

    async def _stop(self, patience_s: float = _STOP_S) -> None:
        life, self._life, self._peer = self._life, None, None
        self._leave.set()
        if life is None:
            return
        done, _ = await asyncio.wait([life], timeout=patience_s)
        if not done:
            life.cancel()
            await asyncio.wait([life], timeout=1)

    def _lost(self, peer: Peer) -> None:
        """Forget a connection that is of no more use; the next call makes another."""
        if self._peer is peer:
            self._peer = None
            self._leave.set()

    async def close(self) -> None:
        """End the connection; a further call makes a new one."""
        async with self._opening:
            await self._stop()
            if self._stderr is not None:
                self._stderr.close()
                self._stderr = None

    @property
    def is_open(self) -> bool:
        """Whether there is something to close."""
        return self._life is not None or self._stderr is not None

    @property
    def protocol(self) -> str:
        """The protocol revision that was agreed on; empty without a connection."""
        return self._peer.protocol if self._peer is not None else ""

    def stderr(self, lines: int = 20) -> str:
        """The last lines that the server wrote to its standard error."""
        return self._stderr.tail(lines) if self._stderr is not None else ""

    # Requests

    async def request(self, method: str, **params: Any) -> dict[str, Any]:
        """Ask for a list or a thing.

        Raises
        ------
        ConnectionFailed
            If the server is gone.
        WorkbenchError
            If it answers with an error.
        """

        async def ask(peer: Peer) -> dict[str, Any]:
            async with asyncio.timeout(self.timeout_s):
                return await peer.request(method, **params)

        return await self._asked(method, ask)

    async def pages(self, method: str, key: str) -> list[dict[str, Any]]:
        """All pages of a list; a missing method is no page."""
        listed = Pages(method, key, self.note)
        while listed.more:
            try:
                listed.take(await self.request(method, **listed.params))
            except Refused as error:
                if error.unknown_method:
                    break
                raise
        return listed.found

    async def call(
        self, name: str, arguments: Mapping[str, Any], *, as_task: bool = False
    ) -> dict[str, Any]:
        """Call a tool of the server, as a task where it can only be called so.

        Raises
        ------
        ConnectionFailed
            If the server is gone; the next call starts it anew.
        TimeoutError
            If it has shown no sign of life for too long.
        WorkbenchError
            If the protocol, not the tool, says no.
        """
        answer: dict[str, Any] | Refused
        try:
            answer = await self._called(name, arguments, as_task)
        except Refused as error:
            answer = error
        if self.mode == "auto" and needs_back_channel(answer) and not self._calls:
            await self._go_back()
            return await self._called(name, arguments, as_task)
        if isinstance(answer, Refused):
            raise answer
        return answer

    async def _go_back(self) -> None:
        """Connect anew in the older protocol, in which servers can ask back."""
        self.note("info", "the server needs the older protocol to ask back; reconnected in it")
        self.mode = "legacy"
        async with self._opening:
            await self._stop()

    async def subscribe(self, uri: str, wanted: bool) -> None:
        """Have the server tell of changes of a resource, or no longer.

        Raises
        ------
        WorkbenchError
            If the server cannot do that.
        """

        async def ask(peer: Peer) -> dict[str, Any]:
            await peer.subscribe(uri, wanted)
            return {}

        await self._asked(f"the subscription of {uri!r}", ask)
        (self._subscribed.add if wanted else self._subscribed.discard)(uri)

    async def _subscribe_again(self, peer: Peer) -> None:
        for uri in self._subscribed:
            with contextlib.suppress(Fault), mapped():  # a restarted server may not have it
                await peer.subscribe(uri, True)

    async def _called(
        self, name: str, arguments: Mapping[str, Any], as_task: bool
    ) -> dict[str, Any]:
        async def ask(peer: Peer) -> dict[str, Any]:
            async with self._calls.begun() as call:
                if as_task:
                    return await called_as_task(peer, name, arguments, call.progress)
                return await peer.call_tool(name, arguments, call.progress)

        return await self._asked(name, ask)

    async def _asked(
        self, what: str, ask: Callable[[Peer], Awaitable[dict[str, Any]]]
    ) -> dict[str, Any]:
        """What the server answers; a session that it has forgotten is made anew, once."""
        peer = await self.open()
        try:
            with mapped():
                return await ask(peer)
        except Fault as fault:
            self._raise_unless_forgotten(what, fault.cause, peer)
        peer = await self.open()
        try:
            with mapped():
                return await ask(peer)
        except Fault as fault:
            raise self._error(what, fault.cause, peer) from fault.cause

    def _raise_unless_forgotten(self, what: str, cause: BaseException, peer: Peer) -> None:
        if not forgot_session(cause):
            raise self._error(what, cause, peer) from cause
        self._lost(peer)

    def _error(self, what: str, cause: BaseException, peer: Peer) -> WorkbenchError:
        """The SDK's exception as ours: the server is gone, or it says no."""
        if not is_gone(cause) and not forgot_session(cause):
            return Refused(f"{what}: {told(cause)}", code_of(cause))
        self._lost(peer)
        return ConnectionFailed(
            f"the server {str(self.target)!r} went away during {what!r} ({told(cause)}); "
            "the next call connects anew",
            self.stderr(),
        )

    # When the server speaks first

    def note(self, level: str, text: str, logger: str = "") -> None:
        """Add to the server's log, and to that of the one run under way, if it is one."""
        self.log.append(LogLine(level=level, text=text, logger=logger))
        del self.log[:-5000]
        run = self._calls.only_run()
        if run is not None:
            run.note(level, text, logger)

    def _callbacks(self, leave: asyncio.Event) -> Callbacks:
        def ended() -> None:
            if self._leave is leave and self._peer is not None:
                self._lost(self._peer)

        return Callbacks(
            elicit=self._elicit if self.asking.elicits else None,
            sample=self._sample if self.asking.samples else None,
            samples_tools=self.asking.sampling is not None,
            roots=self.asking.roots,
            log=self._heard_log,
            noise=lambda text: self.note("warning", text, "stdout"),
            changed=self._heard_change,
            ended=ended,
            refused=self._heard_refusal,
            failed=self._heard_failure,
            waiting=self._waiting,
        )

    def _heard_failure(self, error: ConnectionFailed) -> None:
        self._failure = error

    def _heard_refusal(self, status: int, asked: str) -> None:
        self._refusal = (status, asked)

    @contextlib.contextmanager
    def _waiting(self) -> Iterator[None]:
        """Stop all clocks while a person signs in."""
        clock = self._clock
        if clock is not None and not clock.expired():
            clock.reschedule(None)
        with self._calls.paused():
            yield
        if clock is not None and not clock.expired():
            clock.reschedule(asyncio.get_running_loop().time() + self.connect_timeout_s)

    def _heard_log(self, params: dict[str, Any]) -> None:
        data = params.get("data")
        text = data if isinstance(data, str) else str(data)
        self._calls.heard()
        self.note(str(params.get("level", "info")), text, str(params.get("logger") or ""))

    def _heard_change(self, method: str, params: dict[str, Any]) -> None:
        if method == "notifications/tools/list_changed":
            self.on_change()
        elif method == "notifications/resources/updated":
            self.on_update(str(params.get("uri", "")))

    async def _elicit(self, params: dict[str, Any]) -> dict[str, Any]:
        with self._calls.paused():
            return await self.asking.elicit(params, self._calls.answering_run())

    async def _sample(self, params: dict[str, Any]) -> dict[str, Any]:
        with self._calls.paused():
            return await self.asking.sample(params, self._calls.answering_run())
