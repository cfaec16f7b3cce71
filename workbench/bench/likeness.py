"""Whether two results are alike: text and data exactly, pictures and sounds within a tolerance."""

from __future__ import annotations

import difflib
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

from workbench.bench.portable import Folder, write_value
from workbench.errors import bounded_repr
from workbench.tools.content import Resource, ResourceLink
from workbench.tools.result import ToolResult
from workbench.types import AgentAudio, AgentImage, AgentVideo

__all__ = ["Tolerance", "differences"]

_SIDE = 256
"""Pictures are compared at this size at most; what is smaller than a pixel there is no change."""
_MOST_LINES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Tolerance:
    """How far two results may be apart and still be alike.

    Parameters
    ----------
    picture : float
        Mean difference of the channels' values, of 255. Encoding as JPEG makes about 1.
    sound : float
        Mean difference of the samples, which are in [-1, 1].
    seconds : float
        Difference of the lengths of two sounds.
    number : float
        Relative difference of two numbers in structured data.

    Examples
    --------
    >>> Tolerance(picture=0).picture
    0
    """

    picture: float = 2.0
    sound: float = 0.01
    seconds: float = 0.05
    number: float = 1e-9


def differences(
    found: ToolResult, expected: ToolResult, tolerance: Tolerance | None = None
) -> list[str]:
    r"""What differs between two results, one line or one diff each; empty when they are alike.

    Examples
    --------
    >>> differences(ToolResult(["a"]), ToolResult(["b"]))
    ['block 1 differs:\n--- expected\n+++ found\n@@ -1 +1 @@\n-b\n+a']
    """
    allowed = tolerance or Tolerance()
    if found.is_error != expected.is_error:
        words = {True: "failed", False: "succeeded"}
        return [
            f"it {words[found.is_error]}, where it {words[expected.is_error]} before: {found.text}"
        ]
    return [*_blocks(found, expected, allowed), *_structured(found, expected, allowed)]


def _blocks(found: ToolResult, expected: ToolResult, allowed: Tolerance) -> Iterator[str]:
    pairs = zip_longest(found.content, expected.content)
    for number, (one, two) in enumerate(pairs, 1):
        for said in _values(_inner(one), _inner(two), allowed):
            yield f"block {number} {said}"


def _structured(found: ToolResult, expected: ToolResult, allowed: Tolerance) -> Iterator[str]:
    for said in _data(found.structured_content, expected.structured_content, "", allowed):
        yield f"structured content: {said}"


def _inner(block: Any) -> Any:
    return block.value if isinstance(block, Resource) else block


def _values(found: Any, expected: Any, allowed: Tolerance) -> Iterator[str]:
    for kind, compare in _KINDS:
        if isinstance(expected, kind) or isinstance(found, kind):
            if isinstance(expected, kind) and isinstance(found, kind):
                yield from compare(found, expected, allowed)
            else:
                yield f"is {_brief(found)}, and was {_brief(expected)}"
            return
    one, two = (write_value(value, Folder.nowhere()) for value in (found, expected))
    yield from (f"differs: {said}" for said in _data(one, two, "", allowed))


def _brief(value: Any) -> str:
    return "missing" if value is None else bounded_repr(value, 80)


def _texts(found: str, expected: str, allowed: Tolerance) -> Iterator[str]:
    if found == expected:
        return
    lines = difflib.unified_diff(
        expected.splitlines(), found.splitlines(), "expected", "found", lineterm=""
    )
    shown = list(lines)
    more = len(shown) - _MOST_LINES
    rest = [f"... {more} more lines"] if more > 0 else []
    yield "differs:\n" + "\n".join([*shown[:_MOST_LINES], *rest])


def _pictures(found: AgentImage, expected: AgentImage, allowed: Tolerance) -> Iterator[str]:
    if found.size != expected.size:
        had = f"{expected.width} x {expected.height}"
        yield f"has {found.width} x {found.height} pixels, and had {had}"
        return
    one, two = _pixels(found), _pixels(expected)
    apart = sum(abs(a - b) for a, b in zip(one, two, strict=True)) / max(1, len(one))
    if apart > allowed.picture:
        yield f"looks different: {apart:.2f} of 255 apart, where {allowed.picture} is allowed"


def _pixels(picture: AgentImage) -> bytes:
    copy = picture.convert("RGBA")
    copy.thumbnail((_SIDE, _SIDE))
    return bytes(copy.tobytes())


def _sounds(found: AgentAudio, expected: AgentAudio, allowed: Tolerance) -> Iterator[str]:
    if abs(found.duration_s - expected.duration_s) > allowed.seconds:
        yield f"lasts {found.duration_s:.2f} s, and lasted {expected.duration_s:.2f} s"
    elif (found.samplerate, found.channels) != (expected.samplerate, expected.channels):
        yield f"is {found!r}, and was {expected!r}"
    else:
        frames = min(len(found), len(expected))
        apart = float(abs(found[:frames] - expected[:frames]).mean()) if frames else 0.0
        if apart > allowed.sound:
            yield f"sounds different: {apart:.4f} apart, where {allowed.sound} is allowed"


def _videos(found: AgentVideo, expected: AgentVideo, allowed: Tolerance) -> Iterator[str]:
    if found != expected:
        yield f"is another video: {found!r}, and was {expected!r}"


def _links(found: ResourceLink, expected: ResourceLink, allowed: Tolerance) -> Iterator[str]:
    if found.uri != expected.uri:
        yield f"leads to {found.uri!r}, and led to {expected.uri!r}"


_Compare = Callable[[Any, Any, Tolerance], Iterator[str]]
_KINDS: tuple[tuple[type, _Compare], ...] = (
    (str, _texts),
    (AgentImage, _pictures),
    (AgentAudio, _sounds),
    (AgentVideo, _videos),
    (ResourceLink, _links),
)


def _data(found: Any, expected: Any, where: str, allowed: Tolerance) -> Iterator[str]:
    """Where two JSON values differ, at most a few places."""
    if isinstance(found, Mapping) and isinstance(expected, Mapping):
        for name in dict.fromkeys([*expected, *found]):
            pair = found.get(name, _ABSENT), expected.get(name, _ABSENT)
            yield from _data(*pair, f"{where}.{name}" if where else str(name), allowed)
    elif isinstance(found, list) and isinstance(expected, list):
        for at, pair in enumerate(zip_longest(found, expected, fillvalue=_ABSENT)):
            yield from _data(*pair, f"{where}[{at}]", allowed)
    elif not _is_close(found, expected, allowed):
        was = bounded_repr(expected, 60)
        yield f"{where or 'value'} is {bounded_repr(found, 60)}, and was {was}"


class _Absent:
    def __repr__(self) -> str:
        return "missing"


_ABSENT = _Absent()


def _is_close(found: Any, expected: Any, allowed: Tolerance) -> bool:
    numbers = all(type(value) in (int, float) for value in (found, expected))
    if numbers:
        return math.isclose(found, expected, rel_tol=allowed.number)
    return type(found) is type(expected) and bool(found == expected)
