"""AgentImage is a PIL image, believes bytes, stands upright, and shows itself once."""

from __future__ import annotations

import base64
import copy
import io
import pickle
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from PIL import Image, ImageChops, ImageDraw, ImageFilter, ImageOps

from workbench import AgentImage, AgentText, MediaError
from workbench.errors import MediaNotFound


def encoded(picture: Image.Image, kind: str = "PNG", **options) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def bundle(value):
    shown = value._repr_mimebundle_()
    return shown[0] if isinstance(shown, tuple) else shown


def shown_picture(value) -> Image.Image:
    data = bundle(value)
    carrier = next(mime for mime in data if mime.startswith("image/"))
    return Image.open(io.BytesIO(base64.b64decode(data[carrier])))


RNG = np.random.default_rng(0)
PLAIN = Image.fromarray(RNG.integers(0, 256, (24, 32, 3), np.uint8))
OTHER = Image.fromarray(RNG.integers(0, 256, (24, 32, 3), np.uint8))

SAME = {
    "resize": lambda im: im.resize((9, 7)),
    "crop": lambda im: im.crop((2, 3, 12, 13)),
    "convert": lambda im: im.convert("L"),
    "rotate": lambda im: im.rotate(30, expand=True),
    "split": lambda im: im.split()[1],
    "filter": lambda im: im.filter(ImageFilter.BLUR),
    "quantize": lambda im: im.quantize(8).convert("RGB"),
    "point": lambda im: im.point(lambda v: 255 - v),
    "getpixel": lambda im: im.getpixel((3, 4)),
    "histogram": lambda im: im.histogram(),
    "tobytes": lambda im: im.tobytes(),
    "getexif": lambda im: dict(im.getexif()),
    "getbbox": lambda im: im.getbbox(),
    "asarray": lambda im: np.asarray(im).tolist(),
    "copy": lambda im: im.copy().tobytes(),
    "ImageOps": lambda im: ImageOps.mirror(ImageOps.contain(im, (10, 10))),
    "ImageChops": lambda im: ImageChops.difference(im, OTHER),
    "blend": lambda im: Image.blend(im, OTHER, 0.5),
    "composite": lambda im: Image.composite(im, OTHER, im.convert("L")),
    "alpha_composite": lambda im: Image.alpha_composite(im.convert("RGBA"), OTHER.convert("RGBA")),
    "merge": lambda im: Image.merge("RGB", im.split()),
    "pasted": lambda im: _pasted(im),
    "thumbnail": lambda im: _thumbnail(im),
    "drawn": lambda im: _drawn(im),
    "putpixel": lambda im: _put(im),
    "pixel access": lambda im: _access(im),
    "putalpha": lambda im: _alpha(im),
    "saved": lambda im: Image.open(io.BytesIO(_saved(im))).tobytes(),
}


def _pasted(im):
    ground = OTHER.copy()
    ground.paste(im, (3, 3))
    return ground


def _thumbnail(im):
    im.thumbnail((8, 8))
    return im.tobytes()


def _drawn(im):
    ImageDraw.Draw(im).rectangle((2, 2, 9, 9), fill="red")
    return im.tobytes()


def _put(im):
    im.putpixel((1, 1), (1, 2, 3))
    return im.tobytes()


def _access(im):
    pixels = im.load()
    pixels[2, 2] = (9, 9, 9)
    return im.tobytes(), pixels[2, 2]


def _alpha(im):
    im.putalpha(7)
    return im.mode, im.tobytes()


def _saved(im):
    file = io.BytesIO()
    im.save(file, "PNG")
    return file.getvalue()


@pytest.mark.parametrize("name", SAME)
@pytest.mark.parametrize("made_of", ["pil", "png"])
def test_every_pil_call_does_the_same(name, made_of):
    source = PLAIN.copy() if made_of == "pil" else encoded(PLAIN)
    expected, got = SAME[name](PLAIN.copy()), SAME[name](AgentImage(source))
    if isinstance(expected, Image.Image):
        assert (got.mode, got.size, got.tobytes()) == (
            expected.mode,
            expected.size,
            expected.tobytes(),
        )
    else:
        assert got == expected


