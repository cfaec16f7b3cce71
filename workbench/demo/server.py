"""The demo server: one tool for each kind of result and each thing a call can do."""

from __future__ import annotations

import base64
import io
from typing import Annotated, Any, Literal

import anyio
from pydantic import BaseModel, Field

from workbench.demo.sdk import Context, Server, ToolFailure, asked, block, hints

__all__ = ["server"]

server = Server("workbench demo")
_READ = hints(readOnlyHint=True)


@server.tool(title="Greet", annotations=_READ)
def greet(
    name: Annotated[str, Field(description="Who is greeted")],
    language: Annotated[
        Literal["English", "한국어", "Français"], Field(description="In which language")
    ] = "English",
    loud: Annotated[bool, Field(description="In capitals")] = False,
) -> str:
    """Say hello to somebody."""
    words = {"English": "Hello", "한국어": "안녕하세요", "Français": "Bonjour"}
    text = f"{words[language]}, {name}!"
    return text.upper() if loud else text


def _png(picture: Any) -> str:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=90)
    return base64.b64encode(file.getvalue()).decode("ascii")


@server.tool(title="Draw a landscape", annotations=_READ, structured_output=False)
def picture(
    width: Annotated[int, Field(ge=64, le=2000, description="Pixels")] = 640,
    height: Annotated[int, Field(ge=64, le=1500, description="Pixels")] = 400,
    light: Annotated[
        Literal["dawn", "noon", "dusk", "night"], Field(description="Time of day")
    ] = "dusk",
    seed: Annotated[int, Field(ge=0, le=100, description="Another one, another landscape")] = 7,
) -> Any:
    """Draw mountains over a lake, as a JPEG picture."""
    from workbench.demo.pictures import landscape

    drawn = landscape(width, height, light, seed)
    return [block("image", data=_png(drawn), mimeType="image/jpeg")]


@server.tool(title="Play a melody", annotations=_READ, structured_output=False)
def melody(
    root_hz: Annotated[float, Field(ge=55, le=880, description="Lowest note, in Hz")] = 220.0,
    mode: Annotated[Literal["major", "minor"], Field(description="Which chord")] = "major",
) -> Any:
    """Play the notes of a chord, as WAV sound."""
    import soundfile

    from workbench.demo.sounds import melody as played

    file = io.BytesIO()
    soundfile.write(file, played(root_hz, mode), 22_050, format="WAV", subtype="PCM_16")
    data = base64.b64encode(file.getvalue()).decode("ascii")
    return [block("audio", data=data, mimeType="audio/wav")]


@server.tool(title="Describe a picture", annotations=_READ, structured_output=False)
def describe(light: Literal["dawn", "noon", "dusk", "night"] = "dawn") -> Any:
    """Give several blocks: a text, a picture, and a text about it."""
    from workbench.demo.pictures import landscape

    drawn = landscape(480, 300, light)
    mean = tuple(round(sum(band) / len(band)) for band in zip(*_some_pixels(drawn), strict=True))
    return [
        block("text", text=f"Mountains at {light}:"),
        block("image", data=_png(drawn), mimeType="image/jpeg"),
        block("text", text=f"480 × 300 pixels, on average RGB {mean}."),
    ]


def _some_pixels(drawn: Any) -> list[tuple[int, ...]]:
    return [drawn.getpixel((x, y)) for x in range(0, 480, 24) for y in range(0, 300, 20)]


class Weather(BaseModel):
    """One day."""

    day: str
    low_c: float
    high_c: float
    rain_mm: float
    sky: str


@server.tool(title="Weather table", annotations=_READ)
def weather_table(
    city: Annotated[str, Field(description="Any name")] = "Seoul",
    days: Annotated[int, Field(ge=1, le=14, description="How many days")] = 5,
) -> list[Weather]:
    """Invent the weather of the coming days, as a structured table."""
    import random

    rng = random.Random(city)  # noqa: S311  # an invented forecast
    names = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    return [
        Weather(
            day=names[day % 7],
            low_c=round(rng.uniform(-4, 12), 1),
            high_c=round(rng.uniform(12, 28), 1),
            rain_mm=round(max(0.0, rng.gauss(1, 4)), 1),
            sky=rng.choice(["clear", "cloudy", "rain", "fog"]),
        )
        for day in range(days)
    ]


@server.resource("demo://report", mime_type="text/markdown")
def report() -> str:
    """A short report."""
    return "# Report\n\nAll tools are in order."


@server.tool(title="Link to a report", annotations=_READ, structured_output=False)
def report_link() -> Any:
    """Give a link to a resource, which is read on demand."""
    link = {"uri": "demo://report", "name": "report", "mimeType": "text/markdown"}
    return [
        block("text", text="The report is here:"),
        block("resource_link", description="How the tools are", **link),
    ]


@server.prompt()
def explain(topic: str) -> str:
    """Ask for an explanation."""
    return f"Explain {topic} in two sentences."


@server.tool(title="Count down", annotations=_READ)
async def countdown(
    context: Context,
    steps: Annotated[int, Field(ge=1, le=100, description="How many")] = 10,
    pause_s: Annotated[float, Field(ge=0, le=5, description="Seconds between them")] = 0.2,
) -> str:
    """Count, reporting progress at each step."""
    for step in range(steps):
        await context.report_progress(step, steps, f"{steps - step} to go")
        await anyio.sleep(pause_s)
    await context.report_progress(steps, steps, "done")
    return f"counted {steps} steps"


@server.tool(title="Take long", annotations=_READ)
async def slow(
    seconds: Annotated[float, Field(ge=0, le=600, description="How long")] = 30.0,
) -> str:
    """Sleep, so that there is something to cancel."""
    await anyio.sleep(seconds)
    return f"slept {seconds:g} s"


@server.tool(title="Fail", annotations=hints(destructiveHint=True))
def broken(
    reason: Annotated[str, Field(description="What it will say")] = "the printer is on fire",
) -> str:
    """Fail, always."""
    raise ToolFailure(f"It did not work: {reason}")


class Booking(BaseModel):
    """What is needed to book a table."""

    date: str = Field(description="Which day", json_schema_extra={"format": "date"})
    people: int = Field(default=2, ge=1, le=12, description="How many")
    outside: bool = Field(default=False, description="In the garden")


def _booked(answer: Booking) -> str:
    where = "in the garden" if answer.outside else "inside"
    return f"Booked for {answer.people} on {answer.date}, {where}."


server.tool(
    name="book_table",
    title="Book a table",
    description="Ask the person for what it needs, then book.",
    annotations=hints(destructiveHint=False, openWorldHint=False),
)(asked("When, and for how many?", Booking, _booked))
