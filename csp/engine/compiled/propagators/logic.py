"""Constraints made of others: conjunction, equivalence and negation."""

from __future__ import annotations

from collections.abc import Iterable

from ....model import All, Constraint, Either, Iff, Not, negated
from .base import Consistency, Context, Masks, Propagator, bits
from .tabulated import Tabulated

Inner = tuple[Propagator, list[int]]
"""The filter of a constraint inside another one, and where its variables stand in the scope of that."""


def make_inner(parts: Iterable[Constraint], constraint: Constraint, context: Context) -> list[Inner]:
    """The filters of constraints inside another one."""
    place = {variable: i for i, variable in enumerate(constraint.scope)}
    return [(context.part(part), [place[variable] for variable in part.scope]) for part in parts]


def part_entailment(part: Inner, masks: Masks) -> bool | None:
    """Whether a part holds for certain (True), cannot hold (False), or may do either (None)."""
    propagator, positions = part
    propagator.memory.steps += 1 + len(positions)
    return propagator.entailment([masks[position] for position in positions])


class Conjunction(Propagator):
    """The filters of all parts, until nothing changes.

    Domain-consistent if they are, and no two parts have a variable in common.
    """

    claim: Consistency = "check"

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, All)
        super().__init__(constraint, context)
        self.parts = make_inner(constraint.constraints, constraint, context)
        self.apart = sum(len(positions) for _, positions in self.parts) == len(self.scope)

    def consistency_of(self, masks: Masks) -> Consistency:
        claims = {propagator.consistency_of([masks[i] for i in positions]) for propagator, positions in self.parts}
        return "domain" if self.apart and claims == {"domain"} else "check"

    def prune(self, masks: Masks) -> Masks | None:
        left = list(masks)
        changed = True
        while changed:
            changed = False
            for propagator, positions in self.parts:
                own = [left[position] for position in positions]
                self.memory.steps += 1 + len(positions)
                kept = propagator.prune(own)
                if kept is None:
                    return None
                for position, mask, before in zip(positions, kept, own, strict=True):
                    if mask != before:
                        left[position] = mask
                        changed = not self.apart
        return left

    def entailment(self, masks: Masks) -> bool | None:
        known = [part_entailment(part, masks) for part in self.parts]
        return False if False in known else None if None in known else True


class Equivalence(Propagator):
    """When one side is decided, the other one is made to be like it. The sides have no variable in common."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Iff)
        super().__init__(constraint, context)
        self.sides = make_inner(constraint.parts(), constraint, context)
        self.opposites = make_inner(map(negated, constraint.parts()), constraint, context)

    def prune(self, masks: Masks) -> Masks | None:
        known = [part_entailment(side, masks) for side in self.sides]
        if known == [None, None]:
            return masks
        if None not in known:
            return masks if known[0] == known[1] else None
        place = known.index(None)
        own, positions = (self.sides if known[1 - place] else self.opposites)[place]
        kept = own.prune([masks[position] for position in positions])
        if kept is None:
            return None
        left = list(masks)
        for position, mask in zip(positions, kept, strict=True):
            left[position] = mask
        return left

    def entailment(self, masks: Masks) -> bool | None:
        one, other = [part_entailment(side, masks) for side in self.sides]
        return None if one is None or other is None else one == other


def make_equivalence(constraint: Constraint, context: Context) -> Propagator:
    """The filter of ``<->``: of each side by itself, where it is exactly known when they hold."""
    assert isinstance(constraint, Iff)
    sides = constraint.left, constraint.right
    apart = sum([len(side.scope) for side in sides]) == len(constraint.scope)
    return (Equivalence if apart and all(map(_is_exact, sides)) else Probing)(constraint, context)


def _is_exact(condition: Constraint) -> bool:
    """Whether a condition is on one variable, or made of such ones on different variables."""
    if isinstance(condition, All | Either):
        parts = [part for part in condition.parts() if isinstance(part, Constraint)]
        return len(condition.scope) == sum([len(part.scope) for part in parts]) and all(map(_is_exact, parts))
    return len(condition.scope) == 1


class Probing(Tabulated):
    """``not`` and ``<->``: takes away each value with which it is decided that the constraint does not hold.

    A table of what satisfies it once few assignments are left.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Not | Iff)
        super().__init__(constraint, context)
        self.parts = make_inner(constraint.parts(), constraint, context)

    def entailment(self, masks: Masks) -> bool | None:
        one, *others = [part_entailment(part, masks) for part in self.parts]
        if one is None or None in others:
            return None
        return others == [one] if others else not one

    def prune(self, masks: Masks) -> Masks | None:
        if self._assignments(masks) <= self._most:
            return self._table(masks).prune(masks)
        left = list(masks)
        for position, mask in enumerate(masks):
            kept = 0
            for index in bits(mask):
                left[position] = 1 << index
                if self.entailment(left) is not False:
                    kept |= 1 << index
            if not kept:
                return None
            left[position] = kept
        return left