def test_it_is_an_image_and_equal_to_its_plain_self():
    image = AgentImage(PLAIN)
    assert isinstance(image, Image.Image)
    assert image == PLAIN
    assert image == PLAIN
    assert image != OTHER


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda im: pickle.loads(pickle.dumps(im))]
)
def test_copies_keep_the_type(duplicate):
    image = AgentImage(encoded(PLAIN))
    again = duplicate(image)
    assert type(again) is AgentImage
    assert again == image


def test_drawing_leaves_the_source_alone_and_the_other_way_round():
    source = PLAIN.copy()
    image = AgentImage(source)
    ImageDraw.Draw(image).rectangle((0, 0, 31, 23), fill="red")
    assert source == PLAIN
    other = AgentImage(source)
    ImageDraw.Draw(source).rectangle((0, 0, 31, 23), fill="blue")
    assert other == PLAIN


def test_shared_bytes_are_forgotten_when_the_picture_changes():
    data = encoded(PLAIN, "JPEG")
    image = AgentImage(data)
    assert image.to_bytes() == data
    before = image.to_string()
    image.putpixel((0, 0), (255, 0, 0))
    assert image.to_bytes() != data
    assert image.mime_type == "image/png"
    assert image.to_string() != before
    assert Image.open(image.to_string()).getpixel((0, 0)) == (255, 0, 0)


@pytest.mark.parametrize("turn", range(1, 9))
@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_exif_orientation_is_undone_once(turn, kind):
    picture = Image.new("RGB", (40, 20))
    exif = picture.getexif()
    exif[0x0112] = turn
    data = encoded(picture, kind, exif=exif)
    size = (20, 40) if turn >= 5 else (40, 20)
    image = AgentImage(data)
    assert image.size == size
    assert image.to_raw().size == size
    assert image.getexif().get(0x0112, 1) == 1
    assert shown_picture(image).size == size
    assert AgentImage(AgentImage(image)).size == size
    plain = Image.open(io.BytesIO(data))
    assert AgentImage(plain).size == size
    assert plain.getexif().get(0x0112, 1) == turn


def test_arrays_are_never_inverted():
    assert AgentImage(np.ones((2, 2, 3), np.float32)).getpixel((0, 0)) == (255, 255, 255)
    assert AgentImage(np.full((2, 2, 3), 200, np.uint8)).getpixel((0, 0)) == (200, 200, 200)
    assert AgentImage(np.full((3, 3, 3), 255)).getpixel((0, 0)) == (255, 255, 255)
    assert AgentImage(np.full((2, 2), 0.25)).getpixel((0, 0)) == 64
    mask = np.eye(5, dtype=bool)
    assert (np.asarray(AgentImage(mask)) == mask).all()
    deep = np.full((2, 2), 32768, np.uint16)
    assert AgentImage(deep).getpixel((0, 0)) == 32768


@given(
    hnp.arrays(
        np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9), st.sampled_from([1, 3, 4]))
    )
)
def test_array_to_image_to_array_is_equal(array):
    image = AgentImage(array)
    back = np.asarray(AgentImage(image.to_bytes())).reshape(array.shape)
    assert (back == array).all()


@pytest.mark.parametrize(
    ("array", "word"),
    [
        (np.zeros((0, 4, 3), np.uint8), "empty"),
        (np.zeros(5, np.uint8), "shape"),
        (np.full((2, 2), 300), "0..255"),
        (np.full((2, 2), 1e6), "[0, 1]"),
        (np.array([["a"]]), "dtype"),
    ],
)
def test_arrays_that_are_no_picture_are_named(array, word):
    with pytest.raises(MediaError, match=word.replace("[", r"\[").replace("]", r"\]")):
        AgentImage(array)


def _bomb(side: int) -> bytes:
    def chunk(name, body):
        return (
            struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        )

    head = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    body = chunk(b"IHDR", head) + chunk(b"IDAT", b"") + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


@pytest.mark.parametrize("side", [10_000, 30_000])
def test_decompression_bombs_are_refused_before_decoding(side):
    limit = Image.MAX_IMAGE_PIXELS
    with pytest.raises(MediaError, match="allow_large"):
        AgentImage(_bomb(side))
    assert AgentImage(_bomb(10_000), allow_large=True).size == (10_000, 10_000)
    assert limit == Image.MAX_IMAGE_PIXELS


