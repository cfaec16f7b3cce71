"""The SDK's OAuth provider, either major, with a person at its end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib import import_module
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from workbench.errors import ConnectionFailed
from workbench.sources.mcp.oauth import OAuth, Return

if TYPE_CHECKING:
    from workbench.sources.mcp.sdk import Callbacks

__all__ = ["provider"]

_UNUSED_PORT = 33_418
"""Of the address that a browser is sent to where nobody listens, and the person copies it."""


class _Storage:
    """The SDK's ``TokenStorage`` over our own.

    Parameters
    ----------
    oauth : OAuth
        Has the tokens.
    server : str
        The server's address.
    """

    def __init__(self, oauth: OAuth, server: str) -> None:
        self._oauth, self._server = oauth, server
        self._models: Any = import_module("mcp.shared.auth")

    async def get_tokens(self) -> Any:
        kept = self._oauth.tokens.get(self._server, "tokens")
        return None if kept is None else self._models.OAuthToken.model_validate(kept)

    async def set_tokens(self, tokens: Any) -> None:
        self._keep("tokens", tokens)

    async def get_client_info(self) -> Any:
        kept = self._oauth.tokens.get(self._server, "client")
        if kept is None and self._oauth.client_id is not None:
            kept = self._registered()
        return None if kept is None else self._models.OAuthClientInformationFull(**kept)

    def _registered(self) -> dict[str, Any]:
        """What is known of a client that was registered by hand."""
        secret = self._oauth.client_secret
        return {
            "client_id": self._oauth.client_id,
            "client_secret": secret,
            # What every server has to take from a client with a secret (RFC 6749, section 2.3.1).
            "token_endpoint_auth_method": "client_secret_basic" if secret else "none",
            "redirect_uris": [f"http://127.0.0.1:{_UNUSED_PORT}/callback"],
        }

    async def set_client_info(self, client_info: Any) -> None:
        self._keep("client", client_info)

    def _keep(self, kind: str, model: Any) -> None:
        made = model.model_dump(mode="json", exclude_none=True)
        self._oauth.tokens.put(self._server, kind, made)


class _Person:
    """Sends a person to sign in, and hears where they came back to.

    Parameters
    ----------
    oauth : OAuth
        How.
    callbacks : Callbacks
        Hear of a person being waited for, and of what they did wrong.
    """

    def __init__(self, oauth: OAuth, callbacks: Callbacks) -> None:
        self._oauth, self._callbacks = oauth, callbacks
        self.door: Return | None = None

    async def sent(self, address: str) -> None:
        self._oauth.tell(address)

    async def came_back(self) -> dict[str, str]:
        try:
            with self._callbacks.waiting():
                if self.door is None:
                    return await self._oauth.pasted()
                return await self.door.answer()
        except ConnectionFailed as error:
            self._callbacks.failed(error)
            raise


async def provider(
    oauth: OAuth, url: str, callbacks: Callbacks
) -> tuple[Any, Callable[[], Awaitable[None]]]:
    """The SDK's ``httpx.Auth`` for a server, and what closes it.

    Parameters
    ----------
    oauth : OAuth
        How the person signs in.
    url : str
        The server's address.
    callbacks : Callbacks
        Hear of a person being waited for, and of what they did wrong.
    """
    storage, person = _Storage(oauth, url), _Person(oauth, callbacks)
    port = await _port_of(storage)
    if oauth.is_local:
        person.door = Return(port)
        port = await person.door.open()
    made = _made(oauth, url, storage, person, f"http://127.0.0.1:{port or _UNUSED_PORT}/callback")

    async def close() -> None:
        if person.door is not None:
            await person.door.close()

    return made, close


async def _port_of(storage: _Storage) -> int:
    """The port of the way back that the server knows; 0 if it knows none."""
    known = await storage.get_client_info()
    uris = list(getattr(known, "redirect_uris", None) or ())
    return (urlsplit(str(uris[0])).port or 0) if uris else 0


def _made(oauth: OAuth, url: str, storage: _Storage, person: _Person, back: str) -> Any:
    auth: Any = import_module("mcp.client.auth")
    models: Any = import_module("mcp.shared.auth")
    result = getattr(auth, "AuthorizationCodeResult", None)

    async def came_back() -> Any:
        answer = await person.came_back()
        code, state = answer["code"], answer.get("state")
        if result is None:
            return code, state
        return result(code=code, state=state, iss=answer.get("iss"))

    secret = oauth.client_secret
    metadata = models.OAuthClientMetadata.model_validate(
        {
            "client_name": "workbench",
            "redirect_uris": [back],
            "grant_types": ["authorization_code", "refresh_token"],
            "response_types": ["code"],
            "token_endpoint_auth_method": "client_secret_post" if secret else "none",
        }
    )
    return auth.OAuthClientProvider(
        server_url=url,
        client_metadata=metadata,
        storage=storage,
        redirect_handler=person.sent,
        callback_handler=came_back,
        client_metadata_url=oauth.client_metadata_url,
    )
