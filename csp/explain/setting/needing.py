"""Add clues to a puzzle until some techniques, and none of fewer, solve it."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from ...base.errors import ModelError
from ...engine.effort import Progress
from ...model import Value, Variable
from ..steps.board import View
from ..steps.walk import Walker
from .setter import ClueGroup, Draft, Puzzle, Setter, Wanted

MAX_TRIED, MAX_AT_ONCE = 16, 8
"""Maximum number of clues that one step tries to add, and of steps that a round of a path makes."""

MAX_RARE = 3
"""Maximum number of values or constraints that have few clues in a puzzle from which a search starts."""


class PathEnd(NamedTuple):
    """The result of following a solution path, without and with the needed techniques.

    ``open`` is the number of variables without a value, ``open_without`` that before a needed technique is used.
    ``walker`` made the path; ``view_without`` is its view before a needed technique is used, ``view`` its last one.
    """

    open: int
    open_without: int
    walker: Walker
    view_without: View
    view: View

    @property
    def is_near(self) -> bool:
        """Whether the needed techniques brought the path further than the other techniques alone."""
        return self.open < self.open_without


class TechniqueSearch:
    """A search for a set of clues whose solution path needs the required techniques.

    A minimal puzzle usually needs harder techniques than the allowed ones. The search adds clues where the solution
    path stops. It rejects a clue with which the path ends without the needed techniques. At the end it removes clues
    that the allowed techniques do without.

    Attributes
    ----------
    nearest : int or None
        The minimum number of variables without a value, in tried puzzles where a needed technique was used.

    Raises
    ------
    ModelError
        If a uniqueness test is required of a model with hidden variables.
    """

    def __init__(self, setter: Setter, wanted: Wanted, draft: Draft, progress: Progress | None = None) -> None:
        self._setter, self._draft, self._progress = setter, draft, progress
        self._ladder, self._needed = wanted.ladder, wanted.needed
        self._needed_techniques = [technique for technique in self._ladder if technique.name in self._needed]
        # Uniqueness tests argue from all variables, but the setter makes only those that are shown unique.
        is_unique = {*setter.model.shown} == {*map(str, setter.model.domains)}
        if not is_unique and any(technique.on_request for technique in self._ladder):
            raise ModelError("uniqueness tests need a puzzle without hidden variables")
        self.nearest: int | None = None

    def run(self) -> Puzzle | None:
        """Return a puzzle that needs the techniques, or None if the search fails."""
        random, kept = self._draft.random, self._harder_clues()
        reach = self._follow(kept)
        if not reach.open and not reach.is_near and self._needed:
            return None
        while True:
            # A path that was continued may differ from the path from the start, which decides.
            if not reach.open:
                return self._finish(kept) if self._is_suitable(kept) else None
            # Try some clues about the variables where the path stops, and add the best.
            numbers = self._addable(kept, reach)
            best: tuple[tuple[bool, int], int, PathEnd] | None = None
            for number in random.sample(numbers, min(MAX_TRIED, len(numbers))):
                longer = self._follow(kept | {number}, reach, number)
                is_near = longer.is_near or not self._needed
                if not longer.open and not is_near:
                    continue
                # Until a needed technique applies, short paths leave the most to try.
                preference = not is_near, longer.open if is_near else -longer.open
                if best is None or preference < best[0]:
                    best = preference, number, longer
                if not longer.open:
                    break
            if best is None:
                return None
            kept, reach = kept | {best[1]}, best[2]

    def _harder_clues(self) -> frozenset[int]:
        """Choose at random a minimal set of clue groups with one solution; return indices.

        The search starts from them. It has few clues of some values, or about some constraints.

        Patterns of one value need many places of it, large subsets many open variables of a group.
        """
        draft, random, constraints = self._draft, self._draft.random, self._setter.model.constraints
        count = random.randint(0, MAX_RARE)
        if random.random() < 0.5:
            values = sorted({*draft.solution.values()}, key=str)
            rare = frozenset(random.sample(values, min(count, len(values))))
            is_rare = [any(value in rare for value in (_values(group) or {}).values()) for group in draft.groups]
        else:
            chosen = random.sample(range(len(constraints)), min(count, len(constraints)))
            scope = {str(variable) for number in chosen for variable in constraints[number].scope}
            is_rare = [any(name in scope for name in _names(group)) for group in draft.groups]
        if not any(is_rare):
            return draft.kept
        # A minimal set of clues: the groups that come first are removed if possible.
        order = sorted(random.sample(range(len(is_rare)), len(is_rare)), key=lambda number: not is_rare[number])
        return frozenset(self._setter.remove_superfluous(draft.solution, draft.groups, order, self._progress))

    def _addable(self, kept: frozenset[int], reach: PathEnd) -> list[int]:
        """Return the indices of unused clue groups on variables that ``reach`` leaves without value."""
        names = frozenset([str(v) for v, _ in reach.walker.board.listed(reach.view.unplaced)])
        return [
            number
            for number, group in enumerate(self._draft.groups)
            if number not in kept and not names.isdisjoint(_names(group))
        ]

    def _follow(self, kept: frozenset[int], before: PathEnd | None = None, added: int = 0) -> PathEnd:
        """Follow the path of clue groups ``kept``, first without the needed techniques, then with them.

        Returns where the path stops, and updates ``nearest``. With a path without the group ``added``, continue that
        path if the clues of the group are values.
        """
        easier = [technique for technique in self._ladder if technique.name not in self._needed]
        values = before and _values(self._draft.groups[added])
        if before and values:
            walker = before.walker
            walker.ladder, walker.view = tuple(easier), _with_givens(before.view_without, values)
        else:
            walker = self._setter.walker(self._draft.clues_of(kept), easier, self._progress)
        open_without, view_without = _follow_to_end(walker), walker.view
        if not open_without:
            return PathEnd(0, 0, walker, view_without, view_without)
        # The easier techniques find nothing: only if a needed one does, try all again.
        if not any(next(walker.deductions(technique), None) for technique in self._needed_techniques):
            return PathEnd(open_without, open_without, walker, view_without, view_without)
        walker.ladder = self._ladder
        reach = PathEnd(_follow_to_end(walker), open_without, walker, view_without, walker.view)
        if reach.is_near and (self.nearest is None or reach.open < self.nearest):
            self.nearest = reach.open
        return reach

    def _is_suitable(self, kept: frozenset[int]) -> bool:
        """Return whether the allowed techniques solve clues ``kept``, but not without a needed one."""
        if not self._is_solved_without(kept, None):
            return False
        return not any(self._is_solved_without(kept, name) for name in self._needed)

    def _is_solved_without(self, kept: frozenset[int], omitted: str | None) -> bool:
        ladder = [technique for technique in self._ladder if technique.name != omitted]
        walker = self._setter.walker(self._draft.clues_of(kept), ladder, self._progress)
        return all(True for _ in walker) and not walker.open

    def _finish(self, kept: frozenset[int]) -> Puzzle:
        """Remove clue groups while the puzzle stays unique and suitable; return the puzzle."""
        order = sorted(kept)
        self._draft.random.shuffle(order)
        for number in order:
            is_unique = self._setter.is_unique_without(self._draft, kept, number, self._progress)
            if is_unique and self._is_suitable(kept - {number}):
                kept -= {number}
        return Puzzle(self._draft.clues_of(kept), self._draft.solution)


def _values(group: ClueGroup) -> dict[str, Value] | None:
    """Return the values that a group of clues fixes; None unless all are givens."""
    values: dict[str, Value] = {}
    for clue in group:
        if clue.values is None:
            return None
        values |= clue.values
    return values


def _names(group: ClueGroup) -> list[str]:
    """Return the names of the variables that the constraints of a group are about."""
    return [str(v) for clue in group for constraint in clue.constraints for v in constraint.scope]


def _with_givens(view: View, values: dict[str, Value]) -> View:
    """Return the view with ``values`` placed, and with their candidates among its givens."""
    board = view.board
    for name, value in values.items():
        bit = board.bit_of[Variable(name), value]
        if not view.placed >> bit & 1:
            view = view.with_placed(bit)
        view.givens |= 1 << bit
    return view


def _follow_to_end(walker: Walker) -> int:
    """Follow a solution path to its end; return the number of variables without a value.

    Each round makes several steps of one technique at once: this needs a third of the time.
    """
    while (easiest := walker.find()) is not None:
        technique, first = easiest
        view = walker.view.after(first)
        for deduction in islice(walker.deductions(technique), 1, 1 if technique.supposes else MAX_AT_ONCE):
            view = view.after(deduction)
        walker.view = view
    return walker.open
