"""A tool as a Space on the Hub, from which it is loaded here and in smolagents."""

from __future__ import annotations

from typing import Any

from workbench._optional import require
from workbench.tools.code import files_of
from workbench.tools.hub_access import hub
from workbench.tools.tool_class import Tool

__all__ = ["push_to_hub"]

_TAGS = ("tool", "workbench", "smolagents")
_FOR_SMOLAGENTS = """

import sys

if "smolagents" in sys.modules:
    from workbench.interop import smolagents_class

    SmolagentsTool = smolagents_class({name})
"""
"""What smolagents loads is the one class of its own in a module."""


def push_to_hub(
    tool: Tool,
    repo_id: str,
    commit_message: str = "Upload tool",
    private: bool | None = None,
    token: str | None = None,
    create_pr: bool = False,
) -> Any:
    """Write a tool into a Space, which is made if it is not there; all files in one commit.

    Parameters
    ----------
    tool : Tool
        Made from a function or a class whose source is here.
    repo_id : str
        "owner/name".
    commit_message : str
        What the history says.
    private : bool, optional
        Whether a Space that is made is private; by default as the account has it.
    token : str, optional
        One that may write; by default that of ``hf auth login``.
    create_pr : bool
        Propose the change instead of making it.

    Returns
    -------
    huggingface_hub.CommitInfo
        With the commit's address.

    Raises
    ------
    ToolDefinitionError
        If the tool cannot be written as code; nothing has been sent then.
    ConnectionFailed
        If the Hub refuses or does not answer.
    MissingExtra
        If ``huggingface_hub`` is not installed.
    """
    files = files_of(tool, "tool", _FOR_SMOLAGENTS)
    with hub(f"pushing {tool.name!r} to {repo_id!r}", token) as api:
        repo = api.create_repo(
            repo_id, repo_type="space", space_sdk="gradio", private=private, exist_ok=True
        ).repo_id
        files["README.md"] = _card(api, repo, tool)
        return api.create_commit(
            repo,
            [_addition(name, text) for name, text in files.items()],
            commit_message=commit_message,
            repo_type="space",
            create_pr=create_pr,
        )


def _addition(name: str, text: str) -> Any:
    return _library().CommitOperationAdd(path_in_repo=name, path_or_fileobj=text.encode())


def _card(api: Any, repo_id: str, tool: Tool) -> str:
    """The Space's README with our tags; what else stands in it stays."""
    text = f"\n# {tool.title or tool.name}\n\n{tool.description}\n"
    card = _library().RepoCard(f"---\n{{}}\n---\n{text}")
    if api.file_exists(repo_id, "README.md", repo_type="space"):
        path = api.hf_hub_download(repo_id, "README.md", repo_type="space")
        card = _library().RepoCard.load(path, repo_type="space", ignore_metadata_errors=True)
    card.text = card.text if card.text.strip() else text
    data = card.data.to_dict()
    tags = dict.fromkeys((*(data.get("tags") or ()), *_TAGS))
    known = {"title": tool.title or tool.name, "sdk": "gradio", "app_file": "app.py"}
    for key, value in {**known, **data, "tags": list(tags)}.items():
        card.data[key] = value
    return str(card)


def _library() -> Any:
    return require("huggingface_hub", extra="hub", feature="pushing to the Hub")
