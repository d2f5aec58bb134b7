"""A moment of a walk: what is still possible on a board, read-only, with what techniques have in common."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from ...engine.compiled.filters.base import bits
from ...engine.effort import Watch
from ...ground.frozen import Frozen
from .board import Board, BoardLine

T = TypeVar("T")


class Link(NamedTuple):
    """Two nodes of which at least one holds (strong) or at most one does (weak).

    Attributes
    ----------
    start, end : int
        The nodes, as masks.
    strong : bool
    number : int or None
        The constraint that says so; None where it is that a variable has one value.
    """

    start: int
    end: int
    strong: bool
    number: int | None


class Outline(NamedTuple):
    """Candidates that a picture outlines, what they are in the pattern, and the line or constraint they are of."""

    role: str
    mask: int
    line: str


@dataclass(slots=True)
class Deduction:
    """What a technique finds, in masks of the board.

    Attributes
    ----------
    text : str
        Why, in words.
    placed, removed : int
        What follows: candidates that hold, or others that do not.
    pattern : int
        The candidates that the reason names.
    constraints : tuple of int
        The numbers of the constraints that it uses.
    absent : int
        The candidates whose absence it uses; told by the techniques that suppositions are made of.
    inside : tuple of (str, Deduction)
        The steps of a supposition, each with its technique.
    depth : int
        How many suppositions are inside each other.
    nodes : mapping from int to bool
        For every node, as a mask, whether it is on; if none is told, the candidates of the pattern are on.
    links : tuple of Link
        Between nodes.
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
    """What has nothing left.

    Attributes
    ----------
    text : str
    absent : int
        The candidates whose absence it uses.
    number : int or None
        Of the constraint that cannot hold.
    """

    text: str
    absent: int
    number: int | None = None


class View:
    """What is still possible.

    Parameters
    ----------
    board : Board
    live : int
        The candidates that are left.
    placed : int
        Those of them that are written down: all their peers are gone.
    givens : int
        Those that the puzzle gives.
    is_unique : bool
        Whether it is proved that there is one solution, in the variables that are not shown, too.
    watch : function, optional
        Progress callback: called often with the effort of suppositions so far.

    Attributes
    ----------
    clash : Clash or None
        What a technique has found that cannot hold.
    """

    def __init__(
        self,
        board: Board,
        live: int,
        placed: int = 0,
        givens: int = 0,
        is_unique: bool = False,
        watch: Watch | None = None,
    ) -> None:
        self.board = board
        self.live = live
        self.placed = placed
        self.givens = givens
        self.is_unique = is_unique
        self.watch = watch
        self.clash: Clash | None = None
        self._kept: dict[str, Any] = {}

    @classmethod
    def begun(cls, board: Board, live: int, is_unique: bool = False, watch: Watch | None = None) -> View:
        """A view in which the variables with a single value are written down."""
        view = cls(board, live, 0, 0, is_unique, watch)
        for own in board.own:
            left = view.live & own
            if left and not left & (left - 1):
                view.givens |= left
        clash = None
        for bit in bits(view.givens):
            if view.live >> bit & 1:
                view = view.placing(bit)
            else:
                clash = clash or _clash(board, bit, view.placed)
        view.clash = clash
        return view

    def leaving(self, live: int) -> View:
        """The view with other candidates left."""
        return View(self.board, live, self.placed, self.givens, self.is_unique, self.watch)

    def placing(self, bit: int) -> View:
        """The view in which a candidate is written down."""
        view = self.leaving(self.live & ~self.board.peers[bit])
        view.placed |= 1 << bit
        return view

    def after(self, deduction: Deduction) -> View:
        """The view when a step has been made."""
        view = self.leaving(self.live & ~deduction.removed)
        for bit in bits(deduction.placed):
            view = view.placing(bit)
        return view

    @cached_property
    def open(self) -> int:
        """The candidates that are neither gone nor written down."""
        return self.live & ~self.placed

    @property
    def is_solved(self) -> bool:
        """Whether every variable is written down."""
        return not self.open and self.placed.bit_count() == len(self.board.own)

    @cached_property
    def cells(self) -> list[int]:
        """What is left to every variable."""
        live = self.live
        return [live & own for own in self.board.own]

    @cached_property
    def lines(self) -> list[tuple[BoardLine, int]]:
        """The tight lines that wait, with what is left of them."""
        live, placed = self.live, self.placed
        return [(line, live & line.mask) for line in self.board.lines if not line.mask & placed]

    @cached_property
    def covers(self) -> list[int]:
        """What is left of every cover."""
        live = self.live
        return [live & cover.mask for cover in self.board.covers]

    def fields(self, group: int) -> list[tuple[int, int]]:
        """The open variables of a group, each with its values as bits: bit i stands for place i."""
        own = self.board.groups[group]
        found = []
        for variable in own.variables:
            left = self.cells[variable]
            if left & self.placed or not left:
                continue
            if own.is_block:
                found.append((variable, left >> self.board.first[variable]))
            else:
                found.append((variable, sum({1 << own.place_of[bit] for bit in bits(left)})))
        return found

    def conflict(self) -> Clash | None:
        """A line with nothing left."""
        live = self.live
        for line in self.board.lines:
            if not live & line.mask:
                if line.group is None:
                    return Clash(f"nothing is left for {line.what}", line.mask)
                number = self.board.groups[line.group].number
                return Clash(f"nothing is left for {self.board.name(line)}", line.mask, number)
        return None

    def kept(self, key: str, make: Callable[[], T]) -> T:
        """What several techniques look at, made by the first that does."""
        if key not in self._kept:
            self._kept[key] = make()
        found: T = self._kept[key]
        return found


def _clash(board: Board, bit: int, placed: int) -> Clash:
    """A given that another one excludes."""
    cover = next(board.covers[i] for i in board.covers_of[bit] if board.covers[i].mask & placed)
    other = next(bits(cover.mask & placed))
    text = f"{board.holds(other)} and {board.holds(bit)} exclude each other"
    if cover.group is None:
        return Clash(text, cover.mask)
    return Clash(f"{text} by {board.place(cover.group)}", cover.mask, board.groups[cover.group].number)
