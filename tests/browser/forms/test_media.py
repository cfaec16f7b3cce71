"""What is made in the page: a picture of the camera, a part or a mask of one, a recording, its ends cut."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
import soundfile
from PIL import Image

PICTURE = {"properties": {"image": {"type": "string", "contentMediaType": "image/*", "contentEncoding": "base64"}}}  # fmt: skip
SOUND = {"properties": {"sound": {"type": "string", "contentMediaType": "audio/*", "contentEncoding": "base64"}}}  # fmt: skip
RATE_HZ = 24_000


def png(width: int = 400, height: int = 200) -> dict:
    """A file whose left half is red and whose right half is blue."""
    picture = Image.new("RGB", (width, height), "red")
    picture.paste("blue", (width // 2, 0, width, height))
    file = io.BytesIO()
    picture.save(file, "PNG")
    return {"name": "halves.png", "mimeType": "image/png", "buffer": file.getvalue()}


def wav(seconds: float = 2.0) -> dict:
    """A file that is quiet in its first half and loud in its second."""
    time = np.arange(int(RATE_HZ * seconds)) / RATE_HZ
    samples = np.sin(2 * np.pi * 440 * time) * np.where(time < seconds / 2, 0.1, 0.8)
    file = io.BytesIO()
    soundfile.write(file, samples, RATE_HZ, format="WAV")
    return {"name": "tone.wav", "mimeType": "audio/wav", "buffer": file.getvalue()}


def entered(page, name: str, besides: object = None) -> bytes:
    """The bytes that the form holds, once they are others than those given."""
    value = page.wait(lambda form: form.value.get(name) not in (None, besides))
    return base64.b64decode(value[name])


@pytest.fixture
def picture_form(open_form):
    page = open_form(PICTURE)
    page.body.locator("input[type=file]").set_input_files(png())
    entered(page, "image")
    page.body.get_by_role("button", name="Crop or mask").click()
    page.body.locator("canvas").wait_for()
    yield page, page.form.value["image"]
    assert page.errors == []


def press(page, name: str) -> None:
    page.body.get_by_role("button", name=name, exact=True).click()


def drag(page, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Drag over the canvas; places are parts of its width and height."""
    canvas = page.body.locator("canvas")
    canvas.scroll_into_view_if_needed()
    box = canvas.bounding_box()
    points = [(box["x"] + x * box["width"], box["y"] + y * box["height"]) for x, y in (start, end)]
    mouse = page.page.mouse
    mouse.move(*points[0])
    mouse.down()
    mouse.move(*points[1], steps=4)
    mouse.up()


def image_of(data: bytes) -> Image.Image:
    return Image.open(io.BytesIO(data))


def test_a_part_chosen_by_numbers_is_exact(picture_form, pictures):
    page, given = picture_form
    for side, pixels in (("left", 150), ("top", 20), ("width", 100), ("height", 50)):
        page.body.get_by_label(f"{side} in pixels").fill(str(pixels))
    page.screenshot("form-crop", pictures)
    press(page, "Use the part")
    cut = image_of(entered(page, "image", given)).convert("RGB")
    assert cut.size == (100, 50)
    assert cut.getpixel((49, 10)) == (255, 0, 0)
    assert cut.getpixel((50, 10)) == (0, 0, 255)
    shown = page.body.locator(".wb-preview img")
    shown.evaluate("e => e.decode()")
    assert shown.evaluate("e => [e.naturalWidth, e.naturalHeight]") == [100, 50]


def test_a_part_is_chosen_by_dragging(picture_form):
    page, given = picture_form
    drag(page, (0.5, 0.25), (0.9, 0.75))
    press(page, "Use the part")
    cut = image_of(entered(page, "image", given)).convert("RGB")
    assert cut.size == pytest.approx((160, 100), abs=4)
    assert cut.getpixel((cut.width // 2, 50)) == (0, 0, 255)


@pytest.mark.parametrize("use", ["Use with the hole", "Use the mask alone"])
def test_what_is_painted_is_the_mask(picture_form, pictures, use):
    page, given = picture_form
    press(page, "Mask")
    page.body.get_by_label("width of the brush").fill("40")
    drag(page, (0.2, 0.5), (0.4, 0.5))
    page.screenshot("form-mask", pictures)
    press(page, use)
    made = image_of(entered(page, "image", given))
    assert made.size == (400, 200)
    inside, outside = (120, 100), (120, 10)
    if use == "Use with the hole":
        assert (made.getpixel(inside)[3], made.getpixel(outside)) == (0, (255, 0, 0, 255))
    else:
        assert made.convert("L").getpixel(inside) == 255
        assert made.convert("L").getpixel(outside) == 0


def test_a_wiped_or_empty_mask_is_not_used(picture_form):
    page, given = picture_form
    press(page, "Mask")
    drag(page, (0.2, 0.5), (0.4, 0.5))
    press(page, "Wipe")
    press(page, "Use the mask alone")
    press(page, "Close")
    assert not page.body.locator("canvas").count()
    assert page.form.value["image"] == given


def test_the_camera_gives_a_picture_and_is_let_go(open_form, pictures):
    page = open_form(PICTURE)
    page.page.evaluate(
        """() => { const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
        navigator.mediaDevices.getUserMedia = async (what) => window.given = await ask(what); }"""
    )
    press(page, "Camera")
    page.body.locator("button:not([disabled])", has_text="Take the picture").wait_for()
    page.screenshot("form-camera", pictures)
    press(page, "Take the picture")
    taken = image_of(entered(page, "image"))
    assert taken.format == "PNG"
    assert min(taken.size) > 100
    assert page.page.evaluate("given.getTracks().map((t) => t.readyState)") == ["ended"]
    assert page.errors == []


def test_without_a_camera_the_page_says_so(open_form):
    page = open_form(PICTURE)
    page.page.evaluate(
        "() => { navigator.mediaDevices.getUserMedia = async () => { throw Error('it is in use'); }; }"
    )
    press(page, "Camera")
    page.body.get_by_text("no camera: it is in use").wait_for()
    press(page, "Close")
    assert page.form.value == {}


def test_the_ends_of_a_sound_are_cut_and_its_level_stays(open_form, pictures):
    page = open_form(SOUND)
    page.body.locator("input[type=file]").set_input_files(wav())
    entered(page, "sound")
    given = page.form.value["sound"]
    press(page, "Trim")
    page.body.get_by_label("start of the sound").fill(str(RATE_HZ))
    page.body.get_by_text("1.00 s of 2.00 s").wait_for()
    page.screenshot("form-trim", pictures)
    press(page, "Use it")
    samples, rate = soundfile.read(io.BytesIO(entered(page, "sound", given)))
    assert (rate, len(samples)) == (RATE_HZ, RATE_HZ)
    assert np.abs(samples).max() == pytest.approx(0.8, abs=0.02)
    assert page.errors == []


def test_a_recording_is_sound_and_the_microphone_is_let_go(open_form):
    page = open_form(SOUND)
    page.page.evaluate(
        """() => { const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
        navigator.mediaDevices.getUserMedia = async (what) => window.given = await ask(what); }"""
    )
    press(page, "Record")
    page.body.get_by_text("recording 1.").wait_for()
    press(page, "Stop")
    press(page, "Use it")
    samples, rate = soundfile.read(io.BytesIO(entered(page, "sound")))
    assert len(samples) / rate > 0.5
    assert page.page.evaluate("given.getTracks().map((t) => t.readyState)") == ["ended"]
    assert page.errors == []
