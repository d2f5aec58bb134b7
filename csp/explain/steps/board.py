"""The board of a model, views of its candidates, and deductions, for all techniques.

Everything in this folder uses the same numbers. A candidate is a bit; several candidates are a mask, an integer with
these bits. A *cell* is a variable, as in the literature on these techniques. Variables and constraints are given by
their numbers in the program, groups and cover sets by their indices in ``Board.groups``, ``Board.covers``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import product
from typing import Any, NamedTuple, TypeVar

from ...base.frozen import Frozen
from ...base.notation import listed, quoted
from ...engine.compiled.kernel import Snapshot
from ...engine.compiled.program import CompiledModel
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Progress
from ...engine.solver.engine import Engine
from ...model import Candidate, Constraint, Value, Variable
from ...trace import show_removed
from ...trace.history import named_constraints
from .cover_sets import BoardGroup, CoverSet

T = TypeVar("T")

MAX_VALUE_PAIRS = 4096
"""Maximum number of value pairs of a binary constraint; ``Board.excluded_pairs`` leaves out larger constraints."""


class Board:
    """A compiled puzzle as numbered candidates, groups and cover sets, shared by all techniques.

    Parameters
    ----------
    program : CompiledModel

    Attributes
    ----------
    candidates : dict of int to Candidate
        The variable and the value of every bit. The values of a variable are adjacent, in the order of the domain.
    owner : dict of int to int
        For every candidate the number of its variable.
    first : list of int
        For every variable the bit of its first candidate.
    domain_masks : list of int
        For every variable the mask of its candidates.
    bit_of : dict of Candidate to int
        The bit of every candidate.
    constraints : tuple of Constraint
        The constraints of the program. A derived constraint names the constraints that it follows from.
    groups : tuple of BoardGroup
    covers : tuple of CoverSet
        The shown variables, then the places of the groups.
    hidden_sets : tuple of CoverSet
        The variables that are not shown.
    exactly_one_sets : tuple of CoverSet
        The cover sets with exactly one candidate that holds.
    fixpoint_domains : dict of tuple (int, bool) to list of int
        For a constraint the last domains from which its propagator removed nothing; with False, nothing shown.
    failed_searches : set
        Searches of techniques that found nothing, each as a key of everything that the search depends on.
    """

    def __init__(self, program: CompiledModel) -> None:
        self.program = program
        layout = program.layout
        self.constraints: tuple[Constraint, ...] = named_constraints(program)

        # Candidates have the bits of the engine, so that masks and engine snapshots convert by one "and".
        self.first = layout.first
        self.candidates = {bit: layout.candidate(bit) for bit in layout.live(layout.start)}
        self.owner = {bit: layout.owner(bit) for bit in self.candidates}
        self.domain_masks = [
            (1 << len(domain)) - 1 << first for first, domain in zip(self.first, layout.domains, strict=True)
        ]
        self.bit_of = {candidate: bit for bit, candidate in self.candidates.items()}
        self.all = self.mask(layout.start)
        self.fixpoint_domains: dict[tuple[int, bool], list[int]] = {}
        self.failed_searches: set[Hashable] = set()
        self._computed: dict[str, Any] = {}

        # Every variable is an exactly-one set; techniques look for patterns in shown variables only.
        sets = [CoverSet(mask, v, None, True) for mask, v in zip(self.domain_masks, layout.variables, strict=True)]
        self.hidden_sets = tuple([cover for cover in sets if not cover.mask & self.shown])
        covers = [cover for cover in sets if cover.mask & self.shown]

        # Every value of a group is a cover set, and an exactly-one set if the group is a permutation.
        groups: list[BoardGroup] = []
        for source in layout.groups:
            variables = tuple(dict.fromkeys(source.members))
            images: dict[Value, int] = {}
            if source.is_block:
                for index, value in enumerate(layout.domains[variables[0]]):
                    images[value] = sum([1 << self.first[variable] + index for variable in variables])
            else:
                for value, candidates in source.places.items():
                    images[value] = sum([1 << bit for bit in dict.fromkeys(candidates)])
            places = tuple(
                [CoverSet(mask, value, len(groups), source.is_permutation) for value, mask in images.items()]
            )
            place_of = {bit: index for index, place in enumerate(places) for bit in bits(place.mask)}
            group_mask = sum([self.domain_masks[variable] for variable in variables])
            groups.append(
                BoardGroup(
                    source.number, variables, group_mask, places, place_of, source.is_block, source.is_permutation
                )
            )
            covers += places
        self.groups = tuple(groups)
        self.covers = tuple(covers)
        self.exactly_one_sets = tuple([cover for cover in covers if cover.is_exactly_one])

    @cached_property
    def shown(self) -> int:
        """The candidates of the shown variables, as a bit mask."""
        return sum([self.domain_masks[self.program.layout.number[variable]] for variable in self.program.model.shown])

    def compute_once(self, key: str, compute: Callable[[Board], T]) -> T:
        """Return ``compute(self)``; compute it only at the first call with this key."""
        if key not in self._computed:
            self._computed[key] = compute(self)
        table: T = self._computed[key]
        return table

    @cached_property
    def derived_domains(self) -> list[tuple[int, int]]:
        """For each implied unary constraint, its number and the candidates that it allows."""
        given, start = len(self.program.model.constraints), self.program.layout.start
        return [(number, self.mask(start & mask)) for number, mask in self.program.unary_masks if number >= given]

    @cached_property
    def covers_of(self) -> dict[int, list[int]]:
        """For each candidate, the indices of the cover sets that contain it."""
        covers_of: dict[int, list[int]] = {bit: [] for bit in self.candidates}
        for index, cover in enumerate(self.covers):
            for bit in bits(cover.mask):
                covers_of[bit].append(index)
        return covers_of

    @cached_property
    def peers(self) -> dict[int, int]:
        """For each candidate, the mask of candidates that share a cover set with it."""
        peers = dict.fromkeys(self.candidates, 0)
        for cover in (*self.covers, *self.hidden_sets):
            for bit in bits(cover.mask):
                peers[bit] |= cover.mask
        return {bit: mask & ~(1 << bit) for bit, mask in peers.items()}

    @cached_property
    def excluded_pairs(self) -> dict[tuple[int, int], int]:
        """For pairs of shown candidates, the number of a binary constraint that excludes the pair.

        The lower candidate comes first. Constraints with more than ``MAX_VALUE_PAIRS`` pairs of values are left out.
        """
        excluded: dict[tuple[int, int], int] = {}
        for number, propagator in self.program.propagators.items():
            if len(propagator.scope) != 2:
                continue
            x, y = self.program.incidence.scopes[number]
            if not (self.domain_masks[x] & self.shown and self.domain_masks[y] & self.shown):
                continue
            domains = self.program.layout.domains[x], self.program.layout.domains[y]
            if len(domains[0]) * len(domains[1]) > MAX_VALUE_PAIRS:
                continue
            for (i, a), (j, b) in product(enumerate(domains[0]), enumerate(domains[1])):
                if not propagator.constraint.check({propagator.scope[0]: a, propagator.scope[1]: b}):
                    low, high = sorted((self.first[x] + i, self.first[y] + j))
                    excluded.setdefault((low, high), number)
        return excluded

    @cached_property
    def sees(self) -> dict[int, int]:
        """For each candidate, the mask of the candidates that cannot hold together with it."""
        sees = dict(self.peers)
        for low, high in self.excluded_pairs:
            sees[low] |= 1 << high
            sees[high] |= 1 << low
        return sees

    @cached_property
    def exchangeable(self) -> int:
        """The mask of shown candidates that only plain all-different constraints (blocks) restrict.

        Uniqueness techniques exchange values of these variables: no other constraint, and no objective, must depend
        on them.
        """
        model = self.program.model
        numbers = self.program.layout.number
        exchangeable = self.shown
        for variable in model.objective.variables if model.objective else ():
            exchangeable &= ~self.domain_masks[numbers[variable]]
        blocks = {group.number for group in self.groups if group.is_block}
        for number, constraint in enumerate(self.constraints):
            if number not in self.program.ignored and number not in blocks:
                for variable in constraint.scope:
                    exchangeable &= ~self.domain_masks[self.program.layout.number[variable]]
        return exchangeable

    def seen_by_all(self, mask: int) -> int:
        """Return the candidates that every candidate of a mask excludes; all candidates for mask 0."""
        seen = self.all
        for bit in bits(mask):
            seen &= self.sees[bit]
        return seen

    def variables_of(self, mask: int) -> list[int]:
        """Return the numbers of the variables that have candidates in a mask."""
        return list(dict.fromkeys([self.owner[bit] for bit in bits(mask)]))

    def mask(self, state: Snapshot) -> int:
        """Convert an engine snapshot to a mask of live candidates."""
        return int(state & self.program.layout.plain_bits)

    def state(self, live: int) -> Snapshot:
        """Convert a mask of live candidates to an engine snapshot."""
        return self.program.kernel.without(self.program.layout.start, list(bits(self.all & ~live)))

    @cached_property
    def engine(self) -> Engine:
        """The engine that propagates the snapshots of this board."""
        return Engine(self.program)

    def start(self, givens: Mapping[str, Value] | None = None) -> int:
        """Return the candidates that remain after givens and the unary constraints of the model."""
        program = self.program
        state = program.layout.start
        for number, mask in program.unary_masks:
            if number < len(program.model.constraints):
                state = state & mask
        return self.mask(self.engine.add_givens(state, givens))

    def listed(self, mask: int) -> tuple[Candidate, ...]:
        """Return the candidates in a mask as pairs of variable and value."""
        return tuple([self.candidates[bit] for bit in bits(mask)])

    def mask_of(self, solution: Mapping[Any, Value]) -> int:
        """Return the candidates of a solution, as a mask."""
        return sum([1 << self.bit_of[variable, value] for variable, value in solution.items()])

    def place(self, group: int | None) -> str:
        """Return the name of a group's constraint, with its line in the spec."""
        assert group is not None
        return self.constraints[self.groups[group].number].place

    def name(self, cover: CoverSet) -> str:
        """Return the name of a cover set, such as ``3 in row 1``."""
        return str(cover.subject) if cover.group is None else f"{quoted(cover.subject)} in {self.place(cover.group)}"

    def assignment(self, bit: int) -> str:
        """Return a candidate as text: ``variable = value``."""
        variable, value = self.candidates[bit]
        return f"{variable} = {quoted(value)}"

    def variables_at(self, mask: int) -> tuple[Variable, ...]:
        """Return the ``Variable`` objects that have candidates in a mask, in order of their numbers."""
        return tuple([self.program.layout.variables[number] for number in self.variables_of(mask)])

    def cells(self, mask: int) -> str:
        """Return the names of a mask's variables as text, such as ``A, B and C``."""
        return join_words([str(variable) for variable in self.variables_at(mask)])

    def values(self, mask: int) -> str:
        """Return the values in a mask as text, each once, separated by commas."""
        return listed(dict.fromkeys([self.candidates[bit][1] for bit in bits(mask)]))

    def describe(self, mask: int) -> str:
        """Return the candidates of a mask as text, such as ``3 in A or B``."""
        candidates = self.listed(mask)
        if len(candidates) == 1:
            return self.assignment(next(bits(mask)))
        if len({value for _, value in candidates}) == 1:
            return f"{quoted(candidates[0][1])} in {join_words([str(variable) for variable, _ in candidates], 'or')}"
        if len({variable for variable, _ in candidates}) == 1:
            return f"{candidates[0][0]} is {join_words([quoted(value) for _, value in candidates], 'or')}"
        return join_words([f"{variable} = {quoted(value)}" for variable, value in candidates], "or")

    def describe_removal(self, mask: int) -> str:
        """Return removed candidates as text, such as ``1 from A, B``."""
        return show_removed(self.listed(mask))


