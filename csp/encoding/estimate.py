"""How large the formula of constraints will be, without making it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import prod

from ..model import (
    Affine,
    Atom,
    Circuit,
    Comparison,
    Connected,
    Constraint,
    Either,
    Element,
    Iff,
    Operation,
    Runs,
    Table,
    Variable,
)
from ..model.expression import Condition
from .encoder import MAX_TRIED
from .shape import is_count
from .sums import MAX_STEPS

Sizes = Callable[[Variable], int]
"""How many values a variable has left."""

VALUE, GATE, STEP, WEIGHT, COUNT, COUNTED = 3, 3, 2, 4, 20, 2
"""About how many literals introduce a value, define a condition by each part, say a step of a diagram, a weight, and
take as long as beginning a count and as a condition that is counted."""


def estimate_literals(constraints: Iterable[Constraint], sizes: Sizes) -> int:
    """About how many literals say that constraints hold.

    ``sizes``: how many values each variable has. Returns seldom more than twice or less than half of what ``Encoder``
    writes.

    Notes
    -----
    O(size of the constraints).

    Examples
    --------
    >>> from csp import Affine, AllDifferent, Linear
    >>> estimate_literals([AllDifferent.of("ABCD")], lambda variable: 9)
    72
    >>> x, y, z = map(Affine.variable, "xyz")
    >>> estimate_literals([Linear(x + y + z, "=", Affine((), 9))], lambda variable: 20)
    481
    """
    estimate = _Estimate(sizes)
    return sum([estimate.estimate(constraint) for constraint in constraints])


class _Estimate:
    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._known: set[Constraint] = set()
        self._bounded: set[Variable | Atom] = set()  # what has literals for its bounds

    def estimate(self, constraint: Constraint) -> int:
        own = [self._sizes(variable) for variable in constraint.scope]
        if elements := constraint.apart():
            return sum(own) * (1 if len(elements) == 2 else 2)
        if isinstance(constraint, Either) and all([len(one.scope) == 1 for one in constraint.alternatives]):
            return len(own)
        if is_count(constraint):
            return sum([size // 2 + 1 for size in own]) + COUNT + COUNTED * len(own)
        if not isinstance(constraint, Connected | Circuit | Iff | Runs) and (tried := prod(own)) <= MAX_TRIED:
            return 3 * tried * len(own) // 8 + 1
        return self._part(constraint)

    def _part(self, part: Affine | Condition | Atom) -> int:
        """About how many literals it takes to say what a part is worth, or whether it holds; a condition once."""
        if isinstance(part, Constraint):
            if part in self._known:
                return 0
            self._known.add(part)
            if len(part.scope) == 1:
                return self._sizes(part.scope[0]) // 2 + 1
        match part:
            case Affine(terms=((_, Variable() as variable),)):
                return self._sizes(variable)
            case Affine():
                return self._sum(part)
            case Connected():
                conditions = [condition for _, condition in part.places if condition is not None]
                return GATE * (len(part.places) + sum(map(len, part.neighbours))) + self._parts(conditions)
            case Circuit():
                return GATE * self._parts(part.elements)
            case Runs():
                states = 1 + len(part.sums) + sum(map(abs, part.sums))
                return GATE * states * self._parts(part.elements)
            case Table():
                rows = min(len(part.rows), prod([self._sizes(variable) for variable in part.scope]))
                return (len(part.scope) + 2) * rows
            case Comparison():
                return self._part(part.difference) + 1
            case Element():
                return GATE * sum([1 + self._sizes(member) for member in part.members])
            case Operation() if part.operator != "count":
                return GATE * self._pairs(part) + self._parts(part.parts())
            case Atom() | Constraint():
                return GATE * len(part.parts()) + self._parts(part.parts())
        return 0

    def _parts(self, parts: Iterable[Affine | Condition]) -> int:
        return sum([self._part(part) for part in parts])

    def _pairs(self, operation: Operation) -> int:
        """How many pairs of values are looked at where operands are taken one after another."""
        reached, pairs = 1, 0
        for values in map(self._values, operation.parts()):
            pairs += reached * values
            reached = max(reached, values) if operation.operator in ("max", "min") else reached * values
        return pairs

    def _sum(self, expression: Affine) -> int:
        """The steps of a diagram, or the weights where these are fewer; and what is added up."""
        widths = [width for _, atom in expression.terms for width in self._widths(atom)]
        states, steps, most = 1, 0, 2 * sum(widths)
        for width in sorted(widths):
            steps += states * width
            states = min(states * width, most)
        inside = sum([self._part(atom) for _, atom in expression.terms if isinstance(atom, Atom)])
        if steps <= MAX_STEPS:
            return inside + STEP * steps
        fresh = [atom for _, atom in expression.terms if atom not in self._bounded]
        self._bounded.update(fresh)
        return inside + WEIGHT * (sum(widths) + sum([width for atom in fresh for width in self._widths(atom)]))

    def _values(self, part: Affine | Condition) -> int:
        """About how many values an expression has."""
        if not isinstance(part, Affine):
            return 2
        widths = [(abs(coefficient), width) for coefficient, atom in part.terms for width in self._widths(atom)]
        return min(prod([width for _, width in widths]), 1 + sum([times * (width - 1) for times, width in widths]))

    def _widths(self, part: Variable | Atom) -> list[int]:
        """How many values each of the terms has that an addend is."""
        if isinstance(part, Variable):
            return [self._sizes(part)]
        conditions = [one for one in part.parts() if not isinstance(one, Affine)]
        if conditions:
            return [2] * len(conditions)
        return [max(map(self._sizes, part.variables), default=1)]
