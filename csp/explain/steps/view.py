"""Views: the candidates at one point of a solution path, and deductions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from ...base.frozen import Frozen
from ...engine.compiled.propagators.base import bits
from ...engine.effort import Progress
from .board import Board, CoverSet

T = TypeVar("T")


class Link(NamedTuple):
    """A strong or weak link of a pattern, between two nodes.

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
    """The result of a technique: candidates to place or remove, with the pattern.

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
    inside : tuple of (str, Deduction)
        The steps of a supposition, each with the name of its technique.
    depth : int
        The number of nested suppositions; 0 for a step without suppositions.
    nodes : mapping from int to bool
        For every node, as a mask, whether it is on. If empty, the candidates of the pattern are on.
    links : tuple of Link
        The links between the nodes.
    sets : tuple of Outline
    """

    text: str
    placed: int = 0
    removed: int = 0
    pattern: int = 0
    constraints: tuple[int, ...] = ()
    absent: int = 0
    inside: tuple[tuple[str, Deduction], ...] = ()
    depth: int = 0
    nodes: Mapping[int, bool] = field(default_factory=dict)
    links: tuple[Link, ...] = ()
    sets: tuple[Outline, ...] = ()


class Clash(Frozen):
    """A proof that a view has no solution.

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
    """The live and placed candidates at one point of a solution path.

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
        self._computed: dict[str, Any] = {}

    @classmethod
    def at_start(cls, board: Board, live: int, is_unique: bool = False, progress: Progress | None = None) -> View:
        """Return the first view of a solution path.

        Every variable with a single candidate is given, and is placed.
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
        """Return a copy of this view with other live candidates."""
        return View(self.board, live, self.placed, self.givens, self.is_unique, self.progress)

    def with_placed(self, bit: int) -> View:
        """Return a copy of this view with a candidate placed and its peers removed."""
        view = self.with_live(self.live & ~self.board.peers[bit])
        view.placed |= 1 << bit
        return view

    def after(self, deduction: Deduction) -> View:
        """Return the view after a deduction."""
        view = self.with_live(self.live & ~deduction.removed)
        for bit in bits(deduction.placed):
            view = view.with_placed(bit)
        return view

    @cached_property
    def unplaced(self) -> int:
        """The live candidates that are not placed."""
        return self.live & ~self.placed

    @property
    def is_solved(self) -> bool:
        """Whether every variable has a placed candidate."""
        return not self.unplaced and self.placed.bit_count() == len(self.board.domain_masks)

    @cached_property
    def cells(self) -> list[int]:
        """The live candidates of each variable, as a mask."""
        live = self.live
        return [live & mask for mask in self.board.domain_masks]

    @cached_property
    def unplaced_sets(self) -> list[tuple[CoverSet, int]]:
        """The exactly-one sets without a placed candidate, with their live candidates."""
        live, placed = self.live, self.placed
        return [(cover, live & cover.mask) for cover in self.board.exactly_one_sets if not cover.mask & placed]

    @cached_property
    def covers(self) -> list[int]:
        """The live candidates of each cover set of the board."""
        live = self.live
        return [live & cover.mask for cover in self.board.covers]

    def value_masks(self, group: int) -> list[tuple[int, int]]:
        """Return the unplaced variables of a group, with masks of their values.

        Bit i of the values is the value of place i of the group.
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
        """Return a clash if some exactly-one set has no live candidate.

        Returns None if each has a live candidate.
        """
        live = self.live
        for cover in self.board.exactly_one_sets:
            if not live & cover.mask:
                if cover.group is None:
                    return Clash(f"nothing is left for {cover.subject}", cover.mask)
                number = self.board.groups[cover.group].number
                return Clash(f"nothing is left for {self.board.name(cover)}", cover.mask, number)
        return None

    def compute_once(self, key: str, compute: Callable[[], T]) -> T:
        """Return a table about this view; compute it at the first call."""
        if key not in self._computed:
            self._computed[key] = compute()
        table: T = self._computed[key]
        return table


def _clash_of_givens(board: Board, bit: int, placed: int) -> Clash:
    """Describe the clash of two givens that exclude each other."""
    cover = next(board.covers[i] for i in board.covers_of[bit] if board.covers[i].mask & placed)
    excluding_bit = next(bits(cover.mask & placed))
    text = f"{board.assignment(excluding_bit)} and {board.assignment(bit)} exclude each other"
    if cover.group is None:
        return Clash(text, cover.mask)
    return Clash(f"{text} by {board.place(cover.group)}", cover.mask, board.groups[cover.group].number)
