"""Constraints that a grid shows between its cells: comparisons as signs, sums and products as cages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from ...model import AllDifferent, Constraint, Equality, Linear, Model, Variable
from ..style import escape, text_width
from .clues import MIRRORED, SYMBOLS, clue
from .grid import Grid

UPRIGHT = {"<": "∧", "≤": "<U>∧</U>", ">": "∨", "≥": "<U>∨</U>", "≠": "≠", "=": "‖"}
"""The same signs, turned to stand between a cell and the one below it, in HTML."""
WIDEST = 52.0
"""A cage is named by a text no wider than a cell."""
NARROW = 20.0
"""Beside a cell, its text is no wider than what is between two cells."""
Link = tuple[Variable, Variable]


@dataclass(frozen=True)
class Sign:
    """A comparison of two neighbours.

    Attributes
    ----------
    number : int
        Of the constraint in the model.
    one, other : Variable
        The left or upper one first.
    text : str
        From the first to the second, in HTML.
    """

    number: int
    one: Variable
    other: Variable
    text: str


@dataclass(frozen=True)
class Cage:
    """Any other relation of cells that touch.

    Attributes
    ----------
    number : int
        Of the constraint in the model.
    links : tuple of pairs of Variable
        Neighbours, which together reach every cell.
    text : str
        What is asked, short.
    side : {"above", "left"}
        Where the text stands, of its first cell.
    """

    number: int
    links: tuple[Link, ...]
    text: str
    side: Literal["above", "left"] = "above"

    @property
    def corner(self) -> Variable:
        """The cell that carries the text: the first one in reading order."""
        return self.links[0][0]


def signs(model: Model, grids: Sequence[Grid], hidden: Iterable[int] = ()) -> list[Sign | Cage]:
    """Which constraints a grid can show between its cells.

    Parameters
    ----------
    model : Model
    grids : sequence of mapping of Variable to (int, int)
        Row and column of the variables of each grid.
    hidden : iterable of int
        The numbers of the constraints that are not shown.

    Returns
    -------
    list of Sign or Cage
        In the order of the model, without groups that must differ and without what is ``hidden``. Where runs across
        and down cross, what a run asks stands where it begins: to the left of it, or above. A cage that would be drawn
        over another has no place, so that it is not among them; runs go before all others.

    Examples
    --------
    >>> from csp import Affine
    >>> one, other = Variable("x", 1, 1), Variable("x", 1, 2)
    >>> less = Linear(Affine.variable(other), "<", Affine.variable(one))
    >>> [sign.text for sign in signs(Model({one: (1, 2), other: (1, 2)}, [less]), [{one: (0, 0), other: (0, 1)}])]
    ['&gt;']
    """
    found: list[Sign | Cage] = []
    unseen = frozenset(hidden)
    for grid in grids:
        own: list[Sign | Cage] = []
        for number, constraint in enumerate(model.constraints):
            if isinstance(constraint, AllDifferent) or len(constraint.scope) < 2 or number in unseen:
                continue
            if all(variable in grid for variable in constraint.scope) and (links := _links(constraint.scope, grid)):
                shown = _sign(number, constraint, grid, links) or _cage(number, constraint, links)
                own += [shown] if shown else []
        cages = _placed([one for one in own if isinstance(one, Cage)], grid)
        found += [cages.get(one.number, one) for one in own if isinstance(one, Sign) or one.number in cages]
    return sorted(found, key=lambda one: one.number)


def unsaid(model: Model, origins: Sequence[Sequence[int]] = ()) -> frozenset[int]:
    """The numbers of the constraints that no line of the spec says: they were found to follow, and show only at work.

    Parameters
    ----------
    model : Model
    origins : sequence of sequences of int
        Those of its trace, for a model that was made without a spec, where no constraint has a line.

    Returns
    -------
    frozenset of int

    Examples
    --------
    >>> unsaid(Model({v: (1, 2) for v in "ABC"}, [AllDifferent.of("AB", line=7), AllDifferent.of("BC")]))
    frozenset({1})
    >>> unsaid(Model({v: (1, 2) for v in "ABC"}, [AllDifferent.of("AB"), AllDifferent.of("BC")]), [(0,), (0,)])
    frozenset({1})
    """
    without = frozenset(number for number, constraint in enumerate(model.constraints) if not constraint.line)
    return without if len(without) < len(model.constraints) else follows(origins)


def follows(origins: Sequence[Sequence[int]]) -> frozenset[int]:
    """The numbers of the constraints that were made of those of the model.

    Examples
    --------
    >>> follows([(0,), (1,), (0, 1)])
    frozenset({2})
    """
    return frozenset(number for number, own in enumerate(origins) if tuple(own) != (number,))


def compared(constraint: Constraint) -> tuple[Variable, str, Variable] | None:
    """Left, sign and right of a plain comparison of two variables.

    Examples
    --------
    >>> compared(Equality(Variable("A"), Variable("B"), equal=False))
    ('A', '≠', 'B')
    """
    match constraint:
        case Equality(left, right, equal) if isinstance(left, Variable) and isinstance(right, Variable):
            return left, "=" if equal else "≠", right
        case Linear(left, relation, right) if left.is_variable and right.is_variable:
            (_, one), (_, other) = left.terms[0], right.terms[0]
            if isinstance(one, Variable) and isinstance(other, Variable):
                return one, SYMBOLS.get(relation, relation), other
    return None


def _links(scope: Sequence[Variable], grid: Grid) -> tuple[Link, ...]:
    """Pairs of neighbours that join all cells, from the first in reading order on; none if they do not touch."""
    first, *rest = sorted(scope, key=grid.__getitem__)
    reached, links = [first], []
    while rest:
        step = next(((a, b) for a in reached for b in rest if _apart(grid[a], grid[b]) == 1), None)
        if step is None:
            return ()
        links.append(step)
        reached.append(step[1])
        rest.remove(step[1])
    return tuple(links)


def _apart(one: tuple[int, int], other: tuple[int, int]) -> int:
    return abs(one[0] - other[0]) + abs(one[1] - other[1])


def _sign(number: int, constraint: Constraint, grid: Grid, links: Sequence[Link]) -> Sign | None:
    known = compared(constraint)
    if known is None or not links:
        return None
    left, text, right = known
    (one, other), *_ = links
    text = text if (one, other) == (left, right) else MIRRORED[text]
    return Sign(number, one, other, escape(text) if grid[one][0] == grid[other][0] else UPRIGHT[text])


def _cage(number: int, constraint: Constraint, links: tuple[Link, ...]) -> Cage | None:
    text = clue(constraint) or constraint.label
    return Cage(number, links, text) if text and text_width(text, 12) <= WIDEST else None


def _placed(cages: Sequence[Cage], grid: Grid) -> dict[int, Cage]:
    """The cages that have a place, by their numbers, each with the side for its text."""
    cells = {cage.number: {v for link in cage.links for v in link} for cage in cages}
    across, down = (
        {n for n, own in cells.items() if len({grid[v][axis] for v in own}) == 1} for axis in (0, 1)
    )  # fmt: skip
    cross = not {v for n in across for v in cells[n]}.isdisjoint(v for n in down for v in cells[n])
    operates = any(cage.text[-1] in "×−÷" for cage in cages)
    taken: set[object] = set()
    found = {}
    for cage in sorted(cages, key=lambda one: one.number not in across | down):
        cage = replace(cage, side="left" if cross and cage.number in across else "above")
        if operates and cage.text.isdigit():
            cage = replace(cage, text=f"{cage.text}+")
        places = {frozenset(link) for link in cage.links} | {(cage.corner, cage.side)}
        row, column = grid[cage.corner]
        fits = cage.side == "above" or (row, column - 1) not in grid.values() or text_width(cage.text, 12) < NARROW
        if fits and taken.isdisjoint(places):
            taken |= places
            found[cage.number] = cage
    return found
