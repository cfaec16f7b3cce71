"""Tools as code: it has all that it needs, runs elsewhere, and comes back the same."""

from __future__ import annotations

import importlib.util
import linecache
import subprocess
import sys
from importlib import metadata

import pytest

from workbench import Tool, ToolDefinitionError, UntrustedCodeError
from workbench.tools.code import from_dict, save, to_dict

HEAD = """
import collections.abc
import enum
import math as m
import re
import xml.etree.ElementTree
from dataclasses import dataclass
from typing import Literal

import numpy as np
import PIL.Image
from pydantic import BaseModel

import workbench
from workbench import Tool, tool

FACTOR = 3
TABLE = {"a": (1, -1), "b": None}
WORD = re.compile(r"\\w+")
LIVE = object()


class Color(enum.Enum):
    RED = "red"


class Size(BaseModel):
    w: int = 1
    color: Color = Color.RED


@dataclass
class Point:
    x: int


def helper(n):
    return n * FACTOR


def outer(n):
    return inner(n) + helper(n)


def inner(n):
    return n if n <= 0 else outer(n - 1)


"""


@pytest.fixture
def define(tmp_path):
    """Makes a module of some source, and gives what it calls ``made``."""

    def made(source, head=HEAD):
        name = f"module_{len(list(tmp_path.glob('*.py')))}_{tmp_path.name.replace('-', '_')}"
        path = tmp_path / f"{name}.py"
        path.write_text(head + source, encoding="utf-8")
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        names.append(name)
        spec.loader.exec_module(module)
        return module.made

    names: list[str] = []
    yield made
    for name in names:
        del sys.modules[name]


def returned(tool):
    """The tool after a round trip, which a second one does not change."""
    first = to_dict(tool)
    again = from_dict(first, trust_remote_code=True)
    assert to_dict(again) == first
    assert (again.name, again.description, again.input_schema) == (
        tool.name,
        tool.description,
        tool.input_schema,
    )
    return again


FUNCTIONS = [
    ("@tool\ndef made(a: int) -> int:\n    'Doc.'\n    return helper(a)", {"a": 2}, 6),
    ("@tool(name='other', desc='Text.')\ndef made(a: int) -> int:\n    return m.floor(a + 0.5)", {"a": 2}, 2),
    ("@workbench.tool\ndef made(a: int) -> int:\n    return outer(a)", {"a": 2}, 9),
    ("@tool\ndef made(a: Literal['x', 'y']) -> str:\n    return a.join(WORD.findall('p q'))", {"a": "x"}, "pxq"),
    ("@tool\ndef made(c: Color = Color.RED) -> str:\n    return c.value", {}, "red"),
    ("@tool\ndef made(s: Size) -> int:\n    return s.w", {"s": {"w": 5}}, 5),
    ("@tool\ndef made(p: 'Point') -> int:\n    return p.x", {"p": {"x": 5}}, 5),
    ("@tool\ndef made(a: collections.abc.Sequence[int]) -> int:\n    return sum(a)", {"a": [1, 2]}, 3),
    ("@tool\ndef made() -> float:\n    return float(np.zeros(2).sum())", {}, 0.0),
    ("@tool\ndef made() -> tuple:\n    return PIL.Image.new('L', (2, 3)).size", {}, (2, 3)),
    ("@tool\ndef made() -> str:\n    return xml.etree.ElementTree.fromstring('<a/>').tag", {}, "a"),
    ("@tool\ndef made(a: int):\n    add = lambda n: (k := n) + FACTOR\n    def nested(z): return [add(y) for y in range(z)]\n    return nested(a)", {"a": 2}, [3, 4]),
    ("@tool\ndef made() -> tuple:\n    return TABLE['a']", {}, (1, -1)),
    ("@tool\ndef made(n: int) -> int:\n    import json\n    return len(json.dumps(n))", {"n": 12}, 2),
    ("@tool\ndef rec(n: int) -> int:\n    record = rec.__name__\n    return len(record)\nmade = rec", {"n": 1}, 3),
    ("def closed(k):\n    @tool\n    def made(n: int) -> int:\n        return n + k + FACTOR\n    return made\nmade = closed(4)", {"n": 1}, 8),
    ("@tool\ndef part(n: int) -> int:\n    return n + 1\n@tool\ndef made(n: int) -> int:\n    return part(n) + part(n)", {"n": 1}, 4),
    ("def plain(a: int, b: int = 2) -> int:\n    'Doc.'\n    return a + b\nmade = Tool(plain, arg_desc={'a': 'first'}, title='Sum', "
     "annotations={'readOnlyHint': True})", {"a": 1}, 3),
    ("def plain(a: str) -> str:\n    return a\nmade = Tool(plain, args={'a': {'type': 'string', 'maxLength': 3}})", {"a": "x"}, "x"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "arguments", "value"), FUNCTIONS)
