"""A sudoku variant as data: what f-puzzles and SudokuPad tell, and what a spec with rules of the gallery says."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...text.grids import picture
from ..convert.puzzles import box_shape
from .writing import Facts, written

Cell = tuple[int, int]
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
    givens: dict[Cell, int] = field(default_factory=dict)
    marks: dict[Cell, list[int]] = field(default_factory=dict)
    regions: dict[Cell, int] = field(default_factory=dict)
    includes: list[str] = field(default_factory=list)
    facts: dict[str, Facts] = field(default_factory=dict)
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
    "drawn_line": "draw line(R, C, K, L) : drawn_line(L, K, R, C).",
    "drawn_mark": "draw circle(R, C, S, D) = W : drawn_mark(R, C, S, D, W, _).",
    "drawn_text": "draw corner(R, C) = W : drawn_text(R, C, W).",
}
"""How the facts of what is drawn only are drawn."""
NEED_REGIONS = {"disjoint_groups", "region_sums", "box_indexers"}
"""Rules that speak of regions, which a sudoku with boxes has not named."""


def boxes(size: int) -> dict[Cell, int]:
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
    more += [draw for name, draw in DRAWN.items() if name in variant.facts]
    if "towers" in includes:
        more.append("show cell.")
    return written(head, includes, params, grids, variant.facts, more)


def _picture(values: dict[Cell, int], size: int, box: tuple[int, int] | None = None) -> str:
    return picture([[values.get((r, c)) for c in range(1, size + 1)] for r in range(1, size + 1)], box)
