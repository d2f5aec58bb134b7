"""A program as a person sees it: candidates, and sets of them of which at most one, or exactly one, holds."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import cached_property
from itertools import product
from typing import Any, TypeVar

from ...engine.ask.engine import Engine
from ...engine.compiled.filters.base import bits
from ...engine.compiled.kernel import State
from ...engine.compiled.program import CompiledModel
from ...ground.frozen import Frozen
from ...ground.notation import listed, quoted
from ...model import Candidate, Constraint, Value, Variable
from ...story import show_removed
from ...story.history import named_constraints

T = TypeVar("T")

MOST_PAIRS = 4096
"""Of how many pairs of values a constraint on two variables is asked which of them exclude each other."""


class BoardLine(Frozen):
    """Candidates of which at most one holds.

    Attributes
    ----------
    mask : int
        The candidates, as bits.
    what : Variable or value
        The variable that takes one of them; or the value that one element of a group takes.
    group : int or None
        The index of that group in ``Board.groups``.
    is_tight : bool
        Whether exactly one holds.
    """

    mask: int
    what: Variable | Value
    group: int | None
    is_tight: bool


class BoardGroup(Frozen):
    """A constraint whose whole meaning is that expressions of one variable each take different values.

    Attributes
    ----------
    number : int
        Of the constraint.
    variables : tuple of int
        The numbers of its variables, each once.
    mask : int
        All candidates of these variables.
    places : tuple of BoardLine
        One for every value.
    place_of : mapping from int to int
        For every candidate the index of its place; of a candidate with several, the last.
    is_block, is_tight : bool
        Block: plain variables of equal domains, so that the places are the values of each domain, in order. Tight:
        every value has a place.
    """

    number: int
    variables: tuple[int, ...]
    mask: int
    places: tuple[BoardLine, ...]
    place_of: Mapping[int, int]
    is_block: bool
    is_tight: bool


class Board:
    """A program as a person sees it. Read-only.

    Parameters
    ----------
    program : CompiledModel

    Attributes
    ----------
    candidates : dict of int to Candidate
        Those of the program, under the bits of their variables' lines in a state: bits of masks are these. The values
        of a variable stand side by side, in the order of its domain.
    owner : dict of int to int
        For every candidate the number of its variable.
    first : list of int
        For every variable the first of its candidates.
    own : list of int
        For every variable the mask of its candidates.
    constraints : tuple of Constraint
        Those of the program; what follows from others says from which.
    groups : tuple of BoardGroup
    covers : tuple of BoardLine
        Variables first, then the places of groups.
    lines : tuple of BoardLine
        The tight ones among them.
    """

    def __init__(self, program: CompiledModel) -> None:
        self.program = program
        layout = program.layout
        self.constraints: tuple[Constraint, ...] = named_constraints(program)
        self.first = layout.first
        self.candidates = {bit: layout.candidate(bit) for bit in layout.live(layout.start)}
        self.owner = {bit: layout.owner(bit) for bit in self.candidates}
        self.own = [(1 << len(domain)) - 1 << first for first, domain in zip(self.first, layout.domains, strict=True)]
        self.bit_of = {candidate: bit for bit, candidate in self.candidates.items()}
        self.all = self.mask(layout.start)
        self.rested: dict[int, list[int]] = {}  # by constraint, domains of which its filter takes nothing away
        self.barren: set[Hashable] = set()  # searches of techniques in vain, by what they depend on
        self._shared: dict[str, Any] = {}
        covers = [
            BoardLine(own, variable, None, True) for own, variable in zip(self.own, layout.variables, strict=True)
        ]
        groups: list[BoardGroup] = []
        for one in layout.groups:
            variables = tuple(dict.fromkeys(one.members))
            images: dict[Value, int] = {}
            if one.is_block:
                for index, value in enumerate(layout.domains[variables[0]]):
                    images[value] = sum([1 << self.first[variable] + index for variable in variables])
            else:
                for value, places in one.places.items():
                    images[value] = sum([1 << place for place in dict.fromkeys(places)])
            made = tuple([BoardLine(mask, value, len(groups), one.is_tight) for value, mask in images.items()])
            place_of = {bit: index for index, place in enumerate(made) for bit in bits(place.mask)}
            whole = sum([self.own[variable] for variable in variables])
            groups.append(BoardGroup(one.number, variables, whole, made, place_of, one.is_block, one.is_tight))
            covers += made
        self.groups = tuple(groups)
        self.covers = tuple(covers)
        self.lines = tuple([cover for cover in covers if cover.is_tight])

    def shared(self, key: str, make: Callable[[Board], T]) -> T:
        """What techniques know of a board, made by the first that asks."""
        if key not in self._shared:
            self._shared[key] = make(self)
        found: T = self._shared[key]
        return found

    @cached_property
    def narrowed(self) -> list[tuple[int, int]]:
        """The constraints on one variable that follow from several of the model, and what they leave."""
        own, start = len(self.program.model.constraints), self.program.layout.start
        return [(number, self.mask(start & mask)) for number, mask in self.program.narrowing if number >= own]

    @cached_property
    def covers_of(self) -> dict[int, list[int]]:
        """For every candidate the indices of the covers that it is in."""
        found: dict[int, list[int]] = {bit: [] for bit in self.candidates}
        for index, cover in enumerate(self.covers):
            for bit in bits(cover.mask):
                found[bit].append(index)
        return found

    @cached_property
    def peers(self) -> dict[int, int]:
        """For every candidate those that it shares a cover with."""
        found = dict.fromkeys(self.candidates, 0)
        for cover in self.covers:
            for bit in bits(cover.mask):
                found[bit] |= cover.mask
        return {bit: mask & ~(1 << bit) for bit, mask in found.items()}

    @cached_property
    def pairs(self) -> dict[tuple[int, int], int]:
        """For two candidates that exclude each other, the lower first, the constraint on two variables that says so."""
        found: dict[tuple[int, int], int] = {}
        for number, filter in self.program.filters.items():
            if len(filter.scope) != 2:
                continue
            one, other = self.program.scopes[number]
            domains = self.program.layout.domains[one], self.program.layout.domains[other]
            if len(domains[0]) * len(domains[1]) > MOST_PAIRS:
                continue
            for (i, a), (j, b) in product(enumerate(domains[0]), enumerate(domains[1])):
                if not filter.constraint.check({filter.scope[0]: a, filter.scope[1]: b}):
                    low, high = sorted((self.first[one] + i, self.first[other] + j))
                    found.setdefault((low, high), number)
        return found

    @cached_property
    def sees(self) -> dict[int, int]:
        """For every candidate those that cannot hold with it: its peers, and by constraints on two variables."""
        found = dict(self.peers)
        for low, high in self.pairs:
            found[low] |= 1 << high
            found[high] |= 1 << low
        return found

    @cached_property
    def only_groups(self) -> int:
        """The candidates of the variables that an answer shows, and that nothing but tight blocks is about."""
        model = self.program.model
        numbers = self.program.layout.number
        free = sum([self.own[numbers[variable]] for variable in model.shown])
        for variable in model.objective.variables if model.objective else ():
            free &= ~self.own[numbers[variable]]
        blocks = {group.number for group in self.groups if group.is_block}
        for number, constraint in enumerate(self.constraints):
            if number not in self.program.without and number not in blocks:
                for variable in constraint.scope:
                    free &= ~self.own[self.program.layout.number[variable]]
        return free

    def seen_by_all(self, mask: int) -> int:
        """The candidates that cannot hold with any of some."""
        seen = self.all
        for bit in bits(mask):
            seen &= self.sees[bit]
        return seen

    def variables_of(self, mask: int) -> list[int]:
        """The numbers of the variables of some candidates, each once, in order."""
        return list(dict.fromkeys([self.owner[bit] for bit in bits(mask)]))

    def mask(self, state: State) -> int:
        """What a state of the engine leaves."""
        return int(state & self.program.layout.plain_bits)

    def state(self, live: int) -> State:
        """The engine's state in which these candidates are live."""
        layout = self.program.layout
        return layout.without(layout.start, bits(self.all & ~live))

    @cached_property
    def engine(self) -> Engine:
        """Propagates states."""
        return Engine(self.program)

    def start(self, givens: Mapping[str, Value] | None = None) -> int:
        """What is left by givens, and by the constraints of the model on one variable."""
        program = self.program
        state = program.layout.start
        for number, mask in program.narrowing:
            if number < len(program.model.constraints):
                state = state & mask
        return self.mask(self.engine.restricted(state, givens))

    def listed(self, mask: int) -> tuple[Candidate, ...]:
        """Some candidates, in order."""
        return tuple([self.candidates[bit] for bit in bits(mask)])

    def place(self, group: int | None) -> str:
        """The label of a group, with its line in the spec."""
        assert group is not None
        return self.constraints[self.groups[group].number].place

    def name(self, line: BoardLine) -> str:
        """A line as sentences call it."""
        return str(line.what) if line.group is None else f"{quoted(line.what)} in {self.place(line.group)}"

    def holds(self, bit: int) -> str:
        """A candidate that holds."""
        variable, value = self.candidates[bit]
        return f"{variable} = {quoted(value)}"

    def variables_at(self, mask: int) -> tuple[Variable, ...]:
        """The variables of some candidates."""
        return tuple([self.program.layout.variables[number] for number in self.variables_of(mask)])

    def cells(self, mask: int) -> str:
        """The variables of some candidates, in words."""
        return joined([str(variable) for variable in self.variables_at(mask)])

    def values(self, mask: int) -> str:
        """The values of some candidates, each once."""
        return listed(dict.fromkeys([self.candidates[bit][1] for bit in bits(mask)]))

    def said(self, mask: int) -> str:
        """Candidates of one value, or of one variable, or any."""
        found = self.listed(mask)
        if len(found) == 1:
            return self.holds(next(bits(mask)))
        if len({value for _, value in found}) == 1:
            return f"{quoted(found[0][1])} in {joined([str(variable) for variable, _ in found], 'or')}"
        if len({variable for variable, _ in found}) == 1:
            return f"{found[0][0]} is {joined([quoted(value) for _, value in found], 'or')}"
        return joined([f"{variable} = {quoted(value)}" for variable, value in found], "or")

    def removal(self, mask: int) -> str:
        """What goes, and where from."""
        return show_removed(self.listed(mask))


def joined(words: Iterable[str], last: str = "and") -> str:
    """Words with commas, and a word before the last.

    Examples
    --------
    >>> joined(["A", "B", "C"]), joined(["A"])
    ('A, B and C', 'A')
    """
    *some, end = words
    return f"{', '.join(some)} {last} {end}" if some else end
