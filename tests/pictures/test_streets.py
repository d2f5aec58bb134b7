"""Routes of arrows between cells."""

from __future__ import annotations

from itertools import pairwise

import pytest

from csp import Variable, record
from csp.picture.edges import Box, along
from csp.picture.frames import frames
from csp.picture.lines.arrows import covered_box
from csp.picture.lines.crossed import crossed_shapes
from csp.picture.lines.streets import Route, Streets, curved
from csp.picture.shapes import PRINTED, disc, pill, text
from csp.render.painter import Painter

from .test_render import example

CELLS: list[Box] = [((72.0 * c, 72.0 * r), (60.0, 60.0)) for r in range(3) for c in range(4)]
"""Three rows of four cells, with gaps of 12 points."""
TRACKS = (6.0, 3.5, 8.5)


def half(cell: Box) -> Box:
    """Return the place of a large value in the middle of a cell."""
    return cell[0], (30.0, 30.0)


def small(cell: Box, across: int = 0, down: int = 0) -> Box:
    """Return the place of a possible value of a cell."""
    return (cell[0][0] + 18 * across, cell[0][1] + 18 * down), (14.0, 16.0)


def find(streets: Streets, cause: int, target: int, across: int = 0, down: int = 0, key: str = "") -> Route:
    """Return the route from one cell of the middle row to a value of another one."""
    first, second = CELLS[4 + cause], CELLS[4 + target]
    return streets.find_route(first, second, half(first), [small(second, across, down)], key or cause)


def length_on(route: Route, y: float) -> float:
    """Return the length of the parts of a route on a horizontal line."""
    return sum(abs(p - x) for (x, a), (p, b) in pairwise(route) if a == b == y)


def test_neighbours_have_a_straight_arrow_and_others_a_street() -> None:
    assert find(Streets(CELLS, [], TRACKS), 0, 1) == ((15.0, 72.0), (65.0, 72.0))
    route = find(Streets(CELLS, [], TRACKS), 0, 3, 0, -1)
    assert length_on(route, 36.0) == 216.0 and len(route) == 4, "in the middle of the gap above the row"
    assert route[-1] == (216.0, 46.0), "at the upper side of the value"


def test_an_arrow_avoids_the_values_of_other_cells_and_of_its_own() -> None:
    """Write values around the removed one, except on its right."""
    target = CELLS[7]
    texts = [small(target, *place) for place in ((-1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1))]
    route = find(Streets(CELLS, texts, TRACKS), 0, 3)
    assert route[-1] == (223.0, 72.0) and route[-2][0] > 246, "from the street on the right"


def test_arrows_of_one_cause_share_a_line_and_others_keep_apart() -> None:
    streets = Streets(CELLS, [], TRACKS)
    near, far = find(streets, 0, 2, 0, -1, "A"), find(streets, 0, 3, 0, -1, "A")
    assert near[:2] == far[:2] and length_on(near, 36.0) == 144.0 and length_on(far, 36.0) == 216.0
    other = find(streets, 1, 3, 1, -1, "B")
    lines = [y for (_, y), (_, q) in pairwise(other) if y == q]
    assert lines and all(abs(y - 36.0) >= 2.4 for y in lines)


def test_an_arrow_ends_at_the_best_of_several_values() -> None:
    """Write a value above the first removed one."""
    target = CELLS[7]
    streets, ends = Streets(CELLS, [small(target, 0, -1)], TRACKS), [small(target), small(target, 1, -1)]
    route = streets.find_route(CELLS[4], target, half(CELLS[4]), ends, "A")
    assert route[-1] == (234.0, 46.0), "at the upper side of the second value"


def test_keys_with_a_common_cell_have_different_tints() -> None:
    """Draw arrows from all sides to one cell."""
    streets = Streets(CELLS, [], TRACKS)
    for key in (1, 4, 6, 9, 0, 10):
        streets.find_route(CELLS[key], CELLS[5], half(CELLS[key]), [small(CELLS[5])], key)
    assert sorted(streets.tints().values()) == [0, 1, 2, 3, 4, 5]


def test_a_bend_is_round_and_the_curve_has_the_ends_of_the_route() -> None:
    route = ((0.0, 0.0), (0.0, 30.0), (30.0, 30.0))
    points = curved(route)
    assert len(points) == 10 and points[0] == route[0] and points[-1] == route[-1]
    assert along(points, 0.5) == pytest.approx((1, 29), abs=0.1), "beside the corner"


