"""Distributions that a piece of code needs, by the names under which they are installed."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import lru_cache
from importlib import metadata

__all__ = ["distribution_of", "is_installed", "requirements_of"]


@lru_cache(maxsize=1)
def _distributions() -> dict[str, list[str]]:
    return {name: list(found) for name, found in metadata.packages_distributions().items()}


def distribution_of(module: str) -> str | None:
    """The distribution that brings a top-level module; None for what none brings.

    Examples
    --------
    >>> distribution_of("PIL"), distribution_of("json")
    ('pillow', None)
    """
    if module == "workbench":
        return "tool-workbench"
    found = _distributions().get(module)
    return metadata.metadata(found[0])["Name"] if found else None


def is_installed(module: str) -> bool:
    """Whether a module comes with Python or a distribution, so that another machine can have it."""
    top = module.partition(".")[0]
    return top in sys.stdlib_module_names or distribution_of(top) is not None


def _imported(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def requirements_of(code: str) -> list[str]:
    """What the imports in some code need, with the versions that are here.

    Examples
    --------
    >>> requirements_of("import json")
    []
    """
    names = {distribution_of(top) for top in _imported(code) if top not in sys.stdlib_module_names}
    return sorted(f"{name}=={_version(name)}" for name in names if name is not None)


def _version(distribution: str) -> str:
    if distribution == "tool-workbench":
        return str(sys.modules["workbench"].__version__)
    return metadata.version(distribution)
