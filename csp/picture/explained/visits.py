"""Draw the visits of a search method as a tree, matrix, chart or board.

``csp compare`` shows these pictures side by side.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from math import log1p

from ...board.widths import text_width
from ...methods import Visits
from ...model import Value, Variable
from ...trace import Node, Removal, SearchTree, Trace, search_tree
from ..legend import text_from_left
from ..plan import Plan
from ..shapes import BEHIND, JOINS, Shape, bounding_box, box, disc, line, text
from ..style import plain_counted

ACROSS, DOWN, DOT = 13.0, 16.0, 9.0
"""The horizontal and vertical distance of the nodes of a tree, and their diameter, in points."""
STEP, ROWS = 4.0, 400
"""The distance of the items of a matrix in points, and its maximum number of rows; others are omitted."""
WIDE, HIGH = 480.0, 260.0
"""The width and height of a chart, in points."""
BARS, BAR = 40, 20.0
"""The maximum number of bars, and the height of the row of one bar in points."""
TITLE, SMALL = 15, 12
GAP = 40.0


def visits_picture(plan: Plan, visits: Visits) -> list[Shape]:
    """Return drawings of a search method's recorded work, such as its tree, side by side.

    Examples
    --------
    >>> from csp import AllDifferent, Model
    >>> from csp.methods import attempt
    >>> model, visits = Model({v: (1, 2) for v in "AB"}, [AllDifferent.of("AB")]), Visits()
    >>> attempt(model, "backtracking", visits=visits).attempts
    4
    >>> [shape.text for shape in visits_picture(Plan(model), visits) if shape.look == "title start"]
    ['4 values placed', 'number of values tried for each variable']
    """
    parts = []
    # Each kind of record has its own picture; a method fills only some of them.
    if visits.tree:
        drawn, total = len(visits.tree), sum(visits.counts.values())
        title = f"{total:,} values placed" + (f"; the first {drawn} are drawn" if drawn < total else "")
        parts.append(_with_title(title, list(_tree_shapes(visits))))
    if visits.matrix:
        parts.append(_with_title("options and their items; green: a cover", list(_matrix_shapes(visits))))
    if visits.course:
        parts.append(_with_title("violations (blue) and temperature (red), step by step", list(_course_shapes(visits))))
    if visits.passes:
        parts.append(_with_title("what each part has cost", list(_bar_shapes(visits.passes))))
    if visits.counts:
        parts.append(_with_title(visits.about, list(_board_shapes(plan, visits.counts))))
    return beside(parts)


def search_picture(plan: Plan, trace: Trace) -> list[Shape]:
    """Return a trace's search tree, beside the puzzle with removal counts per variable."""
    counts: Counter[Variable] = Counter()
    for record in trace.records:
        if isinstance(record, Removal):
            counts.update({variable for variable, _ in record.removed})
    # Solutions are goals; nodes that neither solve nor fail are alive.
    nodes = search_tree(trace).nodes
    goals = {node.index for node in nodes if node.kind == "solution"}
    alive = {node.index for node in nodes if node.kind not in ("failure", "solution")}
    twigs = list(_twig_shapes([-1 if node.parent is None else node.parent for node in nodes], goals, alive))
    title = f"{plain_counted(len(nodes), 'node')} " + ("until the first solution" if goals else "of the search")
    board = list(_board_shapes(plan, counts))
    return beside([_with_title(title, twigs), _with_title("how often each variable has lost values", board)])


def beside(parts: Sequence[Sequence[Shape]]) -> list[Shape]:
    """Return several pictures as one, from left to right with aligned tops."""
    shapes: list[Shape] = []
    offset = 0.0
    for part in parts:
        (left, top), (right, _) = bounding_box(part)
        shapes += [shape.shifted((offset - left, -top)) for shape in part]
        offset += right - left + GAP
    return shapes


def _with_title(title: str, shapes: list[Shape]) -> list[Shape]:
    """Return ``shapes`` with a title above them."""
    (left, top), _ = bounding_box(shapes)
    return [text_from_left(title, "title", (left, top - 22), TITLE), *shapes]


def _tree_shapes(visits: Visits) -> Iterator[Shape]:
    """Return the shapes of the tree of values that a search method tried."""
    parents = [-1, *(visit.parent + 1 for visit in visits.tree)]
    is_cut = len(visits.tree) < sum(visits.counts.values())
    alive = {*parents, *([len(parents) - 1] if is_cut else [])}
    return _twig_shapes(parents, {index + 1 for index in visits.solutions}, alive)


def _twig_shapes(parents: Sequence[int], goals: Set[int], alive: Set[int]) -> Iterator[Shape]:
    """Yield a small search tree without texts, from the parent index of each node.

    The root has the parent -1. A red dot is a dead end, a green dot a solution; the path to the first solution is
    thick.
    """
    nodes = [
        Node(i, None if parent < 0 else parent, i, "branching", 0, 0, None, "", 1, 0)
        for i, parent in enumerate(parents)
    ]
    points = [(x * ACROSS, y * DOWN) for x, y in SearchTree(tuple(nodes)).places()]
    # Follow the parents from the first solution to the root.
    path, index = set(), min(goals, default=-1)
    while index >= 0:
        path.add(index)
        index = parents[index]
    # Draw the twigs below the dots.
    for i, parent in enumerate(parents):
        if parent >= 0:
            yield line("path" if i in path else "twig", points[parent], points[i])._replace(layer=BEHIND)
    for i, point in enumerate(points):
        look = "goal" if i in goals else "leaf" if i in alive else "dead"
        yield disc(look, point, DOT + 4 if look == "goal" else DOT)._replace(layer=JOINS)


