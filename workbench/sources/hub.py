"""Tools that are kept on the Hub as Spaces: a file of code, executed with trust only."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from workbench.errors import ToolDefinitionError, UntrustedCodeError
from workbench.sources.smolagents import tool_from_smolagents
from workbench.tools.code import executed, tool_in
from workbench.tools.hub_access import hub
from workbench.tools.tool_class import Tool

__all__ = ["load_tool", "tool_from_hub", "tools_from_hub"]

_FILE = "tool.py"
_OF_DOWNLOAD = ("cache_dir", "force_download", "local_files_only", "revision", "subfolder")
"""Keywords that say how to fetch the code; all others are the constructor's."""


def tool_from_hub(
    repo_id: str, token: str | None = None, trust_remote_code: bool = False, **kwargs: Any
) -> Tool:
    """A tool of a Space: its ``tool.py`` is downloaded and executed.

    Parameters
    ----------
    repo_id : str
        "owner/name".
    token : str, optional
        For a private Space.
    trust_remote_code : bool
        That you have read the code, and want it to run.
    **kwargs
        ``revision``, ``subfolder``, ``cache_dir``, ``force_download`` and ``local_files_only``
        say what is fetched and how; all others are for the tool's constructor.

    Raises
    ------
    UntrustedCodeError
        Without trust; nothing has been downloaded.
    ConnectionFailed
        If the Hub refuses or has no such file.
    ToolDefinitionError
        If there is no tool in the code.
    """
    download = {name: kwargs.pop(name) for name in _OF_DOWNLOAD if name in kwargs}
    where = "/".join(filter(None, (download.get("subfolder"), _FILE)))
    revision = download.get("revision") or "main"
    if not trust_remote_code:
        raise UntrustedCodeError(
            f"the code of {where!r} in the Space {repo_id!r} (revision {revision!r}) would be "
            f"downloaded and executed. Read it at {address(repo_id)}/blob/{revision}/{where}, and "
            "pass trust_remote_code=True if you want that"
        )
    with hub(f"reading {where!r} of the Space {repo_id!r} (revision {revision!r})", token) as api:
        file = api.hf_hub_download(repo_id, _FILE, repo_type="space", **download)
    module = executed(Path(file).read_text(encoding="utf-8"))
    made = _of_smolagents(module, kwargs) or tool_in(module, kwargs)
    made.source = f"Hub {repo_id}"
    return made


def load_tool(
    repo_id: str,
    model_repo_id: str | None = None,
    token: str | None = None,
    trust_remote_code: bool = False,
    **kwargs: Any,
) -> Tool:
    """A tool of a Space on the Hub, under the name that smolagents has for this.

    Parameters
    ----------
    repo_id : str
        "owner/name".
    model_repo_id : str, optional
        For the constructor of a tool that uses a model, if it is given.
    token, trust_remote_code, **kwargs
        As :meth:`workbench.Tool.from_hub` takes them.

    Raises
    ------
    UntrustedCodeError
        Without trust; nothing has been downloaded.
    ConnectionFailed
        If the Hub refuses or has no such file.

    Examples
    --------
    >>> try:
    ...     load_tool("somebody/some-tool")
    ... except Exception as error:
    ...     print(type(error).__name__)
    UntrustedCodeError
    """
    given = kwargs if model_repo_id is None else {**kwargs, "model_repo_id": model_repo_id}
    return tool_from_hub(repo_id, token, trust_remote_code, **given)


def tools_from_hub(
    collection_slug: str, token: str | None = None, trust_remote_code: bool = False
) -> Iterator[Tool]:
    """The tools of a collection's Spaces, each once, in the collection's order.

    Raises
    ------
    UntrustedCodeError
        Without trust, naming the Spaces; no code has been downloaded.
    ConnectionFailed
        If the Hub refuses, or one of the Spaces has no such file.
    """
    with hub(f"reading the collection {collection_slug!r}", token) as api:
        items = api.get_collection(collection_slug).items
    spaces = dict.fromkeys(item.item_id for item in items if item.item_type == "space")
    if not trust_remote_code:
        listed = "".join(f"\n  - {space}: {address(space)}/blob/main/{_FILE}" for space in spaces)
        raise UntrustedCodeError(
            f"the code of {len(spaces)} Spaces would be downloaded and executed. Read it, and pass "
            f"trust_remote_code=True if you want that:{listed}"
        )
    return (tool_from_hub(space, token, trust_remote_code=True) for space in spaces)


def address(repo_id: str) -> str:
    """Where a person reads a Space."""
    constants = sys.modules.get("huggingface_hub.constants")
    host = getattr(constants, "ENDPOINT", None) or "https://huggingface.co"
    return f"{host}/spaces/{repo_id}"


def _of_smolagents(module: ModuleType, kwargs: Mapping[str, Any]) -> Tool | None:
    """The tool of a class that smolagents wrote; None where there is a tool of ours."""
    library = sys.modules.get("smolagents")
    values = vars(module).values()
    if library is None or any(isinstance(value, Tool) for value in values):
        return None
    kinds = [v for v in values if isinstance(v, type) and issubclass(v, library.Tool)]
    own = [kind for kind in kinds if kind.__module__ == module.__name__]
    if not own:
        return None
    try:
        return tool_from_smolagents(own[-1](**kwargs))
    except TypeError as error:
        raise ToolDefinitionError(f"{own[-1].__name__} cannot be made: {error}") from error
