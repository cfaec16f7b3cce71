"""A real Gradio app's endpoints as tools: over the network, and in this process."""

from __future__ import annotations

import pytest
from PIL import Image

from workbench import (
    AgentAudio,
    AgentImage,
    AgentText,
    AgentVideo,
    ConnectionFailed,
    Tool,
    ToolCollection,
    ToolDefinitionError,
    ToolError,
    Workbench,
)
from workbench.tools import start

pytest.importorskip("gradio_client")
MP4 = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom\0\0\0\x08moov"
PICTURE = AgentImage(Image.new("RGB", (3, 5), "red"))


@pytest.fixture(scope="module")
def tools(space_url):
    return ToolCollection.from_space(space_url, token="sesame")


@pytest.mark.parametrize(
    ("name", "schema"),
    [
        ("greet", {"name": {"type": "string", "title": "Name"}}),
        (
            "greet",
            {
                "style": {
                    "type": "string",
                    "enum": ["plain", "fancy"],
                    "title": "Style",
                    "default": "plain",
                }
            },
        ),
        (
            "flip",
            {
                "picture": {
                    "type": "string",
                    "contentMediaType": "image/*",
                    "contentEncoding": "base64",
                }
            },
        ),
        (
            "sound",
            {
                "sound": {
                    "type": "string",
                    "contentMediaType": "audio/*",
                    "contentEncoding": "base64",
                }
            },
        ),
        (
            "video",
            {
                "film": {
                    "type": "string",
                    "contentMediaType": "video/*",
                    "contentEncoding": "base64",
                }
            },
        ),
        (
            "count",
            {"paths": {"type": "array", "items": {"type": "string", "contentEncoding": "base64"}}},
        ),
        ("json", {"value": {"description": "any valid json"}}),
    ],
)
def test_components_become_a_schema(tools, name, schema):
    assert schema.items() <= tools[name].args.items()


def test_what_an_endpoint_says_of_itself(tools):
    assert tools["greet"].description == "Greet somebody."
    assert tools["flip"].description == "Many things"
    assert tools["greet"].input_schema["required"] == ["name"]


@pytest.mark.parametrize(
    "call",
    [
        lambda t: t("Ada", 1, "fancy"),
        lambda t: t("Ada", times=1, style="fancy"),
        lambda t: t({"name": "Ada", "times": 1, "style": "fancy"}),
    ],
)
def test_positional_and_keyword_arguments(tools, call):
    assert call(tools["greet"]) == "fancy Ada "


def test_defaults_are_the_apps_own(tools):
    assert tools["greet"]("Ada") == "plain Ada plain Ada "


def test_wrong_arguments_are_not_sent(tools):
    result = tools["greet"].run({"name": 5, "style": "odd", "more": 1})
    assert {problem.path for problem in result.problems} == {("name",), ("style",), ("more",)}


@pytest.mark.parametrize(
    "given", [PICTURE, PICTURE.to_raw(), PICTURE.to_bytes(), PICTURE.to_string()]
)
def test_pictures_go_there_and_back(tools, given):
    flipped = tools["flip"](given)
    assert isinstance(flipped, AgentImage)
    assert flipped.size == (5, 3)


def test_sound_and_video_go_there_and_back(tools):
    sound = tools["sound"](AgentAudio([0.0, 0.5] * 400, 8000))
    assert (type(sound), sound.samplerate, len(sound)) == (AgentAudio, 8000, 800)
    assert isinstance(tools["video"](AgentVideo(MP4)), AgentVideo)


def test_files_are_told_by_their_bytes(tools):
    text = tools["file"](b"hello")
    assert (type(text), text) == (AgentText, "hello")
    assert tools["file"](PICTURE).size == (3, 5)
    assert tools["file"](b"\x00\x01") == b"\x00\x01"
    assert tools["count"]([b"one", b"two"]) == 2


