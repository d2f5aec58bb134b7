"""Add clues to a puzzle until some techniques, and none of fewer, solve it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ...base.errors import ModelError
from ...engine.effort import Progress
from ..steps.walk import Walker
from .setter import Draft, Puzzle, Setter, Wanted

MAX_TRIED, MAX_TRIED_NEAR = 4, 16
"""Maximum number of clues that one step tries to add; near: if a needed technique applies before."""


class PathEnd(NamedTuple):
    """The end of a solution path.

    ``open`` is the number of variables without a value, ``open_without`` that before a needed technique is used.
    ``names`` are the variables without a value.
    """

    open: int
    open_without: int
    names: frozenset[str]

    @property
    def is_near(self) -> bool:
        """Whether a needed technique has continued the path."""
        return self.open < self.open_without


class TechniqueSearch:
    """A search for the clues of a puzzle whose solution path needs techniques.

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
        # Uniqueness tests argue from all variables, but the setter makes only those that are shown unique.
        is_unique = {*setter.model.shown} == {*map(str, setter.model.domains)}
        if not is_unique and any(technique.on_request for technique in self._ladder):
            raise ModelError("uniqueness tests need a puzzle without hidden variables")
        self.nearest: int | None = None

    def run(self) -> Puzzle | None:
        """Return a puzzle that needs the techniques, or None if the search fails."""
        random, kept = self._draft.random, self._draft.kept
        reach = self._follow(kept)
        while not self._is_too_easy(kept, reach):
            if not reach.open:
                return self._finish(kept)
            # Try some clues about the variables where the path stops, and add the best.
            numbers = [number for number in self._addable(kept) if self._concerns(number, reach.names)]
            count = MAX_TRIED_NEAR if reach.is_near else MAX_TRIED
            best: tuple[tuple[bool, int], int, PathEnd] | None = None
            for number in random.sample(numbers, min(count, len(numbers))):
                longer = self._follow(kept | {number})
                if self._is_too_easy(kept | {number}, longer):
                    continue
                if best is None or (not longer.is_near, longer.open) < best[0]:
                    best = (not longer.is_near, longer.open), number, longer
                if not longer.open:
                    break
            if best is None:
                return None
            kept, reach = kept | {best[1]}, best[2]
        return None

    def _addable(self, kept: frozenset[int]) -> Iterator[int]:
        return (number for number in range(len(self._draft.groups)) if number not in kept)

    def _concerns(self, number: int, names: frozenset[str]) -> bool:
        """Return whether a group of clues has a constraint on one of some variables."""
        constraints = [constraint for clue in self._draft.groups[number] for constraint in clue.constraints]
        return any(str(variable) in names for constraint in constraints for variable in constraint.scope)

    def _follow(self, kept: frozenset[int]) -> PathEnd:
        """Follow the solution path, first without the needed techniques, then with them."""
        easier = [technique for technique in self._ladder if technique.name not in self._needed]
        walker = self._setter.walker(self._draft.clues_of(kept), easier, self._progress)
        open_without = _follow_to_end(walker)
        if not open_without:
            return PathEnd(0, 0, frozenset())
        walker.ladder = self._ladder
        reach = PathEnd(_follow_to_end(walker), open_without, frozenset())
        if reach.is_near and (self.nearest is None or reach.open < self.nearest):
            self.nearest = reach.open
        return reach._replace(names=frozenset([str(v) for v, _ in walker.board.listed(walker.view.unplaced)]))

    def _is_too_easy(self, kept: frozenset[int], reach: PathEnd) -> bool:
        """Return whether the path ends without one of the needed techniques."""
        if reach.open or not self._needed:
            return False
        return not reach.open_without or any(self._is_solved_without(kept, name) for name in self._needed)

    def _is_solved_without(self, kept: frozenset[int], omitted: str) -> bool:
        ladder = [technique for technique in self._ladder if technique.name != omitted]
        return not _follow_to_end(self._setter.walker(self._draft.clues_of(kept), ladder, self._progress))

    def _finish(self, kept: frozenset[int]) -> Puzzle:
        """Remove the clues that the allowed techniques do without; return the puzzle."""
        order = sorted(kept)
        self._draft.random.shuffle(order)
        for number in order:
            if self._setter.is_unique_without(self._draft, kept, number, self._progress):
                reach = self._follow(kept - {number})
                if not reach.open and not self._is_too_easy(kept - {number}, reach):
                    kept -= {number}
        return Puzzle(self._draft.clues_of(kept), self._draft.solution)


def _follow_to_end(walker: Walker) -> int:
    """Follow a solution path to its end; return the number of variables without a value."""
    while (easiest := walker.find()) is not None:
        walker.view = walker.view.after(easiest[1])
    return walker.open
