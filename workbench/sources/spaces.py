"""A Gradio app's endpoints as tools: a Space on the Hub, or any address."""

from __future__ import annotations

import asyncio
import inspect
import re
import warnings
from collections.abc import Callable, Mapping
from typing import Any, ClassVar

from workbench._optional import require
from workbench.errors import ConnectionFailed, ToolDefinitionError, ToolError
from workbench.sources.space_values import endpoint_schema, output_word, received, sent
from workbench.tools.foreign import Description, ForeignTool
from workbench.tools.loop import background
from workbench.tools.outcome import failed
from workbench.tools.result import ToolResult
from workbench.tools.run import Progress, Run, current_run

__all__ = ["SpaceTool", "chosen_endpoint", "tool_from_space", "tools_from_space"]

_POLL_S = 0.1
"""How often a running job is asked how far it has got."""


class SpaceTool(ForeignTool):
    """One endpoint of a Gradio app; made by :meth:`Tool.from_space` and :meth:`Tool.from_gradio`.

    Parameters
    ----------
    description : Description
        What is said of it.
    endpoint : mapping
        Gradio's own description.
    api_name : str
        With its leading slash.
    connect : callable
        Gives the client when it is first needed.
    """

    remote: ClassVar[bool] = True

    def __init__(
        self,
        description: Description,
        endpoint: Mapping[str, Any],
        api_name: str,
        connect: Callable[[], Any],
    ) -> None:
        self.api_name = api_name
        self._endpoint = endpoint
        self._connect = connect
        super().__init__(description, None, self._ask)

    @property
    def is_async(self) -> bool:
        """Whether a plain call cannot have the value: it can, on the background loop."""
        return False

    async def _ask(self, arguments: dict[str, Any]) -> ToolResult:
        handle = require("gradio_client", extra="gradio", feature="calling a Space").handle_file
        client = await asyncio.to_thread(self._connect)
        given = sent(self._endpoint, arguments, handle)
        job = await asyncio.to_thread(lambda: client.submit(api_name=self.api_name, **given))
        try:
            answer = await _followed(job)
        except asyncio.CancelledError:
            job.cancel()
            raise
        except Exception as error:
            raise ToolError(f"{self.name!r} failed on {self.source}: {error}") from error
        return ToolResult(received(self._endpoint, answer))

    async def _outcome(self, checked: dict[str, Any]) -> ToolResult:
        try:
            return await self._ask(checked)
        except Exception as error:  # noqa: BLE001  # any failure of a tool is a result
            return failed(self.name, error)

    def _value(self, checked: dict[str, Any]) -> Any:
        return self.perform(checked).unwrap()

    def perform(self, checked: dict[str, Any]) -> ToolResult:
        """Call, and wait on the background loop; an interrupt cancels the call."""
        return background().wait(self._outcome(checked))

    async def perform_async(self, checked: dict[str, Any]) -> ToolResult:
        """Call, from any loop."""
        loop = background()
        if asyncio.get_running_loop() is loop.loop:
            return await self._outcome(checked)
        return await asyncio.wrap_future(loop.submit(self._outcome(checked)))


async def _followed(job: Any) -> Any:
    """Wait for a job, telling the current run where it stands."""
    done = asyncio.get_running_loop().create_future()
    loop = asyncio.get_running_loop()
    job.add_done_callback(lambda _: loop.call_soon_threadsafe(_set, done))
    run = current_run()
    while not done.done():
        await asyncio.wait([done], timeout=None if run is None else _POLL_S)
        if run is not None:
            _report(run, job.status())
    return await asyncio.to_thread(job.result)


def _set(future: asyncio.Future[None]) -> None:
    if not future.done():
        future.set_result(None)


def _report(run: Run, status: Any) -> None:
    """A job's status as progress."""
    units = status.progress_data or ()
    if units:
        unit = units[-1]
        total = 1.0 if unit.progress is not None else unit.length
        so_far = unit.progress if unit.progress is not None else unit.index or 0
        _say(run, so_far, total, unit.desc or "")
    elif status.rank is not None and status.code.name == "IN_QUEUE":
        place = f"waiting in the queue, at place {status.rank + 1} of {status.queue_size}"
        _say(run, 0, None, place)


def _say(run: Run, progress: float, total: float | None, message: str) -> None:
    if run.progress != Progress(progress=progress, total=total, message=message):
        run.report(progress, total, message)