def test_several_outputs_and_galleries(tools):
    result = tools["two"].run({"picture": PICTURE})
    assert [type(block) for block in result.content] == [AgentImage, AgentText]
    assert [picture.size for picture in tools["many"](PICTURE)] == [(3, 5), (9, 9)]


def test_text_that_looks_like_a_path_is_text(tools):
    assert tools["path"]("x").endswith("gradio_app.py")


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [("json", {"a": [1, None]}, {"a": [1, None]}), ("flags", ["b"], ["b"]), ("steps", 3, "step 2")],
)
def test_plain_values(tools, name, given, expected):
    assert tools[name](given) == expected


def test_progress_is_told(tools):
    seen = []
    assert tools["slow"].run({"steps": 3}, on_progress=seen.append).value == "done"
    assert ("working", 3) in {(progress.message, progress.total) for progress in seen}


def test_a_run_can_be_cancelled(tools):
    run = start(tools["slow"], {"steps": 1000})
    run.watch(lambda run: run.cancel() if run.progress else None)
    assert run.wait(60).is_error
    assert run.status == "cancelled"


def test_an_apps_error_is_the_tools(tools):
    with pytest.raises(ToolError, match="no way"):
        tools["fail"]("x")


def test_one_endpoint(space_url):
    with pytest.warns(UserWarning, match="15 endpoints.*'/greet'"):
        assert Tool.from_space(space_url, token="sesame").name == "greet"
    ours = Tool.from_space(space_url, "turn", "Turn it.", "/flip", "sesame")
    assert (ours.name, ours.description) == ("turn", "Turn it.")
    with pytest.raises(ToolDefinitionError, match=r"/flop.*/greet"):
        Tool.from_space(space_url, api_name="flop", token="sesame")


def test_who_may_not_come_in(space_url):
    with pytest.raises(ConnectionFailed, match=r"token=\.\.\."):
        Tool.from_space(space_url)


def test_a_space_in_the_workbench(tools):
    bench = Workbench(tools)
    run = bench.run("flip", picture=PICTURE)
    assert run.wait(60).value.size == (5, 3)
    assert bench.history[-1].tool == "flip"
    form = tools["greet"].form(name="Ada")
    assert form.value == {"name": "Ada", "times": 2, "style": "plain"}


BLOCKS = """
from gradio_app import make_app
from PIL import Image
from workbench import Tool, ToolCollection

app = make_app()
tools = ToolCollection.from_gradio(app)
assert not app.is_running
print(tools["greet"]("Ada", 1), tools["flip"](Image.new("RGB", (3, 5))).size, tools["steps"](2))
print(Tool.from_gradio(app, "flip").input_schema == tools["flip"].input_schema)
app.close(verbose=False)
"""
INTERFACE = """
import gradio as gr
from PIL import Image
from workbench import Tool

def area(picture) -> float:
    "Measure a picture."
    return picture.size[0] * picture.size[1]

app = gr.Interface(area, gr.Image(type="pil"), gr.Number(), api_name="area")
ours = Tool.from_gradio(app)
print(ours.name, ours.description, ours(Image.new("RGB", (3, 5))))
app.close(verbose=False)
"""


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (BLOCKS, "plain Ada  (5, 3) step 1\nTrue\n"),
        (INTERFACE, "area Measure a picture. 15\n"),
    ],
)
def test_apps_of_this_process(in_child, code, said):
    pytest.importorskip("gradio_client")
    assert in_child(code) == said


class Shout:
    name = "shout"
    description = "Say it louder."

    def run(self, text: str, twice: bool = False) -> str:
        return text.upper() * (1 + twice)


def test_an_object_with_run():
    ours = Tool.from_gradio(Shout())
    assert (ours.name, ours.description, ours.args["twice"]["type"]) == (
        "shout",
        "Say it louder.",
        "boolean",
    )
    assert ours("a", twice=True) == "AA"
    with pytest.raises(ToolDefinitionError, match="description and run"):
        Tool.from_gradio(len)
