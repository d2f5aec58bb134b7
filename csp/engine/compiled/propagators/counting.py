"""A propagator for comparisons of a number with how many conditions hold."""

from __future__ import annotations

from typing import NamedTuple

from ....model import COMPARE, Comparison, Constraint, Operation, Variable
from .base import Context, Masks, Propagator, bits
from .unary import satisfying_values


class CountShape(NamedTuple):
    """The parts of the left side of ``factor*count(conditions) + coefficient*number + constant <relation> 0``."""

    factor: int
    conditions: list[Constraint]
    coefficient: int
    number: Variable | None
    """The variable with which the count is compared; None if the comparison has only the constant."""


def count_shape(constraint: Comparison) -> CountShape | None:
    """Return the parts of a comparison that counts conditions, or None for other comparisons.

    Two conditions must not share a variable, except the number that the count is compared with.
    """
    counts = [(factor, atom) for factor, atom in constraint.difference.terms if isinstance(atom, Operation)]
    variables = [(factor, atom) for factor, atom in constraint.difference.terms if isinstance(atom, Variable)]
    if len(counts) != 1 or len(variables) > 1 or len(counts) + len(variables) < len(constraint.difference.terms):
        return None
    ((factor, count),) = counts
    coefficient, number = variables[0] if variables else (0, None)
    conditions = [condition for condition in count.operands if isinstance(condition, Constraint)]
    counted = [condition.scope for condition in conditions if condition.scope != (number,)]
    scope_variables = {variable for scope in counted for variable in scope} | ({number} if number else set())
    is_counted = count.operator == "count" and all(len(scope) < 2 for scope in counted)
    has_distinct_variables = (
        len(constraint.scope) == len(scope_variables) == sum(map(len, counted)) + (number is not None)
    )
    return CountShape(factor, conditions, coefficient, number) if is_counted and has_distinct_variables else None


def has_count_shape(constraint: Comparison, context: Context) -> bool:
    """Return whether ``Counting`` can propagate a comparison."""
    shape = count_shape(constraint)
    return shape is not None and (shape.number is None or isinstance(context.domain(shape.number)[-1], int))


class Counting(Propagator):
    """A propagator for counts of conditions that have one variable each. Domain-consistent.

    If no more conditions may hold, it makes all undecided ones false. If all undecided conditions are needed, it makes
    them true. The number may be a variable that conditions contain: each of its values has a set of allowed counts of
    the other conditions. O(conditions + values).
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Comparison)
        super().__init__(constraint, context)
        shape = count_shape(constraint)
        assert shape is not None
        position_of = {variable: i for i, variable in enumerate(self.scope)}
        # Conditions on the number itself are decided by its value; the others are counted.
        number_conditions = [
            condition for condition in shape.conditions if not condition.scope or condition.scope == (shape.number,)
        ]
        other_conditions = [
            condition for condition in shape.conditions if condition.scope and condition.scope != (shape.number,)
        ]
        self._conditions = [
            (position_of[condition.scope[0]], satisfying_values(condition, context)) for condition in other_conditions
        ]
        """For each condition on another variable: the variable's position, and the values that satisfy it."""
        self._number = None if shape.number is None else position_of[shape.number]
        holds, constant = COMPARE[constraint.relation], constraint.difference.constant
        self._allowed: list[int] = []
        """For each value of the number the allowed counts of the other conditions, as bits."""
        for value in (0,) if shape.number is None else self.domains[position_of[shape.number]]:
            assert isinstance(value, int)
            satisfied = sum(
                [condition.check({shape.number: value} if shape.number else {}) for condition in number_conditions]
            )
            offset = shape.factor * satisfied + shape.coefficient * value + constant
            self._allowed.append(
                sum(1 << k for k in range(len(other_conditions) + 1) if holds(shape.factor * k + offset, 0))
            )

    def prune(self, masks: Masks) -> Masks | None:
        low, window, undecided = self._states(masks)
        narrowed = list(masks)
        # A value of the number is supported if one of its allowed counts is possible.
        if self._number is not None:
            narrowed[self._number] = sum(1 << i for i in bits(masks[self._number]) if self._allowed[i] & window)
        allowed = 0
        for i in self._values(narrowed):
            allowed |= self._allowed[i] & window
        if not allowed:
            return None
        # At the lowest possible count all undecided conditions are false, at the highest all are true.
        if allowed == 1 << low:
            for position, satisfying in undecided:
                narrowed[position] &= ~satisfying
        elif allowed == 1 << window.bit_length() - 1:
            for position, satisfying in undecided:
                narrowed[position] &= satisfying
        return narrowed

    def entailment(self, masks: Masks) -> bool | None:
        _, window, _ = self._states(masks)
        allowed = [self._allowed[i] & window for i in self._values(masks)]
        return True if all(counts == window for counts in allowed) else None if any(allowed) else False

    def _values(self, masks: Masks) -> list[int]:
        """Return the positions of the remaining values in the domain of the number."""
        return [0] if self._number is None else [*bits(masks[self._number])]

    def _states(self, masks: Masks) -> tuple[int, int, list[tuple[int, int]]]:
        """Return how many conditions hold, the counts that are possible, and the undecided conditions.

        The possible counts are bits.
        """
        self.meter.steps += len(self._conditions)
        low, undecided = 0, []
        for condition in self._conditions:
            mask = masks[condition[0]]
            if satisfying := mask & condition[1]:
                if satisfying == mask:
                    low += 1
                else:
                    undecided.append(condition)
        return low, ((2 << len(undecided)) - 1) << low, undecided
