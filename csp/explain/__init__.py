"""Why there is no solution, one, or several."""

from .verdicts import Verdict, verdict

__all__ = ["Verdict", "verdict"]
