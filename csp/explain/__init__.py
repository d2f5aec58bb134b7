"""Why there is no solution, one, or several; and the way to it, step by step, as a person would go."""

from .board import Board
from .conflicts import Conflict, conflict
from .guard import Guard, guard
from .hints import Hint, hint
from .proving import Proof, proof
from .rating import FORMULA, Rater, Rating, rate
from .reasons import Claim, Reason, Why, why
from .report import report
from .settling import Settling, settle
from .techniques import LADDER, TECHNIQUES, Technique
from .verdicts import Verdict, verdict
from .view import View
from .walk import Step, Walk, Walker, explain

__all__ = [
    "FORMULA", "LADDER", "TECHNIQUES", "Board", "Claim", "Conflict", "Guard", "Hint", "Proof", "Rater", "Rating",
    "Reason",
    "Settling", "Step", "Technique", "Verdict", "View", "Walk", "Walker", "Why", "conflict", "explain", "guard", "hint",
    "proof", "rate", "report", "settle", "verdict", "why",
]  # fmt: skip