@pytest.mark.parametrize("name", ["killer", "futoshiki"])
def test_no_arrow_crosses_a_value_that_stays_in_its_last_cell(name: str) -> None:
    trace = record(example(name))
    painter = Painter(trace.model, "grid", trace.origins)
    layout, tested = painter.plan.layout, 0
    for frame in frames(trace):
        shapes = painter.parts(frame).shapes
        values = [s for s in shapes if s.kind == "text" and s.of and {"possible", "found"} & {*s.look.split()}]
        for arrow in (s for s in shapes if s.look.startswith("edge hit") and "tie" not in s.look and len(s.of) == 2):
            (x, y), (p, q) = arrow.points[-4], arrow.points[-1]
            own = [covered_box(s) for s in values if s.of == (arrow.of[1],)]
            (left, top), (wide, high) = layout.points[Variable(arrow.of[1])], layout.size(Variable(arrow.of[1]))
            points = [(x + (p - x) * i / 50, y + (q - y) * i / 50) for i in range(51)]
            inside = [at for at in points if abs(at[0] - left) < wide / 2 and abs(at[1] - top) < high / 2]
            assert not [
                box for box in own for at in inside if all(abs(at[i] - box[0][i]) < box[1][i] / 2 - 1 for i in (0, 1))
            ]
            tested += bool(own)
    assert tested > 20


def test_texts_and_signs_that_arrows_cross_are_above_them() -> None:
    trace = record(example("zebra"), nodes=20)
    painter = Painter(trace.model, "grid", trace.origins)
    frame = next(frame for frame in frames(trace) if frame.name == "rules-6")
    shapes = painter.parts(frame).shapes
    arrows = [i for i, shape in enumerate(shapes) if shape.look.startswith("edge hit")]
    coffee = [i for i, shape in enumerate(shapes) if shape.text == "coffee"]
    assert coffee[0] < arrows[0] and arrows[-1] < coffee[-1] and "backed" in shapes[coffee[-1]].look
    # A disc between cells is crossed as a text is; a struck value, or a count of them, is not.
    crossed = crossed_shapes(
        [
            disc("bead", (0, 34), 15),
            text(7, "gone", (30, 34), 15),
            *pill("loss", "−1", (30, 34)),
            disc("bead", (60, 0), 15),
        ],
        [((-20, 34), (0, 34), (20, 34), (40, 34))],
    )
    assert [shape.points[0] for shape in crossed] == [(0, 34)]


@pytest.mark.parametrize(("name", "frame"), [("aqre", "rules-7"), ("cojun", "rules-1")])
def test_a_clue_that_acted_is_whole_above_the_arrows_that_cross_it(name: str, frame: str) -> None:
    trace = record(example(name), nodes=20)
    painter = Painter(trace.model, "grid", trace.origins)
    shapes = painter.parts(next(moment for moment in frames(trace) if moment.name == frame)).shapes
    clues = [shape for shape in shapes if shape.kind == "text" and "acting" in shape.look.split()]
    for clue in clues:
        on_clue = [shape for shape in shapes if shape.kind != "line" and shape.points[0] == clue.points[0]]
        assert [shape.kind for shape in on_clue[-2:]] == ["box", "text"] and "backed" not in on_clue[-1].look
    assert clues


def test_arrows_end_above_failed_squares() -> None:
    trace = record(example("queens"), nodes=20)
    painter = Painter(trace.model, "grid", trace.origins)
    frame = next(frame for frame in frames(trace) if frame.failure is not None and frame.losses)
    shapes = painter.parts(frame).shapes
    assert {shape.layer for shape in shapes if shape.look == "failed-square"} == {PRINTED}, "Graphviz draws layers"
    looks = [shape.look for shape in shapes]
    arrows = [i for i, look in enumerate(looks) if look.startswith("edge hit")]
    fills = [i for i, look in enumerate(looks) if look == "failed-square"]
    assert arrows and fills and max(fills) < min(arrows)


def test_a_line_of_a_board_without_a_value_is_filled_at_once() -> None:
    trace = record(example("queens"), nodes=20)
    painter, empty_lines = Painter(trace.model, "grid", trace.origins), 0
    for frame in (frame for frame in frames(trace) if frame.summary):
        empty = {v for v, domain in frame.domains.items() if not domain}
        filled = {shape.of[0] for shape in painter.parts(frame).shapes if "failed" in shape.look.split() and shape.of}
        assert filled == empty
        empty_lines += len(empty)
    assert empty_lines
