"""Constraints that a grid shows between its cells: comparisons as signs, sums and products as cages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ..model import Affine, AllDifferent, Comparison, Constraint, Equality, Linear, Model, Operation, Variable
from .grid import Grid
from .style import escape, text_width

SYMBOLS = {"<=": "≤", ">=": "≥", "!=": "≠"}
MIRRORED = {"<": ">", "≤": "≥", ">": "<", "≥": "≤", "≠": "≠", "=": "=", "<=": ">=", ">=": "<="}
UPRIGHT = {"<": "∧", "≤": "<U>∧</U>", ">": "∨", "≥": "<U>∨</U>", "≠": "≠", "=": "‖"}
"""The same signs, turned to stand between a cell and the one below it, in HTML."""
WIDEST = 52.0
"""A cage is named by a text no wider than a cell."""


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
    """

    number: int
    links: tuple[tuple[Variable, Variable], ...]
    text: str

    @property
    def corner(self) -> Variable:
        """The cell that carries the text: the first one in reading order."""
        return self.links[0][0]


def signs(model: Model, grids: Sequence[Grid]) -> list[Sign | Cage]:
    """Which constraints a grid can show between its cells.

    Parameters
    ----------
    model : Model
    grids : sequence of mapping of Variable to (int, int)
        Row and column of the variables of each grid.

    Returns
    -------
    list of Sign or Cage
        In the order of the model, without groups that must differ and without what is ``unsaid``.

    Examples
    --------
    >>> from csp import Affine
    >>> one, other = Variable("x", 1, 1), Variable("x", 1, 2)
    >>> less = Linear(Affine.variable(other), "<", Affine.variable(one))
    >>> [sign.text for sign in signs(Model({one: (1, 2), other: (1, 2)}, [less]), [{one: (0, 0), other: (0, 1)}])]
    ['&gt;']
    """
    found: list[Sign | Cage] = []
    hidden = unsaid(model)
    for number, constraint in enumerate(model.constraints):
        if isinstance(constraint, AllDifferent) or len(constraint.scope) < 2 or number in hidden:
            continue
        for grid in grids:
            if all(variable in grid for variable in constraint.scope):
                links = _links(constraint.scope, grid)
                shown = _sign(number, constraint, grid, links) or _cage(number, constraint, links)
                found += [shown] if links and shown else []
    return found


def unsaid(model: Model) -> frozenset[int]:
    """The numbers of the constraints that no line of the spec says: they were found to follow, and show only at work.

    Parameters
    ----------
    model : Model
        Where no constraint has a line, as in a model that was made without a spec, all count as said.

    Returns
    -------
    frozenset of int

    Examples
    --------
    >>> unsaid(Model({v: (1, 2) for v in "ABC"}, [AllDifferent.of("AB", line=7), AllDifferent.of("BC")]))
    frozenset({1})
    """
    said = {number for number, constraint in enumerate(model.constraints) if constraint.line}
    return frozenset(range(len(model.constraints))) - said if said else frozenset()


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


def _links(scope: Sequence[Variable], grid: Grid) -> tuple[tuple[Variable, Variable], ...]:
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


def _sign(number: int, constraint: Constraint, grid: Grid, links: Sequence[tuple[Variable, Variable]]) -> Sign | None:
    known = compared(constraint)
    if known is None or not links:
        return None
    left, text, right = known
    (one, other), *_ = links
    text = text if (one, other) == (left, right) else MIRRORED[text]
    return Sign(number, one, other, escape(text) if grid[one][0] == grid[other][0] else UPRIGHT[text])


def _cage(number: int, constraint: Constraint, links: tuple[tuple[Variable, Variable], ...]) -> Cage | None:
    text = _total(constraint) or constraint.label
    return Cage(number, links, text) if text and text_width(text, 12) <= WIDEST else None


def _total(constraint: Constraint) -> str:
    """What a plain sum must be, or a plain product."""
    if not isinstance(constraint, Comparison):
        return ""
    sides = [(constraint.left, constraint.relation, constraint.right)]
    sides += [(right, MIRRORED.get(relation, relation), left) for left, relation, right in sides]
    for terms, relation, total in sides:
        if total.terms or terms.constant or any(coefficient != 1 for coefficient, _ in terms.terms):
            continue
        text = str(total) if relation == "=" else f"{SYMBOLS.get(relation, relation)} {total}"
        match terms.terms:
            case ((_, Operation("*", factors)),) if all(isinstance(f, Affine) and f.is_variable for f in factors):
                return f"{text}×"
            case atoms if all(isinstance(atom, Variable) for _, atom in atoms):
                return text
    return ""
