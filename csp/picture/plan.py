"""The plan of a picture: everything that is drawn and where, for each lens, made once from model and trace."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import combinations

from ..board.colours import map_colours
from ..board.signs import implied_constraints, unstated_constraints
from ..board.strips import short_name
from ..model import Candidate, Model, Variable
from .edges.bows import between
from .edges.edges import Edge, look, straight
from .edges.spokes import spokes_of
from .layout.layout import Placement, layout
from .layout.nodes import ConstraintNode, chips, constraints_with_node
from .layout.printed import marks, names
from .lenses import lens_of
from .lenses.lens import Drawing, Lens, nothing
from .moving import Moving
from .scene import Scene
from .shapes import UNDER, Point, Shape


class Plan:
    """What every picture of a trace shows, and where.

    Attributes
    ----------
    layout : Placement
        Where the vertices stand, and what they look like.
    hidden : frozenset of int
        The constraints that no line of the spec says, which show only at work; then what they come from is lit.
    implied : frozenset of int
        The constraints that were made of others.
    marks : tuple of Shape
        What is printed: regions, cages, clues, signs, headers.
    chips : mapping of int to ConstraintNode
        The vertices of constraints.
    names : mapping of Variable to str
        What is written on each vertex.
    pieces : mapping of Variable to str
        What stands in the places of their values, in a table.
    bare : frozenset of Variable
        Those that let show through what lies under them.
    away : frozenset of Variable
        Those that are not drawn.
    moving : Moving
        What is drawn once variables are settled.
    paints : mapping of int or str to str
        The colours of values, for a map.
    given : mapping of Variable to int or str
        The values that the spec tells.
    lens : str
        The one that is shown unless another is asked for.

    Examples
    --------
    >>> plan = Plan(Model({"A": (1, 2), "B": (1, 2)}))
    >>> plan.lens, plan.names["A"], plan.shapes
    ('clique', 'A', ())
    """

    def __init__(self, model: Model, origins: Sequence[Sequence[int]] = (), crowded: bool | None = None) -> None:
        self.model = model
        self.origins = origins
        self.hidden = unstated_constraints(model, origins)
        self.implied = implied_constraints(origins)
        self.layout: Placement = layout(model, crowded, self.hidden)
        self.shapes = tuple(sorted(marks(model, self.layout), key=lambda shape: shape.layer))
        numbers = constraints_with_node(model, self.layout, self.hidden)
        self.constraint_nodes: Mapping[int, ConstraintNode] = {
            chip.number: chip for chip in chips(model, self.layout, numbers)
        }
        self.given = dict(_given(model))
        self.moving = Moving(model, self.layout, self.given)
        self.away = frozenset(v for v, form in self.layout.forms.items() if form.kind == "folded")
        self.names = names(model, self.layout)
        self.pieces = {
            v: short_name(v) for board in self.layout.boards if board.kind == "table" for v in board.variables
        }
        self.bare = frozenset(_over(self.shapes, self.layout)) | self.moving.under
        self.paints = {} if self.layout.puzzles or self.layout.boards else map_colours(model)
        self.drawing = Drawing(model, self.layout, self.hidden, self.constraint_nodes)
        self._lenses: dict[str, Lens] = {}
        self.lens = "grid" if any(map(self.layout.is_close, model.domains)) else "clique"

    def through(self, name: str) -> Lens:
        """What a lens shows besides."""
        if name not in self._lenses:
            lens = lens_of(name).draw(self.drawing)
            self._lenses[name] = replace(lens, edges=tuple(filter(self._is_seen, lens.edges)))
        return self._lenses[name]

    def _is_seen(self, edge: Edge) -> bool:
        """Whether both ends of an edge are drawn."""
        return not any(v in self.away for v in (edge.one, edge.other))

    @cached_property
    def visible(self) -> frozenset[Variable]:
        """The variables that are not folded away."""
        return frozenset(v for v, form in self.layout.forms.items() if min(form.size) > 0)

    def failing(self, scene: Scene) -> Scene:
        """A scene whose failure is seen: if none of its vertices is drawn, on those that constraints tie to them."""
        away = {v for v in scene.failed if v not in self.visible}
        if scene.failure is None or len(away) < len(scene.failed):
            return scene
        constraints = (c for n, c in enumerate(self.model.constraints) if n != scene.failure.number)
        tied = dict.fromkeys(v for c in constraints if not away.isdisjoint(c.scope) for v in c.scope)
        return replace(scene, failed=tuple(v for v in tied if v in self.visible))

    @cached_property
    def printed(self) -> frozenset[int]:
        """The constraints for which a mark stands."""
        return frozenset(number for shape in self.shapes for number in shape.constraints)

    def seen(self, name: str) -> frozenset[int]:
        """The constraints that a lens always shows."""
        lens = self.through(name)
        edges = {number for edge in lens.edges for number in edge.constraints}
        return self.printed.union(
            edges, (number for number in lens.drawn_constraints if not self.constraint_nodes[number].quiet)
        )

    def unseen(self, name: str) -> int:
        """How many constraints on several variables show only at work."""
        seen = self.seen(name)
        return sum(n not in seen and len(c.scope) > 1 for n, c in enumerate(self.model.constraints))

    def lit(self, name: str, numbers: Collection[int]) -> set[int]:
        """The constraints at work, and for those that have no picture of their own what they come from."""
        seen, found = self.seen(name), set(numbers)
        for number in numbers:
            if number not in seen and number not in self.constraint_nodes and number < len(self.origins):
                found.update(self.origins[number])
        return found

    def joins(self, name: str, number: int) -> Sequence[Edge]:
        """All that can join the variables of a constraint at work that has no edges of its own."""
        return list(filter(self._is_seen, self._joins(name, number)))

    def _joins(self, name: str, number: int) -> Sequence[Edge]:
        lens, constraint, points = self.through(name), self.model.constraints[number], self.layout.points
        scope, kind = constraint.scope, look(constraint)
        if len(scope) < 2 or self.layout.on_board(scope) or any(number in edge.constraints for edge in lens.edges):
            return ()
        if len(scope) == 2 and number in self.printed:
            return ()
        if self.layout.shows_no_edges(scope):
            if len(scope) != 2:
                return lens.joined(number)
            one, other = scope
            return [Edge(one, other, between(self.drawing.box(one), self.drawing.box(other)), kind, (number,))]
        if number in lens.drawn_constraints:
            return list(spokes_of(self.model, self.layout, self.constraint_nodes[number]))
        pairs = combinations(scope, 2) if len(scope) == 2 or lens.joined is not nothing else ()
        return [Edge(one, other, straight(points[one], points[other]), kind, (number,)) for one, other in pairs]

    def is_causal(self, name: str, number: int) -> bool:
        """Whether of these only what leads from a cause to what is none shows."""
        is_wide = len(self.model.constraints[number].scope) > 2
        is_bow = is_wide and self.is_close(number) and not self.layout.on_board(self.model.constraints[number].scope)
        return self.through(name).causal and is_bow

    def is_close(self, number: int) -> bool:
        """Whether edges between the variables of a constraint would lie on others."""
        return self.layout.shows_no_edges(self.model.constraints[number].scope)

    def acting(self, name: str, number: int, causes: Collection[Variable]) -> list[Edge]:
        """What joins the variables of a constraint at work, of which some are the reason."""
        edges, causal = self.joins(name, number), self.is_causal(name, number)
        return [edge for edge in edges if not causal or (edge.one in causes and edge.other not in causes)]

    def on_board(self, name: str, one: Candidate, removed: Iterable[Candidate]) -> Iterator[Edge]:
        """On a board, from the place of a value to those that it takes; none where a lens shows the state alone."""
        if self.through(name).joined is nothing or not self._is_square(one[0]):
            return
        for other in removed:
            if other[0] != one[0] and self._is_square(other[0]):
                yield Edge(
                    one[0], other[0], straight(self.layout.square(*one), self.layout.square(*other)), "plain", ()
                )

    def _is_square(self, v: Variable) -> bool:
        return self.layout.on_board((v,)) and v not in self.pieces

    def around(self, name: str, variable: Variable) -> list[Edge]:
        """The edges of a vertex that a lens shows where no constraint is at work."""
        constraints = self.model.constraints
        own = [number for number in self.through(name).near if variable in constraints[number].scope]
        others = dict.fromkeys(v for number in own for v in constraints[number].scope if v != variable)
        edges = (Edge(variable, v, self.drawing.bow(variable, v), "plain", ()) for v in others)
        return list(filter(self._is_seen, edges))


def _over(marks: Sequence[Shape], picture: Placement) -> Iterator[Variable]:
    """The vertices under which something lies."""
    under = [_halfway(shape) for shape in marks if shape.layer == UNDER]
    spots = [point for points in under for point in points]
    for v, (x, y) in picture.points.items() if spots else ():
        wide, high = picture.size(v)
        if any(abs(p - x) < wide / 2 and abs(q - y) < high / 2 for p, q in spots):
            yield v


def _halfway(shape: Shape) -> Sequence[Point]:
    """Where a mark is to be seen: its middle, or points along a line."""
    if shape.kind != "line":
        return shape.points[:1]
    return [] if shape.look in ("thread", "slash") else shape.points


def _given(model: Model) -> list[Candidate]:
    found = [(v, domain[0]) for v, domain in model.domains.items() if len(domain) == 1]
    return found + [one for one in (c.given for c in model.constraints) if one and one[1] in model.domains[one[0]]]
