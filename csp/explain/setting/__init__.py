"""Generate puzzles that have exactly one solution."""

from .running import Attempt, attempts
from .setter import Clue, Puzzle, Setter, Wanted

__all__ = ["Attempt", "Clue", "Puzzle", "Setter", "Wanted", "attempts"]
