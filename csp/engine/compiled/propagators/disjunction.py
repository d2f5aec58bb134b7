"""A propagator for disjunctions: at least one of several constraints holds."""

from __future__ import annotations

from ....model import Constraint, Either
from .base import Consistency, Context, Masks, Propagator
from .logic import make_parts


def make_either(constraint: Constraint, context: Context) -> Propagator | None:
    """Return the propagator of a disjunction; None if one of the alternatives always holds."""
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