BROKEN = {
    "empty": (b"", "empty"),
    "html": (b"<html>404", "HTML"),
    "raw pixels": (PLAIN.tobytes(), "array"),
    "cut jpeg": (encoded(PLAIN.resize((64, 64)), "JPEG")[:900], "truncated"),
    "cut png": (encoded(PLAIN)[:300], "truncated"),
    "cut gif": (encoded(PLAIN, "GIF")[:8], "truncated"),
    "heic": (b"\x00\x00\x00\x18ftypheic" + bytes(40), "pillow-heif"),
    "number": (5, "int"),
    "url": ("https://example.org/x.png", "from_url"),
    "data": ("data:image/png;base64,@@", "base64"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_broken_input_fails_at_construction_and_names_the_cause(case):
    value, word = BROKEN[case]
    with pytest.raises(MediaError, match=word):
        AgentImage(value)


@pytest.mark.parametrize("path", ["/nope/x.png", "missing.png"])
def test_a_missing_path_is_a_file_not_found(path):
    with pytest.raises(MediaNotFound) as caught:
        AgentImage(path)
    assert isinstance(caught.value, FileNotFoundError)


def test_a_png_with_a_broken_record_beside_the_picture_is_a_picture():
    data = encoded(PLAIN, "PNG", icc_profile=b"x" * 200)
    at = data.index(b"iCCP") + 10
    broken = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
    image = AgentImage(broken)
    assert image == PLAIN
    assert image.to_bytes() == broken


def test_every_way_in_gives_the_same_picture(tmp_path):
    data = encoded(PLAIN)
    path = tmp_path / "fé 日本🎉.png"
    path.write_bytes(data)
    text = base64.b64encode(data).decode()
    wrapped = "\n".join(text[i : i + 76] for i in range(0, len(text), 76))
    safe = base64.urlsafe_b64encode(data).decode().rstrip("=")
    file = io.BytesIO(b"xx" + data)
    file.seek(2)
    ways = [
        path, str(path), data, bytearray(data), memoryview(data), io.BytesIO(data), file, text,
        wrapped, safe, f"data:image/png;base64,{text}", f"data:image/png;name=a.png;base64,{text}",
        f"data:;base64,{text}", AgentImage(data), PLAIN,
    ]  # fmt: skip
    assert all(AgentImage(way) == PLAIN for way in ways)
    assert not file.closed
    assert AgentImage(path).to_string() == str(path)
    assert type(AgentImage(path).to_string()) is str


def test_bytes_are_believed_and_extensions_are_not(tmp_path):
    path = tmp_path / "photo.jpg"
    path.write_bytes(encoded(PLAIN))
    assert AgentImage(path).mime_type == "image/png"


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP"])
def test_encoded_bytes_are_kept_for_the_page(kind):
    data = encoded(PLAIN, kind)
    image = AgentImage(data)
    mime = f"image/{kind.lower()}"
    assert image.mime_type == mime
    assert base64.b64decode(bundle(image)[mime]) == data
    assert AgentImage(data).to_bytes(kind) == data


def test_animations_stay_animated():
    frames = [Image.new("RGB", (4, 4), colour) for colour in ("red", "green", "blue")]
    data = encoded(frames[0], "GIF", save_all=True, append_images=frames[1:], duration=100)
    image = AgentImage(data)
    assert image.n_frames == 3
    assert base64.b64decode(bundle(image)["image/gif"]) == data
    assert Image.open(io.BytesIO(image.to_bytes("PNG"))).format == "PNG"


MODES = ["1", "L", "LA", "P", "RGB", "RGBA", "CMYK", "YCbCr", "HSV", "LAB", "I", "F", "I;16", "RGBX", "PA", "La", "RGBa"]  # fmt: skip


@pytest.mark.parametrize("mode", MODES)
def test_every_mode_is_shown_and_serialised(mode):
    image = AgentImage(Image.new(mode, (3, 2)))
    data = bundle(image)
    carriers = [mime for mime in data if mime not in ("text/plain",)]
    assert len(carriers) == 1
    assert carriers[0].startswith("image/")
    assert shown_picture(image).size == (3, 2)
    assert AgentImage(image.to_string()).size == (3, 2)
    assert Image.open(io.BytesIO(image.to_bytes("JPEG"))).size == (3, 2)


def test_colours_are_right():
    cmyk = AgentImage(encoded(Image.new("CMYK", (4, 4), (0, 255, 255, 0)), "JPEG"))
    red = shown_picture(cmyk).convert("RGB").getpixel((0, 0))
    assert max(abs(a - b) for a, b in zip(red, (255, 0, 0), strict=True)) <= 3
    assert cmyk.to_raw().mode == "CMYK"
    clear = AgentImage(Image.new("RGBA", (2, 2), (255, 0, 0, 0)))
    assert Image.open(io.BytesIO(clear.to_bytes("JPEG"))).getpixel((0, 0)) == (255, 255, 255)
    assert shown_picture(clear).getpixel((0, 0))[3] == 0
    deep = AgentImage(Image.fromarray(np.full((2, 2), 32768, np.uint16)))
    grey = Image.open(io.BytesIO(deep.to_bytes("JPEG"))).getpixel((0, 0))
    assert abs(grey - 128) <= 1
    floats = AgentImage(Image.fromarray(np.array([[0.0, 1.0]], np.float32)))
    assert [shown_picture(floats).convert("L").getpixel((x, 0)) for x in (0, 1)] == [0, 255]


def test_svg_is_kept_and_inert():
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="20" height="10"><script>alert(1)</script></svg>'
    image = AgentImage(svg)
    assert image.size == (20, 10)
    assert image.mime_type == "image/svg+xml"
    assert image.to_bytes() == svg
    data = bundle(image)
    assert "<script" not in data["text/html"]
    assert data["text/html"].startswith("<img")
    with pytest.raises(MediaError, match="SVG"):
        image.to_raw()


def test_large_pictures_show_a_preview_that_says_so():
    noise = np.random.default_rng(1).integers(0, 256, (4000, 6000, 3), np.uint8)
    image = AgentImage(noise)
    data = bundle(image)
    assert sum(len(value) for value in data.values()) < 8_000_000
    assert max(shown_picture(image).size) <= 2048
    assert "preview 2048 x 1365 of 6000 x 4000" in data["text/plain"]
    assert image.size == (6000, 4000)


def test_ipython_shows_exactly_the_bundle():
    from IPython.core.formatters import DisplayFormatter

    image = AgentImage(PLAIN)
    data, metadata = DisplayFormatter().format(image)
    assert set(data) == {"text/plain", "image/png"}
    assert metadata["image/png"] == {"width": 32, "height": 24}
    assert data["text/plain"] == "<AgentImage image/png RGB 32x24>"


def test_the_bundle_honours_include_and_exclude():
    image = AgentImage(PLAIN)
    assert set(image._repr_mimebundle_(include=["text/plain"])) == {"text/plain"}
    assert "text/plain" not in image._repr_mimebundle_(exclude=["text/plain"])[0]


def test_reprs_never_raise_when_the_file_went(tmp_path):
    path = tmp_path / "a.png"
    path.write_bytes(encoded(PLAIN))
    image = AgentImage(path)
    path.unlink()
    assert "removed" in bundle(image)["text/plain"]
    assert len(repr(image)) < 200


def test_saving_is_whole_or_not_at_all(tmp_path):
    image = AgentImage(PLAIN)
    image.save(tmp_path / "a.webp")
    assert AgentImage(tmp_path / "a.webp").mime_type == "image/webp"
    with pytest.raises(MediaError, match="nonsense"):
        image.save(tmp_path / "a.nonsense")
    assert [p.name for p in tmp_path.iterdir()] == ["a.webp"]


def test_files_are_removed_when_the_interpreter_ends():
    import subprocess
    import sys
    from pathlib import Path

    code = "import numpy, workbench; print(workbench.AgentImage(numpy.zeros((2, 2))).to_string())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not Path(done.stdout.strip()).exists()


def test_matplotlib_figures_and_imshow():
    pyplot = pytest.importorskip("matplotlib.pyplot")
    pyplot.switch_backend("agg")
    figure, axes = pyplot.subplots(figsize=(2, 1))
    axes.imshow(AgentImage(PLAIN))
    image = AgentImage(figure)
    assert image.mime_type == "image/png"
    assert image.width > 50
    pyplot.close(figure)


def test_pydantic_fields():
    from pydantic import TypeAdapter

    adapter = TypeAdapter(AgentImage)
    text = adapter.dump_json(AgentImage(encoded(PLAIN))).decode()
    assert text.startswith('"data:image/png;base64,')
    assert adapter.validate_json(text) == PLAIN
    schema = adapter.json_schema()
    assert schema == {"type": "string", "contentMediaType": "image/*", "contentEncoding": "base64"}
    assert TypeAdapter(AgentText).json_schema() == {"type": "string"}


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "TIFF", "BMP"])
def test_damaged_files_give_a_picture_or_a_media_error(kind):
    rng = np.random.default_rng(7)
    whole = encoded(PLAIN.resize((48, 36)), kind)
    for attempt in range(170):
        data = bytearray(whole)
        if attempt % 2:
            del data[int(rng.integers(1, len(data))) :]
        else:
            for at in rng.integers(0, len(data), 6):
                data[at] ^= 1 << int(rng.integers(0, 8))
        try:
            AgentImage(bytes(data)).load()
        except MediaError:
            continue


