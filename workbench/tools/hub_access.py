"""The Hub as those reach it who read tools from it, or write them to it; its errors as ours."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from workbench._optional import require
from workbench.errors import ConnectionFailed, ToolDefinitionError, WorkbenchError, bounded_repr

__all__ = ["hub"]

_CAUSES = {
    "GatedRepoError": "it is gated: ask for access on its page, then pass token=...",
    "RepositoryNotFoundError": "there is no such repository, or it is private: check its name, and "
    "pass token=... for a private one",
    "RevisionNotFoundError": "it has no such revision",
    "LocalEntryNotFoundError": "the Hub does not answer, and nothing is in the cache",
    "OfflineModeIsEnabled": "HF_HUB_OFFLINE is set, and nothing is in the cache",
    "LocalTokenNotFoundError": "no token is known: pass token=..., or log in with `hf auth login`",
    "RemoteEntryNotFoundError": "it has no such file",
    "EntryNotFoundError": "it has no such file",
}
_STATUS = {
    401: "the Hub does not accept the token: make a new one, and pass token=...",
    403: "the token may not do that: it needs the right to write, or access to this repository",
    404: "there is nothing of that name",
    429: "too many requests: wait, or pass token=...",
}


@contextlib.contextmanager
def hub(what: str, token: str | None) -> Iterator[Any]:
    """An ``HfApi`` whose failures say what was done, why it failed and what to do.

    Parameters
    ----------
    what : str
        What is done, as in "reading owner/name"; begins the message of an error.
    token : str, optional
        Passed on, and never told.

    Raises
    ------
    MissingExtra
        If ``huggingface_hub`` is not installed.
    ConnectionFailed
        If the Hub refuses, does not have it, or does not answer.
    ToolDefinitionError
        If the name is none that a repository can have.
    """
    library = require("huggingface_hub", extra="hub", feature="the Hub")
    try:
        yield library.HfApi(token=token)
    except library.errors.HFValidationError as error:
        raise ToolDefinitionError(f"{what} failed: {_without(token, error)}") from None
    except WorkbenchError:
        raise
    except Exception as error:  # noqa: BLE001  # those of the HTTP library differ between releases
        # The Hub's own errors hold the request, and so its headers.
        raise ConnectionFailed(f"{what} failed: {_cause(error, token)}") from None


def _cause(error: Exception, token: str | None) -> str:
    for kind in type(error).__mro__:
        if kind.__name__ in _CAUSES:
            return _CAUSES[kind.__name__]
    status = getattr(getattr(error, "response", None), "status_code", None)
    said = _without(token, error)
    return f"{_STATUS[status]} ({said})" if status in _STATUS else said


def _without(token: str | None, error: Exception) -> str:
    text = " ".join(str(error).split()) or type(error).__name__
    return bounded_repr(text.replace(token, "…") if token else text, 400)
