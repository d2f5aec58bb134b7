"""Search near a puzzle for one that some techniques, and none of fewer, solve."""

from __future__ import annotations

from itertools import islice
from typing import NamedTuple

from ...base.errors import ModelError
from ...engine.compiled.kernel import Stable
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Effort, Progress
from ...model import Value, Variable
from ..steps.board import View
from ..steps.walk import Walker
from .setter import ClueGroup, Draft, Puzzle, Setter, Wanted

MAX_FAILED, MAX_FAILED_NEAR = 40, 100
"""Maximum number of neighbours in a row without a new best puzzle, before and after a needed technique applies."""

MAX_TRIED, MAX_AT_ONCE = 8, 8
"""Maximum number of clues that one step tries to add, and of steps that a round of a path makes."""

MAX_RARE = 3
"""Maximum number of values or constraints that have few clues in a puzzle from which a search starts."""

SINGLES = frozenset({"naked single", "hidden single"})
"""The techniques whose steps one sweep of the engine makes."""


class PathEnd(NamedTuple):
    """The result of following a solution path, without and with the needed techniques.

    Attributes
    ----------
    weight : int
        The sum of the weights of the techniques in each round of the path without the needed techniques.
    open_without, open : int
        The number of variables without a value at the end of the path without, and with, the needed techniques.
    view_without, view : View
        The views at these ends.
    is_near : bool
        Whether a needed technique applies where the other techniques find nothing; always true if none is needed.
    """

    weight: int
    open_without: int
    view_without: View
    open: int
    view: View
    is_near: bool

    @property
    def distance(self) -> tuple[int, int]:
        """How far the puzzle is from a suitable one, for comparison.

        Puzzles that use a needed technique are nearest, best with few open variables. Next are puzzles that the other
        techniques do not solve. Of the solved puzzles, those with the greatest weight are nearest.
        """
        if self.is_near:
            return 0, self.open
        return (1, 0) if self.open_without else (2, -self.weight)


