"""The workbench panel in a real page, on a real server."""

from __future__ import annotations

import re

import pytest

CLOSE = "import workbench\nif 'bench' in globals():\n    bench.close()\n"
SOURCE = f'{CLOSE}bench = workbench.open("python -m workbench.demo")\nbench'


@pytest.fixture(scope="module")
def shared(open_for_all):
    return open_for_all([SOURCE, ""])


@pytest.fixture
def notebook(shared):
    """The notebook, in the light, ready for a workbench of its own."""
    shared.theme("light")
    shared.resize(1280)
    return shared


def choose(cell, name):
    cell.get_by_role("option", name=name).click()
    cell.locator(".wb-title", has_text=name).wait_for()


def press_run(cell):
    cell.locator(".wb-form").get_by_role("button", name=re.compile("^Run( again)?$")).click()


def result_in(cell, text):
    """The live result; its copy that is saved is out of sight."""
    return cell.locator(".wb-viewer .wb-block", has_text=text)


def natural_size(image):
    image.wait_for()
    return image.evaluate("e => e.decode().then(() => [e.naturalWidth, e.naturalHeight])")


def test_server_tools_are_chosen_run_and_listed(notebook):
    cell = notebook.do(0, SOURCE)
    choose(cell, "Draw a landscape")
    cell.get_by_label("width").fill("320")
    cell.get_by_label("height").fill("200")
    press_run(cell)
    assert natural_size(cell.locator(".wb-viewer img")) == [320, 200]
    assert not cell.locator(".jp-RenderedImage img").is_visible()
    notebook.do(1, "bench.last.images[0].size").get_by_text("(320, 200)").wait_for()
    cell.get_by_text("Calls (1)").click()
    assert cell.locator(".wb-call", has_text="picture").count() == 1
    cell.locator(".wb-call").get_by_role("button", name="code").click()
    cell.get_by_text("bench.tools['picture'](").wait_for()
    cell.get_by_text("bench.history[0].result.value").wait_for()
    notebook.screenshot("panel-light")


def test_what_was_typed_stays_and_earlier_calls_come_back(notebook):
    cell = notebook.do(0, SOURCE)
    name = cell.get_by_role("textbox", name="name")
    name.fill("Ada")
    press_run(cell)
    result_in(cell, "Hello, Ada!").wait_for()
    name.fill("Grace")
    choose(cell, "Weather table")
    choose(cell, "Greet")
    notebook.page.wait_for_function(
        "() => [...document.querySelectorAll('.wb-form input')].some((e) => e.value === 'Grace')"
    )
    cell.get_by_text("Calls (1)").click()
    cell.get_by_role("button", name="#0 greet").click()
    notebook.page.wait_for_function(
        "() => [...document.querySelectorAll('.wb-form input')].some((e) => e.value === 'Ada')"
    )
    name.fill("Grace")
    press_run(cell)
    cell.get_by_text("Calls (2)").wait_for()
    for box in cell.get_by_role("checkbox", name="compare call").all():
        box.check()
    cell.get_by_role("button", name="Compare").click()
    cell.locator(".wb-side", has_text="Hello, Grace!").wait_for()
    notebook.screenshot("panel-compare")
    assert "Hello, Ada!" in str(notebook.save()["cells"][0]["outputs"])


def test_the_search_narrows_and_the_keyboard_chooses(notebook):
    cell = notebook.do(0, SOURCE)
    search = cell.get_by_label("search tools")
    search.fill("picture")
    assert cell.get_by_role("option").count() == 2
    search.press("ArrowDown")
    notebook.page.keyboard.press("ArrowDown")
    notebook.page.keyboard.press("Enter")
    cell.locator(".wb-title", has_text="Describe a picture").wait_for()
    assert cell.get_by_role("option", selected=True).inner_text() == "Describe a picture"
    search.fill("zzz")
    cell.get_by_text("no tool has all these words").wait_for()


def test_progress_and_a_question_are_shown(notebook):
    cell = notebook.do(0, SOURCE)
    choose(cell, "Count down")
    press_run(cell)
    cell.locator(".wb-form").get_by_role("progressbar").wait_for()
    cell.locator(".wb-status", has_text="done").wait_for()
    choose(cell, "Book a table")
    press_run(cell)
    cell.get_by_text("When, and for how many?").wait_for()
    cell.locator(".wb-runs", has_text="asks something").wait_for()
    notebook.screenshot("panel-question")
    cell.get_by_label("Date").fill("2026-12-24")
    cell.get_by_role("button", name="Accept").click()
    result_in(cell, "Booked for 2 on 2026-12-24, inside.").wait_for()


