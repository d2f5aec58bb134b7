"""What the makers of filters know of a program."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from ...model import Constraint, Domain, Variable
from ..memory import Memory
from ..strategy import Strategy
from .filters import Borrowed, Filter, make_filter
from .rewrite import Rewriting

T = TypeVar("T")


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
        inside = FilterContext(self._domains, self.strategy, self.memory, None)
        inside.is_inside, inside._shared = True, self._shared
        filter = make_filter(constraint, inside)
        assert filter is not None
        return filter
