"""Tests that are written from calls pass as written, and fail when the tool is changed."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
from PIL import Image

import workbench
from workbench import AgentAudio, AgentImage, AgentVideo, ToolResult, Workbench, WorkbenchError
from workbench.bench.likeness import Tolerance, differences
from workbench.tools import ResourceLink

SERVER = """
import numpy as np
from PIL import Image
from workbench import AgentAudio

def greet(name: str, times: int = 1) -> str:
    return f"hello {name}\\n" * times

def turn(picture: Image.Image) -> tuple:
    return "turned", picture.rotate(90, expand=True)

def tone(hz: float) -> AgentAudio:
    return AgentAudio(np.sin(np.arange(4000) * hz / 1000), 8000)

def table(rows: list[dict]) -> dict:
    return {"rows": rows, "sum": sum(row["n"] for row in rows) / 3}

def fail(key: str) -> None:
    raise LookupError(f"no {key}")
"""


@pytest.fixture
def tried(tmp_path):
    """A workbench on a file, with some calls."""
    path = tmp_path / "src" / "server.py"
    path.parent.mkdir()
    path.write_text(SERVER)
    with workbench.open(str(path)) as bench:
        bench.tools["greet"]('Ada "x"\\', times=2)
        bench.tools["turn"](Image.new("RGB", (40, 30), "teal"))
        bench.tools["tone"](440.0)
        bench.tools["table"]([{"n": n} for n in range(5)])
        bench.tools["fail"].run({"key": "x"})
        yield bench, path, tmp_path / "tests" / "test_server.py"


def replay(path):
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        "/dev/null",
        path.name,
    ]
    done = subprocess.run(command, cwd=path.parent, capture_output=True, text=True, check=False)
    return done.stdout


def test_written_tests_pass_and_fail_when_the_tool_changes(tried):
    bench, source, path = tried
    assert bench.history.to_tests(path) == path
    assert sorted(p.name for p in path.parent.iterdir()) == [
        "test_server.py", "test_server_calls.jsonl", "test_server_calls_media",
    ]  # fmt: skip
    assert "5 passed" in replay(path)
    changed = (
        SERVER.replace("hello", "hullo")
        .replace("rotate(90", "rotate(0")
        .replace("hz / 1000", "hz / 900")
    )
    source.write_text(changed.replace("/ 3", "/ 4").replace('f"no {key}"', '"none"'))
    said = replay(path)
    assert "5 failed" in said
    for words in (
        "+hullo Ada",
        "40 x 30 pixels, and had 30 x 40",
        "sounds different",
        "sum is 2.5, and was 3.33",
    ):
        assert words in said


def test_written_tests_are_readable(tried):
    bench, _, path = tried
    bench.history.pin(0)
    text = bench.history.to_tests(path).read_text()
    assert "workbench.open(str(HERE / '../src/server.py'))" in text
    assert """result = tools['greet'].run({'name': 'Ada "x"\\\\', 'times': 2})""" in text
    assert text.count("def test_") == 1
    assert "RECORDED[0].arguments" in bench.history.to_tests(path, [1]).read_text()


def test_a_secret_is_not_written(tmp_path):
    made = workbench.tool(
        lambda key: key[::-1], name="t", args={"key": {"type": "string", "format": "password"}}
    )
    with Workbench(made) as bench:
        bench.tools["t"](key="hunter2")
        path = bench.history.to_tests(tmp_path / "test_t.py", target="math:sqrt")
        text = path.read_text() + (tmp_path / "test_t_calls.jsonl").read_text()
    assert "hunter2" not in text
    assert "secrets are not recorded: fill in key" in text


def test_without_calls_or_target_it_says_so(tmp_path):
    with Workbench(lambda: 1, len) as bench, pytest.raises(WorkbenchError, match="no calls"):
        bench.history.to_tests(tmp_path / "a.py")
    with Workbench(lambda: 1) as bench:
        bench.tools[0]()
        with pytest.raises(WorkbenchError, match="give target"):
            bench.history.to_tests(tmp_path / "a.py")
    assert not list(tmp_path.iterdir())


def noisy(seed, size=(64, 48), spread=0):
    rng = np.random.default_rng(seed)
    pixels = np.full((size[1], size[0], 3), 128) + rng.integers(
        -spread, spread + 1, (size[1], size[0], 3)
    )
    return AgentImage(pixels.astype("uint8"))


def sound(seconds=0.5, gain=1.0, rate=8000):
    return AgentAudio(gain * np.sin(np.arange(int(seconds * rate)) / 9).astype("float32"), rate)


ALIKE = [
    ("a", "a"), (1.0, 1), ([1, {"a": None}], [1, {"a": None}]), (0.1 + 0.2, 0.3),
    (noisy(1, spread=2), noisy(2, spread=2)), (sound(), sound(gain=1.001)), (sound(0.5), sound(0.52)),
    (ResourceLink(uri="a://b", name="x"), ResourceLink(uri="a://b", name="y")), (b"x", b"x"),
]  # fmt: skip
APART = [
    ("a", "b", "differs"), ("a", noisy(1), "is 'a', and was <AgentImage"), (1, 2, "is 1, and was 2"),
    (True, 1, "is True, and was 1"), ({"a": [1, 2]}, {"a": [1]}, r"a\[1\] is 2, and was missing"),
    ({"a": 1}, {"b": 1}, "b is missing, and was 1"), (noisy(1), noisy(1, (64, 47)), "64 x 48 pixels, and had 64 x 47"),
    (noisy(1, spread=60), noisy(2, spread=60), "looks different"), (sound(), sound(0.8), "lasts 0.50 s, and lasted 0.80 s"),
    (sound(), sound(gain=0.5), "sounds different"), (sound(), sound(rate=16000), "16"), (b"x", b"y", "differs"),
    (ResourceLink(uri="a://b"), ResourceLink(uri="a://c"), "led to 'a://c'"), (None, "a", "is missing, and was 'a'"),
    (AgentVideo(b"\x1aE\xdf\xa3" + bytes(60)), AgentVideo(b"\x1aE\xdf\xa3" + bytes(61)), "another video"),
]  # fmt: skip


@pytest.mark.parametrize(("found", "expected"), ALIKE, ids=repr)
def test_results_that_are_alike(found, expected):
    assert differences(ToolResult((found,)), ToolResult((expected,))) == []


@pytest.mark.parametrize(("found", "expected", "words"), APART, ids=repr)
def test_results_that_differ(found, expected, words):
    import re

    said = differences(ToolResult((found,)), ToolResult((expected,)))
    assert re.search(words, "\n".join(said))


def test_structured_content_counts_and_tolerances_can_be_set():
    one, two = ToolResult((), {"n": 1.0}), ToolResult((), {"n": 1.05})
    assert differences(one, two) == ["structured content: n is 1.0, and was 1.05"]
    assert differences(one, two, Tolerance(number=0.1)) == []
    assert "succeeded, where it failed" in differences(one, ToolResult.failure(ValueError("x")))[0]
