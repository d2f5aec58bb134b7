"""Defines a sudoku variant as data, and writes its spec."""

from __future__ import annotations

from collections.abc import Sequence
from colorsys import rgb_to_hsv
from dataclasses import dataclass, field
from typing import Any

from ...syntax.grids import grid_text
from ..convert.puzzles import box_shape
from .writing import FactRows, spec_text

Square = tuple[int, int]
"""Row and column, from 1."""


@dataclass
class Variant:
    """A sudoku with additional constraints, stored as facts.

    Attributes
    ----------
    size : int
        The number of rows, columns and values.
    title, author, rules : str
        The texts of the setter, which may be empty.
    givens : dict of cell to int
    marks : dict of cell to list of int
        The values that the setter allows in a cell.
    regions : dict of cell to int
        From 1; a cell without an entry is in no region.
    includes : list of str
        The specs of the gallery with the rules of the constraints.
    facts : dict of str to list of tuple
        The data of the constraints, by relation.
    notes, drawn : list of str
        Descriptions of data that is not read, and of data that is only drawn.
    """

    size: int
    title: str = ""
    author: str = ""
    rules: str = ""
    givens: dict[Square, int] = field(default_factory=dict)
    marks: dict[Square, list[int]] = field(default_factory=dict)
    regions: dict[Square, int] = field(default_factory=dict)
    includes: list[str] = field(default_factory=list)
    facts: dict[str, FactRows] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    drawn: list[str] = field(default_factory=list)

    def include(self, name: str) -> None:
        """Include the rules of a gallery spec in the variant, unless they are included already."""
        if name not in self.includes:
            self.includes.append(name)

    def fact(self, relation: str, *values: int | str) -> None:
        """Add a fact, unless the variant has it already."""
        facts = self.facts.setdefault(relation, [])
        if values not in facts:
            facts.append(values)

    def next_number(self, relation: str) -> int:
        """Return the next unused number for a line or group of a relation.

        It is 1 more than the largest first argument of the facts.
        """
        return 1 + max((int(fact[0]) for fact in self.facts.get(relation, [])), default=0)

    def has_boxes(self) -> bool:
        """Return whether the regions are the usual rectangular boxes."""
        return self.regions == boxes(self.size)


EMPTY_RELATIONS = {
    "nonconsecutive": "dot(0, 0, 0, 0, white, 1) :- 1 = 2.",
    "no_ratios": "dot(0, 0, 0, 0, white, 1) :- 1 = 2.",
    "no_sums": "pair_sum(0, 0, 0, 0, 10) :- 1 = 2.",
}
"""Per rule about unmarked pairs: the clause that declares its relation if no pair is marked."""

DRAWN = {
    "drawn_line": "draw line(R, C, K, L) = X : drawn_line(L, K, R, C, X).",
    "drawn_arrow": "draw arrow(R, C, K, L) : drawn_arrow(L, K, R, C).",
    "drawn_shade": "draw shade(R, C) = X : drawn_shade(R, C, X).",
    "drawn_circle": "draw circle(R, C) = W : drawn_circle(R, C, W).",
    "drawn_square": "draw square(R, C) = W : drawn_square(R, C, W).",
    "drawn_cage": "draw cage(R, C, K) = W : drawn_cage(K, R, C, W).",
    "drawn_text": "draw text(R, C) = W : drawn_text(R, C, W).",
    "drawn_bead": "draw circle(R, C, S, D) = W : drawn_bead(R, C, S, D, W).",
    "drawn_dot": "draw disc(R, C, S, D) = W : drawn_dot(R, C, S, D, W).",
    "drawn_box": "draw square(R, C, S, D) = W : drawn_box(R, C, S, D, W).",
}
"""The clause that draws the facts of each relation of drawings."""
RULES_WITH_REGIONS = {"disjoint_groups", "region_sums", "box_indexers"}
"""Rules that use the relation of regions, which a sudoku with boxes does not define."""


def boxes(size: int) -> dict[Square, int]:
    """Return a dict from each cell of a usual sudoku to its box number."""
    rows, cols = box_shape(size)
    return {
        (r, c): (r - 1) // rows * rows + (c - 1) // cols + 1 for r in range(1, size + 1) for c in range(1, size + 1)
    }


def spec_of(variant: Variant) -> str:
    """Return the spec of a sudoku variant.

    It has the rules by ``include``, and the data as grids and facts.

    Examples
    --------
    >>> print(spec_of(Variant(4, givens={(1, 2): 3}, regions=boxes(4), includes=["anti_king"])))
    include sudoku.
    include anti_king.
    <BLANKLINE>
    param box = 2.
    grid clue = "
      .3 | ..
      .. | ..
      ---+---
      .. | ..
      .. | ..
    ".
    <BLANKLINE>
    """
    size = variant.size
    rows, cols = box_shape(size)
    params, grids = {"n": size}, {}
    includes = [*variant.includes]
    # The base of the spec: boxes, irregular regions, or rows and columns only.
    if variant.has_boxes():
        params = {"box": cols} if rows == cols else {"box": cols, "rows": rows}
        includes = ["sudoku", *(["boxes"] if RULES_WITH_REGIONS & {*includes} else []), *includes]
    elif variant.regions or RULES_WITH_REGIONS & {*includes}:
        grids["region"] = _picture(variant.regions, size)
        includes.insert(0, "jigsaw")
    else:
        includes.insert(0, "quasigroup")
    grids["clue"] = _picture(variant.givens, size, (rows, cols) if variant.has_boxes() else None)
    clauses = [
        f"cell({r}, {c}) in {{{', '.join(map(str, values))}}}." for (r, c), values in sorted(variant.marks.items())
    ]
    # A rule about unmarked pairs needs its relation, even if no pair is marked.
    empty = {
        clause
        for rule, clause in EMPTY_RELATIONS.items()
        if rule in includes and clause.split("(")[0] not in variant.facts
    }
    clauses += sorted(empty)
    head = [("Puzzle", variant.title), ("Author", variant.author), ("Rules", variant.rules)]
    head += [("Drawn only", ", ".join(variant.drawn)), *(("Not read", note) for note in variant.notes)]
    facts = _facts(variant)
    clauses += [draw for name, draw in DRAWN.items() if name in facts]
    if "towers" in includes:
        clauses.append("show cell.")
    return spec_text(head, includes, params, grids, facts, clauses)


