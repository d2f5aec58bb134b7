"""One moment of a trace as DOT text: every vertex in its place, with its name, its domain and its state."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import ceil

from ..constraints import AllDifferent, Constraint, Equality, Linear
from ..model import Candidate, Domain, Model, Value, Variable, ordered
from ..moments import Moment
from ..network import network, primal
from ..records import Decision, Failure, Removal, caption
from .layout import CELL, Curve, Point, curve, headers, layout, value_width

MARKED, REMOVED, ACTIVE, IDLE, CAUSE, EDGE = "#0072B2", "#D55E00", "#F0E442", "#999999", "#000000", "#CCCCCC"
FONT = "Helvetica,Arial,sans-serif"
TABLE = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="0" CELLPADDING="0">'
ASTERISK = f'<FONT COLOR="{MARKED}" POINT-SIZE="20"><B>*</B></FONT>'
SPELT = 16
"""Domains of more values are not spelt out on a card."""
BENDS = 10_000
"""With more pairs of an edge and a vertex, edges run straight: nobody could follow a bow there."""


@dataclass(frozen=True, kw_only=True)
class Scene:
    """What one picture shows.

    Attributes
    ----------
    title : str
        The caption underneath.
    domains : mapping of Variable to tuple
        What is left.
    marked : tuple of Variable
    removed : tuple of Candidate
        Values that have just gone, and are still seen, struck out.
    causes : tuple of Variable
        The vertices that made them go.
    active : tuple of Variable
        The scope of the constraint at work, or the variable that is decided.
    """

    title: str
    domains: Mapping[Variable, Domain]
    marked: tuple[Variable, ...] = ()
    removed: tuple[Candidate, ...] = ()
    causes: tuple[Variable, ...] = ()
    active: tuple[Variable, ...] = ()


def scene(moment: Moment) -> Scene:
    """What the picture of a moment shows.

    Parameters
    ----------
    moment : csp.moments.Moment

    Returns
    -------
    Scene

    Examples
    --------
    >>> from csp import record, replay
    >>> model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label="pair")])
    >>> scenes = [scene(moment) for moment in replay(record(model))]
    >>> scenes[2].title, scenes[2].removed, scenes[2].causes, scenes[2].active
    ('step 1 · pair: A = 1 removes 1 from B · marked 1', (('B', 1),), ('A',), ('A', 'B'))
    """
    match moment.record:
        case None:
            return Scene(title=f"the network · {len(moment.domains)} variables", domains=moment.domains)
        case Removal() as one:
            causes = tuple(variable for variable, _ in one.cause)
            active = one.constraint.scope if one.constraint else causes
            removed = one.removed
        case Failure() as one:
            causes, active, removed = (), failing(one), ()
        case Decision() as one:
            causes, active, removed = (), (one.candidate[0],), ()
        case _:
            causes, active, removed = (), (), ()
    return Scene(
        title=caption(moment.record),
        domains=moment.domains,
        marked=moment.marked,
        removed=removed,
        causes=causes,
        active=active,
    )


def failing(failure: Failure) -> tuple[Variable, ...]:
    """The variables on which a failure is seen."""
    if failure.constraint is not None:
        return failure.constraint.scope
    return (failure.what,) if isinstance(failure.what, Variable) else ()


def dot(model: Model, moment: Moment) -> str:
    """One moment as DOT text; for several of one model, keep a ``Painter``.

    Parameters
    ----------
    model : Model
    moment : csp.moments.Moment

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


