"""The harness itself: a real page with a real picture, and clear words when a cell fails."""

from __future__ import annotations

import pytest

PICTURE = """
from IPython.display import display
from PIL import Image
display(Image.new("RGB", (64, 32), "teal"))
"""


def test_a_picture_has_its_natural_size_and_is_saved(open_notebook):
    notebook = open_notebook([PICTURE, "print('second')"]).run_all()
    image = notebook.cell(0).locator("img")
    size = image.evaluate("e => e.decode().then(() => [e.naturalWidth, e.naturalHeight])")
    assert size == [64, 32]
    notebook.cell(1).get_by_text("second").wait_for()
    assert [len(cell["outputs"]) for cell in notebook.save()["cells"]] == [1, 1]
    assert not notebook.errors


def test_a_failed_cell_ends_the_waiting_for_others_with_its_traceback(open_notebook):
    notebook = open_notebook(["1 / 0", "print('never')"])
    notebook.run(0)
    with pytest.raises(AssertionError, match="ZeroDivisionError"):
        notebook.wait_idle()


def test_a_kernel_ends_with_its_test(open_notebook, lab):
    notebook = open_notebook(["1"]).run_all()
    assert notebook.name in [session["path"] for session in lab.api("sessions")]
    lab.end_kernel(notebook.name)
    assert notebook.name not in [session["path"] for session in lab.api("sessions")]


def test_a_theme_ends_with_its_page(open_notebook):
    light = "() => document.body.dataset.jpThemeLight"
    first = open_notebook(["1"])
    first.theme("dark")
    assert first.page.evaluate(light) == "false"
    assert open_notebook(["2"]).page.evaluate(light) == "true"
