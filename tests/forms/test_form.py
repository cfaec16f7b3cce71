"""The form's widget without a page: messages in, views out, results kept."""

from __future__ import annotations

import asyncio
import base64
import threading

import pytest
import traitlets
from PIL import Image

from workbench import Form, InvalidArguments, ToolTimeout, tool
from workbench.testing import fill_and_run
from workbench.tools.run import Question


def add(a: int, b: int = 2) -> int:
    """Add two numbers."""
    return a + b


def test_edits_of_the_page_reach_the_model():
    form = Form(add)
    form._heard(form, {"op": "text", "path": ["a"], "text": "5", "sequence": 1}, [])
    assert form.value == {"a": 5, "b": 2}
    assert form.view["sequence"] == 1
    form._heard(form, {"op": "clear", "path": ["b"]}, [])
    assert form.value == {"a": 5}
    form.close()


def test_run_says_what_blocks_it_and_loses_nothing():
    form = Form(add)
    form._heard(form, {"op": "text", "path": ["a"], "text": "five"}, [])
    form._heard(form, {"op": "run"}, [])
    assert form.view["tried"]
    assert form.view["problems"] == 1
    assert form.view["fields"][0]["text"] == "five"
    assert form.current is None
    with pytest.raises(InvalidArguments):
        form.run()
    form.close()


def test_a_run_gives_a_result():
    form = Form(add, a=1)
    started = []
    form.on_run(started.append)
    assert form.run().wait(20).value == 3
    assert started == [form.current]
    assert fill_and_run(add, a="2", b="3").value == 5
    form.close()


def test_files_come_in_pieces():
    @tool
    def size(image: Image.Image) -> tuple[int, int]:
        return image.size

    import io

    file = io.BytesIO()
    Image.new("RGB", (7, 5)).save(file, "PNG")
    data, form = file.getvalue(), Form(size)
    for index, part in enumerate((data[:20], data[20:])):
        content = {
            "op": "upload",
            "path": ["image"],
            "id": "1",
            "index": index,
            "total": 2,
            "type": "image/png",
        }
        form._heard(form, content, [memoryview(part)])
    assert base64.b64decode(form.value["image"]) == data
    assert "text" not in form.view["fields"][0] or form.view["fields"][0]["text"] == ""
    assert form.run().wait(20).value == (7, 5)
    form.close()


def test_secrets_never_reach_the_view():
    form = Form({"properties": {"key": {"type": "string", "format": "password"}}}, key="hunter2")
    assert "hunter2" not in str(form.view)
    assert form.view["fields"][0]["filled"]
    form.close()


def test_faults_of_our_own_are_said_in_the_page():
    form = Form(add)
    form._heard(form, {"op": "nonsense"}, [])
    assert "nonsense" in form.run_view["fault"]
    form.close()


def test_a_question_is_asked_and_answered():
    form = Form(add, a=1)
    asked = threading.Event()

    @tool
    def ask(x: int) -> dict:
        from workbench.tools import current_run

        answer = current_run().ask(
            Question(
                "Your name?", {"properties": {"name": {"type": "string"}}, "required": ["name"]}
            )
        )
        return dict(answer.result(20))

    form = Form(ask, x=1)
    form.observe(lambda change: asked.set() if "question" in change["new"] else None, "run_view")
    run = form.run()
    assert asked.wait(20)
    form._heard(form, {"op": "answer", "how": "accept"}, [])
    assert form.run_view["question"]["problems"] == 1
    form._heard(form, {"op": "text", "to": "question", "path": ["name"], "text": "Ada"}, [])
    form._heard(form, {"op": "answer", "how": "accept"}, [])
    assert run.wait(20).value == {"name": "Ada"}
    form.close()


def test_the_bundle_is_static_besides_the_widget():
    form = Form(tool(add, desc="<script>"))
    data, _ = form._repr_mimebundle_()
    assert "<script" not in data["text/html"]
    assert data["text/plain"].startswith("Form for add")
    assert "application/vnd.jupyter.widget-view+json" in data
    form.close()


def test_a_bare_schema_has_nothing_to_run():
    form = Form({"properties": {"a": {"type": "integer"}}}, a=5)
    assert form.value == {"a": 5}
    with pytest.raises(TypeError, match="bare schema"):
        form.run()
    form.close()


@pytest.mark.parametrize("kind", ["sync", "async"])
def test_a_run_is_given_up_after_its_seconds(kind):
    release = threading.Event()

    def stuck() -> str:
        release.wait(60)
        return "late"

    async def slow() -> str:
        await asyncio.sleep(60)
        return "late"

    form = Form(stuck if kind == "sync" else slow)
    form.timeout_s = 0.1
    result = form.run().wait(20)
    release.set()
    assert isinstance(result.error, ToolTimeout)
    assert "0.1 s" in form.run_view["error"]["message"]
    with pytest.raises(traitlets.TraitError):
        form.timeout_s = -1
    form.close()
