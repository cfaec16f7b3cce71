"""AgentText is a str; AgentVideo keeps its bytes; wrap and unwrap go there and back."""

from __future__ import annotations

import copy
import json
import pickle
import re
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from workbench import (
    AgentAudio,
    AgentImage,
    AgentText,
    AgentType,
    AgentVideo,
    MediaError,
    unwrap,
    wrap,
)
from workbench.types import media_html, sniff, thumbnails_html
from workbench.types.data_uri import decode_base64, parse_data_uri
from workbench.types.sniff import canonical

MP4 = b"\x00\x00\x00\x18ftypisom" + bytes(64)


def test_text_passes_as_str_everywhere():
    text = AgentText("naïve <b>", mime_type="text/markdown")
    assert isinstance(text, str)
    assert json.dumps({text: text}) == json.dumps({"naïve <b>": "naïve <b>"})
    assert f"{text}!" == "naïve <b>!"
    assert re.sub("ï", "i", text) == "naive <b>"
    assert {text: 1}["naïve <b>"] == 1
    for again in (pickle.loads(pickle.dumps(text)), copy.deepcopy(text), copy.copy(text)):
        assert (again, again.mime_type, type(again)) == (text, "text/markdown", AgentText)
    assert type(text.to_raw()) is str
    assert text.to_string() == text


def test_text_is_shown_plain_and_markdown_only_when_it_says_so():
    assert set(AgentText("<b>")._repr_mimebundle_()) == {"text/plain"}
    shown = AgentText("# a <script>\n![x](http://e/x.png)", mime_type="text/markdown")
    markdown = shown._repr_mimebundle_()["text/markdown"]
    assert "<script" not in markdown
    assert "![" not in markdown
    assert media_html(AgentText("<script>")).count("<script") == 0


def test_video_keeps_its_bytes(tmp_path):
    path = tmp_path / "a.bin"
    path.write_bytes(MP4)
    for way in (MP4, path, str(path)):
        video = AgentVideo(way)
        assert video.mime_type == "video/mp4"
        assert video.to_raw() == MP4
    assert AgentVideo(MP4).to_string().endswith(".mp4")
    assert re.search(
        r'<video controls [^>]*src="data:video/mp4;base64,', media_html(AgentVideo(MP4))
    )
    with pytest.raises(MediaError, match="HTML"):
        AgentVideo(b"<html>")


def test_wrap_goes_inside_containers_and_unwrap_comes_back():
    picture = Image.new("RGB", (2, 2))
    wrapped = wrap([picture, {"a": "x", "n": 3, "none": None}, ("t",)])
    assert type(wrapped[0]) is AgentImage
    assert type(wrapped[1]["a"]) is AgentText
    assert wrapped[1]["n"] == 3
    assert wrapped[1]["none"] is None
    back = unwrap(wrapped)
    assert type(back[0]) is Image.Image
    assert back[1:] == [{"a": "x", "n": 3, "none": None}, ("t",)]


@pytest.mark.parametrize(
    ("value", "kind", "expected"),
    [
        ("a", "string", AgentText),
        (np.zeros((2, 2)), "image", AgentImage),
        (np.zeros(10), "audio", AgentAudio),
        ((8000, np.zeros(10)), "audio", AgentAudio),
        (MP4, "video", AgentVideo),
    ],
)
def test_wrap_by_declared_type(value, kind, expected):
    assert type(wrap(value, kind)) is expected


def test_none_stays_none_and_foreign_objects_stay_themselves():
    marker = object()
    assert wrap(None, "string") is None
    assert wrap(None, "image") is None
    assert wrap(marker) is marker
    array = np.zeros(3)
    assert wrap(array) is array
    assert wrap(5, "string") == 5


def test_thumbnails_stand_in_one_row():
    row = thumbnails_html([AgentImage(Image.new("RGB", (3, 2))) for _ in range(3)])
    assert row.count("<img") == 3
    assert "3 × 2" in row


@pytest.mark.parametrize(
    ("uri", "mime", "data"),
    [
        ("data:text/html;charset=utf-8;base64,PGI+", "text/html", b"<b>"),
        ("data:;base64,aGk=", "text/plain", b"hi"),
        ("data:,a%20b", "text/plain", b"a b"),
        ("data:image/svg+xml;utf8,%3Csvg/%3E", "image/svg+xml", b"<svg/>"),
        ("data:image/jpeg;name=a.jpg;base64,aGk", "image/jpeg", b"hi"),
    ],
)
def test_data_uris(uri, mime, data):
    parsed = parse_data_uri(uri)
    assert (parsed.mime, parsed.data) == (mime, data)


@pytest.mark.parametrize("text", ["a", "aGk=aGk=", "a*b=", "aGk==="])
def test_base64_is_strict(text):
    with pytest.raises(MediaError, match="base64"):
        decode_base64(text)


@pytest.mark.parametrize(
    ("head", "mime"),
    [
        (b"\xff\xd8\xff\xe0", "image/jpeg"), (b"RIFF....WEBPVP8 ", "image/webp"),
        (b"\x00\x00\x00\x18ftypavif", "image/avif"), (b"RIFF....WAVEfmt ", "audio/wav"),
        (b"ID3\x03", "audio/mpeg"), (b"\xff\xfb\x90\x64", "audio/mpeg"), (b"fLaC", "audio/flac"),
        (b"\x00\x00\x00\x20ftypM4A ", "audio/mp4"), (b"\x1aE\xdf\xa3....webmV_VP9", "video/webm"),
        (b'<?xml version="1.0"?><svg>', "image/svg+xml"), (b"hello", None), (b"", None),
    ],
)  # fmt: skip
def test_sniffing(head, mime):
    assert sniff(head) == mime


def test_media_types_have_one_spelling():
    assert [canonical(w) for w in ("image/jpg", "audio/mp3", "audio/x-wav")] == [
        "image/jpeg",
        "audio/mpeg",
        "audio/wav",
    ]


def test_all_are_agent_types():
    values = [AgentText("a"), AgentImage(np.zeros((1, 1))), AgentAudio([0.0]), AgentVideo(MP4)]
    assert all(isinstance(value, AgentType) for value in values)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("a.wav", AgentAudio([0.0, 0.5])),
        ("b c.png", AgentImage(np.zeros((2, 2, 3), np.uint8))),
        ("clip.mp4", AgentVideo(MP4)),
    ],
)
def test_as_a_string_media_are_the_path_of_their_file(tmp_path, name, value):
    path = tmp_path / name
    path.write_bytes(value.to_bytes())
    found = type(value)(path)
    assert type(str(found)) is str
    assert str(found) == f"{found}" == found.to_string() == str(path)
    assert Path(str(value)).read_bytes() == value.to_bytes()
