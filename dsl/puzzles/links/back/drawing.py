"""Exports the drawings of a sudoku variant as entries of f-puzzles."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from ..kinds import RawEntry
from ..variant import Variant

COLOUR_CODES = {
    "black": "#000000", "dark": "#606060", "grey": "#CFCFCF", "red": "#FF0000", "orange": "#FF8000",
    "yellow": "#FFFF00", "green": "#00C000", "blue": "#0000FF", "purple": "#C000C0",
}  # fmt: skip
"""The code of each colour of pictures."""

SPOT_KEYS = {
    "drawn_text": "text", "drawn_circle": "circle", "drawn_bead": "circle", "drawn_dot": "circle",
    "drawn_square": "rectangle", "drawn_box": "rectangle", "drawn_shade": "rectangle",
}  # fmt: skip
"""The field of f-puzzles for each relation of drawings in a cell or between two."""


def drawn_entries(variant: Variant) -> dict[str, list[RawEntry]]:
    """Return f-puzzles entries for a variant's drawings, grouped by field.

    The order is that of the facts.
    """
    entries: dict[str, list[RawEntry]] = defaultdict(list)
    for relation, facts in variant.facts.items():
        if relation in ("drawn_line", "drawn_arrow"):
            entries["line"] += _lines(facts)
        elif relation == "drawn_cage":
            entries["cage"] += _cages(facts)
        elif relation in SPOT_KEYS:
            entries[SPOT_KEYS[relation]] += [_spot(relation, *fact) for fact in facts]
    return entries


def _at(r: Any, c: Any) -> str:
    """Return the name of a cell in f-puzzles, such as ``R1C2``."""
    return f"R{r}C{c}"


def _lines(facts: list[Any]) -> list[RawEntry]:
    """Return the f-puzzles entries for drawn lines.

    There is a fact for each cell of a line.
    """
    lines: dict[Any, RawEntry] = {}
    for line, _, r, c, *colour in sorted(facts, key=lambda fact: fact[:2]):
        entry = lines.setdefault(line, {"lines": [[]], "outlineC": COLOUR_CODES[colour[0] if colour else "grey"]})
        entry["lines"][0].append(_at(r, c))
    return [*lines.values()]


def _cages(facts: list[Any]) -> list[RawEntry]:
    """Return the f-puzzles entries for drawn cages.

    There is a fact for each cell of a cage.
    """
    cages: dict[Any, RawEntry] = {}
    for cage, r, c, text in facts:
        cages.setdefault(cage, {"cells": [], "value": text})["cells"].append(_at(r, c))
    return [*cages.values()]


def _spot(relation: str, *fact: Any) -> RawEntry:
    """Return the f-puzzles entry for a drawn text, circle or rectangle."""
    *places, content = fact
    cells = [_at(*places[i : i + 2]) for i in range(0, len(places), 2)]
    if relation == "drawn_shade":
        return {"cells": cells, "baseC": COLOUR_CODES[content], "value": ""}
    colour = (
        {} if relation == "drawn_text" else {"baseC": COLOUR_CODES["black"] if relation == "drawn_dot" else "#FFFFFF"}
    )
    return {"cells": cells, "value": str(content), **colour}
