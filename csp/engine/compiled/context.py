"""The data and the shared caches from which propagators are made."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from ...encoding.shape import shape
from ...model import All, Constraint, Domain, Either, Iff, Not, Variable
from ..effort import Meter
from ..memory import Memory
from ..settings import Settings
from .propagators import Borrowed, Propagator, make_propagator
from .rewrite import Rewriting

T = TypeVar("T")

LOGIC = All, Either, Iff, Not
"""Constraints made of other constraints. Their parts have propagators that use no other constraint of the model."""


class PropagatorContext:
    """The data from which propagators are made, with a cache that they share.

    Attributes
    ----------
    settings : Settings
    memory : Memory
    meter : Meter
        The steps of the propagators.
    is_inside : bool
        Whether the propagators are for constraints inside others; these use no other constraint of the model.
    """

    is_inside = False

    def __init__(
        self, domains: Mapping[Variable, Domain], settings: Settings, memory: Memory, rewriting: Rewriting | None
    ) -> None:
        self.settings = settings
        self.memory = memory
        self.meter = Meter()
        self._domains = domains
        self._rewriting = rewriting
        self._shared: dict[Hashable, Any] = {}

    def domain(self, variable: Variable) -> Domain:
        return self._domains[variable]

    def borrowed(self, scope: Sequence[Variable]) -> tuple[Borrowed, ...]:
        """Return the sets of variables in a scope that other constraints keep different."""
        return () if self._rewriting is None else self._rewriting.groups_within(scope)

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the cached object of a key; the first call makes the object with ``make``."""
        if key not in self._shared:
            self._shared[key] = make()
        return self._shared[key]  # type: ignore[no-any-return]

    def part(self, constraint: Constraint) -> Propagator:
        """Return the propagator of a constraint that is a part of another constraint."""
        inside = self
        if not self.is_inside:
            inside = self.shared("inside", lambda: PropagatorContext(self._domains, self.settings, self.memory, None))
            inside.is_inside, inside._shared, inside.meter = True, self._shared, self.meter
        propagator = inside.propagator(constraint)
        assert propagator is not None
        return propagator

    def propagator(self, constraint: Constraint) -> Propagator | None:
        """Return the propagator of a constraint, or None if the constraint needs no propagator.

        None means that exactly-one sets and exclusions do all of its work.

        Logical constraints and constraints inside others share tables: each reuses the propagator of the first
        constraint with the same form over the same domains.
        """
        if not (self.is_inside or isinstance(constraint, LOGIC)):
            return make_propagator(constraint, self)
        domains = tuple([id(self._domains[variable]) for variable in constraint.scope])
        first = self.shared((self.is_inside, shape(constraint), domains), lambda: make_propagator(constraint, self))
        return first if first is None or first.constraint is constraint else first.copy_for(constraint)
