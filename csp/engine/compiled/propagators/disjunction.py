"""At least one of several constraints holds."""

from __future__ import annotations

from ....model import Constraint, Either
from .base import Consistency, Context, Masks, Propagator
from .logic import make_inner


def make_either(constraint: Constraint, context: Context) -> Propagator | None:
    """The filter of a disjunction; None where an alternative holds whatever the values are."""
    made = Disjunction(constraint, context)
    is_idle = not context.is_inside and made.entailment([(1 << len(domain)) - 1 for domain in made.domains])
    return None if is_idle else made


class Disjunction(Propagator):
    """Constructive disjunction: a value goes when every alternative that can still hold removes it.

    Domain-consistent if the filters of all alternatives are.

    References
    ----------
    .. [1] P. Van Hentenryck, V. Saraswat, Y. Deville, "Design, implementation, and evaluation of the constraint
       language cc(FD)", 1998.
    """

    claim = "check"

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Either)
        super().__init__(constraint, context)
        self.parts = make_inner(constraint.alternatives, constraint, context)

    def consistency_of(self, masks: Masks) -> Consistency:
        claims = {part.consistency_of([masks[position] for position in positions]) for part, positions in self.parts}
        return "domain" if claims == {"domain"} else "check"

    def prune(self, masks: Masks) -> Masks | None:
        kept = [0] * len(masks)
        possible = False
        for part, positions in self.parts:
            own = [masks[position] for position in positions]
            self.memory.steps += 2 + 2 * len(positions)
            known = part.entailment(own)
            if known:
                return masks
            left = None if known is False else part.prune(own)
            if left is None:
                continue
            if left is own or left == own:
                return masks  # nothing goes by this alternative
            possible = True
            whole = list(masks)
            for position, mask in zip(positions, left, strict=True):
                whole[position] = mask
            kept = [one | other for one, other in zip(kept, whole, strict=True)]
        return kept if possible else None

    def entailment(self, masks: Masks) -> bool | None:
        self.memory.steps += len(masks)
        known = [part.entailment([masks[position] for position in positions]) for part, positions in self.parts]
        return True if True in known else None if None in known else False
