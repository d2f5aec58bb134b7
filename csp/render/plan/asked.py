"""What a constraint asks of a line of cells, or of the cells around one, in as few signs as a printed puzzle has."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...model import Comparison, Constraint, Either, Model, Operation, Variable
from .clues import MIRRORED, SYMBOLS, clue
from .grid import Grid

Asked = tuple[str, Variable | None]
"""The text, and the cell from which it is seen if that matters."""


def asked(constraint: Constraint) -> Asked | None:
    """A total, a number of cells that hold, or a number of cells that are seen.

    Examples
    --------
    >>> from csp import Affine, Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> asked(Linear(x + y, "=", Affine((), 9)))
    ('9', None)
    """
    if text := clue(constraint):
        return text, None
    if isinstance(constraint, Comparison):
        for one, other in ((constraint.left, constraint.right), (constraint.right, constraint.left)):
            match one.terms:
                case ((1, Operation("count", conditions)),) if not one.constant and not other.terms:
                    own = constraint.relation
                    own = own if one is constraint.left else MIRRORED.get(own, own)
                    sign = "" if own == "=" else f"{SYMBOLS.get(own, own)} "
                    whole = [part for part in conditions if isinstance(part, Constraint)]
                    return f"{sign}{other.constant}", _seen_from(whole)
    return None


def _seen_from(conditions: Sequence[Constraint]) -> Variable | None:
    """The first of some cells, each of which must be larger than all before it."""
    order = sorted(conditions, key=lambda one: len(one.scope))
    before: set[Variable] = set()
    for one in order:
        if not isinstance(one, Comparison) or one.relation != ">" or not one.left.is_variable:
            return None
        (_, own), *_ = one.left.terms
        if not isinstance(own, Variable) or set(one.scope) != {own} | before:
            return None
        if before and not isinstance(one.right.terms[0][1], Operation | Variable):
            return None
        before.add(own)
    return order[0].scope[0] if len(order) > 1 else None


def sandwiches(model: Model, grid: Grid) -> Iterator[tuple[tuple[int, ...], tuple[Variable, ...], str]]:
    """Lines of which all that lies between two of their cells adds up, whichever two these are.

    It is told for each two cells as an alternative: one of them is no crust, or what is between has the sum.

    Yields
    ------
    tuple of int, tuple of Variable, str
        The numbers of these constraints, the line, and the sum.
    """
    found: dict[tuple[int, int], tuple[list[int], set[str]]] = {}
    for number, constraint in enumerate(model.constraints):
        if not isinstance(constraint, Either) or not all(v in grid for v in constraint.scope):
            continue
        crusts = [part.scope[0] for part in constraint.alternatives if len(part.scope) == 1]
        sums = [part for part in constraint.alternatives if isinstance(part, Comparison) and len(part.scope) > 1]
        sums += [part for part in constraint.alternatives[2:] if isinstance(part, Comparison) and len(part.scope) == 1]
        if not 2 <= len(crusts) <= 3 or len(constraint.alternatives) != 3 or len(sums) != 1:
            continue
        (r, c), (s, d) = (grid[v] for v in crusts[:2])
        axis = 0 if r == s else 1 if c == d else -1
        if axis < 0 or {grid[v] for v in sums[0].scope} != _between((r, c), (s, d)):
            continue
        numbers, totals = found.setdefault((axis, (r, c)[axis]), ([], set()))
        numbers.append(number)
        totals.add(clue(sums[0]))
    for (axis, index), (numbers, totals) in found.items():
        line = tuple(sorted((v for v in grid if grid[v][axis] == index), key=grid.__getitem__))
        if len(totals) == 1 and (text := totals.pop()):
            yield tuple(numbers), line, text


def _between(one: tuple[int, int], other: tuple[int, int]) -> set[tuple[int, int]]:
    (r, c), (s, d) = sorted((one, other))
    return {(i, j) for i in range(r, s + 1) for j in range(c, d + 1)} - {(r, c), (s, d)}


def parity(model: Model, grid: Grid) -> dict[Variable, tuple[str, tuple[int, ...]]]:
    """The cells of which only even, or only odd values are asked, where others have both.

    Returns
    -------
    dict of Variable to (str, tuple of int)
        ``even`` or ``odd``, and the numbers of the constraints that say so.

    Examples
    --------
    >>> from csp import Affine, Model
    >>> x, y = Variable("x"), Variable("y")
    >>> model = Model({x: (2, 4), y: (1, 2, 3, 4)})
    >>> parity(model, {x: (0, 0), y: (0, 1)})
    {'x': ('even', ())}
    """
    every = {value for v in grid for value in model.domains[v] if isinstance(value, int)}
    of = {0: {value for value in every if value % 2 == 0}, 1: {value for value in every if value % 2}}
    if min(len(of[0]), len(of[1])) < 2 or any(isinstance(value, str) for v in grid for value in model.domains[v]):
        return {}
    found: dict[Variable, tuple[str, tuple[int, ...]]] = {}
    own: dict[Variable, list[tuple[int, Constraint]]] = {}
    for number, constraint in enumerate(model.constraints):
        if len(constraint.scope) == 1:
            own.setdefault(constraint.scope[0], []).append((number, constraint))
    for v in grid:
        sets: list[tuple[tuple[int, ...], set[object]]] = [((), set(model.domains[v]))]
        sets += [
            ((number,), {value for value in model.domains[v] if one.check({v: value})})
            for number, one in own.get(v, ())
        ]
        for numbers, left in sets:
            for rest, name in ((0, "even"), (1, "odd")):
                if left == of[rest]:
                    found[v] = name, numbers
    return found
