"""The propagation loop: sweep exactly-one sets, mark changed variables, run propagators, until nothing changes.

Read this file first: it knows no constraint by name, only propagators, their scopes and their ranks.

Terms: the *rank* of a propagator is its priority; the lowest rank runs first. An *exactly-one set*, such as the values
of a variable, has candidates of which exactly one holds; its *guard* is a bit of the snapshot, 1 while the set is
unfixed. A *sweep* fixes the only remaining candidate of every set that has just one. A *turn* is the work that the tree
search may do before it pauses for another search. ``kernel`` explains snapshots; ``wide`` computes with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from operator import itemgetter
from typing import NamedTuple

from ..compiled.kernel import Contradiction, Snapshot, Stable
from ..compiled.layout import Layout
from ..compiled.program import CompiledModel
from ..compiled.propagators.base import Propagator
from ..effort import Budget, TurnOver
from ..events import Deferred, EventLog, Failed, FixpointReached, Popped, PropagatorRan

STEPS_PER_CALL, STEPS_PER_NODE = 4, 100
"""Fixed steps (units of a propagator's work) of each call and of each node, added to the steps of the algorithms."""

MAX_IDLE_STEPS = 100_000
"""Steps that a propagator may work without a removal.

Beyond that, it is skipped below the root while more than ``MAX_UNFIXED_WHEN_IDLE`` variables of its scope are unfixed.
"""

LONG_CALL_STEPS = 2_000
"""Steps of a long call. After a call above that, the turn of the search ends if its work is used up."""

MAX_UNFIXED_WHEN_IDLE = 3
"""Maximum number of unfixed variables with which an idle propagator runs below the root."""


class ScopedPropagator(NamedTuple):
    """A propagator with its scope as numbers of variables.

    Attributes
    ----------
    number : int
        The number of its constraint.
    propagator : Propagator
    scope : tuple of int
        The numbers of its variables.
    domains_in_scope : function
        Returns the domains of the scope, given those of all variables.
    """

    number: int
    propagator: Propagator
    scope: tuple[int, ...]
    domains_in_scope: Callable[[list[int]], tuple[int, ...]]


class PropagationQueue:
    """The pending propagators, and the domains that the next propagator reads.

    The watchers of a variable are the propagators that have the variable in their scope. To mark a variable is to
    store its new domain and to schedule its watchers; the queue itself keeps only the pending propagators.

    Attributes
    ----------
    pending : int
        The propagators that have to run, as bits. The lowest bit runs first.
    marked_snapshot : Snapshot
        The snapshot whose changes have been marked.
    domains : list of int
        The domain of each variable in ``marked_snapshot`` as bits, updated in place.
    work_limit : int or None
        Work at which a long call ends the turn of the search; None if no call ends the turn.
    """

    __slots__ = ("_layout", "_watcher_bits", "domains", "marked_snapshot", "pending", "work_limit")

    def __init__(self, layout: Layout, watcher_bits: list[int], marked_snapshot: Snapshot, domains: list[int]) -> None:
        self._layout = layout
        self._watcher_bits = watcher_bits  # for each variable, its watchers as bits
        self.pending = 0
        self.marked_snapshot = marked_snapshot
        self.domains = domains
        self.work_limit: int | None = None

    def mark_changed(self, snapshot: Snapshot) -> None:
        """Store the changed domains of a snapshot, and schedule the propagators that watch them."""
        for variable, domain in self._layout.changed_domains(snapshot, self.marked_snapshot):
            self.domains[variable] = domain
            self.pending |= self._watcher_bits[variable]
        self.marked_snapshot = snapshot

    def mark_variable(self, variable: int, domain: int) -> None:
        """Store a variable's new domain, and schedule the propagators that watch the variable."""
        self.domains[variable] = domain
        self.pending |= self._watcher_bits[variable]

    def pop(self, propagators: int) -> Iterator[int]:
        """Remove pending propagators from the queue one by one, and yield the index of each.

        ``propagators``: the pending propagators to pop, as bits.
        """
        while propagators:
            bit = propagators & -propagators
            self.pending &= ~bit
            yield bit.bit_length() - 1
            propagators ^= bit


class Propagation:
    """The propagation of snapshots to their fixpoint, with the propagators of a compiled model.

    Below the root, a propagator that has worked for long without a removal is skipped while its scope has more than
    ``MAX_UNFIXED_WHEN_IDLE`` unfixed variables. A skipped call is dropped, not kept: the next change in the scope
    schedules the propagator again, and it runs as soon as few enough variables there are unfixed. Until then the result
    is not a fixpoint of the skipped propagator.

    References
    ----------
    .. [1] A. K. Mackworth, "Consistency in networks of relations", Artificial Intelligence 8, 1977 (the queue).
    """

    def __init__(self, program: CompiledModel) -> None:
        self._kernel = program.kernel
        self._meter = program.meter
        self._layout = program.layout
        # An index into this list is the bit of the propagator in the queue; constraint numbers have gaps.
        self._propagators = [
            ScopedPropagator(number, propagator, scope := program.incidence.scopes[number], itemgetter(*scope))
            for number, propagator in program.propagators.items()
        ]
        self._last_fixpoint: tuple[Snapshot, list[int]] | None = None  # with the domains of its variables
        self._last_unfixed: dict[int, tuple[int, ...]] = {}  # by idle propagator: unfixed variables of its scope
        self._root_watcher_bits = program.watcher_bits(at_root=True)
        self._search_watcher_bits = program.watcher_bits(at_root=False)
        self._full_domains = [(1 << len(domain)) - 1 for domain in program.layout.domains]
        ranks: dict[tuple[bool, int], int] = {}
        for index, scoped in enumerate(self._propagators):
            rank = scoped.propagator.rank
            ranks[rank] = ranks.get(rank, 0) | 1 << index
        self._ranks = [ranks[rank] for rank in sorted(ranks)]
        self._all_propagators = (1 << len(self._propagators)) - 1

    @property
    def needs_only_sweeps(self) -> bool:
        """Whether sweeps alone propagate the model below the root, without propagators."""
        return not self._search_watcher_bits

    def propagate(
        self,
        snapshot: Snapshot,
        fixpoint: Snapshot | None,
        budget: Budget,
        log: EventLog | None = None,
        *,
        at_root: bool = False,
        work_limit: int | None = None,
    ) -> Stable | Contradiction:
        """Propagate a snapshot; return its fixpoint (``Stable``) or a ``Contradiction``.

        Parameters
        ----------
        snapshot : Snapshot
        fixpoint : Snapshot or None
            An earlier fixpoint above this snapshot, so that only the watchers of changed variables run; None runs
            every propagator.
        budget : Budget
            Checked before every call of a propagator; its effort grows.
        log : EventLog or None
            Events are appended to it.
        at_root : bool
            Also run the propagators that do not run in search.
        work_limit : int or None
            Work at which a long call ends the turn of the search.

        Raises
        ------
        TurnOver
            If a long call has reached ``work_limit``.
        Stopped
            At a limit of the budget.
        """
        watcher_bits = self._root_watcher_bits if at_root else self._search_watcher_bits
        if watcher_bits:
            queue = self._new_queue(snapshot, fixpoint, watcher_bits)
            queue.work_limit = work_limit
            result = self._run_to_fixpoint(snapshot, queue, budget, log, at_root)
        else:
            result = self._kernel.sweep(snapshot, budget.effort, log)
        if log is not None and isinstance(result, Stable):
            log.append(FixpointReached(result.snapshot))
        return result

    def _new_queue(self, snapshot: Snapshot, fixpoint: Snapshot | None, watcher_bits: list[int]) -> PropagationQueue:
        """Return the queue before the first sweep: empty below a fixpoint, else full."""
        first_snapshot = snapshot if fixpoint is None else fixpoint
        # The cached domains are those of the last fixpoint, anywhere in the tree: update those that differ.
        start, domains = self._last_fixpoint or (self._layout.start, list(self._full_domains))
        queue = PropagationQueue(self._layout, watcher_bits, start, domains.copy())
        queue.mark_changed(first_snapshot)
        # These changes need no propagator: at a known fixpoint none has to run, otherwise all have to.
        queue.pending = self._all_propagators if fixpoint is None else 0
        return queue

    def _run_to_fixpoint(
        self, snapshot: Snapshot, queue: PropagationQueue, budget: Budget, log: EventLog | None, at_root: bool
    ) -> Stable | Contradiction:
        """Alternate sweeps and pending propagators, the cheapest first, until nothing changes."""
        budget.effort.steps += STEPS_PER_NODE
        while True:
            # Sweep: fix the only remaining candidate of every exactly-one set that has just one.
            result = self._kernel.sweep(snapshot, budget.effort, log)
            if isinstance(result, Contradiction):
                return result
            snapshot = result.snapshot
            # Mark: schedule the watchers (propagators) of the variables that the sweep has changed.
            queue.mark_changed(snapshot)
            # A rank that has removed candidates ends the pass: a sweep is cheaper than the next rank. Without removals
            # the snapshot remains the same object.
            while queue.pending and snapshot is result.snapshot:
                batch = next(batch for rank in self._ranks if (batch := rank & queue.pending))
                # Pop and run: all pending propagators of the cheapest rank.
                for index in queue.pop(batch):
                    if log is not None:
                        remaining = batch & -2 << index  # the bits above this one
                        log.append(Popped(self._propagators[index].number, queue.pending, remaining))
                    # Skip a propagator that has worked for long without a removal.
                    if (
                        budget.idle.get(index, 0) > MAX_IDLE_STEPS
                        and not at_root
                        and self._has_many_unfixed(index, queue)
                    ):
                        if log is not None:
                            log.append(Deferred(self._propagators[index].number))
                        continue
                    after = self._run_propagator(index, snapshot, queue, budget, log)
                    if isinstance(after, Contradiction):
                        return after
                    # The call has marked its own changes, so the queue needs no other mark.
                    snapshot = queue.marked_snapshot = after
            # No propagator has changed the swept snapshot: it is the fixpoint.
            if snapshot is result.snapshot:
                self._last_fixpoint = snapshot, queue.domains
                return result

    def _run_propagator(
        self, index: int, snapshot: Snapshot, queue: PropagationQueue, budget: Budget, log: EventLog | None
    ) -> Snapshot | Contradiction:
        """Run one propagator; return the snapshot after its removals, or a contradiction."""
        number, propagator, scope, domains_in_scope = self._propagators[index]
        budget.check()
        domains = domains_in_scope(queue.domains)
        effort, meter = budget.effort, self._meter
        meter.steps = 0
        narrowed = propagator.prune(domains)
        # Count the work of the call. After a long one the turn of the search may be over; the search then repeats this
        # node in a later turn.
        effort.propagators += 1
        steps = meter.steps + len(scope) + STEPS_PER_CALL
        effort.steps += steps
        if steps > LONG_CALL_STEPS and queue.work_limit is not None and effort.propagated >= queue.work_limit:
            raise TurnOver
        # No assignment of the scope satisfies the constraint.
        if narrowed is None:
            budget.idle[index] = 0
            conflict = Contradiction(self._emptied_sets(snapshot, scope))
            if log is not None:
                log.append(Failed(snapshot, conflict.guards, number))
            return conflict
        # Remove the lost values from the snapshot and schedule the watchers of narrowed variables.
        after = snapshot
        if narrowed is not domains and narrowed != domains:
            for variable, domain, remaining in zip(scope, domains, narrowed, strict=True):
                if remaining != domain:
                    after = after & self._layout.mask_without(variable, domain ^ remaining)
                    queue.mark_variable(variable, remaining)
        budget.idle[index] = budget.idle.get(index, 0) + steps if after is snapshot else 0
        if log is not None:
            log.append(PropagatorRan(number, snapshot, after))
        return after

    def _has_many_unfixed(self, index: int, queue: PropagationQueue) -> bool:
        """Return whether a scope has more than ``MAX_UNFIXED_WHEN_IDLE`` unfixed variables."""
        # Usually the variables that were unfixed at the last check still are: try these before the whole scope.
        domains, unfixed = queue.domains, self._last_unfixed.get(index, ())
        if len(unfixed) <= MAX_UNFIXED_WHEN_IDLE or not all(
            [domains[variable] & (domains[variable] - 1) for variable in unfixed]
        ):
            scope = self._propagators[index].scope
            from_the_end = (variable for variable in reversed(scope) if domains[variable] & (domains[variable] - 1))
            self._last_unfixed[index] = unfixed = tuple(islice(from_the_end, MAX_UNFIXED_WHEN_IDLE + 1))
        return len(unfixed) > MAX_UNFIXED_WHEN_IDLE

    def _emptied_sets(self, snapshot: Snapshot, scope: tuple[int, ...]) -> Snapshot:
        """Return the guard bits of exactly-one sets whose candidates all belong to a scope.

        They are to blame for a failed propagator with this scope. Removed candidates do not count.
        """
        layout = self._layout
        for variable in scope:
            snapshot = snapshot & ~(layout.variable_mask(variable))
        return self._kernel.empty(snapshot)
