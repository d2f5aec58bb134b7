"""The human way: three techniques, in passes, and a report of what each pass has found."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ground.notation import quoted
from ..model import Value
from .base import GaveUp, Run
from .groups import Groups
from .visits import Visits

PASSES = {"S": "naked singles", "A": "hidden singles", "P": "pointing"}
"""What the letters of the report count."""


def solve(run: Run) -> None:
    """Solve by naked singles, hidden singles and pointing, each until a pass finds nothing, and then all over again.

    A pass notes all that can be seen on the sheet as it is, and then does it. The report has U for the empty variables
    in the beginning and in the end, and for each pass S for the naked singles that it has filled in, A for the
    candidates that hidden singles have removed, or P for those that pointing has. An attempt is a deduction: a
    variable filled in or a candidate removed. What is solved like this has no other solution.

    Raises
    ------
    GaveUp
        If the techniques find nothing more.
    """
    sheet = _Sheet(run.only_groups, run.visits)
    if run.visits is not None:
        run.visits.about = "in which pass each variable was filled in"
    report = [f"U{sheet.empty}"]
    try:
        sheet.fill(run.groups.givens)
        while sheet.left:
            before = run.attempts
            for letter, technique in (("S", sheet.naked), ("A", sheet.hidden), ("P", sheet.pointing)):
                while found := technique():
                    report.append(f"{letter}{found}")
                    if run.visits is not None:
                        run.visits.passes.append((PASSES[letter], found))
                    run.attempts += found
                    run.check()
            if run.attempts == before:
                raise GaveUp(f"{len(sheet.left)} variables are left")
        run.found({run.groups.variables[i]: value for i, value in sheet.filled.items()})
    except _Contradiction as contradiction:
        report.append(f"contradiction: {contradiction}")
    finally:
        run.tell(",".join([*report, f"U{sheet.empty}"]))


class _Contradiction(Exception):
    """There is no solution; the message says why."""


class _Sheet:
    """What is filled in, and the candidates of all other variables."""

    def __init__(self, groups: Groups, visits: Visits | None = None) -> None:
        self._groups, self._givens, self._visits = groups, set(groups.givens), visits
        self.left = {i: list(domain) for i, domain in enumerate(groups.domains)}
        self.filled: dict[int, Value] = {}

    @property
    def empty(self) -> int:
        """How many variables are empty that are not given."""
        return sum(i not in self._givens for i in self.left)

    def naked(self) -> int:
        """Fill in the variables with one candidate; how many."""
        for i, candidates in self.left.items():
            if not candidates:
                raise _Contradiction(f"{self._groups.variables[i]} has no candidate")
        return self.fill([i for i, candidates in self.left.items() if len(candidates) == 1])

    def hidden(self) -> int:
        """Where a value has one place in a group, remove all other candidates there; how many."""
        found = {places[0]: value for _, value, places in self._places() if len(places) == 1}
        return self._remove([(i, other) for i, value in found.items() for other in self.left[i] if other != value])

    def pointing(self) -> int:
        """Where another group has all places of a value in a group, remove the value from its other ones; how many."""
        found: dict[tuple[int, Value], None] = {}
        for number, value, places in self._places():
            for other in self._groups.groups_of[places[0]]:
                if all(other in self._groups.groups_of[i] for i in places):
                    outside = set(self._groups.groups[other]) - set(self._groups.groups[number])
                    found.update({(i, value): None for i in sorted(outside) if value in self.left.get(i, ())})
        return self._remove(list(found))

    def fill(self, singles: Sequence[int]) -> int:
        """Fill in variables that have one candidate, and take that from their neighbours; how many."""
        for i in singles:
            (value,) = self.left[i]
            del self.left[i]
            self.filled[i] = value
            if self._visits is not None and i not in self._givens:
                self._visits.counts[self._groups.variables[i]] = len(self._visits.passes) + 1
            neighbours = {other for number in self._groups.groups_of[i] for other in self._groups.groups[number]}
            self._remove([(other, value) for other in sorted(neighbours) if value in self.left.get(other, ())])
        return len(singles)

    def _places(self) -> Iterator[tuple[int, Value, list[int]]]:
        """The places of every value in every group that needs all of its values, where it is not filled in."""
        groups = self._groups
        for number, group in enumerate(groups.groups):
            if groups.full[number]:
                there = {self.filled[i] for i in group if i in self.filled}
                for value in groups.values[number]:
                    places = [i for i in group if value in self.left.get(i, ())]
                    if places:
                        yield number, value, places
                    elif value not in there:
                        raise _Contradiction(f"{groups.names[number]} has no place for {quoted(value)}")

    def _remove(self, candidates: list[tuple[int, Value]]) -> int:
        for i, value in candidates:
            self.left[i].remove(value)
            if not self.left[i]:
                raise _Contradiction(f"{self._groups.variables[i]} has no candidate")
        return len(candidates)
