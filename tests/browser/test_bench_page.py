"""The workbench panel in a real page, on a real server."""

from __future__ import annotations

SOURCE = """
import workbench
bench = workbench.open("python -m workbench.demo")
bench
"""


def test_server_tools_are_chosen_run_and_listed(open_notebook):
    notebook = open_notebook([SOURCE, "bench.last.images[0].size"]).run_all()
    cell = notebook.cell(0)
    cell.get_by_role("option", name="Draw a landscape").click()
    cell.get_by_label("width").fill("320")
    cell.get_by_label("height").fill("200")
    cell.get_by_role("button", name="Run", exact=True).click()
    image = cell.locator(".jp-RenderedImage img")
    image.wait_for()
    assert image.evaluate("e => e.decode().then(() => [e.naturalWidth, e.naturalHeight])") == [
        320,
        200,
    ]
    notebook.run(1)
    notebook.cell(1).get_by_text("(320, 200)").wait_for()
    cell.get_by_text("Calls (1)").click()
    assert cell.locator(".wb-call", has_text="picture").count() == 1
    cell.get_by_role("button", name="code").click()
    cell.get_by_text("bench.tools['picture'](").wait_for()
    notebook.screenshot("panel-light")


def test_progress_and_a_question_are_shown(open_notebook):
    notebook = open_notebook([SOURCE]).run_all()
    cell = notebook.cell(0)
    cell.get_by_role("option", name="Count down").click()
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.get_by_role("progressbar").wait_for()
    cell.locator(".wb-status", has_text="done").wait_for()
    cell.get_by_role("option", name="Book a table").click()
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.get_by_text("When, and for how many?").wait_for()
    notebook.screenshot("panel-question")
    cell.get_by_label("Date").fill("2026-12-24")
    cell.get_by_role("button", name="Accept").click()
    cell.locator("pre", has_text="Booked for 2 on 2026-12-24, inside.").wait_for()


def test_destructive_tool_asks_first_and_its_failure_is_shown(open_notebook):
    notebook = open_notebook([SOURCE]).run_all()
    cell = notebook.cell(0)
    cell.get_by_role("option", name="Fail").click()
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.get_by_text("It may delete or overwrite.").wait_for()
    cell.get_by_role("button", name="Run it").click()
    cell.locator(".workbench-result", has_text="the printer is on fire").wait_for()
    notebook.theme("dark")
    notebook.screenshot("panel-error-dark")
