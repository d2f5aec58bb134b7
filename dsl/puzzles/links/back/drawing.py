"""What a setter only draws, as entries of f-puzzles."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ..kinds import RawEntry
from ..variant import Variant

CODES = {
    "black": "#000000", "dark": "#606060", "grey": "#CFCFCF", "red": "#FF0000", "orange": "#FF8000",
    "yellow": "#FFFF00", "green": "#00C000", "blue": "#0000FF", "purple": "#C000C0",
}  # fmt: skip
"""The code of each colour of pictures."""

SPOTS = {
    "drawn_text": "text", "drawn_circle": "circle", "drawn_bead": "circle", "drawn_dot": "circle",
    "drawn_square": "rectangle", "drawn_box": "rectangle", "drawn_shade": "rectangle",
}  # fmt: skip
"""Under which key f-puzzles draws what stands in a cell or between two: a shade as a square."""


def drawn_entries(variant: Variant) -> dict[str, list[RawEntry]]:
    """The entries that draw what the spec draws, by their keys, in the order of the facts."""
    found: dict[str, list[RawEntry]] = defaultdict(list)
    for relation, facts in variant.facts.items():
        if relation in ("drawn_line", "drawn_arrow"):
            found["line"] += _lines(facts)
        elif relation == "drawn_cage":
            found["cage"] += _cages(facts)
        elif relation in SPOTS:
            found[SPOTS[relation]] += [_spot(relation, *fact) for fact in facts]
    return found


def _at(r: Any, c: Any) -> str:
    return f"R{r}C{c}"


def _lines(facts: list[Any]) -> list[RawEntry]:
    lines: dict[Any, RawEntry] = {}
    for line, _, r, c, *colour in sorted(facts, key=lambda fact: fact[:2]):
        entry = lines.setdefault(line, {"lines": [[]], "outlineC": CODES[colour[0] if colour else "grey"]})
        entry["lines"][0].append(_at(r, c))
    return [*lines.values()]


def _cages(facts: list[Any]) -> list[RawEntry]:
    cages: dict[Any, RawEntry] = {}
    for cage, r, c, text in facts:
        cages.setdefault(cage, {"cells": [], "value": text})["cells"].append(_at(r, c))
    return [*cages.values()]


def _spot(relation: str, *fact: Any) -> RawEntry:
    *places, last = fact
    cells = [_at(*places[i : i + 2]) for i in range(0, len(places), 2)]
    if relation == "drawn_shade":
        return {"cells": cells, "baseC": CODES[last], "value": ""}
    colour = {} if relation == "drawn_text" else {"baseC": CODES["black"] if relation == "drawn_dot" else "#FFFFFF"}
    return {"cells": cells, "value": str(last), **colour}
