"""What a spec lets a setter choose: the facts of some of its relations."""

from .choice import Choice, choice_of
from .chosen import SYMMETRIES, NoClues
from .clues import Clues

__all__ = ["SYMMETRIES", "Choice", "Clues", "NoClues", "choice_of"]
