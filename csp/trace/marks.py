"""The marked variables and the propagation queue, reconstructed from the event log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..engine.compiled.kernel import Snapshot, mask
from ..engine.compiled.program import CompiledModel
from ..model import Value

QueueEntry = tuple[int | None, int | None, Value | None]
"""A variable, a propagator, or a constraint with a value that has one remaining place."""


class Marks:
    """The marked variables and the queue, updated after each event.

    A variable is marked from the change of its domain until the exactly-one sets have been swept and every propagator
    that watches the variable has run. The queue has, in this order: the exactly-one sets with a single candidate, the
    propagators that run before the next sweep, the changed variables, which that sweep will see, and the other pending
    propagators.
    """

    def __init__(self, program: CompiledModel) -> None:
        self._program = program
        self._watchers: dict[int, list[int]] = {}  # the propagators that watch a variable
        for number in program.propagators:
            for variable in program.incidence.scopes[number]:
                self._watchers.setdefault(variable, []).append(number)
        self._scopes = program.incidence.scopes
        self._layout = program.layout
        self._fixed_first = [program.layout.owner(guard) for guard in program.kernel.first]
        self._order = {number: place for place, number in enumerate(program.propagators)}
        self._single_guards: Snapshot = mask(())  # of the exactly-one sets to fix in this round
        self._singles: dict[int, bool] = {}  # variables to fix in this round, in order; whether they are marked
        self._fresh: set[int] = set()  # variables changed since the last sweep
        self._unseen: dict[int, set[int]] = {}  # the propagators that have not seen the change of a variable
        self._pending = set(program.propagators)  # the propagators that have to run
        self._batch: tuple[int, ...] = ()  # pending propagators that run before the next sweep

    def enter_search(self) -> None:
        """Remove the propagators that run only at the root of the search."""
        propagators = self._program.propagators
        for variable, watchers in self._watchers.items():
            self._watchers[variable] = [number for number in watchers if propagators[number].in_search]

    def clear(self) -> None:
        """Remove all marks, and empty the queue."""
        self._single_guards, self._singles, self._fresh, self._unseen = mask(()), {}, set(), {}
        self._pending, self._batch = set(), ()

    def mark_changed(self, variables: Iterable[int]) -> None:
        """Mark variables whose domains have changed, and schedule the propagators that watch them."""
        for variable in variables:
            self._fresh.add(variable)
            if watchers := self._watchers.get(variable):
                self._unseen[variable] = set(watchers)
                self._pending.update(watchers)

    def sweep(self, singles: Snapshot) -> tuple[int, ...]:
        """Start a round that fixes these singles; return the other changed variables."""
        self._single_guards, self._batch = singles, ()
        guards = self._program.kernel.order_singles(singles & self._layout.variable_guards)
        self._singles = {variable: variable in self._fresh for variable in map(self._layout.owner, guards)}
        without_single = tuple(sorted(self._fresh.difference(self._singles)))
        self._fresh = set()
        return without_single

    def fix(self, after: Snapshot) -> None:
        """Remove from the queue the exactly-one sets that a snapshot has fixed."""
        self._single_guards = self._single_guards & after

    def remove_single(self, variable: int) -> None:
        """Remove a fixed variable from the queue, after its neighbours have lost its value."""
        self._singles.pop(variable, None)

    def schedule(self, propagators: tuple[int, ...], turns: int) -> None:
        """Replace the pending propagators; the first ``turns`` of them run before the next sweep."""
        self._pending, self._batch = set(propagators), propagators[:turns]

    def pop(self, propagator: int) -> tuple[int, ...]:
        """Pop a propagator from the queue; return the variables whose change it reads."""
        assert self._batch[0] == propagator
        self._batch = self._batch[1:]
        self._pending.discard(propagator)
        seen_variables = []
        for variable in self._scopes[propagator]:
            unseen = self._unseen.get(variable)
            if unseen and propagator in unseen:
                seen_variables.append(variable)
                unseen.remove(propagator)
                if not unseen:
                    del self._unseen[variable]
        return tuple(seen_variables)

    def entries(self) -> Iterator[QueueEntry]:
        """Yield the entries of the queue in order, the head first."""
        for guard in self._program.kernel.order_singles(self._single_guards):
            exactly_one = self._layout.exactly_one_at[guard]
            yield (self._layout.owner(guard), None, None) if exactly_one.constraint is None else (
                None, exactly_one.constraint, exactly_one.subject)  # fmt: skip
        yield from ((None, propagator, None) for propagator in self._batch)
        yield from ((variable, None, None) for variable in self._changed_variables())
        later = sorted(self._pending.difference(self._batch), key=self._order.__getitem__)
        yield from ((None, propagator, None) for propagator in later)

    def _changed_variables(self) -> list[int]:
        """Return the variables changed since the last sweep, in the order of sweeps."""
        return [
            *filter(self._fresh.__contains__, self._fixed_first),
            *sorted(self._fresh.difference(self._fixed_first)),
        ]

    def marked_variables(self) -> tuple[int, ...]:
        """Return the marked variables in the order in which they will lose their marks."""
        order = dict.fromkeys([variable for variable, is_marked in self._singles.items() if is_marked])
        order.update(dict.fromkeys(self._changed_variables()))
        order.update(dict.fromkeys(sorted(self._unseen)))
        return tuple(order)
