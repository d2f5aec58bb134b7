"""Evidence: why there is no solution, one, or several, what each constraint is good for, and the way step by step."""

from .evidence.candidates import Candidates, candidates
from .evidence.conflicts import Conflict, conflict
from .evidence.guard import Guard, guard
from .evidence.needs import Need, NotOne, needs
from .evidence.proving import Proof, proof
from .evidence.reasons import Claim, Reason, Why, why
from .evidence.settling import Settling, settle
from .evidence.verdicts import Verdict, verdict
from .steps.board import Board
from .steps.hints import Hint, hint
from .steps.rating import FORMULA, Rating, rate
from .steps.report import report
from .steps.techniques import LADDER, TECHNIQUES, Technique
from .steps.view import View
from .steps.walk import Step, Walk, Walker, explain

__all__ = [
    "FORMULA", "LADDER", "TECHNIQUES", "Board", "Candidates", "Claim", "Conflict", "Guard", "Hint", "Need", "NotOne",
    "Proof", "Rating", "Reason", "Settling", "Step", "Technique", "Verdict", "View", "Walk", "Walker", "Why",
    "candidates", "conflict", "explain", "guard", "hint", "needs", "proof", "rate", "report", "settle", "verdict",
    "why",
]  # fmt: skip
