"""An expression takes one of some values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from ..model import Domain, ModelError, Quote, Value, Variable, show_domain
from .affine import Affine
from .base import Domains
from .linear import show_different
from .tabulated import Tabulated


@dataclass(frozen=True)
class Member(Tabulated):
    """``expression in DOMAIN``.

    Strength: domain-consistent where there are few assignments; otherwise consistent on bounds.

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

    def __post_init__(self) -> None:
        if not isinstance(self.expression, Affine):
            raise ModelError(f"{self.expression!r} is no expression; Affine.variable takes a name")

    @property
    def scope(self) -> tuple[Variable, ...]:
        return self.expression.variables

    def holds(self, values: Mapping[str, Value]) -> bool:
        return self.expression.value(values) in self._set

    def possible(self, domains: Domains) -> bool | None:
        if self.expression.is_variable:
            domain = domains[self.scope[0]]
            kept = sum(value in self._set for value in domain)
            return True if kept == len(domain) else None if kept else False
        low, high = self.expression.bounds(domains)
        inside = [value for value in self.values if isinstance(value, int) and low <= value <= high]
        return True if len(inside) == high - low + 1 else None if inside else False

    @cached_property
    def divides(self) -> bool:
        return self.expression.divides

    @cached_property
    def _set(self) -> frozenset[Value]:
        return frozenset(self.values)

    def text(self, quote: Quote = str) -> str:
        return f"{self.expression.text(quote)} in {show_domain(self.values, quote)}" + show_different(self.different)
