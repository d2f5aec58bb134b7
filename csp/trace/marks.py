"""The engine's queue as its trail tells it, and which variables are marked: whose change is still to be seen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..engine.compiled.kernel import Snapshot, mask
from ..engine.compiled.program import CompiledModel
from ..model import Value

Waiter = tuple[int | None, int | None, Value | None]
"""Who waits: a variable, a filter, or a constraint with the value that has one place left in it."""


class Marks:
    """The queue. A variable is marked until the lines were swept and every filter that watches it had its turn.

    The lines with one candidate are fixed in turn, then what has changed meanwhile is looked at, and when no line is
    left filters have their turns, as the trail says.
    """

    def __init__(self, program: CompiledModel) -> None:
        self._program = program
        self._watching: dict[int, list[int]] = {}
        for number, scope in program.scopes.items():
            for variable in scope:
                self._watching.setdefault(variable, []).append(number)
        self._scopes = program.scopes
        self._layout = program.layout
        self._first = [program.layout.owner(guard) for guard in program.kernel.first]
        self._turn = {number: turn for turn, number in enumerate(program.propagators)}
        self._lines: Snapshot = mask(())  # the guards of those that will be fixed
        self._singles: dict[int, bool] = {}  # will be fixed in this round, in this order; whether they are marked
        self._fresh: set[int] = set()  # have changed since the last sweep
        self._unseen: dict[int, set[int]] = {}  # the filters that have not seen a variable's change
        self._waiting = set(program.propagators)  # the filters that wait
        self._batch: tuple[int, ...] = ()  # those of them that have turns before the lines are swept again

    def search(self) -> None:
        """From now on only those filters watch that have turns in search."""
        propagators = self._program.propagators
        for variable, watching in self._watching.items():
            self._watching[variable] = [number for number in watching if propagators[number].in_search]

    def clear(self) -> None:
        """Nothing is marked."""
        self._lines, self._singles, self._fresh, self._unseen = mask(()), {}, set(), {}
        self._waiting, self._batch = set(), ()

    def change(self, variables: Iterable[int]) -> None:
        """Mark variables whose domains have changed."""
        for variable in variables:
            self._fresh.add(variable)
            if watching := self._watching.get(variable):
                self._unseen[variable] = set(watching)
                self._waiting.update(watching)

    def sweep(self, singles: Snapshot) -> tuple[int, ...]:
        """The lines were looked at, and these have one candidate; the variables taken that have nothing to tell."""
        self._lines, self._batch = singles, ()
        guards = self._program.kernel.order_singles(singles & self._layout.variable_guards)
        self._singles = {variable: variable in self._fresh for variable in map(self._layout.owner, guards)}
        taken = tuple(sorted(self._fresh.difference(self._singles)))
        self._fresh = set()
        return taken

    def fix(self, after: Snapshot) -> None:
        """A line was fixed, and others with it."""
        self._lines = self._lines & after

    def tell(self, variable: int) -> None:
        """A variable has told its neighbours its value."""
        self._singles.pop(variable, None)

    def queue(self, propagators: tuple[int, ...], turns: int) -> None:
        """These filters wait, and the first have turns."""
        self._waiting, self._batch = set(propagators), propagators[:turns]

    def revise(self, propagator: int) -> tuple[int, ...]:
        """A filter is taken off the queue; the marked variables of its scope that it sees."""
        assert self._batch[0] == propagator
        self._batch = self._batch[1:]
        self._waiting.discard(propagator)
        seen = []
        for variable in self._scopes[propagator]:
            unseen = self._unseen.get(variable)
            if unseen and propagator in unseen:
                seen.append(variable)
                unseen.remove(propagator)
                if not unseen:
                    del self._unseen[variable]
        return tuple(seen)

    def waiting(self) -> Iterator[Waiter]:
        """The queue, the head first."""
        for guard in self._program.kernel.order_singles(self._lines):
            line = self._layout.exactly_one_at[guard]
            yield (self._layout.owner(guard), None, None) if line.constraint is None else (
                None, line.constraint, line.subject)  # fmt: skip
        yield from ((None, propagator, None) for propagator in self._batch)
        yield from ((variable, None, None) for variable in self._changed())
        behind = sorted(self._waiting.difference(self._batch), key=self._turn.__getitem__)
        yield from ((None, propagator, None) for propagator in behind)

    def _changed(self) -> list[int]:
        """What has changed since the last sweep, in the order in which it would be fixed."""
        return [*filter(self._fresh.__contains__, self._first), *sorted(self._fresh.difference(self._first))]

    def now(self) -> tuple[int, ...]:
        """The marked variables in the order in which they will be taken: this round's, the next one's, the rest."""
        order = dict.fromkeys([variable for variable, is_marked in self._singles.items() if is_marked])
        order.update(dict.fromkeys(self._changed()))
        order.update(dict.fromkeys(sorted(self._unseen)))
        return tuple(order)
