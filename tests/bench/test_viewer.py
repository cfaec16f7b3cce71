"""The result in the panel: what the page is told, what it is sent when it asks, and chaining."""

from __future__ import annotations

import io

import pandas
import pytest
from PIL import Image

from workbench import AgentAudio, AgentImage, AgentText, Tool, ToolResult, Workbench, tool
from workbench.bench.blocks import blocks_of, displayed
from workbench.bench.tables import table_of
from workbench.tools.content import Resource, ResourceLink

PICTURE = AgentImage(Image.new("RGB", (32, 16), "teal"))
SOUND = AgentAudio([0.0, 0.5, -0.5, 0.0], samplerate=8_000)
ROWS = [{"n": n, "word": f"w{n % 7}"} for n in range(2_000)]


class Page:
    """A panel's viewer, asked as its page asks it."""

    def __init__(self, bench):
        self.bench, self.panel = bench, bench.panel
        self.viewer = self.panel.stage.viewer
        self.sent = []
        self.viewer.send = lambda content, buffers=None: self.sent.append((content, buffers or []))

    def ask(self, op, block=0, steps=(), **more):
        serial = self.viewer.head["serial"]
        content = {"op": op, "id": "1", "block": block, "steps": list(steps), "serial": serial}
        self.viewer._heard(self.viewer, {**content, **more}, [])
        return self.sent[-1]

    def show(self):
        """The result of a further call of the first tool."""
        self.panel.stage.result(self.bench.tools[0].run({}))

    @property
    def fault(self):
        return self.panel.drawer.fault.get("message", "")


@pytest.fixture
def shown():
    """Give a function that shows what a tool returns, among tools that take something."""
    benches = []

    def show(value, *others):
        made = tool(lambda: value, name="make")
        benches.append(Workbench(made, *others))
        page = Page(benches[-1])
        page.show()
        return page

    yield show
    for bench in benches:
        bench.close()


def test_blocks_come_in_order_with_their_kinds(shown):
    value = ("# Hi", PICTURE, SOUND, 3, {"a": [1]}, ROWS, b"\0", None)
    page = shown((AgentText("# Hi", mime_type="text/markdown"), *value[1:]))
    kinds = [view["kind"] for view in page.viewer.blocks]
    assert kinds == ["text", "image", "audio", "scalar", "tree", "table", "bytes"]
    assert page.viewer.blocks[0]["markdown"]
    assert (page.viewer.head["title"], page.viewer.head["status"]) == ("#0 make", "done")


def test_media_are_sent_when_they_are_asked_for(shown):
    page = shown((PICTURE, SOUND))
    assert b"PNG" not in str(page.viewer.get_state()).encode()
    answer, (data,) = page.ask("media")
    assert (answer["mime"], Image.open(io.BytesIO(data)).size) == ("image/png", (32, 16))
    answer, (data,) = page.ask("media", 1)
    assert (answer["mime"], data[:4]) == ("audio/wav", b"RIFF")
    assert page.ask("wave", 1)[0]["peaks"] == [[0.0, 0.0], [0.5, 0.5], [-0.5, -0.5], [0.0, 0.0]]


def test_tables_are_sent_and_sorted_in_pages(shown):
    page = shown(ROWS)
    assert page.viewer.blocks[0] == {
        "kind": "table", "columns": ["n", "word"], "hidden": 0, "count": 2_000, "first": 1_000,
    }  # fmt: skip
    answer, _ = page.ask("rows", start=0, count=2, column=0, descending=True)
    assert answer["rows"] == [(1_999, ["1999", "w4"]), (1_998, ["1998", "w3"])]
    answer, _ = page.ask("rows", start=1_999, count=250, column=1)
    assert answer["rows"] == [(1_994, ["1994", "w6"])]


SORTED = [
    ([3, 1, 2], False, [1, 2, 0]),
    ([3, None, 1, float("nan")], False, [2, 0, 1, 3]),
    ([3, None, 1], True, [0, 2, 1]),
    (["b", 2, "a", 10], False, [1, 3, 2, 0]),
]


