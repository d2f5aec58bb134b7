"""Why there is no solution, one, or several; and the way to it, step by step, as a person would go."""

from .board import Board
from .hints import Hint, hint
from .rating import FORMULA, Rating, rate
from .reasons import Claim, Reason, Why, why
from .report import report
from .techniques import LADDER, TECHNIQUES, Technique
from .verdicts import Verdict, verdict
from .view import View
from .walk import Step, Walk, Walker, explain

__all__ = [
    "FORMULA", "LADDER", "TECHNIQUES", "Board", "Claim", "Hint", "Rating", "Reason", "Step", "Technique", "Verdict",
    "View", "Walk", "Walker", "Why", "explain", "hint", "rate", "report", "verdict", "why",
]  # fmt: skip
