"""Propagators for constraints made of other constraints: conjunction, disjunction, equivalence, negation, counts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ....model import COMPARE, All, Comparison, Constraint, Either, Iff, Not, Operation, Variable, negated
from .base import Consistency, Context, Masks, Propagator, bits
from .tabulated import Tabulated
from .unary import satisfying_values


class InnerPropagator(NamedTuple):
    """The propagator of a constraint inside another one, with the positions of its variables there."""

    propagator: Propagator
    positions: list[int]

    def entailment(self, masks: Masks) -> bool | None:
        """Return whether the inner constraint is entailed (True), violated (False) or undecided."""
        propagator, positions = self
        propagator.meter.steps += 1 + len(positions)
        return propagator.entailment([masks[position] for position in positions])


def make_parts(parts: Iterable[Constraint], constraint: Constraint, context: Context) -> list[InnerPropagator]:
    """Return the propagator of each part, with the positions of the part's variables."""
    position_of = {variable: i for i, variable in enumerate(constraint.scope)}
    return [InnerPropagator(context.part(part), [position_of[variable] for variable in part.scope]) for part in parts]


class Conjunction(Propagator):
    """A propagator for conjunctions, which runs the propagators of its parts to a fixpoint.

    Domain-consistent if all parts are, and no two parts share a variable.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, All)
        super().__init__(constraint, context)
        self.claim = "check"
        self.parts = make_parts(constraint.constraints, constraint, context)
        self.is_disjoint = sum(len(positions) for _, positions in self.parts) == len(self.scope)

    def consistency_of(self, masks: Masks) -> Consistency:
        claims = {propagator.consistency_of([masks[i] for i in positions]) for propagator, positions in self.parts}
        return "domain" if self.is_disjoint and claims == {"domain"} else "check"

    def prune(self, masks: Masks) -> Masks | None:
        narrowed = list(masks)
        changed = True
        while changed:
            changed = False
            for propagator, positions in self.parts:
                part_masks = [narrowed[position] for position in positions]
                self.meter.steps += 1 + len(positions)
                part_narrowed = propagator.prune(part_masks)
                if part_narrowed is None:
                    return None
                for position, mask, before in zip(positions, part_narrowed, part_masks, strict=True):
                    if mask != before:
                        narrowed[position] = mask
                        # Parts without common variables need one pass only.
                        changed = not self.is_disjoint
        return narrowed

    def entailment(self, masks: Masks) -> bool | None:
        entailments = [part.entailment(masks) for part in self.parts]
        return False if False in entailments else None if None in entailments else True


class Equivalence(Propagator):
    """A propagator for ``<->`` whose sides share no variable. Domain-consistent."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Iff)
        super().__init__(constraint, context)
        self.sides = make_parts(constraint.parts(), constraint, context)
        self.opposites = make_parts(map(negated, constraint.parts()), constraint, context)

    def prune(self, masks: Masks) -> Masks | None:
        entailments = [side.entailment(masks) for side in self.sides]
        if entailments == [None, None]:
            return masks
        if None not in entailments:
            return masks if entailments[0] == entailments[1] else None
        # One side is decided: enforce the other side or its negation.
        side = entailments.index(None)
        propagator, positions = (self.sides if entailments[1 - side] else self.opposites)[side]
        part_narrowed = propagator.prune([masks[position] for position in positions])
        if part_narrowed is None:
            return None
        narrowed = list(masks)
        for position, mask in zip(positions, part_narrowed, strict=True):
            narrowed[position] = mask
        return narrowed

    def entailment(self, masks: Masks) -> bool | None:
        left, right = [side.entailment(masks) for side in self.sides]
        return None if left is None or right is None else left == right


def make_equivalence(constraint: Constraint, context: Context) -> Propagator:
    """Return the propagator of an equivalence (``<->``).

    Sides that are exact and share no variables get `Equivalence`, others `Probing`.
    """
    assert isinstance(constraint, Iff)
    sides = constraint.left, constraint.right
    is_disjoint = sum([len(side.scope) for side in sides]) == len(constraint.scope)
    return (Equivalence if is_disjoint and all(map(_is_exact, sides)) else Probing)(constraint, context)


