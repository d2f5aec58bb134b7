"""How many of several conditions hold, each on a variable of its own, compared with a number or a variable."""

from __future__ import annotations

from typing import NamedTuple

from ....model import COMPARE, Comparison, Constraint, Operation, Variable
from .base import Context, Masks, Propagator, bits
from .unary import satisfying_values


class CountShape(NamedTuple):
    """``factor*count(conditions) + coefficient*number + constant`` compared with 0; there may be no ``number``."""

    factor: int
    conditions: list[Constraint]
    coefficient: int
    number: Variable | None


def count_shape(constraint: Comparison) -> CountShape | None:
    """The shape of a comparison of a count, if no two conditions are on one variable but that of the number."""
    counts = [(factor, atom) for factor, atom in constraint.difference.terms if isinstance(atom, Operation)]
    others = [(factor, atom) for factor, atom in constraint.difference.terms if isinstance(atom, Variable)]
    if len(counts) != 1 or len(others) > 1 or len(counts) + len(others) < len(constraint.difference.terms):
        return None
    ((factor, count),) = counts
    coefficient, number = others[0] if others else (0, None)
    conditions = [one for one in count.operands if isinstance(one, Constraint)]
    free = [one.scope for one in conditions if one.scope != (number,)]
    variables = {variable for scope in free for variable in scope} | ({number} if number else set())
    is_counted = count.operator == "count" and all(len(scope) < 2 for scope in free)
    is_apart = len(constraint.scope) == len(variables) == sum(map(len, free)) + (number is not None)
    return CountShape(factor, conditions, coefficient, number) if is_counted and is_apart else None


def has_count_shape(constraint: Comparison, context: Context) -> bool:
    """Whether ``Counting`` is the filter of a comparison."""
    shape = count_shape(constraint)
    return shape is not None and (shape.number is None or isinstance(context.domain(shape.number)[-1], int))


class Counting(Propagator):
    """When no more may hold, all that are open do not; when all that are open are needed, they do.

    Domain-consistent, also where the number is a variable that stands in conditions itself: for each of its values it
    is known how many of the others may hold. O(conditions + values).
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Comparison)
        super().__init__(constraint, context)
        shape = count_shape(constraint)
        assert shape is not None
        place = {variable: i for i, variable in enumerate(self.scope)}
        own = [one for one in shape.conditions if not one.scope or one.scope == (shape.number,)]
        others = [one for one in shape.conditions if one.scope and one.scope != (shape.number,)]
        self._conditions = [(place[one.scope[0]], satisfying_values(one, context)) for one in others]
        """For each condition its variable, and the values for which it holds."""
        self._number = None if shape.number is None else place[shape.number]
        holds, constant = COMPARE[constraint.relation], constraint.difference.constant
        self._allowed: list[int] = []
        """For each value of the number, how many of the others may hold, as bits."""
        for value in (0,) if shape.number is None else self.domains[place[shape.number]]:
            assert isinstance(value, int)
            held = sum([one.check({shape.number: value} if shape.number else {}) for one in own])
            rest = shape.factor * held + shape.coefficient * value + constant
            self._allowed.append(sum(1 << k for k in range(len(others) + 1) if holds(shape.factor * k + rest, 0)))

    def prune(self, masks: Masks) -> Masks | None:
        low, window, open_ = self._states(masks)
        left = list(masks)
        if self._number is not None:
            left[self._number] = sum(1 << i for i in bits(masks[self._number]) if self._allowed[i] & window)
        allowed = 0
        for i in self._values(left):
            allowed |= self._allowed[i] & window
        if not allowed:
            return None
        if allowed == 1 << low:
            for position, own in open_:
                left[position] &= ~own
        elif allowed == 1 << window.bit_length() - 1:
            for position, own in open_:
                left[position] &= own
        return left

    def entailment(self, masks: Masks) -> bool | None:
        _, window, _ = self._states(masks)
        allowed = [self._allowed[i] & window for i in self._values(masks)]
        return True if all(one == window for one in allowed) else None if any(allowed) else False

    def _values(self, masks: Masks) -> list[int]:
        return [0] if self._number is None else [*bits(masks[self._number])]

    def _states(self, masks: Masks) -> tuple[int, int, list[tuple[int, int]]]:
        """How many conditions hold for certain, all numbers that are possible, as bits, and the conditions between."""
        self.memory.steps += len(self._conditions)
        low, open_ = 0, []
        for condition in self._conditions:
            mask = masks[condition[0]]
            if inside := mask & condition[1]:
                if inside == mask:
                    low += 1
                else:
                    open_.append(condition)
        return low, ((2 << len(open_)) - 1) << low, open_
