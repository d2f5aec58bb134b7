"""Sums of variables compared."""

from __future__ import annotations

import operator
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..model import Candidate, Domain, ModelError, Quote, Value, Variable
from .affine import Affine, Bounds, integer
from .base import Constraint, Context, Domains
from .cages import Cage, cage, positions

COMPARE: dict[str, Callable[[int, int], bool]] = {
    "=": operator.eq, "!=": operator.ne,
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip


def compared(relation: str, difference: Bounds) -> bool | None:
    """What is known of ``left RELATION right`` when ``left - right`` lies within bounds."""
    low, high = difference
    match relation:
        case "=" | "!=":
            equal = True if low == high == 0 else None if low <= 0 <= high else False
            return equal if equal is None else equal == (relation == "=")
        case "<" | ">=":
            less = True if high < 0 else False if low >= 0 else None
            return less if less is None else less == (relation == "<")
    greater = True if low > 0 else False if high <= 0 else None
    return greater if greater is None else greater == (relation == ">")


def differ(groups: Sequence[Sequence[Variable]], values: Mapping[str, Value]) -> bool:
    """Whether the variables of every group have different values."""
    return all(len({values[variable] for variable in group}) == len(group) for group in groups)


def show_different(groups: Sequence[Sequence[Variable]]) -> str:
    """The groups as an addition to the text of a constraint."""
    return "".join(f" ({', '.join(group)} differ)" for group in groups)


def check_sides(left: object, relation: str, right: object) -> None:
    """Refuse what is no comparison of expressions."""
    if relation not in COMPARE:
        raise ModelError(f"{relation} is not one of {' '.join(COMPARE)}")
    for side in (left, right):
        if not isinstance(side, Affine):
            raise ModelError(f"{side!r} is no expression; Affine.variable takes a name")


@dataclass(frozen=True)
class Linear(Constraint):
    """``left OP right`` between sums of integer variables.

    Strength: domain-consistent where a table of partial sums is small, together with the differences between its
    variables; bounds-consistent otherwise. ``!=`` waits until one variable is left.

    Parameters
    ----------
    left, right : Affine
        Without operations.
    relation : str
        One of ``= != < <= > >=``.
    different : tuple of tuples of Variable
        Sets of variables of the scope that must differ: what other constraints say and this one makes use of.

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
    different: tuple[tuple[Variable, ...], ...] = field(default=(), kw_only=True)
    _terms: tuple[tuple[int, Variable], ...] = field(init=False, repr=False, compare=False)  # all variables ...
    _bound: int = field(init=False, repr=False, compare=False)  # ... and the number they are compared with

    def __post_init__(self) -> None:
        check_sides(self.left, self.relation, self.right)
        if self.different and self.relation == "!=":
            raise ModelError(f"{self}: differences beside != say nothing more; post them apart")
        if not (self.left.is_linear and self.right.is_linear):
            raise ModelError(f"{self} is not linear")
        object.__setattr__(self, "_terms", self._difference.terms)
        object.__setattr__(self, "_bound", -self._difference.constant)

    @cached_property
    def scope(self) -> tuple[Variable, ...]:
        return tuple(dict.fromkeys(self.left.variables + self.right.variables))

    def check(self, values: Mapping[str, Value]) -> bool:
        return COMPARE[self.relation](self.left.number(values), self.right.number(values)) and differ(
            self.different, values
        )

    def decided(self, domains: Domains) -> bool | None:
        known = compared(self.relation, self._difference.bounds(domains))
        return super().decided(domains) if known and self.different else known

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        if self.relation in ("!=", "<", ">") and len(self._terms) == 2 and not self._bound:
            (a, x), (b, y) = self._terms
            if a == -b:
                yield x, y

    def total(self, domains: Domains) -> tuple[tuple[Variable, ...], int] | None:
        if self.relation != "=" or any(coefficient != 1 for coefficient, _ in self._terms):
            return None
        return tuple([variable for _, variable in self._terms]), self._bound

    def prepared(self, context: Context) -> Linear:
        variables = [variable for _, variable in self._terms]
        useful = self.relation == "=" or (self.relation != "!=" and len(variables) > 2)
        if len(variables) == 2 and self._bound and not sum(coefficient for coefficient, _ in self._terms):
            useful = False  # equal values never have this difference
        groups = context.groups(variables) if useful else ()
        return replace(self, different=tuple(dict.fromkeys(self.different + groups))) if groups else self

    def exclusions(self, domains: Domains) -> Iterator[list[Candidate]]:
        if self.relation == "!=" and len(self._terms) == 2:
            (a, x), (b, y) = self._terms
            others = set(domains[y])
            for value in domains[x]:
                other, rest = divmod(self._bound - a * integer(value), b)
                if not rest and other in others:
                    yield [(x, value), (y, other)]

    def filters(self, domains: Domains) -> bool:
        return self.relation != "!=" or len(self._terms) != 2

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        own = dict(zip(self.scope, domains, strict=True))
        present = [own[variable] for _, variable in self._terms]
        narrowed: Sequence[Sequence[Value]] | None
        if not self._terms:
            return domains if COMPARE[self.relation](0, self._bound) else [() for _ in domains]
        if self._cage is None or (narrowed := self._cage.supported(tuple(present))) is None:  # type: ignore[arg-type]
            narrowed = self._bounded([list(map(integer, domain)) for domain in present])
        if len(own) == len(present):
            return narrowed
        own.update((variable, tuple(kept)) for (_, variable), kept in zip(self._terms, narrowed, strict=True))
        return list(own.values())

    @cached_property
    def _difference(self) -> Affine:
        return self.left - self.right

    @cached_property
    def _cage(self) -> Cage | None:
        """What finds more than bounds do; where it is small."""
        if self.relation == "!=" or (not self.different and (self.relation != "=" or len(self._terms) < 3)):
            return None
        sign = -1 if self.relation in (">", ">=") else 1
        groups = positions([variable for _, variable in self._terms], self.different)
        bound = sign * self._bound - (self.relation in ("<", ">"))
        return cage(tuple([sign * c for c, _ in self._terms]), bound, self.relation != "=", groups)

    def _bounded(self, present: list[list[int]]) -> list[list[int]]:
        match len(self._terms):
            case 1:
                return [self._supported(present[0], 0, [0])]
            case 2:
                return [
                    self._supported(present[0], 0, [self._terms[1][0] * v for v in present[1]]),
                    self._supported(present[1], 1, [self._terms[0][0] * v for v in present[0]]),
                ]
        return self._bounds(present)

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

    def text(self, quote: Quote = str) -> str:
        return f"{self.left.text(quote)} {self.relation} {self.right.text(quote)}" + show_different(self.different)
