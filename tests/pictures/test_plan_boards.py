"""The plan of a picture: boards, maps, outlines and the page's data."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

import csp
import dsl
from csp import AllDifferent, Linear, Model, Variable, record
from csp.board.areas import outline
from csp.board.drawn.layouts import facts
from csp.board.widths import text_width
from csp.picture.frames import step_frames
from csp.picture.picture import picture
from csp.picture.plan import Plan
from csp.picture.scene import Scene
from csp.picture.style import WIDER
from csp.picture.vertex import form_parts
from csp.render.page.contract import ConstraintData, FormData, LensData, PlanData, VertexData, typedefs
from csp.render.page.data import plan_data
from csp.render.painter import Painter
from csp.render.solved import shown_plan, solution_shapes
from csp.trace import Removal

from ..conftest import ROOT
from ..plans import FAMILIES, Spot, grids, marks, plan
from .test_render import example, vertices

# Boards, tables, rulers, maps.


def test_the_words_of_a_table_are_large_and_fit_their_columns() -> None:
    drawn = plan("zebra")
    forms = {form for v, form in drawn.layout.forms.items() if v in drawn.pieces}
    assert {form.font for form in forms} == {15.0}
    assert all(text_width(name, 15) * WIDER <= form.slot[0] for form in forms for name in drawn.pieces.values())


def test_a_table_has_single_borders_no_empty_column_and_words_struck_inside_their_columns() -> None:
    drawn = plan("zebra")
    first = next(v for v in drawn.layout.points if v in drawn.pieces)
    form = drawn.layout.forms[first]
    parts = form_parts(form)
    # The rows consist of the columns of values; the asterisk is beside them.
    (middle, (width, _)), star = parts.whole["body"][0].points, parts.whole["star"][0].points[0]
    assert width == len(form.values) * form.slot[0] and star[0] < middle[0] - width / 2
    assert all(strike[0].points[1][0] < form.slot[0] - 8 for strike in parts.values["gone"])
    assert not [shape for shape in drawn.shapes if shape.look == "category"]
    rules = [shape for shape in drawn.shapes if shape.look == "rule"]
    assert len(rules) == 5 * 4, "between the columns only"


def test_found_values_of_one_and_two_digits_have_one_size() -> None:
    forms = {*plan("knights_tour").layout.forms.values()}
    assert {shape.size for form in forms for shapes in form_parts(form).values["last"] for shape in shapes} == {26}


def test_queens_are_drawn_on_a_board() -> None:
    queens = plan("queens").layout
    [board] = queens.boards
    assert board.kind == "board" and board.piece == "♛" and plan("queens").lens == "grid"
    columns = [queens.points[v][0] for v in board.variables]
    assert columns == sorted(columns) and len({queens.points[v][1] for v in board.variables}) == 1
    blocked = grids("blocked_queens")["blocked"]
    blocked_board = plan("blocked_queens").layout
    rows = [blocked_board.points[v] for v in blocked_board.boards[0].variables]
    assert rows == sorted(rows, key=lambda point: point[1]) and len({x for x, _ in rows}) == 1, (
        "rows of the board follow the layout"
    )
    black = {shape.points[0] for shape in marks("blocked_queens", "black")}
    for v, (x, y) in blocked_board.points.items():
        for i in range(10):
            dx, dy = blocked_board.forms[v].place(i)
            assert ((x + dx, y + dy) in black) == ((v.indices[0], i + 1) in blocked)


def test_the_zebra_puzzle_has_a_table_of_houses() -> None:
    zebra = plan("zebra").layout
    [board] = zebra.boards
    assert board.kind == "table" and [title for title, _ in board.groups] == [
        "nation",
        "color",
        "pet",
        "drink",
        "smoke",
    ]
    assert plan("zebra").pieces[Variable("house", "zebra")] == "zebra"
    assert [shape.text for shape in marks("zebra", "header")] == list("12345")
    assert not marks("zebra", "region")


def test_a_golomb_ruler_has_a_scale() -> None:
    [board] = plan("golomb").layout.boards
    assert board.kind == "ruler" and len(board.variables) == 6
    columns, scale = map(str, range(1, 6)), [str(number) for number in range(18)]
    texts = [shape.text for shape in marks("golomb", "header")]
    assert sorted(texts) == sorted([*(f"{column} apart" for column in columns), *scale])


def test_each_distance_of_a_ruler_is_between_its_two_marks_and_joined_to_them() -> None:
    drawn = plan("golomb")
    points = drawn.layout.points
    right = max(x + drawn.layout.size(v)[0] / 2 for v, (x, _) in points.items() if v.family == "mark")
    lines = {shape.points[1]: shape for shape in drawn.shapes if shape.look == "thread"}
    gaps = {v.indices: point for v, point in points.items() if v.family == "gap"}
    for (first, apart), (x, y) in gaps.items():
        last = int(first) + int(apart)
        ends = [points[Variable("mark", i)][1] for i in (first, last)]
        assert x > right and y == sum(ends) / 2
        assert lines[x, y].points == ((right, ends[0]), (x, y), (right, ends[1]))
        assert drawn.model.constraints[lines[x, y].constraints[0]].label == f"gap {first} to {last}"
    assert len(lines) == len(gaps) == 15
    # A step lights its lines, above the others.
    steps = step_frames(record(example("golomb"), nodes=0), 1, 20)
    shown = next(frame for frame in steps if frame.name.startswith("step") and "gap" in frame.title)
    threads = [shape.look for shape in picture(drawn, shown) if shape.look.startswith("thread")]
    assert threads == ["thread"] * 14 + ["thread on"]


def test_columns_of_a_board_continue_in_the_grid_below() -> None:
    """Check also that the board of an assignment lies beside its costs."""
    for name, order in (("costas", ("mark", "diff")), ("all_interval", ("row", "note", "step"))):
        picture = plan(name).layout
        points = {**picture.points, **picture.slips}
        columns = [{v.indices[-1]: points[v] for v in points if v.family == family} for family in order]
        heights = [column[1][1] for column in columns]
        assert heights == sorted(heights) and len({*heights}) == len(order)
        assert all(abs(column[index][0] - columns[0][index][0]) < 2 for column in columns for index in column)
    costs = plan("assignment").layout
    assert max(x for x, _ in costs.slips.values()) < min(costs.points[v][0] for v in costs.boards[0].variables)


@pytest.mark.parametrize(
    ("name", "families", "look"),
    [
        ("nurikabe", {"land"}, "tint-dark"), ("hitori", {"shaded"}, "tint-dark"), ("slitherlink", {"inside"}, "loop"),
        ("tents", {"cell"}, "found-text"), ("graeco_latin", {"latin", "greek"}, "found"),
        ("golomb", {"mark", "gap"}, "header"),
        ("knights_tour", {"cell"}, "path-blue"), ("numbrix", {"cell"}, "path-blue"),
    ],
)  # fmt: skip
def test_the_puzzle_is_drawn_and_not_its_encoding(name: str, families: set[str], look: str) -> None:
    """Check that only puzzle variables have places and that solutions look familiar."""
    model = example(name)
    assert {v.family for v in Plan(model).visible} == families
    solution = csp.solve(model)
    assert solution and look in {shape.look for shape in solution_shapes(shown_plan(model), solution)}


def test_maps_have_north_at_the_top() -> None:
    west, north, south, _, _, victoria, tasmania = plan("australia").layout.points.values()
    assert west[0] < south[0] and north[1] < south[1] < victoria[1] < tasmania[1]
    point_of = {v.indices[0]: point for v, point in plan("states").layout.points.items()}
    assert point_of["wa"][0] == point_of["ca"][0] < point_of["fl"][0] < point_of["me"][0]
    assert point_of["me"][1] < point_of["wa"][1] < point_of["ca"][1] < point_of["fl"][1]


def test_a_table_of_open_places_is_as_wide_as_the_cards_below() -> None:
    placement = plan("exam_timetable").layout
    cards = [(x, placement.size(v)[0]) for v, (x, _) in placement.points.items() if v.family == "room"]
    right = max(x + width / 2 for x, width in cards)
    assert right - 4 <= max(x for x, _ in placement.slips.values()) + placement.slip[0] / 2 <= right
    slots = [shape for shape in marks("exam_timetable", "slot") if shape.kind == "box"]
    assert {shape.points[1] for shape in slots} == {placement.slip}


def test_a_map_is_as_low_as_its_cards_allow() -> None:
    """Check that the map of Australia is wider than high, and that no two cards overlap."""
    placement = plan("australia").layout
    xs, ys = zip(*placement.points.values(), strict=True)
    (width, height), *_ = map(placement.size, placement.points)
    assert max(ys) - min(ys) + height < max(xs) - min(xs) + width
    for (x, y), (p, q) in combinations(placement.points.values(), 2):
        assert abs(x - p) >= width or abs(y - q) >= height


@pytest.mark.parametrize("lens", ["grid", "clique", "factor"])
def test_no_edge_crosses_the_names_of_a_table(lens: str) -> None:
    zebra_plan = plan("zebra")
    right = max(point[0] + zebra_plan.layout.size(v)[0] / 2 for v, point in zebra_plan.layout.points.items())
    assert all(x >= right - 1 for edge in zebra_plan.draw_lens(lens).edges for x, _ in edge.curve)
    assert not any(zebra_plan.joining_edges(lens, number) for number in range(len(zebra_plan.model.constraints)))


def test_maps_have_the_colours_of_their_names() -> None:
    assert plan("australia").paints == {"red": "#FF8F8F", "green": "#009E73", "blue": "#56B4E9"}
    assert len(set(plan("states").paints.values())) == 4 == len(plan("states").paints)
    assert not plan("money").paints and not plan("shidoku").paints and not plan("queens").paints


def test_givens_of_the_plan_are_the_fixed_variables_of_the_spec() -> None:
    for name in ("sudoku", "kakuro", "futoshiki", "zebra"):
        model = example(name)
        fixed = [c.scope[0] for c in model.constraints if len(c.scope) == 1 and isinstance(c, csp.Equality) and c.equal]
        assert plan(name).given.keys() == {*fixed}


# Geometry.


def test_outlines_surround_their_cells() -> None:
    for cells in ({(0, 0)}, {(0, 0), (1, 1)}, {(r, c) for r in range(3) for c in range(3)} - {(1, 1)}):
        sides = Counter()
        for outline_points in outline(cells):
            for (r, c), (s, d) in zip(outline_points, [*outline_points[1:], outline_points[0]], strict=True):
                assert (r == s) != (c == d)
                for i in range(max(abs(r - s), abs(c - d))):
                    step = (s > r) - (s < r), (d > c) - (d < c)
                    start = r + step[0] * i, c + step[1] * i
                    sides[start, (start[0] + step[0], start[1] + step[1])] += 1
        expected = {side for r, c in cells for side in list_sides(r, c) if side[2] not in cells}
        assert sides == Counter((start, end) for start, end, _ in expected)


def list_sides(r: int, c: int) -> Iterator[tuple[Spot, Spot, Spot]]:
    """Yield the sides of a cell, clockwise, each with the neighbour beyond it."""
    yield (r, c), (r, c + 1), (r - 1, c)
    yield (r, c + 1), (r + 1, c + 1), (r, c + 1)
    yield (r + 1, c + 1), (r + 1, c), (r + 1, c)
    yield (r + 1, c), (r, c), (r, c - 1)


@pytest.mark.sampled
@pytest.mark.parametrize("name", FAMILIES)
def test_printed_signs_do_not_overlap_cells_or_each_other(name: str) -> None:
    picture = plan(name).layout
    outside = [shape for shape in plan(name).shapes if shape.look in ("clue", "header", "title", "sum")]
    for shape in outside:
        x, y = shape.points[0]
        for v, (p, q) in picture.points.items():
            width, height = picture.size(v)
            assert abs(x - p) > width / 2 or abs(y - q) > height / 2, (shape, v)
    for i, first in enumerate(outside):
        for second in outside[:i]:
            (x, y), (p, q) = first.points[0], second.points[0]
            assert abs(x - p) + abs(y - q) > 10, (first, second)


def test_cages_that_share_a_cell_have_no_frame() -> None:
    cell = {(r, c): Variable("x", r, c) for r in range(3) for c in range(3)}
    cell_value = {place: csp.Affine.variable(v) for place, v in cell.items()}
    sums = [
        Linear(cell_value[r, c] + cell_value[r, c + 1] + cell_value[r + 1, c], "=", csp.Affine((), 7))
        for r in (0, 1)
        for c in (0, 1)
    ]
    domains = {v: range(1, 6) for v in cell.values()}
    assert not [shape for shape in Plan(Model(domains, sums)).shapes if shape.look == "cage"]
    assert len([shape for shape in Plan(Model(domains, sums[:1])).shapes if shape.look == "cage"]) == 1


def test_groups_that_cover_the_board_are_not_shaded() -> None:
    cell = {(r, c): Variable("x", r, c) for r in range(4) for c in range(4)}
    groups = [[cell[r, c] for r in (i, i + 2) for c in (j, j + 2)] for i in (0, 1) for j in (0, 1)]
    model = Model({v: range(4) for v in cell.values()}, map(AllDifferent.of, groups))
    assert not [shape for shape in Plan(model, crowded=True).shapes if shape.look == "shade"]


# The contract.


def find_optional_keys(kind: type) -> set[str]:
    """Return the keys of a typed dict that may be absent."""
    return {name for name, annotation in kind.__annotations__.items() if re.search("NotRequired|None", str(annotation))}


def test_the_data_of_the_page_matches_its_typed_dicts() -> None:
    data = plan_data(plan("killer"))
    kinds = {"forms": FormData, "vertices": VertexData, "constraints": ConstraintData}
    assert set(PlanData.__annotations__) - set(data) == find_optional_keys(PlanData)
    assert set(plan_data(plan("magic_hexagon"))) == set(PlanData.__annotations__)
    for name, kind in kinds.items():
        for entry in data[name]:  # type: ignore[literal-required]
            assert set(kind.__annotations__) - find_optional_keys(kind) <= set(entry) <= set(kind.__annotations__)
    assert all(set(lens) == set(LensData.__annotations__) for lens in data["lenses"].values())


def test_the_contract_of_the_scripts_matches_the_typed_dicts(golden: Callable[[str, str], None]) -> None:
    """Compare the generated file; --rewrite writes it again."""
    golden("../../csp/render/page/scripts/contract.js", typedefs())


def test_constraint_nodes_of_boxes_are_ordered_like_the_boxes_with_distinct_names() -> None:
    nodes = {node.name: node for node in plan("sudoku").constraint_nodes.values()}
    for i in (1, 2, 3):
        across = [nodes[f"box {i},{j}"].point for j in (1, 2, 3)]
        down = [nodes[f"box {j},{i}"].point for j in (1, 2, 3)]
        assert across == sorted(across) and len({x for x, _ in across}) == 3
        assert len({x for x, _ in down}) == 1 and down == sorted(down)
    for name in ("jigsaw", "sudoku", "evenodd"):
        texts = [node.text for node in plan(name).constraint_nodes.values()]
        assert len(texts) == len({*texts}) > 20


def test_constants_of_a_layout_are_drawn_in_their_cells() -> None:
    numbers = grids("hitori")["clue"]
    cells = {v: (int(v.indices[0]), int(v.indices[1])) for v in plan("hitori").model.domains}
    assert facts(plan("hitori").model, {v: (0, 0) for v in cells}) == {
        v: str(numbers[spot]) for v, spot in cells.items()
    }
    text = (ROOT / "examples" / "nurikabe.csp").read_text(encoding="utf-8")
    model = dsl.loads(text + "show land, size(R, C) = V : clue(R, C, V).")
    trace = record(model, nodes=0)
    texts = {shape.text for shape in Plan(trace.model, trace.origins).shapes if shape.look == "inner"}
    assert texts == {str(value) for value in grids("nurikabe")["clue"].values()}


def test_a_fixed_vertex_of_a_map_is_filled_with_its_colour() -> None:
    model = example("australia")
    domains = {v: ("red",) if "wa" in v else domain for v, domain in model.domains.items()}
    shapes = Painter(model).parts(Scene(title="", domains=domains)).shapes
    [fill] = [shape for shape in shapes if shape.look == "paint fill"]
    (width, height), (body_width, body_height) = fill.points[1], plan("australia").layout.size(fill.of[0])  # type: ignore[arg-type]
    assert fill.fill == "#FF8F8F" and body_width - width == body_height - height == 3
    vertex_shapes = [shape.look for shape in shapes if shape.of == fill.of]
    assert vertex_shapes.index("paint fill") < vertex_shapes.index("name"), "it does not cover the name"
    assert 'fillcolor="#FF8F8F"' in vertices(Painter(model).dot(Scene(title="", domains=domains)))["color(wa)"]


def test_an_arrow_in_a_table_begins_at_a_remaining_word_of_its_cause() -> None:
    trace = record(example("zebra"))
    step = next(r.step for r in trace.records if isinstance(r, Removal) and r.kind == "filtered" and r.cause)
    frame = next(step_frames(trace, step, step))
    layout = Plan(trace.model, trace.origins).layout
    arrows = [shape for shape in picture(Plan(trace.model, trace.origins), frame) if "hit" in shape.look.split()]
    assert arrows
    for arrow in arrows:
        cause, start = Variable(str(arrow.of[0])), arrow.points[0]
        words = [layout.square(cause, value) for value in frame.domains[cause]]
        assert min(abs(start[0] - x) for x, _ in words) < layout.forms[cause].slot[0] / 2, cause


def test_the_cards_of_a_pair_have_a_frame() -> None:
    drawn = plan("exam_timetable")
    frames = [shape for shape in drawn.shapes if shape.look == "tuple"]
    for frame in frames:
        (x, y), (width, height) = frame.points
        inside = {
            v.indices
            for v, (p, q) in drawn.layout.points.items()
            if abs(p - x) < width / 2 and abs(q - y) < height / 2 and v in drawn.visible
        }
        assert len(inside) == 1
    assert len(frames) == 8
    assert not any(shape.look == "tuple" for shape in plan("graeco_latin").shapes), "cells beside each other need none"
