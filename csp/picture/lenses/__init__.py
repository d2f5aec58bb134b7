"""Ways to see the same step: what joins the vertices, and what shows only at work. A lens is a file and a line here."""

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
"""The table of lenses: the name of each, which is that of its file, and what it shows."""


def lens_of(name: str) -> LensChoice:
    """A lens by its name."""
    kind: LensChoice = import_module(f".{name}", __name__).LENS
    return kind
