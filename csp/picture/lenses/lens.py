"""What a lens is, and what it is given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property

from ...base.frozen import Frozen
from ...model import Model, Variable
from ..edges.bows import Box, between, bow, hull, outside
from ..edges.edges import Curve, Edge, look
from ..edges.threads import threads
from ..layout.layout import Placement
from ..layout.nodes import ConstraintNode
from ..shapes import Point, Shape


class Drawing(Frozen):
    """What a lens is given: what there is to be joined, and ways to join cells that stand close.

    Attributes
    ----------
    model : Model
    layout : Placement
    hidden : frozenset of int
        The numbers of constraints that show only at work.
    chips : mapping of int to ConstraintNode
        All that can be, by the numbers of their constraints.
    """

    model: Model
    layout: Placement
    hidden: Collection[int]
    constraint_nodes: Mapping[int, ConstraintNode]

    def bow(self, one: Variable, other: Variable) -> Curve:
        """A bow from one cell to another."""
        return bow(self.box(one), self.box(other), self._hull)

    def bows(self, number: int) -> list[Edge]:
        """From each variable of a constraint to each other."""
        scope, kind = self.model.constraints[number].scope, look(self.model.constraints[number])
        return [Edge(v, w, self.bow(v, w), kind, (number,)) for v in scope for w in scope if v != w]

    def threads(self, number: int) -> list[Edge]:
        """From the vertex of a constraint, if it has one, as a line through its cells."""
        constraint, chip = self.model.constraints[number], self.constraint_nodes.get(number)
        ends, links = threads(constraint.scope, chip.point if chip else None, self.layout)
        start = outside(chip.point, chip.size) if chip else None
        ways: list[tuple[str, Variable, Curve]] = []
        ways += [(f"group {number}", v, between(start, self.box(v))) for v in ends if start]
        ways += [(one, other, between(self.box(one), self.box(other))) for one, other in links]
        return [Edge(*way, look(constraint), (number,)) for way in ways]

    def box(self, variable: Variable) -> Box:
        """The middle and the size of a vertex."""
        return self.layout.points[variable], self.layout.size(variable)

    @cached_property
    def _hull(self) -> tuple[Point, Point]:
        return hull(map(self.box, self.layout.points))


def nothing(number: int) -> Sequence[Edge]:
    """What joins no cells."""
    return ()


class Lens(Frozen):
    """What a lens shows besides vertices and marks.

    Attributes
    ----------
    chips : tuple of int
        The constraints that are vertices.
    edges : tuple of Edge
    texts : tuple of Shape
        At the edges.
    near : tuple of int
        The constraints of which the edges of one vertex show where none is at work.
    joined : callable
        From the number of a constraint to what joins three or more cells that stand close while it is at work.
    causal : bool
        Whether of these only those show that lead from a cause to what is none.
    """

    drawn_constraints: tuple[int, ...] = ()
    edges: tuple[Edge, ...] = ()
    texts: tuple[Shape, ...] = ()
    near: tuple[int, ...] = ()
    joined: Callable[[int], Sequence[Edge]] = nothing
    causal: bool = False


class LensChoice(Frozen):
    """A lens to choose; the first letter of its name is its key in the player.

    Attributes
    ----------
    title : str
        What stands on its button.
    draw : callable
        From a ``Drawing`` to a ``Lens``.
    """

    title: str
    draw: Callable[[Drawing], Lens]
