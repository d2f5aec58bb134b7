"""The marked variables and the propagation queue, derived from the event log."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..engine.compiled.kernel import Snapshot, mask
from ..engine.compiled.program import CompiledModel
from ..engine.compiled.propagators.base import bits
from ..model import Value

QueueEntry = tuple[int | None, int | None, Value | None]
"""A variable, a propagator, or a constraint with a value that has one remaining place."""


class Marks:
    """The marked variables and the queue, updated after each event.

    A variable is marked from the change of its domain until the exactly-one sets have been swept and every propagator
    that watches the variable has run. The queue has, in this order: the exactly-one sets with a single candidate, the
    propagators that run before the next sweep, the changed variables, which that sweep will see, and the other pending
    propagators.

    The pending propagators are those that the engine logs when it pops one, and the watchers of the variables that
    have changed since. Sets of propagators are bits in the order of ``CompiledModel.propagators``.
    """

    def __init__(self, program: CompiledModel) -> None:
        self._program = program
        self._layout = program.layout
        self._numbers = [*program.propagators]  # of the constraints, by the bits of their propagators
        self._bit_of = {number: 1 << index for index, number in enumerate(self._numbers)}
        self._watcher_bits = program.watcher_bits(at_root=True)
        self._fixed_first = [program.layout.owner(guard) for guard in program.kernel.first]
        self._single_guards: Snapshot = mask(())  # of the exactly-one sets to fix in this round
        self._singles: dict[int, bool] = {}  # variables to fix in this round, in order; whether they are marked
        self._fresh: set[int] = set()  # variables changed since the last sweep
        self._unseen: dict[int, int] = {}  # the propagators that have not seen the change of a variable
        self._pending = (1 << len(self._numbers)) - 1  # the propagators that have to run
        self._batch = 0  # pending propagators that run before the next sweep

    def enter_search(self) -> None:
        """Omit the propagators that run only at the root of the search."""
        self._watcher_bits = self._program.watcher_bits(at_root=False)

    def clear(self) -> None:
        """Remove all marks, and empty the queue."""
        self._single_guards, self._singles, self._fresh, self._unseen = mask(()), {}, set(), {}
        self._pending = self._batch = 0

    def mark_changed(self, variables: Iterable[int]) -> None:
        """Mark variables whose domains have changed; the propagators that watch them are pending."""
        for variable in variables:
            self._fresh.add(variable)
            if self._watcher_bits and (watchers := self._watcher_bits[variable]):
                self._unseen[variable] = watchers
                self._pending |= watchers

    def sweep(self, singles: Snapshot) -> tuple[int, ...]:
        """Start a round that fixes these singles; return the other changed variables."""
        self._single_guards = singles
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

    def pop(self, propagator: int, pending: int, batch: int) -> tuple[int, ...]:
        """Follow a pop of the engine; return the changed variables that the propagator reads."""
        self._pending, self._batch = pending, batch
        bit = self._bit_of[propagator]
        scope = self._program.incidence.scopes[propagator]
        seen_variables = tuple([variable for variable in scope if self._unseen.get(variable, 0) & bit])
        for variable in seen_variables:
            self._unseen[variable] ^= bit
            if not self._unseen[variable]:
                del self._unseen[variable]
        return seen_variables

    def entries(self) -> Iterator[QueueEntry]:
        """Yield the entries of the queue in order, the head first."""
        for guard in self._program.kernel.order_singles(self._single_guards):
            exactly_one = self._layout.exactly_one_at[guard]
            yield (self._layout.owner(guard), None, None) if exactly_one.constraint is None else (
                None, exactly_one.constraint, exactly_one.subject)  # fmt: skip
        yield from ((None, self._numbers[index], None) for index in bits(self._batch))
        yield from ((variable, None, None) for variable in self._changed_variables())
        yield from ((None, self._numbers[index], None) for index in bits(self._pending & ~self._batch))

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
