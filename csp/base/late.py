"""Names of a package that are imported when they are asked for: a question needs few of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """The ``__getattr__`` of a package, by the module inside it that has each name.

    Examples
    --------
    >>> late("csp", {"Model": "model"})("Model").__name__
    'Model'
    """

    def found(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(f".{places[name]}", package), name)

    return found
