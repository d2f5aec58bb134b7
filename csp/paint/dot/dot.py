"""One moment of a trace as DOT text: every vertex in its place, with its name, its domain and its state."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from ...model import AllDifferent, Model, Value, Variable
from ...picture.edges.edges import Edge, Look, look
from ...picture.layout.chips import Chip
from ...picture.layout.layout import FEW
from ...picture.plan import LensName, Plan
from ...picture.scene import Scene, scene
from ...picture.style import ACTIVE, CAUSE, EDGE, FONT, IDLE, MARKED, QUIET, REMOVED, counted, shade
from ...story import Moment
from . import legend
from .cells import Inside, label
from .legend import Entry
from .quoting import inches, pos, quote
from .shapes import anchor, shape

LOOKS: dict[Look, str] = {"plain": "", "dashed": f', style=dashed, color="{QUIET}"'}
THIN, THICK = f'color="{CAUSE}80", penwidth=2', f'color="{REMOVED}C0", penwidth=3'
"""Of what joins the cells of a constraint at work: to one that keeps its values, and to one that loses some."""
FINE = f'color="{CAUSE}66"'
"""Of the edges of one vertex where none is at work: dark, or they would whiten the values on their way."""


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


def _is_crossed(edge: Edge, causes: Collection[Variable], changed: Collection[Variable]) -> bool:
    """Whether an edge is one that a removal went along: from a cause to a vertex that has lost a value."""
    if not isinstance(edge.one, Variable):
        return True
    return (edge.one in causes and edge.other in changed) or (edge.other in causes and edge.one in changed)


class Painter:
    """Draws scenes of one model by its plan; nothing is placed here.

    Parameters
    ----------
    model : Model
        That of the trace, whose numbers of constraints the scenes have.
    lens : {"grid", "clique", "factor"}, optional
        ``grid``: the state alone; ``clique``: an edge wherever two variables share a constraint; ``factor``: a vertex
        for every constraint, with edges to its variables. Where vertices stand close, their edges would lie on top of
        each other: in the last two, groups stand beside them, and only the active one shows its edges. Where there is
        no room for the vertices of all constraints, only the active ones show. Without a lens: that of the plan.
    origins : sequence of sequences of int, optional
        Those of the trace.
    states : sequence of Entry, optional
        The states that can occur, which are in the legend; without any, there is none.

    Attributes
    ----------
    plan : Plan

    Examples
    --------
    >>> painter = Painter(Model({"A": (1, 2)}))
    >>> print(painter.dot(Scene(title="hello", domains=painter.model.domains)).splitlines()[0])
    // hello
    """

    def __init__(
        self,
        model: Model,
        lens: LensName | None = None,
        origins: Sequence[Sequence[int]] = (),
        states: Sequence[Entry] = legend.STATES,
    ) -> None:
        self.model = model
        self._states = states
        crowded = True if lens == "grid" and len(model.domains) <= FEW else None
        self.plan = Plan(model, origins, crowded)
        self.lens = lens or self.plan.lens
        self.layout = self.plan.layout
        self._shown = self.plan.through(self.lens)
        self._chips = [self.plan.chips[number] for number in self._shown.chips]
        self._ordered = all(map(self.layout.is_close, model.domains))
        self._marks = [*enumerate((*self.plan.marks, *self._shown.texts))]
        self._lined = any(mark.look == "region" for mark in self.plan.marks)
        self._boxes = [(point, self.layout.size(v)) for v, point in self.layout.points.items()]
        self._boxes += [(chip.point, chip.size) for chip in self._chips]
        self._legend = list(self._find_entries()) if states else []
        hidden = self.plan.unseen(self.lens)
        self._note = f"{counted(hidden, 'constraint shows', 'constraints show')} only when active" if hidden else ""
        left, right = self._span(0)
        self._width = max(380, int(right - left))

    def dot(self, shown: Scene) -> str:
        """The DOT text of a scene, for ``dot -Tsvg``: it asks for the engine that keeps the places."""
        title = " ".join(shown.title.split())
        words = legend.legend(title, self._legend, self._width, self._note)
        removed: dict[Variable, list[Value]] = {}
        for variable, value in shown.removed:
            removed.setdefault(variable, []).append(value)
        lit = self.plan.lit(self.lens, shown.constraints)
        work = lit.union(shown.along)
        order = "nodesfirst" if self._ordered else "edgesfirst"
        lines = [
            f"// {title}",
            f"graph {quote(title)} {{",
            f"  graph [layout=nop2, outputorder={order}, bgcolor=white, pad=0.2, labelloc=b,",
            f'    fontname="{FONT}", label=<{words}>];',
            f'  node [shape=box, style="rounded,filled", fixedsize=true, fontname="{FONT}", fillcolor=white,',
            f'    color="{IDLE}", penwidth=1, margin=0];',
            f'  edge [color="{EDGE}"];',
            anchor(),
        ]
        lines += self._drawn(lit, under=True)
        lines += (self._vertex(variable, shown, removed.get(variable, [])) for variable in self.layout.points)
        for chip in self._chips:
            if not chip.quiet or chip.number in lit:
                lines.append(self._chip(chip, chip.number in lit))
        for edge in self._shown.edges:
            own = [shown.causes_of(number) for number in edge.constraints if number in work]
            active = any(not (shown.causes and removed) or _is_crossed(edge, causes, removed) for causes in own)
            lines.append(self._edge(edge, active))
        lines += self._drawn(lit, under=False)
        for number in shown.constraints:
            if number < len(self.model.constraints):
                edges = self.plan.acting(self.lens, number, shown.causes_of(number))
                lines += (self._acting(edge, edge.other in removed) for edge in edges)
        if not (shown.constraints or shown.along):
            [one] = shown.active if len(shown.active) == 1 else [shown.following]
            lines += (self._joined(edge, FINE) for edge in (self.plan.around(self.lens, one) if one else ()))
        lines += [self._frame()] if any(chip.quiet for chip in self._chips) else []
        return "\n".join([*lines, "}", ""])

    def _drawn(self, lit: set[int], under: bool) -> Iterator[str]:
        """The marks under the vertices, or those over them."""
        for number, mark in self._marks:
            if mark.is_under == under:
                yield shape(number, mark, not lit.isdisjoint(mark.constraints), mark.look == "sign" and self._lined)

    def _edge(self, edge: Edge, active: bool) -> str:
        style = f'pos="{" ".join(map(pos, edge.way))}"' + LOOKS[edge.look]
        if active:
            style += f', color="{CAUSE}", penwidth=2'
        return f"  {quote(edge.one)} -- {quote(edge.other)} [{style}];"

    def _acting(self, edge: Edge, hit: bool) -> str:
        if not self._ordered:
            return self._edge(edge, True)
        return self._joined(edge, THICK if hit else THIN)

    def _joined(self, edge: Edge, style: str) -> str:
        way = " ".join(map(pos, edge.way))
        return f'  {quote(edge.one)} -- {quote(edge.other)} [pos="{way}", {style}];'

    def _chip(self, chip: Chip, active: bool) -> str:
        width, height = chip.size
        style = f'fillcolor="{ACTIVE}", color="{CAUSE}", penwidth=2' if active else 'fillcolor="#F4F4F4"'
        return (
            f'  "group {chip.number}" [pos="{pos(chip.point)}", width={width / 72:.4g}, height={height / 72:.4g}, '
            f"fontsize={chip.font}, {style}, tooltip={quote(chip.name)}, label={quote(chip.text)}];"
        )

    def _vertex(self, variable: Variable, shown: Scene, removed: Sequence[Value]) -> str:
        form, plan, domain = self.layout.forms[variable], self.plan, self.model.domains[variable]
        (width, height), left = form.size, shown.domains[variable]
        style = [f'pos="{pos(self.layout.points[variable])}"', f"width={inches(width)}", f"height={inches(height)}"]
        marked, active = variable in shown.marked, variable in shown.active
        if form.piece:  # only its head is filled, or the board would be hidden
            style.append('style=""')
        elif active:
            style.append("style=filled" if form.kind != "card" else 'style="rounded,filled"')
            style.append(f'fillcolor="{ACTIVE}"')
        elif variable in plan.bare:
            style.append('style=""')
        elif form.kind != "card":
            style.append("style=filled")
            if form.style == "size" and len(left) > 1:
                style.append(f'fillcolor="{shade((len(left) - 1) / (len(domain) - 1))}"')
        if variable in shown.causes:
            style.append(f'color="{CAUSE}", penwidth=4')
        elif active:
            style.append(f'color="{CAUSE}", penwidth=1.5')
        elif marked:
            style.append(f'color="{MARKED}", penwidth=2.5')
        inside = Inside(
            plan.names[variable], domain, left, removed, marked, variable in plan.given, plan.paints,
            plan.pieces.get(variable, ""), active,
        )  # fmt: skip
        style.append(f"label=<{label(form, inside)}>")
        return f"  {quote(variable)} [{', '.join(style)}];"

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
        """The signs that can occur."""
        forms = {id(form): form for form in self.layout.forms.values()}.values()
        styles = {form.style for form in forms if form.kind == "cell"}
        for entry in self._states:
            yield legend.BIT_GONE if styles == {"bitmap"} and entry is legend.GONE else entry
        if "bitmap" in styles:
            yield legend.BITS
        if "size" in styles:
            yield legend.FEW
            yield legend.MANY
        if any(form.style == "size" for form in forms):
            yield legend.COUNT
        if self.plan.given and len(self.plan.given) < len(self.model.domains):
            yield legend.GIVEN
        if self._chips:
            is_plain = all(isinstance(self.model.constraints[chip.number], AllDifferent) for chip in self._chips)
            yield legend.CHIP if is_plain else legend.CONSTRAINT
        entries: dict[Look, Entry] = {"plain": legend.DIFFER, "dashed": legend.OTHER}
        looks = {edge.look for edge in self._shown.edges}
        looks |= {look(self.model.constraints[chip.number]) for chip in self._chips if chip.quiet}
        yield from (entry for look, entry in entries.items() if look in looks)
        if any(mark.look == "cage" for mark in self.plan.marks):
            yield legend.CAGE
        groups = {isinstance(self.model.constraints[number], AllDifferent) for number in self._behind("shade")}
        yield from (entry for entry, is_group in ((legend.SHADED, True), (legend.EVEN, False)) if is_group in groups)
        if self._behind("odd"):
            yield legend.ODD_DISC

    def _behind(self, what: str) -> list[int]:
        """The constraints of all marks of a look."""
        return [number for mark in self.plan.marks if mark.look == what for number in mark.constraints]
