"""The plan of a picture: the common part of all pictures of a trace.

It is computed once for a model: layout, constraint nodes, printed shapes, and the content of each lens.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from math import dist

from ..base.notation import counted, quoted
from ..board.clues import implied_constraints, unstated_constraints
from ..board.omitted import omissions
from ..board.strips import short_name
from ..board.wording import Wording, find_wording, shorten_lists, show_acted
from ..model import Candidate, Constraint, Domain, Model, Value, Variable
from .edges import Box, Edge, between, look, node_spokes
from .helpers import Helpers, find_helpers
from .layout.clues import join_clues, rule_squares
from .layout.drawings import Moving
from .layout.failing import printed_places
from .layout.forms import CELL, LINES
from .layout.layout import Placement, layout
from .layout.nodes import ConstraintNode, constraints_with_node, place_constraint_nodes
from .layout.printed import printed_shapes, tuple_frames, vertex_names
from .layout.slots import find_slots
from .lenses import lens_of
from .lenses.lens import Drawing, Lens
from .lines.failures import Failures
from .lines.touched import Touched
from .scene import Scene, summary_caption
from .shapes import UNDER, Point, Shape
from .style import map_colours


class Plan:
    """The part that all pictures of a trace share: layout, printed shapes, constraint nodes.

    Attributes
    ----------
    layout : Placement
        The places of the vertices, and their forms.
    hidden : frozenset of int
        The constraints that no line of the spec states. They appear only at work, with their origins highlighted.
    implied : frozenset of int
        The constraints that the engine derived from others.
    shapes : tuple of Shape
        The printed shapes: regions, cages, clues, signs, headers.
    constraint_nodes : mapping of int to ConstraintNode
        The constraints that can be drawn as vertices, by number.
    names : mapping of Variable to str
        The text on each vertex; empty if its place names it.
    pieces : mapping of Variable to str
        In a table, the short name of a variable, which is drawn in the places of its values.
    bare : frozenset of Variable
        Transparent vertices: a shape lies or will lie under them.
    folded : frozenset of Variable
        Variables that are not drawn.
    moving : Moving
        The drawings that appear when variables are fixed.
    paints : mapping of int or str to str
        The colour of each value, on a map.
    given : mapping of Variable to int or str
        The values that the spec states.
    lens : str
        The default lens.

    Examples
    --------
    >>> plan = Plan(Model({"A": (1, 2), "B": (1, 2)}))
    >>> plan.lens, plan.names["A"], plan.shapes
    ('clique', 'A', ())
    """

    def __init__(self, model: Model, origins: Sequence[Sequence[int]] = (), crowded: bool | None = None) -> None:
        self.model = model
        self.origins = origins
        # Decide which constraints are drawn, and place the vertices.
        self.hidden = unstated_constraints(model, origins)
        self.implied = implied_constraints(origins)
        self.layout: Placement = layout(model, crowded, self.hidden)
        # Printed shapes never change; sort them, so that painters draw the lower layers first.
        printed = join_clues(model, self.layout, printed_shapes(model, self.layout))
        printed = [*printed, *tuple_frames(self.layout, [drawn for drawn, _ in self._helpers.tuples.values()])]
        self.shapes = tuple(sorted(printed, key=lambda shape: shape.layer))
        # Give each constraint that has room a node of its own; a clue beside the cells stands for the others.
        clues = dict(_clues_beside_cells(self.shapes, self.layout))
        numbers = constraints_with_node(model, self.layout, self.hidden.union(clues))
        self.constraint_nodes: Mapping[int, ConstraintNode] = {
            node.number: node for node in place_constraint_nodes(model, self.layout, numbers, self._label_of)
        }
        # Fixed and given values decide which drawings are printed from the beginning.
        self.given = dict(_given_candidates(model))
        self.moving = Moving(model, self.layout, self.given, find_slots(self.layout, self._helpers.tuples))
        self.folded = frozenset(v for v, form in self.layout.forms.items() if form.kind == "folded")
        # Find the texts of vertices, and the vertices through which a shape below must show.
        self.names = vertex_names(model, self.layout)
        self.pieces = {
            v: short_name(v) for board in self.layout.boards if board.kind == "table" for v in board.variables
        }
        self.bare = frozenset(_vertices_over(self.shapes, self.layout)) | self.moving.under
        self.bare |= {v for v, form in self.layout.forms.items() if form.kind == "step"}
        self.paints = {} if self.layout.puzzles or self.layout.boards else map_colours(model)
        self.drawing = Drawing(model, self.layout, self.hidden, self.constraint_nodes, clues)
        # Lenses are drawn on demand, from the parts above.
        self._lenses: dict[str, Lens] = {}
        # Only cards leave room for edges; expressions are not drawn beside them.
        named = (v for v in model.domains if v.family.isidentifier())
        self.lens = "grid" if any(map(self.layout.is_close, named)) else "clique"

    def draw_lens(self, name: str) -> Lens:
        """Return the edges and nodes of the lens ``name``, from a cache.

        Edges to variables that are not drawn are omitted.
        """
        if name not in self._lenses:
            lens = lens_of(name).draw(self.drawing)
            self._lenses[name] = replace(lens, edges=tuple(filter(self._is_visible, lens.edges)))
        return self._lenses[name]

    def _is_visible(self, edge: Edge) -> bool:
        """Return whether both ends of an edge are drawn."""
        return not any(v in self.folded for v in (edge.start, edge.end))

    @cached_property
    def visible(self) -> frozenset[Variable]:
        """The variables that are drawn."""
        return frozenset(v for v, form in self.layout.forms.items() if min(form.size) > 0)

    @cached_property
    def _noun(self) -> str:
        """The word for a drawn variable."""
        return "cell" if all(map(self.layout.is_cell, self.visible)) else "variable"

    @cached_property
    def _helpers(self) -> Helpers:
        helpers = find_helpers(self.model, self.visible)
        slots = find_slots(self.layout, helpers.tuples).values()
        return replace(helpers, tabled=frozenset(own.helper for own in slots))

    @cached_property
    def wording(self) -> Wording:
        """The names of values and lines in the spec."""
        return find_wording(self.model)

    @cached_property
    def kinds(self) -> Sequence[str]:
        """The name of the kind of each constraint."""
        return self.failures.kinds

    @cached_property
    def touched(self) -> Touched:
        """The places that variables which are not drawn are about."""
        return Touched(self.model, self.layout, self._helpers)

    def undrawn_note(self, scene: Scene) -> str:
        """Return a note on removals without a sign in the picture; a failure has none."""
        unseen = self.touched.unseen(scene) if scene.failure is None else []
        return f"not drawn: {self._helpers.show_families(unseen)}" if unseen else ""

    def caption(self, words: str, scene: Scene) -> str:
        """Return the caption of a scene in the words of the spec.

        Variables that are not drawn are replaced.
        """
        helpers = self._helpers
        if scene.summary:
            # For a helper that says where a value is, the caption names its place instead.
            last_places = tuple(
                place._replace(value=self.shown_value((place.variable, place.value)))
                for place in scene.last_places
                if place.variable not in helpers.images
            )
            scene = replace(scene, last_places=last_places)
            return self._summary_caption(scene)
        constraints = self.model.constraints
        reasons = ""
        if scene.failure is not None:
            words = self.failures.caption(words, scene.failure, scene.domains)
            reasons = self.failures.reasons(scene.failure, scene.domains, scene.removed_by)
        at_work = [constraints[number] for number in scene.constraints if number < len(constraints)]
        # The name of a given is its value, unless it has a label.
        words = self.wording.replace_in(words, [constraint.name for constraint in at_work if not constraint.given])
        kept = [constraint.name for constraint in at_work if self.name_of(constraint) == constraint.name]
        words = helpers.count_helpers(helpers.replace_in(words, kept), scene.domains, scene.marked)
        # The descriptions of helpers may name lines of a loop.
        noun = "place" if self.wording.lines else self._noun
        return shorten_lists(self.wording.name_lines(words, kept), noun, self._helpers.named) + reasons

    def name_of(self, constraint: Constraint) -> str:
        """Return the name of a constraint.

        A definition names the tuple or short text of its expression.
        """
        name, (before, _, expression) = constraint.name, constraint.name.partition("the value of ")
        if before or expression not in self._helpers.cells:
            return name
        described = self._helpers.replace_in(name)
        return name if "helper" in described else described

    def _label_of(self, constraint: Constraint) -> str:
        """Return the label of a constraint; a definition has its expression instead."""
        return self.name_of(constraint).removeprefix("the value of ") if constraint.label else ""

    def say(self, words: str) -> str:
        """Return a short text, such as ``x = 3``, in the words of the spec.

        A helper keeps its name, unless it says where a value is or is a tuple: other descriptions are long.
        """
        named = self.wording.replace_in(words)
        described = self._helpers.replace_in(named)
        return named if "helper" in described else described.removeprefix("the ")

    def _summary_caption(self, scene: Scene) -> str:
        """Return the caption of many steps, without removals that repeat those of cells."""
        helpers, removed = self._helpers, scene.removed
        scene = helpers.with_lost_values(scene)
        news = helpers.only_news(scene).removed
        # A tuple that the table lost with a value is no removal of its own.
        lost = [candidate for candidate in _without(scene.removed, removed) if candidate[0] not in self.visible]
        fixed = tuple(v for v in scene.fixed if any(candidate[0] == v for candidate in news))
        counted_scene = replace(scene, removed=_without(news, [*self.touched.unseen(scene), *lost]), fixed=fixed)
        # A value that a cell lost with its place was removed by the constraint that acted first.
        first_acts = dict(
            reversed([(candidate, i) for i, candidate in enumerate(scene.removed) if candidate in scene.acted])
        )
        acts = ([candidate, *helpers.places_of(candidate)] for candidate in counted_scene.removed)
        firsts = (min(filter(first_acts.__contains__, both), key=first_acts.__getitem__, default=None) for both in acts)
        numbers = sorted({scene.acted[candidate] for candidate in firsts if candidate is not None})
        names = [self.name_of(self.model.constraints[number]) for number in numbers]
        acted = show_acted(names, [self.kinds[number] for number in numbers])
        truths = {v for v, _ in counted_scene.removed if v not in self.visible and self.touched.is_truth(v)}
        words = summary_caption(counted_scene, self.visible, self._noun, helpers.images, helpers.tuples, truths, acted)
        old = _without(scene.removed, news)
        repeated = [candidate for candidate in old if candidate[0] not in self.visible]
        # A place may have been removed before or after the value of its cell.
        parts = [f"{helpers.count_repeated(repeated)} that the {self._noun}s show"] if repeated else []
        owner = "places" if helpers.images else "pairs"
        if followers := len(old) - len(repeated):
            parts.append(f"{counted(followers, 'value')} that follow{'s' if followers == 1 else ''} from {owner}")
        if parts:
            label = "not drawn: " if counted_scene.removed else "nothing new: removed "
            words += f" · {label}{', '.join(parts)}"
        return words + helpers.show_places(scene.fixed, scene.domains)

    def symbol_word(self, symbol: str) -> str:
        """Return the only word of the given values under a symbol, or an empty text."""
        points = {shape.points[0] for shape in self.shapes if shape.text == symbol}
        given = [(v, value) for v, value in self.given.items() if self.layout.points[v] in points]
        words = {self.wording.values.get(v, {}).get(quoted(value), "") for v, value in given}
        return words.pop() if len(words) == 1 else ""

    def shown_value(self, candidate: Candidate) -> Value:
        """Return the value of a candidate, or the tuple that it stands for."""
        variable, value = candidate
        return self._helpers.show_value([variable], value)

    @cached_property
    def failures(self) -> Failures:
        """The parts that draw and describe failures."""
        return Failures(self.model, self.layout, self._helpers, self.wording, self.origins)

    def with_visible_failure(self, scene: Scene) -> Scene:
        """Return the scene; a failure of variables not drawn moves to drawn neighbours.

        The variables that the caption names as causes are causes of the scene. The neighbours are about the values that
        caused the failure, or else about those that the failed variables have just lost. Without any they share a
        constraint, other than the failed one, with a failed variable. An expression that the spec prints has the
        failure at its own place.
        """
        if (failure := scene.failure) is None:
            return scene
        named = self.failures.named_causes(failure, scene.domains)
        scene = replace(scene, causes=tuple(dict.fromkeys((*scene.causes, *named))))
        folded = {v for v in scene.failed if v not in self.visible}
        if len(folded) < len(scene.failed):
            return scene
        if printed_places(self.layout, failure.subject):
            return replace(scene, failed=())
        if cells := self.failures.tuple_cells(failure, scene.domains):
            # The causes are the variables that lack their part of the tuple, as their signs say.
            lacking = self.failures.lacking_cells(failure, scene.domains)
            return replace(scene, failed=cells, causes=lacking)
        if cells := tuple(self.failures.cut_cells(failure)):
            return replace(scene, failed=cells)
        for candidates in (failure.cause, scene.removed):
            if places := self._helpers.cells_about(candidate for candidate in candidates if candidate[0] in folded):
                return replace(scene, failed=tuple(places))
        # Find the variables that other constraints tie to the folded ones.
        other_constraints = (
            constraint for number, constraint in enumerate(self.model.constraints) if number != failure.number
        )
        neighbours = dict.fromkeys(
            v for constraint in other_constraints if not folded.isdisjoint(constraint.scope) for v in constraint.scope
        )
        return replace(scene, failed=tuple(v for v in neighbours if v in self.visible))

    def with_visible_decision(self, scene: Scene) -> Scene:
        """Return the scene; a decision on a tuple highlights the drawn variables of the tuple."""
        if scene.constraints or scene.failure is not None:
            return scene
        parts = (part for v in scene.active for part in self._helpers.tuples.get(v, ((), {}))[0])
        return replace(scene, active=tuple(dict.fromkeys((*scene.active, *parts))))

    def list_values(self, v: Variable, scene: Scene) -> Domain:
        """Return the values that a variable's vertex lists in a scene."""
        return self._helpers.list_values(v, scene.domains)

    def list_domains(self, domains: Mapping[Variable, Domain]) -> Mapping[Variable, Domain]:
        """Return the domains with the values that vertices list."""
        if not (self._helpers.images or self._helpers.tabled):
            return domains
        return {v: self._helpers.list_values(v, domains) for v in domains}

    def with_visible_removals(self, scene: Scene) -> Scene:
        """Return the scene with all values that its picture strikes.

        A summary has only removals that are news, and their causes.
        A helper that acted has the cells for which it stands, if it is fixed.
        """
        helpers, scene = self._helpers, self._helpers.with_lost_values(scene)
        if not scene.summary:
            return scene
        shown_scene = helpers.only_news(scene)
        news, acted = {*shown_scene.removed}, dict[Variable, None]()
        for place in scene.last_places:
            if place.variable in helpers.images:
                acted |= dict.fromkeys(helpers.found_at(place.variable, scene.domains))
        for _, causes, removed in scene.losses:
            if any(c in news and c[0] in self.visible for c in removed):
                acted |= dict.fromkeys(causes)
            # A place that a helper lost may be shown as a removal from its cell.
            if any(part in news for c in removed for part in (c, *helpers.needs(c))):
                acted |= dict.fromkeys(cell for v in causes for cell in helpers.found_at(v, scene.domains))
        return replace(shown_scene, causes=tuple(acted))

    def is_line(self, v: Variable) -> bool:
        """Return whether a variable is a line of squares, on a board or a ruler."""
        return self.layout.forms[v].kind in LINES and v not in self.pieces

    @cached_property
    def rule_squares(self) -> Mapping[int, Point]:
        """The squares of constraints without drawn variables, by number."""
        squares = rule_squares(self.model, self.layout)
        return {number: square for number, square in squares.items() if number not in self.printed}

    @cached_property
    def printed(self) -> frozenset[int]:
        """The numbers of the constraints that printed shapes represent."""
        stated = {number for shape in self.shapes for number in shape.constraints}
        return frozenset(stated.union(number for run in self.layout.runs for number in run.rules))

    @cached_property
    def omissions(self) -> list[str]:
        """A line of text for each clause and drawing that a crowded picture omits.

        The list is empty for other pictures.
        """
        return omissions(self.model, self.layout.puzzles, self.printed) if self.layout.crowded else []

    def always_shown(self, name: str) -> frozenset[int]:
        """Return the numbers of the constraints that all pictures with a lens show."""
        lens = self.draw_lens(name)
        edges = {number for edge in lens.edges for number in edge.constraints}
        edges |= {number for shape in lens.printed for number in shape.constraints}.union(lens.outlined)
        return self.printed.union(
            edges, (number for number in lens.drawn_constraints if not self.constraint_nodes[number].quiet)
        )

    def count_unseen(self, name: str) -> int:
        """Count the constraints on two or more variables that a lens draws only while active."""
        always_shown = self.always_shown(name)
        return sum(
            number not in always_shown and len(constraint.scope) > 1
            for number, constraint in enumerate(self.model.constraints)
        )

    def lit_constraints(self, name: str, numbers: Collection[int]) -> set[int]:
        """Return the constraints, by number, that the lens ``name`` highlights while those in ``numbers`` act.

        For a constraint without shapes, the constraints that it follows from are highlighted, too.
        """
        always_shown, lit = self.always_shown(name), set(numbers)
        for number in numbers:
            if number not in always_shown and number not in self.constraint_nodes and number < len(self.origins):
                lit.update(self.origins[number])
        return lit

    def joining_edges(self, name: str, number: int) -> Sequence[Edge]:
        """Return the edges of a constraint that a lens draws only while it is active.

        The result is empty on a board, for a printed comparison, and if the lens always draws the edges.
        """
        return list(filter(self._is_visible, self._joining_edges(name, number)))

    def _joining_edges(self, name: str, number: int) -> Sequence[Edge]:
        """Return the edges of ``joining_edges``, and those to variables that are not drawn."""
        lens, constraint = self.draw_lens(name), self.model.constraints[number]
        scope, kind = constraint.scope, look(constraint)
        # Nothing to join: one variable, lines of a board, or edges that the lens draws anyway.
        if len(scope) < 2 or self.layout.on_board(scope) or any(number in edge.constraints for edge in lens.edges):
            return ()
        # A printed sign states a comparison.
        if len(scope) == 2 and number in self.printed:
            return ()
        # In a crowded grid, the edge between two variables runs from border to border.
        if self.is_close(number) and len(scope) == 2:
            first, second = scope
            return [Edge(first, second, between(self.drawing.box(first), self.drawing.box(second)), kind, (number,))]
        # A constraint node has spokes; other constraints join their variables in the way that the lens prefers.
        if number in lens.drawn_constraints and not self.is_close(number):
            return list(node_spokes(self.model, self.layout, self.constraint_nodes[number]))
        return self.drawing.pairs(number) if len(scope) == 2 else lens.joined(number)

    def arrow_carriers(self, name: str) -> frozenset[int]:
        """Return the numbers of constraints whose edges become arrows at a removal.

        The other constraints show arrows over the vertices. Edges beside a table carry them, too: its texts leave no
        room.
        """
        lens = self.draw_lens(name)
        with_edges = {number for edge in lens.edges for number in edge.constraints}
        beside_table = {n for n in with_edges if self.pieces.keys() >= {*self.model.constraints[n].scope}}
        free = {n for n in with_edges.union(lens.drawn_constraints) if not self.is_close(n)}
        return frozenset(free | beside_table)

    def is_close(self, number: int) -> bool:
        """Return whether a constraint's vertices are all too close for straight edges."""
        return self.layout.shows_no_edges(self.model.constraints[number].scope)