class Painter:
    """Draws scenes of one model; whatever does not change between them is worked out once.

    Up to 20 variables the picture is the graph, with every edge. Beyond, a grid shows its state in its cells,
    and edges are drawn only where a variable stands on no grid.

    Parameters
    ----------
    model : Model

    Examples
    --------
    >>> painter = Painter(Model({"A": (1, 2)}))
    >>> print(painter.dot(Scene(title="hello", domains=painter.model.domains)).splitlines()[0])
    // hello
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        self.layout = layout(model)
        points = self.layout.points
        cells = [v for v in points if self.layout.is_cell(v)]
        self._universe = ordered(value for v in cells for value in model.domains[v])
        self._edges = list(self._find_edges())
        across = [x for x, _ in points.values()] or [0.0]
        self._width = max(380, int(max(across) - min(across) + self.layout.card[0]))
        self._headers = [
            header
            for grid in self.layout.grids
            if all(map(self.layout.is_cell, grid))
            for header in headers(grid, points)
        ]

    def dot(self, scene: Scene) -> str:
        """The DOT text of a scene, for ``dot -Tsvg``: it asks for the engine that keeps the places."""
        title = " ".join(scene.title.split())
        removed: dict[Variable, list[Value]] = {}
        for variable, value in scene.removed:
            removed.setdefault(variable, []).append(value)
        lines = [
            f"// {title}",
            "graph {",
            "  graph [layout=nop2, outputorder=edgesfirst, bgcolor=white, pad=0.2, labelloc=b,",
            f'    fontname="{FONT}", label=<{self._label(title)}>];',
            f'  node [shape=box, style="rounded,filled", fixedsize=true, fontname="{FONT}", fillcolor=white,',
            f'    color="{IDLE}", penwidth=1];',
            f'  edge [color="{EDGE}"];',
        ]
        lines += (self._vertex(variable, scene, removed.get(variable, [])) for variable in self.layout.points)
        active = set(scene.active)
        for one, other, way, differ in self._edges:
            style = f'pos="{" ".join(map(_place, way))}"' + ("" if differ else ", style=dashed")
            if one in active and other in active:
                style += f', color="{CAUSE}", penwidth=2'
            lines.append(f"  {quote(one)} -- {quote(other)} [{style}];")
        for number, (text, point) in enumerate(self._headers):
            lines.append(
                f'  "index {number}" [shape=plaintext, style="", fontcolor="#666666", fontsize=13, '
                f'width=0.3, height=0.25, label={quote(text)}, pos="{_place(point)}"];'
            )
        return "\n".join([*lines, "}", ""])

    def _find_edges(self) -> Iterator[tuple[Variable, Variable, Curve, bool]]:
        points, on_grid = self.layout.points, self.layout.on_grid
        crowded = self.layout.crowded
        if crowded and all(map(on_grid, points)):
            return
        constraints = self.model.constraints
        edges = [
            (one, other, any(_says_different(constraints[number]) for number in numbers))
            for one, other, numbers in primal(network(self.model)).edges(data="constraints")
            if not (crowded and on_grid(one) and on_grid(other))
        ]
        bends = len(edges) * len(points) <= BENDS
        for one, other, differ in edges:
            blocks = [(p, self.layout.size(v)) for v, p in points.items() if bends and v not in (one, other)]
            yield one, other, curve(points[one], points[other], blocks), differ

    def _vertex(self, variable: Variable, scene: Scene, removed: Sequence[Value]) -> str:
        width, height = self.layout.size(variable)
        place = _place(self.layout.points[variable])
        style = [f'pos="{place}"', f"width={width / 72:.4g}", f"height={height / 72:.4g}"]
        marked, active = variable in scene.marked, variable in scene.active
        if active:
            style.append(f'fillcolor="{ACTIVE}"')
        if variable in scene.causes:
            style.append(f'color="{CAUSE}", penwidth=4')
        elif active:
            style.append(f'color="{CAUSE}", penwidth=1.5')
        elif marked:
            style.append(f'color="{MARKED}", penwidth=2.5')
        draw = self._cell if self.layout.is_cell(variable) else self._card
        style.append(f"label=<{draw(variable, scene.domains[variable], removed, marked)}>")
        return f"  {quote(variable)} [{', '.join(style)}];"

    def _card(self, variable: Variable, left: Domain, removed: Sequence[Value], marked: bool) -> str:
        """The name above, with the asterisk; the domain underneath."""
        domain = self.model.domains[variable]
        if len(left) == 1 and not removed:
            state = _big(left[0], 24)
        elif len(domain) <= SPELT:
            wide = value_width(max(len(str(value)) for value in domain))
            state = _candidates(domain, left, removed, self.layout.columns[variable], (wide, 21), 16)
        else:
            state = _summary(left, removed, 14)
        name = f'<FONT POINT-SIZE="15"><B>{escape(variable)}</B></FONT>{ASTERISK if marked else ""}'
        return f'{TABLE}<TR><TD HEIGHT="24">{name}</TD></TR><TR><TD>{state}</TD></TR></TABLE>'

    def _cell(self, variable: Variable, left: Domain, removed: Sequence[Value], marked: bool) -> str:
        """The domain, and a strip on the right for the asterisk."""
        inside, margin = CELL - 4, 0
        if len(left) == 1 and not removed:
            state, margin = _big(left[0], 28), 11
        elif self._spells_cells:
            columns = ceil(len(self._universe) ** 0.5)
            size = (int(inside - 12) // columns, int(inside) // ceil(len(self._universe) / columns))
            state = _candidates(self._universe, left, removed, columns, size, 13 if columns > 2 else 16)
        else:
            state, margin = _summary(left, removed, 12), 11
        return (
            f'{TABLE}<TR><TD WIDTH="{margin}"></TD>'
            f'<TD WIDTH="{inside - 11 - margin:g}" HEIGHT="{inside:g}">{state}</TD>'
            f'<TD WIDTH="11" VALIGN="TOP">{ASTERISK if marked else ""}</TD></TR></TABLE>'
        )

    @property
    def _spells_cells(self) -> bool:
        return len(self._universe) <= 9 and all(len(str(value)) == 1 for value in self._universe)

    def _label(self, title: str) -> str:
        """The caption, and the legend below it."""
        lines = textwrap.wrap(title, max(40, int(self._width / 8)), max_lines=6, placeholder=" …")
        lines += [" "] * (2 - len(lines))
        text = "".join(f'{escape(line)}<BR ALIGN="LEFT"/>' for line in lines)
        entries = [
            (f'BORDER="2" COLOR="{MARKED}"', f'<FONT COLOR="{MARKED}"><B>*</B></FONT>', "marked"),
            (f'BORDER="1" COLOR="{REMOVED}"', _struck("1"), "removed now"),
            (f'BORDER="1" COLOR="{CAUSE}" BGCOLOR="{ACTIVE}"', " ", "active group or decision"),
            (f'BORDER="4" COLOR="{CAUSE}"', " ", "cause"),
            (f'BORDER="1" COLOR="{IDLE}"', " ", "idle"),
        ]
        if any(differ for *_, differ in self._edges):
            entries.append(('BORDER="0"', f'<FONT COLOR="{IDLE}">──</FONT>', "not equal"))
        if not all(differ for *_, differ in self._edges):
            entries.append(('BORDER="0"', f'<FONT COLOR="{IDLE}">- -</FONT>', "other constraint"))
        counts = any(len(d) > SPELT for v, d in self.model.domains.items() if not self.layout.is_cell(v))
        if counts or not self._spells_cells:
            entries.append(('BORDER="0"', _size(7), "values left"))
        return (
            f'<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="0">'
            f'<TR><TD HEIGHT="14" WIDTH="{self._width}"></TD></TR>'
            f'<TR><TD ALIGN="LEFT" BALIGN="LEFT"><FONT POINT-SIZE="15">{text}</FONT></TD></TR>'
            f"{_legend(entries, self._width)}</TABLE>"
        )


def quote(text: object) -> str:
    """A text as a quoted DOT string.

    Examples
    --------
    >>> print(quote('row "1"'))
    "row \\"1\\""
    """
    return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def escape(text: object) -> str:
    """A text for an HTML-like label."""
    return str(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _says_different(constraint: Constraint) -> bool:
    match constraint:
        case AllDifferent():
            return True
        case Equality():
            return not constraint.equal
        case Linear():
            return constraint.relation == "!="
    return False


def _place(point: Point) -> str:
    x, y = point
    return f"{round(x, 1):g},{round(0 - y, 1):g}"


def _big(value: Value, size: int) -> str:
    size = min(size, 24 if len(str(value)) == 2 else 18) if len(str(value)) > 1 else size
    return f'<FONT POINT-SIZE="{size}"><B>{escape(value)}</B></FONT>'


def _struck(text: object) -> str:
    return f'<FONT COLOR="{REMOVED}"><S>{escape(text)}</S></FONT>'


def _size(number: int) -> str:
    return f'<FONT COLOR="#666666" POINT-SIZE="14"><I>·{number}·</I></FONT>'


def _candidates(
    domain: Domain, left: Domain, removed: Sequence[Value], columns: int, size: tuple[int, int], font: int
) -> str:
    """Every value in its own place; a hole where one is gone."""
    wide, high = size
    last = len(left) == 1
    cells = []
    for value in domain:
        if value in removed:
            cells.append(f'BORDER="1" COLOR="{REMOVED}" BGCOLOR="white">{_struck(value)}')
        elif value in left:
            cells.append(f">{f'<B>{escape(value)}</B>' if last else escape(value)}")
        else:
            cells.append(">")
    cells += [">"] * (-len(cells) % columns)
    tds = [f'<TD FIXEDSIZE="TRUE" WIDTH="{wide}" HEIGHT="{high}" {cell}</TD>' for cell in cells]
    rows = "".join(f"<TR>{''.join(tds[i : i + columns])}</TR>" for i in range(0, len(tds), columns))
    return f'<FONT POINT-SIZE="{font}">{TABLE}{rows}</TABLE></FONT>'


def _summary(left: Domain, removed: Sequence[Value], font: int) -> str:
    """A few values spelt out, many as a number."""
    rows: list[str] = []
    if not left:
        rows.append(f'<FONT COLOR="{REMOVED}"><B>none</B></FONT>')
    elif len(left) == 1:
        rows.append(_big(left[0], 20))
    elif len(left) <= 3:
        rows += (" ".join(map(escape, left[i : i + 2])) for i in range(0, len(left), 2))
    else:
        rows.append(_size(len(left)))
    lines = [f"<TR><TD>{row}</TD></TR>" for row in rows]
    if removed:
        many = f'<FONT COLOR="{REMOVED}">−{len(removed)}</FONT>'
        gone = " ".join(map(_struck, removed)) if len(removed) <= 2 else many
        lines.append(f'<TR><TD BORDER="1" COLOR="{REMOVED}" BGCOLOR="white">{gone}</TD></TR>')
    return f'<FONT POINT-SIZE="{font}">{TABLE}{"".join(lines)}</TABLE></FONT>'


def _legend(entries: Iterable[tuple[str, str, str]], width: int) -> str:
    """Swatches and words, in as many rows as the width asks for, each filled up or it would be stretched."""
    rows: list[str] = []
    rooms: list[int] = []
    for style, inside, text in entries:
        words = 10 + ceil(6.8 * len(text))
        need = 24 + words + 6
        if not rooms or rooms[-1] < need:
            rows.append("")
            rooms.append(width - 6)
        rooms[-1] -= need
        rows[-1] += (
            f'<TD FIXEDSIZE="TRUE" WIDTH="24" HEIGHT="24" {style}><FONT POINT-SIZE="13">{inside}</FONT></TD>'
            f'<TD FIXEDSIZE="TRUE" WIDTH="{words}" HEIGHT="24" ALIGN="LEFT">'
            f'<FONT POINT-SIZE="13">{text}</FONT></TD>'
        )
    table = '<TABLE BORDER="0" CELLBORDER="0" CELLSPACING="3" CELLPADDING="0">'
    return "".join(
        f'<TR><TD ALIGN="LEFT">{table}<TR>{row}<TD WIDTH="{room}"></TD></TR></TABLE></TD></TR>'
        for row, room in zip(rows, rooms, strict=True)
    )
