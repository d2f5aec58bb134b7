"""The base class of propagators, and the context that makes the propagators of a model.

A propagator removes values from the domains of a scope.

In this package ``masks`` always holds the domains of a scope: one bit mask for each variable, where bit ``i`` is set if
value ``i`` of the variable's initial domain remains. A *position* is the index of a variable in the scope.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import Any, Literal, NamedTuple, TypeVar

from ....encoding.shape import shape
from ....model import (
    Affine,
    All,
    AllDifferent,
    AllDifferentExcept,
    Circuit,
    Comparison,
    Connected,
    Constraint,
    DifferentTuples,
    Domain,
    Either,
    Equality,
    Iff,
    Increasing,
    Inverse,
    Lexicographic,
    Linear,
    Member,
    Not,
    Runs,
    Table,
    Value,
    Variable,
)
from ....model.variable import integer
from ...effort import Meter
from ...memory import Memory
from ...settings import Settings

T = TypeVar("T")

Masks = Sequence[int]
"""The domains of a scope: one bit mask for each variable. The lowest bit is the first value of the initial domain."""

Consistency = Literal["domain", "bounds", "check"]
"""The consistency that a propagator reaches.

- "domain": every remaining value is part of a solution of the constraint (GAC);
- "bounds": the least and the greatest value of each variable have a solution within the bounds of the other variables;
- "check": no guarantee before all variables but one are fixed.
"""


MAX_RANKED_ARITY = 4
"""Propagators run in order of arity: two variables, three, then this many or more."""

VALUES_BYTES = 200
"""Estimated bytes of a cached tuple of values, without its elements."""


class Borrowed(NamedTuple):
    """A set of variables that another constraint keeps different.

    ``constraint``: the number of that constraint.
    """

    variables: tuple[Variable, ...]
    constraint: int


class Explanation(NamedTuple):
    """The positions of the variables whose domains explain a removal or a failure."""

    positions: tuple[int, ...]


class Propagator(ABC):
    """A propagator of one constraint: removes values that are in no solution of the constraint.

    Parameters
    ----------
    constraint : Constraint
    context : Context
    borrowed : tuple of Borrowed
        Groups of the scope that other constraints keep different, which the propagator uses in addition.

    Attributes
    ----------
    claim : {"domain", "bounds", "check"}
        The consistency that it reaches on all domains. ``consistency_of`` may promise more for some domains. The
        tests check both.
    is_late : bool
        Whether it runs only after all other propagators have reached their fixpoint.
    in_search : bool
        Whether it also runs below the root of the search tree. If not, search finds the failures by branching.
    scope : tuple of Variable
        The variables of the constraint. A propagator that several constraints share has the scope of the first one.
    domains : list of tuple
        The initial domain of each variable of the scope.
    memory : Memory
        The caches of the program.
    meter : Meter
        A call that reads more than its domains adds to its steps.
    """

    def __init__(self, constraint: Constraint, context: Context, borrowed: tuple[Borrowed, ...] = ()) -> None:
        self.constraint = constraint
        self.scope = constraint.scope
        self.domains = [context.domain(variable) for variable in self.scope]
        self.borrowed = borrowed
        self.memory = context.memory
        self.meter = context.meter
        self._context = context
        # Defaults; the constructors of subclasses set others.
        self.claim: Consistency = "domain"
        self.is_late = False
        self.in_search = True

    def twin(self) -> Propagator:
        """Return the propagator to use for another constraint of the same form and domains.

        This is the propagator itself, since it uses positions, not names.
        """
        return self

    @property
    def rank(self) -> tuple[bool, int]:
        """The priority of the propagator, a pair; the lowest rank runs first."""
        return self.is_late, min(len(self.scope), MAX_RANKED_ARITY)

    @abstractmethod
    def prune(self, masks: Masks) -> Masks | None:
        """Return the domains without unsupported values, or None if the constraint cannot hold.

        Parameters
        ----------
        masks : sequence of int
            The domains of the scope, none of them 0. If no value is removed, the result may be the same object.
        """

    def consistency_of(self, masks: Masks) -> Consistency:
        """Return the consistency level that ``prune`` reaches on these domains."""
        return self.claim

    def entailment(self, masks: Masks) -> bool | None:
        """Return True if the constraint is entailed, False if violated, None if undecided."""
        if self.prune(masks) is None:
            return False
        if any(mask & (mask - 1) for mask in masks):
            return None
        return self.check(masks)

    def check(self, masks: Masks) -> bool:
        """Return whether an assignment satisfies the constraint, and borrowed groups are different."""
        values: dict[str, Value] = {
            v: self.value(i, mask) for i, (v, mask) in enumerate(zip(self.scope, masks, strict=True))
        }
        are_groups_different = all(len({values[v] for v in group}) == len(group) for group, _ in self.borrowed)
        return are_groups_different and self.constraint.check(values)

    def value(self, position: int, mask: int) -> Value:
        """Return the value that a mask with exactly one bit stands for."""
        return self.domains[position][mask.bit_length() - 1]

    @cached_property
    def _decoded(self) -> list[dict[int, Domain]]:
        """For each position in the scope, a cache from masks to tuples of values."""
        shared, cache = self._context.shared, self.memory.cache
        return [shared(("decoded", domain), cache) for domain in self.domains]

    def values(self, position: int, mask: int) -> Domain:
        """Return the values of a domain that is given as a mask."""
        cache = self._decoded[position]
        values = cache.get(mask)
        if values is None:
            domain = self.domains[position]
            values = tuple([domain[bit] for bit in bits(mask)])
            self.memory.take(VALUES_BYTES + 8 * len(values))
            cache[mask] = values
        return values

    def explain(self, before: Masks, removed: Masks) -> Explanation:
        """Return positions in the scope whose domains explain why values were removed.

        The default removes positions from the explanation by bisection. A position is not required if its whole initial
        domain leads to the same removals.

        Parameters
        ----------
        before : sequence of int
            The domains when the propagator ran.
        removed : sequence of int
            The removed values to explain. After a failure, all values of one domain or more.
        """
        masks = list(before)
        required: list[int] = []
        initial = [(1 << len(domain)) - 1 for domain in self.domains]
        fails = self.prune(before) is None

        # Conflict shrinking: widen the candidates to their initial domains, and split them if that is too much.
        def relax(candidates: list[int]) -> None:
            saved = [masks[position] for position in candidates]
            for position in candidates:
                masks[position] = initial[position]
            narrowed = self.prune(masks)
            if narrowed is None or not (
                fails or any(mask & lost for mask, lost in zip(narrowed, removed, strict=True))
            ):
                return
            for position, mask in zip(candidates, saved, strict=True):
                masks[position] = mask
            if len(candidates) == 1:
                required.extend(candidates)
                return
            half = len(candidates) // 2
            relax(candidates[:half])
            relax(candidates[half:])

        if positions := [position for position, initial_mask in enumerate(initial) if masks[position] != initial_mask]:
            relax(positions)
        return Explanation(tuple(required))

    def conflict(self, masks: Masks) -> Sequence[int]:
        """Return the positions of the variables to name in the text about a failure.

        By default these are the positions of the explanation.
        """
        return self.explain(masks, masks).positions

    def steps(self, before: Masks, removed: Masks) -> Iterator[tuple[Explanation, Masks]]:
        """Yield parts of the removed values in order of deduction, each after its explanation."""
        yield self.explain(before, removed), removed


Maker = Callable[[Constraint, "Context"], Propagator | None]
"""Makes the propagator of a constraint; None if exactly-one sets and exclusions already do its work."""

Borrow = Callable[[Sequence[Variable]], tuple[Borrowed, ...]]
"""Returns the sets of variables in a scope that other constraints keep different."""

MAKERS: dict[type[Constraint], str] = {
    All: "logic.Conjunction",
    AllDifferent: "all_different.make_apart",
    AllDifferentExcept: "permutations.DifferentExcept",
    Circuit: "permutations.RoundTrip",
    Comparison: "sums.make_comparison",
    Connected: "connected.Reachable",
    DifferentTuples: "permutations.Pairwise",
    Either: "logic.make_either",
    Equality: "order.make_equality",
    Iff: "logic.make_equivalence",
    Increasing: "order.Ascending",
    Inverse: "permutations.Inverses",
    Lexicographic: "order.Ordered",
    Linear: "sums.make_linear",
    Member: "tabulated.make_member",
    Not: "logic.Probing",
    Runs: "runs.make_runs",
    Table: "table.Tuples",
}
"""The maker of the propagator of each kind, as ``file.name``; the file is imported when it is first needed."""


LOGIC = All, Either, Iff, Not
"""Constraints made of other constraints. Their parts have propagators that use no other constraint of the model."""


@cache
def maker(name: str) -> Maker:
    """Import and return the function or class that a string such as ``sums.make_linear`` names."""
    file, _, function = name.partition(".")
    make: Maker = getattr(import_module(f".{file}", __package__), function)
    return make


class Context:
    """The data from which propagators are made, with the objects that they share.

    Parameters
    ----------
    domains : mapping from Variable to tuple
        The domains before propagation.
    settings : Settings
    memory : Memory
    borrow : function, optional
        Finds the variables that other constraints keep different. None for constraints inside others, which use no
        other constraint of the model.
    outer : Context, optional
        The context of the constraints around those; its propagators share their objects with these.

    Attributes
    ----------
    settings : Settings
    memory : Memory
    meter : Meter
        The steps of the propagators.
    is_inside : bool
        Whether the propagators are for constraints inside others, so that no exactly-one sets and exclusions enforce
        these.
    """

    def __init__(
        self,
        domains: Mapping[Variable, Domain],
        settings: Settings,
        memory: Memory,
        borrow: Borrow | None = None,
        outer: Context | None = None,
    ) -> None:
        self.settings = settings
        self.memory = memory
        self.meter: Meter = outer.meter if outer else Meter()
        self.is_inside = borrow is None
        self._domains = domains
        self._borrow = borrow
        self._shared: dict[Hashable, Any] = outer._shared if outer else {}
        self._inside = Context(domains, settings, memory, outer=self) if borrow else self

    def domain(self, variable: Variable) -> Domain:
        """Return the domain of a variable before propagation."""
        return self._domains[variable]

    def borrowed(self, scope: Sequence[Variable]) -> tuple[Borrowed, ...]:
        """Return the sets of variables in a scope that another constraint keeps different."""
        return self._borrow(scope) if self._borrow else ()

    def shared(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return the object that propagators share under a key; the first call makes the object."""
        if key not in self._shared:
            self._shared[key] = make()
        return self._shared[key]  # type: ignore[no-any-return]

    def part(self, constraint: Constraint) -> Propagator:
        """Return the propagator of a constraint inside another constraint, such as a disjunct."""
        propagator = self._inside.propagator(constraint)
        assert propagator is not None
        return propagator

    def propagator(self, constraint: Constraint) -> Propagator | None:
        """Return the propagator of a constraint, or None if the constraint needs no propagator.

        None means that exactly-one sets and exclusions do all of its work.

        Logical constraints and constraints inside others share propagators: each has a twin of the propagator of the
        first constraint with the same form over the same domains.
        """
        if not (self.is_inside or isinstance(constraint, LOGIC)):
            return self._make(constraint)
        domains = tuple([id(self._domains[variable]) for variable in constraint.scope])
        first = self.shared((self.is_inside, shape(constraint), domains), lambda: self._make(constraint))
        return first if first is None or first.constraint is constraint else first.twin()

    def _make(self, constraint: Constraint) -> Propagator | None:
        """Make the propagator of a constraint.

        A kind that is not in ``MAKERS`` gets a table of the assignments that satisfy it.
        """
        if not constraint.scope:
            name = "unary.Constant"
        elif len(constraint.scope) == 1:
            name = "unary.Unary"
        elif not constraint.is_plain:
            # Only expressions of top-level constraints get variables of their own; elsewhere a table is needed.
            name = "tabulated.Tabulated"
        else:
            name = MAKERS.get(type(constraint), "tabulated.Tabulated")
        return maker(name)(constraint, self)