def _without(candidates: Iterable[Candidate], omitted: Collection[Candidate]) -> tuple[Candidate, ...]:
    """Return the candidates that are not in ``omitted``."""
    excluded = {*omitted}
    return tuple(candidate for candidate in candidates if candidate not in excluded)


def _vertices_over(shapes: Sequence[Shape], placement: Placement) -> Iterator[Variable]:
    """Yield the variables whose vertices cover a point of a shape under them."""
    outlines = [_visible_points(shape) for shape in shapes if shape.layer <= UNDER]
    spots = [point for outline in outlines for point in outline]
    for v, (x, y) in placement.points.items() if spots else ():
        width, height = placement.size(v)
        if any(abs(p - x) < width / 2 and abs(q - y) < height / 2 for p, q in spots):
            yield v


def _clues_beside_cells(shapes: Sequence[Shape], placement: Placement) -> Iterator[tuple[int, Box]]:
    """Yield each constraint with a printed text beside the cells, and its place.

    The sum of a run stands for all constraints on its cells. Of several texts, the nearest to the cells is the last.
    """
    cells = [point for v, point in placement.points.items() if placement.is_cell(v)]
    texts = [shape for shape in shapes if shape.kind == "text" and shape.constraints]
    rules_of = {number: run.rules for run in placement.runs for number in run.numbers}
    distances = {shape: min(dist(shape.points[0], point) for point in cells) for shape in texts if cells}
    for shape in sorted(distances, key=distances.__getitem__, reverse=True):
        (x, y), (width, height) = shape.points
        if not any(max(abs(x - p), abs(y - q)) < CELL / 2 for p, q in cells):
            numbers = {*shape.constraints, *(n for c in shape.constraints for n in rules_of.get(c, ()))}
            yield from ((number, ((x, y), (width, height))) for number in sorted(numbers))


def _visible_points(shape: Shape) -> Sequence[Point]:
    """Return a shape's middle or a line's corners; none for threads and slashes."""
    if shape.kind != "line":
        return shape.points[:1]
    return [] if shape.look in ("thread", "slash") else shape.points


def _given_candidates(model: Model) -> list[Candidate]:
    """Return the candidates that a model fixes, by a domain or by a constraint.

    A domain of one value fixes its variable, and so does a constraint such as ``A = 1``. A labelled constraint counts
    only if all labelled constraints of its line fix a variable: the sum of a single bridge is derived from its island.
    """
    fixed = [(v, domain[0]) for v, domain in model.domains.items() if len(domain) == 1]
    rules = {(c.file, c.line) for c in model.constraints if c.line and c.label and not c.given}
    return fixed + [
        constraint.given
        for constraint in model.constraints
        if constraint.given
        and constraint.given[1] in model.domains[constraint.given[0]]
        and not (constraint.label and (constraint.file, constraint.line) in rules)
    ]
