"""What servers have beside tools: resources, prompts, and suggestions for their arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from workbench.errors import ConnectionFailed, WorkbenchError
from workbench.sources.mcp.handle import Handle
from workbench.sources.mcp.results import block_from, read_from
from workbench.tools.loop import background

__all__ = ["Catalogue"]


class Catalogue:
    """The part of a client that has no tools in it; see :class:`MCPClient`.

    Examples
    --------
    >>> from workbench import MCPClient
    >>> client = MCPClient("python -m workbench.demo")
    >>> client.list_prompts()[0]["name"]
    'explain'
    >>> client.disconnect()
    """

    def __init__(self) -> None:
        self._handles: list[Handle] = []
        self._watchers: dict[str, list[Callable[[str], Any]]] = {}

    def _all(self, method: str, key: str) -> list[dict[str, Any]]:
        return [
            item
            for handle in self._handles
            for item in background().wait(handle.connection.pages(method, key))
        ]

    def list_resources(self) -> list[dict[str, Any]]:
        """Every resource: ``uri``, ``name``, ``mimeType`` and so on, as the protocol has them."""
        return self._all("list_resources", "resources")

    def list_resource_templates(self) -> list[dict[str, Any]]:
        """Every template of resources, with its ``uriTemplate`` (RFC 6570)."""
        return self._all("list_resource_templates", "resourceTemplates")

    def read_resource(self, uri: str) -> Any:
        """The contents of a resource as an agent type or bytes; a list if there are several.

        Raises
        ------
        WorkbenchError
            If no server has it.
        """
        return read_from(self._first("read_resource", uri=uri))

    def list_prompts(self) -> list[dict[str, Any]]:
        """Every prompt, with its ``arguments``."""
        return self._all("list_prompts", "prompts")

    def get_prompt(
        self, name: str, arguments: Mapping[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """The messages of a prompt: ``role``, and ``content`` as an agent type.

        Raises
        ------
        WorkbenchError
            If no server has it, or it is missing an argument.
        """
        texts = {key: str(value) for key, value in (arguments or {}).items()}
        answer = self._first("get_prompt", name=name, arguments=texts)
        return [
            {"role": message["role"], "content": block_from(message["content"])}
            for message in answer.get("messages") or ()
        ]

    def complete(self, ref: Mapping[str, Any], argument: str, value: str) -> list[str]:
        """Suggestions for an argument of a prompt or a resource template.

        Parameters
        ----------
        ref : mapping
            ``{"type": "ref/prompt", "name": ...}`` or ``{"type": "ref/resource", "uri": ...}``.
        argument, value : str
            Which one, and what has been entered of it.
        """
        given = {"name": argument, "value": value}
        answer = self._first("complete", ref=ref, argument=given)
        return list((answer.get("completion") or {}).get("values") or ())

    def _first(self, method: str, **params: Any) -> dict[str, Any]:
        """The answer of the first server that has one."""
        last: Exception = ConnectionFailed("not connected; call connect() first")
        for handle in self._handles:
            try:
                return background().wait(handle.connection.request(method, **params))
            except (WorkbenchError, TimeoutError) as error:  # the next server may know it
                last = error
        raise last

    def subscribe(self, uri: str, callback: Callable[[str], Any]) -> Callable[[], None]:
        """Hear of every change of a resource, also after the connection was lost and made anew.

        Parameters
        ----------
        uri : str
            The resource.
        callback : callable
            Takes the address of what has changed; runs in a thread of its own.

        Returns
        -------
        callable
            Ends the subscription.

        Raises
        ------
        WorkbenchError
            If no server offers subscriptions to it.
        """
        watchers = self._watchers.setdefault(uri, [])
        if not watchers:
            self._subscribed(uri, True)
        watchers.append(callback)

        def unsubscribe() -> None:
            if callback in watchers:
                watchers.remove(callback)
                if not watchers:
                    self._subscribed(uri, False)

        return unsubscribe

    def _subscribed(self, uri: str, wanted: bool) -> None:
        last: WorkbenchError = ConnectionFailed("not connected; call connect() first")
        for handle in self._handles:
            try:
                return background().wait(handle.connection.subscribe(uri, wanted))
            except WorkbenchError as error:  # the next server may have it
                last = error
        raise last

    def _updated(self, uri: str) -> None:
        """Tell the watchers; called on the background loop, so they run elsewhere."""
        for watched, callbacks in self._watchers.items():
            if uri.startswith(watched):  # the update may be of a part of it
                for callback in tuple(callbacks):
                    background().loop.run_in_executor(None, callback, uri)
