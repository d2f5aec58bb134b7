"""Formats the output of csp solve --each for each line."""

from __future__ import annotations

from typing import NamedTuple

from ..puzzles.each import Outcome
from .output import format_json


class LineOutput(NamedTuple):
    """The output for some lines: text, number of lines, and erroneous outcomes."""

    text: str
    lines: int
    errors: list[Outcome]


def format_outcomes(outcomes: list[Outcome], as_json: bool) -> LineOutput:
    """Format the outcomes of some lines as their output."""
    text = "".join([format_outcome(outcome, as_json) for outcome in outcomes])
    return LineOutput(text, len(outcomes), [outcome for outcome in outcomes if outcome.error])


def format_outcome(outcome: Outcome, as_json: bool) -> str:
    """Return the output line for an outcome: the answer, none or error, or JSON."""
    number, answer, error, _ = outcome
    if as_json:
        return format_json({"line": number, **({"error": error} if error else {"solution": answer})}) + "\n"
    return ("error" if error else answer or "none") + "\n"
