"""Models in the languages of other solvers: one file, one language, and one line in this table."""

from __future__ import annotations

from collections.abc import Callable

from ..model import Model
from .asp import asp
from .dimacs import dimacs
from .minizinc import minizinc
from .swi_prolog import swi_prolog
from .xcsp3 import xcsp3

EXPORTS: dict[str, Callable[[Model], str]] = {
    "minizinc": minizinc,
    "dimacs": dimacs,
    "xcsp3": xcsp3,
    "swi-prolog": swi_prolog,
    "asp": asp,
}
