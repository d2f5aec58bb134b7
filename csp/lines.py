"""The network compiled to wide integers.

A *candidate* is a pair (variable, value). A *line* is a set of candidates of which exactly one holds: one per
variable, and one per value of every tight group. Every line is a field of bits in one wide integer, a bit per
candidate and a *guard* bit above them::

    state = ...[guard][cand n]...[cand 2][cand 1]  [guard][cand m]...[cand 1]
               \\______________ line 1 _________/  \\________ line 0 _______/

A candidate bit says that the candidate is live, a guard bit that the line still waits for its candidate. A
candidate has one bit in each of its lines. A state is one immutable integer, so a snapshot is free.

Subtracting ``ones`` (the lowest bit of every field) takes one from all fields at once; a borrow reaches the guard
where a field was empty. So a handful of wide operations finds every empty line, every line with a single
candidate, and, repeated, every line with the fewest.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache

from gmpy2 import mpz, xmpz

from .constraints import Constraint
from .model import Candidate, Model, Value, Variable

MASK_BYTES = 256 << 20
"""How many bytes of ready masks are kept."""

MAX_DOMAINS = 1 << 12
"""How many of the domains that a domain can become are kept."""

MAX_KEPT = 1 << 10
"""How many values such a domain may have."""

STATE_BITS = 1 << 27
"""How many bits a state may have."""


class TooLarge(ValueError):
    """The model needs more candidates than the engine will hold."""


@dataclass(frozen=True, slots=True)
class Line:
    """A set of candidates of which exactly one holds.

    Attributes
    ----------
    first : int
        The bit of the first candidate.
    variables, values : tuple
        The candidates, bit by bit; one of the two may have a single entry that stands for all.
    constraint : Constraint or None
        The group whose value has one place here; None for a variable that takes one value.
    what : Variable or value
        That variable, or that value.
    """

    first: int
    variables: tuple[Variable, ...]
    values: tuple[Value, ...]
    constraint: Constraint | None
    what: Variable | Value

    def candidate(self, bit: int) -> Candidate:
        """The candidate of a bit of the line."""
        offset = bit - self.first
        return self.variables[offset % len(self.variables)], self.values[offset % len(self.values)]

    @property
    def size(self) -> int:
        """How many candidates there are."""
        return max(len(self.variables), len(self.values)) if self.variables else 0


class Lines:
    """The candidates, lines and exclusion masks of a model.

    Parameters
    ----------
    model : Model
    dual : bool
        Whether tight groups give lines of their own (the level ``singles``), or variables alone do (``arc``).

    Raises
    ------
    TooLarge
        If a state would have more than ``STATE_BITS`` bits.

    Attributes
    ----------
    start : mpz
        The state in which every candidate is live and every line waits.
    guards, ones : mpz
        The guard bit, and the lowest candidate bit, of every line.
    variable_guards : mpz
        The guards of the lines of variables.
    begin : list of int
        At the bit of a guard, the lowest bit of its line.
    line_at : dict of int to Line
        The line of a guard.
    variable_bits : int
        The lines of variables, in the order of the model, are below this bit.
    keep : dict of int to mpz
        The masks that ``fixing`` has made so far, under every bit of their candidates.

    Notes
    -----
    Value ``i`` of a variable has its bits at ``start + i*stride``, a pair for every line that the variable and its
    *blocks* (groups over equal domains) give. So what a candidate excludes in a block is a pattern of the block,
    shifted: a few wide operations. Groups over unequal domains are spelt out bit by bit.
    """

    def __init__(self, model: Model, dual: bool) -> None:
        self.model = model
        self.length = 0
        self.line_at: dict[int, Line] = {}
        self.first_bit: dict[Variable, int] = {}
        indexes = {id(domain): {value: i for i, value in enumerate(domain)} for domain in model.domains.values()}
        self._index = {variable: indexes[id(domain)] for variable, domain in model.domains.items()}
        self._places: dict[Variable, list[tuple[int, int]]] = {}
        self._spelt: dict[Candidate, list[int]] = defaultdict(list)
        self._blocks_of: dict[Variable, list[int]] = defaultdict(list)
        self._sets_of: dict[Candidate, list[tuple[Constraint, list[Candidate]]]] = defaultdict(list)
        known: dict[int, dict[mpz, tuple[Value, ...]]] = {id(domain): {} for domain in model.domains.values()}
        self._fields: dict[Variable, tuple[int, mpz, dict[mpz, tuple[Value, ...]]]] = {}
        for variable, domain in model.domains.items():
            self.first_bit[variable] = self.length
            self._fields[variable] = (self.length, (mpz(1) << len(domain)) - 1, known[id(domain)])
            self._places[variable] = [(self.length, 1)]
            self._add_line(Line(self.length, (variable,), domain, None, variable))
        self.variable_bits = self.length
        self._blocks: list[tuple[Constraint, tuple[Variable, ...]]] = []
        for constraint in model.constraints:
            if not constraint.scope:
                if not constraint.check({}):
                    self._add_line(Line(self.length, (), (), constraint, ""))
            elif constraint.is_block(model.domains):
                self._add_block(constraint, dual)
            else:
                self._add_spelt(constraint, dual)
        self.guards = mask(self.line_at)
        self.variable_guards = self.guards & ((mpz(1) << self.variable_bits) - 1)
        self.ones = mask(line.first for line in self.line_at.values())
        self.start = (mpz(1) << self.length) - 1
        self.begin = [0] * self.length
        for guard, line in self.line_at.items():
            self.begin[guard] = line.first
        self.keep: dict[int, mpz] = {}
        self._kept = 0
        self._patterns: dict[int, dict[int, mpz]] = {}

    def _add_line(self, line: Line) -> None:
        guard = self.length + line.size
        if guard >= STATE_BITS:
            raise TooLarge(f"the puzzle has more than {STATE_BITS} candidates in all its lines")
        self.line_at[guard] = line
        self.length = guard + 1

    def _add_block(self, block: Constraint, dual: bool) -> None:
        scope = block.scope
        domain = self.model.domains[scope[0]]
        first = self.length
        if dual and len(scope) == len(domain):
            for value in domain:
                self._add_line(Line(self.length, scope, (value,), block, value))
        for position, variable in enumerate(scope):
            self._blocks_of[variable].append(len(self._blocks))
            if self.length > first:
                self._places[variable].append((first + position, len(scope) + 1))
        self._blocks.append((block, scope))

    def _add_spelt(self, constraint: Constraint, dual: bool) -> None:
        domains = self.model.domains
        if dual:
            for value, candidates in constraint.lines(domains):
                for bit, candidate in enumerate(candidates, self.length):
                    self._spelt[candidate].append(bit)
                variables, values = tuple(c[0] for c in candidates), tuple(c[1] for c in candidates)
                self._add_line(Line(self.length, variables, values, constraint, value))
        for excluded in constraint.exclusions(domains):
            for candidate in excluded:
                self._sets_of[candidate].append((constraint, excluded))

    def has_room(self, masks: int) -> bool:
        """Whether so many masks may be kept."""
        return masks * self.length <= 8 * MASK_BYTES

    def bits(self, variable: str, value: Value) -> list[int]:
        """The bits of a candidate, the one in the line of its variable first; none if there is no such candidate."""
        places = self._places.get(variable)  # type: ignore[call-overload]
        index = self._index[variable].get(value) if places else None  # type: ignore[index]
        if index is None:
            return []
        return [start + index * stride for start, stride in places] + self._spelt.get((variable, value), [])  # type: ignore[arg-type]

    def candidate(self, bit: int) -> Candidate | None:
        """The candidate of a bit, None for a guard."""
        guard = self.guards.bit_scan1(bit)
        return None if bit == guard else self.line_at[guard].candidate(bit)

    def fixing(self, bit: int) -> mpz:
        """What may stay when a candidate is fixed: all that it does not exclude, without the guards of its lines.

        The mask is kept in ``keep``, which is emptied when it would take too much memory. A guard stands for a
        waiting line that has just lost its last candidate; the next sweep will report it.
        """
        self._kept += 1
        if not self.has_room(self._kept):
            self.keep.clear()
            self._kept = 1
        candidate = self.candidate(bit)
        made = self.start.bit_clear(bit) if candidate is None else self._fixing_mask(candidate)
        for same in self.bits(*candidate) if candidate else [bit]:
            self.keep[same] = made
        return made

    def _fixing_mask(self, candidate: Candidate) -> mpz:
        variable, value = candidate
        excluded = mask(
            other
            for _, members in self._sets_of.get(candidate, ())
            for member in members
            for other in self.bits(*member)
        ) | self._variable_mask(variable)
        index = self._index[variable][value]
        for number in self._blocks_of.get(variable, ()):
            for stride, pattern in self._pattern(number).items():
                excluded |= pattern << index * stride
            if self._spelt:
                excluded |= mask(b for other in self._blocks[number][1] for b in self._spelt.get((other, value), ()))
        own = self.bits(variable, value)
        guards = mask(self.guards.bit_scan1(one) for one in own)
        return self.start ^ (excluded & ~mask(own) | guards)

    def _pattern(self, number: int) -> dict[int, mpz]:
        """By stride, the bits that all variables of a block have for their first value."""
        if number not in self._patterns:
            starts: dict[int, list[int]] = defaultdict(list)
            for variable in self._blocks[number][1]:
                for start, stride in self._places[variable]:
                    starts[stride].append(start)
            if not self.has_room(len(self._patterns) + 1):
                self._patterns.clear()
            self._patterns[number] = {stride: mask(bits) for stride, bits in starts.items()}
        return self._patterns[number]

    def _variable_mask(self, variable: str) -> mpz:
        """All bits of all values of a variable."""
        domain = self.model.domains[variable]  # type: ignore[index]
        all_bits = mpz(0)
        for start, stride in self._places[variable]:  # type: ignore[index]
            all_bits |= comb(len(domain), stride) << start
        if self._spelt:
            all_bits |= mask(b for value in domain for b in self._spelt.get((variable, value), ()))  # type: ignore[arg-type]
        return all_bits

    def excluders(self, candidate: Candidate) -> Iterator[tuple[Constraint, list[Candidate]]]:
        """The constraints that exclude other candidates when this one holds, and what each excludes."""
        variable, value = candidate
        for number in self._blocks_of.get(variable, ()):
            constraint, scope = self._blocks[number]
            yield constraint, [(other, value) for other in scope if other != variable]
        for constraint, members in self._sets_of.get(candidate, ()):
            yield constraint, [member for member in members if member != candidate]

    def live(self, state: mpz) -> Iterator[Candidate]:
        """The candidates that a state leaves, variable by variable."""
        for bit in set_bits(state):
            if bit >= self.variable_bits:
                return
            if candidate := self.candidate(bit):
                yield candidate

    def without(self, candidates: Iterable[Candidate]) -> mpz:
        """What stays when the candidates go."""
        return self.start ^ mask(bit for candidate in candidates for bit in self.bits(*candidate))

    def only(self, variable: str, value: Value) -> mpz:
        """What stays when a variable has the value."""
        return self.start ^ (self._variable_mask(variable) & ~mask(self.bits(variable, value)))

    def guards_of(self, variables: Iterable[Variable]) -> mpz:
        """The guards of the lines that have a candidate of these variables."""
        return mask(
            self.guards.bit_scan1(bit)
            for variable in variables
            for value in self.model.domains[variable]
            for bit in self.bits(variable, value)
        )

    def domain(self, state: mpz, variable: Variable) -> tuple[Value, ...]:
        """The values that a state leaves to a variable."""
        first, width, known = self._fields[variable]
        bits = (state >> first) & width
        found = known.get(bits)
        if found is None:
            found = tuple([v for i, v in enumerate(self.model.domains[variable]) if bits.bit_test(i)])
            if len(found) <= MAX_KEPT:
                if len(known) >= MAX_DOMAINS:
                    known.clear()
                known[bits] = found
        return found


@cache
def comb(teeth: int, stride: int) -> mpz:
    """The integer with ``teeth`` bits set, ``stride`` apart.

    Examples
    --------
    >>> bin(comb(3, 2))
    '0b10101'
    """
    return mask(range(0, teeth * stride, stride))


def mask(bits: Iterable[int]) -> mpz:
    """The integer with these bits set.

    Examples
    --------
    >>> int(mask([0, 3]))
    9
    """
    made = xmpz(0)
    for bit in sorted(bits, reverse=True):  # the highest first, so that the integer grows once
        made[bit] = 1
    return mpz(made)


def set_bits(number: mpz) -> Iterator[int]:
    """The bits that are set, from the lowest.

    Examples
    --------
    >>> list(set_bits(mpz(9)))
    [0, 3]
    """
    bit = number.bit_scan1()
    while bit is not None:
        yield bit
        bit = number.bit_scan1(bit + 1)
