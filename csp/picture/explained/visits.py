"""What a method visited as marks: a tree, a matrix with its chosen rows, curves, bars, and a board with counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from math import log1p

from ...board.widths import text_width
from ...methods import Visits
from ...model import Value, Variable
from ...trace import Node, Removal, SearchTree, Trace, search_tree
from ..legend import starting
from ..plan import Plan
from ..shapes import BEHIND, JOINS, Shape, bounding_box, box, disc, line, text
from ..style import plain_counted

ACROSS, DOWN, DOT = 13.0, 16.0, 9.0
"""How far apart nodes of a tree are, and how wide they are."""
STEP, ROWS = 4.0, 400
"""How far apart the items of a matrix are, and the most rows of it."""
WIDE, HIGH = 480.0, 260.0
"""The size of a chart."""
BARS, BAR = 40, 20.0
"""The most bars, and how high one is with what is around it."""
TITLE, SMALL = 15, 12
GAP = 40.0


def visited(plan: Plan, visits: Visits) -> list[Shape]:
    """All that there is to see of a method's visits, side by side.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from csp.methods import attempt
    >>> model, visits = Model({v: (1, 2) for v in "AB"}, [AllDifferent.of("AB")]), Visits()
    >>> attempt(model, "backtracking", visits=visits).attempts
    4
    >>> [shape.text for shape in visited(Plan(model), visits) if shape.look == "title start"]
    ['4 values placed', 'how often each variable was given a value']
    """
    parts = []
    if visits.tree:
        shown, whole = len(visits.tree), sum(visits.counts.values())
        title = f"{whole:,} values placed" + (f"; the first {shown} are drawn" if shown < whole else "")
        parts.append(_titled(title, list(_tree(visits))))
    if visits.matrix:
        parts.append(_titled("options and their items; green: a cover", list(_matrix(visits))))
    if visits.course:
        parts.append(_titled("what is wrong (blue) and the temperature (red), step by step", list(_course(visits))))
    if visits.passes:
        parts.append(_titled("what each part has cost", list(_bars(visits.passes))))
    if visits.counts:
        parts.append(_titled(visits.about, list(_board(plan, visits.counts))))
    return beside(parts)


def searched(plan: Plan, trace: Trace) -> list[Shape]:
    """The search tree of this engine, and beside it how often each variable has lost values."""
    counts: Counter[Variable] = Counter()
    for record in trace.records:
        if isinstance(record, Removal):
            counts.update({variable for variable, _ in record.removed})
    nodes = search_tree(trace).nodes
    goals = {node.index for node in nodes if node.kind == "solution"}
    alive = {node.index for node in nodes if node.kind not in ("failure", "solution")}
    drawn = list(_twigs([-1 if node.parent is None else node.parent for node in nodes], goals, alive))
    title = f"{plain_counted(len(nodes), 'node')} " + ("until the first solution" if goals else "of the search")
    board = list(_board(plan, counts))
    return beside([_titled(title, drawn), _titled("how often each variable has lost values", board)])


def beside(parts: Sequence[Sequence[Shape]]) -> list[Shape]:
    """Pictures from left to right, with their tops on one line."""
    found: list[Shape] = []
    left = 0.0
    for part in parts:
        (start, top), (end, _) = bounding_box(part)
        found += [shape.shifted((left - start, -top)) for shape in part]
        left += end - start + GAP
    return found


def _titled(title: str, shapes: list[Shape]) -> list[Shape]:
    (left, top), _ = bounding_box(shapes)
    return [starting(title, "title", (left, top - 22), TITLE), *shapes]


def _tree(visits: Visits) -> Iterator[Shape]:
    parents = [-1, *(one.parent + 1 for one in visits.tree)]
    is_cut = len(visits.tree) < sum(visits.counts.values())
    alive = {*parents, *([len(parents) - 1] if is_cut else [])}
    return _twigs(parents, {index + 1 for index in visits.solutions}, alive)


def _twigs(parents: Sequence[int], goals: Set[int], alive: Set[int]) -> Iterator[Shape]:
    """A small tree without words: a red dot is a dead end, a green one a solution, thick the way to the first."""
    nodes = [Node(i, None if up < 0 else up, i, "branching", 0, 0, None, "", 1, 0) for i, up in enumerate(parents)]
    points = [(x * ACROSS, y * DOWN) for x, y in SearchTree(tuple(nodes)).places()]
    path, at = set(), min(goals, default=-1)
    while at >= 0:
        path.add(at)
        at = parents[at]
    for i, up in enumerate(parents):
        if up >= 0:
            yield line("path" if i in path else "twig", points[up], points[i])._replace(layer=BEHIND)
    for i, point in enumerate(points):
        look = "goal" if i in goals else "leaf" if i in alive else "dead"
        yield disc(look, point, DOT + 4 if look == "goal" else DOT)._replace(layer=JOINS)


def _matrix(visits: Visits) -> Iterator[Shape]:
    """A row for each option, a dot for each of its items; the chosen rows are green."""
    chosen = set(visits.chosen)
    first = (i for i in range(len(visits.matrix)) if i not in chosen)
    rows = sorted([*chosen, *(i for i, _ in zip(first, range(max(0, ROWS - len(chosen))), strict=False))])
    wide = visits.items * STEP
    for y, i in enumerate(rows):
        if i in chosen:
            yield box("taken", (wide / 2, y * STEP), (wide, STEP))._replace(layer=BEHIND)
        for item in visits.matrix[i][2]:
            yield box("dot", ((item + 0.5) * STEP, y * STEP), (STEP - 1, STEP - 1))
    yield box("component", (wide / 2, (len(rows) - 1) * STEP / 2), (wide + 4, len(rows) * STEP + 4))
    size = f"{plain_counted(len(visits.matrix), 'option')}, {plain_counted(visits.items, 'item')}"
    left_out = "" if len(rows) == len(visits.matrix) else f"; {len(rows)} of them are drawn"
    yield starting(size + left_out, "", (0, len(rows) * STEP + 14), SMALL)


def _course(visits: Visits) -> Iterator[Shape]:
    """Two curves over the same steps, each in its own scale, which the axes name."""
    course = visits.course
    across = WIDE / max(1, len(course) - 1)
    for which, look, side in ((1, "curve", 0.0), (0, "heat", WIDE)):
        values = [float(point[which]) for point in course]
        top = max([*values, 1e-9])
        points = tuple((i * across, HIGH * (1 - value / top)) for i, value in enumerate(values))
        yield line(look, *(points if len(points) > 1 else (*points, (WIDE, points[0][1]))))
        for part in (0.0, 0.5, 1.0):
            at = side + (-22 if not side else 22), HIGH * (1 - part)
            yield text(f"{top * part:.3g}", "", at, SMALL)
    yield line("rule", (0, 0), (0, HIGH), (WIDE, HIGH), (WIDE, 0))


def _bars(passes: Sequence[tuple[str, int]]) -> Iterator[Shape]:
    """A bar for each part of a method, longer by the logarithm of what it cost."""
    shown = passes[:BARS]
    most = log1p(max(number for _, number in shown)) or 1.0
    room = max(text_width(name, SMALL) for name, _ in shown) + 16
    for row, (name, number) in enumerate(shown):
        y, wide = row * BAR, WIDE / 2 * log1p(number) / most
        yield starting(name, "", (0, y), SMALL)
        yield box("bar", (room + wide / 2, y), (wide, BAR - 6))
        yield starting(f"{number:,}", "", (room + wide + 6, y), SMALL)
    if len(passes) > BARS:
        yield starting(f"and {len(passes) - BARS} more", "", (0, BARS * BAR), SMALL)


def _board(plan: Plan, counts: Mapping[Variable, int]) -> Iterator[Shape]:
    """The vertices in their places, darker the more often they were visited, with the number."""
    most = log1p(max(counts.values(), default=0)) or 1.0
    given: dict[Variable, Value] = {one.given[0]: one.given[1] for one in plan.model.constraints if one.given}
    for v, (x, y) in plan.layout.points.items():
        if v not in plan.visible:
            continue
        w, h = plan.layout.size(v)
        yield box("body cell", (x, y), (w, h), corner=3)
        number = counts.get(v, 0)
        if number:
            yield box("ramp", (x, y), (w - 4, h - 4))._replace(share=log1p(number) / most)
        if plan.names[v]:
            yield text(plan.names[v], "name", (x, y - h / 2 + 10), SMALL)
        words = _short(number)
        yield text(words, "", (x, y + (6 if plan.names[v] else 0)), min(15, 1.5 * w / len(words)))
        if v in given:
            yield text(given[v], "fixed", (x - w / 2 + 9, y - h / 2 + 10), SMALL)


def _short(number: int) -> str:
    """A number in at most four letters or so."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**4, "k")):
        if number >= size:
            return f"{number / (1000 if letter == 'k' else size):.3g}{letter}"
    return str(number)