class TechniqueSearch:
    """A search for a set of clues whose solution path needs the required techniques.

    It goes from a minimal puzzle to its neighbours: minimal puzzles with one new clue and fewer old ones. A neighbour
    of a hard puzzle is often hard, and often uses the same technique. Where a needed technique applies, the search adds
    clues until the path ends with the solution. Then it removes the clues that the allowed techniques do without.

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
        self._easier = tuple([technique for technique in self._ladder if technique.name not in self._needed])
        # Uniqueness tests argue from all variables, but the setter makes only those that are shown unique.
        is_unique = {*setter.model.shown} == {*map(str, setter.model.domains)}
        if not is_unique and any(technique.needs_uniqueness for technique in self._ladder):
            raise ModelError("uniqueness tests need a puzzle without hidden variables")
        self.nearest: int | None = None

    def run(self) -> Puzzle | None:
        """Return a puzzle that needs the techniques, or None if the search fails."""
        chosen = self._harder_clues()
        end, tried, failures = self._follow(chosen), {chosen}, 0
        best, completed = end.distance, self._complete(chosen, end)
        while completed is None and failures < (MAX_FAILED_NEAR if end.is_near else MAX_FAILED):
            failures += 1
            neighbour = self._neighbour(chosen)
            if neighbour in tried:
                continue
            tried.add(neighbour)
            neighbour_end = self._follow(neighbour)
            if neighbour_end.distance < best:
                best, failures = neighbour_end.distance, 0
            # All puzzles that use a needed technique are equally good: each may be the one that can be completed.
            if neighbour_end.is_near or neighbour_end.distance <= end.distance:
                chosen, end = neighbour, neighbour_end
                completed = self._complete(chosen, end)
        return None if completed is None else self._finish(completed)

    def _complete(self, chosen: frozenset[int], end: PathEnd) -> frozenset[int] | None:
        """Add clues until the techniques solve the puzzle.

        Returns None if the needed techniques are superfluous, at the beginning or after some clue.
        """
        while end.is_near and end.open:
            # Of some clues about the variables without a value, add the best.
            longer_paths: list[tuple[int, int, PathEnd]] = []
            numbers = self._addable(chosen, end)
            for number in self._draft.random.sample(numbers, min(MAX_TRIED, len(numbers))):
                longer = self._follow(chosen | {number}, end, number)
                if longer.is_near:
                    longer_paths.append((longer.open, number, longer))
                    if not longer.open:
                        break
            if not longer_paths:
                return None
            _, added, end = min(longer_paths, key=lambda path: path[0])
            chosen |= {added}
        # A path that was continued may differ from the path from the start, which decides.
        return chosen if end.is_near and self._is_suitable(chosen) else None

    def _addable(self, chosen: frozenset[int], end: PathEnd) -> list[int]:
        """Return the indices of unused clue groups on variables that ``end`` leaves without value."""
        names = frozenset([str(v) for v, _ in end.view.board.listed(end.view.unplaced)])
        return [
            number
            for number, group in enumerate(self._draft.groups)
            if number not in chosen and not names.isdisjoint(_names(group))
        ]

    def _neighbour(self, chosen: frozenset[int]) -> frozenset[int]:
        """Add a random clue group, and remove others at random while the puzzle stays unique."""
        random = self._draft.random
        unused = [number for number in range(len(self._draft.groups)) if number not in chosen]
        if not unused:
            return chosen
        neighbour, order = chosen | {random.choice(unused)}, sorted(chosen)
        random.shuffle(order)
        for number in order:
            if self._setter.is_unique_without(self._draft, neighbour, number, self._progress):
                neighbour -= {number}
        return neighbour

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
            numbers = random.sample(range(len(constraints)), min(count, len(constraints)))
            scope = {str(variable) for number in numbers for variable in constraints[number].scope}
            is_rare = [any(name in scope for name in _names(group)) for group in draft.groups]
        if not any(is_rare):
            return draft.kept
        # A minimal set of clues: the groups that come first are removed if possible.
        order = sorted(random.sample(range(len(is_rare)), len(is_rare)), key=lambda number: not is_rare[number])
        return frozenset(self._setter.remove_superfluous(draft.solution, draft.groups, order, self._progress))

    def _follow(self, chosen: frozenset[int], before: PathEnd | None = None, added: int = 0) -> PathEnd:
        """Follow the path of the clue groups ``chosen``, first without the needed techniques, then with them.

        Returns where the path stops, and updates ``nearest``. With a path without the group ``added``, continue that
        path if the clues of the group are values.
        """
        walker = self._setter.walker(self._draft.clues_of(chosen), self._easier, self._progress)
        if before and (values := _values(self._draft.groups[added])):
            walker.view = _with_givens(before.view_without, values)
        weight = _follow_to_end(walker)
        open_without, view_without = walker.open, walker.view
        # The easier techniques find nothing: only if a needed one does, try all again.
        is_near = not self._needed
        if open_without and any(next(walker.deductions(technique), None) for technique in self._needed_techniques):
            is_near = True
            walker.ladder = self._ladder
            _follow_to_end(walker)
            if self.nearest is None or walker.open < self.nearest:
                self.nearest = walker.open
        return PathEnd(weight, open_without, view_without, walker.open, walker.view, is_near)

    def _is_solved(self, chosen: frozenset[int]) -> bool:
        """Return whether a path with a needed technique solves the clue groups ``chosen``."""
        end = self._follow(chosen)
        return end.is_near and not end.open

    def _is_suitable(self, chosen: frozenset[int]) -> bool:
        """Return whether the allowed techniques solve the clue groups ``chosen``, but not without a needed one."""
        if not self._is_solved_without(chosen, None):
            return False
        return not any(self._is_solved_without(chosen, name) for name in self._needed)

    def _is_solved_without(self, chosen: frozenset[int], omitted: str | None) -> bool:
        ladder = [technique for technique in self._ladder if technique.name != omitted]
        walker = self._setter.walker(self._draft.clues_of(chosen), ladder, self._progress)
        walker.run()
        return not walker.open

    def _finish(self, chosen: frozenset[int]) -> Puzzle:
        """Remove clue groups while the puzzle stays unique and suitable; return the puzzle."""
        order = sorted(chosen)
        self._draft.random.shuffle(order)
        for number in order:
            is_unique = self._setter.is_unique_without(self._draft, chosen, number, self._progress)
            if is_unique and self._is_solved(chosen - {number}) and self._is_suitable(chosen - {number}):
                chosen -= {number}
        return Puzzle(self._draft.clues_of(chosen), self._draft.solution)


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
    """Follow a solution path to its end; return the weight of its rounds.

    Each round makes several steps of one technique at once, and all singles by a sweep.
    """
    ladder, weight = walker.ladder, 0
    sweeps = Sweeps(walker.view) if {technique.name for technique in ladder} >= SINGLES else None
    if sweeps:
        walker.ladder = tuple([technique for technique in ladder if technique.name not in SINGLES])
        walker.view = sweeps.place_singles(walker.view)
    while (easiest := walker.find()) is not None:
        technique, first = easiest
        weight += technique.weight
        view = walker.view.after(first)
        for deduction in islice(walker.deductions(technique), 1, 1 if technique.supposes else MAX_AT_ONCE):
            view = view.after(deduction)
        walker.view = sweeps.place_singles(view) if sweeps else view
    walker.ladder = ladder
    return weight


class Sweeps:
    """The engine's sweeps along a solution path, to place naked and hidden singles.

    Sweeps need less time than the techniques for singles.
    """

    def __init__(self, view: View) -> None:
        self._live, self._snapshot = view.live, view.board.state(view.live)

    def place_singles(self, view: View) -> View:
        """Return a later view of the path with its singles placed."""
        board, kernel = view.board, view.board.program.kernel
        snapshot = kernel.without(self._snapshot, list(bits(self._live & ~view.live)))
        swept = kernel.sweep(snapshot, Effort(), None)
        assert isinstance(swept, Stable), "the clues have a solution"
        self._snapshot, self._live = swept.snapshot, board.mask(swept.snapshot)
        placed = 0
        for mask in board.domain_masks:
            candidates = self._live & mask
            placed |= candidates if not candidates & (candidates - 1) else 0
        return View(board, self._live, placed, view.givens, view.is_unique, view.progress)
