"""Setting puzzles from what a model allows."""

from .running import Attempt, attempts
from .setter import Clue, Puzzle, Setter, Wanted

__all__ = ["Attempt", "Clue", "Puzzle", "Setter", "Wanted", "attempts"]
