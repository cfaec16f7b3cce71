"""Results as HTML and plain text: safe, bounded, the same every time."""

from __future__ import annotations

import base64
import json

import numpy as np
import pytest
from PIL import Image

from workbench import AgentAudio, AgentImage, ToolResult, tool
from workbench.tools import ResourceLink


def test_a_lone_picture_shows_itself_and_several_blocks_are_composed():
    alone = ToolResult([Image.new("RGB", (3, 2))])._repr_mimebundle_()
    assert "image/png" in alone[0]
    several = ToolResult([Image.new("RGB", (3, 2)), "<b>"])._repr_mimebundle_()
    assert "<img" in several["text/html"]
    assert "&lt;b&gt;" in several["text/html"]


HOSTILE = ["<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "</pre><script>x</script>"]


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_is_escaped_everywhere(text):
    values = [text, {text: text}, [{"a": text}], [text], ResourceLink(uri=text, name=text)]
    for value in values:
        html = ToolResult([value], {"x": text}).to_html()
        assert "<script" not in html
        assert "<img" not in html
    failed = tool(lambda: 1 / 0, name="t").run({})
    assert "<script" not in failed.to_html()


def test_tables_of_records_are_tables_and_cut():
    rows = [{"a": i, "b": "x"} for i in range(1000)]
    html = ToolResult([rows]).to_html()
    assert html.count("<tr>") == 101
    assert "900 more rows" in html


def test_structured_content_is_not_shown_twice():
    once = ToolResult(['{"a": 1}'], {"a": 1}).to_html()
    assert "Structured content" not in once
    more = ToolResult(["text"], {"a": 1}).to_html()
    assert "Structured content" in more
    assert "&quot;a&quot;: 1" in ToolResult([], {"a": 1}).to_html()


def test_errors_fold_the_authors_own_traceback():
    def outer():
        return [][1]

    result = tool(outer).run({})
    html = result.to_html()
    assert "IndexError" in html
    assert "return [][1]" in html
    assert "tool_class.py" not in html
    assert result._repr_mimebundle_()["text/plain"] == "failed: IndexError: list index out of range"


def test_data_frames_show_their_own_table():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"a": [1, 2]})
    result = tool(lambda: frame, name="t").run({})
    assert result.value is frame
    assert "dataframe" in result.to_html()


def test_long_text_is_cut_with_a_note():
    html = ToolResult(["x", "y" * 10**6]).to_html()
    assert len(html) < 200_000
    assert "more characters" in html


def test_reprs_are_short():
    result = ToolResult([Image.new("RGB", (500, 500))] * 30)
    assert len(repr(result)) < 300


def _base64(picture):
    return base64.b64encode(picture.to_bytes("png")).decode()


PICTURE = AgentImage(Image.new("RGB", (31, 17), "teal"))
SOUND = AgentAudio(np.zeros(200), samplerate=8000)
DRAWING = '<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg" width="9" height="4"/>'
EMBEDDED = {
    "an SVG drawing": ([DRAWING], AgentImage),
    "base64 in JSON text": ([json.dumps({"icon": _base64(PICTURE)})], AgentImage),
    "base64 with line ends": (
        [json.dumps(base64.encodebytes(PICTURE.to_bytes()).decode())],
        AgentImage,
    ),
    "a data URI in prose": ([f"Look: data:image/png;base64,{_base64(PICTURE)} nice"], AgentImage),
    "base64 in a value": ([{"deep": [{"er": _base64(PICTURE)}]}], AgentImage),
    "a sound": ([json.dumps([base64.b64encode(SOUND.to_bytes("wav")).decode()])], AgentAudio),
}


@pytest.mark.parametrize("case", EMBEDDED)
def test_media_that_a_tool_wrote_into_text_are_offered(case):
    content, kind = EMBEDDED[case]
    result = ToolResult(content)
    (medium,) = result.embedded_media
    assert isinstance(medium, kind)
    assert ("<audio" if kind is AgentAudio else "<img") in result.to_html()
    assert list(result.value) == list(content[0])


@pytest.mark.parametrize(
    "text",
    ["A" * 500, base64.b64encode(b"\x89PNG\r\n\x1a\n" + b"x" * 300).decode(), "<svg", "a<svg>"],
)
def test_what_is_no_medium_is_not_taken_for_one(text):
    assert ToolResult([text]).embedded_media == ()


def test_media_that_are_blocks_already_are_not_shown_again():
    block = {"type": "image", "data": base64.b64encode(PICTURE.to_bytes()).decode()}
    result = ToolResult([PICTURE], {"content": [block]})
    assert result.embedded_media == ()
    assert str(result._repr_mimebundle_()).count("iVBOR") == 1
    other = ToolResult([PICTURE, "caption"], {"content": [block, {"type": "text", "text": "new"}]})
    assert "Structured content" in other.to_html()
