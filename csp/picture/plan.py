"""The plan of a picture: everything that is drawn and where, for each lens, made once from model and trace."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import Literal

from ..board.colours import paints
from ..board.signs import follows, unsaid
from ..model import Model, Variable
from .edges.bows import Box, between, bow, hull, outside
from .edges.edges import Curve, Edge, look, straight
from .edges.spokes import spokes_of
from .edges.threads import threads
from .layout.chips import Chip, chips, with_chip
from .layout.forms import short_name
from .layout.ink import marks, name_of
from .layout.layout import Layout, layout
from .lenses.clique import clique
from .lenses.factor import factor
from .lenses.grid import grid
from .lenses.lens import Drawing, Lens
from .marks import Mark, Point

LensName = Literal["grid", "clique", "factor"]


class Plan:
    """What every picture of a trace shows, and where.

    Parameters
    ----------
    model : Model
        That of the trace, whose numbers of constraints everything has.
    origins : sequence of sequences of int, optional
        Those of the trace.
    crowded : bool, optional
        As for ``layout``.

    Attributes
    ----------
    layout : Layout
        Where the vertices stand, and what they look like.
    hidden : frozenset of int
        The constraints that no line of the spec says, which show only at work; then what they come from is lit.
    implied : frozenset of int
        The constraints that were made of others.
    marks : tuple of Mark
        What is printed: regions, cages, clues, signs, headers.
    chips : mapping of int to Chip
        The vertices of constraints.
    names : mapping of Variable to str
        What is written on each vertex.
    pieces : mapping of Variable to str
        What stands in the places of their values, in a table.
    bare : frozenset of Variable
        Those that let show through what lies under them.
    paints : mapping of int or str to str
        The colours of values, for a map.
    given : frozenset of Variable
        Those whose value the spec tells.
    lens : {"grid", "clique", "factor"}
        The one that is shown unless another is asked for.

    Examples
    --------
    >>> plan = Plan(Model({"A": (1, 2), "B": (1, 2)}))
    >>> plan.lens, plan.names["A"], plan.marks
    ('clique', 'A', ())
    """

    def __init__(self, model: Model, origins: Sequence[Sequence[int]] = (), crowded: bool | None = None) -> None:
        self.model = model
        self.origins = origins
        self.hidden = unsaid(model, origins)
        self.implied = follows(origins)
        self.layout: Layout = layout(model, crowded, self.hidden)
        self.marks: tuple[Mark, ...] = tuple(marks(model, self.layout))
        numbers = with_chip(model, self.layout, self.hidden)
        self.chips: Mapping[int, Chip] = {chip.number: chip for chip in chips(model, self.layout, numbers)}
        self.names = {v: name_of(v, self.layout) for v in model.domains}
        self.pieces = {
            v: short_name(v) for board in self.layout.boards if board.kind == "table" for v in board.variables
        }
        self.bare = frozenset(_over(self.marks, self.layout))
        self.paints = {} if self.layout.puzzles or self.layout.boards else paints(model)
        self.given = frozenset(_given(model))
        self.lens: LensName = "grid" if any(map(self.layout.is_close, model.domains)) else "clique"

    def through(self, name: LensName) -> Lens:
        """What a lens shows besides."""
        return self._lenses[name]

    @cached_property
    def _lenses(self) -> dict[LensName, Lens]:
        drawing = Drawing(self.model, self.layout, self.hidden, self.chips)
        return {"grid": grid(drawing), "clique": clique(drawing), "factor": factor(drawing)}

    @cached_property
    def printed(self) -> frozenset[int]:
        """The constraints for which a mark stands."""
        return frozenset(number for mark in self.marks for number in mark.constraints)

    def seen(self, name: LensName) -> frozenset[int]:
        """The constraints that a lens always shows."""
        lens = self.through(name)
        edges = {number for edge in lens.edges for number in edge.constraints}
        return self.printed.union(edges, (number for number in lens.chips if not self.chips[number].quiet))

    def unseen(self, name: LensName) -> int:
        """How many constraints on several variables show only at work."""
        seen = self.seen(name)
        return sum(n not in seen and len(c.scope) > 1 for n, c in enumerate(self.model.constraints))

    def lit(self, name: LensName, numbers: Collection[int]) -> set[int]:
        """The constraints at work, and for those that have no picture of their own what they come from."""
        seen, found = self.seen(name), set(numbers)
        for number in numbers:
            if number not in seen and number not in self.chips and number < len(self.origins):
                found.update(self.origins[number])
        return found

    def acting(self, name: LensName, number: int, causes: Collection[Variable]) -> list[Edge]:
        """What joins the variables of a constraint at work that has no edges of its own.

        Parameters
        ----------
        name : {"grid", "clique", "factor"}
        number : int
            Of the constraint.
        causes : collection of Variable
            The vertices that are the reason.

        Returns
        -------
        list of Edge
        """
        lens, constraint, points = self.through(name), self.model.constraints[number], self.layout.points
        drawn = any(number in edge.constraints for edge in lens.edges)
        scope, kind, own = constraint.scope, look(constraint), (number,)
        if drawn or (number in self.printed and len(scope) == 2):
            return []
        if not self.layout.shows_no_edges(scope):
            if number in lens.chips:
                return list(spokes_of(self.model, self.layout, self.chips[number]))
            pairs = combinations(scope, 2) if name != "grid" or len(scope) == 2 else ()
            return [Edge(one, other, straight(points[one], points[other]), kind, own) for one, other in pairs]
        if len(scope) == 2:
            one, other = scope
            return [Edge(one, other, between(self._box(one), self._box(other)), kind, own)]
        if lens.acting == "bows":
            rest = [v for v in scope if v not in causes]
            return [
                Edge(cause, v, self._bow(cause, v), kind, own)
                for cause in scope if cause in causes for v in rest
            ]  # fmt: skip
        if lens.acting == "threads":
            (ends, links), chip = self.threads(number), self.chips.get(number)
            start = outside(chip.point, chip.size) if chip else None
            ways: list[tuple[str, Variable, Curve]] = []
            ways += [(f"group {number}", v, between(start, self._box(v))) for v in ends if start]
            ways += [(one, other, between(self._box(one), self._box(other))) for one, other in links]
            return [Edge(*way, kind, own) for way in ways]
        return []

    def around(self, name: LensName, variable: Variable) -> list[Edge]:
        """The edges of a vertex that a lens shows where no constraint is at work."""
        constraints = self.model.constraints
        own = [number for number in self.through(name).near if variable in constraints[number].scope]
        others = dict.fromkeys(v for number in own for v in constraints[number].scope if v != variable)
        return [Edge(variable, v, self._bow(variable, v), "plain", ()) for v in others]

    def _box(self, variable: Variable) -> Box:
        return self.layout.points[variable], self.layout.size(variable)

    def _bow(self, one: Variable, other: Variable) -> Curve:
        return bow(self._box(one), self._box(other), self._hull)

    @cached_property
    def _hull(self) -> tuple[Point, Point]:
        return hull(map(self._box, self.layout.points))

    def threads(self, number: int) -> tuple[list[Variable], list[tuple[Variable, Variable]]]:
        """How a constraint on a crowded grid runs through its cells."""
        chip = self.chips.get(number)
        return threads(self.model.constraints[number].scope, chip.point if chip else None, self.layout)


def _over(marks: Sequence[Mark], picture: Layout) -> Iterator[Variable]:
    """The vertices under which something lies."""
    under = [mark.points[0] for mark in marks if mark.is_under and mark.shape != "line"]
    for v, (x, y) in picture.points.items() if under else ():
        wide, high = picture.size(v)
        if any(abs(p - x) < wide / 2 and abs(q - y) < high / 2 for p, q in under):
            yield v


def _given(model: Model) -> list[Variable]:
    found = [v for v, domain in model.domains.items() if len(domain) == 1]
    for constraint in model.constraints:
        if constraint.given:
            found.append(constraint.given[0])
    return found
