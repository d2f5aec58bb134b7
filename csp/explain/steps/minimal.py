"""Find minimal reasons: few constraints and known cells from which a shown cell loses candidates.

A reason argues from the shown cells only. Hidden variables have all values at its start, so that the constraints that
narrow them belong to the reason.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ...base.frozen import Frozen
from ...base.shrinking import shrink_to_minimal
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Budget, Effort
from ...engine.search.propagation import STEPS_PER_CALL
from ...engine.settings import Settings
from .board import Board, View
from .supposing import LARGE_SCOPE, SuppositionTree

MAX_STEPS = 100_000
"""Maximum number of propagation steps to find the reasons of one view; one reason is found in any case."""


MAX_RESULTS = 200_000
"""Maximum number of results of small constraints that are kept."""


class MinimalReason(Frozen):
    """Constraints and known cells, all of them necessary, that exclude candidates of one cell.

    Attributes
    ----------
    removed : int
        The excluded candidates.
    constraints : tuple of int
        The numbers of constraints of the model.
    known : int
        The candidates that remained in the known cells.
    cases : tuple of int
        The numbers of the variables whose values are distinguished as cases; empty if propagation is enough.
    """

    removed: int
    constraints: tuple[int, ...]
    known: int
    cases: tuple[int, ...] = ()

    def absent(self, board: Board) -> int:
        """Return the candidates that the known cells do not have."""
        return sum([board.domain_masks[variable] for variable in board.variables_of(self.known)]) & ~self.known


class Narrowing(NamedTuple):
    """An event of a propagation: a constraint has narrowed the domain of a variable.

    ``before`` has the domains of the scope before the event, if the scope is large; else it is empty.
    """

    number: int
    variable: int
    removed: int
    before: Sequence[int]


class MinimalReasons:
    """The minimal reasons of a board, kept along a solution path.

    A reason stays valid while its known cells have only the candidates that it names.
    """

    def __init__(self, board: Board) -> None:
        program = board.program
        self._board = board
        self._full = [(1 << len(domain)) - 1 for domain in program.layout.domains]
        self._is_shown = [bool(mask & board.shown) for mask in board.domain_masks]
        self._scopes = program.incidence.scopes
        self._groups = {group.number: group for group in board.groups}
        self._unary: dict[int, tuple[int, int]] = {}
        given = len(program.model.constraints)
        for number, mask in program.unary_masks:
            (variable,) = self._scopes[number]
            # The givens of shown cells are known cells, not constraints.
            if number >= given or not self._is_shown[variable]:
                self._unary[number] = variable, (board.mask(program.layout.start & mask) >> board.first[variable])
        # For each constraint that propagates, the constraints of the model that it comes from or borrows.
        numbers = [*self._unary, *dict.fromkeys([*self._groups, *program.propagators])]
        self._sources = {number: frozenset(self._find_sources(number)) for number in numbers}
        self._watchers: list[list[int]] = [[] for _ in self._full]
        for number in self._sources:
            for variable in self._scopes[number]:
                self._watchers[variable].append(number)
        self._by_source: dict[int, list[int]] = {}
        for number, sources in self._sources.items():
            for source in sources:
                self._by_source.setdefault(source, []).append(number)
        self._base: tuple[int, list[int], list[Narrowing], int | None] | None = None
        self._found: dict[int, MinimalReason | None] = {}
        self._results: dict[tuple[int, ...], Sequence[int] | None] = {}  # by constraint and its domains
        self._budget = Budget(Settings(), Effort())

    def _find_sources(self, number: int) -> Iterator[int]:
        program = self._board.program
        propagator = program.propagators.get(number)
        for each in (number, *[borrowed.constraint for borrowed in (propagator.borrowed if propagator else ())]):
            yield from program.origins[each]

    def find_forced(self, view: View) -> Iterator[MinimalReason]:
        """Find reasons by propagation alone, through hidden variables; the smallest reasons first."""
        if all(self._is_shown):
            return
        _, domains, _, _ = self._propagate_view(view)
        lost = [
            (view.cells[variable] & ~(domain << self._board.first[variable]))
            for variable, domain in enumerate(domains)
            if self._is_shown[variable]
        ]
        yield from self._smallest(view, {mask: SuppositionTree() for mask in lost if mask})

    def find_refuted(self, view: View, trees: Mapping[int, SuppositionTree]) -> Iterator[MinimalReason]:
        """Find reasons for candidates that fail if they are supposed; the smallest reasons first.

        ``trees``: for each candidate the cases to distinguish.
        """
        yield from self._smallest(view, {1 << bit: tree for bit, tree in trees.items()})

    def conflict(self, view: View) -> MinimalReason | None:
        """Return the reason why a view cannot hold; None if it may hold."""
        if self._propagate_view(view)[3] is None:
            return None
        return self._find(view, 0, SuppositionTree())

    def _smallest(self, view: View, trees: Mapping[int, SuppositionTree]) -> Iterator[MinimalReason]:
        """Find the reasons of masks until the limit of steps; yield them by size."""
        self._budget = Budget(Settings(), Effort(), view.progress)
        reasons: list[MinimalReason] = []
        for mask, tree in trees.items():
            found = self._found.get(mask)
            if found is None or view.live & found.absent(self._board):
                if reasons and self._budget.effort.steps > MAX_STEPS:
                    continue
                self._found[mask] = self._find(view, mask, tree)
            if (reason := self._found[mask]) is not None:
                reasons.append(reason)
        yield from sorted(reasons, key=self._size)

    def _size(self, reason: MinimalReason) -> tuple[int, int]:
        return len(reason.constraints) + len(self._board.variables_of(reason.known)), reason.removed

    def _propagate_view(self, view: View) -> tuple[int, list[int], list[Narrowing], int | None]:
        """Propagate the shown cells of a view.

        Returns the shown candidates, the domains, the events, and the number of a failed constraint or None.
        """
        live = view.live & self._board.shown
        if self._base is None or self._base[0] != live:
            domains, log = self._start(view), list[Narrowing]()
            # Without hidden variables the view itself is enough; its techniques have propagated it. Otherwise propagate
            # from the beginning: events that start at the cells known by now are fewer than those of earlier views.
            failed = None if all(self._is_shown) else self._propagate(domains, self._sources, log)
            self._base = live, domains, log, failed
        return self._base

    def _start(self, view: View) -> list[int]:
        """Return the domains at the start of a reason; hidden variables have all values."""
        first, full = self._board.first, self._full
        return [
            cell >> first[variable] if self._is_shown[variable] else full[variable]
            for variable, cell in enumerate(view.cells)
        ]

    def _find(self, view: View, mask: int, tree: SuppositionTree) -> MinimalReason | None:
        """Find the reason why one cell has no candidate of a mask.

        Return None unless propagation refutes them. With the empty mask, the reason is that the view cannot
        hold. ``tree``: the cases to distinguish.
        """
        start = self._start(view)
        _, base, log, failed = self._propagate_view(view)
        claimed = -1
        # Suppose that the cell has one of the candidates, and propagate from what the view alone implies.
        if mask:
            claimed = self._board.owner[next(bits(mask))]
            start[claimed] = mask >> self._board.first[claimed]
            domains = base.copy()
            domains[claimed] &= start[claimed]
            used = self._trace_cases(domains, log, claimed, tree)
        else:
            used = self._trace_back(base, log, failed, claimed)
        if used is None:
            return None
        numbers, variables = used
        # Drop superfluous constraints.
        sources = sorted({source for number in numbers for source in self._sources[number]})
        if not self._fails(start, sources, tree):
            sources = sorted(self._by_source)
        sources = shrink_to_minimal(sources, lambda chosen: self._fails(start, chosen, tree))
        # Drop superfluous known cells: their domains become full again.
        known = [
            variable
            for variable in sorted({v for number in self._active(sources) for v in self._scopes[number]})
            if self._is_shown[variable] and variable != claimed and start[variable] != self._full[variable]
        ]

        def is_enough(chosen: Sequence[int]) -> bool:
            domains = start.copy()
            for variable in set(known).difference(chosen):
                domains[variable] = self._full[variable]
            return self._fails(domains, sources, tree)

        likely = [variable for variable in known if variable in variables]
        known = shrink_to_minimal(likely if is_enough(likely) else known, is_enough)
        live = sum([start[variable] << self._board.first[variable] for variable in known])
        cases = dict.fromkeys([self._board.owner[bit] for bit in _cases(tree)])
        return MinimalReason(mask, tuple(sources), live, tuple(cases))

    def _trace_cases(
        self, domains: list[int], log: list[Narrowing], claimed: int, tree: SuppositionTree
    ) -> tuple[set[int], set[int]] | None:
        """Return the constraints and variables that refute each case of a tree.

        Return None unless every case is refuted.
        """
        log = log.copy()
        failed = None
        if domains[claimed]:
            failed = self._propagate(domains, self._sources, log, self._watchers[claimed])
            if failed is None:
                failed = self._propagate(domains, self._sources, log)
        if failed is not None or not domains[claimed]:
            return self._trace_back(domains, log, failed, claimed)
        numbers, variables = set[int](), set[int]()
        for bit in tree.children:
            variable = self._board.owner[bit]
            case = domains.copy()
            case[variable] &= 1 << bit >> self._board.first[variable]
            used = self._trace_cases(case, log, variable, tree.children[bit])
            if used is None:
                return None
            numbers |= used[0]
            variables |= used[1]
        return (numbers, variables) if tree.children else None

    def _trace_back(
        self, domains: list[int], log: list[Narrowing], failed: int | None, claimed: int
    ) -> tuple[set[int], set[int]]:
        """Return the constraints and variables on which a failure depends, following its events backwards."""
        numbers: set[int] = set()
        variables = {claimed} if failed is None else self._variables_used(failed, self._in_scope(failed, domains), ())
        if failed is not None:
            numbers.add(failed)
        for event in reversed(log):
            if event.variable in variables:
                numbers.add(event.number)
                variables |= self._variables_used(event.number, event.before, (event,))
        return numbers, variables

    def _variables_used(self, number: int, before: Sequence[int], events: Sequence[Narrowing]) -> set[int]:
        """Return the variables that a constraint used for an event or a failure."""
        scope = self._scopes[number]
        propagator = self._board.program.propagators.get(number)
        if propagator is None or len(scope) < LARGE_SCOPE or not before:
            return set(scope)
        removed = before if not events else [event_removed(events[0], variable) for variable in scope]
        self._budget.effort.steps += 20 * len(scope)
        return {scope[position] for position in propagator.explain(before, removed).positions}

    def _in_scope(self, number: int, domains: list[int]) -> list[int]:
        return [domains[variable] for variable in self._scopes[number]]

    def _active(self, sources: Collection[int]) -> list[int]:
        """Return the constraints that follow from some constraints of the model."""
        chosen = set(sources)
        numbers = dict.fromkeys([number for source in sources for number in self._by_source.get(source, ())])
        return [number for number in numbers if self._sources[number] <= chosen]

    def _fails(self, start: list[int], sources: Collection[int], tree: SuppositionTree) -> bool:
        """Return whether constraints of the model refute each case of a tree."""
        return self._fails_in_cases(start.copy(), dict.fromkeys(self._active(sources)), None, tree)

    def _fails_in_cases(
        self, domains: list[int], active: Collection[int], pending: Iterable[int] | None, tree: SuppositionTree
    ) -> bool:
        if self._propagate(domains, active, None, pending) is not None:
            return True
        for bit in tree.children:
            variable, case = self._board.owner[bit], domains.copy()
            case[variable] &= 1 << bit >> self._board.first[variable]
            watchers = [number for number in self._watchers[variable] if number in active]
            if case[variable] and not self._fails_in_cases(case, active, watchers, tree.children[bit]):
                return False
        return bool(tree.children)

    def _propagate(
        self,
        domains: list[int],
        active: Collection[int],
        log: list[Narrowing] | None = None,
        pending: Iterable[int] | None = None,
    ) -> int | None:
        """Propagate active constraints; return a constraint that fails, or None.

        Constraints run in the order in which they are marked, those with large scopes last. ``domains`` is updated.
        Without ``pending``, all active constraints run.
        """
        self._budget.check()
        scopes, watchers, results = self._scopes, self._watchers, self._results
        if len(results) > MAX_RESULTS:
            results.clear()
        marked = dict.fromkeys(active if pending is None else pending)
        small = deque([number for number in marked if len(scopes[number]) < LARGE_SCOPE])
        large = deque([number for number in marked if len(scopes[number]) >= LARGE_SCOPE])
        while small or large:
            number = small.popleft() if small else large.popleft()
            del marked[number]
            before = self._in_scope(number, domains)
            # Most small constraints meet the same domains again, in the next view or the next subset.
            if len(before) >= LARGE_SCOPE:
                narrowed = self._run(number, before)
            elif (key := (number, *before)) in results:
                narrowed = results[key]
            else:
                narrowed = results[key] = self._run(number, before)
            if narrowed is None:
                return number
            for variable, domain, remaining in zip(scopes[number], before, narrowed, strict=True):
                if remaining == domain:
                    continue
                domains[variable] = remaining
                if log is not None:
                    is_large = len(scopes[number]) >= LARGE_SCOPE
                    log.append(Narrowing(number, variable, domain & ~remaining, before if is_large else ()))
                for watcher in watchers[variable]:
                    if watcher in active and watcher not in marked:
                        marked[watcher] = None
                        (small if len(scopes[watcher]) < LARGE_SCOPE else large).append(watcher)
        return None

    def _run(self, number: int, domains: Sequence[int]) -> Sequence[int] | None:
        """Return the domains that a constraint leaves; None if it cannot hold."""
        narrowed: Sequence[int] | None = domains
        effort, meter = self._budget.effort, self._board.program.meter
        meter.steps = 0
        if number in self._unary:
            narrowed = [domain & self._unary[number][1] for domain in domains]
        elif number in self._groups:
            narrowed = self._run_group(number, domains)
        if narrowed is not None and all(narrowed) and number in self._board.program.propagators:
            narrowed = self._board.program.propagators[number].prune(narrowed)
        effort.steps += meter.steps + len(domains) + STEPS_PER_CALL
        return narrowed if narrowed is not None and all(narrowed) else None

    def _run_group(self, number: int, domains: Sequence[int]) -> list[int] | None:
        """Return the domains that naked and hidden singles of a group leave."""
        group, first = self._groups[number], self._board.first
        scope = self._scopes[number]
        cells = {variable: domain << first[variable] for variable, domain in zip(scope, domains, strict=True)}
        live = sum(cells.values())
        for place in group.places:
            candidates = live & place.mask
            if not candidates:
                if group.is_permutation:
                    return None
                continue
            fixed = [cell for cell in cells.values() if cell & candidates and not cell & (cell - 1)]
            if len(fixed) > 1:
                return None
            if fixed:
                live &= ~(place.mask & ~fixed[0])
            elif group.is_permutation and not candidates & (candidates - 1):
                live &= ~cells[self._board.owner[next(bits(candidates))]] | candidates
            cells = {variable: cell & live for variable, cell in cells.items()}
        return [cells[variable] >> first[variable] for variable in scope]


def _cases(tree: SuppositionTree) -> Iterator[int]:
    """Yield the candidates that a tree branches on."""
    for bit, child in tree.children.items():
        yield bit
        yield from _cases(child)


def event_removed(event: Narrowing, variable: int) -> int:
    """Return the values that an event removes from a variable."""
    return event.removed if event.variable == variable else 0


def minimal_reasons(board: Board) -> MinimalReasons:
    """Return the minimal reasons of a board, common to all techniques."""
    return board.compute_once("minimal reasons", MinimalReasons)
