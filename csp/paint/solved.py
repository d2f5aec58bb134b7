"""A solution as a picture: the plan of its puzzle, painted as SVG with a value in every place, without Graphviz."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from ..board.grid import pictured
from ..model import Model, Value, Variable
from ..picture.layout.forms import Form
from ..picture.marks import LINES, Mark, Point
from ..picture.plan import Plan
from ..picture.style import EDGE, FOUND, IDLE
from .dot.quoting import escape
from .dot.shapes import FILLS, INKS, STROKES

MARGIN = 10.0
SMALLER = 0.55
"""The size of a point in a picture that has no candidates to show."""


class Paper:
    """An SVG that grows with what is drawn on it.

    Examples
    --------
    >>> paper = Paper()
    >>> paper.text((0, 0), "7", 20)
    >>> paper.svg().count("<text")
    1
    """

    def __init__(self) -> None:
        self.parts: list[str] = []
        self.low = [0.0, 0.0]
        self.high = [0.0, 0.0]

    def grow(self, *points: Point) -> None:
        """Take care that some points are seen."""
        for i in (0, 1):
            self.low[i] = min([self.low[i], *(point[i] for point in points)])
            self.high[i] = max([self.high[i], *(point[i] for point in points)])

    def box(self, middle: Point, size: Point, fill: str, line: str = "none", round_: float = 0) -> None:
        """A rectangle around a point."""
        x, y = middle[0] - size[0] / 2, middle[1] - size[1] / 2
        self.grow((x, y), (x + size[0], y + size[1]))
        corner = f' rx="{round_:g}"' if round_ else ""
        place = f'x="{x:g}" y="{y:g}" width="{size[0]:g}" height="{size[1]:g}"{corner}'
        self.parts.append(f'<rect {place} fill="{fill}" stroke="{line}"/>')

    def disc(self, middle: Point, across: float, fill: str) -> None:
        """A filled circle."""
        self.parts.append(f'<circle cx="{middle[0]:g}" cy="{middle[1]:g}" r="{across / 2:g}" fill="{fill}"/>')

    def path(self, points: Iterable[Point], line: str, width: float, dashed: bool = False, fill: str = "none") -> None:
        """A line through points."""
        corners = list(points)
        self.grow(*corners)
        way = "L".join(f"{x:g} {y:g}" for x, y in corners)
        dash = ' stroke-dasharray="5 4"' if dashed else ""
        self.parts.append(f'<path d="M{way}" fill="{fill}" stroke="{line}" stroke-width="{width:g}"{dash}/>')

    def text(self, at: Point, words: object, size: float, colour: str = "#000000", bold: bool = False) -> None:
        """Words around a point."""
        x, y = at
        wide = len(str(words)) * size * 0.3
        self.grow((x - wide, y - size / 2), (x + wide, y + size / 2))
        weight = ' font-weight="bold"' if bold else ""
        place = f'x="{x:g}" y="{y + size * 0.36:.5g}" font-size="{size:.3g}"'
        self.parts.append(f'<text {place} fill="{colour}"{weight}>{escape(words)}</text>')

    def mark(self, mark: Mark) -> None:
        """A mark of a plan."""
        if mark.shape == "line":
            wide, dashed = LINES[mark.look]
            self.path(mark.points, STROKES[mark.look], wide, dashed)
        elif mark.shape == "text":
            self.text(mark.points[0], mark.text, mark.size, INKS.get(mark.look, "#000000"), mark.look not in INKS)
        elif mark.shape == "disc":
            self.disc(mark.points[0], mark.points[1][0], FILLS[mark.look])
        else:
            middle, size = mark.points
            self.box(middle, size, FILLS[mark.look])

    def svg(self) -> str:
        """All of it, on white."""
        left, top = (low - MARGIN for low in self.low)
        wide, high = (self.high[i] - self.low[i] + 2 * MARGIN for i in (0, 1))
        size = (
            f'width="{wide * SMALLER:.0f}" height="{high * SMALLER:.0f}" viewBox="{left:g} {top:g} {wide:g} {high:g}"'
        )
        style = 'font-family="Helvetica, Arial, sans-serif" text-anchor="middle"'
        ground = f'<rect x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" fill="#FFFFFF"/>'
        return "\n".join(
            [f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>', ground, *self.parts, "</svg>", ""]
        )


def solution_svg(model: Model, solution: Mapping[str, Value], paper: Paper | None = None) -> str:
    """The picture of a solution: what is printed on the puzzle, and in every place its value.

    Parameters
    ----------
    model : Model
    solution : mapping of str to int or str
        With a value for all variables that the model shows, and for all others on their grids.
    paper : Paper, optional
        One on which something is drawn already.

    Returns
    -------
    str
        SVG. What the spec gives is black and bold, what was found is blue.

    Examples
    --------
    >>> model = Model({Variable("x", 1, 1): (1, 2), Variable("x", 1, 2): (1, 2)})
    >>> svg = solution_svg(model, {"x(1,1)": 1, "x(1,2)": 2})
    >>> svg.count("<rect"), svg.count(">2</text>")
    (3, 2)
    """
    plan, paper = shown_plan(model), paper or Paper()
    for mark in plan.marks:
        if mark.is_under:
            paper.mark(mark)
    for edge in plan.through("clique").edges if plan.lens == "clique" else ():
        if isinstance(edge.one, Variable):
            paper.path((edge.way[0], edge.way[3]), EDGE, 1.5)
    for v, point in plan.layout.points.items():
        _vertex(paper, plan, v, point, solution[v])
    for mark in plan.marks:
        if not mark.is_under:
            paper.mark(mark)
    return paper.svg()


def shown_plan(model: Model) -> Plan:
    """The plan of what a model shows, with the whole of its grids: clues are about all of their line."""
    shown = {v: model.domains[v] for v in pictured(model)}
    return Plan(
        Model(
            shown, [c for c in model.constraints if all(v in shown for v in c.scope)],
            layout=[entry for entry in model.layout if all(v in shown for v in entry.variables)],
        ),
        crowded=_crowds(model),
    )  # fmt: skip


def _crowds(model: Model) -> bool | None:
    """A solution needs no room for names where places tell them."""
    return True if all(len(v.indices) == 2 for v in pictured(model)) else None


def _vertex(paper: Paper, plan: Plan, v: Variable, point: Point, value: Value) -> None:
    form, given = plan.layout.forms[v], v in plan.given
    colour = "#000000" if given else FOUND
    bare = "none" if v in plan.bare else "#FFFFFF"
    if form.kind == "cell":
        paper.box(point, form.size, bare, IDLE)
        size = {1: 34, 2: 30}.get(len(str(value)), 22)
        paper.text((point[0], point[1] + (6 if form.corner else 0)), value, size, colour, given)
    elif form.kind == "card":
        x, y = point
        paper.box(point, form.size, plan.paints.get(value, "#FFFFFF"), IDLE, 8)
        inked = "#000000" if value in plan.paints else colour
        paper.text((x, y - form.size[1] / 2 + 16), plan.names[v], 18, "#000000", True)
        paper.text((x, y + 12), value, 26, inked, given)
    else:
        paper.box(point, form.size, "none" if form.piece else bare, IDLE)
        for words, at, bold in _line(plan, form, v, value):
            paper.text((point[0] + at[0], point[1] + at[1]), words, form.font, colour if bold else "#000000", True)


def _line(plan: Plan, form: Form, v: Variable, value: Value) -> Iterator[tuple[str, Point, bool]]:
    """The name and the one value of a line."""
    if plan.names[v]:
        across, down = form.head / 2 - form.size[0] / 2, form.head / 2 - form.size[1] / 2
        head = (0.0, down) if form.kind == "column" else (across, 0.0)
        yield plan.names[v], head, False
    yield plan.pieces.get(v) or form.words(value), form.place(form.values.index(value)), True
