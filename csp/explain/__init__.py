"""Why there is no solution, one, or several; and the way to it, step by step, as a person would go."""

from .board import Board
from .hints import Hint, hint
from .rating import FORMULA, Rating, rate
from .report import report
from .techniques import LADDER, TECHNIQUES, Technique
from .verdicts import Verdict, verdict
from .view import View
from .walk import Step, Walk, Walker, explain

__all__ = [
    "FORMULA", "LADDER", "TECHNIQUES", "Board", "Hint", "Rating", "Step", "Technique", "Verdict", "View", "Walk",
    "Walker", "explain", "hint", "rate", "report", "verdict",
]  # fmt: skip
