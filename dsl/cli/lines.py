"""csp solve --each: what is printed of a line"""

from __future__ import annotations

import json
from typing import NamedTuple

from ..puzzles.each import Outcome


class Printed(NamedTuple):
    """What is printed of some lines, how many they are, and what to say of those with an error."""

    text: str
    lines: int
    errors: list[Outcome]


def printed(outcomes: list[Outcome], as_json: bool) -> Printed:
    """What is printed of some lines."""
    text = "".join([line_of(outcome, as_json) for outcome in outcomes])
    return Printed(text, len(outcomes), [outcome for outcome in outcomes if outcome.error])


def line_of(outcome: Outcome, as_json: bool) -> str:
    """What is printed of a line."""
    number, answer, error, _ = outcome
    if as_json:
        return json.dumps({"line": number, **({"error": error} if error else {"solution": answer})}) + "\n"
    return ("error" if error else answer or "none") + "\n"