@pytest.mark.parametrize(("values", "descending", "order"), SORTED)
@pytest.mark.parametrize("as_frame", [False, True])
def test_order_is_stable_and_what_is_missing_comes_last(values, descending, order, as_frame):
    rows = [{"x": value} for value in values]
    frame = pandas.DataFrame({"x": pandas.Series(values, dtype=object)})
    table = table_of(frame if as_frame else rows)
    page = table.page(0, 10, column=0, descending=descending)
    assert [number for number, _ in page] == order


def test_what_is_inside_is_sent_level_by_level(shown):
    page = shown({"deep": {"er": [1, {"x": None}]}, "many": list(range(1_000))})
    answer, _ = page.ask("inside", start=0, count=100)
    assert [(item["key"], item["kind"], item["count"]) for item in answer["items"]] == [
        ("deep", "object", 1), ("many", "array", 1_000),
    ]  # fmt: skip
    answer, _ = page.ask("inside", steps=[1], start=990, count=100)
    assert [item["text"] for item in answer["items"]] == [str(n) for n in range(990, 1_000)]
    assert page.ask("label", steps=[0, 0, 1, 0])[0]["text"] == "['deep']['er'][1]['x']"


def test_long_text_comes_in_parts(shown):
    page = shown("x" * 150_000)
    view = page.viewer.blocks[0]
    assert (len(view["text"]), view["more"]) == (20_000, 130_000)
    answer, _ = page.ask("text", start=20_000)
    assert (len(answer["text"]), answer["more"]) == (100_000, 30_000)


FILES = [
    (PICTURE, "result.png", b"\x89PNG"),
    (SOUND, "result.wav", b"RIFF"),
    ("hi", "result.txt", b"hi"),
    (AgentText("# hi", mime_type="text/markdown"), "result.md", b"# hi"),
    ([{"a": "x,y", "b": [1]}], "result.csv", b'a,b\r\n"x,y"'),
    ({"a": {"b": 1}}, "result.json", b'{\n  "a"'),
]


@pytest.mark.parametrize(("value", "name", "start"), FILES, ids=[name for _, name, _ in FILES])
def test_files(shown, value, name, start):
    answer, (data,) = shown(value).ask("file")
    assert answer["name"] == name
    assert data.startswith(start)


def takes(text: str, number: int, rows: list[dict], picture: AgentImage) -> str:
    """Take one of each kind."""
    return f"{text} {number} {len(rows)} {picture.size}"


def test_a_result_becomes_the_input_of_another_tool(shown):
    page = shown((PICTURE, ROWS[:3], "41", "word"), takes)
    for block, name in ((0, "picture"), (1, "rows"), (2, "number"), (3, "text")):
        answer, _ = page.ask("use", block, tool="takes", path=[name])
        assert not page.fault
        assert answer["said"] == f"content[{block}] is now {name} of takes"
    assert page.panel.form.tool.name == "takes"
    assert page.panel.form.run().wait(20).value == "word 41 3 (32, 16)"


def test_a_part_is_put_into_the_field_it_is_dropped_on(shown):
    page = shown(ROWS, takes)
    page.ask("use", steps=[5, {"column": 0}], tool="takes", path=["number"])
    assert page.panel.form.value["number"] == 5
    page.ask("drop", path=["rows"])
    assert "make" not in page.panel.form.value


def test_fields_that_fit_come_first(shown):
    page = shown((PICTURE, 5), takes)
    fields = page.ask("targets", 0, tool="takes")[0]["fields"]
    assert [(field["title"], field["fits"]) for field in fields][:2] == [
        ("picture", True),
        ("text", False),
    ]
    fields = page.ask("targets", 1, tool="takes")[0]["fields"]
    assert [field["title"] for field in fields if field["fits"]] == ["number"]


