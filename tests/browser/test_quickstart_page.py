"""The quickstart in a real page, as a newcomer sees it, and the saved file without a kernel."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

QUICKSTART = Path(__file__).parents[2] / "notebooks" / "01_quickstart.ipynb"


def test_the_quickstart_runs_looks_right_and_reads_without_a_kernel(open_notebook, tmp_path):
    notebook = open_notebook(QUICKSTART, width=1400).run_all()
    assert not notebook.page.locator(".jp-RenderedText[data-mime-type*=stderr]").count()
    form = notebook.page.locator(".wb-form").first
    run = form.get_by_role("button", name="Run", exact=True)
    run.click()
    form.locator(".wb-status", has_text="done").wait_for()
    run = form.get_by_role("button", name="Run again")
    for theme, width in (("light", 1400), ("dark", 1400), ("dark", 700), ("light", 700)):
        notebook.theme(theme)
        notebook.resize(width)
        run.scroll_into_view_if_needed()
        notebook.screenshot(f"quickstart-form-{width}-{theme}")
        notebook.page.locator(".wb-bench-tools").scroll_into_view_if_needed()
        notebook.screenshot(f"quickstart-panel-{width}-{theme}")
    notebook.save()
    assert not [error for error in notebook.errors if "workbench" in error]
    saved = notebook.server.root / notebook.name
    command = [
        sys.executable,
        "-m",
        "nbconvert",
        "--to",
        "html",
        "--output-dir",
        str(tmp_path),
        str(saved),
    ]
    subprocess.run(command, check=True, capture_output=True)
    html = next(tmp_path.glob("*.html")).read_text(encoding="utf-8")
    assert html.count("data:image/") >= 2
    assert re.search(r"<audio[^>]* src=.data:audio/wav", html)
    assert "float division by zero" in html
    assert "must be at most 800, got 9000" in html
