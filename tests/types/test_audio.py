"""AgentAudio behaves as its samples, keeps its rate and its bytes, and plays."""

from __future__ import annotations

import base64
import copy
import io
import pickle
import re

import numpy as np
import pytest
import soundfile
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from workbench import AgentAudio, MediaError
from workbench.errors import MediaNotFound

TONE = (0.5 * np.sin(np.arange(16_000) / 16_000 * 440 * 2 * np.pi)).astype(np.float32)


def encoded(samples, rate=16_000, kind="WAV", subtype=None) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, samples, rate, format=kind, subtype=subtype)
    return file.getvalue()


def played(value) -> tuple[np.ndarray, int]:
    html = value._repr_mimebundle_()["text/html"]
    data = re.search(r'<audio [^>]*src="data:[^;]+;base64,([^"]+)"', html).group(1)
    return soundfile.read(io.BytesIO(base64.b64decode(data)))


def test_it_behaves_as_its_samples():
    sound = AgentAudio(TONE)
    assert sound.shape == (16_000,)
    assert len(sound) == 16_000
    assert sound.dtype == np.float32
    assert np.asarray(sound) == pytest.approx(TONE)
    assert (sound * 2 + 1).samplerate == 16_000
    assert np.asarray(sound * 2) == pytest.approx(TONE * 2)
    assert float(np.abs(sound).max()) == pytest.approx(0.5, abs=1e-3)
    assert sound.mean() == pytest.approx(0, abs=1e-4)
    assert sum(1 for _ in sound[:10]) == 10
    assert (sound > 0).dtype == bool


def test_slicing_frames_keeps_the_rate_and_striding_does_not_claim_it():
    stereo = AgentAudio(np.stack([TONE, -TONE], 1), 22_050)
    part = stereo[100:300]
    assert (part.samplerate, part.shape) == (22_050, (200, 2))
    assert stereo[:, 0].samplerate == 22_050
    assert isinstance(stereo[::2], np.ndarray)
    assert stereo[5].tolist() == pytest.approx([TONE[5], -TONE[5]])


@pytest.mark.parametrize("rate", [8000, 22_050, 44_100, 48_000, 96_000, 192_000])
def test_header_facts_come_from_the_header(rate, tmp_path):
    path = tmp_path / "fé 日本🎉.wav"
    path.write_bytes(encoded(np.stack([TONE] * 2, 1), rate))
    sound = AgentAudio(path)
    assert (sound.samplerate, sound.channels, len(sound)) == (rate, 2, 16_000)
    assert sound._samples is None
    assert sound.duration_s == pytest.approx(16_000 / rate)
    assert sound.to_string() == str(path)


@pytest.mark.parametrize(
    ("kind", "subtype", "mime"),
    [
        ("WAV", "PCM_16", "audio/wav"), ("WAV", "ULAW", "audio/wav"), ("WAV", "ALAW", "audio/wav"),
        ("WAV", "DOUBLE", "audio/wav"), ("WAV", "PCM_U8", "audio/wav"), ("FLAC", None, "audio/flac"),
        ("OGG", "VORBIS", "audio/ogg"), ("OGG", "OPUS", "audio/ogg"), ("MP3", None, "audio/mpeg"),
        ("AIFF", None, "audio/aiff"), ("AU", None, "audio/basic"), ("CAF", None, "audio/x-caf"),
        ("RF64", None, "audio/wav"), ("W64", None, "audio/x-w64"), ("WAVEX", None, "audio/wav"),
    ],
)  # fmt: skip
def test_every_container_is_read_and_kept(kind, subtype, mime):
    data = encoded(TONE, 16_000, kind, subtype)
    sound = AgentAudio(data)
    assert sound.mime_type == mime
    assert sound.to_bytes() == data
    assert abs(len(sound) - 16_000) < 2_500
    assert np.sqrt(np.mean(sound.to_raw() ** 2)) == pytest.approx(0.3535, abs=0.05)
    assert AgentAudio(io.BytesIO(data)).samplerate == 16_000


SCALES = [
    (np.array([0, 128, 255], np.uint8), [-1, 0, 127 / 128]),
    (np.array([-(2**15), 0, 2**14], np.int16), [-1, 0, 0.5]),
    (np.array([2**30, -(2**31)], np.int32), [0.5, -1]),
    (np.array([0, 100, 32767]), [0, 100 / 32768, 32767 / 32768]),
    ([0, 100, 32767], [0, 100 / 32768, 32767 / 32768]),
    (np.array([0.5, 1.5, -2], np.float64), [0.5, 1.5, -2]),
    (np.array([0.25], np.float16), [0.25]),
    (np.array([True, False]), [1, 0]),
]


@pytest.mark.parametrize(("given_samples", "expected"), SCALES)
def test_samples_scale_by_their_full_scale(given_samples, expected):
    assert AgentAudio(given_samples).to_raw() == pytest.approx(np.array(expected), abs=1e-6)