def tool_from_space(
    space_id: str,
    name: str | None = None,
    description: str | None = None,
    api_name: str | None = None,
    token: str | None = None,
) -> SpaceTool:
    """One endpoint of a Space.

    Parameters
    ----------
    space_id : str
        "owner/name" on the Hub, or the address of a Gradio app.
    name, description : str, optional
        Instead of the endpoint's own.
    api_name : str, optional
        Which endpoint; by default the first, with a warning if there are others.
    token : str, optional
        For a private Space.

    Raises
    ------
    ConnectionFailed
        If the app does not answer.
    ToolDefinitionError
        If it has no such endpoint.
    MissingExtra
        If ``gradio_client`` is not installed.
    """
    client, about = _connected(space_id, token)
    endpoints = _endpoints(client)
    chosen = chosen_endpoint(endpoints, api_name, space_id)
    return _tool(client, about, space_id, chosen, endpoints[chosen], name, description)


def tools_from_space(space_id: str, token: str | None = None) -> list[SpaceTool]:
    """All named endpoints of a Space, in its order, over one connection.

    Raises
    ------
    ConnectionFailed
        If the app does not answer.
    """
    client, about = _connected(space_id, token)
    return [
        _tool(client, about, space_id, api_name, endpoint, None, None)
        for api_name, endpoint in _endpoints(client).items()
    ]


def chosen_endpoint(endpoints: Mapping[str, Any], api_name: str | None, where: str) -> str:
    """The endpoint that is meant.

    Raises
    ------
    ToolDefinitionError
        If there is none of that name, naming those that there are.
    """
    names = list(endpoints)
    wanted = f"/{api_name.lstrip('/')}" if api_name is not None else next(iter(names), None)
    if wanted is None or wanted not in endpoints:
        known = ", ".join(names) or "no named endpoint at all"
        raise ToolDefinitionError(f"{where} has no endpoint {wanted or ''!r}; it has {known}")
    if api_name is None and len(names) > 1:
        warnings.warn(
            f"{where} has {len(names)} endpoints, and this tool is {wanted!r}; pass api_name, one "
            f"of {', '.join(names)}, or take all with ToolCollection.from_space",
            stacklevel=4,
        )
    return wanted


def _connected(space_id: str, token: str | None) -> tuple[Any, str]:
    """A client, and what the Space says of itself."""
    feature = "using a Space as a tool"
    client_class = require("gradio_client", extra="gradio", feature=feature).Client
    word = "token" if "token" in inspect.signature(client_class).parameters else "hf_token"
    options: dict[str, Any] = {word: token, "verbose": False, "analytics_enabled": False}
    try:
        with warnings.catch_warnings():
            # The older major has no other word, and warns of its own.
            warnings.filterwarnings("ignore", message="The 'hf_token'", category=DeprecationWarning)
            client = client_class(space_id, **options)
    except Exception as error:
        why = " Pass token=..., if it is private." if token is None else ""
        raise ConnectionFailed(f"{space_id!r} does not answer: {error}.{why}") from error
    return client, _about(client, token)


def _endpoints(client: Any) -> dict[str, Any]:
    api = client.view_api(return_format="dict", print_info=False)
    return dict(api["named_endpoints"])


def _about(client: Any, token: str | None) -> str:
    """A Space's own words: its card's short description, else its title."""
    if getattr(client, "space_id", None):
        hub = require("huggingface_hub", extra="gradio", feature="using a Space as a tool")
        card = getattr(hub.space_info(client.space_id, token=token), "card_data", None) or {}
        text = card.get("short_description") or card.get("title")
        if text:
            return str(text)
    title = str(client.config.get("title") or "")
    return "" if title == "Gradio" else title


def _tool(
    client: Any,
    about: str,
    space_id: str,
    api_name: str,
    endpoint: Mapping[str, Any],
    name: str | None,
    description: str | None,
) -> SpaceTool:
    said = Description(
        name=name or identifier(api_name),
        description=description or endpoint.get("description") or about,
        input_schema=endpoint_schema(endpoint),
        output_type=output_word(endpoint),
        source=f"Space {space_id}",
    )
    return SpaceTool(said, endpoint, api_name, lambda: client)


def identifier(api_name: str) -> str:
    """A name for a tool out of an endpoint's.

    Examples
    --------
    >>> identifier("/to-text")
    'to_text'
    """
    safe = re.sub(r"\W", "_", api_name.strip("/")) or "predict"
    return f"_{safe}" if safe[0].isdigit() else safe
