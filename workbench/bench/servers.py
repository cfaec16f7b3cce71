"""Resources and prompts of MCP servers, as tools: browsed, run and kept in the same way."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from workbench.bench.uri_template import expand, variables
from workbench.errors import ConnectionFailed
from workbench.sources.mcp.naming import python_name
from workbench.tools.content import Resource
from workbench.tools.result import ToolResult
from workbench.tools.tool_class import Tool

__all__ = ["prompts_of", "resources_of"]

_READ = {"readOnlyHint": True}

Item = Mapping[str, Any]


def resources_of(client: Any) -> list[Tool]:
    """One tool for each resource, which reads it; templates have their variables as arguments.

    Parameters
    ----------
    client : MCPClient
        Connected; a server without resources has none.

    Examples
    --------
    >>> from workbench import MCPClient
    >>> client = MCPClient("python -m workbench.demo")
    >>> [(tool.name, tool.run({}).text[:8]) for tool in resources_of(client)]
    [('report', '# Report')]
    >>> client.disconnect()
    """
    found = [_resource(client, item) for item in _listed(client.list_resources)]
    return found + [_template(client, item) for item in _listed(client.list_resource_templates)]


def prompts_of(client: Any) -> list[Tool]:
    """One tool for each prompt, which gives its messages.

    Parameters
    ----------
    client : MCPClient
        Connected; a server without prompts has none.

    Examples
    --------
    >>> from workbench import MCPClient
    >>> client = MCPClient("python -m workbench.demo")
    >>> [(tool.name, list(tool.args)) for tool in prompts_of(client)]
    [('explain', ['topic'])]
    >>> client.disconnect()
    """
    return [_prompt(client, item) for item in _listed(client.list_prompts)]


def _listed(ask: Callable[[], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """What a server lists; nothing where it does not know the question."""
    try:
        return ask()
    except ConnectionFailed:
        raise
    except Exception:  # noqa: BLE001  # servers say in many ways that they have none
        return []


def _resource(client: Any, item: Item) -> Tool:
    uri, mime = str(item.get("uri", "")), item.get("mimeType")

    def read() -> Any:
        return _read(client, uri, mime)

    return _made(read, item, uri, [])


def _template(client: Any, item: Item) -> Tool:
    template, mime = str(item.get("uriTemplate", "")), item.get("mimeType")
    arguments: list[Item] = [{"name": name, "required": True} for name in variables(template)]

    def read(**given: str) -> Any:
        return _read(client, expand(template, _by_own_name(arguments, given)), mime)

    return _made(read, item, template, arguments)


def _read(client: Any, uri: str, mime: Any) -> ToolResult:
    read = client.read_resource(uri)
    values = read if isinstance(read, list) else [read]
    found = [
        Resource(uri=uri, value=value, mime_type=getattr(value, "mime_type", mime))
        for value in values
    ]
    return ToolResult(tuple(found))


def _prompt(client: Any, item: Item) -> Tool:
    name = str(item.get("name", ""))
    arguments = list(item.get("arguments") or ())

    def get(**given: str) -> Any:
        return client.get_prompt(name, _by_own_name(arguments, given))

    return _made(get, item, "", arguments)


def _by_own_name(arguments: Iterable[Item], given: Mapping[str, Any]) -> dict[str, str]:
    """Arguments as the server names them, without those that are left out."""
    names = {python_name(str(item["name"])): str(item["name"]) for item in arguments}
    return {names[name]: value for name, value in given.items() if value is not None}


def _made(func: Callable[..., Any], item: Item, address: str, arguments: list[Item]) -> Tool:
    """A tool of a function, described as the server describes what it gets."""
    signature = list(map(_parameter, arguments))
    func.__signature__ = inspect.Signature(signature)  # type: ignore[attr-defined]  # as inspect reads it
    about = [address, str(item.get("description") or "")]
    name = str(item.get("name") or address)
    return Tool(
        func,
        name=python_name(name),
        desc="\n\n".join(filter(None, about)),
        title=str(item.get("title") or name),
        arg_types={parameter.name: parameter.annotation for parameter in signature},
        arg_desc={
            python_name(str(each["name"])): str(each.get("description") or "") for each in arguments
        },
        annotations=_READ,
    )


def _parameter(item: Item) -> inspect.Parameter:
    name = python_name(str(item.get("name", "")))
    kind = inspect.Parameter.KEYWORD_ONLY
    if item.get("required"):
        return inspect.Parameter(name, kind, annotation=str)
    return inspect.Parameter(name, kind, annotation=str | None, default=None)