def join_words(words: Iterable[str], last: str = "and") -> str:
    """Join words by commas, with a conjunction before the last word.

    Examples
    --------
    >>> join_words(["A", "B", "C"]), join_words(["A"])
    ('A, B and C', 'A')
    """
    *first_words, last_word = words
    return f"{', '.join(first_words)} {last} {last_word}" if first_words else last_word


class Link(NamedTuple):
    """A strong or weak link between two nodes (sets of candidates) of a pattern.

    Attributes
    ----------
    start, end : int
        The nodes, as masks.
    strong : bool
        Strong: at least one node holds. Weak: at most one node holds.
    number : int or None
        The constraint that the link follows from; None if it follows from a variable having one value.
    """

    start: int
    end: int
    strong: bool
    number: int | None


class Outline(NamedTuple):
    """A set of candidates that the picture of a step outlines.

    Attributes
    ----------
    role : str
        The part that the set has in the pattern, such as ``base`` or ``fin``.
    mask : int
    line : str
        The name of the cover set or constraint that the candidates belong to, or empty.
    """

    role: str
    mask: int
    line: str


@dataclass(slots=True)
class Deduction:
    """The conclusion of a technique, candidates to place or remove, with its reason.

    Attributes
    ----------
    text : str
        The reason, in words.
    placed, removed : int
        The conclusion: candidates that hold, or candidates that do not.
    pattern : int
        The candidates that the reason names.
    constraints : tuple of int
        The numbers of the constraints that the reason uses.
    absent : int
        The removed candidates that the reason depends on; set only by techniques that suppositions use.
    live : int
        The candidates that remain, if the sentence may name these instead of the removed ones.
    inside : tuple of (str, Deduction)
        The steps of a supposition, each with the name of its technique.
    depth : int
        The number of nested suppositions; 0 for a step without suppositions.
    nodes : mapping from int to bool
        For every node, as a mask, whether it is on. If empty, the candidates of the pattern are on.
    links : tuple of Link
        The links between the nodes.
    sets : tuple of Outline
    cases : tuple of int
        The numbers of the shown variables whose values the reason tries.
    is_searched : bool
        Whether the reason is a search that tries all values of the other cells.
    names_places : bool
        Whether the pattern has the places of some values, and not the values of some variables.
    sums : tuple of tuples of int
        The sets of values that a sum leaves its variables, if the text lists them.
    """

    text: str
    placed: int = 0
    removed: int = 0
    pattern: int = 0
    constraints: tuple[int, ...] = ()
    absent: int = 0
    live: int = 0
    inside: tuple[tuple[str, Deduction], ...] = ()
    depth: int = 0
    nodes: Mapping[int, bool] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    sets: tuple[Outline, ...] = ()
    cases: tuple[int, ...] = ()
    is_searched: bool = False
    names_places: bool = False
    sums: tuple[tuple[int, ...], ...] = ()


