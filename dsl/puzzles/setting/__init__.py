"""The facts of a spec from which a setter of puzzles chooses the clues."""

from .choice import Choice, choice_of
from .chosen import SYMMETRIES, NoClues
from .clues import Clues

__all__ = ["SYMMETRIES", "Choice", "Clues", "NoClues", "choice_of"]
