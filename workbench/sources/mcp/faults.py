"""What the SDK and its transports raise, in words for people."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Iterator
from typing import Any

from workbench.errors import WorkbenchError

__all__ = [
    "Fault",
    "Refused",
    "cause_of",
    "code_of",
    "forgot_session",
    "is_gone",
    "mapped",
    "needs_back_channel",
    "refusal",
    "told",
]

_GONE = ("connection closed", "closedresource", "brokenresource", "endofstream", "broken pipe")
_METHOD_NOT_FOUND = -32601


class Refused(WorkbenchError):
    """A server's error for a request; a failing tool has a result instead.

    Parameters
    ----------
    message : str
        What was asked, and what the server says.
    code : int or None
        JSON-RPC's, if there is one.
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code

    @property
    def unknown_method(self) -> bool:
        """Whether the server has no such thing at all."""
        return self.code == _METHOD_NOT_FOUND


def cause_of(error: BaseException) -> BaseException:
    """The first real error inside groups of errors."""
    while isinstance(error, BaseExceptionGroup) and error.exceptions:
        error = error.exceptions[0]
    return error


def code_of(error: BaseException) -> int | None:
    """JSON-RPC's code for an error, if it has one."""
    code = getattr(getattr(error, "error", None), "code", None)
    return code if isinstance(code, int) else None


def told(error: BaseException) -> str:
    """An error in one line that names what to do where that is known."""
    kind, text = type(error).__name__, str(error).strip()
    if "ConnectError" in kind or isinstance(error, ConnectionRefusedError):
        return f"the connection was refused ({text})"
    if "connection closed" in text.lower():
        return "the server ended without answering"
    if kind == "ValidationError":
        return f"the server's answer is not the protocol's: {text[:500]}"
    return text[:2000] or kind


def refusal(status: int, asked: str, text: str) -> str:
    """An HTTP answer that is no answer of the protocol, and what to do about it."""
    if status in (401, 403):
        wanted = f" ({asked[:500]})" if asked else ""
        return (
            f"the server answers {status}, it wants authorisation{wanted}; give it with "
            "headers={'Authorization': 'Bearer ...'}, or sign in with auth='oauth'"
        )
    if status in (404, 405):
        return (
            f"the server answers HTTP {status}: there is no MCP server at this address, or one "
            'that only has the older transport, which {"url": ..., "transport": "sse"} names'
        )
    return f"the server answers HTTP {status} ({text})"


def is_gone(error: BaseException) -> bool:
    """Whether an error means that the connection is lost."""
    text = f"{type(error).__name__} {str(error)[:200]}".lower()
    lost = isinstance(error, (ConnectionError, BrokenPipeError)) or "connecterror" in text
    return lost or any(words in text for words in _GONE)


def forgot_session(error: BaseException) -> bool:
    """Whether a server has been restarted and refuses the old session; nothing has been done."""
    return "session terminated" in str(error).lower()


def needs_back_channel(answer: dict[str, Any] | Refused) -> bool:
    """Whether a server says that it could not ask back on this kind of connection."""
    if isinstance(answer, Refused):
        text = str(answer)
    elif answer.get("isError"):
        text = " ".join(str(block.get("text", "")) for block in answer.get("content") or ())
    else:
        return False
    return "back-channel" in text or "back channel" in text


class Fault(Exception):
    """An exception of the SDK on its way to become one of ours."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__()
        self.cause = cause


@contextlib.contextmanager
def mapped() -> Iterator[None]:
    """The one border where the SDK's exceptions are caught."""
    try:
        yield
    except (WorkbenchError, TimeoutError, asyncio.CancelledError):
        raise
    except Exception as error:
        cause = cause_of(error)
        raise (cause if isinstance(cause, WorkbenchError) else Fault(cause)) from error
