"""What is left to be solved, as one integer: states that leave the same problem have the same."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..compiled.kernel import Snapshot, mask
from ..compiled.program import CompiledModel


class Residual:
    """Names what a state at rest leaves to be solved, and divides it.

    Two states with the same key have equally many solutions below them. A settled variable has told all that plain
    groups have to tell; it counts only where a filter watches it together with an open one. Where a model has nothing
    but plain groups over whole domains, its values can change names: then the sets of places that the values have are
    sorted, and states that differ by names alone have one key.

    Attributes
    ----------
    can_rename : bool
        Whether the values of the model can change names.
    """

    def __init__(self, program: CompiledModel) -> None:
        layout = program.layout
        self._layout = layout
        self._guard = [first + len(domain) for first, domain in zip(layout.first, layout.domains, strict=True)]
        apart = {group.number for group in layout.groups if len({*group.members}) == len(group.members)}
        scopes = [(number, constraint.scope) for number, constraint in program.active() if len(constraint.scope) > 1]
        self._scopes = [[layout.number[variable] for variable in scope] for _, scope in scopes]
        self.can_rename = program.has_only_groups
        kinds: dict[object, list[int]] = defaultdict(list)
        for number, domain in enumerate(layout.domains):
            kinds[domain if self.can_rename else len(domain)].append(number)
        self._kinds = [
            (mask(self._guard[number] for number in numbers), len(layout.domains[numbers[0]]))
            for numbers in kinds.values()
        ]
        self._watched = [
            (mask(self._guard[member] for member in scope), self._fields(scope))
            for number, scope in program.scopes.items()
            if number not in apart
        ]
        self._near: dict[int, Snapshot] = {}
        self._lines: dict[int, Snapshot] = {}
        self._can_divide = (
            len(layout.variables) * layout.length < 2 * program.settings.max_cache_bytes
        )  # a mask for each variable
        if self._can_divide:
            self._connect()

    def _fields(self, numbers: Sequence[int]) -> Snapshot:
        layout = self._layout
        return mask(bit for number in numbers for bit in range(layout.first[number], self._guard[number]))

    def _connect(self) -> None:
        near: dict[int, Snapshot] = defaultdict(Snapshot)
        for scope in self._scopes:
            together = mask(self._guard[number] for number in scope)
            for number in scope:
                near[self._guard[number]] |= together
        self._near = dict(near)

    def key(self, state: Snapshot) -> Snapshot:
        """What a state at rest leaves, without its past."""
        if self.can_rename:
            return self._renamed(state)
        fields = Snapshot(0)
        for guards, size in self._kinds:
            waiting = state & guards
            fields |= waiting - (waiting >> size)
        for guards, scope in self._watched:
            if state & guards:
                fields |= scope
        return state & fields

    def _renamed(self, state: Snapshot) -> Snapshot:
        key = Snapshot(0)
        for guards, size in self._kinds:
            firsts = (state & guards) >> size
            for index, places in enumerate(sorted([state >> index & firsts for index in range(size)])):
                key |= places << index
        return key

    def open(self, state: Snapshot) -> Snapshot:
        """The guards of the variables that are not settled."""
        return state & self._layout.variable_guards

    def parts(self, state: Snapshot) -> list[Snapshot]:
        """The state once for every part that no constraint connects with the others, and nothing but it waits."""
        if not self._can_divide:
            return [state]
        waiting = self.open(state)
        found = []
        while waiting:
            own = fresh = waiting & -waiting
            while fresh and own != waiting:
                guard = fresh.bit_scan1()
                fresh = fresh.bit_clear(guard)
                more = self._near.get(guard, own) & waiting & ~own
                own |= more
                fresh |= more
            found.append(own)
            waiting ^= own
        if len(found) == 1:
            return [state]
        guards = self._layout.guards
        return [state & ~(guards ^ self._lines_of(own)) for own in found]

    def _lines_of(self, waiting: Snapshot) -> Snapshot:
        """The guards of all lines of some variables, which are told by their guards."""
        lines = Snapshot(0)
        while waiting:
            guard = waiting.bit_scan1()
            waiting = waiting.bit_clear(guard)
            own = self._lines.get(guard)
            if own is None:
                own = self._lines[guard] = self._layout.guards_of([self._layout.owner(guard)])
            lines |= own
        return lines
