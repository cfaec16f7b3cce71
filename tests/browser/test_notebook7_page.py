"""The workbench in Notebook 7, with its own shell, theme and keys."""

from __future__ import annotations

import json
import re

import pytest

from tests.browser.conftest import PATIENCE_MS, NotebookPage, written

SOURCE = 'import workbench\nbench = workbench.open("python -m workbench.demo")\nbench'
SLOW = """
import time

def wait(seconds: float = 60.0) -> str:
    "Wait, and tell of it."
    for passed in range(int(seconds * 20)):
        print("still here", passed)
        time.sleep(0.05)
        yield passed / seconds / 20
    return "done"

workbench.Form(workbench.tool(wait))
""".strip()


class Notebook7Page(NotebookPage):
    """A notebook in Notebook 7, which the same server serves; driven by keys, as by a person."""

    def open(self) -> Notebook7Page:
        self.server.give_kernel(self.name)
        self.page.set_default_timeout(PATIENCE_MS)
        self.page.goto(f"{self.server.url}/notebooks/{self.name}?token={self.server.token}")
        return self

    def do(self, index: int):
        """Run a cell; gives its output."""
        self.page.locator(".jp-Notebook .jp-Cell .cm-content").nth(index).click()
        self.page.keyboard.press("Control+Enter")
        return self.cell(index)

    def save(self) -> dict:
        with self.page.expect_response(lambda answer: answer.request.method == "PUT"):
            self.page.keyboard.press("Control+s")
        return json.loads((self.server.root / self.name).read_text())


@pytest.fixture
def notebook7(lab, chromium):
    """Open a notebook of some code cells in Notebook 7, in a page of its own."""
    pytest.importorskip("notebook", minversion="7", reason="Notebook 7 is not installed")
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    opened: list[Notebook7Page] = []

    def open_one(cells) -> Notebook7Page:
        opened.append(Notebook7Page(context.new_page(), lab, written(cells, lab.root)))
        return opened[-1].open()

    yield open_one
    for notebook in opened:
        notebook.close()
    context.close()


def press(cell, name):
    cell.locator(".wb-form").get_by_role("button", name=re.compile(f"^{name}$")).click()


def test_a_tool_is_chosen_run_and_kept(notebook7):
    notebook = notebook7([SOURCE, "bench.last.images[0].size"])
    cell = notebook.do(0)
    cell.get_by_role("option", name="Draw a landscape").click()
    cell.locator(".wb-title", has_text="Draw a landscape").wait_for()
    cell.get_by_label("width").fill("320")
    cell.get_by_label("height").fill("200")
    press(cell, "Run( again)?")
    picture = cell.locator(".wb-viewer img[src]")
    natural = "e => e.decode().then(() => [e.naturalWidth, e.naturalHeight])"
    assert picture.evaluate(natural) == [320, 200]
    notebook.do(1).get_by_text("(320, 200)").wait_for()
    saved = notebook.save()["cells"][0]["outputs"]
    assert any("image/jpeg" in output["data"] for output in saved)
    notebook.screenshot("notebook7")
    notebook.resize(700)
    assert cell.locator(".wb-bench-drawer").evaluate("e => e.scrollWidth <= e.clientWidth + 1")
    notebook.screenshot("notebook7-700")


def test_what_runs_is_watched_and_cancelled(notebook7):
    notebook = notebook7([f"import workbench\n{SLOW}", "6 * 7"])
    cell = notebook.do(0)
    press(cell, "Run")
    cell.get_by_text("still here 3").first.wait_for()
    # The kernel is free meanwhile.
    notebook.do(1).get_by_text("42").wait_for()
    press(cell, "Cancel")
    cell.locator(".wb-form").get_by_text("cancelled").first.wait_for()
    press(cell, "Run( again)?")
