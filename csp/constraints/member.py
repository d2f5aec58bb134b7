"""An expression takes one of some values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ..model import Domain, Quote, Value, Variable, show_domain
from .affine import Affine
from .base import Constraint, Context, Domains


@dataclass(frozen=True)
class Member(Constraint):
    """``expression in DOMAIN``.

    Strength: domain-consistent; ``prepared`` makes a variable of a larger expression.

    Parameters
    ----------
    expression : Affine
    values : tuple of int or str
        In the order of a domain.

    Examples
    --------
    >>> rule = Member(Affine.variable("x") + 1, (3, 5))
    >>> print(rule, [tuple(kept) for kept in rule.filter([(1, 2, 3, 4)])])
    x + 1 in {3, 5} [(2, 4)]
    """

    expression: Affine
    values: Domain

    @property
    def scope(self) -> tuple[Variable, ...]:
        return self.expression.variables

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            return self.expression.value(values) in self.values
        except ZeroDivisionError:
            return False

    def prepared(self, context: Context) -> Member:
        return self if len(self.scope) < 2 else replace(self, expression=context.variable(self.expression))

    def decided(self, domains: Domains) -> bool | None:
        if len(self.scope) != 1:
            return super().decided(domains)
        (domain,) = (domains[variable] for variable in self.scope)
        kept = [value for value in domain if self.check({self.scope[0]: value})]
        return True if len(kept) == len(domain) else None if kept else False

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        if len(self.scope) != 1:
            return domains
        return [tuple([value for value in domains[0] if self.check({self.scope[0]: value})])]

    def text(self, quote: Quote = str) -> str:
        return f"{self.expression.text(quote)} in {show_domain(self.values, quote)}"