def test_a_run_goes_on_while_another_tool_is_used(notebook):
    cell = notebook.do(0, SOURCE)
    choose(cell, "Take long")
    press_run(cell)
    runs = cell.locator(".wb-runs .wb-row")
    runs.first.wait_for()
    choose(cell, "Greet")
    cell.get_by_role("textbox", name="name").fill("Ada")
    press_run(cell)
    result_in(cell, "Hello, Ada!").wait_for()
    runs.nth(1).wait_for(state="detached")
    notebook.screenshot("panel-runs")
    cell.get_by_role("button", name="cancel").click()
    cell.get_by_text("Calls (2)").wait_for()
    runs.first.wait_for(state="detached")
    assert result_in(cell, "Hello, Ada!").count() == 1


def test_a_run_is_given_up_after_the_seconds_that_a_person_sets(notebook):
    cell = notebook.do(0, SOURCE)
    choose(cell, "Take long")
    limit = cell.get_by_label("Give up after")
    limit.fill("0.3")
    press_run(cell)
    result_in(cell, "did not answer within 0.3 s").wait_for()
    notebook.screenshot("panel-limit")
    limit.fill("")
    press_run(cell)
    cell.locator(".wb-runs .wb-row").first.wait_for()
    cell.locator(".wb-form").get_by_role("button", name="Cancel").click()
    cell.locator(".wb-status", has_text="cancelled").wait_for()
    notebook.do(1, "bench.history[0].result.error").get_by_text("ToolTimeout").first.wait_for()


def test_what_a_model_sees(notebook):
    cell = notebook.do(0, SOURCE)
    choose(cell, "Draw a landscape")
    cell.get_by_text("What a model sees").click()
    cell.locator(".wb-code-text", has_text="inputSchema").wait_for()
    cell.get_by_role("radio", name="anthropic").click()
    cell.locator(".wb-code-text", has_text="input_schema").wait_for()
    cell.get_by_text(re.compile("characters, about .* tokens")).wait_for()
    choose(cell, "Fail")
    cell.locator(".wb-code-text", has_text="broken").wait_for()
    cell.locator(".wb-bench-drawer").scroll_into_view_if_needed()
    notebook.screenshot("panel-model")


def test_destructive_tool_asks_first_and_its_failure_is_shown(notebook):
    cell = notebook.do(0, SOURCE)
    choose(cell, "Fail")
    press_run(cell)
    cell.get_by_text("It may delete or overwrite.").wait_for()
    cell.get_by_role("button", name="Run it").click()
    cell.locator(".wb-viewer .wb-fault", has_text="the printer is on fire").wait_for()
    notebook.theme("dark")
    notebook.screenshot("panel-error-dark")


@pytest.mark.parametrize("width", [700, 1400])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_panel_at_each_width(notebook, width, theme):
    more = "workbench.tool(len), workbench.tool(abs)"
    cell = notebook.do(0, SOURCE.replace('workbench.demo"', f'workbench.demo", {more}'))
    notebook.resize(width)
    notebook.theme(theme)
    choose(cell, "Draw a landscape")
    press_run(cell)
    cell.get_by_text("Calls (1)").click()
    cell.locator(".wb-call").first.wait_for()
    cell.locator(".wb-search").first.scroll_into_view_if_needed()
    notebook.screenshot(f"panel-{width}-{theme}")
    root = cell.locator(".wb-bench-drawer")
    assert root.evaluate("e => e.scrollWidth <= e.clientWidth + 1")


def test_resources_and_prompts_are_run_like_tools(notebook):
    cell = notebook.do(0, SOURCE)
    cell.get_by_text("python -m workbench.demo · resources").wait_for()
    cell.locator("[data-id=report]").click()
    press_run(cell)
    cell.locator(".wb-viewer").get_by_role("heading", name="Report").wait_for()
    choose(cell, "Link to a report")
    press_run(cell)
    cell.locator(".wb-viewer").get_by_role("button", name="read it").click()
    cell.locator(".wb-viewer").get_by_role("heading", name="Report").wait_for()
    choose(cell, "explain")
    cell.get_by_role("textbox", name="topic").fill("tides")
    press_run(cell)
    cell.locator(".wb-message", has_text="Explain tides in two sentences.").wait_for()
    notebook.screenshot("panel-prompt")


def test_faults_of_the_page_itself_are_said_in_the_panel(notebook):
    cell = notebook.do(0, SOURCE)
    notebook.do(
        1,
        "bench.panel.drawer.send = None\nbench.panel.drawer.runs = [None]",
    )
    cell.locator(".wb-bench-drawer .wb-fault", has_text="properties of null").wait_for()