def bits(mask: int) -> Iterator[int]:
    """Yield the positions of the set bits, from the lowest.

    Examples
    --------
    >>> list(bits(0b1001))
    [0, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def group_positions(scope: Sequence[Variable], groups: Sequence[Sequence[Variable]]) -> tuple[tuple[int, ...], ...]:
    """Return for each group of variables the sorted positions of its variables in a scope."""
    position_of = {variable: i for i, variable in enumerate(scope)}
    return tuple([tuple(sorted([position_of[variable] for variable in group])) for group in groups])


def numbers_of(domain: Domain, context: Context) -> list[int]:
    """Return the values of a domain as a list of integers that propagators share."""
    return context.shared(("numbers", domain), lambda: [integer(value) for value in domain])


class NumericElement(NamedTuple):
    """A number or an expression of one variable, as an element of a list.

    ``position``: the index of the variable in the scope, -1 for a number; ``numbers``: for each value of the variable
    the number that the element has.
    """

    position: int
    numbers: list[int]


def list_elements(elements: Iterable[Affine], scope: Sequence[Variable], context: Context) -> list[NumericElement]:
    """Convert expressions, each of at most one variable, to ``NumericElement``s in the same order."""
    position_of = {variable: i for i, variable in enumerate(scope)}
    listed = []
    for element in elements:
        if not element.terms:
            listed.append(NumericElement(-1, [element.constant]))
            continue
        ((coefficient, variable),), constant = element.terms, element.constant
        assert isinstance(variable, Variable)
        numbers = [coefficient * number + constant for number in numbers_of(context.domain(variable), context)]
        listed.append(NumericElement(position_of[variable], numbers))
    return listed
