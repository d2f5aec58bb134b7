"""A sudoku variant as data: what f-puzzles and SudokuPad tell, and what a spec with rules of the gallery says."""

from __future__ import annotations

from collections.abc import Sequence
from colorsys import rgb_to_hsv
from dataclasses import dataclass, field
from typing import Any

from ...text.grids import grid_text
from ..convert.puzzles import box_shape
from .writing import FactRows, spec_text

Square = tuple[int, int]
"""Row and column, from 1."""


@dataclass
class Variant:
    """A sudoku with further constraints.

    Attributes
    ----------
    size : int
        How many rows, columns and numbers it has.
    title, author, rules : str
        As the setter wrote them; perhaps empty.
    givens : dict of cell to int
    marks : dict of cell to list of int
        The numbers that a cell may have, where the setter says so.
    regions : dict of cell to int
        From 1; a cell without one is in no region.
    includes : list of str
        The rules of the gallery that it takes.
    facts : dict of str to list of tuple
        What the rules speak of.
    notes, drawn : list of str
        What was not read, and what is drawn only.
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
        """Take a rule of the gallery."""
        if name not in self.includes:
            self.includes.append(name)

    def fact(self, relation: str, *values: int | str) -> None:
        """Say a fact, once."""
        facts = self.facts.setdefault(relation, [])
        if values not in facts:
            facts.append(values)

    def next(self, relation: str) -> int:
        """The number of the next line of a relation."""
        return 1 + max((int(one[0]) for one in self.facts.get(relation, [])), default=0)

    def has_boxes(self) -> bool:
        """Whether the regions are the usual boxes."""
        return self.regions == boxes(self.size)


NONE = {
    "nonconsecutive": "dot(0, 0, 0, 0, white, 1) :- 1 = 2.",
    "no_ratios": "dot(0, 0, 0, 0, white, 1) :- 1 = 2.",
    "no_sums": "pair_sum(0, 0, 0, 0, 10) :- 1 = 2.",
}
"""What a rule about unmarked pairs needs where no pair is marked: the relation, of which nothing is said."""

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
"""How the facts of what is drawn only are drawn."""
NEED_REGIONS = {"disjoint_groups", "region_sums", "box_indexers"}
"""Rules that speak of regions, which a sudoku with boxes has not named."""


def boxes(size: int) -> dict[Square, int]:
    """The box of every cell of a sudoku."""
    rows, cols = box_shape(size)
    return {
        (r, c): (r - 1) // rows * rows + (c - 1) // cols + 1 for r in range(1, size + 1) for c in range(1, size + 1)
    }


def spec_of(variant: Variant) -> str:
    """The spec of a variant: rules by ``include``, data as grids and facts.

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
    if variant.has_boxes():
        params = {"box": cols} if rows == cols else {"box": cols, "rows": rows}
        includes = ["sudoku", *(["boxes"] if NEED_REGIONS & {*includes} else []), *includes]
    elif variant.regions or NEED_REGIONS & {*includes}:
        grids["region"] = _picture(variant.regions, size)
        includes.insert(0, "jigsaw")
    else:
        includes.insert(0, "quasigroup")
    grids["clue"] = _picture(variant.givens, size, (rows, cols) if variant.has_boxes() else None)
    more = [f"cell({r}, {c}) in {{{', '.join(map(str, some))}}}." for (r, c), some in sorted(variant.marks.items())]
    empty = {none for rule, none in NONE.items() if rule in includes and none.split("(")[0] not in variant.facts}
    more += sorted(empty)
    head = [("Puzzle", variant.title), ("Author", variant.author), ("Rules", variant.rules)]
    head += [("Drawn only", ", ".join(variant.drawn)), *(("Not read", note) for note in variant.notes)]
    facts = _facts(variant)
    more += [draw for name, draw in DRAWN.items() if name in facts]
    if "towers" in includes:
        more.append("show cell.")
    return spec_text(head, includes, params, grids, facts, more)


def _facts(variant: Variant) -> dict[str, FactRows]:
    """Without a text beside the board that says once more what a clue there says."""
    edges = {0, variant.size + 1}
    rows = [row for name, some in variant.facts.items() if name not in DRAWN for row in some]
    said = {(*row[:2], symbol(str(row[2]))) for row in rows if len(row) == 3 and not edges.isdisjoint(row[:2])}
    facts = variant.facts | {"drawn_text": [row for row in variant.facts.get("drawn_text", ()) if row not in said]}
    return {name: some for name, some in facts.items() if some}


def _picture(values: dict[Square, int], size: int, box: tuple[int, int] | None = None) -> str:
    return grid_text([[values.get((r, c)) for c in range(1, size + 1)] for r in range(1, size + 1)], box)


HUES = ((20, "red"), (45, "orange"), (70, "yellow"), (170, "green"), (260, "blue"), (330, "purple"), (361, "red"))
"""Where a hue ends, in degrees, and the colour that pictures have for it."""
PALE = 0.12
"""Of less saturation a colour is a grey."""
LONG = 40
"""Longer texts are cut."""


def colour_of(value: Any) -> str:
    """The colour of pictures that is nearest to a code such as ``#A0B1C2``; none for white and what is no code.

    Examples
    --------
    >>> [colour_of(one) for one in ("#f00", "#67F067FF", "#CFCFCF", "#000000", "#FFF", None)]
    ['red', 'green', 'grey', 'black', '', '']
    """
    digits = value.lstrip("#") if isinstance(value, str) else ""
    digits = "".join(2 * one for one in digits) if len(digits) in (3, 4) else digits
    if len(digits) not in (6, 8) or any(one not in "0123456789abcdefABCDEF" for one in digits):
        return ""
    red, green, blue = (int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4))
    hue, saturation, bright = rgb_to_hsv(red, green, blue)
    if saturation >= PALE:
        return next(name for end, name in HUES if 360 * hue < end)
    return "" if bright > 0.97 else "grey" if bright > 0.6 else "dark" if bright > 0.2 else "black"


def draw_line(variant: Variant, cells: Sequence[Square], colour: Any = None, is_arrow: bool = False) -> None:
    """A line along cells, or an arrow."""
    relation = "drawn_arrow" if is_arrow else "drawn_line"
    number = variant.next(relation)
    for place, cell in enumerate(cells, 1):
        variant.fact(relation, number, place, *cell, *([] if is_arrow else [colour_of(colour) or "grey"]))


def draw_spot(
    variant: Variant, cells: Sequence[Square], words: Any, colour: Any, is_round: bool, is_whole: bool = False
) -> None:
    """A sign in a cell or between two, with a text; one as large as its cell and without a text is a shade."""
    text = str(words)[:LONG] if isinstance(words, (str, int)) else ""
    places = [number for cell in cells for number in cell]
    if len(cells) == 1 and is_whole and not text:
        if colour_of(colour):
            variant.fact("drawn_shade", *places, colour_of(colour))
        return
    kind = "circle" if is_round else "square"
    if len(cells) == 2:
        kind = "dot" if is_round and colour_of(colour) in ("black", "dark") else "bead" if is_round else "box"
    variant.fact(f"drawn_{kind}", *places, symbol(text))


def draw_text(variant: Variant, cell: Square, words: Any) -> None:
    """A text in a cell or beside the board."""
    variant.fact("drawn_text", *cell, symbol(str(words)[:LONG]))


def symbol(words: str) -> str:
    """A symbol of the language.

    Examples
    --------
    >>> print(symbol("don't"))
    'don''t'
    """
    clean = "".join(letter if letter.isprintable() else " " for letter in words)
    return "'" + clean.replace("'", "''") + "'"
