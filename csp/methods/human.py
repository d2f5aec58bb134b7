"""The method that uses three human techniques in passes, with a report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.notation import quoted
from ..model import Value
from .base import GaveUp, Run, Visits
from .groups import Groups

PASSES = {"S": "naked singles", "A": "hidden singles", "P": "pointing"}
"""The technique for each letter of the report."""


def solve(run: Run) -> None:
    """Solve by naked singles, hidden singles and pointing, without search.

    An attempt is a deduction: a filled variable or a removed candidate. Each technique is repeated until a pass finds
    nothing, then the next one runs; after the last one, all start again. A pass first collects all deductions, then
    applies them.

    The report lists the passes by letter and number: S with the number of naked singles filled in, A with the number of
    candidates that hidden singles removed, P with the number that pointing removed. It begins and ends with U and the
    number of empty variables. A solution found in this way is the only one.

    Raises
    ------
    GaveUp
        If the techniques find nothing more.
    """
    state = _State(run.only_groups, run.visits)
    if run.visits is not None:
        run.visits.about = "the pass that filled in each variable"
    report = [f"U{state.empty}"]
    try:
        state.fill(run.groups.givens)
        while state.candidates:
            # One round of the techniques, each repeated until it finds nothing.
            before = run.attempts
            for letter, technique in (
                ("S", state.fill_naked_singles),
                ("A", state.remove_by_hidden_singles),
                ("P", state.remove_by_pointing),
            ):
                while count := technique():
                    report.append(f"{letter}{count}")
                    if run.visits is not None:
                        run.visits.passes.append((PASSES[letter], count))
                    run.attempts += count
                    run.check()
            if run.attempts == before:
                raise GaveUp(f"{len(state.candidates)} variables are unfixed")
        run.add_solution({run.groups.variables[i]: value for i, value in state.filled.items()})
    except _Contradiction as contradiction:
        report.append(f"contradiction: {contradiction}")
    finally:
        run.log(",".join([*report, f"U{state.empty}"]))


class _Contradiction(Exception):
    """Error raised if the techniques prove that the model has no solution."""


class _State:
    """The state of a human solver: filled variables, and candidates of the others."""

    def __init__(self, groups: Groups, visits: Visits | None = None) -> None:
        self._groups, self._givens, self._visits = groups, set(groups.givens), visits
        self.candidates = {i: list(domain) for i, domain in enumerate(groups.domains)}
        self.filled: dict[int, Value] = {}

    @property
    def empty(self) -> int:
        """The number of variables that are neither given nor filled in."""
        return sum(i not in self._givens for i in self.candidates)

    def fill_naked_singles(self) -> int:
        """Fill variables that have one candidate, and return how many."""
        for i, candidates in self.candidates.items():
            if not candidates:
                raise _Contradiction(f"{self._groups.variables[i]} has no candidate")
        return self.fill([i for i, candidates in self.candidates.items() if len(candidates) == 1])

    def remove_by_hidden_singles(self) -> int:
        """Remove the other candidates of hidden singles' variables; return the number of removals.

        A hidden single is the only place of a value in a group.
        """
        hidden_singles = {places[0]: value for _, value, places in self._places() if len(places) == 1}
        return self._remove(
            [
                (i, candidate)
                for i, value in hidden_singles.items()
                for candidate in self.candidates[i]
                if candidate != value
            ]
        )

    def remove_by_pointing(self) -> int:
        """Remove values that locked candidates (pointing) exclude; return the number of removals.

        If another group contains all places of a value in a group, the rest of the other group loses the value.
        """
        removals: dict[tuple[int, Value], None] = {}
        for number, value, places in self._places():
            for other_group in self._groups.groups_of[places[0]]:
                if all(other_group in self._groups.groups_of[i] for i in places):
                    # One of the places has the value, so no other variable of the other group can.
                    outside = set(self._groups.groups[other_group]) - set(self._groups.groups[number])
                    removals.update({(i, value): None for i in sorted(outside) if value in self.candidates.get(i, ())})
        return self._remove(list(removals))

    def fill(self, singles: Sequence[int]) -> int:
        """Fill in ``singles`` with their only candidates, and remove these values from the neighbours.

        Returns the number of filled variables.
        """
        for i in singles:
            (value,) = self.candidates[i]
            del self.candidates[i]
            self.filled[i] = value
            if self._visits is not None and i not in self._givens:
                self._visits.counts[self._groups.variables[i]] = len(self._visits.passes) + 1
            neighbours = {
                neighbour for number in self._groups.groups_of[i] for neighbour in self._groups.groups[number]
            }
            self._remove(
                [(neighbour, value) for neighbour in sorted(neighbours) if value in self.candidates.get(neighbour, ())]
            )
        return len(singles)

    def _places(self) -> Iterator[tuple[int, Value, list[int]]]:
        """Yield each permutation and unfilled value with the variables that can have the value.

        Raises ``_Contradiction`` if no variable can.
        """
        groups = self._groups
        for number, group in enumerate(groups.groups):
            if groups.is_permutation[number]:
                filled_values = {self.filled[i] for i in group if i in self.filled}
                for value in groups.values[number]:
                    places = [i for i in group if value in self.candidates.get(i, ())]
                    # A value without a place is a contradiction, unless it is filled in.
                    if places:
                        yield number, value, places
                    elif value not in filled_values:
                        raise _Contradiction(f"{groups.names[number]} has no place for {quoted(value)}")

    def _remove(self, candidates: list[tuple[int, Value]]) -> int:
        for i, value in candidates:
            self.candidates[i].remove(value)
            if not self.candidates[i]:
                raise _Contradiction(f"{self._groups.variables[i]} has no candidate")
        return len(candidates)
