"""A variable is, or is not, a value or another variable."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..model import Candidate, Domain, Value, Variable
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
    def scope(self) -> tuple[Variable, ...]:
        return tuple(dict.fromkeys(v for v in (self.left, self.right) if isinstance(v, Variable)))

    def check(self, values: Mapping[str, Value]) -> bool:
        right = values[self.right] if isinstance(self.right, Variable) else self.right
        return (values[self.left] == right) == self.equal

    def exclusions(self, domains: Domains) -> Iterator[list[Candidate]]:
        if not self.equal and len(self.scope) == 2 and isinstance(self.right, Variable):
            for value in domains[self.left]:
                if value in domains[self.right]:
                    yield [(self.left, value), (self.right, value)]

    def filters(self, domains: Domains) -> bool:
        return self.equal or len(self.scope) == 1

    def filter(self, domains: Sequence[Domain]) -> Sequence[Iterable[Value]]:
        if len(domains) == 1:
            right = self.right
            return [[v for v in domains[0] if ((right is self.left or v == right) == self.equal)]]
        if self.equal:
            both = [value for value in domains[0] if value in domains[1]]
            return [both, both]
        return domains

    def __str__(self) -> str:
        return f"{self.left} {'=' if self.equal else '!='} {self.right}"
