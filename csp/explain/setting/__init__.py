"""Generation of puzzles with one solution from a model without clues."""

from .running import Attempt, attempts
from .setter import Clue, Puzzle, Setter, Wanted

__all__ = ["Attempt", "Clue", "Puzzle", "Setter", "Wanted", "attempts"]
