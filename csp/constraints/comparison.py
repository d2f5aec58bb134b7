"""Expressions with products, quotients, extremes and counts, compared."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ..model import Domain, Quote, Value, Variable
from .affine import Affine, integer
from .base import Domains
from .cages import Cage, cage, positions
from .linear import COMPARE, check_sides, compared, show_different
from .operation import Operation
from .tabulated import Tabulated


@dataclass(frozen=True)
class Comparison(Tabulated):
    """``left OP right`` between any expressions.

    Strength: domain-consistent, together with the differences between its variables, where there are few assignments
    or a product of variables equals a number; otherwise consistent on bounds by interval arithmetic. Where an
    expression divides by zero the constraint does not hold.

    Parameters
    ----------
    left, right : Affine
    relation : str
        One of ``= != < <= > >=``.
    different : tuple of tuples of Variable
        Sets of variables of the scope that must differ: what other constraints say and this one makes use of.

    Examples
    --------
    >>> from csp.constraints.operation import multiply
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> rule = Comparison(multiply(x, y), "=", Affine((), 6))
    >>> print(rule, [sorted(kept) for kept in rule.filter([(1, 2, 3, 4), (1, 2, 3, 4)])])
    x*y = 6 [[2, 3], [2, 3]]
    """

    left: Affine
    relation: str
    right: Affine

    def __post_init__(self) -> None:
        check_sides(self.left, self.relation, self.right)

    @cached_property
    def scope(self) -> tuple[Variable, ...]:
        return tuple(dict.fromkeys(self.left.variables + self.right.variables))

    def holds(self, values: Mapping[str, Value]) -> bool:
        return COMPARE[self.relation](self.left.number(values), self.right.number(values))

    def possible(self, domains: Domains) -> bool | None:
        return compared(self.relation, self._difference.bounds(domains))

    @cached_property
    def divides(self) -> bool:
        return self.left.divides or self.right.divides

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        if self._product is not None and all(integer(domain[0]) > 0 for domain in domains):
            found = self._product.supported(tuple(domains))  # type: ignore[arg-type]
            if found is not None:
                return found
        return super().filter(domains)

    @cached_property
    def _difference(self) -> Affine:
        return self.left - self.right

    @cached_property
    def _product(self) -> Cage | None:
        """The cage, where a product of different variables must equal a number."""
        if self.relation != "=" or len(self._difference.terms) != 1:
            return None
        ((coefficient, atom),) = self._difference.terms
        if not isinstance(atom, Operation) or atom.operator != "*":
            return None
        bound, rest = divmod(-self._difference.constant, coefficient)
        if rest or bound <= 0 or [str(operand) for operand in atom.operands] != [*map(str, self.scope)]:
            return None
        return cage((0,) * len(self.scope), bound, False, positions(self.scope, self.different))

    def text(self, quote: Quote = str) -> str:
        return f"{self.left.text(quote)} {self.relation} {self.right.text(quote)}" + show_different(self.different)