class Clash(Frozen):
    """The reason why the candidates of a ``View`` contain no solution.

    Attributes
    ----------
    text : str
        The reason, in words.
    absent : int
        The removed candidates that the reason depends on.
    number : int or None
        The constraint that cannot hold; None for a variable without candidates.
    """

    text: str
    absent: int
    number: int | None = None


class View:
    """The remaining and the placed candidates at one point of a solution path.

    Parameters
    ----------
    board : Board
    live : int
        The remaining candidates.
    placed : int
        The live candidates that the path has placed; all their peers are removed.
    givens : int
        The candidates that the puzzle gives.
    is_unique : bool
        Whether it is proved that there is one solution, including the variables that are not shown.
    progress : function, optional
        Progress callback: called often with the effort of suppositions so far.

    Attributes
    ----------
    clash : Clash or None
        Set by a technique that discovers that a constraint cannot hold.
    limits : list of str
        The limits that ended the search of a technique, in words.
    """

    def __init__(
        self,
        board: Board,
        live: int,
        placed: int = 0,
        givens: int = 0,
        is_unique: bool = False,
        progress: Progress | None = None,
    ) -> None:
        self.board = board
        self.live = live
        self.placed = placed
        self.givens = givens
        self.is_unique = is_unique
        self.progress = progress
        self.clash: Clash | None = None
        self.limits: list[str] = []
        self._computed: dict[str, Any] = {}

    @classmethod
    def at_start(cls, board: Board, live: int, is_unique: bool = False, progress: Progress | None = None) -> View:
        """Return a path's first view, with variables of one candidate placed as givens.

        If two givens exclude each other, the view has a clash.
        """
        view = cls(board, live, 0, 0, is_unique, progress)
        for mask in board.domain_masks:
            candidates = view.live & mask
            if candidates and not candidates & (candidates - 1):
                view.givens |= candidates
        # A given that an earlier given has removed contradicts it: keep the first clash.
        clash = None
        for bit in bits(view.givens):
            if view.live >> bit & 1:
                view = view.with_placed(bit)
            else:
                clash = clash or _clash_of_givens(board, bit, view.placed)
        view.clash = clash
        return view

    def with_live(self, live: int) -> View:
        """Return a copy of this view with ``live`` as its live candidates."""
        return View(self.board, live, self.placed, self.givens, self.is_unique, self.progress)

    def with_placed(self, bit: int) -> View:
        """Return a copy of this view with a candidate placed and its peers removed."""
        view = self.with_live(self.live & ~self.board.peers[bit])
        view.placed |= 1 << bit
        return view

    def after(self, deduction: Deduction) -> View:
        """Return the view after a deduction has removed and placed its candidates."""
        view = self.with_live(self.live & ~deduction.removed)
        for bit in bits(deduction.placed):
            view = view.with_placed(bit)
        return view

    @cached_property
    def unplaced(self) -> int:
        """The mask of the remaining candidates that are not placed."""
        return self.live & ~self.placed

    @property
    def is_solved(self) -> bool:
        """Whether every variable has a placed candidate."""
        return not self.unplaced and self.placed.bit_count() == len(self.board.domain_masks)

    @cached_property
    def cells(self) -> list[int]:
        """For each variable, the mask of its live candidates."""
        live = self.live
        return [live & mask for mask in self.board.domain_masks]

    @cached_property
    def unplaced_sets(self) -> list[tuple[CoverSet, int]]:
        """The exactly-one sets without a placed candidate, with their live candidates."""
        live, placed = self.live, self.placed
        return [(cover, live & cover.mask) for cover in self.board.exactly_one_sets if not cover.mask & placed]

    @cached_property
    def covers(self) -> list[int]:
        """For each cover set (at most one candidate holds), its live candidates as a mask."""
        live = self.live
        return [live & cover.mask for cover in self.board.covers]

    def value_masks(self, group: int) -> list[tuple[int, int]]:
        """Return the unplaced variables of a group, each with the mask of its values.

        Variables without candidates are left out. Bit i of the values is the value of place i of the group.
        """
        board_group = self.board.groups[group]
        masks = []
        for variable in board_group.variables:
            domain = self.cells[variable]
            if domain & self.placed or not domain:
                continue
            if board_group.is_block:
                masks.append((variable, domain >> self.board.first[variable]))
            else:
                masks.append((variable, sum({1 << board_group.place_of[bit] for bit in bits(domain)})))
        return masks

    def conflict(self) -> Clash | None:
        """Return a ``Clash`` for an exactly-one set without live candidates, or None."""
        live = self.live
        for cover in (*self.board.exactly_one_sets, *self.board.hidden_sets):
            if not live & cover.mask:
                if cover.group is None:
                    return Clash(f"nothing is left for {cover.subject}", cover.mask)
                number = self.board.groups[cover.group].number
                return Clash(f"nothing is left for {self.board.name(cover)}", cover.mask, number)
        return None

    def compute_once(self, key: str, compute: Callable[[], T]) -> T:
        """Return ``compute()``; compute it only at the first call with this key."""
        if key not in self._computed:
            self._computed[key] = compute()
        table: T = self._computed[key]
        return table


