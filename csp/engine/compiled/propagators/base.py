"""What every filter promises: masks in, masks out, and the reason when asked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, Protocol, Self, TypeVar

from ....model import Constraint, Domain, Value, Variable
from ....model.variable import integer
from ...memory import Memory
from ...settings import Settings

T = TypeVar("T")

Masks = Sequence[int]
"""For each variable of a scope its values, as bits: the lowest is the first of its domain."""

Consistency = Literal["domain", "bounds", "check"]
"""What a filter leaves: only values that stand in a solution; only least and greatest values that hold together
with bounds of the others; or anything, until every variable but one is fixed."""


MANY = 4
"""Filters run in order of arity: two variables, three, then this many or more."""

VALUES_BYTES = 200
"""About what a tuple of values takes that is kept."""


class Borrowed(NamedTuple):
    """Variables that another constraint keeps different, and which one."""

    variables: tuple[Variable, ...]
    constraint: int


class Explanation(NamedTuple):
    """Why some values went: the positions whose domains were needed, as they were."""

    positions: tuple[int, ...]


class Context(Protocol):
    """What the maker of a filter knows of its program."""

    settings: Settings
    memory: Memory
    is_inside: bool
    """Whether the constraint is a part of another one, so that no lines and exclusions serve it."""

    def domain(self, variable: Variable) -> Domain:
        """All values of a variable."""

    def borrowed(self, scope: Sequence[Variable]) -> tuple[Borrowed, ...]:
        """Sets of at least two variables of a scope that other constraints keep different."""

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """What filters of one program have in common under a key, made by the first that asks."""

    def part(self, constraint: Constraint) -> Propagator:
        """The strongest filter of a constraint inside another one, by itself."""


class Propagator(ABC):
    """Narrows the domains of a few variables; loses no solution of its constraint.

    Parameters
    ----------
    constraint : Constraint
    context : Context
    borrowed : tuple of Borrowed
        What it makes use of besides its constraint.

    Attributes
    ----------
    claim : {"domain", "bounds", "check"}
        The consistency of what it leaves, whatever the domains are; ``claimed`` may say more of some domains. The tests
        hold it to both.
    is_late : bool
        Whether it takes its turn only when all others are at rest.
    in_search : bool
        Whether it takes its turns below the root, too; if not, search finds out what it would have told.
    scope : tuple of Variable
    domains : list of tuple
        All values of each variable of the scope.
    memory : Memory
        What filters of one program share; a call that looks at more than its domains adds to the steps there.
    """

    claim: Consistency = "domain"
    is_late = False
    in_search = True

    def __init__(self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...] = ()) -> None:
        self.constraint = constraint
        self.scope = constraint.scope
        self.domains = [context.domain(variable) for variable in self.scope]
        self.borrowed = borrowed
        self.memory = context.memory
        self._context = context

    def over(self, constraint: Constraint) -> Self:
        """The filter of another constraint, which differs from its own in what the variables are called."""
        twin = object.__new__(self.__class__)
        twin.__dict__.update(self.__dict__, constraint=constraint, scope=constraint.scope)
        return twin

    @property
    def rank(self) -> tuple[bool, int]:
        """Filters of a lower rank take their turns first, and again before one of a higher rank takes its turn."""
        return self.is_late, min(len(self.scope), MANY)

    @abstractmethod
    def prune(self, masks: Masks) -> Masks | None:
        """What stays of the domains; None if nothing can hold. No mask is 0.

        Parameters
        ----------
        masks : sequence of int
            One for each variable of the scope, none of them 0. Where nothing goes, the same object may come back.
        """

    def claimed(self, masks: Masks) -> Consistency:
        """The consistency of what it leaves of these domains."""
        return self.claim

    def decided(self, masks: Masks) -> bool | None:
        """Whether the constraint holds for certain (True), cannot hold (False), or may do either (None)."""
        if self.prune(masks) is None:
            return False
        if any(mask & (mask - 1) for mask in masks):
            return None
        return self.check(masks)

    def check(self, masks: Masks) -> bool:
        """Whether the constraint holds, and what it borrows, where every variable has one value."""
        values: dict[str, Value] = {
            v: self.value(i, mask) for i, (v, mask) in enumerate(zip(self.scope, masks, strict=True))
        }
        apart = all(len({values[v] for v in group}) == len(group) for group, _ in self.borrowed)
        return apart and self.constraint.check(values)

    def value(self, position: int, mask: int) -> Value:
        """The value of a mask of one bit."""
        return self.domains[position][mask.bit_length() - 1]

    @cached_property
    def _decoded(self) -> list[dict[int, Domain]]:
        shared, cache = self._context.shared, self.memory.cache
        return [shared(("decoded", domain), cache) for domain in self.domains]

    def values(self, position: int, mask: int) -> Domain:
        """The values of a mask."""
        known = self._decoded[position]
        found = known.get(mask)
        if found is None:
            domain = self.domains[position]
            found = tuple([domain[bit] for bit in bits(mask)])
            self.memory.take(VALUES_BYTES + 8 * len(found))
            known[mask] = found
        return found

    def why(self, before: Masks, gone: Masks) -> Explanation:
        """Why values went: a few positions whose domains, with the constraint and what it borrows, exclude them.

        By default as many positions are let go as long as all that went would still go.

        Parameters
        ----------
        before : sequence of int
            The domains when the filter took its turn.
        gone : sequence of int
            What is to be explained, some of what it took away; where nothing could hold, all of one domain or more.
        """
        masks = list(before)
        needed: list[int] = []
        wholes = [(1 << len(domain)) - 1 for domain in self.domains]
        fails = self.prune(before) is None

        def relax(some: list[int]) -> None:
            held = [masks[position] for position in some]
            for position in some:
                masks[position] = wholes[position]
            kept = self.prune(masks)
            if kept is None or not (fails or any(mask & lost for mask, lost in zip(kept, gone, strict=True))):
                return
            for position, mask in zip(some, held, strict=True):
                masks[position] = mask
            if len(some) == 1:
                needed.extend(some)
                return
            half = len(some) // 2
            relax(some[:half])
            relax(some[half:])

        if narrowed := [position for position, whole in enumerate(wholes) if masks[position] != whole]:
            relax(narrowed)
        return Explanation(tuple(needed))

    def conflict(self, masks: Masks) -> Sequence[int]:
        """Return the positions that a caption names when nothing can hold: those that are why, unless it needs more."""
        return self.why(masks, masks).positions

    def steps(self, before: Masks, gone: Masks) -> Iterator[tuple[Explanation, Masks]]:
        """All that went, divided into what has a reason of its own, in an order in which each follows."""
        yield self.why(before, gone), gone


Maker = Callable[[Constraint, Context], Propagator | None]
"""Makes the filter of a constraint; None if lines and exclusions do all that it can."""


def bits(mask: int) -> Iterator[int]:
    """The bits that are set, from the lowest.

    Examples
    --------
    >>> list(bits(0b1001))
    [0, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def positions(scope: Sequence[Variable], groups: Sequence[Sequence[Variable]]) -> tuple[tuple[int, ...], ...]:
    """Groups of variables as the positions that these have in a scope."""
    place = {variable: i for i, variable in enumerate(scope)}
    return tuple([tuple(sorted([place[variable] for variable in group])) for group in groups])


def numbers_of(domain: Domain, context: Context) -> list[int]:
    """The values of a domain, which must be numbers; the same list for all who ask."""
    return context.shared(("numbers", domain), lambda: [integer(value) for value in domain])
