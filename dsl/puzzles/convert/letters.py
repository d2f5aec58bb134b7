"""Converts alphametics (sums of words) to specs."""

from __future__ import annotations

import re

from .gallery import fill, grid_text
from .records import PuzzleFields


def alphametic(record: PuzzleFields, title: str) -> str:
    """Return the spec of an alphametic: a sum of words whose letters are digits."""
    base = record.number("base", 2) if "base" in record else 10
    puzzle = record.text("puzzle").lower()
    if not re.fullmatch(r"[a-z]+(\s*\+\s*[a-z]+)*\s*==?\s*[a-z]+", puzzle.strip()):
        record.fail("the puzzle is not of the form WORD + WORD = WORD")
    words = re.findall("[a-z]+", puzzle)
    width = max(map(len, words))
    rows = [[None] * (width - len(word)) + [*word] for word in words]
    params = {"base": base, "words": len(words), "width": width}
    return fill("alphametic", title, params, {"word": grid_text(rows)})
