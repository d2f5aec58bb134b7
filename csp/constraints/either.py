"""At least one of several constraints holds."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ..model import Domain, ModelError, Quote, Value, Variable
from .base import Constraint, Domains


@dataclass(frozen=True)
class Either(Constraint):
    """``first ; second ; ...``: at least one alternative holds.

    Strength: constructive disjunction: a value goes when every alternative that can still hold removes it.

    Parameters
    ----------
    alternatives : tuple of Constraint

    References
    ----------
    .. [1] P. Van Hentenryck, V. Saraswat, Y. Deville, "Design, implementation, and evaluation of the constraint
       language cc(FD)", 1998.

    Examples
    --------
    >>> from csp.constraints import Affine, Linear
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> rule = Either((Linear(x, "=", 2 * y), Linear(y, "=", 2 * x)))
    >>> print(rule, [sorted(kept) for kept in rule.filter([(1, 2, 3, 4), (1, 3, 4)])])
    x = 2*y ; y = 2*x [[2], [1, 4]]
    """

    alternatives: tuple[Constraint, ...]

    def __post_init__(self) -> None:
        if not self.alternatives:
            raise ModelError("a disjunction needs an alternative")

    @property
    def scope(self) -> tuple[Variable, ...]:
        return tuple(dict.fromkeys(variable for one in self.alternatives for variable in one.scope))

    def check(self, values: Mapping[str, Value]) -> bool:
        return any(one.check(values) for one in self.alternatives)

    def decided(self, domains: Domains) -> bool | None:
        known = [one.decided(domains) for one in self.alternatives]
        return True if True in known else None if None in known else False

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        own = dict(zip(self.scope, domains, strict=True))
        kept: dict[Variable, set[Value]] = {variable: set() for variable in own}
        for one in self.alternatives:
            known = one.decided(own)
            if known:
                return domains
            if known is False:
                continue
            left = dict(own)
            left.update(zip(one.scope, map(tuple, one.filter([own[v] for v in one.scope])), strict=True))
            if all(left.values()):
                for variable, values in left.items():
                    kept[variable].update(values)
        return list(kept.values())

    def text(self, quote: Quote = str) -> str:
        return " ; ".join([one.text(quote) for one in self.alternatives])
