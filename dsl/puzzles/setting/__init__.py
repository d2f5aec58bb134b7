"""Chooses clues for a spec, to create puzzles with one solution."""

from .chosen import SYMMETRIES, Choice, NoClues, choice_of
from .clues import Clues

__all__ = ["SYMMETRIES", "Choice", "Clues", "NoClues", "choice_of"]
