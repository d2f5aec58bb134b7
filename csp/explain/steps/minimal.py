"""Find minimal reasons: few constraints and known cells from which shown cells lose candidates.

A reason argues from the shown cells only: the constraints that narrow hidden variables belong to the reason.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import inf, prod

from ...base.frozen import Frozen
from ...base.shrinking import shrink_by_deletion, shrink_to_minimal
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Budget, Effort
from ...engine.settings import Settings
from ...model import Value
from .board import Board, View
from .sources import Narrowing, Sources, Used
from .supposing import SuppositionTree

MAX_STEPS = 100_000
"""Maximum number of propagation steps to find the reasons of one view; one reason is found in any case."""

MAX_CASES = 4096
"""Maximum number of cases that a reason distinguishes, as the product of the numbers of values of its cells."""

MAX_CONSTRAINTS, MAX_CELLS, MAX_LIKELY, MAX_FIXED = 6, 8, 16, 4
"""Maximum number of constraints and of known cells that a small reason names, of unfixed cells to find them in, and of
fixed cells that are named before the places of values are tried.
"""


class MinimalReason(Frozen):
    """A minimal set of constraints and known variables (cells) that together exclude candidates.

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
    is_searched : bool
        Whether a search refutes the candidates, not propagation in cases.
    """

    removed: int
    constraints: tuple[int, ...]
    absent: int
    cases: tuple[int, ...] = ()
    is_searched: bool = False


class MinimalReasons:
    """The search for minimal reasons on a board, with results kept along a path.

    A reason stays valid on the path: candidates that are absent stay absent. ``sources`` propagates its constraints.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self.sources = Sources(board)
        self._base: tuple[int, list[int], list[Narrowing], int | None] | None = None
        self._found: dict[int, MinimalReason | None] = {}
        self._kept: list[MinimalReason] = []
        self._large: set[tuple[int, tuple[int, ...], tuple[int, ...]]] = set()  # searches without a small reason

    def find_forced(self, view: View, is_small: bool = True) -> Iterator[MinimalReason]:
        """Yield the reasons of the first propagation round that excludes shown candidates, smallest first.

        Yields nothing if all variables are shown. Reasons of earlier views that are still valid are yielded instead. A
        reason that removes nothing shows that the view cannot hold. ``is_small``: find only small reasons.
        """
        sources = self.sources
        if all(sources.is_shown):
            return
        sources.budget = Budget(Settings(), Effort(), view.progress)
        # Reasons that an earlier view of the path has found.
        live = view.live
        self._kept = [r for r in self._kept if r.removed & live and not r.absent & live]
        if kept := [r for r in self._kept if not is_small or self.is_small(view, r)]:
            yield from sorted(kept, key=lambda reason: self.size(view, reason))
            return
        domains, log = sources.start(view), list[Narrowing]()
        marked = dict.fromkeys(sources.watchers_of_hidden() if is_small else sources.of)
        rounds = 0
        lost_before = 0
        while marked and (rounds < MAX_CONSTRAINTS or not is_small):
            rounds += 1
            failed, marked = sources.next_round(domains, marked, log)
            if failed is not None:
                yield self._shrink(view, 0, sources.trace_back(domains, log, failed, -1, -1))
                return
            lost = view.live & ~self._live(domains) & self._board.shown
            new, lost_before = lost & ~lost_before, lost
            reasons: list[MinimalReason] = []
            for bit in bits(new):
                if not new >> bit & 1:
                    continue
                if reasons and sources.budget.effort.steps > MAX_STEPS:
                    break
                claimed, claim = self._claim(1 << bit)
                used = sources.trace_back(domains, log, None, claimed, claim)
                # A search that found no small reason from the same constraints and fixed cells would find none now.
                fixed = [variable for variable in used[1] if view.cells[variable] & view.placed]
                key = bit, tuple(sorted(used[0])), tuple(sorted(fixed))
                if is_small and key in self._large:
                    continue
                reason = (
                    self._shrink_small(view, 1 << bit, used, lost) if is_small else self._shrink(view, 1 << bit, used)
                )
                if reason is None:
                    self._large.add(key)
                else:
                    new &= ~reason.removed
                    reasons.append(reason)
            if reasons:
                self._kept = reasons
                yield from sorted(reasons, key=lambda reason: self.size(view, reason))
                return

    def find_refuted(self, view: View, trees: Mapping[int, SuppositionTree]) -> Iterator[MinimalReason]:
        """Yield minimal reasons why candidates of ``trees`` fail if supposed, smallest first.

        ``trees``: for each candidate the cases to distinguish.
        """
        self.sources.budget = Budget(Settings(), Effort(), view.progress)
        reasons: list[MinimalReason] = []
        for bit, tree in trees.items():
            found = self._found.get(bit)
            if found is None or view.live & found.absent:
                if reasons and self.sources.budget.effort.steps > MAX_STEPS:
                    continue
                failing = sum([1 << each for each in trees])
                self._found[bit] = self._refute(view, bit, tree, failing)
            if (reason := self._found[bit]) is not None:
                reasons.append(reason)
        yield from sorted(reasons, key=lambda reason: self.size(view, reason))

    def conflict(self, view: View, tree: SuppositionTree | None = None) -> MinimalReason | None:
        """Return a minimal reason why propagation refutes ``view`` in each case of ``tree``, or None.

        None: propagation does not refute a case, or there are too many cases. Without a tree, there is one case.
        """
        _, domains, log, failed = self._propagate_view(view)
        if failed is not None:
            return self._shrink(view, 0, self.sources.trace_back(domains, log, failed, -1, -1))
        used = None if tree is None else self.sources.trace_cases(domains, log, -1, -1, tree)
        return self._shrink_used(view, 0, used, tree or SuppositionTree(), 0)

    def is_small(self, view: View, reason: MinimalReason) -> bool:
        """Return whether a reason has few constraints and names few cells.

        The limits are ``MAX_CONSTRAINTS`` and ``MAX_CELLS``.
        """
        return len(reason.constraints) <= MAX_CONSTRAINTS and self.premises(view, reason)[0] <= MAX_CELLS

    def size(self, view: View, reason: MinimalReason) -> tuple[int, int]:
        """Return a sort key by which reasons with few constraints and named cells come first."""
        return len(reason.constraints) + self.premises(view, reason)[0], reason.removed

    def premises(self, view: View, reason: MinimalReason) -> tuple[int, int, dict[Value, int]]:
        """Choose the cells that a text about ``reason`` names; return their number and candidates.

        The result has the number of named cells, the candidates of the known cells, and the places of values: the
        cells that still have an absent value are named if they are fewer.
        """
        board = self._board
        cells = board.variables_of(reason.absent)
        values = dict.fromkeys([board.candidates[bit][1] for bit in bits(reason.absent)])
        if len(values) < len(cells):
            masks = places_of_values(board)
            places = {value: masks[value] & view.live for value in values}
            count = sum([max(1, place.bit_count()) for place in places.values()])
            if count < len(cells):
                return count, 0, places
        return len(cells), sum([view.cells[variable] for variable in cells]), {}

    def _live(self, domains: list[int]) -> int:
        return sum([domain << first for domain, first in zip(domains, self._board.first, strict=True)])

    def _claim(self, mask: int) -> tuple[int, int]:
        """Split the candidates ``mask`` of one variable into its number and value bits."""
        claimed = self._board.owner[next(bits(mask))]
        return claimed, mask >> self._board.first[claimed]

    def _propagate_view(self, view: View) -> tuple[int, list[int], list[Narrowing], int | None]:
        """Propagate the candidates of the view's shown variables; cache the result.

        Returns the shown candidates, the domains, the events, and the number of a failed constraint or None.
        """
        live = view.live & self._board.shown
        if self._base is None or self._base[0] != live:
            sources = self.sources
            domains, log = sources.start(view), list[Narrowing]()
            # Without hidden variables the view itself is enough; its techniques have propagated it. Otherwise propagate
            # from the beginning: events that start at the cells known by now are fewer than those of earlier views.
            failed = None if all(sources.is_shown) else sources.propagate(domains, sources.of, log)
            self._base = live, domains, log, failed
        return self._base

    def _refute(self, view: View, bit: int, tree: SuppositionTree, failing: int) -> MinimalReason | None:
        """Return a minimal reason why candidate ``bit`` fails; None unless propagation refutes each case."""
        # Propagate the candidate from what the view alone implies.
        _, base, log, _ = self._propagate_view(view)
        claimed, claim = self._claim(1 << bit)
        used = self.sources.trace_cases(self.sources.suppose(base, bit), log, claimed, claim, tree)
        return self._shrink_used(view, 1 << bit, used, tree, failing)

    def _shrink_used(
        self, view: View, mask: int, used: Used | None, tree: SuppositionTree, within: int
    ) -> MinimalReason | None:
        """Shrink what a refutation used in the cases of ``tree``; None without one."""
        cases = list(dict.fromkeys([self._board.owner[each] for each in _cases(tree)]))
        if used is None or prod([view.cells[variable].bit_count() for variable in cases]) > MAX_CASES:
            return None
        return self._shrink(view, mask, used, cases, within)

    def _shrink(self, view: View, mask: int, used: Used, cases: Sequence[int] = (), within: int = 0) -> MinimalReason:
        """Return a minimal reason made from the constraints and variables in ``used``.

        ``mask``: the candidates to exclude; 0 for a reason why the view cannot hold. ``within``: other candidates that
        it may exclude.
        """
        constraints = self._shrink_constraints(view, mask, used, cases)
        absent = self._shrink_cells(view, mask, used, cases, constraints)
        return self._make(view, mask, constraints, absent, cases, within)

    def _shrink_small(self, view: View, mask: int, used: Used, within: int) -> MinimalReason | None:
        """Return a minimal reason made from ``used``; None if it is not small."""
        constraints = self._shrink_constraints(view, mask, used, (), MAX_CONSTRAINTS + 1)
        if len(constraints) > MAX_CONSTRAINTS:
            return None
        absent = self._shrink_cells(view, mask, used, (), constraints, MAX_LIKELY)
        reason = None if absent < 0 else self._make(view, mask, constraints, absent, (), within)
        return reason if reason is not None and self.is_small(view, reason) else None

    def _shrink_constraints(
        self, view: View, mask: int, used: Used, cases: Sequence[int], limit: float = inf
    ) -> list[int]:
        """Return a minimal list of model constraints that exclude the candidates ``mask``.

        Stop once ``limit`` constraints are needed; the list then has at least as many.
        """
        sources, start = self.sources, self.sources.start(view)
        if mask:
            claimed, start[claimed] = self._claim(mask)

        def find_enough(chosen: Sequence[int]) -> list[int] | None:
            used = sources.find_used(start.copy(), sources.active(chosen), cases, [])
            return None if used is None else sources_of(used)

        def sources_of(used: Used) -> list[int]:
            return sorted({source for number in used[0] for source in sources.of[number]})

        return shrink_by_deletion(find_enough(sources_of(used)) or sources.all, find_enough, limit)

    def _shrink_cells(
        self,
        view: View,
        mask: int,
        used: Used,
        cases: Sequence[int],
        constraints: Sequence[int],
        max_likely: int | None = None,
    ) -> int:
        """Return the removed candidates of a minimal set of known cells that refutes ``mask``.

        Returns -1 if the cells must be found among more than ``max_likely``.
        """
        sources, board, full = self.sources, self._board, self.sources.full
        start, active = sources.start(view), sources.active(constraints)
        claimed, claim = self._claim(mask) if mask else (-1, 0)
        known = [v for v in sources.scope(active) if sources.is_shown[v] and v != claimed and start[v] != full[v]]
        known.sort(key=lambda variable: (start[variable].bit_count(), variable))
        fixed = [variable for variable in known if not start[variable] & (start[variable] - 1)]
        in_scope = sum([board.domain_masks[variable] for variable in sources.scope(active)])

        def is_enough(absent: int) -> bool:
            domains = sources.without(absent)
            if mask:
                domains[claimed] = claim
            return sources.fails(domains, active, cases)

        def absent_of(cells: Sequence[int]) -> int:
            return sum([(full[variable] & ~start[variable]) << board.first[variable] for variable in cells])

        def shrink(cells: Sequence[int]) -> int:
            return absent_of(shrink_to_minimal(cells, lambda chosen: is_enough(absent_of(chosen))))

        # Fixed cells are the easiest to see, then the few places of some values.
        by_fixed = shrink(fixed) if is_enough(absent_of(fixed)) else -1
        if by_fixed >= 0 and len(board.variables_of(by_fixed)) <= MAX_FIXED:
            return by_fixed
        if by_values := self._shrink_values(view, absent_of(known), in_scope, is_enough):
            return by_values
        if by_fixed >= 0:
            return by_fixed
        likely = [variable for variable in known if variable in used[1]]
        known = likely if is_enough(absent_of(likely)) else known
        return -1 if max_likely is not None and len(known) > max_likely else shrink(known)

    def _shrink_values(self, view: View, absent: int, within: int, is_enough: Callable[[int], bool]) -> int:
        """Choose few values whose removed candidates are enough for a reason; return these, or 0.

        The result is 0 unless these values have fewer places than cells lack them. ``within``: the candidates of the
        cells that the constraints are about.
        """
        masks = places_of_values(self._board)
        count_of = {value: (mask & view.live).bit_count() for value, mask in masks.items()}
        values = sorted([value for value in masks if count_of[value] <= MAX_CELLS], key=lambda value: count_of[value])

        def absent_of(chosen: Iterable[Value]) -> int:
            return sum([masks[value] & absent for value in chosen])

        # Find one required value after the other: the last one of the shortest list that is enough.
        required: list[Value] = []
        while not is_enough(absent_of(required)):
            enough = bisect_left(
                range(len(values) + 1), True, key=lambda count: is_enough(absent_of([*required, *values[:count]]))
            )
            if not 0 < enough <= len(values):
                return 0
            required.append(values[enough - 1])
            values = values[: enough - 1]
            if sum([count_of[value] for value in required]) > MAX_CELLS:
                return 0
        # The places are named only if they are fewer than the cells without the values.
        by_values = sum([masks[value] & ~view.live & within for value in required])
        count = sum([count_of[value] for value in required])
        return by_values if count < len(self._board.variables_of(by_values)) else 0

    def _make(
        self, view: View, mask: int, constraints: Sequence[int], absent: int, cases: Sequence[int], within: int
    ) -> MinimalReason:
        """Make a reason: drop superfluous cases, and add other candidates that it excludes."""
        sources, board, removed = self.sources, self._board, mask
        active = sources.active(constraints)

        def is_excluded(candidates: int, chosen: Sequence[int]) -> bool:
            domains = sources.without(absent)
            if candidates:
                claimed, claim = self._claim(candidates)
                domains[claimed] = claim
            return sources.fails(domains, active, chosen)

        cases = shrink_to_minimal(cases, lambda chosen: is_excluded(mask, chosen))
        if mask:
            implied = self._conclude(view, active, absent)
            removed |= implied
            # Other candidates of the cell or the value that fail in the same way if they are supposed.
            variable, value = board.candidates[mask.bit_length() - 1]
            others = places_of_values(board)[value] & within
            if not implied & mask:
                others |= view.cells[board.program.layout.number[variable]]
            for bit in bits(others & ~removed):
                if is_excluded(1 << bit, cases):
                    removed |= 1 << bit
        return MinimalReason(removed, tuple(constraints), absent, tuple(cases))

    def _conclude(self, view: View, active: Mapping[int, None], absent: int) -> int:
        """Return the shown candidates of ``view`` that ``active`` constraints exclude if ``absent`` are removed."""
        sources, board = self.sources, self._board
        domains = sources.without(absent)
        if sources.propagate(domains, active) is not None:
            return 0
        return view.live & board.shown & ~self._live(domains)


def places_of_values(board: Board) -> dict[Value, int]:
    """Map each value to the mask of its candidates at shown variables."""
    return board.compute_once("places of values", _places_of_values)


def _places_of_values(board: Board) -> dict[Value, int]:
    places: dict[Value, int] = {}
    for bit in bits(board.shown):
        value = board.candidates[bit][1]
        places[value] = places.get(value, 0) | 1 << bit
    return places


def _cases(tree: SuppositionTree) -> Iterator[int]:
    """Yield the candidates on which ``tree`` and its subtrees branch."""
    for bit, child in tree.children.items():
        yield bit
        yield from _cases(child)


def minimal_reasons(board: Board) -> MinimalReasons:
    """Return the board's one shared ``MinimalReasons`` object, made on first use."""
    return board.compute_once("minimal reasons", MinimalReasons)
