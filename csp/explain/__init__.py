"""Why there is no solution, one, or several; and the way to it, step by step, as a person would go."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .board import Board
    from .conflicts import Conflict, conflict
    from .guarding import Guard, guard
    from .hints import Hint, hint
    from .passes import report
    from .proving import Proof, proof
    from .rating import FORMULA, Rater, Rating, rate
    from .reasons import Claim, Reason, Why, why
    from .settling import Settling, settle
    from .techniques import LADDER, TECHNIQUES, Technique
    from .verdicts import Verdict, verdict
    from .view import View
    from .walk import Step, Walk, Walker, explain

LATE = {
    "Board": "board", "Claim": "reasons", "Conflict": "conflicts", "FORMULA": "rating", "Guard": "guarding",
    "Hint": "hints", "LADDER": "techniques", "Proof": "proving", "Rater": "rating", "Rating": "rating",
    "Reason": "reasons", "Settling": "settling", "Step": "walk", "TECHNIQUES": "techniques",
    "Technique": "techniques", "Verdict": "verdicts", "View": "view", "Walk": "walk", "Walker": "walk",
    "Why": "reasons", "conflict": "conflicts", "explain": "walk", "guard": "guarding", "hint": "hints",
    "proof": "proving", "rate": "rating", "report": "passes", "settle": "settling", "verdict": "verdicts",
    "why": "reasons",
}  # fmt: skip
"""Where each name is from, which is imported when it is asked for: a question needs few of them."""

__all__ = [
    "FORMULA", "LADDER", "TECHNIQUES", "Board", "Claim", "Conflict", "Guard", "Hint", "Proof", "Rater", "Rating",
    "Reason", "Settling", "Step", "Technique", "Verdict", "View", "Walk", "Walker", "Why", "conflict", "explain",
    "guard", "hint", "proof", "rate", "report", "settle", "verdict", "why",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in LATE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{LATE[name]}", __name__), name)
