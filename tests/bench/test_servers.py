"""Resources and prompts of MCP servers in the workbench: run, kept and repeated like tools."""

from __future__ import annotations

import pytest

from workbench import Workbench, WorkbenchError
from workbench.bench.uri_template import expand, variables

PARTS = """
from urllib.parse import unquote
try:
    from mcp.server.mcpserver import MCPServer as Server
except ImportError:
    from mcp.server.fastmcp import FastMCP as Server
server = Server("parts")

@server.tool()
def explain() -> str:
    return "a tool"

@server.resource("notes://{author}/{topic}", mime_type="text/markdown")
def note(author: str, topic: str) -> str:
    "A note."
    return f"# {unquote(topic)} by {author}"  # servers of the SDK's first major do not

@server.prompt()
def explain_it(topic: str, style: str = "short") -> str:
    "Ask for an explanation."
    return f"Explain {topic}, {style}."
server.run()
"""


@pytest.fixture(scope="module")
def bench(tmp_path_factory):
    path = tmp_path_factory.mktemp("server") / "parts_server"
    path.write_text(PARTS)
    with Workbench(f"python {path}", "python -m workbench.demo") as bench:
        yield bench


def test_they_are_beside_the_tools(bench):
    assert set(bench.resources.names) == {"note", "report"}
    assert set(bench.prompts.names) == {"explain_it", "explain_2"}
    assert not set(bench.tools.names) & {"note", "report", "explain_it"}


def test_a_template_is_filled_in_and_read(bench):
    assert list(bench.resources["note"].args) == ["author", "topic"]
    result = bench.run("note", author="Ada", topic="engines & looms").wait(20)
    assert result.value == "# engines & looms by Ada"
    assert result.value.mime_type == "text/markdown"
    assert bench.history[-1].tool == "note"


def test_a_prompt_gives_its_messages(bench):
    (message,) = bench.prompts["explain_it"](topic="tides")
    assert (message["role"], message["content"]) == ("user", "Explain tides, short.")
    assert bench.prompts["explain_it"].run({}).is_error


def test_calls_are_repeated_by_the_code_that_the_history_writes(bench):
    bench.run("report").wait(20)
    code = bench.history.to_code(len(bench.history) - 1)
    assert code == "bench.resources['report']()"
    assert "All tools are in order" in str(eval(code, {"bench": bench}))
    assert not bench.history.rerun(len(bench.history) - 1).is_error


def test_the_panel_lists_them_in_groups_of_their_own(bench):
    groups = {entry["id"]: entry["group"] for entry in bench.panel.list.entries}
    assert groups["report"] == "python -m workbench.demo · resources"
    assert groups["explain_2"] == "python -m workbench.demo · prompts"
    assert groups["greet"] == "python -m workbench.demo"
    bench.panel.list.chosen = "explain_it"
    topic, style = bench.panel.form.model.fields
    assert (topic.kind, topic.required) == ("string", True)
    assert (style.kind, style.required) == ("string", False)


def test_names_that_are_nowhere_are_refused(bench):
    with pytest.raises(WorkbenchError, match="there is no tool 'nope'"):
        bench.run("nope")


EXPANSIONS = [
    ("a://{x}", {"x": "1/2"}, "a://1%2F2"),
    ("a://{+x}", {"x": "1/2"}, "a://1/2"),
    ("a://h{/x,y}{?q,r}", {"x": "1", "r": "é"}, "a://h/1?r=%C3%A9"),
    ("a://{x*}{#f}", {"x": "1", "f": "top"}, "a://1#top"),
    ("a://{x:3}", {"x": "1"}, "a://1"),
    ("a://plain", {}, "a://plain"),
]  # fmt: skip


@pytest.mark.parametrize(("template", "values", "uri"), EXPANSIONS)
def test_templates(template, values, uri):
    assert expand(template, values) == uri
    assert set(values) <= set(variables(template))