@pytest.mark.parametrize("layout", [(2, 1000), (1000, 2), (1, 1, 1000), (1000, 1)])
def test_both_layouts_are_understood(layout):
    sound = AgentAudio(np.zeros(layout, np.float32))
    assert len(sound) == 1000
    assert sound.channels == (2 if 2 in layout else 1)


def test_out_of_range_is_clipped_only_where_it_is_written():
    sound = AgentAudio(np.array([0.5, 1.5, -2.0, np.nan, np.inf, -np.inf, 1.0], np.float32))
    assert sound.to_raw()[1] == 1.5
    back = (played(sound)[0] * 32768).round().astype(int).tolist()
    assert back == [16384, 32767, -32768, 0, 32767, -32768, 32767]


def test_quiet_sound_stays_quiet_and_silence_is_silent():
    assert np.abs(played(AgentAudio(TONE * 0.02))[0]).max() == pytest.approx(0.01, abs=1e-3)
    assert not played(AgentAudio(np.zeros(100)))[0].any()


@given(hnp.arrays(np.float32, st.integers(1, 500), elements=st.floats(-1, 1, width=32)))
def test_samples_to_wav_to_samples_within_one_step(samples):
    back = AgentAudio(AgentAudio(samples).to_bytes("wav")).to_raw()
    assert np.abs(back - samples).max() <= 1 / 32768 + 1e-7


def test_rates_from_argument_pair_and_media_type():
    assert AgentAudio(TONE).samplerate == 16_000
    assert AgentAudio(TONE, 24_000).samplerate == 24_000
    assert AgentAudio((48_000, TONE)).samplerate == 48_000
    assert AgentAudio((TONE, 48_000)).samplerate == 48_000
    raw = (TONE * 32767).astype("<i2").tobytes()
    sound = AgentAudio(raw, mime_type="audio/L16;rate=24000")
    assert (sound.samplerate, len(sound)) == (24_000, 16_000)
    text = base64.b64encode(raw).decode()
    assert AgentAudio(f"data:audio/pcm;rate=8000;channels=2;base64,{text}").shape == (8000, 2)
    big = (TONE * 32767).astype(">i2").tobytes()
    swapped = AgentAudio(big, mime_type="audio/L16;rate=24000;endian=big")
    assert np.asarray(swapped) == pytest.approx(np.asarray(sound))
    assert soundfile.info(sound.to_string()).samplerate == 24_000
    assert AgentAudio(encoded(TONE, 8000), 24_000).samplerate == 24_000


def _patched(data: bytes, size: int) -> bytes:
    at = data.index(b"data") + 4
    return data[:at] + size.to_bytes(4, "little") + data[at + 4 :]


def test_headers_without_a_length_are_read_to_the_end():
    whole = encoded(TONE)
    for size in (0, 0xFFFFFFFF):
        assert AgentAudio(_patched(whole, size)).to_raw().shape == (16_000,)
        assert AgentAudio(_patched(whole, size)).duration_s == 1.0
    assert len(AgentAudio(_patched(whole, 16_000)).to_raw()) == 8_000
    assert 0 < len(AgentAudio(whole[:10_000]).to_raw()) < 16_000
    trailing = whole + b"LIST" + (4).to_bytes(4, "little") + b"INFO"
    assert len(AgentAudio(trailing).to_raw()) == 16_000


BAD = {
    "empty": (b"", "empty"),
    "html": (b"<html>no</html>", "HTML"),
    "raw": (bytes(range(7)) * 999, "mime_type"),
    "none": (None, "NoneType"),
    "number": (5, "int"),
    "ragged": ([[1], [1, 2]], "one array"),
    "cube": (np.zeros((2, 3, 4)), "shape"),
    "url": ("https://example.org/a.wav", "from_url"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_input_names_the_cause(case):
    value, word = BAD[case]
    with pytest.raises(MediaError, match=word):
        AgentAudio(value)


@pytest.mark.parametrize("rate", [0, -1, 1.5, float("nan"), "fast", True])
def test_bad_rates_are_named(rate):
    with pytest.raises(MediaError, match="samplerate"):
        AgentAudio(TONE, rate)


def test_a_missing_path_is_a_file_not_found():
    with pytest.raises(MediaNotFound):
        AgentAudio("missing.wav")


def test_the_player_is_on_the_tag_and_says_what_it_plays():
    html = AgentAudio(np.stack([TONE] * 2, 1), 44_100)._repr_mimebundle_()["text/html"]
    assert re.search(r"<audio controls [^>]*src=\"data:audio/wav;base64,", html)
    assert "<source" not in html
    assert "0.36 s, 44.1 kHz, stereo" in html
    assert "download" in html


def test_long_sound_shows_its_first_minutes(tmp_path):
    path = tmp_path / "hour.flac"
    rng = np.random.default_rng(0)
    with soundfile.SoundFile(path, "w", 16_000, 2, format="FLAC") as file:
        for _ in range(30):
            file.write(rng.normal(0, 0.1, (16_000 * 60, 2)).astype(np.float32))
    sound = AgentAudio(path)
    assert sound.duration_s == 1800
    html = sound._repr_mimebundle_()["text/html"]
    assert len(html) < 16_000_000
    assert "first 180 s of 1800 s" in html
    assert sound._samples is None


def test_codecs_that_lack_the_rate_say_so():
    with pytest.raises(MediaError, match="96000"):
        AgentAudio(TONE, 96_000).to_bytes("mp3")
    assert soundfile.info(io.BytesIO(AgentAudio(TONE, 44_100).to_bytes("ogg"))).samplerate == 44_100


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))]
)
def test_copies_are_equal(duplicate):
    sound = AgentAudio(TONE, 8000)
    again = duplicate(sound)
    assert type(again) is AgentAudio
    assert again.samplerate == 8000
    assert (np.asarray(again) == np.asarray(sound)).all()


