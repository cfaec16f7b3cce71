"""What the SDK and its transports raise, in words for people."""

from __future__ import annotations

from typing import Any

__all__ = ["cause_of", "is_gone", "needs_back_channel", "told"]

_GONE = ("connection closed", "closedresource", "brokenresource", "endofstream", "broken pipe")


def cause_of(error: BaseException) -> BaseException:
    """The first real error inside groups of errors."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error


def told(error: BaseException) -> str:
    """An error in one line that names what to do where that is known."""
    response = getattr(error, "response", None)
    status = getattr(response, "status_code", None)
    if status in (401, 403):
        asked = response.headers.get("www-authenticate", "") if response is not None else ""
        return f"the server answers {status}, it wants authorisation{f': {asked}' if asked else ''}"
    if status is not None:
        return f"the server answers HTTP {status}"
    if "ConnectError" in type(error).__name__:
        return f"the connection was refused ({error})"
    text = str(error).strip()
    if "connection closed" in text.lower():
        return "the server ended without answering"
    return text or type(error).__name__


def is_gone(error: BaseException) -> bool:
    """Whether an error means that the connection is lost."""
    text = f"{type(error).__name__} {error}".lower()
    return isinstance(error, (ConnectionError, BrokenPipeError)) or any(w in text for w in _GONE)


def needs_back_channel(answer: dict[str, Any]) -> bool:
    """Whether a result says that the server could not ask back on this kind of connection."""
    if not answer.get("isError"):
        return False
    text = " ".join(str(block.get("text", "")) for block in answer.get("content") or ())
    return "back-channel" in text or "back channel" in text
