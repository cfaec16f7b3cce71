"""Forms: a pure model of what is entered, and two faces for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.forms.explaining import Explained
from workbench.forms.fields import Field
from workbench.forms.hints import Choices, FilePath, Hint, Multiline, Secret, Slider
from workbench.forms.model import FormModel

if TYPE_CHECKING:
    from workbench.forms.form import Form

__all__ = [
    "Choices",
    "Explained",
    "Field",
    "FilePath",
    "Form",
    "FormModel",
    "Hint",
    "Multiline",
    "Secret",
    "Slider",
]


def __getattr__(name: str) -> Any:
    if name == "Form":
        from workbench.forms.form import Form

        return Form
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
