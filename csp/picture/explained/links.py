"""Draw the pattern of a technique's step over the cells: links, sets, conclusions.

The pattern comes from ``csp.explain``; here it becomes lines that avoid the values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import NamedTuple

from ...board.widths import text_width
from ...explain.steps.walk import PatternLink, PatternSet, Step, Walker
from ...model import Candidate, Constraint, Domain, Variable
from ..edges import Box, Curve, along, between, clear
from ..legend import GONE, HELPERS, LINKS, LegendEntry
from ..picture import picture, vertex_shapes
from ..plan import Plan
from ..scene import Scene
from ..shapes import OVER, Point, Shape, box, disc, line, text
from ..style import WIDER
from ..vertex import ground

SMALL, BADGE = 10.0, 12.0
"""The size of the font at links, and the diameter of the disc behind a number, in points."""
WORDY = 70.0
"""Maximum width of the name of a constraint at a link, in points; a longer name is omitted."""
HATCHES = 5
"""Number of lines across a cell of a cover."""
LETTERS = "ABCDEFGHIJ"
"""The letters that distinguish several sets of one step."""
BENDS = (0.0, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34)
"""Bends of a link, as shares of its length; the first that fits is drawn."""
PARTS = (0.5, 0.4, 0.6, 0.3, 0.7)
"""Places of a name along its link, from 0 to 1; the first free place is used."""

WHERE, KIND, WHAT = 1, 2, 3
"""Detail of a hint: where to look, also the technique, the whole step."""


class ShownStep(NamedTuple):
    """A step of a solving technique, with a scene that strikes out its removals."""

    step: Step
    scene: Scene


def shown_steps(walker: Walker, until: int | None = None) -> Iterator[ShownStep]:
    """Yield the steps of a solution path, each with a scene that shows its removals.

    ``until`` is the maximum number of steps.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> [(shown.step.technique, shown.scene.domains["C"]) for shown in shown_steps(Walker(Solver(model)))]
    [('hidden single', (1, 2, 3))]
    """
    domains, pencil = walker.left, walker.pencil
    for step in islice(walker, until):
        yield show_step(step, domains, pencil)
        domains, pencil = walker.left, walker.pencil


def show_step(step: Step, domains: Mapping[Variable, Domain], pencil: frozenset[Variable]) -> ShownStep:
    """Return a step with a scene that strikes out the removed values.

    ``domains`` are the remaining values before the step, ``pencil`` the variables whose single value is not written
    down yet.
    """
    removed = tuple([candidate for candidate in step.removed if candidate[0] in domains])
    struck = set(removed)
    remaining = {v: tuple([value for value in domain if (v, value) not in struck]) for v, domain in domains.items()}
    return ShownStep(step, Scene(title=step.sentence, domains=remaining, removed=removed, pencil=pencil))


def step_shapes(plan: Plan, shown_step: ShownStep, detail: int = WHAT) -> list[Shape]:
    """Return the shapes of a step's picture, or of the part that a hint reveals.

    Candidates of the pattern are filled discs if they are on, and rings if they are off; values that the step finds
    have a thick border. Strong links are solid and weak links are dashed, with the constraint at their middle. Nodes
    of a chain are numbered. Exactly-one sets and bases are shaded, covers are hatched, fins are triangles, and all
    other sets are outlined.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> [shown] = shown_steps(Walker(Solver(model)))
    >>> shapes = step_shapes(Plan(model), shown)
    >>> [shape.text for shape in shapes if shape.look == "yes found-now" and shape.kind == "text"]
    ['3']
    """
    scene, pattern = shown_step.scene, _Pattern(plan, shown_step)
    # A hint shows the cells to look at, but removes nothing.
    if detail < WHAT:
        scene = replace(scene, domains=domains_before(plan, scene), removed=())
        return list(_shade_lines(picture(plan, scene, "grid"), pattern.places()))
    return [*_shade_lines(picture(plan, scene, "grid"), pattern.lines()), *pattern.shapes()]


def domains_before(plan: Plan, scene: Scene) -> dict[Variable, Domain]:
    """Return the domains of a scene, with its removed values put back."""
    struck = set(scene.removed)
    return {
        v: tuple([value for value in domain if value in scene.domains[v] or (v, value) in struck])
        for v, domain in plan.model.domains.items()
    }


def _shade_lines(shapes: Iterable[Shape], lines: Collection[Variable]) -> Iterator[Shape]:
    """Yield all shapes; shade the bodies of the cells ``lines``, or ring transparent ones."""
    for shape in shapes:
        is_lined = shape.look.startswith("body") and not {*shape.of}.isdisjoint(lines)
        if is_lined and "hollow" in shape.look:
            yield ground(shape, "lined")
        yield shape._replace(look=f"{shape.look} lined") if is_lined and "hollow" not in shape.look else shape


def legend_entries(shapes: Iterable[Shape]) -> list[LegendEntry]:
    """Return the legend entries for removals and patterns that occur in ``shapes``."""
    drawn_shapes = list(shapes)
    return [entry for entry in (GONE, *HELPERS, *LINKS.values()) if entry.is_in(drawn_shapes)]


class _Pattern:
    """The pattern of a technique's step, which becomes shapes over the cells."""

    def __init__(self, plan: Plan, shown_step: ShownStep) -> None:
        self.plan, self.step, self.scene, self.domains = (
            plan,
            shown_step.step,
            shown_step.scene,
            shown_step.scene.domains,
        )
        self.placed, self.gone = set(self.step.placed), set(shown_step.scene.removed)
        self.polarity: dict[Candidate, bool] = {}
        self.order: dict[Candidate, int] = {}
        # Candidates of the nodes are on or off.
        for node in self.step.nodes:
            self.polarity |= dict.fromkeys(self._visible_candidates(node.candidates), node.is_on)
        # Without links, removed candidates are struck out and need no ring.
        if not self.step.links and not any(self.polarity.values()):
            self.polarity = {
                candidate: is_on for candidate, is_on in self.polarity.items() if candidate not in self.gone
            }
        # Values that the step finds are on.
        self.polarity |= dict.fromkeys(self._visible_candidates(self.step.placed), True)
        if self.step.links and not any(self.polarity.values()):  # one of the sets contains the removed value
            removed_values = {value for _, value in self.gone}
            supports = [
                (v, value)
                for pattern_set in self.step.sets
                if pattern_set.role == "set"
                for v in pattern_set.cells
                for value in removed_values
            ]
            self.polarity |= {
                candidate: True for candidate in supports if candidate[1] in self.domains.get(candidate[0], ())
            }
        # Steps that follow from a supposition add their candidates in order.
        self._suppose(self.step.inside)

    def _visible_candidates(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Return the candidates whose variables and values are visible in the picture."""
        forms = self.plan.layout.forms
        return [(v, value) for v, value in candidates if v in self.plan.visible and value in forms[v].values]

    def _suppose(self, steps: Sequence[Step]) -> None:
        """Record the candidates that ``steps`` show true or false; number the true ones.

        The steps follow from a supposition. The records are ``polarity`` and ``order``.
        """
        for step in steps:
            self._suppose(step.inside)
            for candidates, is_on in ((step.placed, True), (step.removed, False)):
                for candidate in self._visible_candidates(candidates):
                    self.polarity.setdefault(candidate, is_on)
                    if is_on:
                        self.order.setdefault(candidate, len(self.order) + 2)
        # The supposition itself is number 1; a cell without values ends the chain.
        if steps:
            empty_cells = [
                pattern_set.cells[0]
                for pattern_set in self.step.sets
                if pattern_set.role == "empty" and len(pattern_set.cells) == 1
            ]
            self.polarity |= {(v, value): False for v in empty_cells if v in self.domains for value in self.domains[v]}
            self.order |= dict.fromkeys(self._visible_candidates(self.step.pattern), 1)

    def room(self, candidate: Candidate) -> Box:
        """Return the middle and the size of the box around a drawn candidate.

        It is the place of the value, or the middle of the vertex for a single value that is written down.
        """
        v, value = candidate
        form, (x, y) = self.plan.layout.forms[v], self.plan.layout.points[v]
        # A value that is written down is large, in the middle of its cell.
        if self.domains[v] == (value,) and v not in self.scene.pencil and all(v != w for w, _ in self.gone):
            for shape in vertex_shapes(self.plan, self.scene, v):
                if shape.look in ("found", "fixed"):
                    return (x + shape.points[0][0], y + shape.points[0][1]), (shape.size, shape.size)
        # Long names need more width.
        dx, dy = form.place(form.values.index(value))
        height = max(12.0, min(form.slot) + 1)
        return (x + dx, y + dy), (
            max(height, self._width(candidate) + 8) if len(self._words(candidate)) > 2 else height,
            height,
        )

    def _words(self, candidate: Candidate) -> str:
        """Return the text drawn for a candidate: its value, or in a table its variable."""
        v, value = candidate
        return self.plan.pieces.get(v) or self.plan.layout.forms[v].words(value)

    def _width(self, candidate: Candidate) -> float:
        """Return the width of the text of a candidate, in points."""
        return text_width(self._words(candidate), self.plan.layout.forms[candidate[0]].font) * WIDER

    def shapes(self) -> list[Shape]:
        """Return all shapes of the pattern, in the order of drawing."""
        drawn_shapes = [*self._sets(), *self._links(), *self._nodes(), *self._numbers(), *self._letters()]
        return [shape._replace(layer=OVER) for shape in drawn_shapes]

    def places(self) -> list[Variable]:
        """Return the cells to which a hint directs the reader."""
        step = self.step
        if step.constraints and not step.inside:
            return list(dict.fromkeys(v for constraint in step.constraints for v in constraint.scope))
        return list(dict.fromkeys(v for v, _ in step.pattern))

    def lines(self) -> list[Variable]:
        """Return the cells of the pattern that are drawn shaded.

        They belong to bases; without links, also to exactly-one sets and other sets.
        """
        roles = ("base",) if self.step.links else ("base", "line", "set")
        return list(
            dict.fromkeys(
                v for pattern_set in self.step.sets if pattern_set.role in roles for v in self._line(pattern_set)
            )
        )

    def _sets(self) -> Iterator[Shape]:
        """Yield hatching over cover sets, and outlines of sets that are neither shaded nor fins."""
        sets = self.step.sets
        for v in dict.fromkeys(
            v for pattern_set in sets if pattern_set.role == "cover" for v in self._line(pattern_set)
        ):
            yield from self._hatch(v)
        roles = {
            v: pattern_set.role
            for pattern_set in sets
            if pattern_set.role not in ("base", "line", "cover", "fin")
            for v in pattern_set.cells
        }
        for v, role in roles.items():
            if v in self.plan.visible and not (role == "cell" and self.step.links):
                point, (w, h) = self.plan.layout.points[v], self.plan.layout.size(v)
                look = {"empty": "nothing", "wing": "dashed outline"}.get(role, "outline")
                yield box(look, point, (w - 3, h - 3), corner=4)

    def _line(self, pattern_set: PatternSet) -> Sequence[Variable]:
        """Return all cells of the row, column or group that contains a pattern's set.

        If no constraint is the line itself, the cells of all constraints that the line mentions are returned; without
        these, the cells of the set itself, or none if its role is ``set``.
        """
        constraints = [*self.step.constraints, *self.plan.model.constraints] if pattern_set.line else []
        for constraint in constraints:
            if pattern_set.line.endswith(constraint.place) and set(pattern_set.cells) <= set(constraint.scope):
                return constraint.scope
        named_constraints = [constraint for constraint in constraints if constraint.place in pattern_set.line]
        return [v for constraint in named_constraints for v in constraint.scope] or (
            () if pattern_set.role == "set" else pattern_set.cells
        )

    def _hatch(self, v: Variable) -> Iterator[Shape]:
        """Yield parallel diagonal lines across a cell, if the cell is drawn."""
        if v not in self.plan.visible:
            return
        (x, y), (w, h) = self.plan.layout.points[v], self.plan.layout.size(v)
        left, top, right, bottom = x - w / 2, y - h / 2, x + w / 2, y + h / 2
        for i in range(HATCHES):
            # Each line starts at the left or lower side, and ends at the upper or right side.
            diagonal = (i + 0.5) / HATCHES * (w + h)
            start = (left, top + diagonal) if diagonal <= h else (left + diagonal - h, bottom)
            end = (left + diagonal, top) if diagonal <= w else (right, top + diagonal - w)
            yield line("cover", start, end)

    def _links(self) -> Iterator[Shape]:
        """Yield a curve for each link between nodes, with its constraint's name if it fits."""
        boxes = [self.room(candidate) for candidate in self.polarity]
        drawn_curves: list[Curve] = []
        occupied: list[Box] = list(boxes)
        labels: list[tuple[Curve, str]] = []
        drawn_links: set[object] = set()  # one link is enough from a node to several values of one variable
        # Choose the first bend that avoids other nodes and other links.
        for link in self.step.links:
            ends = self._ends(link)
            key = (link.start, ends and ends[1][0], link.is_strong) if not _chain_order(self.step.links) else link
            if ends is None or key in drawn_links:
                continue
            drawn_links.add(key)
            start, end = map(self.room, ends)
            obstacles = [node_box for node_box in boxes if node_box not in (start, end)]
            curves = [_bent_curve(start, end, bend) for bend in BENDS]
            curve = next(
                (curve for curve in curves if curve not in drawn_curves and clear(curve, obstacles, 0)), curves[1]
            )
            drawn_curves += [curve, (curve[3], curve[2], curve[1], curve[0])]
            look = "edge strong" if link.is_strong else "edge weak"
            yield Shape("line", look, curve, link.by.name if isinstance(link.by, Constraint) else "")
            if isinstance(link.by, Constraint):
                labels.append((curve, link.by.name))
        # Write names at points that no node and no other name covers.
        for curve, name in labels:
            size = text_width(name, SMALL) * WIDER + 4, SMALL + 3
            free_points = [
                point
                for point in (along(curve, part) for part in PARTS)
                if not any(_boxes_overlap((point, size), block) for block in occupied)
            ]
            if size[0] <= WORDY and free_points:
                occupied.append((free_points[0], size))
                yield text(name, "by", free_points[0], SMALL)

    def _ends(self, link: PatternLink) -> tuple[Candidate, Candidate] | None:
        """Return the nearest two candidates of a link's nodes; None if one node shows none."""
        starts, ends = (self._visible_candidates(self.step.nodes[i].candidates) for i in (link.start, link.end))
        pairs = [(a, b) for a in starts for b in ends]
        return min(
            pairs, key=lambda pair: _squared_distance(self.room(pair[0])[0], self.room(pair[1])[0]), default=None
        )

    def _nodes(self) -> Iterator[Shape]:
        """Yield the shapes of the pattern's nodes: discs, triangles for fins, bands for groups."""
        # A band joins the candidates of a node, unless a set already outlines them.
        for node in self.step.nodes:
            if not any(
                pattern_set.role == "set" and {v for v, _ in node.candidates} <= {*pattern_set.cells}
                for pattern_set in self.step.sets
            ):
                for candidate, next_candidate in pairwise(self._visible_candidates(node.candidates)):
                    yield line("band", self.room(candidate)[0], self.room(next_candidate)[0])
        fins = {v for pattern_set in self.step.sets if pattern_set.role == "fin" for v in pattern_set.cells}
        covered = {v for pattern_set in self.step.sets if pattern_set.role == "cover" for v in pattern_set.cells}
        # Each candidate is a disc or a triangle with its text.
        for candidate, is_on in self.polarity.items():
            middle, (width, height) = self.room(candidate)
            (x, y), form = middle, self.plan.layout.forms[candidate[0]]
            look = ("yes found-now" if candidate in self.placed else "yes") if is_on else "no"
            look += " hollow" if candidate in self.gone else ""
            if candidate[0] in fins - covered:
                look = "fin"
                a, b = 0.75 * height, 0.55 * height
                yield line("fin", (x, y - a), (x + a, y + b), (x - a, y + b), (x, y - a))
            else:
                yield (
                    box(look, middle, (width, height), corner=height / 2)
                    if width > height
                    else disc(look, middle, height)
                )
            if candidate not in self.gone:
                label = self._words(candidate)
                size = min(form.font if form.style == "digits" else SMALL, 1.5 * width / len(label))
                yield text(label, look, middle, size)

    def _numbers(self) -> Iterator[Shape]:
        """Yield numbered discs: the order of a chain, or of conclusions from a supposition."""
        order = dict(self.order)
        for number, index in enumerate(_chain_order(self.step.links), 1):
            for candidate in self._visible_candidates(self.step.nodes[index].candidates)[:1]:
                order.setdefault(candidate, number)
        for candidate, number in order.items():
            (x, y), (width, height) = self.room(candidate)
            corner = x + width / 2, y - height / 2
            yield disc("rank", corner, BADGE)
            yield text(number, "rank", corner, 9 if number < 10 else 7)

    def _letters(self) -> Iterator[Shape]:
        """Yield, if the pattern has several sets, a letter of its set in each cell."""
        sets = [
            cells
            for cells in dict.fromkeys(pattern_set.cells for pattern_set in self.step.sets if pattern_set.role == "set")
        ]
        names = {v: LETTERS[i] for i, cells in enumerate(sets[: len(LETTERS)]) for v in cells} if len(sets) > 1 else {}
        for v, name in names.items():
            if v in self.plan.visible:
                (x, y), (w, h) = self.plan.layout.points[v], self.plan.layout.size(v)
                yield text(name, "letter", (x + w / 2 - 6, y + h / 2 - 7), 10)


def _chain_order(links: Sequence[PatternLink]) -> list[int]:
    """Return the indices of linked nodes in chain order; empty if links branch."""
    order = [links[0].start] if links else []
    for link in links:
        if link.end not in order:
            if link.start != order[-1]:
                return []
            order.append(link.end)
    return order


def _bent_curve(start: Box, end: Box, bend: float) -> Curve:
    """Return a curve between two boxes, bent aside by ``bend`` times their distance."""
    (x, y), (p, q) = start[0], end[0]
    middle = (x + p) / 2 + (q - y) * bend, (y + q) / 2 - (p - x) * bend
    wider = ((x, y), (start[1][0] + 8, start[1][1] + 8)), ((p, q), (end[1][0] + 8, end[1][1] + 8))
    return between(*wider, middle)


def _squared_distance(start: Point, end: Point) -> float:
    """Return the squared distance of two points."""
    return (start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2


def _boxes_overlap(first: Box, second: Box) -> bool:
    """Return whether two boxes overlap."""
    return all(abs(a - b) < (w + v) / 2 for a, b, w, v in zip(first[0], second[0], first[1], second[1], strict=True))