def test_libraries_take_it(tmp_path):
    sound = AgentAudio(TONE, 8000)
    soundfile.write(tmp_path / "a.wav", sound, sound.samplerate)
    assert soundfile.info(tmp_path / "a.wav").frames == 16_000
    wavfile = pytest.importorskip("scipy.io.wavfile")
    wavfile.write(tmp_path / "b.wav", 8000, np.asarray(sound))
    assert np.fft.rfft(sound).shape == (8001,)


def test_failed_saves_leave_nothing(tmp_path):
    with pytest.raises(MediaError):
        AgentAudio(TONE).save(tmp_path / "a.xyz")
    assert list(tmp_path.iterdir()) == []


def test_reprs_are_short_and_stable():
    assert repr(AgentAudio(TONE)) == "<AgentAudio 1.00 s, 16000 Hz, mono, audio/wav>"


RAW = {
    "audio/L8;rate=8000": ("PCM_U8", "LITTLE", 8000),
    "audio/L16;rate=24000": ("PCM_16", "LITTLE", 24_000),
    "audio/L16;rate=24000;endian=big": ("PCM_16", "BIG", 24_000),
    "audio/L24; rate=48000": ("PCM_24", "LITTLE", 48_000),
    "AUDIO/PCM;RATE=22050": ("PCM_16", "LITTLE", 22_050),
    "audio/PCMU": ("ULAW", "LITTLE", 8000),
    "audio/PCMA;rate=16000": ("ALAW", "LITTLE", 16_000),
    "audio/basic": ("ULAW", "LITTLE", 8000),
}


@pytest.mark.parametrize("channels", [1, 2])
@pytest.mark.parametrize("mime", RAW)
def test_raw_samples_are_read_by_their_media_type(mime, channels):
    codec, endian, rate = RAW[mime]
    samples = np.stack([TONE, -TONE], axis=1) if channels == 2 else TONE
    file = io.BytesIO()
    soundfile.write(file, samples, rate, format="RAW", subtype=codec, endian=endian)
    sound = AgentAudio(file.getvalue(), mime_type=f"{mime};channels={channels}")
    assert (sound.samplerate, sound.shape) == (rate, samples.shape)
    np.testing.assert_allclose(np.asarray(sound), samples, atol=0.02)


@pytest.mark.parametrize(
    "start", [b"\xff\xfb\x90\x00", b"BM", b"\x00\x00\x01\x00", b"\x00\x00\x01\xba"]
)
def test_raw_samples_may_start_like_a_file(start):
    sound = AgentAudio(start + bytes(96), mime_type="audio/L16;rate=8000")
    assert sound.shape == ((len(start) + 96) // 2,)


@pytest.mark.parametrize("options", ["channels=0", "rate=0", "rate=fast", "channels=1e9"])
def test_senseless_parameters_of_raw_samples_are_named(options):
    with pytest.raises(MediaError, match=options.partition("=")[0]):
        AgentAudio(bytes(100), mime_type=f"audio/L16;{options}")


def test_a_file_is_believed_over_a_raw_label():
    sound = AgentAudio(encoded(TONE, 44_100), mime_type="audio/L16;rate=8000")
    assert (sound.samplerate, sound.mime_type) == (44_100, "audio/wav")


@pytest.mark.parametrize("codec", soundfile.available_subtypes("WAV"))
def test_every_codec_of_wav_is_read_and_shown_as_one_that_browsers_play(codec):
    if codec == "MPEG_LAYER_III":
        pytest.skip("libsndfile writes it with a header that it cannot read back")
    data = encoded(TONE, 8000, "WAV", codec)
    sound = AgentAudio(data)
    assert sound.to_bytes() == data
    assert len(np.asarray(sound)) >= len(TONE)
    html = sound._repr_mimebundle_()["text/html"]
    shown = re.search(r'<audio [^>]*src="data:[^;]+;base64,([^"]+)"', html).group(1)
    with soundfile.SoundFile(io.BytesIO(base64.b64decode(shown))) as file:
        assert file.subtype in {"PCM_U8", "PCM_16", "PCM_24", "PCM_32", "FLOAT", "ULAW", "ALAW"}
