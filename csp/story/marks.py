"""Which vertices carry an asterisk: the engine's own work list, read off its trail."""

from __future__ import annotations

from collections.abc import Iterable

from ..engine.program import Program


class Marks:
    """The queue. A variable is marked until the lines were swept and every filter that watches it had its turn.

    Parameters
    ----------
    program : Program
    """

    def __init__(self, program: Program) -> None:
        self._watching: dict[int, list[int]] = {}
        for number, scope in program.scopes.items():
            for variable in scope:
                self._watching.setdefault(variable, []).append(number)
        self._scopes = program.scopes
        self._singles: dict[int, bool] = {}  # will be fixed in this round, in this order; whether they are marked
        self._fresh: set[int] = set()  # have changed since the last sweep
        self._unseen: dict[int, set[int]] = {}  # the filters that have not seen a variable's change

    def clear(self) -> None:
        """Nothing is marked."""
        self._singles, self._fresh, self._unseen = {}, set(), {}

    def change(self, variables: Iterable[int]) -> None:
        """Mark variables whose domains have changed."""
        for variable in variables:
            self._fresh.add(variable)
            if variable in self._watching:
                self._unseen[variable] = set(self._watching[variable])

    def sweep(self, singles: Iterable[int]) -> tuple[int, ...]:
        """The lines were looked at, and these variables have one value; those taken that have nothing to tell."""
        self._singles = {variable: variable in self._fresh for variable in singles}
        taken = tuple(sorted(self._fresh.difference(self._singles)))
        self._fresh = set()
        return taken

    def tell(self, variable: int) -> bool:
        """A variable has told its neighbours its value; whether it was marked for that."""
        return variable in self._singles and self._singles.pop(variable)

    def revise(self, filter: int) -> tuple[int, ...]:
        """A filter takes its turn; the marked variables of its scope that it sees."""
        seen = []
        for variable in self._scopes[filter]:
            unseen = self._unseen.get(variable)
            if unseen and filter in unseen:
                seen.append(variable)
                unseen.remove(filter)
                if not unseen:
                    del self._unseen[variable]
        return tuple(seen)

    def now(self) -> tuple[int, ...]:
        """The marked variables in the order in which they will be taken: this round's, the next one's, the rest."""
        order = dict.fromkeys([variable for variable, is_marked in self._singles.items() if is_marked])
        order.update(dict.fromkeys(sorted(self._fresh)))
        order.update(dict.fromkeys(sorted(self._unseen)))
        return tuple(order)
