"""One of each agent type in a real page: right size, right length, no scripts."""

from __future__ import annotations

SOURCE = """
import numpy as np
from IPython.display import display
from workbench import AgentAudio, AgentImage, AgentText, ToolResult
from workbench.demo.pictures import sample_photo

svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><script>window.hacked=1</script><rect width="40" height="20" fill="teal"/></svg>'
display(AgentText("plain <b>text</b>"))
display(AgentText("# Heading <script>window.hacked=1</script>", mime_type="text/markdown"))
display(AgentImage(sample_photo(320, 200)))
display(AgentAudio(0.2 * np.sin(np.arange(12000) / 5), samplerate=8000))
display(AgentImage(svg))
display(ToolResult([sample_photo(120, 80), sample_photo(80, 120)]))
"""


def test_one_of_each_type(open_notebook):
    notebook = open_notebook([SOURCE]).run_all()
    cell = notebook.cell(0)
    natural = "e => e.decode().then(() => [e.naturalWidth, e.naturalHeight])"
    assert cell.locator(".jp-RenderedImage img").evaluate(natural) == [320, 200]
    inside = cell.locator(".jp-RenderedHTML img")
    assert [inside.nth(i).evaluate(natural) for i in range(3)] == [[40, 20], [120, 80], [80, 120]]
    duration = cell.locator("audio").evaluate(
        """e => new Promise((done) => { const say = () => done(e.duration);
            e.readyState ? say() : e.addEventListener('loadedmetadata', say); })"""
    )
    assert duration == 1.5
    cell.get_by_role("heading", name="Heading").wait_for()
    cell.get_by_text("plain <b>text</b>").wait_for()
    assert notebook.page.evaluate("() => window.hacked") is None
    notebook.screenshot("types-light")
