"""Choose facts of a spec as clues, for setting puzzles."""

from .choice import Choice, choice_of
from .chosen import SYMMETRIES, NoClues
from .clues import Clues

__all__ = ["SYMMETRIES", "Choice", "Clues", "NoClues", "choice_of"]
