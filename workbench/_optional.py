"""Packages that are extras: imported when used, and named clearly when missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from workbench.errors import MissingExtra

__all__ = ["require"]


def require(module: str, *, extra: str, feature: str) -> Any:
    """Import an optional module, or say what needs it and how to install it.

    Parameters
    ----------
    module : str
        Dotted name of the module.
    extra : str
        The extra of this distribution that brings it.
    feature : str
        What was asked for, as a noun: "opening JupyterLab".

    Raises
    ------
    MissingExtra
        If the module, or something it needs, is not installed.

    Examples
    --------
    >>> require("json", extra="lab", feature="an example").dumps([1])
    '[1]'
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"{feature} needs the package {module.partition('.')[0]!r}, which could not be "
            f"imported ({error}). Install it with:  pip install 'tool-workbench[{extra}]'"
        ) from error
