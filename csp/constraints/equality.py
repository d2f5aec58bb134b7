"""A variable is, or is not, a value or another variable."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model import Candidate, Domain, Quote, Value, Variable
from .base import Constraint, Domains


@dataclass(frozen=True)
class Equality(Constraint):
    """``left = right`` or ``left != right``, for integers and symbols alike.

    Strength: domain-consistent.

    Parameters
    ----------
    left : Variable
    right : Variable, int or str
        Another variable, or a value; a plain string is a symbol.
    equal : bool
        False for ``!=``.

    Examples
    --------
    >>> print(Equality(Variable("A"), 4))
    A = 4
    >>> print(Equality(Variable("A"), Variable("B"), equal=False))
    A != B
    """

    left: Variable
    right: Variable | Value
    equal: bool = True

    def __post_init__(self) -> None:
        if not isinstance(self.left, Variable):
            object.__setattr__(self, "left", Variable(self.left))

    @property
    def _is_reflexive(self) -> bool:
        return isinstance(self.right, Variable) and self.left == self.right

    @property
    def scope(self) -> tuple[Variable, ...]:
        return tuple(dict.fromkeys(v for v in (self.left, self.right) if isinstance(v, Variable)))

    def check(self, values: Mapping[str, Value]) -> bool:
        right = values[self.right] if isinstance(self.right, Variable) else self.right
        return (values[self.left] == right) == self.equal

    def decided(self, domains: Domains) -> bool | None:
        left = domains[self.left]
        right = domains[self.right] if isinstance(self.right, Variable) else (self.right,)
        if set(left).isdisjoint(right):
            return not self.equal
        return self.equal if len(left) == len(right) == 1 or self._is_reflexive else None

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        if not self.equal and len(self.scope) == 2:
            yield self.scope

    def exclusions(self, domains: Domains) -> Iterator[list[Candidate]]:
        if not self.equal and len(self.scope) == 2 and isinstance(self.right, Variable):
            common = set(domains[self.right])
            for value in domains[self.left]:
                if value in common:
                    yield [(self.left, value), (self.right, value)]

    def filters(self, domains: Domains) -> bool:
        return self.equal or len(self.scope) == 1

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        if len(domains) == 1:
            return [[v for v in domains[0] if (self._is_reflexive or v == self.right) == self.equal]]
        if self.equal:
            common = set(domains[1])
            both = [value for value in domains[0] if value in common]
            return [both, both]
        one, other = domains
        return [
            [value for value in one if other != (value,)],
            [value for value in other if one != (value,)],
        ]

    def text(self, quote: Quote = str) -> str:
        right = self.right if isinstance(self.right, Variable) else quote(self.right)
        return f"{self.left} {'=' if self.equal else '!='} {right}"
