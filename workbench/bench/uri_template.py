"""URI templates (RFC 6570, levels 1 to 3), with which servers name families of resources."""

from __future__ import annotations

import re
from collections.abc import Mapping
from urllib.parse import quote

__all__ = ["expand", "variables"]

_EXPRESSION = re.compile(r"\{([+#./;?&]?)([^{}]*)\}")
_RESERVED = ":/?#[]@!$&'()*+,;="
_FIRST = {"": "", "+": "", "#": "#", ".": ".", "/": "/", ";": ";", "?": "?", "&": "&"}
_BETWEEN = {"": ",", "+": ",", "#": ",", ".": ".", "/": "/", ";": ";", "?": "&", "&": "&"}
_NAMED = (";", "?", "&")


def variables(template: str) -> list[str]:
    """The names that a template leaves open, in order.

    Examples
    --------
    >>> variables("file:///{+path}{?line,column}")
    ['path', 'line', 'column']
    """
    names = (name for _, inside in _EXPRESSION.findall(template) for name in _names(inside))
    return list(dict.fromkeys(names))


def expand(template: str, values: Mapping[str, str]) -> str:
    """The address that a template and values make; what has no value is left out.

    Examples
    --------
    >>> expand("weather://{city}/now{?units,lang}", {"city": "São Paulo", "lang": "pt"})
    'weather://S%C3%A3o%20Paulo/now?lang=pt'
    """
    return _EXPRESSION.sub(lambda found: _expanded(found[1], found[2], values), template)


def _names(inside: str) -> list[str]:
    return [re.sub(r"(\*|:\d+)$", "", name.strip()) for name in inside.split(",") if name.strip()]


def _expanded(operator: str, inside: str, values: Mapping[str, str]) -> str:
    safe = _RESERVED if operator in ("+", "#") else ""
    parts = [
        (f"{name}=" if operator in _NAMED else "") + quote(values[name], safe=safe + "-._~")
        for name in _names(inside)
        if name in values
    ]
    return _FIRST[operator] + _BETWEEN[operator].join(parts) if parts else ""
