"""Propagate some constraints of a model, and trace a failure back to its causes.

Hidden variables have all values at the start, so that the constraints that narrow them are traced, too.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import NamedTuple

from ...engine.compiled.propagators.base import bits
from ...engine.effort import Budget, Effort
from ...engine.search.propagation import STEPS_PER_CALL
from ...engine.settings import Settings
from .board import Board, View
from .supposing import LARGE_SCOPE, SuppositionTree

MAX_RESULTS = 200_000
"""Maximum number of results of constraints that are kept."""

Used = tuple[set[int], set[int]]
"""The numbers of constraints, and of variables, that a refutation used."""


class Narrowing(NamedTuple):
    """An event of a propagation: a constraint has narrowed the domain of a variable.

    ``before`` has the domains of the scope before the event, if the scope is large; else it is empty.
    """

    number: int
    variable: int
    removed: int
    before: Sequence[int]


class Change(NamedTuple):
    """The change of a domain by a constraint: remaining and removed values of a variable."""

    variable: int
    remaining: int
    removed: int


class Sources:
    """A propagation engine for chosen constraints that traces failures back to their causes.

    Attributes
    ----------
    full : list of int
        The domain of each variable at the start of a reason that does not name the variable.
    is_shown : list of bool
    unary : dict of int to (int, int)
        For each constraint on one variable, the variable and the values that it allows.
    of : dict of int to frozenset
        For each constraint that propagates, the constraints of the model that it comes from or borrows.
    budget : Budget
        The effort so far.
    """

    def __init__(self, board: Board) -> None:
        program = board.program
        self._board = board
        self.full = [(1 << len(domain)) - 1 for domain in program.layout.domains]
        self.is_shown = [bool(mask & board.shown) for mask in board.domain_masks]
        self._scopes = program.incidence.scopes
        self._groups = {group.number: group for group in board.groups}
        self.unary: dict[int, tuple[int, int]] = {}
        given = len(program.model.constraints)
        for number, mask in program.unary_masks:
            (variable,) = self._scopes[number]
            # The givens of shown cells are known cells, not constraints.
            if number >= given or not self.is_shown[variable]:
                self.unary[number] = variable, (board.mask(program.layout.start & mask) >> board.first[variable])
        numbers = [*self.unary, *dict.fromkeys([*self._groups, *program.propagators])]
        self.of = {number: frozenset(self._find_sources(number)) for number in numbers}
        self._watchers: list[list[int]] = [[] for _ in self.full]
        for number in self.of:
            for variable in self._scopes[number]:
                self._watchers[variable].append(number)
        self._by_source: dict[int, list[int]] = {}
        for number, sources in self.of.items():
            for source in sources:
                self._by_source.setdefault(source, []).append(number)
        self._results: dict[int, dict[tuple[int, ...], Sequence[Change] | None]] = {n: {} for n in self.of}
        self._result_count = 0
        self.budget = Budget(Settings(), Effort())

    def _find_sources(self, number: int) -> Iterator[int]:
        program = self._board.program
        propagator = program.propagators.get(number)
        for each in (number, *[borrowed.constraint for borrowed in (propagator.borrowed if propagator else ())]):
            yield from program.origins[each]

    @property
    def all(self) -> list[int]:
        """The numbers of all constraints of the model that propagate."""
        return sorted(self._by_source)

    def start(self, view: View) -> list[int]:
        """Return each variable's domain in ``view`` as bits; hidden variables keep all values."""
        first, full = self._board.first, self.full
        return [
            cell >> first[variable] if self.is_shown[variable] else full[variable]
            for variable, cell in enumerate(view.cells)
        ]

    def without(self, absent: int) -> list[int]:
        """Return the full domains of all variables, without the candidates of ``absent``."""
        board, domains = self._board, self.full.copy()
        for variable in board.variables_of(absent):
            domains[variable] &= ~((absent & board.domain_masks[variable]) >> board.first[variable])
        return domains

    def active(self, sources: Collection[int]) -> dict[int, None]:
        """Return the propagating constraints that come only from the model constraints ``sources``."""
        chosen = set(sources)
        numbers = dict.fromkeys([number for source in sources for number in self._by_source.get(source, ())])
        return dict.fromkeys([number for number in numbers if self.of[number] <= chosen])

    def scope(self, numbers: Iterable[int]) -> list[int]:
        """Return the numbers of the variables of these constraints, ascending."""
        return sorted({variable for number in numbers for variable in self._scopes[number]})

    def distances(self, variable: int) -> dict[int, int]:
        """Map each constraint of the model to its distance from a variable.

        The distance is the number of constraints on the way. A large constraint ends the way, because it is near to
        everything.
        """
        distance_of: dict[int, int] = {}
        reached, front, distance = {variable}, [variable], 0
        while front:
            distance += 1
            near = {n: distance for each in front for n in self._watchers[each] if n not in distance_of}
            distance_of |= near
            front = [v for v in self.scope([n for n in near if len(self._scopes[n]) < LARGE_SCOPE]) if v not in reached]
            reached.update(front)
        # The nearest constraint that comes from a constraint of the model counts.
        distances = dict.fromkeys(self.all, distance + 1)
        for number in reversed(distance_of):
            distances |= dict.fromkeys(self.of[number], distance_of[number])
        return distances

    def fails(self, domains: list[int], active: Collection[int], cases: Sequence[int] = ()) -> bool:
        """Return whether propagation refutes ``domains``, for each value of the variables in ``cases``.

        ``domains`` is updated.
        """
        return self.find_used(domains, active, cases, None) is not None

    def find_used(
        self,
        domains: list[int],
        active: Collection[int],
        cases: Sequence[int],
        log: list[Narrowing] | None,
        pending: Iterable[int] | None = None,
    ) -> Used | None:
        """Return what a refutation of ``domains`` uses, for each value of the variables in ``cases``.

        Returns None if propagation does not refute some case. A large constraint uses all variables of its scope. The
        result is empty without a log of events. ``domains`` and ``log`` are updated.
        """
        used: Used = (set(), set())

        def add(domains: list[int], log: list[Narrowing] | None, failed: int | None, variable: int) -> None:
            if log is not None:
                numbers, variables = self.trace_back(domains, log, failed, variable, -1, is_exact=False)
                used[0].update(numbers)
                used[1].update(variables)

        failed = self.propagate(domains, active, log, pending)
        if failed is not None:
            add(domains, log, failed, -1)
            return used
        # Distinguish the values of the first variable that is unfixed. Events have removed its other values.
        for i, variable in enumerate(cases):
            if domains[variable] & (domains[variable] - 1):
                add(domains, log, None, variable)
                watchers = [number for number in self._watchers[variable] if number in active]
                for bit in bits(domains[variable] << self._board.first[variable]):
                    case_log = None if log is None else log.copy()
                    case = self.find_used(self.suppose(domains, bit), active, cases[i + 1 :], case_log, watchers)
                    if case is None:
                        return None
                    used[0].update(case[0])
                    used[1].update(case[1])
                return used
        return None

    def suppose(self, domains: list[int], bit: int) -> list[int]:
        """Return a copy of the domains, with the variable of a candidate fixed to it."""
        variable, case = self._board.owner[bit], domains.copy()
        case[variable] &= 1 << bit >> self._board.first[variable]
        return case

    def propagate(
        self,
        domains: list[int],
        active: Collection[int],
        log: list[Narrowing] | None = None,
        pending: Iterable[int] | None = None,
    ) -> int | None:
        """Propagate ``active`` constraints on ``domains``; return the number of a failed one, or None.

        Constraints run in the order of their marks, large scopes last. ``domains`` is updated.
        Without ``pending``, all active constraints run.
        """
        self.budget.check()
        scopes, watchers = self._scopes, self._watchers
        marked = dict.fromkeys(active if pending is None else pending)
        small = deque([number for number in marked if len(scopes[number]) < LARGE_SCOPE])
        large = deque([number for number in marked if len(scopes[number]) >= LARGE_SCOPE])
        while small or large:
            number = small.popleft() if small else large.popleft()
            del marked[number]
            changed = self._narrow(number, domains, log)
            if changed is None:
                return number
            for variable, _, _ in changed:
                for watcher in watchers[variable]:
                    if watcher in active and watcher not in marked:
                        marked[watcher] = None
                        (small if len(scopes[watcher]) < LARGE_SCOPE else large).append(watcher)
        return None

    def next_round(
        self, domains: list[int], marked: Iterable[int], log: list[Narrowing]
    ) -> tuple[int | None, dict[int, None]]:
        """Run each marked constraint once, updating ``domains`` and ``log``.

        Returns a constraint that fails, or None; and the constraints to run in the next round.
        """
        self.budget.check()
        after: dict[int, None] = {}
        for number in marked:
            changed = self._narrow(number, domains, log)
            if changed is None:
                return number, {}
            for variable, _, _ in changed:
                after |= dict.fromkeys(self._watchers[variable])
        return None, after

    def watchers_of_hidden(self) -> list[int]:
        """Return the numbers of the constraints that have a hidden variable in their scope."""
        return list(
            dict.fromkeys([n for v, watchers in enumerate(self._watchers) if not self.is_shown[v] for n in watchers])
        )

    def _narrow(self, number: int, domains: list[int], log: list[Narrowing] | None) -> Sequence[Change] | None:
        """Run a constraint and update ``domains``; return its changes, None if it cannot hold."""
        scope = self._scopes[number]
        before = tuple([domains[variable] for variable in scope])
        # Most constraints meet the same domains again, in the next view or the next subset.
        results = self._results[number]
        if before in results:
            changes = results[before]
        else:
            self._result_count += 1
            if self._result_count > MAX_RESULTS:
                self._result_count = 1
                for each in self._results.values():
                    each.clear()
            changes = results[before] = self._find_changes(number, before)
        for variable, remaining, removed in changes or ():
            domains[variable] = remaining
            if log is not None:
                log.append(Narrowing(number, variable, removed, before if len(scope) >= LARGE_SCOPE else ()))
        return changes

    def _find_changes(self, number: int, before: Sequence[int]) -> Sequence[Change] | None:
        """Return the changes that a constraint makes; None if it cannot hold."""
        narrowed = self._run(number, before)
        if narrowed is None:
            return None
        scope = self._scopes[number]
        return [
            Change(variable, remaining, domain & ~remaining)
            for variable, domain, remaining in zip(scope, before, narrowed, strict=True)
            if remaining != domain
        ]

    def _run(self, number: int, domains: Sequence[int]) -> Sequence[int] | None:
        """Return a constraint's domains after its propagation; None if it cannot hold."""
        self.budget.check()
        narrowed: Sequence[int] | None = domains
        effort, meter = self.budget.effort, self._board.program.meter
        meter.steps = 0
        if number in self.unary:
            narrowed = [domain & self.unary[number][1] for domain in domains]
        elif number in self._groups:
            narrowed = self._run_group(number, domains)
        if narrowed is not None and all(narrowed) and number in self._board.program.propagators:
            narrowed = self._board.program.propagators[number].prune(narrowed)
        effort.steps += meter.steps + len(domains) + STEPS_PER_CALL
        return narrowed if narrowed is not None and all(narrowed) else None

    def _run_group(self, number: int, domains: Sequence[int]) -> list[int] | None:
        """Return a group's domains after one pass over singles; None if it cannot hold.

        One pass over the values; a value with one place is a hidden single only in a permutation.
        """
        group, first = self._groups[number], self._board.first
        scope = self._scopes[number]
        cells = {variable: domain << first[variable] for variable, domain in zip(scope, domains, strict=True)}
        live = sum(cells.values())
        fixed = sum([cell for cell in cells.values() if not cell & (cell - 1)])
        for place in group.places:
            candidates = live & place.mask
            single = candidates & fixed
            if single & (single - 1) or (not candidates and group.is_permutation):
                return None
            after = live
            if single:
                after &= ~place.mask | single
            elif group.is_permutation and not candidates & (candidates - 1):
                after &= ~cells[self._board.owner[next(bits(candidates))]] | candidates
            if after != live:
                live = after
                cells = {variable: cell & live for variable, cell in cells.items()}
                fixed = sum([cell for cell in cells.values() if not cell & (cell - 1)])
        return [cells[variable] >> first[variable] for variable in scope]

    def trace_cases(
        self, domains: list[int], log: list[Narrowing], claimed: int, claim: int, tree: SuppositionTree
    ) -> Used | None:
        """Return the constraints and variables that refute all cases of ``tree``, or None.

        None: some case is not refuted. ``claimed``: the variable that is supposed to have a value of ``claim``; -1 if
        there is none.
        """
        log = log.copy()
        failed = None
        is_empty = claimed >= 0 and not domains[claimed]
        if claimed >= 0 and not is_empty:
            failed = self.propagate(domains, self.of, log, self._watchers[claimed])
            if failed is None:
                failed = self.propagate(domains, self.of, log)
        if failed is not None or is_empty:
            return self.trace_back(domains, log, failed, claimed, claim)
        numbers, variables = set[int](), set[int]()
        for bit in tree.children:
            variable = self._board.owner[bit]
            case = self.suppose(domains, bit)
            used = self.trace_cases(case, log, variable, -1, tree.children[bit])
            if used is None:
                return None
            numbers |= used[0]
            variables |= used[1]
        return (numbers, variables) if tree.children else None

    def trace_back(
        self,
        domains: list[int],
        log: list[Narrowing],
        failed: int | None,
        claimed: int,
        claim: int,
        is_exact: bool = True,
    ) -> Used:
        """Return the constraints and variables on which a failure depends, following its events backwards.

        Of the events of the claimed variable only those matter that remove a claimed value. ``is_exact``: find which
        variables a large constraint used; otherwise it used all variables of its scope.
        """
        numbers: set[int] = set()
        variables = {claimed}
        if failed is not None:
            numbers.add(failed)
            before = [domains[variable] for variable in self._scopes[failed]] if is_exact else ()
            variables = self._variables_used(failed, before, ())
        for event in reversed(log):
            if event.variable in variables and (event.variable != claimed or event.removed & claim):
                numbers.add(event.number)
                variables |= self._variables_used(event.number, event.before if is_exact else (), (event,))
        return numbers, variables

    def _variables_used(self, number: int, before: Sequence[int], events: Sequence[Narrowing]) -> set[int]:
        """Return the variables that a constraint used for an event or a failure."""
        scope = self._scopes[number]
        propagator = self._board.program.propagators.get(number)
        if propagator is None or len(scope) < LARGE_SCOPE or not before:
            return set(scope)
        removed = before if not events else [event_removed(events[0], variable) for variable in scope]
        self.budget.effort.steps += 20 * len(scope)
        return {scope[position] for position in propagator.explain(before, removed).positions}


def event_removed(event: Narrowing, variable: int) -> int:
    """Return the values that an event removes from a variable."""
    return event.removed if event.variable == variable else 0
