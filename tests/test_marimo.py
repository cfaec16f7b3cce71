"""The form in marimo, which shows any anywidget; runs where marimo is installed."""

from __future__ import annotations

import pytest

marimo = pytest.importorskip("marimo", reason="marimo is not installed")

app = marimo.App()


@app.cell
def _():
    import marimo as mo

    from workbench import Form

    def add(a: int, b: int = 2) -> int:
        return a + b

    form = Form(add, a=1)
    shown = mo.ui.anywidget(form)
    shown  # what the cell shows
    return form, shown


@app.cell
def _(form):
    form._heard(form, {"op": "text", "path": ["b"], "text": "40", "sequence": 1}, [])
    form._heard(form, {"op": "run"}, [])
    result = form.current.wait(20)
    return (result,)


def test_the_form_is_shown_filled_in_and_run():
    outputs, names = app.run()
    assert "marimo-anywidget" in outputs[0].text
    assert names["result"].value == 41
    state = names["shown"].value
    assert [field["text"] for field in state["view"]["fields"]] == ["1", "40"]
    assert state["run_view"]["status"] in ("running", "done")
