"""Text from tools and servers is data: in no view does any of it run or fetch anything."""

from __future__ import annotations

import pytest

PAYLOADS = {
    "script": "<script>window.pwned=1</script>",
    "handler": "<img src=x onerror=window.pwned=1><svg onload=window.pwned=1>",
    "remote picture": "<img src='https://evil.example/a.png'><link rel=stylesheet href='https://evil.example/a.css'>",
    "frame": "<iframe src='https://evil.example/f'></iframe><object data='https://evil.example/o'></object>",
    "refresh": "<meta http-equiv=refresh content='0;url=https://evil.example/r'><base href='https://evil.example/'>",
    "style": "<style>body{background:url(https://evil.example/b)}@import 'https://evil.example/i.css';</style>",
    "link": "<a href='javascript:window.pwned=1'>x</a><form action='https://evil.example/s'><button>go</button></form>",
    "markdown": "![a](https://evil.example/m.png) [x](javascript:window.pwned=1) ![b][r]\n\n[r]: https://evil.example/r.png\n<img src=https://evil.example/h.png>",
    "template": "${window.pwned=1} {{constructor.constructor('window.pwned=1')()}} `window.pwned=1`",
    "breakout": "\"><img src=x onerror=window.pwned=1> '></pre></script><script>window.pwned=1</script>",
    "latex": "$\\href{javascript:window.pwned=1}{x}$ $$\\includegraphics{https://evil.example/l.png}$$",
    "ansi": "\x1b[31mred\x1b[0m \x1b]8;;https://evil.example\x07link\x1b]8;;\x07 \x1b[2J",
    "bidi": "\u202etxt.exe\u202c \u200binvisible\u2066 \U000e0041\U000e0042",
    "address": "data:text/html,<script>window.pwned=1</script>",
}

TOOLS = """
import workbench
from workbench import AgentText, Tool, ToolResult
from workbench.tools.content import Resource, ResourceLink

P = PAYLOADS
ALL = "\\n".join(P.values())

def blocks(x: str = ALL) -> ToolResult:
    print(ALL)
    texts = [AgentText(text) for text in P.values()]
    marked = [AgentText(text, mime_type="text/markdown") for text in P.values()]
    pages = [Resource(uri=uri, value=AgentText(ALL, mime_type="text/html"), mime_type="text/html") for uri in ("ui://x", ALL)]
    link = ResourceLink(uri=P["link"], name=P["handler"], title=P["breakout"], description=P["markdown"])
    table = [{name: text, text: name} for name, text in P.items()]
    talk = [{"role": P["handler"], "content": AgentText(ALL, mime_type="text/markdown")}]
    return ToolResult([*texts, *marked, *pages, link, table, talk, {ALL: {ALL: [ALL]}}], {ALL: ALL})

def fails(x: str = ALL):
    raise RuntimeError(ALL)

made = [Tool(func, name=func.__name__, desc=ALL, title=func.__name__ + P["handler"], arg_desc={"x": ALL}) for func in (blocks, fails)]
for each in made:
    each.source = ALL
bench = workbench.Workbench(*made)
for each in bench.tools:
    for given in (ALL, ALL + "2"):
        each.run({"x": given})
bench
"""


@pytest.fixture(scope="module")
def notebook(open_for_all):
    return open_for_all([TOOLS.replace("PAYLOADS", repr(PAYLOADS)), ""])


def inert(notebook):
    page = notebook.page
    page.wait_for_load_state("networkidle")
    assert page.evaluate("() => window.pwned") is None
    assert not notebook.asked_of("evil.example")
    assert not notebook.errors


def test_nothing_runs_in_the_panel(notebook):
    cell = notebook.do(0)
    viewer = cell.locator(".wb-viewer")
    for name in ("blocks", "fails"):
        cell.locator(f".wb-entry[data-id={name}]").click()
        cell.locator(".wb-title", has_text=name).wait_for()
        cell.get_by_role("button", name="Run", exact=True).click()
        cell.locator(".wb-result-title", has_text=name).wait_for()
    viewer.get_by_text("Traceback", exact=True).click()
    cell.locator(".wb-fold-calls > summary").click()
    cell.locator(".wb-call").get_by_role("button", name="code").first.click()
    cell.locator(".wb-snippet").first.wait_for()
    cell.get_by_text("What a model sees").click()
    for dialect in ("openai", "gemini"):
        cell.get_by_role("radio", name=dialect, exact=True).click()
    cell.locator(".wb-fold-seen .wb-code-text", has_text="onerror").wait_for()
    cell.get_by_role("tab", name="Python").click()
    cell.get_by_role("tab", name="JSON").click()
    inert(notebook)


def test_nothing_runs_in_a_result_or_a_comparison(notebook):
    cell = notebook.do(0)
    viewer = cell.locator(".wb-viewer")
    cell.locator(".wb-fold-calls > summary").click()
    cell.locator(".wb-call", has_text="#0").get_by_role("button", name="show").click()
    viewer.locator(".wb-result-title", has_text="#0").wait_for()
    for node in viewer.locator(".wb-node[aria-expanded=false]").all():
        node.click()
    for words in ("run this app", "show as a page"):
        viewer.get_by_role("button", name=words).click()
    frames = viewer.locator("iframe")
    frames.nth(1).wait_for()
    assert [frame.get_attribute("sandbox") for frame in frames.all()] == ["allow-scripts", ""]
    viewer.locator(".wb-table .wb-column").first.click()
    for number in (0, 1):
        cell.get_by_label(f"compare call {number}").check()
    cell.get_by_role("button", name="Compare").click()
    viewer.locator(".wb-diff").first.wait_for()
    notebook.screenshot("hostile")
    inert(notebook)


SHOWN = [
    "bench.history", "bench.history[0].result", "bench.history[2].result", "bench.history.compare(0, 1)",
    "bench.tools", "bench.tools['blocks'].form()", "bench.tools['blocks'].form().controls()", "bench.last",
    "bench.tools.lint()", "bench.history[0].result.content[3]", "AgentText(ALL, mime_type='text/markdown')", "Tool(blocks, desc=ALL)",
]  # fmt: skip


def test_nothing_runs_in_what_cells_show(notebook):
    notebook.do(0)
    for source in SHOWN:
        notebook.do(1, source)
        notebook.page.wait_for_function(
            "() => document.querySelectorAll('.jp-Cell-outputArea')[1].innerText.trim()"
        )
        inert(notebook)


def test_hidden_characters_stay_within_their_place(notebook):
    cell = notebook.do(0)
    cell.locator(".wb-fold-calls > summary").click()
    cell.locator(".wb-call", has_text="#0").get_by_role("button", name="show").click()
    text = cell.locator(".wb-viewer .wb-text", has_text="txt.exe").first
    assert text.evaluate("e => getComputedStyle(e).unicodeBidi") == "isolate"
