"""The link lens: what a step of a technique builds on, as marks over the cells; a hint is the same, uncovered."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice, pairwise
from typing import NamedTuple

from ...board.widths import text_width
from ...explain.steps.patterns import PatternLink, PatternSet
from ...explain.steps.walk import Step, Walker
from ...model import Candidate, Constraint, Domain, Variable
from ..edges.bows import Box, between
from ..edges.edges import Curve, along, clear
from ..legend import GONE, LINKS, LegendEntry
from ..picture import picture, vertex_shapes
from ..plan import Plan
from ..scene import Scene
from ..shapes import OVER, Point, Shape, box, disc, line, text
from ..style import WIDER

SMALL, BADGE = 10.0, 12.0
"""The size of what is written at links, and how wide the disc of a number is."""
WORDY = 70.0
"""Longer names are not written at a link."""
HATCHES = 5
LETTERS = "ABCDEFGHIJ"
"""Sets that several stand beside each other are told apart by these."""
BENDS = (0.0, 0.12, -0.12, 0.22, -0.22, 0.34, -0.34)
PARTS = (0.5, 0.4, 0.6, 0.3, 0.7)

WHERE, KIND, WHAT = 1, 2, 3
"""How much of a step is uncovered: where to look, by which technique, and all of it."""


class ShownStep(NamedTuple):
    """A step to be drawn: the state that it is found in, and what it says."""

    step: Step
    scene: Scene


def shown_steps(walker: Walker, until: int | None = None) -> Iterator[ShownStep]:
    """The steps of a walk as they are found, each with the state before it, in which what goes is struck out.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> [(one.step.technique, one.scene.domains["C"]) for one in shown_steps(Walker(Solver(model)))]
    [('hidden single', (1, 2, 3))]
    """
    left, pencil = walker.left, walker.pencil
    for step in islice(walker, until):
        yield show_step(step, left, pencil)
        left, pencil = walker.left, walker.pencil


def show_step(step: Step, left: Mapping[Variable, Domain], pencil: frozenset[Variable]) -> ShownStep:
    """A step in the state that it is found in: what is left, and whose single value nobody has written down."""
    removed = tuple([one for one in step.removed if one[0] in left])
    gone = set(removed)
    domains = {v: tuple([value for value in own if (v, value) not in gone]) for v, own in left.items()}
    return ShownStep(step, Scene(title=step.sentence, domains=domains, removed=removed, pencil=pencil))


def step_shapes(plan: Plan, shown: ShownStep, level: int = WHAT) -> list[Shape]:
    """The whole picture of a step, or so much of it as a hint uncovers.

    Candidates of the pattern that are on are filled discs, those that are off rings, and what is found has a thick
    border; strong links are solid and weak ones dashed, with the constraint at their middle; where links follow each
    other, nodes are numbered. Lines and bases are shaded, covers hatched, fins triangles, all other sets outlined.

    Examples
    --------
    >>> from csp import AllDifferent, Model, Solver
    >>> model = Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [AllDifferent.of("ABC", label="row")])
    >>> [one] = shown_steps(Walker(Solver(model)))
    >>> [shape.text for shape in step_shapes(Plan(model), one) if shape.look == "yes found-now" and shape.kind == "text"]
    ['3']
    """
    scene, pattern = shown.scene, _Pattern(plan, shown)
    if level < WHAT:
        scene = replace(scene, domains=before(plan, scene), removed=())
        return list(_over_lines(picture(plan, scene, "grid"), pattern.places()))
    return [*_over_lines(picture(plan, scene, "grid"), pattern.lines()), *pattern.shapes()]


def before(plan: Plan, scene: Scene) -> dict[Variable, Domain]:
    """What was left before that went which a scene strikes out."""
    gone = set(scene.removed)
    return {
        v: tuple([value for value in domain if value in scene.domains[v] or (v, value) in gone])
        for v, domain in plan.model.domains.items()
    }


def _over_lines(shapes: Iterable[Shape], lines: Collection[Variable]) -> Iterator[Shape]:
    """The bodies of the cells of lines are shaded."""
    for shape in shapes:
        is_lined = shape.look.startswith("body") and not {*shape.of}.isdisjoint(lines)
        yield shape._replace(look=f"{shape.look} lined") if is_lined else shape


def signs(shapes: Iterable[Shape]) -> list[LegendEntry]:
    """The entries of the legend for marks that are there."""
    drawn = list(shapes)
    return [entry for entry in (GONE, *LINKS.values()) if entry.is_in(drawn)]


class _Pattern:
    """The marks of a step over the cells of a plan."""

    def __init__(self, plan: Plan, shown: ShownStep) -> None:
        self.plan, self.step, self.scene, self.domains = plan, shown.step, shown.scene, shown.scene.domains
        self.placed, self.gone = set(self.step.placed), set(shown.scene.removed)
        self.polarity: dict[Candidate, bool] = {}
        self.order: dict[Candidate, int] = {}
        for node in self.step.nodes:
            self.polarity |= dict.fromkeys(self._drawn(node.candidates), node.is_on)
        if not self.step.links and not any(self.polarity.values()):
            self.polarity = {one: is_on for one, is_on in self.polarity.items() if one not in self.gone}
        self.polarity |= dict.fromkeys(self._drawn(self.step.placed), True)
        if self.step.links and not any(self.polarity.values()):  # one of the sets has the value that goes
            goes = {value for _, value in self.gone}
            own = [(v, value) for one in self.step.sets if one.role == "set" for v in one.cells for value in goes]
            self.polarity |= {one: True for one in own if one[1] in self.domains.get(one[0], ())}
        self._suppose(self.step.inside)

    def _drawn(self, candidates: Iterable[Candidate]) -> list[Candidate]:
        """Those that have a place."""
        forms = self.plan.layout.forms
        return [(v, value) for v, value in candidates if v in self.plan.visible and value in forms[v].values]

    def _suppose(self, inside: Sequence[Step]) -> None:
        """What follows from a supposition, in its order."""
        for step in inside:
            self._suppose(step.inside)
            for own, is_on in ((step.placed, True), (step.removed, False)):
                for one in self._drawn(own):
                    self.polarity.setdefault(one, is_on)
                    if is_on:
                        self.order.setdefault(one, len(self.order) + 2)
        if inside:
            empty = [one.cells[0] for one in self.step.sets if one.role == "empty" and len(one.cells) == 1]
            self.polarity |= {(v, value): False for v in empty if v in self.domains for value in self.domains[v]}
            self.order |= dict.fromkeys(self._drawn(self.step.pattern), 1)

    def room(self, one: Candidate) -> Box:
        """Where a candidate stands: in its place, but a value that is written down in the middle of its vertex."""
        v, value = one
        form, (x, y) = self.plan.layout.forms[v], self.plan.layout.points[v]
        if self.domains[v] == (value,) and v not in self.scene.pencil and all(v != w for w, _ in self.gone):
            for shape in vertex_shapes(self.plan, self.scene, v):
                if shape.look in ("found", "fixed"):
                    return (x + shape.points[0][0], y + shape.points[0][1]), (shape.size, shape.size)
        dx, dy = form.place(form.values.index(value))
        high = max(12.0, min(form.slot) + 1)
        return (x + dx, y + dy), (max(high, self._width(one) + 8) if len(self._words(one)) > 2 else high, high)

    def _words(self, one: Candidate) -> str:
        """What stands for a value: itself, or the name of its variable in a table."""
        v, value = one
        return self.plan.pieces.get(v) or self.plan.layout.forms[v].words(value)

    def _width(self, one: Candidate) -> float:
        return text_width(self._words(one), self.plan.layout.forms[one[0]].font) * WIDER

    def shapes(self) -> list[Shape]:
        """From the lowest to the highest."""
        found = [*self._sets(), *self._links(), *self._nodes(), *self._numbers(), *self._letters()]
        return [shape._replace(layer=OVER) for shape in found]

    def places(self) -> list[Variable]:
        """The cells to look at."""
        step = self.step
        if step.constraints and not step.inside:
            return list(dict.fromkeys(v for one in step.constraints for v in one.scope))
        return list(dict.fromkeys(v for v, _ in step.pattern))

    def lines(self) -> list[Variable]:
        """The cells of bases, and of lines and groups where no link says what they are."""
        roles = ("base",) if self.step.links else ("base", "line", "set")
        return list(dict.fromkeys(v for one in self.step.sets if one.role in roles for v in self._line(one)))

    def _sets(self) -> Iterator[Shape]:
        sets = self.step.sets
        for v in dict.fromkeys(v for one in sets if one.role == "cover" for v in self._line(one)):
            yield from self._hatched(v)
        roles = {v: one.role for one in sets if one.role not in ("base", "line", "cover", "fin") for v in one.cells}
        for v, role in roles.items():
            if v in self.plan.visible and not (role == "cell" and self.step.links):
                point, (w, h) = self.plan.layout.points[v], self.plan.layout.size(v)
                look = {"empty": "nothing", "wing": "dashed outline"}.get(role, "outline")
                yield box(look, point, (w - 3, h - 3), corner=4)

    def _line(self, one: PatternSet) -> Sequence[Variable]:
        """All cells of the line that a set is of, or of the constraints that it follows from; else its own."""
        known = [*self.step.constraints, *self.plan.model.constraints] if one.line else []
        for constraint in known:
            if one.line.endswith(constraint.place) and set(one.cells) <= set(constraint.scope):
                return constraint.scope
        named = [constraint for constraint in known if constraint.place in one.line]
        return [v for constraint in named for v in constraint.scope] or (() if one.role == "set" else one.cells)

    def _hatched(self, v: Variable) -> Iterator[Shape]:
        """Lines across a cell, from lower left to upper right."""
        if v not in self.plan.visible:
            return
        (x, y), (w, h) = self.plan.layout.points[v], self.plan.layout.size(v)
        left, top, right, bottom = x - w / 2, y - h / 2, x + w / 2, y + h / 2
        for i in range(HATCHES):
            reach = (i + 0.5) / HATCHES * (w + h)
            start = (left, top + reach) if reach <= h else (left + reach - h, bottom)
            end = (left + reach, top) if reach <= w else (right, top + reach - w)
            yield line("cover", start, end)

    def _links(self) -> Iterator[Shape]:
        """Curves that keep away from the nodes between, and names where there is room."""
        rooms = [self.room(one) for one in self.polarity]
        drawn: list[Curve] = []
        taken: list[Box] = list(rooms)
        names: list[tuple[Curve, str]] = []
        seen: set[object] = set()  # from one node to several values of a variable, one link is enough
        for link in self.step.links:
            ends = self._ends(link)
            key = (link.start, ends and ends[1][0], link.is_strong) if not _chain(self.step.links) else link
            if ends is None or key in seen:
                continue
            seen.add(key)
            one, other = map(self.room, ends)
            blocks = [room for room in rooms if room not in (one, other)]
            ways = [_bent(one, other, bend) for bend in BENDS]
            way = next((way for way in ways if way not in drawn and clear(way, blocks, 0)), ways[1])
            drawn += [way, (way[3], way[2], way[1], way[0])]
            look = "edge strong" if link.is_strong else "edge weak"
            yield Shape("line", look, way, link.by.name if isinstance(link.by, Constraint) else "")
            if isinstance(link.by, Constraint):
                names.append((way, link.by.name))
        for way, name in names:
            size = text_width(name, SMALL) * WIDER + 4, SMALL + 3
            free = [
                at for at in (along(way, part) for part in PARTS) if not any(_meet((at, size), own) for own in taken)
            ]
            if size[0] <= WORDY and free:
                taken.append((free[0], size))
                yield text(name, "by", free[0], SMALL)

    def _ends(self, link: PatternLink) -> tuple[Candidate, Candidate] | None:
        """The candidates of two nodes that are nearest to each other."""
        one, other = (self._drawn(self.step.nodes[i].candidates) for i in (link.start, link.end))
        pairs = [(a, b) for a in one for b in other]
        return min(pairs, key=lambda pair: _far(self.room(pair[0])[0], self.room(pair[1])[0]), default=None)

    def _nodes(self) -> Iterator[Shape]:
        """Nodes of several candidates are held together by a band, fins are triangles."""
        for node in self.step.nodes:
            if not any(one.role == "set" and {v for v, _ in node.candidates} <= {*one.cells} for one in self.step.sets):
                for one, other in pairwise(self._drawn(node.candidates)):
                    yield line("band", self.room(one)[0], self.room(other)[0])
        fins = {v for one in self.step.sets if one.role == "fin" for v in one.cells}
        bases = {v for one in self.step.sets if one.role == "cover" for v in one.cells}
        for one, is_on in self.polarity.items():
            middle, (wide, high) = self.room(one)
            (x, y), form = middle, self.plan.layout.forms[one[0]]
            look = ("yes found-now" if one in self.placed else "yes") if is_on else "no"
            look += " hollow" if one in self.gone else ""
            if one[0] in fins - bases:
                look = "fin"
                a, b = 0.75 * high, 0.55 * high
                yield line("fin", (x, y - a), (x + a, y + b), (x - a, y + b), (x, y - a))
            else:
                yield box(look, middle, (wide, high), corner=high / 2) if wide > high else disc(look, middle, high)
            if one not in self.gone:
                words = self._words(one)
                size = min(form.font if form.style == "digits" else SMALL, 1.5 * wide / len(words))
                yield text(words, look, middle, size)

    def _numbers(self) -> Iterator[Shape]:
        """The places of nodes along a chain, and of what follows from a supposition."""
        order = dict(self.order)
        for number, i in enumerate(_chain(self.step.links), 1):
            for one in self._drawn(self.step.nodes[i].candidates)[:1]:
                order.setdefault(one, number)
        for one, number in order.items():
            (x, y), (wide, high) = self.room(one)
            at = x + wide / 2, y - high / 2
            yield disc("rank", at, BADGE)
            yield text(number, "rank", at, 9 if number < 10 else 7)

    def _letters(self) -> Iterator[Shape]:
        """A letter for each of several sets, and for other cells their roles."""
        sets = [cells for cells in dict.fromkeys(one.cells for one in self.step.sets if one.role == "set")]
        names = {v: LETTERS[i] for i, cells in enumerate(sets[: len(LETTERS)]) for v in cells} if len(sets) > 1 else {}
        for v, name in names.items():
            if v in self.plan.visible:
                (x, y), (w, h) = self.plan.layout.points[v], self.plan.layout.size(v)
                yield text(name, "letter", (x + w / 2 - 6, y + h / 2 - 7), 10)


def _chain(links: Sequence[PatternLink]) -> list[int]:
    """The nodes in the order of links that follow each other; nothing of links that branch."""
    found = [links[0].start] if links else []
    for link in links:
        if link.end not in found:
            if link.start != found[-1]:
                return []
            found.append(link.end)
    return found


def _bent(one: Box, other: Box, bend: float) -> Curve:
    """From the border of one box to that of another, this far from straight."""
    (x, y), (p, q) = one[0], other[0]
    via = (x + p) / 2 + (q - y) * bend, (y + q) / 2 - (p - x) * bend
    wide = ((x, y), (one[1][0] + 8, one[1][1] + 8)), ((p, q), (other[1][0] + 8, other[1][1] + 8))
    return between(*wide, via)


def _far(one: Point, other: Point) -> float:
    return (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2


def _meet(one: Box, other: Box) -> bool:
    return all(abs(a - b) < (w + v) / 2 for a, b, w, v in zip(one[0], other[0], one[1], other[1], strict=True))
