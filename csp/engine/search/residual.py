"""Residual problems as integer keys; equal keys have equally many solutions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from ..compiled.kernel import Snapshot, mask, next_bit, set_bits
from ..compiled.program import CompiledModel


class Residual:
    """A calculator of keys for residual problems, the unsolved rest below a fixpoint.

    Two fixpoints with the same key have equally many solutions below them. A fixed variable has removed its value
    from the all_different constraints already, so it enters the key only if another propagator watches it together
    with an unfixed variable. If the model has only all_different constraints over whole domains, its values are
    interchangeable: the key then sorts the values by the sets of variables that can still take them.

    Attributes
    ----------
    can_rename : bool
        Whether the values of the model are interchangeable.
    """

    def __init__(self, program: CompiledModel) -> None:
        layout = program.layout
        self._layout = layout
        self._guard = [first + len(domain) for first, domain in zip(layout.first, layout.domains, strict=True)]
        # All_different constraints over distinct variables need nothing in the key.
        simple = {group.number for group in layout.groups if len({*group.members}) == len(group.members)}
        self.can_rename = program.has_only_blocks
        # Group the variables by domain, or by its size, so that wide operations serve all of a group.
        variables_by_kind: dict[object, list[int]] = defaultdict(list)
        for number, domain in enumerate(layout.domains):
            variables_by_kind[domain if self.can_rename else len(domain)].append(number)
        self._kinds = [
            (mask(self._guard[number] for number in numbers), len(layout.domains[numbers[0]]))
            for numbers in variables_by_kind.values()
        ]
        self._watched = [
            (mask(self._guard[member] for member in scope), self._candidate_bits(scope))
            for scope in [program.incidence.scopes[number] for number in program.propagators if number not in simple]
        ]
        self._neighbours: dict[int, Snapshot] = {}
        self._guards_by_variable: dict[int, Snapshot] = {}
        # Division into parts takes a mask for each variable: do without if these do not fit into memory.
        self._can_divide = len(layout.variables) * layout.length < 2 * program.settings.max_cache_bytes
        if self._can_divide:
            self._connect([scope for scope in program.incidence.scopes if len(scope) > 1])

    def _candidate_bits(self, numbers: Sequence[int]) -> Snapshot:
        """Return the mask of the candidate bits of some variables, without guard bits."""
        layout = self._layout
        return mask(bit for number in numbers for bit in range(layout.first[number], self._guard[number]))

    def _connect(self, scopes: Sequence[Sequence[int]]) -> None:
        """Store for each variable the guard bits of the variables that share constraints with it."""
        neighbours: dict[int, Snapshot] = defaultdict(Snapshot)
        for scope in scopes:
            scope_guards = mask(self._guard[number] for number in scope)
            for number in scope:
                neighbours[self._guard[number]] |= scope_guards
        self._neighbours = dict(neighbours)

    def key(self, snapshot: Snapshot) -> Snapshot:
        """Return the key of a fixpoint; equal keys mean equally many solutions."""
        if self.can_rename:
            return self._renamed_key(snapshot)
        fields = Snapshot(0)
        # Keep the candidate bits of unfixed variables: guard minus lowest bit fills the field below the guard.
        for guards, size in self._kinds:
            unfixed = snapshot & guards
            fields |= unfixed - (unfixed >> size)
        # Keep the values of fixed variables that a propagator watches together with an unfixed one.
        for guards, scope in self._watched:
            if snapshot & guards:
                fields |= scope
        return snapshot & fields

    def _renamed_key(self, snapshot: Snapshot) -> Snapshot:
        """Return the key of a fixpoint that ignores permutations of its interchangeable values.

        Values are sorted by the sets of variables that can still take them.
        """
        key = Snapshot(0)
        for guards, size in self._kinds:
            firsts = (snapshot & guards) >> size
            for index, places in enumerate(sorted([snapshot >> index & firsts for index in range(size)])):
                key |= places << index
        return key

    def unfixed_guards(self, snapshot: Snapshot) -> Snapshot:
        """Return the guard bits of the variables that are unfixed in a snapshot."""
        return snapshot & self._layout.variable_guards

    def parts(self, snapshot: Snapshot) -> list[Snapshot]:
        """Return for each independent part of a fixpoint a snapshot with only its guard bits.

        The fixpoint is the only part if the masks to divide it would not fit.
        """
        if not self._can_divide:
            return [snapshot]
        unfixed = self.unfixed_guards(snapshot)
        components = []
        # Collect connected components of unfixed variables, each from its lowest guard.
        while unfixed:
            component = fresh = unfixed & -unfixed
            while fresh and component != unfixed:
                guard = next_bit(fresh)
                assert guard is not None
                fresh &= fresh - 1  # without the lowest guard
                reached = self._neighbours.get(guard, component) & unfixed & ~component
                component |= reached
                fresh |= reached
            components.append(component)
            unfixed ^= component
        if len(components) == 1:
            return [snapshot]
        guards = self._layout.guards
        return [snapshot & ~(guards ^ self._all_guards(component)) for component in components]

    def _all_guards(self, variable_guards: Snapshot) -> Snapshot:
        """Return the guard bits of all exactly-one sets with candidates of some variables.

        ``variable_guards``: the guards of the variables.
        """
        guards = Snapshot(0)
        for guard in set_bits(variable_guards):
            guards_of_variable = self._guards_by_variable.get(guard)
            if guards_of_variable is None:
                guards_of_variable = self._layout.guards_of([self._layout.owner(guard)])
                self._guards_by_variable[guard] = guards_of_variable
            guards |= guards_of_variable
        return guards
