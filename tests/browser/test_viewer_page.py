"""Results in a real page: looked at closely, taken apart, put into other tools, and saved."""

from __future__ import annotations

import pytest

SOURCE = """
import numpy, workbench
from PIL import Image
from workbench import AgentAudio, AgentImage, AgentText

def picture(red: int = 200, side: int = 64) -> AgentImage:
    "A picture of one colour, with a corner of another."
    drawn = Image.new("RGB", (4 * side, 2 * side), (red, 90, 60))
    drawn.paste((250, 250, 250), (0, 0, side, side))
    return AgentImage(drawn)

def sound() -> AgentAudio:
    "A tone that fades."
    t = numpy.linspace(0, 2, 16_000)
    return AgentAudio(numpy.sin(2 * numpy.pi * 330 * t) * numpy.exp(-2 * t), samplerate=8_000)

def table(rows: int = 2_500) -> list:
    "Some rows."
    return [{"n": n, "square": n * n, "word": f"word {n % 13}"} for n in range(rows)]

def tree() -> dict:
    "Nested data."
    return {"name": "root", "list": list(range(250)), "deep": {"a": {"b": [None, True, 1.5]}}}

def note() -> AgentText:
    "Markdown."
    return AgentText("# Title\\n\\nSome *soft* and **strong** `code`, [a link](https://example.com).\\n\\n- one\\n- two\\n\\n| a | b |\\n|---|---|\\n| 1 | 2 |\\n\\n> said\\n\\n```\\nx = 1\\n```", mime_type="text/markdown")

def everything() -> tuple:
    "Several blocks."
    return "a caption", picture(), sound(), {"k": [1, 2]}

def takes(text: str, number: int, image: AgentImage = None) -> str:
    "Take one of each."
    return f"{text} {number} {image and image.size}"

def figure() -> None:
    "Show a figure, and return nothing."
    from IPython.display import display
    print("drawing")
    display(Image.new("RGB", (90, 30), "purple"))

if "bench" in globals():
    bench.close()
bench = workbench.Workbench(picture, sound, table, tree, note, everything, takes, figure)
bench
"""


def run(cell, name):
    cell.get_by_role("option", name=name, exact=True).click()
    cell.locator(".wb-title", has_text=name).wait_for()
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.locator(".wb-result-title", has_text=name).wait_for()
    return cell.locator(".wb-viewer")


@pytest.fixture(scope="module")
def notebook(open_for_all):
    return open_for_all([SOURCE, ""], height=1400)


@pytest.fixture
def bench(notebook):
    """The notebook and its first cell, with a new workbench of the tools above."""
    notebook.theme("light")
    notebook.resize(1280, 1400)
    return notebook, notebook.do(0)


def test_pictures_are_zoomed_measured_and_saved(bench):
    notebook, cell = bench
    viewer = run(cell, "picture")
    # Its bytes are asked for after it is drawn.
    image = viewer.locator("img[src]")
    image.evaluate("e => e.decode()")
    viewer.get_by_text("256 × 128 px · PNG").wait_for()
    viewer.get_by_role("button", name="100%").click()
    assert image.evaluate("e => e.clientWidth") == 256
    for _ in range(4):
        viewer.get_by_role("button", name="+").click()
    assert image.evaluate("e => e.clientWidth") > 1_000
    notebook.screenshot("viewer-zoom")
    viewer.get_by_role("button", name="fit").click()
    assert image.evaluate("e => e.clientWidth <= e.parentElement.clientWidth")
    with notebook.page.expect_download() as download:
        viewer.get_by_role("button", name="download").click()
    assert download.value.suggested_filename == "result.png"


def test_sound_has_a_player_and_a_waveform(bench):
    notebook, cell = bench
    viewer = run(cell, "sound")
    player = viewer.locator("audio")
    notebook.page.wait_for_function(
        "() => document.querySelector('.wb-viewer audio')?.duration > 1.9"
    )
    viewer.locator("canvas").wait_for()
    inked = "e => e.getContext('2d').getImageData(0, 0, e.width, e.height).data.some(v => v)"
    assert viewer.locator("canvas").evaluate(inked)
    viewer.locator("canvas").click()
    assert player.evaluate("e => e.currentTime") > 0.5
    viewer.get_by_text("2.00 s, 8 kHz, mono").wait_for()
    notebook.screenshot("viewer-sound")


def test_tables_are_sorted_and_read_on(bench):
    notebook, cell = bench
    viewer = run(cell, "table")
    rows = viewer.locator("tbody tr")
    rows.nth(249).wait_for()
    viewer.get_by_text("2,500 rows × 3 columns").wait_for()
    viewer.get_by_role("button", name="square").click()
    viewer.get_by_role("button", name="square").click()
    viewer.get_by_role("cell", name="6245001").wait_for()
    assert (
        viewer.get_by_role("columnheader", name="square").get_attribute("aria-sort") == "descending"
    )
    box = viewer.locator(".wb-table-box")
    more = viewer.get_by_role("button", name="show more: 1,000 of 2,500 rows are here")
    for _ in range(8):
        box.evaluate("e => { e.scrollTop = e.scrollHeight; }")
        notebook.page.wait_for_function("() => !document.querySelector('.wb-viewer .busy')")
    more.wait_for()
    notebook.screenshot("viewer-table")
    more.click()
    rows.nth(1_000).wait_for()


