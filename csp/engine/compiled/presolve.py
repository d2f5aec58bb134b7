"""What follows at once, found in small integers: the first pass over a large puzzle needs no masks."""

from __future__ import annotations

from ..effort import Effort
from .filters.base import bits
from .kernel import State, edited, mask, ones
from .layout import Layout


class Presolve:
    """Fixes the variables that have one value left, and the values of tight groups that have one place left.

    The sweeps of the kernel come to the same state, but each of their fixes needs a wide mask, which takes longer to
    make than all that a variable has to tell its groups.

    Parameters
    ----------
    layout : Layout
        All its groups are blocks.
    has_places : bool
        Whether a value with one place left is put there.
    """

    def __init__(self, layout: Layout, has_places: bool) -> None:
        self._layout = layout
        self.groups_of: list[list[int]] = [[] for _ in layout.variables]
        self.sizes = [len(layout.domains[group.members[0]]) for group in layout.groups]
        self.wanted = [
            (1 << size) - 1 if has_places and group.is_tight else 0
            for size, group in zip(self.sizes, layout.groups, strict=True)
        ]
        for index, group in enumerate(layout.groups):
            for member in group.members:
                self.groups_of[member].append(index)

    def presolved(self, state: State, effort: Effort) -> State:
        """The root after all that follows at once; the root itself where nothing does, or where it cannot hold."""
        layout = self._layout
        fields = state & ones(layout.variable_bits)
        domains = [layout.values(fields, number) for number in range(len(layout.variables))]
        narrowing = Narrowing(self, domains)
        holds = narrowing.to_rest()
        effort.sweeps += narrowing.sweeps
        if not holds or len(narrowing.waiting) == len(domains):
            return state
        effort.fixes += len(domains) - len(narrowing.waiting)
        return self._made(state, narrowing)

    def _made(self, state: State, narrowing: Narrowing) -> State:
        """The root with these domains, in which nothing waits any more that is fixed."""
        layout = self._layout
        live: list[int] = []
        rested: list[int] = []
        over: list[slice] = []
        for number, (domain, places) in enumerate(zip(narrowing.domains, layout.places, strict=True)):
            if domain & (domain - 1):
                values = list(bits(domain))
                for start, stride in places:
                    live += [start + value * stride for value in values]
            else:
                value = domain.bit_length() - 1
                live += [start + value * stride for start, stride in places]
                rested.append(layout.first[number] + len(layout.domains[number]))
        for group, used, size in zip(layout.groups, narrowing.used, self.sizes, strict=True):
            if group.is_tight:
                first, width = group.begin + size, size + 1
                if used == (1 << size) - 1:
                    over.append(slice(first, first + size * width, width))
                else:
                    rested += [first + value * width for value in bits(used)]
        return mask(live) | edited(state & layout.guards, over, rested)


class Narrowing:
    """The domains on their way to rest.

    Parameters
    ----------
    presolve : Presolve
    domains : list of int
        For each variable its values, as bits; they are narrowed in place.

    Attributes
    ----------
    used : list of int
        For each group the values that its settled variables have.
    waiting : set of int
        The variables that are not settled.
    sweeps : int
        How often all groups were looked at.
    """

    def __init__(self, presolve: Presolve, domains: list[int]) -> None:
        self.domains = domains
        self.used = [0] * len(presolve.sizes)
        self.waiting = set(range(len(domains)))
        self.sweeps = 0
        self._groups_of, self._wanted = presolve.groups_of, presolve.wanted
        self._members: list[list[int]] = [[] for _ in self.used]
        self._changed = bytearray(b"1") * len(self.used)

    def to_rest(self) -> bool:
        """Narrow the domains; False where a variable or a value has nothing left."""
        before = -1
        holds = self._settle(self._begin())
        while holds and self.waiting and len(self.waiting) != before:
            before = len(self.waiting)
            self.sweeps += 1
            for index, wanted in enumerate(self._wanted):
                if self._changed[index] and wanted & ~self.used[index]:
                    self._changed[index] = 0
                    holds = holds and self._settle(self._placed(index))
        return holds

    def _begin(self) -> list[int] | None:
        """Take the values of what is settled from all others; the variables with one left, None at a contradiction."""
        domains, used, groups_of, members = self.domains, self.used, self._groups_of, self._members
        for number, domain in enumerate(domains):
            if not domain:
                return None
            if not domain & (domain - 1):
                self.waiting.discard(number)
                for index in groups_of[number]:
                    if used[index] & domain:
                        return None
                    used[index] |= domain
        single = []
        for number in sorted(self.waiting):
            domain = domains[number]
            for index in groups_of[number]:
                domain &= ~used[index]
                members[index].append(number)
            domains[number] = domain
            if not domain & (domain - 1):
                single.append(number)
        return single

    def _settle(self, single: list[int] | None) -> bool:
        """Take the values of these variables, and of those that come to one value thereby, from all others."""
        if single is None:
            return False
        domains, used, groups_of = self.domains, self.used, self._groups_of
        members, changed, waiting = self._members, self._changed, self.waiting
        while single:
            number = single.pop()
            value = domains[number]
            if not value:
                return False
            if number not in waiting:
                continue
            waiting.discard(number)
            for index in groups_of[number]:
                if used[index] & value:
                    return False
                used[index] |= value
                for other in members[index]:
                    if domains[other] & value and other != number:
                        domain = domains[other] = domains[other] ^ value
                        if not domain & (domain - 1):
                            single.append(other)
                        for near in groups_of[other]:
                            changed[near] = 1
        return True

    def _placed(self, index: int) -> list[int] | None:
        """The variables that alone have a value of a group; None where a value has no place."""
        domains, waiting, wanted = self.domains, self.waiting, self._wanted[index]
        members = self._members[index] = [number for number in self._members[index] if number in waiting]
        some = many = 0
        for number in members:
            many |= some & domains[number]
            some |= domains[number]
        if wanted & ~(some | self.used[index]):
            return None
        single: list[int] = []
        alone = some & ~many
        if not alone:
            return single
        for number in members:
            if own := domains[number] & alone:
                if own & (own - 1):
                    return None
                domains[number] = own
                single.append(number)
                for near in self._groups_of[number]:
                    self._changed[near] = 1
        return single
