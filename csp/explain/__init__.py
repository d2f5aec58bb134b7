"""Explain a model: number of solutions, reasons, conflicts, and solution paths step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..base.late import late

if TYPE_CHECKING:
    from .evidence.candidates import Candidates, candidates
    from .evidence.conflicts import Conflict, conflict
    from .evidence.guard import Guard, UnreadableAnswer, guard, read_answer
    from .evidence.needs import Need, NotOne, needs, removable
    from .evidence.reasons import Claim, Reason, Why, why
    from .evidence.settling import Settling, WorkSpent, settle
    from .evidence.verdicts import Proof, Verdict, proof, verdict
    from .steps.board import Board, View
    from .steps.hints import Hint, hint
    from .steps.rating import FORMULA, Rating, rate, rate_path, report
    from .steps.techniques import LADDER, TECHNIQUES, Technique
    from .steps.walk import Step, Walk, Walker, explain
    from .words.simple import SimpleWords

LATE = {
    "Board": "steps.board",
    "Candidates": "evidence.candidates",
    "Claim": "evidence.reasons",
    "Conflict": "evidence.conflicts",
    "FORMULA": "steps.rating",
    "Guard": "evidence.guard",
    "Hint": "steps.hints",
    "LADDER": "steps.techniques",
    "Need": "evidence.needs",
    "NotOne": "evidence.needs",
    "Proof": "evidence.verdicts",
    "Rating": "steps.rating",
    "Reason": "evidence.reasons",
    "Settling": "evidence.settling",
    "SimpleWords": "words.simple",
    "WorkSpent": "evidence.settling",
    "Step": "steps.walk",
    "TECHNIQUES": "steps.techniques",
    "Technique": "steps.techniques",
    "UnreadableAnswer": "evidence.guard",
    "Verdict": "evidence.verdicts",
    "View": "steps.board",
    "Walk": "steps.walk",
    "Walker": "steps.walk",
    "Why": "evidence.reasons",
    "candidates": "evidence.candidates",
    "conflict": "evidence.conflicts",
    "explain": "steps.walk",
    "guard": "evidence.guard",
    "hint": "steps.hints",
    "needs": "evidence.needs",
    "proof": "evidence.verdicts",
    "rate": "steps.rating",
    "rate_path": "steps.rating",
    "read_answer": "evidence.guard",
    "removable": "evidence.needs",
    "report": "steps.rating",
    "settle": "evidence.settling",
    "verdict": "evidence.verdicts",
    "why": "evidence.reasons",
}
"""The module of each name. A module is imported when one of its names is first used, since a command needs few."""

__all__ = [
    "FORMULA", "LADDER", "TECHNIQUES", "Board", "Candidates", "Claim", "Conflict", "Guard", "Hint", "Need",
    "NotOne", "Proof", "Rating", "Reason", "Settling", "SimpleWords", "Step", "Technique", "UnreadableAnswer",
    "Verdict", "View", "Walk", "Walker", "Why", "WorkSpent", "candidates", "conflict", "explain", "guard", "hint",
    "needs", "proof", "rate", "rate_path", "read_answer", "removable", "report", "settle", "verdict", "why",
]  # fmt: skip

__getattr__ = late(__name__, LATE)