def test_trees_open_level_by_level(bench):
    notebook, cell = bench
    viewer = run(cell, "tree")
    viewer.locator(".wb-node", has_text="list").click()
    viewer.get_by_role("button", name="100 more of 250").click()
    viewer.get_by_role("button", name="50 more of 250").wait_for()
    viewer.locator(".wb-node", has_text="deep").click()
    viewer.locator(".wb-node", has_text="a").last.click()
    notebook.screenshot("viewer-tree")
    assert viewer.locator(".wb-key", has_text="199").count() == 1


def test_markdown_is_drawn(bench):
    notebook, cell = bench
    viewer = run(cell, "note")
    viewer.get_by_role("heading", name="Title").wait_for()
    assert (
        viewer.get_by_role("link", name="a link").get_attribute("rel")
        == "noopener noreferrer nofollow"
    )
    assert viewer.locator("li").count() == 2
    assert viewer.get_by_role("cell").count() == 2
    notebook.screenshot("viewer-markdown")


def test_parts_go_into_variables_and_other_tools(bench):
    notebook, cell = bench
    viewer = run(cell, "everything")
    blocks = viewer.locator(".wb-block")
    blocks.nth(1).get_by_role("button", name="assign").click()
    blocks.nth(1).get_by_label("name of the variable").fill("drawn")
    blocks.nth(1).get_by_role("button", name="Assign", exact=True).click()
    blocks.nth(1).get_by_text("drawn = <AgentImage").wait_for()
    blocks.nth(0).get_by_role("button", name="use as input").click()
    blocks.nth(0).get_by_label("tool").select_option("takes")
    blocks.nth(0).get_by_role("button", name="text", exact=True).click()
    cell.locator(".wb-title", has_text="takes").wait_for()
    notebook.page.wait_for_function(
        "() => [...document.querySelectorAll('.wb-form .wb-input')].some(e => e.value === 'a caption')"
    )
    blocks.nth(1).locator(".wb-grip").drag_to(cell.locator(".wb-field", has_text="image"))
    blocks.nth(1).get_by_text("content[1] is now image of takes").wait_for()
    cell.get_by_role("textbox", name="number").fill("7")
    notebook.screenshot("viewer-chained")
    cell.get_by_role("button", name="Run", exact=True).click()
    viewer.get_by_text("a caption 7 (256, 128)").wait_for()
    run(cell, "table")
    viewer.get_by_role("button", name="square").click()
    viewer.get_by_text("['square']", exact=True).wait_for()
    viewer.get_by_role("button", name="assign").click()
    viewer.get_by_label("name of the variable").fill("column")
    viewer.get_by_label("name of the variable").press("Enter")
    viewer.get_by_text("column = [0, 1, 4").wait_for()
    notebook.do(1, "drawn.size, column[:3]").get_by_text("((256, 128), [0, 1, 4])").wait_for()


def test_two_pictures_are_compared_by_a_slider(bench):
    notebook, cell = bench
    run(cell, "picture")
    cell.get_by_role("textbox", name="red").fill("20")
    cell.get_by_role("button", name="Run again", exact=True).click()
    cell.get_by_text("Calls (2)").click()
    for box in cell.get_by_role("checkbox", name="compare call").all():
        box.check()
    cell.get_by_role("button", name="Compare").click()
    viewer = cell.locator(".wb-viewer")
    slider = viewer.get_by_role("slider")
    slider.fill("25")
    assert viewer.locator(".wb-over").evaluate("e => e.style.clipPath") == "inset(0px 0px 0px 25%)"
    notebook.screenshot("viewer-compare")
    assert "data:image" in str(notebook.save()["cells"][0]["outputs"])


def test_what_a_tool_displays_is_in_its_result_and_in_the_file(bench):
    notebook, cell = bench
    viewer = run(cell, "figure")
    image = viewer.locator("img")
    image.wait_for()
    assert image.evaluate("e => e.decode().then(() => [e.naturalWidth, e.naturalHeight])") == [
        90,
        30,
    ]
    viewer.get_by_text("displayed while it ran").wait_for()
    assert "data:image/png" in str(notebook.save()["cells"][0]["outputs"][-1])


def test_the_copy_that_is_saved_comes_forth_when_the_panel_is_gone(bench):
    notebook, cell = bench
    run(cell, "note")
    copy = cell.locator(".jp-RenderedMarkdown")
    copy.wait_for(state="hidden")
    notebook.save()
    notebook.page.evaluate(
        "() => { const output = window.jupyterapp.shell.currentWidget.content.widgets[0].outputArea; output.model.fromJSON(output.model.toJSON().slice(-1)); }"
    )
    copy.wait_for()


@pytest.mark.parametrize(("width", "theme"), [(700, "light"), (1400, "dark")])
def test_everything_at_each_width(bench, width, theme):
    notebook, cell = bench
    notebook.resize(width, 1500)
    notebook.theme(theme)
    viewer = run(cell, "everything")
    viewer.locator("canvas").wait_for()
    viewer.locator("img").evaluate("e => e.decode()")
    viewer.evaluate("e => e.scrollIntoView()")
    notebook.screenshot(f"viewer-{width}-{theme}")
    assert viewer.evaluate("e => e.scrollWidth <= e.clientWidth + 1")
