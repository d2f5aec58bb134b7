"""The queue, and which vertices carry an asterisk: the engine's own work list, read off its trail."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..engine.compiled.kernel import State, mask, set_bits
from ..engine.compiled.program import Program
from ..model import Value

Key = tuple[int | None, int | None, Value | None]
"""Who waits: a variable, a filter, or a constraint with the value that has one place left in it."""


class Marks:
    """The queue. A variable is marked until the lines were swept and every filter that watches it had its turn.

    The lines with one candidate are fixed in turn, then what has changed meanwhile is looked at, and when no line is
    left the filters that wait have their turns, those of the lowest rank first.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._watching: dict[int, list[int]] = {}
        for number, scope in program.scopes.items():
            for variable in scope:
                self._watching.setdefault(variable, []).append(number)
        self._scopes = program.scopes
        self._layout = program.layout
        self._turn = {number: turn for turn, number in enumerate(program.filters)}
        self._rank = {number: filter.rank for number, filter in program.filters.items()}
        self._lines: State = mask(())  # the guards of those that will be fixed
        self._singles: dict[int, bool] = {}  # will be fixed in this round, in this order; whether they are marked
        self._fresh: set[int] = set()  # have changed since the last sweep
        self._unseen: dict[int, set[int]] = {}  # the filters that have not seen a variable's change
        self._owed = set(program.filters)  # the filters that had no turn yet
        self._batch: list[int] = []  # the filters that have their turns before the lines are swept again

    def search(self) -> None:
        """From now on only those filters watch that have turns in search."""
        filters = self._program.filters
        for variable, watching in self._watching.items():
            self._watching[variable] = [number for number in watching if filters[number].in_search]

    def clear(self) -> None:
        """Nothing is marked."""
        self._lines, self._singles, self._fresh, self._unseen = mask(()), {}, set(), {}
        self._owed, self._batch = set(), []

    def change(self, variables: Iterable[int]) -> None:
        """Mark variables whose domains have changed."""
        for variable in variables:
            self._fresh.add(variable)
            if watching := self._watching.get(variable):
                self._unseen[variable] = set(watching)

    def sweep(self, singles: State) -> tuple[int, ...]:
        """The lines were looked at, and these have one candidate; the variables taken that have nothing to tell."""
        self._lines, self._batch = singles, []
        guards = set_bits(singles & self._layout.variable_guards)
        self._singles = {variable: variable in self._fresh for variable in map(self._layout.owner, guards)}
        taken = tuple(sorted(self._fresh.difference(self._singles)))
        self._fresh = set()
        return taken

    def fix(self, after: State) -> None:
        """A line was fixed, and others with it."""
        self._lines = self._lines & after

    def tell(self, variable: int) -> None:
        """A variable has told its neighbours its value."""
        self._singles.pop(variable, None)

    def revise(self, filter: int) -> tuple[int, ...]:
        """A filter takes its turn; the marked variables of its scope that it sees."""
        if filter not in self._batch:
            waiting = self._filters()
            self._batch = [one for one in waiting if self._rank[one] == self._rank[waiting[0]]]
        self._batch = self._batch[self._batch.index(filter) + 1 :]
        self._owed.discard(filter)
        seen = []
        for variable in self._scopes[filter]:
            unseen = self._unseen.get(variable)
            if unseen and filter in unseen:
                seen.append(variable)
                unseen.remove(filter)
                if not unseen:
                    del self._unseen[variable]
        return tuple(seen)

    def _filters(self) -> list[int]:
        """Those that wait, in the order of their turns."""
        return sorted(self._owed.union(*self._unseen.values()), key=self._turn.__getitem__)

    def waiting(self) -> Iterator[Key]:
        """The queue, the head first."""
        for guard in set_bits(self._lines):
            line = self._layout.line_at[guard]
            yield (self._layout.owner(guard), None, None) if line.constraint is None else (
                None, line.constraint, line.what)  # fmt: skip
        yield from ((None, filter, None) for filter in self._batch)
        yield from ((variable, None, None) for variable in sorted(self._fresh))
        yield from ((None, filter, None) for filter in self._filters() if filter not in self._batch)

    def now(self) -> tuple[int, ...]:
        """The marked variables in the order in which they will be taken: this round's, the next one's, the rest."""
        order = dict.fromkeys([variable for variable, is_marked in self._singles.items() if is_marked])
        order.update(dict.fromkeys(sorted(self._fresh)))
        order.update(dict.fromkeys(sorted(self._unseen)))
        return tuple(order)