def last_candidates(view: View, removed: int) -> int:
    """Return the candidates that are alone in their variables after ``removed`` are gone.

    Only variables that lose candidates are considered.
    """
    last = 0
    for variable in view.board.variables_of(removed & view.live):
        remaining = view.cells[variable] & ~removed
        last |= remaining if not remaining & (remaining - 1) else 0
    return last


def place_opposites(view: View, deduction: Deduction) -> Deduction:
    """Place the other value of each variable of two values that loses one.

    Returns the deduction. In a variable with the values 0 and 1, "not 0" and "1" are the same fact.
    """
    board = view.board
    for variable in board.variables_of(deduction.removed & view.live):
        domain = board.domain_masks[variable]
        if domain.bit_count() == 2:
            deduction.placed |= last_candidates(view, deduction.removed & domain)
    return deduction


def _clash_of_givens(board: Board, bit: int, placed: int) -> Clash:
    """Return the ``Clash`` of a given with a placed given that excludes it."""
    cover = next(board.covers[i] for i in board.covers_of[bit] if board.covers[i].mask & placed)
    excluding_bit = next(bits(cover.mask & placed))
    text = f"{board.assignment(excluding_bit)} and {board.assignment(bit)} exclude each other"
    if cover.group is None:
        return Clash(text, cover.mask)
    return Clash(f"{text} by {board.place(cover.group)}", cover.mask, board.groups[cover.group].number)
