"""Chooses clues for a spec, to create puzzles with one solution."""

from .choice import Choice, choice_of
from .chosen import SYMMETRIES, NoClues
from .clues import Clues

__all__ = ["SYMMETRIES", "Choice", "Clues", "NoClues", "choice_of"]
