"""Imports on first use: programs start fast, and data can be drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any


def late(package: str, places: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a ``__getattr__`` for a package that imports each name on first use.

    ``places``: for each name the module of the package that defines it; empty if the name is a module itself.

    Examples
    --------
    >>> late("csp", {"Model": "model"})("Model").__name__
    'Model'
    """

    def import_name(name: str) -> Any:
        if name not in places:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(f".{places[name] or name}", package)
        return getattr(module, name) if places[name] else module

    return import_name


def late_method(module: str, function: str) -> Callable[[Any], Any]:
    """Return a method that calls a function, which is imported on first use.

    ``module``: the module of ``csp`` that defines the function.

    Examples
    --------
    >>> type("Solved", (), {"__str__": late_method("base.notation", "listed")}).__str__([1, 2])
    '1, 2'
    """

    def method(self: Any) -> Any:
        return getattr(import_module(f"csp.{module}"), function)(self)

    return method
