"""A sum of variables compared with a number."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ..model import Candidate, Domain, ModelError, Value, Variable
from .affine import Affine, integer
from .base import Constraint, Domains

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


@dataclass(frozen=True)
class Linear(Constraint):
    """``left OP right`` between sums of integer variables.

    Strength: domain-consistent for one variable and for two (by support), bounds-consistent beyond, where ``!=``
    waits until one variable is left.

    Parameters
    ----------
    left, right : Affine
    relation : str
        One of ``= != < <= > >=``.

    References
    ----------
    .. [1] W. Harvey, J. Schimpf, "Bounds consistency techniques for long linear constraints", 2002.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> rule = Linear(x + 2, "<", y)
    >>> print(rule)
    x + 2 < y
    >>> [tuple(kept) for kept in rule.filter([(1, 2, 3), (1, 4, 5)])]
    [(1, 2), (4, 5)]
    """

    left: Affine
    relation: str
    right: Affine
    _terms: tuple[tuple[int, Variable], ...] = field(init=False, repr=False, compare=False)  # all variables ...
    _bound: int = field(init=False, repr=False, compare=False)  # ... and the number they are compared with

    def __post_init__(self) -> None:
        if self.relation not in COMPARE:
            raise ModelError(f"{self.relation} is not one of {' '.join(COMPARE)}")
        difference = self.left - self.right
        object.__setattr__(self, "_terms", difference.terms)
        object.__setattr__(self, "_bound", -difference.constant)


    @property
    def scope(self) -> tuple[Variable, ...]:
        both = self.left.terms + self.right.terms
        return tuple(dict.fromkeys(variable for _, variable in both))

    def check(self, values: Mapping[str, Value]) -> bool:
        return COMPARE[self.relation](integer(self.left.value(values)), integer(self.right.value(values)))

    def exclusions(self, domains: Domains) -> Iterator[list[Candidate]]:
        if self.relation == "!=" and len(self._terms) == 2:
            (a, x), (b, y) = self._terms
            for value in domains[x]:
                other, rest = divmod(self._bound - a * integer(value), b)
                if not rest and other in domains[y]:
                    yield [(x, value), (y, other)]

    def filters(self, domains: Domains) -> bool:
        return self.relation != "!=" or len(self._terms) != 2

    def filter(self, domains: Sequence[Domain]) -> Sequence[Iterable[Value]]:
        own = dict(zip(self.scope, domains, strict=True))
        present = [[integer(value) for value in own[variable]] for _, variable in self._terms]
        match len(self._terms):
            case 0:
                return domains if COMPARE[self.relation](0, self._bound) else [() for _ in domains]
            case 1:
                narrowed = [self._supported(present[0], 0, [0])]
            case 2:
                narrowed = [
                    self._supported(present[0], 0, [self._terms[1][0] * v for v in present[1]]),
                    self._supported(present[1], 1, [self._terms[0][0] * v for v in present[0]]),
                ]
            case _:
                narrowed = self._bounds(present)
        own.update((variable, tuple(kept)) for (_, variable), kept in zip(self._terms, narrowed, strict=True))
        return list(own.values())

    def _supported(self, values: list[int], index: int, rest: list[int]) -> list[int]:
        """The values of one variable that hold together with some sum of the rest."""
        coefficient, bound = self._terms[index][0], self._bound
        compare = COMPARE[self.relation]
        if self.relation in ("<", "<="):
            rest = [min(rest)]
        elif self.relation in (">", ">="):
            rest = [max(rest)]
        elif self.relation == "=":
            sums = set(rest)
            return [v for v in values if bound - coefficient * v in sums]
        return [v for v in values if any(compare(coefficient * v + other, bound) for other in rest)]

    def _bounds(self, present: list[list[int]]) -> list[list[int]]:
        """Narrow every variable by the least and the greatest sum of the others, until nothing changes."""
        coefficients = [coefficient for coefficient, _ in self._terms]
        if self.relation == "!=":
            free = [i for i, values in enumerate(present) if len(values) > 1]
            if len(free) < 2:
                index = free[0] if free else 0
                rest = sum(c * v[0] for i, (c, v) in enumerate(zip(coefficients, present, strict=True)) if i != index)
                present[index] = self._supported(present[index], index, [rest])
            return present
        upper = self._bound - (self.relation == "<") if self.relation in ("=", "<", "<=") else None
        lower = self._bound + (self.relation == ">") if self.relation in ("=", ">", ">=") else None
        low = [min(c * v[0], c * v[-1]) for c, v in zip(coefficients, present, strict=True)]
        high = [max(c * v[0], c * v[-1]) for c, v in zip(coefficients, present, strict=True)]
        changed = True
        while changed:
            changed = False
            for i, c in enumerate(coefficients):
                most = None if upper is None else upper - (sum(low) - low[i])
                least = None if lower is None else lower - (sum(high) - high[i])
                kept = [
                    v for v in present[i]
                    if (most is None or c * v <= most) and (least is None or c * v >= least)
                ]  # fmt: skip
                if not kept:
                    return [[] for _ in present]
                if len(kept) < len(present[i]):
                    changed = True
                    present[i] = kept
                    low[i], high[i] = min(c * kept[0], c * kept[-1]), max(c * kept[0], c * kept[-1])
        return present

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"
