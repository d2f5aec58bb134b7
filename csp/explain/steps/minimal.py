"""Find minimal reasons: few constraints and known cells from which shown cells lose candidates.

A reason argues from the shown cells only: the constraints that narrow hidden variables belong to the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from ...base.frozen import Frozen
from ...base.shrinking import shrink_to_minimal
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Budget, Effort
from ...engine.settings import Settings
from ...model import Value
from .board import Board, View
from .sources import Narrowing, Sources
from .supposing import SuppositionTree

MAX_STEPS = 100_000
"""Maximum number of propagation steps to find the reasons of one view; one reason is found in any case."""

MAX_CONSTRAINTS, MAX_CELLS, MAX_LIKELY, MAX_FIXED = 6, 8, 16, 4
"""Maximum number of constraints and of known cells that a small joint reason names, and of cells to find them in."""


class MinimalReason(Frozen):
    """Constraints and known cells, all of them necessary, that exclude candidates.

    Attributes
    ----------
    removed : int
        The excluded candidates; 0 if nothing is left.
    constraints : tuple of int
        The numbers of constraints of the model.
    absent : int
        The candidates that the known cells do not have. Other candidates may remain or not.
    cases : tuple of int
        The numbers of the variables whose values are distinguished as cases; empty if propagation is enough.
    """

    removed: int
    constraints: tuple[int, ...]
    absent: int
    cases: tuple[int, ...] = ()


class MinimalReasons:
    """The minimal reasons of a board, kept along a solution path.

    A reason stays valid on the path: candidates that are absent stay absent.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._sources = Sources(board)
        self._base: tuple[int, list[int], list[Narrowing], int | None] | None = None
        self._found: dict[int, MinimalReason | None] = {}
        self._kept: list[MinimalReason] = []
        self._large: set[tuple[int, tuple[int, ...]]] = set()  # candidates and constraints without a small reason

    def find_forced(self, view: View, is_small: bool = True) -> Iterator[MinimalReason]:
        """Find reasons by propagation alone, through hidden variables; the nearest reasons first.

        A reason that removes nothing shows that the view cannot hold. ``is_small``: find only small reasons.
        """
        sources = self._sources
        if all(sources.is_shown):
            return
        sources.budget = Budget(Settings(), Effort(), view.progress)
        # Reasons that an earlier view of the path has found.
        live = view.live
        self._kept = [r for r in self._kept if r.removed & live and not r.absent & live]
        if kept := [r for r in self._kept if not is_small or self.is_small(view, r)]:
            yield from sorted(kept, key=lambda reason: self._size(view, reason))
            return
        domains, log = sources.start(view), list[Narrowing]()
        marked = dict.fromkeys(sources.watchers_of_hidden() if is_small else sources.of)
        rounds = 0
        lost_before = 0
        while marked and (rounds < MAX_CONSTRAINTS or not is_small):
            rounds += 1
            failed, marked = sources.next_round(domains, marked, log)
            if failed is not None:
                yield self._shrink(view, 0, SuppositionTree(), sources.trace_back(domains, log, failed, -1, -1))
                return
            lost = view.live & ~self._live(domains) & self._board.shown
            new, lost_before = lost & ~lost_before, lost
            reasons = []
            for bit in bits(new):
                if not new >> bit & 1:
                    continue
                if reasons and sources.budget.effort.steps > MAX_STEPS:
                    break
                claimed, claim = self._claim(1 << bit)
                used = sources.trace_back(domains, log, None, claimed, claim)
                # A search that found no small reason before would find none now.
                key = bit, tuple(sorted(used[0])), tuple(sorted([v for v in used[1] if view.cells[v] & view.placed]))
                if is_small and key in self._large:
                    continue
                reason = self._shrink(view, 1 << bit, SuppositionTree(), used, lost, is_small)
                if reason is not None and (not is_small or self.is_small(view, reason)):
                    new &= ~reason.removed
                    reasons.append(reason)
                else:
                    self._large.add(key)
            if reasons:
                self._kept = reasons
                yield from sorted(reasons, key=lambda reason: self._size(view, reason))
                return

    def find_refuted(self, view: View, trees: Mapping[int, SuppositionTree]) -> Iterator[MinimalReason]:
        """Find reasons for candidates that fail if they are supposed; the smallest reasons first.

        ``trees``: for each candidate the cases to distinguish.
        """
        self._sources.budget = Budget(Settings(), Effort(), view.progress)
        reasons: list[MinimalReason] = []
        for bit, tree in trees.items():
            found = self._found.get(bit)
            if found is None or view.live & found.absent:
                if reasons and self._sources.budget.effort.steps > MAX_STEPS:
                    continue
                failing = sum([1 << each for each in trees])
                self._found[bit] = self._refute(view, bit, tree, failing)
            if (reason := self._found[bit]) is not None:
                reasons.append(reason)
        yield from sorted(reasons, key=lambda reason: self._size(view, reason))

    def conflict(self, view: View) -> MinimalReason | None:
        """Return the reason why a view cannot hold; None if it may hold."""
        _, domains, log, failed = self._propagate_view(view)
        if failed is None:
            return None
        return self._shrink(view, 0, SuppositionTree(), self._sources.trace_back(domains, log, failed, -1, -1))

    def is_small(self, view: View, reason: MinimalReason) -> bool:
        """Return whether a reason names few constraints and cells."""
        return len(reason.constraints) <= MAX_CONSTRAINTS and self.premises(view, reason)[0] <= MAX_CELLS

    def _size(self, view: View, reason: MinimalReason) -> tuple[int, int]:
        return len(reason.constraints) + self.premises(view, reason)[0], reason.removed

    def premises(self, view: View, reason: MinimalReason) -> tuple[int, int, tuple[int, ...]]:
        """Return how many cells the known cells of a reason need in words, these cells, and places of values.

        Either the known cells are named; or, if fewer, the cells that still have one of the absent values.
        """
        board = self._board
        cells = board.variables_of(reason.absent)
        values = dict.fromkeys([board.candidates[bit][1] for bit in bits(reason.absent)])
        if len(values) < len(cells):
            masks = places_of_values(board)
            places = [masks[value] & view.live for value in values]
            count = sum([max(1, place.bit_count()) for place in places])
            if count < len(cells):
                return count, 0, tuple(places)
        return len(cells), sum([view.cells[variable] for variable in cells]), ()

    def _live(self, domains: list[int]) -> int:
        return sum([domain << first for domain, first in zip(domains, self._board.first, strict=True)])

    def _claim(self, mask: int) -> tuple[int, int]:
        """Return the variable of candidates, and its values."""
        claimed = self._board.owner[next(bits(mask))]
        return claimed, mask >> self._board.first[claimed]

    def _propagate_view(self, view: View) -> tuple[int, list[int], list[Narrowing], int | None]:
        """Propagate the shown cells of a view.

        Returns the shown candidates, the domains, the events, and the number of a failed constraint or None.
        """
        live = view.live & self._board.shown
        if self._base is None or self._base[0] != live:
            sources = self._sources
            domains, log = sources.start(view), list[Narrowing]()
            # Without hidden variables the view itself is enough; its techniques have propagated it. Otherwise propagate
            # from the beginning: events that start at the cells known by now are fewer than those of earlier views.
            failed = None if all(sources.is_shown) else sources.propagate(domains, sources.of, log)
            self._base = live, domains, log, failed
        return self._base

    def _refute(self, view: View, bit: int, tree: SuppositionTree, failing: int) -> MinimalReason | None:
        """Find the reason why a candidate fails if it is supposed; None unless propagation of the cases refutes it."""
        # Propagate the candidate from what the view alone implies.
        _, base, log, _ = self._propagate_view(view)
        claimed, claim = self._claim(1 << bit)
        used = self._sources.trace_cases(self._sources.suppose(base, bit), log, claimed, claim, tree)
        return None if used is None else self._shrink(view, 1 << bit, tree, used, failing)

    def _shrink(
        self,
        view: View,
        mask: int,
        tree: SuppositionTree,
        used: tuple[set[int], set[int]],
        within: int = 0,
        is_small: bool = False,
    ) -> MinimalReason | None:
        """Drop what is superfluous for a reason from the constraints and variables that it used.

        With the empty mask, the reason is that the view cannot hold.
        """
        sources, board = self._sources, self._board
        start, full = sources.start(view), sources.full
        claimed = -1
        if mask:
            claimed, start[claimed] = self._claim(mask)
        # Drop superfluous constraints.
        fails = lambda domains, chosen: sources.fails(domains.copy(), sources.active(chosen), tree)  # noqa: E731
        constraints = sorted({source for number in used[0] for source in sources.of[number]})
        if not fails(start, constraints):
            constraints = sources.all
        constraints = shrink_to_minimal(constraints, lambda chosen: fails(start, chosen))
        if is_small and len(constraints) > MAX_CONSTRAINTS:
            return None
        active = sources.active(constraints)
        # Drop superfluous known cells: their domains become full again. Fixed cells are the easiest to see.
        known = [v for v in sources.scope(active) if sources.is_shown[v] and v != claimed and start[v] != full[v]]
        fixed = [variable for variable in known if not start[variable] & (start[variable] - 1)]

        def is_enough(absent: int) -> bool:
            domains = sources.without(absent)
            if mask:
                domains[claimed] = start[claimed]
            return sources.fails(domains, active, tree)

        def absent_of(chosen: Sequence[int]) -> int:
            return sum([(full[variable] & ~start[variable]) << board.first[variable] for variable in chosen])

        # Fixed cells are the easiest to see, then the few places of some values.
        shrink = lambda cells: absent_of(shrink_to_minimal(cells, lambda chosen: is_enough(absent_of(chosen))))  # noqa: E731
        absent = shrink(fixed) if is_enough(absent_of(fixed)) else -1
        if absent < 0 or len(board.variables_of(absent)) > MAX_FIXED:
            absent = self._shrink_values(view, absent_of(known), is_enough) or absent
        if absent < 0:
            likely = [variable for variable in known if variable in used[1]]
            known = likely if is_enough(absent_of(likely)) else known
            if is_small and len(known) > MAX_LIKELY:
                return None
            absent = shrink(sorted(known, key=lambda variable: (start[variable].bit_count(), variable)))
        return self._make(view, mask, tree, constraints, active, absent, within)

    def _shrink_values(self, view: View, absent: int, is_enough: Callable[[int], bool]) -> int:
        """Drop the absent values that a reason does not need; return 0 unless values with few places suffice."""
        board = self._board
        masks = places_of_values(board)
        places = {value: (mask & view.live).bit_count() for value, mask in masks.items()}
        values = sorted([value for value in masks if places[value] <= MAX_CELLS], key=lambda value: places[value])
        absent_of = lambda chosen: sum([masks[value] & absent for value in chosen])  # noqa: E731
        if not is_enough(absent_of(values)):
            return 0
        values = shrink_to_minimal(values, lambda chosen: is_enough(absent_of(chosen)))
        if sum([places[value] for value in values]) > MAX_CELLS:
            return 0
        return sum([masks[value] & ~view.live for value in values])

    def _make(
        self,
        view: View,
        mask: int,
        tree: SuppositionTree,
        constraints: Sequence[int],
        active: Mapping[int, None],
        absent: int,
        within: int,
    ) -> MinimalReason:
        board, removed = self._board, mask
        if mask:
            (bit,) = bits(mask)
            implied = self._conclude(view, active, absent)
            removed |= implied
            # Other candidates that fail in the same way if they are supposed.
            of_cell = view.cells[board.owner[bit]]
            of_value = places_of_values(board)[board.candidates[bit][1]] & within
            for other in bits((of_value if implied & mask else of_value | of_cell) & ~removed):
                if not removed >> other & 1 and self._excludes(other, active, absent, tree):
                    removed |= 1 << other
        cases = dict.fromkeys([self._board.owner[each] for each in _cases(tree)])
        return MinimalReason(removed, tuple(constraints), absent, tuple(cases))

    def _excludes(self, bit: int, active: Mapping[int, None], absent: int, tree: SuppositionTree) -> bool:
        """Return whether a reason excludes a candidate."""
        return self._sources.fails(self._sources.suppose(self._sources.without(absent), bit), active, tree)

    def _conclude(self, view: View, active: Mapping[int, None], absent: int) -> int:
        """Return all shown candidates of a view that a reason excludes by propagation."""
        sources, board = self._sources, self._board
        domains = sources.without(absent)
        if sources.propagate(domains, active) is not None:
            return 0
        return view.live & board.shown & ~self._live(domains)


def places_of_values(board: Board) -> dict[Value, int]:
    """Return for each value the candidates of shown variables that have it."""
    return board.compute_once("places of values", _places_of_values)


def _places_of_values(board: Board) -> dict[Value, int]:
    places: dict[Value, int] = {}
    for bit in bits(board.shown):
        value = board.candidates[bit][1]
        places[value] = places.get(value, 0) | 1 << bit
    return places


def _cases(tree: SuppositionTree) -> Iterator[int]:
    """Yield the candidates that a tree branches on."""
    for bit, child in tree.children.items():
        yield bit
        yield from _cases(child)


def minimal_reasons(board: Board) -> MinimalReasons:
    """Return the minimal reasons of a board, common to all techniques."""
    return board.compute_once("minimal reasons", MinimalReasons)
