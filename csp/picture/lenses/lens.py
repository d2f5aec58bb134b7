"""The data types of lenses: their input, result and table entry."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import field
from itertools import combinations

from ...base.frozen import Frozen
from ...model import Model, Variable
from ..edges import Box, Curve, Edge, between, look, outside, shortest_joins, straight
from ..layout.layout import Placement
from ..layout.nodes import ConstraintNode
from ..lines.spines import joined_cells
from ..lines.wires import Anchor
from ..shapes import Shape


class Drawing(Frozen):
    """The input of a lens (a way to draw constraints): model, layout, constraint nodes.

    Attributes
    ----------
    model : Model
    layout : Placement
    hidden : frozenset of int
        The numbers of constraints that are drawn only when active.
    constraint_nodes : mapping of int to ConstraintNode
        The nodes of all constraints that can have one, by number.
    clues : mapping of int to Box
        The places of clues beside the cells of their constraints, by number.
    """

    model: Model
    layout: Placement
    hidden: Collection[int]
    constraint_nodes: Mapping[int, ConstraintNode]
    clues: Mapping[int, Box] = field(default_factory=dict)

    def pairs(self, number: int) -> list[Edge]:
        """Return a straight edge for each pair of a constraint's variables.

        The result is empty if all their vertices are too close for edges.
        """
        scope, kind = self.model.constraints[number].scope, look(self.model.constraints[number])
        if self.layout.shows_no_edges(scope):
            return []
        points = self.layout.points
        return [Edge(v, w, straight(points[v], points[w]), kind, (number,)) for v, w in combinations(scope, 2)]

    def threads(self, number: int) -> list[Edge]:
        """Return edges that connect the cells of a constraint by shortest lines.

        They start at the constraint node, if there is one. If the cells have space between them, each pair is joined
        instead.
        """
        if not self.layout.shows_no_edges(self.model.constraints[number].scope):
            return self.pairs(number)
        constraint, node = self.model.constraints[number], self.constraint_nodes.get(number)
        node = None if node and node.is_tab else node  # a tab touches its cells
        ends, links = shortest_joins(constraint.scope, node.point if node else None, self.layout)
        start = outside(node.point, node.size) if node else None
        parts: list[tuple[str, Variable, Curve]] = []
        parts += [(f"group {number}", v, between(start, self.box(v))) for v in ends if start]
        parts += [(first, second, between(self.box(first), self.box(second))) for first, second in links]
        return [Edge(*part, look(constraint), (number,)) for part in parts]

    def is_on_grid(self, number: int) -> bool:
        """Return whether all variables of a constraint are cells of a crowded grid."""
        scope = self.model.constraints[number].scope
        return self.layout.crowded and all(map(self.layout.is_cell, scope))

    def outlined(self) -> tuple[int, ...]:
        """Return the stated constraints whose cells a sign, box or border joins."""
        groups = [area.cells for puzzle in self.layout.puzzles for area in puzzle.areas.boxes]
        groups += [group for board in self.layout.boards if board.kind == "table" for _, group in board.groups]
        joined = joined_cells(self.layout).union(map(frozenset, groups))
        stated = (number for number in range(len(self.model.constraints)) if number not in self.hidden)
        return tuple(number for number in stated if frozenset(self.model.constraints[number].scope) in joined)

    def box(self, variable: Variable) -> Box:
        """Return the middle and the size of a variable's vertex."""
        return self.layout.points[variable], self.layout.size(variable)


def nothing(number: int) -> Sequence[Edge]:
    """Return no edges, as the default of ``Lens.joined``."""
    return ()


class Lens(Frozen):
    """The edges, constraint nodes and texts that a way to draw constraints adds.

    Attributes
    ----------
    drawn_constraints : tuple of int
        The numbers of the constraints that are drawn as nodes.
    edges : tuple of Edge
        The edges that are always drawn.
    printed : tuple of Shape
        Spines, and texts at the edges.
    joined : callable
        Maps the number of a constraint at work without a node to the edges that join its variables, if there are three
        or more.
    outlined : tuple of int
        The numbers of the constraints whose cells a sign, a cage, a box, or the border of a region or table joins.
    wired : mapping of int to Anchor
        The places where wires to removed values begin, by number.
    """

    drawn_constraints: tuple[int, ...] = ()
    edges: tuple[Edge, ...] = ()
    printed: tuple[Shape, ...] = ()
    joined: Callable[[int], Sequence[Edge]] = nothing
    outlined: tuple[int, ...] = ()
    wired: Mapping[int, Anchor] = field(default_factory=dict)


class LensChoice(Frozen):
    """A table entry of a way to draw constraints: its title and its function.

    The first letter of its name is its key in the player.

    Attributes
    ----------
    title : str
        The text of its button.
    draw : callable
        Maps a ``Drawing`` to a ``Lens``.
    """

    title: str
    draw: Callable[[Drawing], Lens]
