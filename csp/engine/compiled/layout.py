"""Where every candidate stands in a state: a program's variables and lines as fields of bits."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ...base.errors import TooLarge
from ...model import Candidate, Constraint, Domain, Value, Variable
from ..memory import Memory
from .group import Column, Group
from .kernel import Snapshot, edited, mask, next_bit, ones, set_bits

DOMAIN_BYTES = 200
"""About what a domain takes that is kept."""

WIDE = 16_000
"""Bits shifted at once to read domains; a shift takes time proportional to the width."""

SPREADS = 4_096
"""Sets of values kept spread out, over all programs of a process: a hundred bytes each for nine digits."""


class Line(NamedTuple):
    """A set of candidates of which exactly one holds.

    Attributes
    ----------
    first : int
        Its lowest bit.
    candidates : tuple of int
        The candidates, bit by bit, each as its bit in the line of its variable.
    constraint : int or None
        The number of the group whose value has one place here; None for a variable that takes one value.
    what : Variable or value
        That variable, or that value.
    """

    first: int
    candidates: Sequence[int]
    constraint: int | None
    what: Variable | Value | None


class Layout:
    """The bits of a state: lines of variables in their order, then those of tight groups; ``TooLarge`` above ``most``.

    Constraints without variables that do not hold have a line without candidates.

    Attributes
    ----------
    start : State
        The state in which every candidate is live and every line waits.
    guards, ones : State
        The guard bit, and the lowest candidate bit, of every line.
    variable_guards : State
        The guards of the lines of variables.
    begin : dict of int to int
        For the bit of a guard, the lowest bit of its line.
    line_at : dict of int to Line
        The line of a guard.
    groups : list of Group
    first : list of int
        For each variable its lowest bit. The candidate of its value ``i`` is called by the bit ``first + i``.
    plain_bits : State
        The candidates as bits of the lines of their variables.
    variable_bits : int
        The lines of variables are below this bit.
    most_places : int
        How many bits a candidate has at most.

    Notes
    -----
    Value ``i`` of a variable has its bits at ``start + i*stride``, a pair for every line that the variable and its
    blocks give. Groups that are no blocks are spelt out bit by bit.
    """

    def __init__(
        self,
        domains: Mapping[Variable, Domain],
        constraints: Mapping[int, Constraint],
        most: int,
        memory: Memory,
    ) -> None:
        self.variables = tuple(domains)
        self.domains = tuple(domains.values())
        self.number = {variable: i for i, variable in enumerate(self.variables)}
        self.length = 0
        self.line_at: dict[int, Line] = {}
        self.first: list[int] = []
        self.places: list[list[tuple[int, int]]] = []
        self.spelt: dict[int, list[int]] = defaultdict(list)
        self.groups: list[Group] = []
        self._most = most
        self._memory = memory
        self._index = {id(domain): {value: i for i, value in enumerate(domain)} for domain in self.domains}
        self._known: dict[int, dict[int, Domain]] = {key: memory.cache() for key in self._index}
        for variable, domain in domains.items():
            self.first.append(self.length)
            self.places.append([(self.length, 1)])
            self._add_line(range(self.length, self.length + len(domain)), None, variable)
        self.variable_bits = self.length
        for number, constraint in constraints.items():
            if not constraint.scope:
                if not constraint.check({}):
                    self._add_line((), number, None)
            elif elements := constraint.apart():
                members = tuple([self.number[element.terms[0][1]] for element in elements])  # type: ignore[index]
                own, firsts = [self.domains[member] for member in members], [self.first[member] for member in members]
                self._add_group(Group(number, self.length, elements, members, own, firsts))
        self.most_places = max(map(len, self.places), default=0)
        self.guards = mask(self.line_at)
        self.variable_guards = self.guards & ones(self.variable_bits)
        self.ones = mask(line.first for line in self.line_at.values())
        self.start = ones(self.length)
        self.begin = {guard: line.first for guard, line in self.line_at.items()}
        self._widths = [(first, (1 << len(domain)) - 1) for first, domain in zip(self.first, self.domains, strict=True)]
        self._owner = array("I")
        for number, domain in enumerate(self.domains):
            self._owner.extend([number] * (len(domain) + 1))
        self._piece = ones(WIDE + max([width.bit_length() for _, width in self._widths], default=0))
        self.plain_bits = ones(self.variable_bits) & ~self.guards
        self._masks: dict[int, Snapshot] = memory.cache()
        self._removals: dict[tuple[int, int], Snapshot] = memory.cache()

    def _add_line(self, candidates: Sequence[int], constraint: int | None, what: Variable | Value | None) -> None:
        guard = self.length + len(candidates)
        if guard >= self._most:
            raise TooLarge(f"the puzzle has more than {self._most} candidates in all its lines")
        self.line_at[guard] = Line(self.length, candidates, constraint, what)
        self.length = guard + 1

    def _add_group(self, group: Group) -> None:
        self.groups.append(group)
        if not group.is_tight:
            return
        if not group.is_block:
            for value, places in group.places.items():
                candidates = list(dict.fromkeys(places))
                for bit, candidate in enumerate(candidates, self.length):
                    self.spelt[candidate].append(bit)
                self._add_line(candidates, group.number, value)
            return
        firsts, stride = [self.first[member] for member in group.members], len(group.members) + 1
        for index, value in enumerate(self.domains[group.members[0]]):
            self._add_line(Column(firsts, index), group.number, value)
        for begin, member in enumerate(group.members, group.begin):
            self.places[member].append((begin, stride))

    def owner(self, candidate: int) -> int:
        """The number of the variable of a candidate."""
        return self._owner[candidate]

    def index(self, number: int) -> Mapping[Value, int]:
        """For every value of a variable, which it is."""
        return self._index[id(self.domains[number])]

    def candidate(self, candidate: int) -> Candidate:
        """The variable and the value of a candidate."""
        number = self._owner[candidate]
        return self.variables[number], self.domains[number][candidate - self.first[number]]

    def find(self, variable: str, value: Value) -> int | None:
        """The candidate of a variable and a value; None if there is none."""
        number = self.number.get(variable)  # type: ignore[call-overload]
        index = None if number is None else self.index(number).get(value)
        return None if index is None else self.first[number] + index

    def at(self, bit: int) -> int | None:
        """The candidate that a bit stands for, None for a guard."""
        guard = next_bit(self.guards, bit)
        assert guard is not None
        line = self.line_at[guard]
        return None if bit == guard else line.candidates[bit - line.first]

    def bits(self, candidate: int) -> list[int]:
        """The bits of a candidate, the one in the line of its variable first."""
        number = self._owner[candidate]
        index = candidate - self.first[number]
        bits = [start + index * stride for start, stride in self.places[number]]
        return bits + self.spelt[candidate] if candidate in self.spelt else bits

    def candidate_mask(self, candidate: int) -> Snapshot:
        """The bits of a candidate, set."""
        made = self._masks.get(candidate)
        if made is None:
            made = mask(self.bits(candidate))
            self._memory.take(self.length // 8 + 64)
            self._masks[candidate] = made
        return made

    def guards_at(self, bits: Iterable[int]) -> list[int]:
        """The guards of the lines of some bits."""
        guards = self.guards
        return [guard for bit in bits if (guard := next_bit(guards, bit)) is not None]

    def combs(self, numbers: Iterable[int]) -> Iterator[slice]:
        """Where all bits of all values of some variables are, but for those that are spelt out."""
        for number in numbers:
            size = len(self.domains[number]) - 1
            for start, stride in self.places[number]:
                yield slice(start, start + size * stride + 1, stride)

    def spelt_bits(self, number: int, values: int = -1) -> list[int]:
        """Those bits of all values of a variable, or of some, that are spelt out."""
        if not self.spelt:
            return []
        first = self.first[number]
        candidates = [first + i for i in range(len(self.domains[number])) if values >> i & 1]
        return [bit for candidate in candidates for bit in self.spelt.get(candidate, ())]

    def variable_mask(self, number: int) -> Snapshot:
        """All bits of all values of a variable."""
        return self.start ^ self.only(number, ())

    def guards_of(self, numbers: Iterable[int]) -> Snapshot:
        """The guards of all lines that have a candidate of these variables."""
        return mask(
            guard
            for number in numbers
            for candidate in range(self.first[number], self.first[number] + len(self.domains[number]))
            for guard in self.guards_at(self.bits(candidate))
        )

    def live(self, state: Snapshot) -> Iterator[int]:
        """The candidates that a state leaves, variable by variable."""
        return set_bits(state & self.plain_bits)

    def changed(self, state: Snapshot, before: Snapshot) -> Iterator[tuple[int, int]]:
        """The numbers of the variables whose domains differ between two states, and what the first leaves them."""
        state = state & self.plain_bits
        difference = state ^ before & self.plain_bits
        begin, piece = 0, state & self._piece
        bit = next_bit(difference)
        while bit is not None:
            number = self._owner[bit]
            first, width = self._widths[number]
            if first >= begin + WIDE:
                begin, piece = first, state >> first & self._piece
            yield number, int(piece >> first - begin & width)
            bit = next_bit(difference, first + width.bit_length())

    def without(self, state: Snapshot, candidates: Iterable[int]) -> Snapshot:
        """A state without some candidates."""
        return edited(state, (), [bit for candidate in candidates for bit in self.bits(candidate)])

    def only(self, number: int, candidates: Iterable[int]) -> Snapshot:
        """What stays when a variable has one of these candidates."""
        kept = [bit for candidate in candidates for bit in self.bits(candidate)]
        return edited(self.start, self.combs([number]), self.spelt_bits(number), kept)

    def narrowed(self, state: Snapshot, candidates: Iterable[int]) -> Snapshot:
        """A state in which variables, each named once, have these candidates or none."""
        numbers: list[int] = []
        kept: list[int] = []
        for candidate in candidates:
            numbers.append(self.owner(candidate))
            kept += self.bits(candidate) if state.bit_test(candidate) else []
        spelt = (bit for number in numbers for bit in self.spelt_bits(number))
        return edited(state, self.combs(numbers), spelt, kept)

    def removal(self, number: int, gone: int) -> Snapshot:
        """What stays when values of a variable go: those whose bits are set."""
        kept = self._removals.get((number, gone))
        if kept is None:
            lost = mask(self.spelt_bits(number, gone))
            for start, stride in self.places[number]:
                lost |= spread(gone, stride) << start
            kept = self.start ^ lost
            self._memory.take(self.length // 8 + DOMAIN_BYTES)
            self._removals[number, gone] = kept
        return kept

    def line_of(self, candidate: int) -> range:
        """The bits of the values of its variable; where they end, its guard is."""
        number = self.owner(candidate)
        return range(self.first[number], self.first[number] + len(self.domains[number]))

    def waits(self, state: Snapshot, number: int) -> bool:
        """Whether a variable is not settled in a state."""
        return bool(state.bit_test(self.first[number] + len(self.domains[number])))

    def values(self, state: Snapshot, number: int) -> int:
        """The values that a state leaves to a variable, as bits: the lowest is the first of its domain."""
        first, width = self._widths[number]
        return int(state >> first & width)

    def domain(self, state: Snapshot, number: int) -> Domain:
        """The values that a state leaves to a variable."""
        return self._domain(number, self.values(state, number))

    def domains_in(self, state: Snapshot) -> dict[Variable, Domain]:
        """The values that a state leaves to all variables; reads it once."""
        left: dict[Variable, Domain] = dict.fromkeys(self.variables, ())
        for number, values in self.changed(state, Snapshot(0)):
            left[self.variables[number]] = self._domain(number, values)
        return left

    def _domain(self, number: int, values: int) -> Domain:
        domain = self.domains[number]
        known = self._known[id(domain)]
        found = known.get(values)
        if found is None:
            found = tuple([value for i, value in enumerate(domain) if values >> i & 1])
            self._memory.take(DOMAIN_BYTES + 8 * len(found))
            known[values] = found
        return found


@lru_cache(maxsize=SPREADS)
def spread(values: int, stride: int) -> Snapshot:
    """The bits of some values, so far apart.

    Examples
    --------
    >>> bin(spread(0b101, 3))
    '0b1000001'
    """
    return mask([i * stride for i in range(values.bit_length()) if values >> i & 1])
