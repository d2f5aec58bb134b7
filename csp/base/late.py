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
        return import_late(f"{package}.{places[name]}", name)

    return import_name


def import_late(module: str, name: str) -> Any:
    """Import a module and return one of its names.

    A method that shows its object calls it, such as ``_repr_svg_``: the package that draws imports the object's class.

    Examples
    --------
    >>> import_late("csp.model", "Model").__name__
    'Model'
    """
    return getattr(import_module(module), name)
