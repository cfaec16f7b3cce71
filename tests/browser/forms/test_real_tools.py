"""Forms of fifteen tools as their servers publish them: drawn whole, readable, for everybody."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from workbench import Form
from workbench.tools import Tool

TOOLS = json.loads((Path(__file__).parent / "real_tools.json").read_text("utf-8"))
IMPACT = {"serious", "critical", "moderate"}


def published(given):
    class Published(Tool):
        input_schema = given["schema"]

    tool = Published(lambda **arguments: arguments, name=given["name"], desc=given["description"])
    tool.source = given["source"]
    return tool


@pytest.fixture(scope="session")
def axe():
    module = pytest.importorskip("axe_playwright_python", reason="axe-core is not installed")
    return (Path(module.__file__).parent / "axe.min.js").read_text("utf-8")


def violations(page, axe):
    page.page.evaluate(axe)
    found = page.page.evaluate("() => axe.run('.wb-form', {resultTypes: ['violations']})")[
        "violations"
    ]
    return [
        (v["id"], v["nodes"][0]["html"][:200], v["nodes"][0]["failureSummary"][:200])
        for v in found
        if v["impact"] in IMPACT
    ]


@pytest.mark.parametrize("given", TOOLS, ids=lambda given: given["name"])
def test_a_published_tool_has_a_good_form(open_form, axe, pictures, given):
    page = open_form(Form(published(given)), height=1000)
    fold = page.body.locator("details.wb-fold > summary")
    if fold.is_visible():
        fold.click()
    page.screenshot(f"tool-{given['name']}-light", pictures)
    rows = page.body.locator(".wb-body > .wb-rows > .wb-field, .wb-fold > .wb-rows > .wb-field")
    assert rows.count() == len(given["schema"]["properties"])
    page.body.get_by_role("button", name="Run", exact=True).click()
    if page.form.problems:
        page.body.get_by_text("to mend first").wait_for()
        assert page.page.evaluate("() => document.activeElement.closest('.wb-wrong') !== null")
    assert violations(page, axe) == []
    page.page.emulate_media(color_scheme="dark")
    page.screenshot(f"tool-{given['name']}-dark", pictures)
    assert violations(page, axe) == []
    page.page.set_viewport_size({"width": 380, "height": 900})
    assert page.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert page.errors == []
    assert {url.split("/")[2] for url in page.requests if url.startswith("http")} == {"localhost"}
