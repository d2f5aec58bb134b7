"""The exports of models to the languages of other solvers."""

from __future__ import annotations

from collections.abc import Callable

from ...model import Model
from .asp import write_asp
from .dimacs import write_dimacs
from .minizinc import write_minizinc
from .swi_prolog import write_swi_prolog
from .xcsp3 import write_xcsp3

EXPORTS: dict[str, Callable[[Model], str]] = {
    "minizinc": write_minizinc,
    "dimacs": write_dimacs,
    "xcsp3": write_xcsp3,
    "swi-prolog": write_swi_prolog,
    "asp": write_asp,
}
"""From the name of a language to the function that writes a model in it."""