def test_private_addresses_are_not_fetched():
    with pytest.raises(MediaError, match="allow_private"):
        AgentImage.from_url("http://127.0.0.1:1/x.png")
    with pytest.raises(MediaError, match="only http"):
        AgentImage.from_url("file:///etc/passwd")
    data = encoded(PLAIN)
    got = AgentImage.from_url("http://127.0.0.1/x", allow_private=True, fetcher=lambda url: data)
    assert got == PLAIN


def _exif(turn: int, size: int = 0) -> bytes:
    record = Image.Exif()
    record[0x0112], record[0x010E] = turn, "x" * size
    return record.tobytes()


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"dpi": (300, 300)},
        {"progressive": True, "quality": 95},
        {"exif": _exif(1)},
        {"exif": _exif(6)},
        {"exif": _exif(6, 30_000)},
        {"icc_profile": bytes(40_000)},
        {"comment": "made by hand"},
    ],
    ids=lambda options: ",".join(options) or "plain",
)
@pytest.mark.parametrize("mode", ["RGB", "L", "CMYK"])
def test_the_header_of_a_jpeg_says_what_pillow_says(options, mode, tmp_path):
    path = tmp_path / "a.jpg"
    Image.new("RGB", (60, 40), "teal").convert(mode).save(path, "JPEG", **options)
    mine, plain = AgentImage(path), Image.open(path)
    turned = plain.getexif().get(0x0112, 1) >= 5
    assert mine.size == (plain.size[::-1] if turned else plain.size)
    assert (mine.mode, mine.format) == (plain.mode, plain.format)
    assert mine.info.keys() - {"exif"} == plain.info.keys() - {"exif"}
    assert mine.to_raw().tobytes() == ImageOps.exif_transpose(plain).tobytes()