def _is_exact(condition: Constraint) -> bool:
    """Return whether propagators decide the entailment of a condition exactly, not only approximately."""
    if isinstance(condition, All | Either):
        parts = [part for part in condition.parts() if isinstance(part, Constraint)]
        return len(condition.scope) == sum([len(part.scope) for part in parts]) and all(map(_is_exact, parts))
    return len(condition.scope) == 1


class Probing(Tabulated):
    """A propagator for ``not`` and ``<->`` that tests each value of each variable alone.

    It removes a value if the constraint is violated as soon as the variable has it. If few assignments remain, it uses
    a table of those that satisfy the constraint.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Not | Iff)
        super().__init__(constraint, context)
        self.parts = make_parts(constraint.parts(), constraint, context)

    def entailment(self, masks: Masks) -> bool | None:
        first, *rest = [part.entailment(masks) for part in self.parts]
        if first is None or None in rest:
            return None
        return rest == [first] if rest else not first

    def prune(self, masks: Masks) -> Masks | None:
        # With few assignments the table is exact.
        if self._assignments(masks) <= self._limit:
            return self._table(masks).prune(masks)
        narrowed = list(masks)
        for position, mask in enumerate(masks):
            # Fix the variable to each of its values in turn, and keep those that may satisfy the constraint.
            possible = 0
            for index in bits(mask):
                narrowed[position] = 1 << index
                if self.entailment(narrowed) is not False:
                    possible |= 1 << index
            if not possible:
                return None
            narrowed[position] = possible
        return narrowed


def make_either(constraint: Constraint, context: Context) -> Propagator | None:
    """Return the propagator of a disjunction; None if it always holds at the top level."""
    propagator = Disjunction(constraint, context)
    is_entailed = not context.is_inside and propagator.entailment(
        [(1 << len(domain)) - 1 for domain in propagator.domains]
    )
    return None if is_entailed else propagator


class Disjunction(Propagator):
    """A propagator that keeps the values that some alternative supports (constructive disjunction).

    It removes a value if every alternative that can still hold removes it. Domain-consistent if the propagators of all
    alternatives are.

    References
    ----------
    .. [1] P. Van Hentenryck, V. Saraswat, Y. Deville, "Design, implementation, and evaluation of the constraint
       language cc(FD)", 1998.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Either)
        super().__init__(constraint, context)
        self.claim = "check"
        self.parts = make_parts(constraint.alternatives, constraint, context)

    def consistency_of(self, masks: Masks) -> Consistency:
        claims = {part.consistency_of([masks[position] for position in positions]) for part, positions in self.parts}
        return "domain" if claims == {"domain"} else "check"

    def prune(self, masks: Masks) -> Masks | None:
        union = [0] * len(masks)
        is_possible = False
        for part, positions in self.parts:
            part_masks = [masks[position] for position in positions]
            self.meter.steps += 2 + 2 * len(positions)
            entailment = part.entailment(part_masks)
            if entailment:
                return masks
            narrowed = None if entailment is False else part.prune(part_masks)
            if narrowed is None:
                continue
            # An alternative that removes nothing makes the union equal to the domains.
            if narrowed is part_masks or narrowed == part_masks:
                return masks
            is_possible = True
            alternative = list(masks)
            for position, mask in zip(positions, narrowed, strict=True):
                alternative[position] = mask
            # Unite the domains over all alternatives.
            union = [left | right for left, right in zip(union, alternative, strict=True)]
        return union if is_possible else None

    def entailment(self, masks: Masks) -> bool | None:
        self.meter.steps += len(masks)
        entailments = [part.entailment([masks[position] for position in positions]) for part, positions in self.parts]
        return True if True in entailments else None if None in entailments else False


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
        """Return the positions of the values that the compared variable still has."""
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
