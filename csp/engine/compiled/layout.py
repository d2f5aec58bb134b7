"""The layout of a snapshot: the bits of each candidate and of each exactly-one set."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple, overload

from ...base.errors import TooLarge
from ...model import Affine, Candidate, Constraint, Domain, Value, Variable
from ..memory import Memory
from .kernel import Snapshot, edit, has_bit, mask, next_bit, ones, set_bits

DOMAIN_BYTES = 200
"""Estimated size of a cached domain without its values, in bytes; it counts towards the limit of the cache."""

WIDE = 16_000
"""Number of bits that are shifted at once to read domains, because a shift takes time proportional to the width."""

SPREAD_CACHE_SIZE = 4_096
"""Maximum number of cached results of ``spread``, in all models of a process: a hundred bytes each for nine digits."""


class Group:
    """An all_different constraint whose expressions, the elements, have one variable each.

    A *block* is a group of plain variables with equal domains. The bits that a candidate excludes there are one
    pattern, shifted. A *permutation* is a group with as many values as elements, so every value has exactly one place.

    Parameters
    ----------
    number : int
        The number of the constraint.
    begin : int
        The lowest bit of the exactly-one sets of the group, if it is a permutation.
    elements : tuple of Affine
    members : tuple of int
        The number of the variable of each element.
    domains : sequence of Domain
        The domain of the variable of each element.
    firsts : sequence of int
        The first candidate of the variable of each element.

    Attributes
    ----------
    number, begin, members
        As above.
    places : dict of Value to array of int
        For every value, the candidates that give it to an element; empty for a block.
    is_plain : bool
        Whether all elements are variables.
    is_block, is_permutation : bool
        As above.
    """

    def __init__(
        self,
        number: int,
        begin: int,
        elements: tuple[Affine, ...],
        members: tuple[int, ...],
        domains: Sequence[Domain],
        firsts: Sequence[int],
    ) -> None:
        self.number, self.begin, self.members = number, begin, members
        self.is_plain = all([element.is_variable for element in elements])
        has_equal_domains = all([domain is domains[0] or domain == domains[0] for domain in domains])
        self.is_block = self.is_plain and has_equal_domains and len({*members}) == len(elements) <= len(domains[0])
        self.places: dict[Value, array[int]] = {}
        self._elements: dict[int, list[Affine]] = {}
        self._firsts, self._size = firsts, len(domains[0])
        if self.is_block:
            self.is_permutation = len(elements) == len(domains[0])
            return
        # Collect the places of every value, element by element.
        for member, element, domain, first in zip(members, elements, domains, firsts, strict=True):
            self._elements.setdefault(member, []).append(element)
            for candidate, image in enumerate(element.images(domain), first):
                if image not in self.places:
                    self.places[image] = array("I")
                self.places[image].append(candidate)
        self.is_permutation = len(self.places) == len(elements)

    def classes(self) -> tuple[Iterable[int], list[int]]:
        """Return the candidates of an all_different by value, and how many each value has."""
        if not self.is_block:
            return chain(*self.places.values()), [len(places) for places in self.places.values()]
        firsts, size = self._firsts, self._size
        return [first + index for index in range(size) for first in firsts], [len(firsts)] * size

    def images(self, member: int, value: Value) -> list[Value]:
        """Return the distinct values that a variable's elements have for one of its values.

        Blocks have no such elements.
        """
        return list(dict.fromkeys([element.image(value) for element in self._elements[member]]))


class Column(Sequence[int]):
    """The candidates of one value in a block (all_different over equal domains), computed on access.

    There is one candidate for each variable of the block.

    ``firsts``: the first candidate of each variable; ``value``: the position of the value in the domain.
    """

    __slots__ = ("firsts", "value")

    def __init__(self, firsts: list[int], value: int) -> None:
        self.firsts = firsts
        self.value = value

    def __len__(self) -> int:
        return len(self.firsts)

    @overload
    def __getitem__(self, position: int) -> int: ...
    @overload
    def __getitem__(self, position: slice) -> list[int]: ...
    def __getitem__(self, position: int | slice) -> int | list[int]:
        if isinstance(position, slice):
            return [first + self.value for first in self.firsts[position]]
        return self.firsts[position] + self.value


class ExactlyOne(NamedTuple):
    """A set of candidates of which exactly one holds, with its place in a snapshot.

    Attributes
    ----------
    first : int
        The lowest bit of the set.
    candidates : sequence of int
        The candidates, bit by bit; see ``Layout.first`` for their numbers.
    constraint : int or None
        The number of the permutation in which the value has exactly one place; None for the values of a variable.
    subject : Variable or value
        The variable that has exactly one value, or the value that has exactly one place.
    """

    first: int
    candidates: Sequence[int]
    constraint: int | None
    subject: Variable | Value | None


class Layout:
    """The assignment of bits of a snapshot to candidates and exactly-one sets.

    The sets of variables come first, in their order, then the sets of permutations.
    A constraint without variables that does not hold has a set without candidates. A *block* is a group of plain
    variables with equal domains.

    Parameters
    ----------
    domains : mapping of Variable to Domain
    constraints : mapping of int to Constraint
        The constraints by their numbers.
    max_bits : int
    memory : Memory

    Raises
    ------
    TooLarge
        If a snapshot needs more than ``max_bits`` bits.

    Attributes
    ----------
    start : Snapshot
        The snapshot with all candidates live and all sets unfixed.
    guards, ones : Snapshot
        The guard bit, and the lowest bit, of every set.
    variable_guards : Snapshot
        The guards of the sets of variables.
    begin : dict of int to int
        For every guard bit, the lowest bit of its set.
    exactly_one_at : dict of int to ExactlyOne
        The set of every guard bit.
    groups : list of Group
    first : list of int
        For each variable, its lowest bit. The number of a candidate is its bit there: value ``i`` is ``first + i``.
    places : list of lists of tuples (int, int)
        For each variable, a pair (start, stride) for each of its own set and its blocks that are permutations: value
        ``i`` has a bit at ``start + i*stride``.
    extra_bits : dict of int to list of int
        For a candidate, its bits in permutations that are not blocks.
    plain_bits : Snapshot
        The bits of all candidates in the sets of their variables.
    variable_bits : int
        Number of bits that the sets of variables need; they are the lowest bits.
    most_places : int
        Maximum number of pairs in ``places`` for one variable.
    """

    def __init__(
        self,
        domains: Mapping[Variable, Domain],
        constraints: Mapping[int, Constraint],
        max_bits: int,
        memory: Memory,
    ) -> None:
        self.variables = tuple(domains)
        self.domains = tuple(domains.values())
        self.number = {variable: i for i, variable in enumerate(self.variables)}
        self.length = 0
        self.exactly_one_at: dict[int, ExactlyOne] = {}
        self.first: list[int] = []
        self.places: list[list[tuple[int, int]]] = []
        self.extra_bits: dict[int, list[int]] = defaultdict(list)
        self.groups: list[Group] = []
        self._max_bits = max_bits
        self._memory = memory
        self._index = {id(domain): {value: i for i, value in enumerate(domain)} for domain in self.domains}
        self._domain_caches: dict[int, dict[int, Domain]] = {key: memory.cache() for key in self._index}
        # Add an exactly-one set for every variable, below all others.
        for variable, domain in domains.items():
            self.first.append(self.length)
            self.places.append([(self.length, 1)])
            self._add_set(range(self.length, self.length + len(domain)), None, variable)
        self.variable_bits = self.length
        # Add a group for every all_different over expressions of one variable, and the sets of permutations.
        for number, constraint in constraints.items():
            if not constraint.scope:
                if not constraint.check({}):
                    self._add_set((), number, None)
            elif elements := constraint.apart():
                members = tuple([self.number[element.terms[0][1]] for element in elements])  # type: ignore[index]
                group_domains, firsts = [self.domains[member] for member in members], [self.first[m] for m in members]
                self._add_group(Group(number, self.length, elements, members, group_domains, firsts))
        # Make the masks that all snapshots share.
        self.most_places = max(map(len, self.places), default=0)
        self.guards = mask(self.exactly_one_at)
        self.variable_guards = self.guards & ones(self.variable_bits)
        self.ones = mask(exactly_one.first for exactly_one in self.exactly_one_at.values())
        self.start = ones(self.length)
        self.begin = {guard: exactly_one.first for guard, exactly_one in self.exactly_one_at.items()}
        self._fields = [(first, (1 << len(domain)) - 1) for first, domain in zip(self.first, self.domains, strict=True)]
        self._owner = array("I")
        for number, domain in enumerate(self.domains):
            self._owner.extend([number] * (len(domain) + 1))
        self._window = ones(WIDE + max([field.bit_length() for _, field in self._fields], default=0))
        self.plain_bits = ones(self.variable_bits) & ~self.guards
        self._masks: dict[int, Snapshot] = memory.cache()
        self._removals: dict[tuple[int, int], Snapshot] = memory.cache()

    def _add_set(self, candidates: Sequence[int], constraint: int | None, subject: Variable | Value | None) -> None:
        guard = self.length + len(candidates)
        if guard >= self._max_bits:
            raise TooLarge(f"the puzzle has more than {self._max_bits} candidates in all its lines")
        self.exactly_one_at[guard] = ExactlyOne(self.length, candidates, constraint, subject)
        self.length = guard + 1

    def _add_group(self, group: Group) -> None:
        """Add an all_different; for a permutation, also add an exactly-one set for each value."""
        self.groups.append(group)
        if not group.is_permutation:
            return
        # The bits of a general permutation follow no rule, so they are listed for each candidate.
        if not group.is_block:
            for value, places in group.places.items():
                candidates = list(dict.fromkeys(places))
                for bit, candidate in enumerate(candidates, self.length):
                    self.extra_bits[candidate].append(bit)
                self._add_set(candidates, group.number, value)
            return
        # In a block, the sets of two successive values are as far apart as a set is long.
        firsts, stride = [self.first[member] for member in group.members], len(group.members) + 1
        for index, value in enumerate(self.domains[group.members[0]]):
            self._add_set(Column(firsts, index), group.number, value)
        for begin, member in enumerate(group.members, group.begin):
            self.places[member].append((begin, stride))

    def owner(self, candidate: int) -> int:
        """Return the number of the variable to which a candidate belongs."""
        return self._owner[candidate]

    def index(self, number: int) -> Mapping[Value, int]:
        """Return a dictionary from each value of a variable to its position in the domain."""
        return self._index[id(self.domains[number])]

    def candidate(self, candidate: int) -> Candidate:
        """Return the variable and the value of a candidate number."""
        number = self._owner[candidate]
        return self.variables[number], self.domains[number][candidate - self.first[number]]

    def find(self, variable: str, value: Value) -> int | None:
        """Return the number of the candidate with a variable and a value, or None."""
        number = self.number.get(variable)  # type: ignore[call-overload]
        index = None if number is None else self.index(number).get(value)
        return None if index is None else self.first[number] + index

    def at(self, bit: int) -> int | None:
        """Return the candidate to which a bit belongs; None for a guard bit."""
        guard = next_bit(self.guards, bit)
        assert guard is not None
        exactly_one = self.exactly_one_at[guard]
        return None if bit == guard else exactly_one.candidates[bit - exactly_one.first]

    def bits(self, candidate: int) -> list[int]:
        """Return all bits of a candidate, first the bit in the set of its variable."""
        number = self._owner[candidate]
        index = candidate - self.first[number]
        bits = [start + index * stride for start, stride in self.places[number]]
        return bits + self.extra_bits[candidate] if candidate in self.extra_bits else bits

    def candidate_mask(self, candidate: int) -> Snapshot:
        """Return the mask of all bits of a candidate."""
        bits = self._masks.get(candidate)
        if bits is None:
            bits = mask(self.bits(candidate))
            self._memory.take(self.length // 8 + 64)
            self._masks[candidate] = bits
        return bits

    def guards_at(self, bits: Iterable[int]) -> list[int]:
        """Return for each bit the guard bit of the exactly-one set that contains it."""
        guards = self.guards
        return [guard for bit in bits if (guard := next_bit(guards, bit)) is not None]

    def plain_bits_of(self, numbers: Iterable[int]) -> Iterator[int]:
        """Yield the bits of these variables' values: in the variables' own sets and in blocks.

        Blocks are all_different constraints over variables with equal domains.
        """
        for number in numbers:
            size = len(self.domains[number]) - 1
            for start, stride in self.places[number]:
                yield from range(start, start + size * stride + 1, stride)

    def extra_bits_of(self, number: int, values: int = -1) -> list[int]:
        """Return the bits of a variable's values in permutations that are not blocks.

        ``values``: the values, as bits; by default all.
        """
        if not self.extra_bits:
            return []
        first = self.first[number]
        candidates = [first + i for i in range(len(self.domains[number])) if values >> i & 1]
        return [bit for candidate in candidates for bit in self.extra_bits.get(candidate, ())]

    def variable_mask(self, number: int) -> Snapshot:
        """Return the mask of all bits of all values of a variable."""
        return self.start ^ self.only(number, ())

    def guards_of(self, numbers: Iterable[int]) -> Snapshot:
        """Return the guard bits of all exactly-one sets with candidates of these variables."""
        return mask(
            guard
            for number in numbers
            for candidate in range(self.first[number], self.first[number] + len(self.domains[number]))
            for guard in self.guards_at(self.bits(candidate))
        )

    def live(self, snapshot: Snapshot) -> Iterator[int]:
        """Yield the remaining candidates of a snapshot, variable by variable."""
        return set_bits(snapshot & self.plain_bits)

    def changed_domains(self, snapshot: Snapshot, before: Snapshot) -> Iterator[tuple[int, int]]:
        """Yield each variable whose domain differs between two snapshots, with its new domain.

        A pair has the number of the variable and its values in ``snapshot`` as bits.
        """
        snapshot = snapshot & self.plain_bits
        difference = snapshot ^ before & self.plain_bits
        begin, window = 0, snapshot & self._window
        bit = next_bit(difference)
        while bit is not None:
            number = self._owner[bit]
            first, field = self._fields[number]
            # Shift the whole snapshot only when the variable begins above the window, and read from the window.
            if first >= begin + WIDE:
                begin, window = first, snapshot >> first & self._window
            yield number, int(window >> first - begin & field)
            bit = next_bit(difference, first + field.bit_length())

    def without(self, snapshot: Snapshot, candidates: Iterable[int]) -> Snapshot:
        """Return the snapshot after removing these candidates."""
        return edit(snapshot, [bit for candidate in candidates for bit in self.bits(candidate)])

    def only(self, number: int, candidates: Iterable[int]) -> Snapshot:
        """Return the mask that keeps these candidates of a variable and removes its other values."""
        bits = [bit for candidate in candidates for bit in self.bits(candidate)]
        return edit(self.start, [*self.plain_bits_of([number]), *self.extra_bits_of(number)], bits)

    def assign(self, snapshot: Snapshot, candidates: Iterable[int]) -> Snapshot:
        """Return the snapshot after removing all other values of these candidates' variables.

        There is at most one candidate for each variable. Guards stay 1: the next sweep fixes the candidates. A
        candidate that was removed before is not restored; its variable then has no candidates.
        """
        numbers: list[int] = []
        live_bits: list[int] = []
        for candidate in candidates:
            numbers.append(self.owner(candidate))
            live_bits += self.bits(candidate) if has_bit(snapshot, candidate) else []
        extra_bits = [bit for number in numbers for bit in self.extra_bits_of(number)]
        return edit(snapshot, [*self.plain_bits_of(numbers), *extra_bits], live_bits)

    def mask_without(self, number: int, removed: int) -> Snapshot:
        """Return the mask that removes values (as bits) from the domain of a variable."""
        keep = self._removals.get((number, removed))
        if keep is None:
            removed_bits = mask(self.extra_bits_of(number, removed))
            for start, stride in self.places[number]:
                removed_bits |= spread(removed, stride) << start
            keep = self.start ^ removed_bits
            self._memory.take(self.length // 8 + DOMAIN_BYTES)
            self._removals[number, removed] = keep
        return keep

    def value_bits(self, candidate: int) -> range:
        """Return the range of candidate bits of the variable to which a candidate belongs."""
        number = self.owner(candidate)
        return range(self.first[number], self.first[number] + len(self.domains[number]))

    def is_unfixed(self, snapshot: Snapshot, number: int) -> bool:
        """Return whether a variable is unfixed in a snapshot: its guard bit is 1."""
        return has_bit(snapshot, self.first[number] + len(self.domains[number]))

    def values(self, snapshot: Snapshot, number: int) -> int:
        """Return the domain of a variable in a snapshot as bits, the first value lowest."""
        first, field = self._fields[number]
        return int(snapshot >> first & field)

    def domain(self, snapshot: Snapshot, number: int) -> Domain:
        """Return the domain of a variable in a snapshot as a tuple of values."""
        return self._domain(number, self.values(snapshot, number))

    def domains_in(self, snapshot: Snapshot) -> dict[Variable, Domain]:
        """Return the domain of every variable in a snapshot as a tuple, in one pass."""
        domains: dict[Variable, Domain] = dict.fromkeys(self.variables, ())
        for number, values in self.changed_domains(snapshot, Snapshot(0)):
            domains[self.variables[number]] = self._domain(number, values)
        return domains

    def _domain(self, number: int, values: int) -> Domain:
        """Return as a tuple the values of a variable whose bits are set; cache it."""
        domain = self.domains[number]
        cache = self._domain_caches[id(domain)]
        narrowed = cache.get(values)
        if narrowed is None:
            narrowed = tuple([value for i, value in enumerate(domain) if values >> i & 1])
            self._memory.take(DOMAIN_BYTES + 8 * len(narrowed))
            cache[values] = narrowed
        return narrowed


@lru_cache(maxsize=SPREAD_CACHE_SIZE)
def spread(values: int, stride: int) -> Snapshot:
    """Return a number with its bits moved ``stride`` positions apart.

    Examples
    --------
    >>> bin(spread(0b101, 3))
    '0b1000001'
    """
    return mask([i * stride for i in range(values.bit_length()) if values >> i & 1])
