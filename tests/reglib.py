"""The regression library of HoDoKu: each line has one technique."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import dsl
from csp import Solver
from csp.explain.steps.board import Board, Deduction, View
from csp.explain.steps.techniques import TECHNIQUES

from .conftest import ROOT, SHARED

LIBRARY = SHARED / "measure" / "techniques" / "reglib-1.3_half_A.txt"

FAMILIES: dict[str, tuple[str, ...]] = {
    "0000": ("full house",),
    "0002": ("hidden single",),
    "0003": ("naked single",),
    "0100": ("pointing",),
    "0101": ("claiming",),
    "0110": ("locked pair",),
    "0111": ("locked triple",),
    "0200": ("naked pair",),
    "0201": ("naked triple",),
    "0202": ("naked quadruple",),
    "0210": ("hidden pair",),
    "0211": ("hidden triple",),
    "0212": ("hidden quadruple",),
    "0300": ("X-wing",),
    "0301": ("swordfish",),
    "0302": ("jellyfish",),
    "0310": ("finned X-wing",),
    "0311": ("finned swordfish",),
    "0312": ("finned jellyfish",),
    "0320": ("sashimi X-wing",),
    "0321": ("sashimi swordfish",),
    "0322": ("sashimi jellyfish",),
    "0331": ("Franken swordfish",),
    "0332": ("Franken jellyfish",),
    "0340": ("Franken X-wing",),
    "0341": ("Franken swordfish",),
    "0342": ("Franken jellyfish",),
    "0362": ("mutant jellyfish",),
    "0363": ("mutant squirmbag",),
    "0364": ("mutant whale",),
    "0400": ("skyscraper",),
    "0401": ("two-string kite",),
    "0402": ("empty rectangle",),
    "0403": ("turbot fish",),
    "0404": ("dual two-string kite",),
    "0405": ("dual empty rectangle",),
    "0500": ("simple colouring",),
    "0501": ("simple colouring",),
    "0502": ("multi-colouring",),
    "0503": ("multi-colouring",),
    "0600": ("uniqueness test 1",),
    "0601": ("uniqueness test 2",),
    "0602": ("uniqueness test 3",),
    "0603": ("uniqueness test 4",),
    "0604": ("uniqueness test 5",),
    "0605": ("uniqueness test 6",),
    "0606": ("hidden rectangle",),
    "0607": ("avoidable rectangle 1",),
    "0608": ("avoidable rectangle 2",),
    "0610": ("bivalue universal grave",),
    "0701": ("X-chain",),
    "0702": ("XY-chain",),
    "0703": ("remote pairs",),
    "0706": ("continuous nice loop",),
    "0707": ("discontinuous nice loop",),
    "0708": ("alternating inference chain",),
    "0709": (
        "grouped continuous nice loop",
        "continuous loop with sets",
    ),
    "0710": (
        "grouped discontinuous nice loop",
        "discontinuous loop with sets",
    ),
    "0711": (
        "grouped alternating inference chain",
        "chain with sets",
    ),
    "0800": ("XY-wing",),
    "0801": ("XYZ-wing",),
    "0803": ("W-wing",),
    "0901": ("ALS-XZ",),
    "0902": ("ALS-XY-wing",),
    "0903": ("ALS chain",),
    "0904": ("death blossom",),
    "1101": ("Sue de Coq",),
    "1201": ("template set",),
    "1202": ("template delete",),
}
"""The techniques of each family; other families have no technique here."""

SIAMESE = ("03111", "03121", "03211", "03411", "03421", "03621")
"""The codes of two fish at once."""

EXACT = ("0000", "0002", "0003", "0100", "0101", "0200", "0201", "0202", "0210", "0211", "0212", "0300", "0301", "0302")


@dataclass(frozen=True)
class Line:
    """A line of the library.

    Attributes
    ----------
    number : int
        The number of the line in the file.
    code : str
        The technique, with the variant after a dash.
    values : str
        The values of the pattern, or the removed candidates.
    givens : str
        The values of the cells in reading order; ``+`` precedes a placed value and ``.`` is an empty cell.
    removed_before : str
        The candidates that were removed before.
    removed, placed : int
        The expected removals and placements, as masks of the board.
    """

    number: int
    code: str
    values: str
    givens: str
    removed_before: str
    removed: int
    placed: int

    @property
    def family(self) -> str:
        """The code of the technique without the variant."""
        return self.code[:4]

    @property
    def must_fail(self) -> bool:
        """Whether the technique must find nothing."""
        return self.code.endswith("-x")


@cache
def board() -> Board:
    """Return the board of an empty sudoku, made once."""
    return Board(Solver(dsl.load(ROOT / "examples" / "sudoku.csp", grids={"clue": ""})).program)


def mask(candidates: str) -> int:
    """Return the mask of candidates in the notation of the library.

    A candidate such as ``123`` is a value, a row and a column.
    """
    return sum([1 << board().bit_of[f"cell({r},{c})", int(v)] for v, r, c in candidates.split()])  # type: ignore[index]


def lines(path: Path = LIBRARY) -> Iterator[Line]:
    """Yield the lines of the library."""
    for number, text in enumerate(path.read_text().splitlines(), 1):
        if text and not text.startswith("#"):
            _, code, values, givens, removed_before, removed, placed, *_ = text.split(":")
            yield Line(number, code, values, givens, removed_before, mask(removed), mask(placed))


def view(line: Line) -> View:
    """Return the view of a line, with placed cells and removed candidates."""
    position, givens, cell, is_given = View(board(), board().all, is_unique=True), 0, 0, True
    for letter in line.givens:
        if letter == "+":
            is_given = False
            continue
        if letter != ".":
            bit = board().bit_of[f"cell({cell // 9 + 1},{cell % 9 + 1})", int(letter)]  # type: ignore[index]
            position = position.with_placed(bit)
            givens |= is_given << bit
        cell, is_given = cell + 1, True
    position.givens = givens
    return position.with_live(position.live & ~mask(line.removed_before))


def find_deductions(line: Line) -> list[Deduction]:
    """Return the deductions of the techniques of a line."""
    position = view(line)
    names = ("Siamese fish",) if line.code in SIAMESE else FAMILIES.get(line.family, ())
    return [step for name in names for step in TECHNIQUES[name].find(position)]


def is_found(line: Line) -> bool:
    """Return whether a deduction is exactly that of the line.

    For a line that must fail, return whether there is no deduction.
    """
    steps = find_deductions(line)
    if line.must_fail:
        return line.family in FAMILIES and not steps
    return any((step.removed, step.placed) == (line.removed, line.placed) for step in steps)


def is_alone(line: Line) -> bool:
    """Return whether no other deduction is found for the same values."""
    values = {int(value) for value in line.values}
    steps = [
        step for step in find_deductions(line) if {board().candidates[bit][1] for bit in bits(step.pattern)} == values
    ]
    return {(step.removed, step.placed) for step in steps} == {(line.removed, line.placed)}


def bits(number: int) -> Iterator[int]:
    """Yield the numbers of the set bits."""
    return (bit for bit in range(number.bit_length()) if number >> bit & 1)


def table() -> list[tuple[str, int, int]]:
    """Return the number of lines and of found lines per family."""
    counts: dict[str, list[int]] = {}
    for line in lines():
        count = counts.setdefault(line.family, [0, 0])
        count[0] += 1
        count[1] += is_found(line)
    return [(family, count, hits) for family, (count, hits) in counts.items()]