def _facts(variant: Variant) -> dict[str, FactRows]:
    """Return a variant's facts without drawn texts beside the board that repeat a clue."""
    edges = {0, variant.size + 1}
    rows = [row for name, rows_of_relation in variant.facts.items() if name not in DRAWN for row in rows_of_relation]
    # Clues beside the board have a row or column outside of it.
    clues = {(*row[:2], symbol(str(row[2]))) for row in rows if len(row) == 3 and not edges.isdisjoint(row[:2])}
    facts = variant.facts | {"drawn_text": [row for row in variant.facts.get("drawn_text", ()) if row not in clues]}
    return {name: rows_of_relation for name, rows_of_relation in facts.items() if rows_of_relation}


def _picture(values: dict[Square, int], size: int, box: tuple[int, int] | None = None) -> str:
    """Return the picture of a square grid with ``values`` in its cells.

    If ``box`` gives the rows and columns of a box, separators are between the boxes.
    """
    return grid_text([[values.get((r, c)) for c in range(1, size + 1)] for r in range(1, size + 1)], box)


HUES = ((20, "red"), (45, "orange"), (70, "yellow"), (170, "green"), (260, "blue"), (330, "purple"), (361, "red"))
"""The upper end of each range of hues, in degrees, with the colour of pictures for it."""
MIN_SATURATION = 0.12
"""A colour of less saturation is drawn as a grey."""
MAX_TEXT_LENGTH = 40
"""Maximum number of characters of a drawn text; longer texts are cut."""


def colour_of(value: Any) -> str:
    """Return the name of the drawing colour for a code such as ``#A0B1C2``.

    Returns an empty text for white, and for values that are not a code.

    Examples
    --------
    >>> [colour_of(code) for code in ("#f00", "#67F067FF", "#CFCFCF", "#000000", "#FFF", None)]
    ['red', 'green', 'grey', 'black', '', '']
    """
    digits = value.lstrip("#") if isinstance(value, str) else ""
    # A short code has one digit for each of red, green and blue.
    digits = "".join(2 * digit for digit in digits) if len(digits) in (3, 4) else digits
    if len(digits) not in (6, 8) or any(digit not in "0123456789abcdefABCDEF" for digit in digits):
        return ""
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    hue, saturation, brightness = rgb_to_hsv(red, green, blue)
    if saturation >= MIN_SATURATION:
        return next(name for end, name in HUES if 360 * hue < end)
    # Without a hue it is white, a grey or black, by brightness.
    return "" if brightness > 0.97 else "grey" if brightness > 0.6 else "dark" if brightness > 0.2 else "black"


def draw_line(variant: Variant, cells: Sequence[Square], colour: Any = None, is_arrow: bool = False) -> None:
    """Add to a variant a drawn line along cells, grey by default, or an arrow."""
    relation = "drawn_arrow" if is_arrow else "drawn_line"
    number = variant.next_number(relation)
    for place, cell in enumerate(cells, 1):
        variant.fact(relation, number, place, *cell, *([] if is_arrow else [colour_of(colour) or "grey"]))


def draw_spot(
    variant: Variant, cells: Sequence[Square], content: Any, colour: Any, is_round: bool, is_whole: bool = False
) -> None:
    """Add to a variant a drawn circle, square or shade in one or two cells.

    A sign without text that is as large as its cell is a shade. ``content`` is not drawn unless it is a text or number.
    """
    text = str(content)[:MAX_TEXT_LENGTH] if isinstance(content, (str, int)) else ""
    places = [number for cell in cells for number in cell]
    if len(cells) == 1 and is_whole and not text:
        if colour_of(colour):
            variant.fact("drawn_shade", *places, colour_of(colour))
        return
    kind = "circle" if is_round else "square"
    if len(cells) == 2:
        kind = "dot" if is_round and colour_of(colour) in ("black", "dark") else "bead" if is_round else "box"
    variant.fact(f"drawn_{kind}", *places, symbol(text))


def draw_text(variant: Variant, cell: Square, text: Any) -> None:
    """Add to a variant a text drawn in a cell or beside the board."""
    variant.fact("drawn_text", *cell, symbol(str(text)[:MAX_TEXT_LENGTH]))


def symbol(text: str) -> str:
    """Write a text as a quoted symbol; unprintable characters become blanks.

    Examples
    --------
    >>> print(symbol("don't"))
    'don''t'
    """
    clean = "".join(letter if letter.isprintable() else " " for letter in text)
    return "'" + clean.replace("'", "''") + "'"
