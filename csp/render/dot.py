"""One moment of a trace as DOT text: every vertex in its place, with its name, its domain and its state."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import Literal

from ..model import AllDifferent, Domain, Model, Value, Variable, ordered
from ..story import Moment
from . import legend
from .cells import SPELT, Style, card, cell, cell_style
from .legend import Entry
from .plan.chips import FONT_SIZE, Chip, chips, touch, with_chip
from .plan.edges import Edge, Look, along, clique_edges, look, says_different, straight
from .plan.grid import find_grids
from .plan.layout import FEW, SEAM, headers, layout
from .plan.regions import region_lines
from .plan.signs import Cage, Sign, signs, unsaid
from .plan.threads import threads
from .scene import Scene, scene
from .style import (
    ACTIVE,
    CAUSE,
    EDGE,
    FONT,
    IDLE,
    MARKED,
    QUIET,
    WIDER,
    counted,
    escape,
    pos,
    quote,
    shade,
    text_width,
)  # fmt: skip
from .texts import box, halfway, stroke, written

Lens = Literal["grid", "clique", "factor"]
WIDE_SEAM = 20.0
"""Between the cells of a grid where signs or edges are seen there."""
SEAM_FREE = 15.0
"""Of a line between two regions so much is left out where a sign stands on it."""
WORDY = 130.0
"""Comparisons with longer texts have none at their edge."""

LOOKS: dict[Look, str] = {
    "plain": "",
    "dashed": f', style=dashed, color="{QUIET}"',
    "cage": f', color="{IDLE}", penwidth=5',
}


def dot(model: Model, moment: Moment) -> str:
    """One moment as DOT text; for several of one model, keep a ``Painter``.

    Parameters
    ----------
    model : Model
    moment : csp.Moment

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import record, replay
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB")])
    >>> '"A" -- "B"' in dot(model, next(replay(record(model))))
    True
    """
    return Painter(model).dot(scene(moment))


def is_frame(path: Path) -> bool:
    """Whether a file begins as the DOT texts do that a ``Painter`` writes."""
    with path.open("rb") as file:
        return re.match(rb"// [^\n]*\ngraph [^\n]*\{\n  graph \[layout=nop2,", file.read(100_000)) is not None


class Painter:
    """Draws scenes of one model; whatever does not change between them is worked out once.

    What no line of the spec says, because it was found to follow, shows only when it is at work, and then what it comes
    from is lit with it.

    Parameters
    ----------
    model : Model
        That of the trace, whose numbers of constraints the scenes have.
    lens : {"grid", "clique", "factor"}, optional
        ``grid``: the state alone, with comparisons and sums between the cells; ``clique``: an edge wherever two
        variables share a constraint; ``factor``: a vertex for every constraint, with edges to its variables.
        Where a grid has more than 20 variables, its edges would lie on top of each other: in the last two, groups
        stand on its margin, and only the active one shows its edges. Where there is no room for the vertices of all
        constraints, only the active ones show. Without a lens: ``grid`` on such a grid, and ``clique`` elsewhere.
    origins : sequence of sequences of int, optional
        Those of the trace.

    Examples
    --------
    >>> painter = Painter(Model({"A": (1, 2)}))
    >>> print(painter.dot(Scene(title="hello", domains=painter.model.domains)).splitlines()[0])
    // hello
    """

    def __init__(self, model: Model, lens: Lens | None = None, origins: Sequence[Sequence[int]] = ()) -> None:
        self.model = model
        self._origins = origins
        self._hidden = unsaid(model, origins)
        grids = find_grids(model)
        crowded = len(model.domains) > FEW
        if lens is None:
            lens = "grid" if crowded and sum(map(len, grids)) == len(model.domains) else "clique"
        self.lens = lens
        crowded = crowded or lens == "grid"
        self._signs = signs(model, grids, self._hidden) if crowded else []
        seam = WIDE_SEAM if self._signs or lens != "grid" else SEAM
        self.layout = layout(model, crowded, seam, self._hidden)
        points = self.layout.points
        self._cells: dict[Variable, tuple[Style, Domain]] = {}
        for grid in self.layout.grids:
            cells = [variable for variable in grid if self.layout.is_cell(variable)]
            universe = ordered(value for variable in cells for value in model.domains[variable])
            self._cells |= dict.fromkeys(cells, (cell_style(universe), universe))
        self._chips = {chip.number: chip for chip in chips(model, self.layout, self._with_chip())}
        self._boxes = [(point, self.layout.size(v)) for v, point in points.items()]
        self._boxes += [(chip.point, chip.size) for chip in self._chips.values()]
        self._edges = list(self._find_edges())
        self._drawn = {number for edge in self._edges for number in edge.constraints}
        self._drawn |= {sign.number for sign in self._signs}
        self._fixed = list(self._texts())
        self._legend = list(self._find_entries())
        self._note = self._find_note()
        left, right = self._span(0)
        self._width = max(380, int(right - left))

    def dot(self, shown: Scene) -> str:
        """The DOT text of a scene, for ``dot -Tsvg``: it asks for the engine that keeps the places."""
        title = " ".join(shown.title.split())
        label = legend.legend(title, self._legend, self._width, self._note)
        removed: dict[Variable, list[Value]] = {}
        for variable, value in shown.removed:
            removed.setdefault(variable, []).append(value)
        lit = self._lit(shown.constraints)
        lines = [
            f"// {title}",
            f"graph {quote(title)} {{",
            "  graph [layout=nop2, outputorder=edgesfirst, bgcolor=white, pad=0.2, labelloc=b,",
            f'    fontname="{FONT}", label=<{label}>];',
            f'  node [shape=box, style="rounded,filled", fixedsize=true, fontname="{FONT}", fillcolor=white,',
            f'    color="{IDLE}", penwidth=1];',
            f'  edge [color="{EDGE}"];',
        ]
        lines += (self._vertex(variable, shown, removed.get(variable, [])) for variable in self.layout.points)
        for chip in self._chips.values():
            if not chip.quiet or chip.number in shown.constraints:
                lines.append(self._chip(chip, chip.number in lit))
        lines += (self._edge(edge, not lit.isdisjoint(edge.constraints)) for edge in self._edges)
        for number in shown.constraints:
            if number not in self._drawn and number < len(self.model.constraints):
                lines += (self._edge(edge, True) for edge in self._sudden(number))
        return "\n".join([*lines, *self._fixed, "}", ""])

    def _lit(self, numbers: Collection[int]) -> set[int]:
        """The constraints at work, and for those that have no picture of their own what they come from."""
        lit = set(numbers)
        for number in numbers:
            if number not in self._drawn and number not in self._chips and number < len(self._origins):
                lit.update(self._origins[number])
        return lit

    def _with_chip(self) -> Iterator[int]:
        """The numbers of the constraints that are vertices; a clique of variables that differ needs none."""
        for number in with_chip(self.model, self.layout, self._signs, self._hidden) if self.lens != "grid" else ():
            constraint = self.model.constraints[number]
            is_clique = len(constraint.scope) == 2 or isinstance(constraint, AllDifferent)
            if self.lens == "factor" or not is_clique or self.layout.shows_no_edges(constraint.scope):
                yield number

    def _find_edges(self) -> Iterator[Edge]:
        points = self.layout.points
        for chip in self._chips.values():
            if not chip.quiet and not self._is_aside(chip):
                yield from self._spokes(chip)
        for sign in self._signs:
            if isinstance(sign, Cage):
                for one, other in sign.links:
                    yield Edge(one, other, straight(points[one], points[other]), "cage", (sign.number,))
        if self.lens == "clique":
            yield from clique_edges(self.model, self.layout, self._hidden.union(self._chips))

    def _is_aside(self, chip: Chip) -> bool:
        """Whether a chip stands on the margin of a crowded grid."""
        return self.layout.shows_no_edges(self.model.constraints[chip.number].scope)

    def _spokes(self, chip: Chip) -> Iterator[Edge]:
        """The edges of the vertex of a constraint; they run straight, behind whatever is between."""
        constraint = self.model.constraints[chip.number]
        for v in constraint.scope:
            way = straight(chip.point, self.layout.points[v])
            yield Edge(f"group {chip.number}", v, way, look(constraint), (chip.number,))

    def _sudden(self, number: int) -> Iterator[Edge]:
        """The edges of a constraint at work that has none otherwise."""
        points, constraint = self.layout.points, self.model.constraints[number]
        chip = self._chips.get(number)
        if chip and not self._is_aside(chip):
            yield from self._spokes(chip)
        elif self.lens == "factor" and self.layout.shows_no_edges(constraint.scope):
            ends, links = threads(constraint.scope, chip.point if chip else None, self.layout)
            if chip:
                ways = ((v, straight(chip.point, points[v])) for v in ends)
                yield from (Edge(f"group {number}", v, way, look(constraint), (number,)) for v, way in ways)
            for one, other in links:
                yield Edge(one, other, straight(points[one], points[other]), look(constraint), (number,))
        elif self.lens != "grid" or len(constraint.scope) == 2:
            for one, other in combinations(constraint.scope, 2):
                yield Edge(one, other, straight(points[one], points[other]), look(constraint), ())

    def _edge(self, edge: Edge, active: bool) -> str:
        style = f'pos="{" ".join(map(pos, edge.way))}"'
        style += LOOKS[edge.look]
        if active:
            style += f', color="{CAUSE}", penwidth={5 if edge.look == "cage" else 2}'
        return f"  {quote(edge.one)} -- {quote(edge.other)} [{style}];"

    def _chip(self, chip: Chip, active: bool) -> str:
        width, height = chip.size
        style = f'fillcolor="{ACTIVE}", color="{CAUSE}", penwidth=2' if active else 'fillcolor="#F4F4F4"'
        return (
            f'  "group {chip.number}" [pos="{pos(chip.point)}", width={width / 72:.4g}, height={height / 72:.4g}, '
            f"fontsize={FONT_SIZE}, {style}, tooltip={quote(chip.name)}, label={quote(chip.text)}];"
        )

    def _vertex(self, variable: Variable, shown: Scene, removed: Sequence[Value]) -> str:
        width, height = self.layout.size(variable)
        style = [f'pos="{pos(self.layout.points[variable])}"', f"width={width / 72:.4g}", f"height={height / 72:.4g}"]
        marked, active = variable in shown.marked, variable in shown.active
        left, of_cell = shown.domains[variable], self._cells.get(variable)
        if of_cell:
            style.append("style=filled")
        if active:
            style.append(f'fillcolor="{ACTIVE}"')
        elif of_cell and of_cell[0] == "size" and len(left) > 1:
            style.append(f'fillcolor="{shade((len(left) - 1) / (len(self.model.domains[variable]) - 1))}"')
        if variable in shown.causes:
            style.append(f'color="{CAUSE}", penwidth=4')
        elif active:
            style.append(f'color="{CAUSE}", penwidth=1.5')
        elif marked:
            style.append(f'color="{MARKED}", penwidth=2.5')
        if of_cell:
            inside = cell(*of_cell, left, removed, marked)
        else:
            inside = card(self.model, variable, self.layout.columns[variable], left, removed, marked)
        style.append(f"label=<{inside}>")
        return f"  {quote(variable)} [{', '.join(style)}];"

    def _texts(self) -> Iterator[str]:
        """Indices on the margin, signs and sums between cells, comparisons at their edges."""
        points, grids = self.layout.points, self.layout.grids
        if any(chip.quiet for chip in self._chips.values()):
            yield self._frame()
        away = 9 if any(isinstance(sign, Cage) for sign in self._signs) else 0  # their texts stand above the cells
        outside = [h for grid in grids if all(map(self.layout.is_cell, grid)) for h in headers(grid, points)]
        rows = {y for _, y in points.values()}
        for number, (text, (x, y)) in enumerate(outside):
            yield written(f"index {number}", escape(text), (x, y) if y in rows else (x, y - away), 13, QUIET)
        regions = [
            line
            for grid in grids
            if all(map(self.layout.is_cell, grid))
            for line in region_lines(self.model, grid, points, self._hidden)
        ]
        yield from (stroke(f"region {number}", *line) for number, line in enumerate(regions))
        for sign in self._signs:
            match sign:
                case Sign(number, one, other, text):
                    middle = halfway(points[one], points[other])
                    if regions:
                        yield box(f"sign {number} behind", middle, (SEAM_FREE, SEAM_FREE), "white")
                    yield written(f"sign {number}", f"<B>{text}</B>", middle, 16)
                case Cage(number, _, text, side):
                    (x, y), (width, height) = points[sign.corner], self.layout.size(sign.corner)
                    wide = text_width(text, 12)
                    point = x - width / 2 + wide / 2, y - height / 2 - 9
                    if side == "left":
                        point = x - width / 2 - wide / 2 - 3, y - height / 2 + 8
                    yield written(f"sign {number}", f"<B>{escape(text)}</B>", point, 12)
        taken = list(self._boxes)
        for edge in self._edges:
            own = [self.model.constraints[number] for number in edge.constraints]
            own = [constraint for constraint in own if len(constraint.scope) == 2]
            texts = ", ".join(str(constraint) for constraint in own if not says_different(constraint))
            if not texts or not isinstance(edge.one, Variable) or self.layout.shows_no_edges(own[0].scope):
                continue
            size = text_width(texts, 12) * WIDER + 6, 16.0
            places = [along(edge.way, part) for part in (0.5, 0.4, 0.6, 0.3, 0.7)]
            free = [place for place in places if not any(touch(place, size, *block) for block in taken)]
            if free and size[0] - 6 < WORDY:
                taken.append((free[0], size))
                yield written(f"sign {edge.one} {edge.other}", escape(texts), free[0], 12, background="white")

    def _span(self, axis: int) -> tuple[float, float]:
        """From where to where the vertices reach, those of hidden constraints among them."""
        ends = [point[axis] + side * size[axis] / 2 for point, size in self._boxes for side in (-1, 1)] or [0.0]
        return min(ends), max(ends)

    def _frame(self) -> str:
        """What holds the room for vertices that show only now and then, so that no other ever moves."""
        (left, right), (top, bottom) = self._span(0), self._span(1)
        middle = (left + right) / 2, (top + bottom) / 2
        size = f"width={(right - left) / 72:.4g}, height={(bottom - top) / 72:.4g}"
        return f'  "frame" [style=invis, label="", {size}, pos="{pos(middle)}"];'

    def _find_entries(self) -> Iterator[Entry]:
        styles = {style for style, _ in self._cells.values()}
        for entry in legend.STATES:
            yield legend.BIT_GONE if styles == {"bitmap"} and entry is legend.GONE else entry
        if "bitmap" in styles:
            yield legend.BITS
        if "size" in styles:
            yield legend.FEW
            yield legend.MANY
        if "size" in styles or any(len(d) > SPELT for v, d in self.model.domains.items() if v not in self._cells):
            yield legend.COUNT
        if self._chips:
            yield legend.CHIP if all(isinstance(self.model.constraints[n], AllDifferent) for n in self._chips) \
                else legend.CONSTRAINT  # fmt: skip
        entries: dict[Look, Entry] = {"plain": legend.DIFFER, "dashed": legend.OTHER, "cage": legend.CAGE}
        looks = {edge.look for edge in self._edges}
        looks |= {look(self.model.constraints[number]) for number, chip in self._chips.items() if chip.quiet}
        yield from (entry for look, entry in entries.items() if look in looks)

    def _find_note(self) -> str:
        """What is left out."""
        shown = self._drawn | {n for n, chip in self._chips.items() if not chip.quiet}
        hidden = sum(n not in shown and len(c.scope) > 1 for n, c in enumerate(self.model.constraints))
        return f"{counted(hidden, 'constraint shows', 'constraints show')} only when active" if hidden else ""
