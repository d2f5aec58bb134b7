"""Setting puzzles: which values occur at all, which clues are needed, and puzzles made from what a model allows."""

from .brave import Candidates, candidates
from .needs import Need, NotOne, needs
from .running import Attempt, attempts
from .setter import Clue, Puzzle, Setter, Wanted

__all__ = [
    "Attempt", "Candidates", "Clue", "Need", "NotOne", "Puzzle", "Setter", "Wanted", "attempts", "candidates", "needs",
]  # fmt: skip
