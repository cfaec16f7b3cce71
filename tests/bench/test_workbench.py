"""The workbench: sources, runs, history, code that makes the same call."""

from __future__ import annotations

import numpy as np
import pytest
from PIL import Image

import workbench
from workbench import ConnectionFailed, InvalidArguments, Workbench, WorkbenchError, tool


def add(a: int, b: int = 1) -> int:
    """Add."""
    return a + b


def test_calls_from_everywhere_are_in_the_history():
    with Workbench(add) as bench:
        assert bench.last is None
        bench.run("add", a=1).wait(20)
        bench.tools["add"](2, b=3)
        bench.tools["add"].run({"a": "x"})
        bench.panel.select("add", {"a": 5})
        bench.panel.form.run().wait(20)
        assert [r.origin for r in bench.history] == ["code", "code", "code", "form"]
        assert [r.status for r in bench.history] == ["done", "done", "failed", "done"]
        assert bench.last.value == 6
        assert bench.history.rerun(1).value == 5
        assert len(bench.history.filter(lambda r: r.status == "failed")) == 1
    tool(add)(1)
    assert len(bench.history) == 5


def test_media_in_copied_code_are_named_by_path():
    def size(image: Image.Image) -> tuple:
        return image.size

    with Workbench(size) as bench:
        bench.tools["size"](Image.new("RGB", (4, 3)))
        space = {"bench": bench}
        exec(bench.history.to_code(0), space)
        assert [record.result.value for record in bench.history] == [(4, 3)] * 2


def test_secrets_are_masked():
    secret = tool(
        lambda key, n: n, name="t", args={"key": {"type": "string", "format": "password"}, "n": {}}
    )
    with Workbench(secret) as bench:
        bench.tools["t"](key="hunter2", n=1)
        shown = repr(bench.history) + repr(bench.history[0]) + bench.history.to_code(0)
        shown += str(bench.history._repr_mimebundle_())
        assert "hunter2" not in shown
        assert "getpass" in bench.history.to_code(0)
        assert bench.history.rerun(0).value == 1


def test_history_is_readable_and_bounded():
    with Workbench(add) as bench:
        assert repr(bench.history) == "History: no calls yet"
        for n in range(30):
            bench.tools["add"](n)
        assert "10 earlier" in repr(bench.history)
        assert "<td>add</td>" in bench.history._repr_mimebundle_()["text/html"]


def test_sources_of_every_kind(tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(
        "import math\ndef double(x: int) -> int:\n    return x * 2\ndef _hidden(): ...\n"
    )
    with workbench.open(str(file), "math:sqrt", len, [tool(add)]) as bench:
        assert bench.tools.names == ("double", "sqrt", "len", "add")
    with Workbench(add, tool(add)) as bench:
        assert bench.tools.names == ("add", "add_2")


FAULTS = [
    ("nothing.py", "no file"), ("math:nope", "has no 'nope'"), ("no_such_module:x", "cannot be imported"),
    ("no-such-command here", "no program"),
]  # fmt: skip


@pytest.mark.parametrize(("target", "words"), FAULTS)
def test_faults_are_one_clear_message(target, words):
    with pytest.raises((WorkbenchError, ConnectionFailed), match=words):
        workbench.open(target)


def test_unknown_tools_and_bad_arguments():
    with Workbench(add) as bench:
        with pytest.raises(WorkbenchError, match="did you mean 'add'"):
            bench.run("ad")
        with pytest.raises(InvalidArguments):
            bench.run("add", a="x")
        assert len(bench.history) == 0


def test_static_views_are_escaped():
    with Workbench(tool(add, desc="<script>", title="<img>")) as bench:
        html = bench._repr_mimebundle_()["text/html"]
        assert "<script" not in html
        assert "<img" not in html


def test_numbers_from_numpy_are_arguments_too():
    with Workbench(add) as bench:
        assert bench.tools["add"](np.int64(4)) == 5
        assert bench.history.to_code(0) == "bench.tools['add'](a=4)"
