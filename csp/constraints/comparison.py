"""Expressions with products, quotients, extremes and counts, compared."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import perm, prod

from ..model import Domain, ModelError, Quote, Value, Variable
from .affine import Affine, integer
from .base import Constraint, Context, Domains
from .cages import Cage, cage, positions
from .linear import COMPARE, compared, differ, show_different
from .operation import Operation
from .table import Row, Table

MAX_ROWS = 6_000
"""The most assignments that are tried to make a table."""

MAX_TABLES = 16
"""How many tables a constraint keeps."""


@dataclass(frozen=True)
class Comparison(Constraint):
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

    References
    ----------
    .. [1] F. Benhamou et al., "Revising hull and box consistency", 1999 (bounds are tried one by one).

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
    different: tuple[tuple[Variable, ...], ...] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        if self.relation not in COMPARE:
            raise ModelError(f"{self.relation} is not one of {' '.join(COMPARE)}")

    @cached_property
    def scope(self) -> tuple[Variable, ...]:
        return tuple(dict.fromkeys(self.left.variables + self.right.variables))

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            holds = COMPARE[self.relation](self.left.number(values), self.right.number(values))
        except ZeroDivisionError:
            return False
        return holds and differ(self.different, values)

    def decided(self, domains: Domains) -> bool | None:
        try:
            known = compared(self.relation, self._difference.bounds(domains))
        except ZeroDivisionError:
            return False
        if known and (self.different or self._divides):
            return super().decided(domains)
        return known

    def prepared(self, context: Context) -> Comparison:
        return replace(self, different=context.groups(self.scope))

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        if len(domains) == 1:
            return [[value for value in domains[0] if self._holds([value])]]
        if self._product is not None and all(integer(domain[0]) > 0 for domain in domains):
            found = self._product.supported(tuple(domains))  # type: ignore[arg-type]
            if found is not None:
                return found
        if self._assignments(domains) <= MAX_ROWS:
            return self._table(domains).filter(domains)
        return self._shaved(domains)

    @cached_property
    def _difference(self) -> Affine:
        return self.left - self.right

    @cached_property
    def _divides(self) -> bool:
        return "//" in str(self) or " mod " in str(self)

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

    def _assignments(self, domains: Sequence[Domain]) -> int:
        """How many assignments there are at most, those known to differ counted once."""
        whole = prod(map(len, domains))
        if whole > MAX_ROWS and any(len(group) == len(domains) for group in self.different):
            return min(whole, perm(len({value for domain in domains for value in domain}), len(domains)))
        return whole

    def _table(self, domains: Sequence[Domain]) -> Table:
        """The assignments that satisfy the constraint, of these domains or wider ones."""
        for known, table in self._tables.items():
            if all(set(domain) <= wider for domain, wider in zip(domains, known, strict=True)):
                return table
        while len(self._tables) >= MAX_TABLES:
            del self._tables[next(iter(self._tables))]
        columns = tuple(map(Affine.variable, self.scope))
        table = self._tables[tuple(map(frozenset, domains))] = Table("", columns, tuple(self._rows(domains)))
        return table

    @cached_property
    def _tables(self) -> dict[tuple[frozenset[Value], ...], Table]:
        return {}

    def _rows(self, domains: Sequence[Domain]) -> Iterator[Row]:
        places = positions(self.scope, self.different)
        others = [sorted({i for group in places if n in group for i in group if i < n}) for n in range(len(domains))]
        row: list[Value] = []

        def extend() -> Iterator[Row]:
            number = len(row)
            if number == len(domains):
                if self._holds(row):
                    yield tuple(row)
                return
            taken = {row[i] for i in others[number]}
            for value in domains[number]:
                if value not in taken:
                    row.append(value)
                    yield from extend()
                    row.pop()

        yield from extend()

    def _holds(self, row: Sequence[Value]) -> bool:
        values: dict[str, Value] = dict(zip(self.scope, row, strict=True))
        try:
            return COMPARE[self.relation](self.left.number(values), self.right.number(values))
        except ZeroDivisionError:
            return False

    def _shaved(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        """Take values from both ends of every domain as long as intervals say that they cannot be."""
        own = dict(zip(self.scope, domains, strict=True))
        for variable, domain in own.items():
            first, last = 0, len(domain)
            while first < last and not self._can_be(own, variable, domain[first]):
                first += 1
            while first < last and not self._can_be(own, variable, domain[last - 1]):
                last -= 1
            own[variable] = domain[first:last]
            if first == last:
                return [() for _ in domains]
        return list(own.values())

    def _can_be(self, domains: dict[Variable, Domain], variable: Variable, value: Value) -> bool:
        before, domains[variable] = domains[variable], (value,)
        try:
            return compared(self.relation, self._difference.bounds(domains)) is not False
        except ZeroDivisionError:
            return False
        finally:
            domains[variable] = before

    def text(self, quote: Quote = str) -> str:
        return f"{self.left.text(quote)} {self.relation} {self.right.text(quote)}" + show_different(self.different)
