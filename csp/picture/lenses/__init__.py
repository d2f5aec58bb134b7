"""The lenses (ways to draw constraints), one file and one table entry each.

``lens.py`` has the types of a lens, to read before adding one.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .lens import LensChoice

LENSES = {
    "grid": "the state alone",
    "clique": "edges between variables",
    "factor": "constraints",
}
"""The table of lenses: the name of each, which is the name of its file, and its content."""


def lens_of(name: str) -> LensChoice:
    """Return the lens with a name."""
    choice: LensChoice = import_module(f".{name}", __name__).LENS
    return choice
