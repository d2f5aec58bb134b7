"""Lazy import of the names in a package, so that programs start fast."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a package that imports each name on first use.

    ``places``: for each name the module of the package that defines it.

    Examples
    --------
    >>> late("csp", {"Model": "model"})("Model").__name__
    'Model'
    """

    def import_name(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f".{places[name]}", package), name)

    return import_name
