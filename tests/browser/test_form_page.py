"""The form in a real page: typed into, run, looked at, saved."""

from __future__ import annotations

import base64
import io

import pytest

PICTURE_TOOL = """
from typing import Annotated, Literal
from pydantic import Field
from PIL import Image, ImageOps
from workbench import AgentImage, tool
from workbench.demo.pictures import sample_photo

@tool
def poster(
    image: Image.Image,
    caption: str,
    size: Annotated[int, Field(ge=16, le=512)] = 256,
    style: Literal["plain", "grey", "inverted"] = "plain",
    mirror: bool = False,
) -> Image.Image:
    '''Make a small poster of a picture.

    Args:
        image: What is on it.
        caption: What is written under it.
        size: Width in pixels.
    '''
    print("working on", image.size, caption)
    made = ImageOps.contain(image, (size, size))
    if style == "grey":
        made = ImageOps.grayscale(made)
    return ImageOps.mirror(made) if mirror else made

poster
"""


def _png(width: int, height: int) -> dict:
    from PIL import Image

    file = io.BytesIO()
    Image.new("RGB", (width, height), "teal").save(file, "PNG")
    return {"name": "teal.png", "mimeType": "image/png", "buffer": file.getvalue()}


def test_image_in_image_out_and_the_result_survives_saving(open_notebook):
    notebook = open_notebook([PICTURE_TOOL]).run_all()
    cell = notebook.cell(0)
    run = cell.get_by_role("button", name="Run", exact=True)
    run.click()
    cell.get_by_text("2 problems to mend first").wait_for()
    assert cell.get_by_text("is required").count() == 2
    cell.get_by_label("caption").fill("a teal square")
    cell.locator("input[type=file]").set_input_files(_png(400, 200))
    cell.locator(".wb-preview img").wait_for()
    cell.get_by_label("size").fill("700")
    cell.get_by_text("must be at most 512, got 700").wait_for()
    cell.get_by_label("size").fill("64")
    cell.get_by_role("radio", name="grey").check()
    notebook.screenshot("form-filled")
    run.click()
    cell.get_by_text("done", exact=False).first.wait_for()
    image = cell.locator(".jp-RenderedImage img")
    image.wait_for()
    assert image.evaluate("e => e.decode().then(() => [e.naturalWidth, e.naturalHeight])") == [
        64,
        32,
    ]
    assert "a teal square" in cell.locator(".wb-output").inner_text()
    notebook.screenshot("form-result-light")
    outputs = notebook.save()["cells"][0]["outputs"]
    saved = [o["data"]["image/png"] for o in outputs if "image/png" in o.get("data", {})]
    assert base64.b64decode(saved[-1]).startswith(b"\x89PNG")
    assert not notebook.errors


def test_sound_plays(open_notebook):
    source = """
from workbench import AgentAudio, tool
from workbench.demo.sounds import melody

@tool
def tune(note_s: float = 0.1) -> AgentAudio:
    "Play a chord."
    return AgentAudio(melody(note_s=note_s, samplerate=8000), samplerate=8000)

tune
"""
    notebook = open_notebook([source]).run_all()
    notebook.cell(0).get_by_role("button", name="Run", exact=True).click()
    audio = notebook.cell(0).locator(".jp-OutputArea-output audio")
    audio.wait_for()
    duration = audio.evaluate(
        """e => new Promise((done) => { const say = () => done(e.duration);
            e.readyState ? say() : e.addEventListener('loadedmetadata', say); })"""
    )
    assert duration == pytest.approx(0.7, abs=0.02)


def test_slow_tool_is_cancelled_while_another_cell_runs(open_notebook):
    source = """
import time
from workbench import tool

@tool
def slow(seconds: float = 60) -> str:
    "Sleep."
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        time.sleep(0.01)
    return "woke"

slow
"""
    notebook = open_notebook(
        [source, "n = globals().get('n', 0) + 1\nprint('answer', n)"]
    ).run_all()
    cell = notebook.cell(0)
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.get_by_role("button", name="Running").wait_for()
    notebook.run(1)
    notebook.cell(1).get_by_text("answer 2").wait_for()
    cell.get_by_role("button", name="Cancel").click()
    cell.locator(".wb-status", has_text="cancelled").wait_for()
    cell.get_by_role("alert").get_by_text("was stopped").wait_for()
    notebook.screenshot("form-cancelled")


def test_error_is_shown_with_its_traceback_folded(open_notebook):
    source = """
from workbench import tool

@tool
def divide(a: int, b: int) -> float:
    "Divide two numbers."
    return a / b

divide.form(a=1, b=0)
"""
    notebook = open_notebook([source]).run_all()
    cell = notebook.cell(0)
    cell.get_by_role("button", name="Run", exact=True).click()
    shown = cell.locator(".workbench-result")
    shown.get_by_text("ZeroDivisionError: division by zero").first.wait_for()
    trace = shown.locator("details pre")
    assert not trace.is_visible()
    shown.locator("summary").click()
    assert "return a / b" in trace.inner_text()
    assert "workbench/tools" not in trace.inner_text()
    assert cell.get_by_label("a", exact=True).input_value() == "1"
    notebook.screenshot("form-error")


def test_hostile_text_is_inert(open_notebook):
    source = """
from workbench import tool
EVIL = "<img src=x onerror='window.hacked=1'><script>window.hacked=1</script>"

@tool(title=EVIL, desc=EVIL)
def evil(text: str = EVIL) -> str:
    print(EVIL)
    return text

evil
"""
    notebook = open_notebook([source]).run_all()
    cell = notebook.cell(0)
    cell.get_by_role("button", name="Run", exact=True).click()
    cell.locator(".wb-status", has_text="done").wait_for()
    cell.locator(".jp-OutputArea-output pre", has_text="onerror").last.wait_for()
    assert notebook.page.evaluate("() => window.hacked") is None
    assert not [url for url in notebook.requests if url.endswith("/x")]
