"""Propagators for constraints made of other constraints: conjunction, equivalence and negation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ....model import All, Constraint, Either, Iff, Not, negated
from .base import Consistency, Context, Masks, Propagator, bits
from .tabulated import Tabulated


class InnerPropagator(NamedTuple):
    """The propagator of a constraint inside another one, with the positions of its variables there."""

    propagator: Propagator
    positions: list[int]

    def entailment(self, masks: Masks) -> bool | None:
        """Return whether the domains of the outer scope entail the part; None if undecided."""
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
