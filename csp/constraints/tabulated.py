"""What constraints on expressions share: a table of what satisfies them, or else intervals."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import perm, prod
from typing import Self

from ..model import Domain, Value, Variable
from .affine import Affine
from .base import Constraint, Context, Domains
from .cages import positions
from .linear import differ
from .table import Row, Table

MAX_ROWS = 6_000
"""The most assignments that are tried to make a table."""

MAX_TABLES = 16
"""How many tables a constraint keeps."""


@dataclass(frozen=True)
class Tabulated(Constraint):
    """A constraint that becomes a table of its solutions once there are few assignments.

    Until then it takes values from both ends of every domain as long as ``possible`` says that they cannot be.

    Parameters
    ----------
    different : tuple of tuples of Variable
        Sets of variables of the scope that must differ: what other constraints say and this one makes use of.

    References
    ----------
    .. [1] F. Benhamou et al., "Revising hull and box consistency", 1999 (bounds are tried one by one).
    """

    different: tuple[tuple[Variable, ...], ...] = field(default=(), kw_only=True)

    @abstractmethod
    def holds(self, values: Mapping[str, Value]) -> bool:
        """The meaning, without the differences; may raise ``ZeroDivisionError``."""

    @abstractmethod
    def possible(self, domains: Domains) -> bool | None:
        """As ``decided``, by interval arithmetic alone; may raise ``ZeroDivisionError``."""

    @property
    def divides(self) -> bool:
        """Whether something in it may have no value."""
        return False

    def check(self, values: Mapping[str, Value]) -> bool:
        return self._holds(values) and differ(self.different, values)

    def decided(self, domains: Domains) -> bool | None:
        known = self._possible(domains)
        return super().decided(domains) if known and (self.different or self.divides) else known

    def prepared(self, context: Context) -> Self:
        groups = context.groups(self.scope)
        return replace(self, different=tuple(dict.fromkeys(self.different + groups))) if groups else self

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        if len(domains) == 1:
            return [[value for value in domains[0] if self._holds({self.scope[0]: value})]]
        if self._assignments(domains) <= MAX_ROWS:
            return self._table(domains).filter(domains)
        return self._shaved(domains)

    def _holds(self, values: Mapping[str, Value]) -> bool:
        try:
            return self.holds(values)
        except ZeroDivisionError:
            return False

    def _possible(self, domains: Domains) -> bool | None:
        try:
            return self.possible(domains)
        except ZeroDivisionError:
            return False

    def _assignments(self, domains: Sequence[Domain]) -> int:
        """How many assignments there are at most, those known to differ counted once."""
        whole = prod(map(len, domains))
        if whole > MAX_ROWS and any(len(group) == len(domains) for group in self.different):
            return min(whole, perm(len({value for domain in domains for value in domain}), len(domains)))
        return whole

    def _table(self, domains: Sequence[Domain]) -> Table:
        """The assignments that satisfy the constraint, of these domains or wider ones."""
        for known, table in self._tables.items():
            if all(wider.issuperset(domain) for domain, wider in zip(domains, known, strict=True)):
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
                if self._holds(dict(zip(self.scope, row, strict=True))):
                    yield tuple(row)
                return
            taken = {row[i] for i in others[number]}
            for value in domains[number]:
                if value not in taken:
                    row.append(value)
                    yield from extend()
                    row.pop()

        yield from extend()

    def _shaved(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
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
            return self._possible(domains) is not False
        finally:
            domains[variable] = before
