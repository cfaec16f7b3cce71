r"""Text that commands nothing: what would steer a terminal or turn a line round is spelled out."""

from __future__ import annotations

import re

__all__ = ["visible"]

# All controls but tab and line feed, and what overrides or isolates direction (Unicode UAX #9).
_ACTIVE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def visible(text: str) -> str:
    r"""The text with each active character as its escape; a return before a line feed goes.

    Examples
    --------
    >>> print(visible("\x1b[2Jgone\r\n\u202e"))
    \x1b[2Jgone
    \u202e
    """
    if text.isprintable():
        return text
    return _ACTIVE.sub(_escape, text.replace("\r\n", "\n"))


def _escape(found: re.Match[str]) -> str:
    return found[0].encode("unicode_escape").decode()
