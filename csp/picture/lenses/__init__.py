"""Ways to see the same step: what joins the vertices, and what shows only at work. A lens is a file and a name here."""

from __future__ import annotations

from importlib import import_module

from .lens import Kind

LENSES: dict[str, Kind] = {
    name: import_module(f".{name}", __name__).LENS
    for name in (
        "grid",
        "clique",
        "factor",
    )
}
"""The table of lenses, in the order in which they are offered."""
