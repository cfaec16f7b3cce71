"""What authors say about a parameter's control: ``Annotated[str, Multiline()]``.

A hint goes into the parameter's schema as ``x-workbench``, where nothing else looks at it; it
never changes what is sent or what is valid.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

from workbench.forms.choosing import HINT
from workbench.forms.shape import Choice, label

__all__ = ["Choices", "FilePath", "Hint", "Multiline", "Secret", "Slider", "offered"]


class Hint:
    """A wish for a control; see its subclasses.

    Examples
    --------
    >>> Multiline().said
    {'control': 'lines'}
    """

    control: ClassVar[str] = ""

    @property
    def said(self) -> dict[str, Any]:
        """What stands under ``x-workbench``."""
        return {"control": self.control}

    def __get_pydantic_json_schema__(self, core: Any, handler: Any) -> dict[str, Any]:
        return {**handler(core), HINT: self.said}

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class Multiline(Hint):
    """Text of several lines; the box grows with it.

    Examples
    --------
    >>> from typing import Annotated
    >>> from workbench import tool
    >>> def note(text: Annotated[str, Multiline()]) -> None: ...
    >>> tool(note).input_schema["properties"]["text"]["x-workbench"]
    {'control': 'lines'}
    """

    control = "lines"


class Secret(Hint):
    """Text that is not to be seen: masked, in no view, no history and no saved notebook.

    Examples
    --------
    >>> Secret().said
    {'control': 'secret', 'secret': True}
    """

    control = "secret"

    @property
    def said(self) -> dict[str, Any]:
        """What stands under ``x-workbench``."""
        return {"control": self.control, "secret": True}


class Slider(Hint):
    """A slider beside a number.

    Parameters
    ----------
    minimum, maximum : float, optional
        Its ends; those of the schema where they are not given. Numbers outside can be typed, if
        the schema allows them.
    step : float, optional
        How far it moves.

    Examples
    --------
    >>> Slider(0, 1, step=0.05).said
    {'control': 'slider', 'minimum': 0, 'maximum': 1, 'step': 0.05}
    """

    control = "slider"

    def __init__(
        self,
        minimum: float | None = None,
        maximum: float | None = None,
        *,
        step: float | None = None,
    ) -> None:
        self.minimum, self.maximum, self.step = minimum, maximum, step

    @property
    def said(self) -> dict[str, Any]:
        """What stands under ``x-workbench``."""
        ends = {"minimum": self.minimum, "maximum": self.maximum, "step": self.step}
        return {"control": self.control, **{k: v for k, v in ends.items() if v is not None}}


class FilePath(Hint):
    """The path of a file on the machine of the kernel, with its folders' entries to choose from.

    A file that is dropped into the field is put into a temporary folder there, and its path is
    entered.

    Examples
    --------
    >>> FilePath().said
    {'control': 'path'}
    """

    control = "path"


class Choices(Hint):
    """Values to choose from, asked for whenever the list is opened; others can be typed.

    Parameters
    ----------
    source : callable or iterable
        Gives the values, or a mapping of what people read to the values.

    Examples
    --------
    >>> choices = Choices(lambda: {"small": 1, "large": 100})
    >>> [choice.label for choice in choices.now()]
    ['small', 'large']
    """

    control = "choices"
    _known: ClassVar[weakref.WeakValueDictionary[str, Choices]] = weakref.WeakValueDictionary()

    def __init__(self, source: Callable[[], Iterable[Any]] | Iterable[Any]) -> None:
        self.source = source
        name = getattr(source, "__qualname__", type(source).__name__)
        self.key = f"{getattr(source, '__module__', '')}.{name}#{id(self):x}"
        self._known[self.key] = self

    @property
    def said(self) -> dict[str, Any]:
        """What stands under ``x-workbench``: a name of this object, that this process knows."""
        return {"control": self.control, "choices": self.key}

    def now(self) -> tuple[Choice, ...]:
        """What there is to choose from at this moment."""
        return _choices(self.source() if callable(self.source) else self.source)

    @classmethod
    def named(cls, key: str) -> Choices | None:
        """The object of that name, if it is of this process and still there."""
        return cls._known.get(key)


def _choices(given: Iterable[Any]) -> tuple[Choice, ...]:
    if isinstance(given, Mapping):
        return tuple(Choice(value=value, label=str(name)) for name, value in given.items())
    return tuple(Choice(value=value, label=label(value)) for value in given)


def offered(said: Mapping[str, Any]) -> tuple[Choice, ...] | None:
    """What a schema's ``x-workbench`` offers now; None if nobody here knows.

    Examples
    --------
    >>> offered({"choices": ["a", "b"]})[1].value
    'b'
    """
    source = said.get("choices")
    if isinstance(source, str):
        known = Choices.named(source)
        return None if known is None else known.now()
    return _choices(source) if isinstance(source, (list, Mapping)) else None
