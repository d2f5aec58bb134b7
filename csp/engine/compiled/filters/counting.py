"""How many of several conditions hold, each on a variable of its own."""

from __future__ import annotations

from ....model import COMPARE, Comparison, Constraint, Operation, negated
from .base import Context, Filter, Masks


def counts(constraint: Comparison) -> bool:
    """Whether a comparison is about the number of conditions on one variable each, no two on the same."""
    match constraint.difference.terms:
        case ((_, Operation(operator="count", operands=conditions)),):
            scopes = [one.scope for one in conditions if isinstance(one, Constraint)]
            return len(constraint.scope) == sum(map(len, scopes)) and all(len(scope) < 2 for scope in scopes)
    return False


class Counting(Filter):
    """When no more may hold, all that are open do not; when all that are open are needed, they do.

    Domain-consistent. O(conditions).
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Comparison)
        super().__init__(constraint, context)
        ((factor, count),) = constraint.difference.terms
        assert isinstance(count, Operation)
        conditions = [one for one in count.operands if isinstance(one, Constraint)]
        place = {variable: i for i, variable in enumerate(self.scope)}
        self.at = [[place[variable] for variable in one.scope] for one in conditions]
        self.parts = [context.part(one) for one in conditions]
        self.opposites = [context.part(negated(one)) for one in conditions]
        holds, constant = COMPARE[constraint.relation], constraint.difference.constant
        self.allowed = [holds(factor * number + constant, 0) for number in range(len(conditions) + 1)]

    def filter(self, masks: Masks) -> Masks | None:
        states = self._states(masks)
        low = states.count(True)
        high = low + states.count(None)
        if True not in self.allowed[low : high + 1]:
            return None
        if True not in self.allowed[low + 1 : high + 1]:
            filters = self.opposites
        elif True not in self.allowed[low:high]:
            filters = self.parts
        else:
            return masks
        left = list(masks)
        for state, own, at in zip(states, filters, self.at, strict=True):
            if state is None:
                (position,) = at
                kept = own.filter([left[position]])
                if kept is None:
                    return None
                left[position] = kept[0]
        return left

    def decided(self, masks: Masks) -> bool | None:
        states = self._states(masks)
        low = states.count(True)
        possible = {*self.allowed[low : low + states.count(None) + 1]}
        return possible.pop() if len(possible) == 1 else None

    def _states(self, masks: Masks) -> list[bool | None]:
        return [
            part.decided([masks[position] for position in at]) for part, at in zip(self.parts, self.at, strict=True)
        ]
