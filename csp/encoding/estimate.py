"""An estimate of the number of literals that a formula would have, without writing it."""

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
from .terms import MAX_STEPS

Sizes = Callable[[Variable], int]
"""From a variable to the number of its remaining values."""

VALUE, GATE, STEP, WEIGHT, COUNT, COUNTED = 3, 3, 2, 4, 20, 2
"""Estimated literals: per value of a variable, per part of a gate, per step of a diagram, per weight, per count, and
per counted condition. The last two contain the time that a count takes, in literals."""


def estimate_literals(constraints: Iterable[Constraint], sizes: Sizes) -> int:
    """Estimate how many literals the encoder would write for constraints.

    ``sizes``: the number of values of each variable. The result is seldom more than twice or less than half of the
    number that ``Encoder`` writes.

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
    """An estimator of the literals of constraints, which counts shared parts only once."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self._counted: set[Constraint] = set()
        self._with_bounds: set[Variable | Atom] = set()

    def estimate(self, constraint: Constraint) -> int:
        """Return the estimated number of literals for a constraint that must hold."""
        sizes = [self._sizes(variable) for variable in constraint.scope]
        if elements := constraint.apart():
            return sum(sizes) * (1 if len(elements) == 2 else 2)
        if isinstance(constraint, Either) and all([len(part.scope) == 1 for part in constraint.alternatives]):
            return len(sizes)
        if is_count(constraint):
            return sum([size // 2 + 1 for size in sizes]) + COUNT + COUNTED * len(sizes)
        if not isinstance(constraint, Connected | Circuit | Iff | Runs) and (assignments := prod(sizes)) <= MAX_TRIED:
            return 3 * assignments * len(sizes) // 8 + 1
        return self._part(constraint)

    def _part(self, part: Affine | Condition | Atom) -> int:
        """Return the estimated literals of a constraint's part; 0 for a condition counted before."""
        if isinstance(part, Constraint):
            if part in self._counted:
                return 0
            self._counted.add(part)
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
        """Return the estimated number of literals for several parts together."""
        return sum([self._part(part) for part in parts])

    def _pairs(self, operation: Operation) -> int:
        """Return how many pairs of values the encoder combines for an operation."""
        results, pairs = 1, 0
        for operand_values in map(self._values, operation.parts()):
            pairs += results * operand_values
            results = max(results, operand_values) if operation.operator in ("max", "min") else results * operand_values
        return pairs

    def _sum(self, expression: Affine) -> int:
        """Return the estimated number of literals for a sum, by a diagram or by weights."""
        widths = [width for _, atom in expression.terms for width in self._widths(atom)]
        # A diagram has a layer for each term, and no more states than there are sums.
        states, diagram_steps, largest = 1, 0, 2 * sum(widths)
        for width in sorted(widths):
            diagram_steps += states * width
            states = min(states * width, largest)
        nested = sum([self._part(atom) for _, atom in expression.terms if isinstance(atom, Atom)])
        # `Sums.compare` takes the diagram as long as it is small.
        if diagram_steps <= MAX_STEPS:
            return nested + STEP * diagram_steps
        # Weights need literals for the bounds of each atom, which all sums share.
        new_atoms = [atom for _, atom in expression.terms if atom not in self._with_bounds]
        self._with_bounds.update(new_atoms)
        return nested + WEIGHT * (sum(widths) + sum([width for atom in new_atoms for width in self._widths(atom)]))

    def _values(self, part: Affine | Condition) -> int:
        """Return the estimated number of values of an expression."""
        if not isinstance(part, Affine):
            return 2
        widths = [(abs(coefficient), width) for coefficient, atom in part.terms for width in self._widths(atom)]
        return min(prod([width for _, width in widths]), 1 + sum([factor * (width - 1) for factor, width in widths]))

    def _widths(self, part: Variable | Atom) -> list[int]:
        """Return the estimated number of values of each addend that encodes a variable or atom."""
        if isinstance(part, Variable):
            return [self._sizes(part)]
        conditions = [operand for operand in part.parts() if not isinstance(operand, Affine)]
        if conditions:
            return [2] * len(conditions)
        return [max(map(self._sizes, part.variables), default=1)]