def _matrix_shapes(visits: Visits) -> Iterator[Shape]:
    """Yield the shapes of an exact-cover matrix: rows of options, with dots for items.

    Chosen rows are green. A matrix of more than 400 rows is drawn in part.
    """
    chosen = set(visits.chosen)
    unchosen = (i for i in range(len(visits.matrix)) if i not in chosen)
    # All chosen rows are drawn, and then as many others as the maximum allows.
    rows = sorted([*chosen, *(i for i, _ in zip(unchosen, range(max(0, ROWS - len(chosen))), strict=False))])
    width = visits.items * STEP
    for y, i in enumerate(rows):
        if i in chosen:
            yield box("taken", (width / 2, y * STEP), (width, STEP))._replace(layer=BEHIND)
        for item in visits.matrix[i][2]:
            yield box("dot", ((item + 0.5) * STEP, y * STEP), (STEP - 1, STEP - 1))
    yield box("component", (width / 2, (len(rows) - 1) * STEP / 2), (width + 4, len(rows) * STEP + 4))
    caption = f"{plain_counted(len(visits.matrix), 'option')}, {plain_counted(visits.items, 'item')}"
    omitted = "" if len(rows) == len(visits.matrix) else f"; {len(rows)} of them are drawn"
    yield text_from_left(caption + omitted, "", (0, len(rows) * STEP + 14), SMALL)


def _course_shapes(visits: Visits) -> Iterator[Shape]:
    """Yield the curves of cost and temperature over the steps of annealing."""
    course = visits.course
    step_width = WIDE / max(1, len(course) - 1)
    for index, look, axis_x in ((1, "curve", 0.0), (0, "heat", WIDE)):
        values = [float(point[index]) for point in course]
        maximum = max([*values, 1e-9])
        points = tuple((i * step_width, HIGH * (1 - value / maximum)) for i, value in enumerate(values))
        yield line(look, *(points if len(points) > 1 else (*points, (WIDE, points[0][1]))))
        for share in (0.0, 0.5, 1.0):
            middle = axis_x + (-22 if not axis_x else 22), HIGH * (1 - share)
            yield text(f"{maximum * share:.3g}", "", middle, SMALL)
    yield line("rule", (0, 0), (0, HIGH), (WIDE, HIGH), (WIDE, 0))


def _bar_shapes(passes: Sequence[tuple[str, int]]) -> Iterator[Shape]:
    """Yield a horizontal bar for the cost of each pass of a method.

    Its length is proportional to the logarithm of the cost.
    """
    drawn = passes[:BARS]
    maximum = log1p(max(number for _, number in drawn)) or 1.0
    bar_left = max(text_width(name, SMALL) for name, _ in drawn) + 16
    for row, (name, number) in enumerate(drawn):
        y, width = row * BAR, WIDE / 2 * log1p(number) / maximum
        yield text_from_left(name, "", (0, y), SMALL)
        yield box("bar", (bar_left + width / 2, y), (width, BAR - 6))
        yield text_from_left(f"{number:,}", "", (bar_left + width + 6, y), SMALL)
    if len(passes) > BARS:
        yield text_from_left(f"and {len(passes) - BARS} more", "", (0, BARS * BAR), SMALL)


def _board_shapes(plan: Plan, counts: Mapping[Variable, int]) -> Iterator[Shape]:
    """Yield each vertex with a count of its variable, darker for larger counts."""
    maximum = log1p(max(counts.values(), default=0)) or 1.0
    given: dict[Variable, Value] = {
        constraint.given[0]: constraint.given[1] for constraint in plan.model.constraints if constraint.given
    }
    for v, (x, y) in plan.layout.points.items():
        if v not in plan.visible:
            continue
        w, h = plan.layout.size(v)
        yield box("body cell", (x, y), (w, h), corner=3)
        number = counts.get(v, 0)
        if number:
            yield box("ramp", (x, y), (w - 4, h - 4))._replace(share=log1p(number) / maximum)
        if plan.names[v]:
            yield text(plan.names[v], "name", (x, y - h / 2 + 10), SMALL)
        label = _short_number(number)
        yield text(label, "", (x, y + (6 if plan.names[v] else 0)), min(15, 1.5 * w / len(label)))
        if v in given:
            yield text(given[v], "fixed", (x - w / 2 + 9, y - h / 2 + 10), SMALL)


def _short_number(number: int) -> str:
    """Return a number as text of about four characters, such as ``12k``."""
    for size, letter in ((10**9, "G"), (10**6, "M"), (10**4, "k")):
        if number >= size:
            return f"{number / (1000 if letter == 'k' else size):.3g}{letter}"
    return str(number)