def test_a_file_of_several_jpegs_says_so(tmp_path):
    path = tmp_path / "pair.mpo"
    left, right = (Image.new("RGB", (8, 8), colour) for colour in ("red", "blue"))
    left.save(path, "MPO", save_all=True, append_images=[right])
    assert AgentImage(path).n_frames == 2


@pytest.mark.parametrize("kept", [0.2, 0.5, 0.99])
def test_a_jpeg_cut_short_fails_when_it_is_made(kept, tmp_path):
    path = tmp_path / "cut.jpg"
    noise = Image.effect_noise((300, 300), 80)
    noise.save(path, "JPEG")
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * kept)])
    with pytest.raises(MediaError, match="truncated"):
        AgentImage(path)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "GIF", "WEBP", "TIFF", "BMP", "PPM", "TGA", "SGI"])
def test_a_picture_cut_short_fails_when_it_is_made_whatever_its_format(kind):
    noise = Image.effect_noise((64, 64), 80).convert("RGB")
    data = encoded(noise, kind)
    assert AgentImage(data).size == (64, 64)
    with pytest.raises(MediaError, match=r"truncated|broken"):
        AgentImage(data[: len(data) * 2 // 3])


@pytest.mark.parametrize("kind", ["PPM", "TGA", "SGI", "JPEG2000", "ICNS", "PCX"])
def test_rare_formats_have_a_media_type_and_are_shown_as_png(kind):
    image = AgentImage(encoded(Image.new("RGB", (64, 64), "teal"), kind))
    assert image.mime_type.startswith("image/")
    assert image.mime_type != "image/unknown"
    assert shown_picture(image).convert("RGB").getpixel((5, 5)) == (0, 128, 128)


def test_arrays_of_foreign_byte_order_are_read_as_they_are_meant():
    given = (np.arange(64).reshape(8, 8) * 1000).astype(">u2")
    np.testing.assert_array_equal(np.asarray(AgentImage(given)), given)
