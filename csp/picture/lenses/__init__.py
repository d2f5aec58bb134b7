"""The lenses (ways to draw constraints), one file and one table entry each.

``lens.py`` has the types of a lens, to read before adding one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .lens import LensChoice

LENSES = ("grid", "clique", "factor")
"""The names of the lenses, which are the names of their files: the state only, with edges, with constraints."""


def lens_of(name: str) -> LensChoice:
    """Return the table entry of a lens (a way to draw constraints) by its name."""
    choice: LensChoice = import_module(f".{name}", __name__).LENS
    return choice
