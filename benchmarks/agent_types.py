"""What agent types cost, as ratios to a floor or a peer measured in the same run.

``python benchmarks/types.py`` prints a table; ``--check`` exits with 1 if a bound is broken.
Rounds of ours and of the floor alternate, and medians are compared, so that a busy machine slows
both. Peers: ``IPython.display``, and smolagents where it is installed.
"""

from __future__ import annotations

import base64
import io
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import soundfile
from PIL import Image

from workbench import AgentAudio, AgentImage
from workbench.demo.pictures import landscape

Work = Callable[[], object]


def ratio(ours: Work, floor: Work, rounds: int = 15) -> tuple[float, float, float]:
    """Median seconds of ours and of the floor, and the median ratio of neighbouring rounds."""
    times = max(1, round(0.005 / timed(floor)))
    pairs = [(timed(ours, times), timed(floor, times)) for _ in range(rounds)]
    mine, others = (statistics.median(column) for column in zip(*pairs, strict=True))
    return mine, others, statistics.median(a / b for a, b in pairs)


def timed(work: Work, times: int = 1) -> float:
    """Seconds of one call, of several in a row."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return (time.perf_counter() - start) / times


def encoded(picture: Image.Image, kind: str, **options: object) -> bytes:
    file = io.BytesIO()
    picture.save(file, kind, **options)
    return file.getvalue()


def wav(samples: np.ndarray) -> bytes:
    file = io.BytesIO()
    soundfile.write(file, samples, 44_100, format="WAV", subtype="PCM_16")
    return file.getvalue()


def cases(folder: Path) -> list[tuple[str, Work, Work, float]]:
    photo = landscape(1024, 1024)
    jpeg = encoded(landscape(3000, 2000), "JPEG", quality=92)
    large = folder / "large.jpg"
    large.write_bytes(encoded(landscape(1500, 1000).resize((6000, 4000)), "JPEG", quality=92))
    clip = np.sin(np.arange(441_000) / 20).astype(np.float32)
    hour = folder / "hour.flac"
    with soundfile.SoundFile(hour, "w", 16_000, 1, format="FLAC") as file:
        for _ in range(60):
            file.write(np.zeros(16_000 * 60, np.float32))
    shown = AgentImage(photo).shown()
    kind, options = (
        ("PNG", {"compress_level": 1}) if shown.mime == "image/png" else ("JPEG", {"quality": 90})
    )
    return [
        ("JPEG bytes to bundle / base64", lambda: AgentImage(jpeg)._repr_mimebundle_(),
         lambda: base64.b64encode(jpeg).decode("ascii"), 1.3),
        (f"1024 x 1024 RGB to bundle / Pillow {kind}", lambda: AgentImage(photo)._repr_mimebundle_(),
         lambda: _floor(photo, kind, options), 1.2),
        ("10 s of sound to bundle / soundfile WAV", lambda: AgentAudio(clip, 44_100)._repr_mimebundle_(),
         lambda: wav(clip), 1.5),
        ("size of a 24 MP JPEG / Image.open", lambda: AgentImage(large).size, lambda: _size(large), 1.2),
        ("duration of an hour of FLAC / soundfile.info", lambda: AgentAudio(hour).duration_s,
         lambda: soundfile.info(hour).duration, 3.0),
    ]  # fmt: skip


def _floor(photo: Image.Image, kind: str, options: dict[str, int]) -> object:
    """What Pillow takes for the formats that a bundle tries."""
    if kind == "JPEG":
        encoded(photo, "PNG", compress_level=1)
    return encoded(photo, kind, **options)


def _size(path: Path) -> tuple[int, int]:
    with Image.open(path) as picture:
        return picture.size


def report(name: str, mine: float, other: float, times: float, bound: float | None = None) -> None:
    print(f"{name:<48} {mine * 1e3:9.2f} {other * 1e3:9.2f} {times:7.2f}  {bound or ''}")


def peers() -> None:
    from IPython.display import Audio

    clip = np.sin(np.arange(441_000) / 20).astype(np.float32)
    mine, other, times = ratio(
        lambda: AgentAudio(clip, 44_100)._repr_mimebundle_(),
        lambda: Audio(clip, rate=44_100)._repr_html_(),
    )
    report("10 s of sound / IPython.display.Audio", mine, other, times)

    try:
        from smolagents import AgentImage as Peer
    except ImportError:
        print("smolagents is not installed: no peer column for it")
        return
    photo = landscape(1024, 1024)
    mine, other, times = ratio(
        lambda: AgentImage(photo)._repr_mimebundle_(),
        lambda: Path(Peer(photo).to_string()).read_bytes(),
    )
    report("1024 x 1024 RGB / smolagents AgentImage", mine, other, times)


def main() -> int:
    broken = 0
    print(f"{'case':<48} {'ours ms':>9} {'floor ms':>9} {'ratio':>7}  bound")
    with tempfile.TemporaryDirectory() as folder:
        for name, ours, floor, bound in cases(Path(folder)):
            mine, other, times = ratio(ours, floor)
            broken += times > bound
            report(name, mine, other, times, bound)
    peers()
    return int(broken > 0 and "--check" in sys.argv)


if __name__ == "__main__":
    sys.exit(main())