def test_what_does_not_fit_is_kept_with_its_problem(shown):
    page = shown("no number", takes)
    page.ask("use", tool="takes", path=["number"])
    assert "number" in {problem.where for problem in page.panel.form.problems}


def test_without_a_notebook_nothing_is_assigned(shown):
    page = shown(3)
    assert page.ask("assign", name="x")[0]["failed"]
    assert "there is no notebook" in page.fault


@pytest.mark.parametrize(
    ("name", "words"), [("1x", "cannot be"), ("class", "cannot be"), ("len", "Python's own")]
)
def test_names_that_no_variable_may_have(shown, name, words):
    page = shown(3)
    page.ask("assign", name=name)
    assert words in page.fault


def test_what_was_asked_of_an_earlier_result_has_no_answer(shown):
    page = shown(3)
    old = page.viewer.head["serial"]
    page.show()
    assert page.ask("file", serial=old)[0]["failed"]
    assert not page.fault


def test_a_part_that_is_gone_is_said(shown):
    page = shown([1, 2])
    assert page.ask("file", steps=[7])[0]["failed"]
    assert "has no part 7" in page.fault


def test_errors_have_their_words_first():
    def fail() -> None:
        raise LookupError("nothing there")

    (block,) = blocks_of(tool(fail).run({}))
    assert (block.view["head"], block.view["text"]) == (
        "The tool failed",
        "LookupError: nothing there",
    )
    assert 'raise LookupError("nothing there")' in block.view["trace"]
    assert "workbench/tools" not in block.view["trace"]
    (refused,) = blocks_of(tool(len).run({}))
    assert refused.view["head"].startswith("Nothing was run")


def test_structured_content_stands_beside_other_content():
    views = [block.view for block in blocks_of(ToolResult(["see"], {"a": 1}))]
    assert [view["kind"] for view in views] == ["text", "tree"]
    assert views[1]["title"] == "Structured content"
    repeated = ToolResult(['[{"a": 1}]'], {"result": [{"a": 1}]})
    assert [block.view["kind"] for block in blocks_of(repeated)] == ["table"]


def test_pages_are_their_source_until_a_person_asks():
    app = Resource(
        uri="ui://clock", value=AgentText("<b>12</b>", mime_type="text/html"), mime_type="text/html"
    )
    link = ResourceLink(uri="demo://report", name="report")
    views = [block.view for block in blocks_of(ToolResult([app, link]))]
    assert (views[0]["kind"], views[0]["text"]) == ("page", "<b>12</b>")
    assert views[0]["app"] == {"load": [], "connect": [], "rights": []}
    assert (views[1]["kind"], views[1]["uri"]) == ("link", "demo://report")


def test_what_is_displayed_is_shown_and_kept(shown):
    outputs = [
        {
            "output_type": "display_data",
            "data": {"text/plain": "a figure", "image/png": PICTURE._wire().partition(",")[2]},
        }
    ]
    (block,) = displayed(outputs)
    assert (block.view["kind"], block.view["width"]) == ("image", 32)
    assert displayed([{"output_type": "stream", "text": "hi"}]) == []


def test_comparisons_are_blocks_too(shown):
    page = shown(3)
    made = Tool(
        lambda shade: AgentImage(Image.new("RGB", (8, 8), (shade, 0, 0))),
        name="shade",
        args={"shade": {"type": "integer"}},
    )
    with Workbench(made) as bench:
        results = [bench.tools["shade"](shade=shade) for shade in (10, 200)]
        assert len(results) == 2
        page = Page(bench)
        page.panel._heard(page.panel.drawer, {"op": "compare", "numbers": [0, 1]}, [])
        modes = [(view["title"], view["mode"], view["same"]) for view in page.viewer.blocks]
        assert modes == [("shade", "sides", False), ("block 1", "pictures", False)]
        first, second = (page.ask("media", 1, [side])[1][0] for side in (0, 1))
        assert first != second