def test_a_function_comes_back_with_all_it_uses(define, source, arguments, value):
    tool = define(source)
    again = returned(tool)
    assert again(**arguments) == tool(**arguments) == value


LAZY = "from __future__ import annotations\nfrom typing import TYPE_CHECKING\n" + HEAD


@pytest.mark.parametrize(
    "source",
    ["if TYPE_CHECKING:\n    from nowhere import Gone\n@tool\ndef made(a: int, b: Gone = 1) -> int:\n    return a",
     "class Deep(BaseModel):\n    size: Size\n@tool\ndef made(a: int, d: Deep | None = None) -> int:\n    return a"],
)  # fmt: skip
def test_annotations_may_be_lazy(define, source):
    tool = define(source, LAZY)
    assert to_dict(tool)["code"].startswith("from __future__ import annotations\n")
    assert returned(tool)(a=2) == 2


def test_the_code_runs_where_only_the_requirements_are(define, tmp_path):
    save(define(FUNCTIONS[2][0]), tmp_path / "out" / "deep", "mine")
    code = "import mine; print(mine.tool(a=2))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path / "out/deep", capture_output=True, text=True
    )
    assert (done.stdout, done.stderr) == ("9\n", "")


CLASS = """
class Greeter(Tool):
    name = "greeter"
    description = "Greets."
    inputs = {"who": {"type": "string", "description": "whom"}}
    output_type = "string"
    sizes = (1, 2)

    def __init__(self, word="hi", times=1, **rest):
        super().__init__()
        self.word = word
        self._times = times

    @property
    def loud(self):
        return self.word.upper()

    def forward(self, who: str) -> str:
        return f"{self.loud} {who}" * helper(self._times)
"""


def test_a_class_comes_back_with_its_state(define):
    tool = define(CLASS + "made = Greeter('yo', times=2)")
    assert returned(tool)("Ada") == tool("Ada") == "YO Ada" * 6
    assert from_dict(to_dict(tool), trust_remote_code=True, word="oh")("Ada") == "OH Ada" * 3


def test_a_subclass_brings_its_parents(define):
    tool = define(CLASS + "class Louder(Greeter):\n    name = 'louder'\nmade = Louder()")
    code = to_dict(tool)["code"]
    assert code.index("class Greeter(Tool)") < code.index("class Louder(Greeter)")
    assert returned(tool)("Ada") == tool("Ada")


REFUSED = [
    ("made = Tool(lambda x: x)", "no source of its own"),
    ("made = Tool(len)", "no source of its own"),
    ("@tool\ndef made():\n    return LIVE", None),
    ("@tool\ndef made():\n    return missing", "uses 'missing', which is not defined"),
    ("LIVE2 = [object()]\ndef closed(k):\n    @tool\n    def made():\n        return k\n    return made\nmade = closed(object())",
     "'k' is <object object"),
    (CLASS.replace("self.word = word", "self.other = word").replace("self.word", "self.other") + "made = Greeter()",
     "takes 'word' and does not keep it"),
    (CLASS + "made = Greeter(word=object())", "self.word is <object"),
    ("import functools\n@tool\n@functools.lru_cache\ndef made(a: int):\n    return a", "is wrapped by another function"),
]  # fmt: skip


@pytest.mark.parametrize(("source", "message"), REFUSED)
def test_what_cannot_be_taken_along_is_refused_with_the_reason(define, source, message):
    tool = define(source)
    if message is None:
        assert "LIVE = object()" in to_dict(tool)["code"]
        return
    with pytest.raises(ToolDefinitionError, match="cannot be written as code") as caught:
        to_dict(tool)
    assert message in str(caught.value)


