"""Results as messages: paired, in order, media as the provider takes them, types as the bytes."""

from __future__ import annotations

import base64
import io
import json

import numpy as np
import pytest
from PIL import Image

from workbench import AgentAudio, AgentImage, ToolResult
from workbench.tools.call_results import ToolCallResult, ToolCallResults
from workbench.tools.calls import ToolCalls

CALLS = ToolCalls(
    [{"id": "a", "name": "look", "args": {}}, {"id": "b", "name": "read", "args": {}}]
)
DIALECTS = ["openai", "openai-responses", "anthropic", "gemini", "litellm"]


def picture(kind: str = "PNG") -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (4, 3), "red").save(stream, kind)
    return stream.getvalue()


def sound() -> AgentAudio:
    return AgentAudio(np.zeros(80, dtype=np.float32), 8000)


def results(*values, is_errors=None):
    return ToolCallResults.from_tool_calls_and_values(CALLS[: len(values)], values, is_errors)


def base64_of(data: bytes) -> str:
    return base64.b64encode(data).decode()


def test_values_are_paired_with_calls():
    made = results(1, "x", is_errors=[False, True])
    assert [(r.call_id, r.name, r.value, r.is_error) for r in made] == [
        ("a", "look", 1, False), ("b", "read", "x", True)
    ]  # fmt: skip
    by_id = ToolCallResults.from_tool_calls_and_values(CALLS, {"b": 2, "a": 1})
    assert [r.value for r in by_id] == [1, 2]


@pytest.mark.parametrize(
    "values", [[1], [1, 2, 3], {"a": 1}, {"a": 1, "z": 2}, {"a": 1, "b": 2, "z": 3}]
)
def test_what_cannot_be_paired_is_refused(values):
    with pytest.raises(ValueError, match=r"paired|do not fit"):
        ToolCallResults.from_tool_calls_and_values(CALLS, values)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_messages_are_json_and_pair_every_call(dialect):
    value = {
        "n": float("nan"),
        "when": np.int64(3),
        "raw": b"x",
        "array": np.arange(3),
        "o": object(),
    }
    text = json.dumps(results(value, None).to_messages(dialect), allow_nan=False)
    for call in CALLS:
        assert f'"{call.id}"' in text


def test_an_unknown_dialect_lists_the_known_ones():
    with pytest.raises(ValueError, match="'anthropic'"):
        results(1).to_messages("mcp")


def test_openai_puts_all_tool_messages_before_the_pictures():
    first, second, third = results(["a cat", AgentImage(picture())], "text").to_messages("openai")
    assert first == {"role": "tool", "tool_call_id": "a", "content": "a cat"}
    assert second == {"role": "tool", "tool_call_id": "b", "content": "text"}
    label, shown = third["content"]
    assert third["role"] == "user"
    assert "look" in label["text"]
    assert shown == {"type": "image_url", "image_url": {"url": "data:image/png;base64," + base64_of(picture())}}  # fmt: skip


def test_openai_takes_sound_as_wav_or_mp3():
    *_, last = results(sound()).to_messages("litellm")
    part = last["content"][1]["input_audio"]
    assert (part["format"], base64.b64decode(part["data"])[:4]) == ("wav", b"RIFF")


def test_responses_put_pictures_into_the_output():
    (made,) = results(["a cat", AgentImage(picture())]).to_messages("openai-responses")
    assert made["call_id"] == "a"
    assert [part["type"] for part in made["output"]] == ["input_text", "input_image"]
    assert results(5).to_messages("openai-responses")[0]["output"] == "5"


def test_anthropic_puts_all_results_into_one_user_message():
    (message,) = results([AgentImage(picture("JPEG")), ""], "bad", is_errors=[False, True]).to_messages("anthropic")  # fmt: skip
    look, read = message["content"]
    assert look["content"] == [{"type": "image", "source": {
        "type": "base64", "media_type": "image/jpeg", "data": base64_of(picture("JPEG"))}}]  # fmt: skip
    assert "is_error" not in look
    assert (read["is_error"], read["content"]) == (True, [{"type": "text", "text": "bad"}])


def test_gemini_answers_with_function_responses():
    (message,) = results([AgentImage(picture()), sound()], "bad", is_errors=[False, True]).to_messages("gemini")  # fmt: skip
    look, read, heard = message["parts"]
    assert look["functionResponse"]["parts"][0]["inlineData"]["mimeType"] == "image/png"
    assert read["functionResponse"] == {"id": "b", "name": "read", "response": {"error": "bad"}}
    assert heard["inlineData"]["mimeType"] == "audio/wav"


def test_a_label_that_lies_about_the_bytes_is_not_passed_on():
    lying = AgentImage("data:image/png;base64," + base64_of(picture("JPEG")))
    (message,) = results(lying).to_messages("anthropic")
    assert message["content"][0]["content"][0]["source"]["media_type"] == "image/jpeg"


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_format_the_provider_does_not_take_is_converted(dialect):
    text = json.dumps(results(AgentImage(picture("BMP"))).to_messages(dialect))
    assert "image/png" in text
    assert "bmp" not in text


@pytest.mark.parametrize("dialect", ["anthropic", "openai-responses"])
def test_a_sound_where_none_is_taken_is_named(dialect):
    text = json.dumps(results(sound()).to_messages(dialect))
    assert "AgentAudio" in text
    assert "does not take it" in text


def test_pictures_inside_a_record_are_sent_and_marked():
    (message,) = results({"caption": "cat", "picture": AgentImage(picture())}).to_messages(
        "anthropic"
    )
    text, image = message["content"][0]["content"]
    assert json.loads(text["text"]) == {"caption": "cat", "picture": "[image 1]"}
    assert image["type"] == "image"


def test_a_table_is_sent_whole():
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"n": range(200)})
    assert results(frame).to_messages("openai")[0]["content"].count("\n") == 201


def test_calls_without_ids_are_numbered_where_ids_are_needed():
    made = ToolCallResults([ToolCallResult(name="t", value=1), ToolCallResult(name="t", value=2)])
    assert [m["tool_call_id"] for m in made.to_messages("openai")] == ["call_0", "call_1"]
    assert "id" not in made.to_messages("gemini")[0]["parts"][0]["functionResponse"]


def test_no_results_are_no_messages():
    assert [ToolCallResults().to_messages(dialect) for dialect in DIALECTS] == [[]] * 5


def test_results_show_themselves_with_every_text_escaped():
    made = results(ToolResult(["<script>"]), AgentImage(picture()))
    shown = made._repr_mimebundle_()["text/html"]
    assert "<script>" not in shown
    assert "data:image/png" in shown
