"""Fetching a medium from an address: only when asked to, only from the public web."""

from __future__ import annotations

import ipaddress
import socket
import urllib.request
from collections.abc import Callable
from urllib.parse import urlsplit

from workbench.errors import MediaError, bounded_repr

__all__ = ["fetch"]

_MOST_BYTES = 200_000_000


def fetch(
    url: str,
    *,
    fetcher: Callable[[str], bytes] | None = None,
    timeout_s: float = 30.0,
    allow_private: bool = False,
) -> bytes:
    """Get the bytes at an address.

    Parameters
    ----------
    url : str
        With the scheme http or https.
    fetcher : callable, optional
        Takes the address and gives the bytes: for a proxy, a private authority, a session.
    timeout_s : float
        Seconds to wait for the server.
    allow_private : bool
        Take addresses of this machine and of private networks too.

    Raises
    ------
    MediaError
        If the address is of another kind, is private, or cannot be fetched.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise MediaError(f"only http and https addresses are fetched, not {bounded_repr(url)}")
    if not allow_private and _is_private(parts.hostname):
        raise MediaError(
            f"{parts.hostname!r} is on this machine or a private network; "
            "pass allow_private=True to fetch from it"
        )
    try:
        return fetcher(url) if fetcher is not None else _get(url, timeout_s)
    except OSError as error:
        raise MediaError(f"could not fetch {bounded_repr(url)}: {error}") from error


def _is_private(host: str) -> bool:
    try:
        found = socket.getaddrinfo(host, None)
    except OSError:
        return False
    addresses = [ipaddress.ip_address(str(entry[4][0]).partition("%")[0]) for entry in found]
    return any(not address.is_global for address in addresses)


def _get(url: str, timeout_s: float) -> bytes:
    request = urllib.request.Request(url, headers={"User-Agent": "workbench"})  # noqa: S310  # scheme checked
    with urllib.request.urlopen(request, timeout=timeout_s) as answer:  # noqa: S310  # scheme checked
        data: bytes = answer.read(_MOST_BYTES + 1)
    if len(data) > _MOST_BYTES:
        raise MediaError(f"{bounded_repr(url)} has more than {_MOST_BYTES:,} bytes")
    return data
