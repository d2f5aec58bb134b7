"""The queue: sweep, mark, narrow, until nothing is marked. Knows no constraint by name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import itemgetter

from ..compiled.kernel import Contradiction, Snapshot, Stable
from ..compiled.layout import Layout
from ..compiled.program import CompiledModel
from ..effort import Budget, TurnOver
from ..events import Deferred, EventLog, Failed, Narrowed, Queued, Rested

CALL, NODE = 4, 100
"""What a turn takes besides what its filter looks at, and what a node takes besides its turns."""

DEAR = 100_000
"""A filter that has looked at so much in search without finding anything is asked less often."""

LONG = 2_000
"""After a call that has looked at so much, it is asked whether another search has its turn."""

FEW = 3
"""Most open variables in the scope of a dear filter for it to be asked in search."""


class Queue:
    """Which filters wait for their turn, and the domains that they see.

    A variable is marked from the moment its domain changes until the lines have been swept and every filter that
    watches it has had its turn. The lines are one sweep; of the filters this is the list.

    ``watching``: for each variable the filters that watch it, as bits: the lowest is the first to take its turn;
    ``waiting``: the filters that wait, as bits; ``told``: what the filters have been told of; ``masks``: the domains in
    that state, variable by variable; kept up to date in place; ``until``: where so much work is done, a filter that
    looks at much is the last one.
    """

    __slots__ = ("_layout", "_watching", "masks", "told", "until", "waiting")

    def __init__(self, layout: Layout, watching: list[int], waiting: int, told: Snapshot, masks: list[int]) -> None:
        self._layout = layout
        self._watching = watching
        self.waiting = waiting
        self.told = told
        self.masks = masks
        self.until: int | None = None

    def tell(self, state: Snapshot) -> None:
        """Let every filter wait that watches a variable whose domain has changed."""
        for variable, mask in self._layout.changed_domains(state, self.told):
            self.masks[variable] = mask
            self.waiting |= self._watching[variable]
        self.told = state

    def narrow(self, variable: int, mask: int) -> None:
        """As ``tell``, of one variable; the state is still to be told."""
        self.masks[variable] = mask
        self.waiting |= self._watching[variable]

    def take(self, some: int) -> Iterator[int]:
        """The filters among some that wait, each taken when its turn comes."""
        some &= self.waiting
        while some:
            bit = some & -some
            self.waiting &= ~bit
            yield bit.bit_length() - 1
            some ^= bit


class Propagation:
    """Narrows states of a program to their fixpoint.

    Below the root a filter whose calls have cost much, since it last found something, takes its turn only when few
    variables of its scope are open; with the last of them it is asked in any case.

    References
    ----------
    .. [1] A. K. Mackworth, "Consistency in networks of relations", Artificial Intelligence 8, 1977 (the queue).
    """

    def __init__(self, program: CompiledModel) -> None:
        self._kernel = program.kernel
        self._memory = program.memory
        self._layout = program.layout
        self._propagators = [
            (number, propagator, scope := program.scopes[number], itemgetter(*scope))
            for number, propagator in program.propagators.items()
        ]
        self._known: tuple[Snapshot, list[int]] | None = None  # the domains of a state that was at rest
        self._open: dict[int, tuple[int, ...]] = {}  # variables of dear filters that were open
        self._at_root = self._watching(range(len(self._propagators)))
        self._in_search = self._watching(
            [i for i, (_, propagator, _, _) in enumerate(self._propagators) if propagator.in_search]
        )
        self._whole = [(1 << len(domain)) - 1 for domain in program.layout.domains]
        ranks: dict[tuple[bool, int], int] = {}
        for turn, (_, propagator, _, _) in enumerate(self._propagators):
            ranks[propagator.rank] = ranks.get(propagator.rank, 0) | 1 << turn
        self._ranks = [ranks[rank] for rank in sorted(ranks)]
        self._every = (1 << len(self._propagators)) - 1

    def _watching(self, turns: Sequence[int]) -> list[int]:
        """For each variable the filters that watch it, as bits, of those that have these turns; empty if none has."""
        watching = [0] * len(self._layout.variables) if turns else []
        for turn in turns:
            for variable in self._propagators[turn][2]:
                watching[variable] |= 1 << turn
        return watching

    @property
    def is_sweeping(self) -> bool:
        """Whether sweeps are all there is in search."""
        return not self._in_search

    def narrow(
        self,
        state: Snapshot,
        rest: Snapshot | None,
        budget: Budget,
        log: EventLog | None = None,
        *,
        at_root: bool = False,
        until: int | None = None,
    ) -> Stable | Contradiction:
        """Propagate until nothing is marked.

        ``rest``: a state that was at rest; None where every filter is owed its first turn; ``budget``: asked before
        every filter; its effort grows; ``log``: what happens is appended here; ``at_root``: whether the filters have
        turns that have none in search; ``until``: the work after which a call that takes long is the last one.

        Raises
        ------
        TurnOver
            If it was, and something is still marked.
        """
        watching = self._at_root if at_root else self._in_search
        if watching:
            queue = self._queue(state, rest, watching)
            queue.until = until
            result = self._drain(state, queue, budget, log, at_root)
        else:
            result = self._kernel.sweep(state, budget.effort, log)
        if log is not None and isinstance(result, Stable):
            log.append(Rested(result.state))
        return result

    def _queue(self, state: Snapshot, rest: Snapshot | None, watching: list[int]) -> Queue:
        """What waits before anything is done; of the domains only those are read that differ from what is known."""
        told = state if rest is None else rest
        start, masks = self._known or (self._layout.start, list(self._whole))
        queue = Queue(self._layout, watching, 0, start, masks.copy())
        queue.tell(told)
        queue.waiting = self._every if rest is None else 0
        return queue

    def _drain(
        self, state: Snapshot, queue: Queue, budget: Budget, log: EventLog | None, at_root: bool
    ) -> Stable | Contradiction:
        budget.effort.steps += NODE
        while True:
            result = self._kernel.sweep(state, budget.effort, log)
            if isinstance(result, Contradiction):
                return result
            state = result.state
            queue.tell(state)
            while queue.waiting and state is result.state:
                rank = next(rank for rank in self._ranks if rank & queue.waiting)
                if log is not None:
                    log.append(self._queued(queue.waiting, rank))
                for turn in queue.take(rank):
                    if budget.idle.get(turn, 0) > DEAR and not at_root and self._is_open(turn, queue):
                        if log is not None:
                            log.append(Deferred(self._propagators[turn][0]))
                        continue
                    after = self._revise(turn, state, queue, budget, log)
                    if isinstance(after, Contradiction):
                        return after
                    state = queue.told = after
            if state is result.state:
                self._known = state, queue.masks
                return result

    def _queued(self, waiting: int, rank: int) -> Queued:
        """What waits, for a trail: those of a rank first."""
        numbers = [
            (rank >> turn & 1, number) for turn, (number, *_) in enumerate(self._propagators) if waiting >> turn & 1
        ]
        first = [number for is_first, number in numbers if is_first]
        return Queued((*first, *[number for is_first, number in numbers if not is_first]), len(first))

    def _revise(
        self, turn: int, state: Snapshot, queue: Queue, budget: Budget, log: EventLog | None
    ) -> Snapshot | Contradiction:
        """Let a filter take its turn; the state after it."""
        number, propagator, scope, domains = self._propagators[turn]
        budget.check()
        masks = domains(queue.masks)
        effort, memory = budget.effort, self._memory
        before = memory.steps
        kept = propagator.prune(masks)
        effort.propagators += 1
        steps = memory.steps - before + len(scope) + CALL
        effort.steps += steps
        if steps > LONG and queue.until is not None and effort.propagated >= queue.until:
            raise TurnOver
        if kept is None:
            budget.idle[turn] = 0
            conflict = Contradiction(self._emptied(state, scope))
            if log is not None:
                log.append(Failed(state, conflict.guards, number))
            return conflict
        after = state
        if kept is not masks and kept != masks:
            for variable, mask, left in zip(scope, masks, kept, strict=True):
                if left != mask:
                    after = after & self._layout.removal(variable, mask ^ left)
                    queue.narrow(variable, left)
        budget.idle[turn] = budget.idle.get(turn, 0) + steps if after is state else 0
        if log is not None:
            log.append(Narrowed(number, state, after))
        return after

    def _is_open(self, turn: int, queue: Queue) -> bool:
        """Whether more than a few variables of the scope of a filter are open; those that were are looked at first."""
        masks, known = queue.masks, self._open.get(turn, ())
        if len(known) <= FEW or not all([masks[variable] & (masks[variable] - 1) for variable in known]):
            scope = self._propagators[turn][2]
            last_open = (variable for variable in reversed(scope) if masks[variable] & (masks[variable] - 1))
            self._open[turn] = known = tuple(islice(last_open, FEW + 1))
        return len(known) > FEW

    def _emptied(self, state: Snapshot, scope: tuple[int, ...]) -> Snapshot:
        """The lines that are left without candidates when the variables of a scope have none."""
        layout = self._layout
        for variable in scope:
            state = state & ~(layout.variable_mask(variable))
        return self._kernel.empty(state)
