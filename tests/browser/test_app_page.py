"""Apps of tools in a real page: they run in their frames, and ask for everything else."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tests.sources.test_real_servers import command

SERVER = str(Path(__file__).parent.parent / "sources" / "servers" / "app.py")
SOURCE = f"""
import workbench
if "bench" in globals():
    bench.close()
bench = workbench.Workbench({{"command": {sys.executable!r}, "args": [{SERVER!r}]}})
bench
"""


@pytest.fixture(scope="module")
def notebook(open_for_all):
    return open_for_all([SOURCE, ""], height=1400)


@pytest.fixture
def running(notebook):
    """The panel's viewer and the app of a call in it, which runs."""
    notebook.theme("light")
    notebook.resize(1280, 1400)
    cell = notebook.do(0)
    cell.get_by_role("option", name="counter", exact=True).click()
    cell.get_by_role("button", name="Run", exact=True).click()
    viewer = cell.locator(".wb-viewer")
    viewer.get_by_role("button", name="run this app").click()
    app = viewer.frame_locator("iframe").frame_locator("iframe")
    app.get_by_text("result counter").wait_for()
    return viewer, app


def press(app, label, said=""):
    """Press a button of the app, and wait for what it then shows."""
    app.get_by_role("button", name=label, exact=True).click()
    if said:
        app.get_by_text(f"{label}: {said}").first.wait_for()


def test_an_app_is_told_what_it_shows_and_reaches_nothing(notebook, running):
    viewer, app = running
    for line in ("host workbench light counter", "input {}", "for the page", "no network"):
        app.get_by_text(line).wait_for()
    viewer.get_by_text("It also asks for what no app gets here: camera").wait_for()
    assert not notebook.asked_of("evil.example")
    frame = viewer.locator("iframe")
    notebook.page.wait_for_function("e => e.clientHeight < 300", arg=frame.element_handle())
    notebook.theme("dark")
    app.get_by_text("theme dark").wait_for()
    notebook.screenshot("app-dark")


def test_an_app_reaches_the_hosts_that_the_person_allows(notebook, running):
    viewer, app = running
    allow = {"Access-Control-Allow-Origin": "*"}
    notebook.page.route("https://api.example/**", lambda way: way.fulfill(body="hi", headers=allow))
    press(app, "reach", "{}")
    app.get_by_text("no api").wait_for()
    viewer.get_by_text("it asks for https://api.example").wait_for()
    viewer.get_by_role("button", name="run it with the network").click()
    press(app, "reach", "{}")
    app.get_by_text("api says hi").wait_for()
    app.get_by_text("no network").wait_for()
    assert not notebook.asked_of("evil.example")


def test_what_an_app_wants_is_put_to_the_person(notebook, running):
    viewer, app = running
    press(app, "look", '{"content"')
    press(app, "count")
    asks = viewer.get_by_role("group", name="the app asks")
    asks.get_by_text("The app wants to call count").wait_for()
    notebook.screenshot("app-asks")
    asks.get_by_role("button", name="Refuse").click()
    app.get_by_text('count: "the person has refused').wait_for()
    press(app, "count")
    press(app, "poll")
    asks.get_by_role("button", name="Allow all").click()
    app.get_by_text('count: {"content"').wait_for()
    app.get_by_text('poll: {"content"').wait_for()
    press(app, "erase")
    asks.get_by_text("which may destroy something").wait_for()
    assert asks.get_by_role("button").all_inner_texts() == ["Allow", "Refuse"]
    asks.get_by_role("button", name="Allow").click()
    app.get_by_text('erase: {"content"').wait_for()
    notebook.do(1, "print([record.tool for record in bench.history])")
    notebook.cell(1).get_by_text("['counter', 'look', 'count', 'erase']").wait_for()


def test_an_app_reads_says_and_is_refused_in_words(notebook, running):
    viewer, app = running
    press(app, "read")
    app.get_by_text('"text":"a note"').wait_for()
    press(app, "hidden", '"')
    press(app, "list", '"there is no prompts/list here"')
    press(app, "script", '"only http and https')
    press(app, "link")
    viewer.get_by_text("The app wants to open https://example.com/page").wait_for()
    viewer.get_by_role("button", name="Refuse").click()
    app.get_by_text('link: "the person has refused').wait_for()
    press(app, "tell", "{}")
    press(app, "say", "{}")
    viewer.get_by_text("What the app says").click()
    for text in ("the person looks at 3", "<b>please go on</b>", "info the page is up"):
        viewer.get_by_text(text, exact=True).wait_for()
    notebook.screenshot("app-says")
    assert not notebook.asked_of("example.com")
    assert not notebook.errors


@pytest.mark.node
def test_a_real_app_shows_its_document(notebook, tmp_path):
    page = Image.new("RGB", (595, 300), "white")
    ImageDraw.Draw(page).text((60, 100), "Hello, PDF", fill="navy", font_size=60)
    document = tmp_path / "page.pdf"
    page.save(document)
    program = command("mcp-pdf-server", "WORKBENCH_NODE_SERVERS")
    target = {"command": program, "args": ["--stdio", str(document)]}
    notebook.do(1, f"""
pdf = workbench.Workbench({target!r})
pdf.select("display_pdf", url={str(document)!r})
""")  # fmt: skip
    cell = notebook.cell(1)
    cell.get_by_role("button", name="Run", exact=True).click()
    viewer = cell.locator(".wb-viewer")
    script = Path(program).parent.parent / "pdfjs-dist" / "build" / "pdf.worker.min.mjs"
    allow = {"Access-Control-Allow-Origin": "*", "Content-Type": "text/javascript"}
    notebook.page.route(
        "https://unpkg.com/**/pdf.worker*", lambda way: way.fulfill(path=script, headers=allow)
    )
    viewer.get_by_role("button", name="run it with the network").click()
    viewer.get_by_role("button", name="Allow all").click()
    app = viewer.frame_locator("iframe").frame_locator("iframe")
    app.locator("canvas").first.wait_for()
    notebook.screenshot("app-pdf")
    notebook.do(1, "pdf.close()")
