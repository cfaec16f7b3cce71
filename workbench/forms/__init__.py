"""Forms: a pure model of what is entered, and two faces for it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from workbench.forms.model import Field, FormModel

if TYPE_CHECKING:
    from workbench.forms.form import Form

__all__ = ["Field", "Form", "FormModel"]


def __getattr__(name: str) -> Any:
    if name == "Form":
        from workbench.forms.form import Form

        return Form
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
