"""The interface of a program to the makers of its filters."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from ...formula.shape import shape
from ...model import All, Constraint, Domain, Either, Iff, Not, Variable
from ..memory import Memory
from ..strategy import Strategy
from .filters import Borrowed, Filter, make_filter
from .rewrite import Rewriting

T = TypeVar("T")

LOGIC = All, Either, Iff, Not
"""What is made of parts, each with a filter that borrows nothing from other constraints."""


class FilterContext:
    """What the makers of filters know."""

    is_inside = False

    def __init__(
        self, domains: Mapping[Variable, Domain], strategy: Strategy, memory: Memory, rewriting: Rewriting | None
    ) -> None:
        self.strategy = strategy
        self.memory = memory
        self._domains = domains
        self._rewriting = rewriting
        self._shared: dict[Hashable, Any] = {}

    def domain(self, variable: Variable) -> Domain:
        return self._domains[variable]

    def borrowed(self, scope: Sequence[Variable]) -> tuple[Borrowed, ...]:
        return () if self._rewriting is None else self._rewriting.borrowed(scope)

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        if key not in self._shared:
            self._shared[key] = make()
        return self._shared[key]  # type: ignore[no-any-return]

    def part(self, constraint: Constraint) -> Filter:
        inside = self
        if not self.is_inside:
            inside = self.shared("inside", lambda: FilterContext(self._domains, self.strategy, self.memory, None))
            inside.is_inside, inside._shared = True, self._shared
        filter = inside.filter(constraint)
        assert filter is not None
        return filter

    def filter(self, constraint: Constraint) -> Filter | None:
        """The filter of a constraint; that of its shape over the same domains, where it borrows nothing."""
        if not (self.is_inside or isinstance(constraint, LOGIC)):
            return make_filter(constraint, self)
        domains = tuple([id(self._domains[variable]) for variable in constraint.scope])
        first = self.shared((self.is_inside, shape(constraint), domains), lambda: make_filter(constraint, self))
        return first if first is None or first.constraint is constraint else first.over(constraint)