def test_all_that_stands_in_the_way_is_named_at_once(define):
    with pytest.raises(ToolDefinitionError) as caught:
        to_dict(define("@tool\ndef made():\n    return gone + lost"))
    assert str(caught.value).count("\n  - ") == 2


def test_a_module_of_ones_own_is_no_requirement(define, tmp_path, monkeypatch):
    (tmp_path / "mine_alone.py").write_text("VALUE = 5\ndef five():\n    return VALUE\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ToolDefinitionError, match="a file of yours"):
        to_dict(define("import mine_alone\n@tool\ndef made():\n    return mine_alone.five()"))
    assert (
        returned(define("from mine_alone import five\n@tool\ndef made():\n    return five()"))()
        == 5
    )


def test_a_saved_tool_has_an_app_unless_that_is_not_wanted(define, tmp_path):
    made = define(FUNCTIONS[2][0])
    made.save(tmp_path / "with")
    assert sorted(p.name for p in (tmp_path / "with").iterdir()) == [
        "app.py",
        "requirements.txt",
        "tool.py",
    ]
    assert "gradio" in (tmp_path / "with" / "requirements.txt").read_text("utf-8")
    made.save(tmp_path / "without", make_gradio_app=False)
    assert not (tmp_path / "without" / "app.py").exists()
    for name in ("app", "no name", "../up"):
        with pytest.raises(ToolDefinitionError, match="tool_file_name"):
            made.save(tmp_path / "refused", name)
    assert not (tmp_path / "refused").exists()


def test_requirements_have_the_names_that_pip_knows(define):
    source = "@tool\ndef made() -> tuple:\n    return PIL.Image.new('L', (2, 3)).size, np.pi, m.pi"
    requirements = to_dict(define(source))["requirements"]
    assert f"pillow=={metadata.version('pillow')}" in requirements
    assert f"numpy=={metadata.version('numpy')}" in requirements
    assert [r.partition("==")[0] for r in requirements] == ["numpy", "pillow", "tool-workbench"]


def test_cells_of_a_notebook_are_found(monkeypatch):
    cells = ["import math", "SCALE = 2", "class Half(Tool):\n    name = 'half'\n    description = 'Halves.'\n"
             "    inputs = {'x': {'type': 'number', 'description': 'x'}}\n    output_type = 'number'\n"
             "    def forward(self, x):\n        return math.floor(x) / SCALE\n"]  # fmt: skip
    space = {"__name__": "__main__", "Tool": Tool}
    for number, text in enumerate(cells):
        file = f"<cell {number}>"
        monkeypatch.setitem(linecache.cache, file, (len(text), None, text.splitlines(True), file))
        exec(compile(text, file, "exec", dont_inherit=True), space)
    assert returned(space["Half"]())(5.5) == 2.5


def test_nothing_runs_without_trust(tmp_path):
    code = f"open({str(tmp_path / 'ran')!r}, 'w')"
    with pytest.raises(UntrustedCodeError, match="trust_remote_code=True") as caught:
        from_dict({"name": "x", "code": code})
    assert code in str(caught.value)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("given", [{}, {"name": "x"}, {"code": 5}, {"code": "x = 1"}, {"code": ""}])
def test_data_without_a_tool_is_refused(given):
    with pytest.raises(ToolDefinitionError):
        from_dict(given, trust_remote_code=True)


def test_an_output_schema_is_beside_the_code(define):
    tool = define(
        "def f(a: int):\n    return {'a': a}\nmade = Tool(f, output_schema={'type': 'object'})"
    )
    assert to_dict(tool)["output_schema"] == {"type": "object"}
    assert returned(tool).output_schema == {"type": "object"}


def test_a_tool_writes_itself(define):
    tool = define("@tool\ndef made(a: int) -> int:\n    return helper(a)")
    assert tool.to_dict() == to_dict(tool)
    assert Tool.from_dict(tool.to_dict(), trust_remote_code=True)(a=1) == 3
    with pytest.raises(UntrustedCodeError):
        Tool.from_dict(tool.to_dict())
