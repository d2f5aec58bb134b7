"""Test the factor lens: constraint nodes, their lines and their wires."""

from __future__ import annotations

from itertools import combinations, pairwise
from math import dist

import pytest

from csp import Affine, AllDifferent, Linear, Model, Variable, record
from csp.board.widths import text_width
from csp.picture.frames import frames, step_frames
from csp.picture.layout.layout import layout
from csp.picture.layout.nodes import place_constraint_nodes, touch
from csp.picture.picture import constraint_shapes
from csp.picture.plan import Plan
from csp.picture.shapes import BEHIND, bounding_box
from csp.render.painter import Painter
from csp.trace import Removal, Round

from ..plans import plan
from .test_lenses import find_edge_ends, find_first_fixed, make_scenes, read_constraint_vertices
from .test_render import EDGE, example

pytestmark = pytest.mark.sampled(5)


def test_a_big_factor_graph_shows_the_line_of_the_active_group_and_its_wire() -> None:
    model = example("sudoku")
    picture = find_first_fixed(model)
    painter = Painter(model, "factor")
    text, shapes = painter.dot(picture), painter.parts(picture).shapes
    [number] = picture.constraints
    assert not find_edge_ends(text) and len(read_constraint_vertices(text)) == 27
    assert [shape.constraints for shape in shapes if shape.look == "spine on"] == [(number,)]
    # The lead begins at the node; the wire has a dot at the cause and a head at each removed value.
    [lead, wire] = [shape for shape in shapes if shape.look.startswith(("lead", "wire"))]
    node, [cause] = painter.plan.constraint_nodes[number], picture.causes
    assert all(abs(lead.points[0][i] - node.point[i]) <= node.size[i] / 2 for i in (0, 1))
    assert lead.points[-1] == wire.points[0]
    [dot] = [shape.points[0] for shape in shapes if shape.look.startswith("source") and shape.kind == "disc"]
    assert abs(dot[0] - painter.plan.layout.points[cause][0]) < 1
    heads = [shape.points[-1] for shape in shapes if "tap" in shape.look]
    squares = {painter.plan.layout.square(*candidate) for candidate in picture.removed}
    assert len(heads) == len(picture.removed)
    assert {min(squares, key=lambda square: dist(square, head)) for head in heads} == squares


def test_the_lead_of_a_run_begins_at_the_sum_or_at_the_sign_of_its_difference() -> None:
    trace = record(example("kakuro"))
    painter, signs = Painter(trace.model, "factor", trace.origins), {}
    for frame in frames(trace):
        shapes = painter.parts(frame).shapes
        texts = {number: shape for shape in shapes if "acting" in shape.look for number in shape.constraints}
        for lead in (shape for shape in shapes if shape.look.startswith("lead")):
            [number] = lead.constraints
            (x, y), (width, height) = texts[number].points
            assert min(abs(x + width / 2 - lead.points[0][0]), abs(y + height / 2 - lead.points[0][1])) < 1
            signs[number] = texts[number].text
    is_sum = {number: isinstance(trace.model.constraints[number], Linear) for number in signs}
    assert {*signs.values()} > {"≠"} and all((text != "≠") is is_sum[number] for number, text in signs.items())


def test_the_line_to_the_sum_of_a_run_is_bold_only_if_the_sum_acts() -> None:
    trace = record(example("kakuro"))
    painter = Painter(trace.model, "factor", trace.origins)
    for step, is_sum in ((24, False), (9, True)):
        frame = next(step_frames(trace, step, step))
        assert {isinstance(trace.model.constraints[number], Linear) for number in frame.constraints} == {is_sum}
        shapes = painter.parts(frame).shapes
        bold = {number for shape in shapes if {"stub", "on"} <= {*shape.look.split()} for number in shape.constraints}
        assert bold == ({*frame.constraints} if is_sum else set())
        assert {n for shape in shapes if "acting" in shape.look for n in shape.constraints} >= {*frame.constraints}
    assert painter.plan.count_unseen("factor") == 0


def test_only_sums_and_differences_of_a_run_have_wires() -> None:
    model = example("kakuro")
    scope = next(c.scope for c in model.constraints if isinstance(c, Linear) and len(c.scope) == 3)
    first, second, third = map(Affine.variable, scope)
    extended = Model(model.domains, [*model.constraints, Linear(first + 2 * second + third, ">=", 5)])
    drawn = Plan(extended)
    extra = len(model.constraints)
    assert any(extra in run.rules for puzzle in drawn.layout.puzzles for run in puzzle.runs)
    lens = drawn.draw_lens("factor")
    assert extra not in lens.wired and len(lens.wired) == extra
    assert extra not in {number for shape in lens.printed if shape.text for number in shape.constraints}


def test_the_wires_of_a_factor_graph_are_under_the_tabs_of_its_boxes() -> None:
    trace = record(example("sudoku"))
    frame = next(frame for frame in frames(trace) if frame.name == "round-3")
    shapes = Painter(trace.model, "factor").parts(frame).shapes
    tabs = [i for i, shape in enumerate(shapes) if shape.text.startswith("box ")]
    assert len(tabs) == 18 and max(i for i, shape in enumerate(shapes) if shape.look.startswith("wire")) < min(tabs)


def test_wires_along_columns_have_a_colour_of_their_own() -> None:
    trace = record(example("sudoku"))
    frame = next(frame for frame in frames(trace) if frame.name == "round-3")
    picture = Painter(trace.model, "factor").parts(frame)
    wires = [shape for shape in picture.shapes if shape.look.startswith("wire")]
    are_upright = [wire.points[0][0] == wire.points[-1][0] for wire in wires]
    assert are_upright == ["upright" in wire.look.split() for wire in wires] and {*are_upright} == {True, False}


def test_the_dot_of_a_cause_contains_the_value_that_it_removed() -> None:
    trace = record(example("sudoku"))
    frame = next(frame for frame in frames(trace) if frame.name == "round-3")
    shapes = [shape for shape in Painter(trace.model, "factor").parts(frame).shapes if shape.look.startswith("source")]
    digits = {shape.points[0]: shape.text for shape in shapes if shape.kind == "text"}
    assert {shape.points[0] for shape in shapes if shape.kind == "disc"} == {*digits}
    # Column 3 has two causes.
    layout = Plan(trace.model).layout
    beside = {round(layout.points[Variable("cell", r, 3)][1]): r for r in (7, 8)}
    left = layout.points[Variable("cell", 7, 3)][0] - layout.size(Variable("cell", 7, 3))[0] / 2
    found = {beside[round(y)]: digit for (x, y), digit in digits.items() if 0 < left - x < 12 and round(y) in beside}
    assert found == {7: "1", 8: "7"}


def test_values_that_one_cell_lost_at_once_share_the_head_of_a_wire() -> None:
    trace = record(example("kakuro"))
    frame = next(step_frames(trace, 9, 9))
    shapes = Painter(trace.model, "factor", trace.origins).parts(frame).shapes
    assert len(frame.removed) == 4 and len({v for v, _ in frame.removed}) == 1
    assert sum("tap" in shape.look for shape in shapes) == 1


def test_with_more_heads_than_cells_nodes_show_counts() -> None:
    trace = record(example("sudoku"))
    frame = next(frame for frame in frames(trace) if frame.name == "round-1")
    shapes = Painter(trace.model, "factor").parts(frame).shapes
    counts = [int(shape.text.lstrip("→×")) for shape in shapes if shape.kind == "text" and shape.look == "sent"]
    assert len(counts) == 27 and sum(counts) == len(frame.removed)
    assert not any(shape.look.startswith("wire") or "hit" in shape.look for shape in shapes)


def test_a_factor_graph_has_a_vertex_for_every_constraint() -> None:
    for name in ("shidoku", "australia", "money"):
        model = example(name)
        text = Painter(model, "factor").dot(next(make_scenes(model)))
        constraints = {n: c for n, c in enumerate(model.constraints) if len(c.scope) > 1}
        assert set(read_constraint_vertices(text)) == set(constraints)
        edges = {(int(node[7:-1]), variable[1:-1]) for node, variable, _ in EDGE.findall(text)}
        assert edges == {(n, variable) for n, c in constraints.items() for variable in c.scope}


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "queens", "money", "futoshiki", "killer", "windoku"])
def test_constraint_nodes_do_not_overlap_cells_or_each_other(name: str) -> None:
    model = example(name)
    picture = layout(model)
    nodes = place_constraint_nodes(
        model, picture, [n for n, c in enumerate(model.constraints) if isinstance(c, AllDifferent)]
    )
    boxes = [(point, picture.size(v)) for v, point in picture.points.items()]
    # A tab covers a cell at most at its border.
    boxes += [(node.point, (node.size[0], node.size[1] - 8 * node.is_tab)) for node in nodes]
    for ((x, y), (width, height)), ((p, q), (w, h)) in combinations(boxes, 2):
        assert abs(x - p) >= (width + w) / 2 - 1 or abs(y - q) >= (height + h) / 2 - 1
    for node in nodes:
        assert text_width(node.text, node.font) <= node.size[0] and node.name == model.constraints[node.number].name


def test_a_constraint_that_removed_values_has_the_border_of_a_cause() -> None:
    trace = record(example("sudoku"))
    frame = next(frame for frame in frames(trace) if frame.name == "round-3")
    rounds = [i for i, entry in enumerate(trace.records) if isinstance(entry, Round)]
    acted, placed = (
        {
            entry.number
            for entry in trace.records[rounds[2] : rounds[3]]
            if isinstance(entry, Removal) and entry.kind == kind
        }
        for kind in ("fixed", "placed")
    )
    shapes = Painter(trace.model, "factor").parts(frame).shapes
    bodies = [shape for shape in shapes if shape.look.startswith("body constraint")]
    causes = {shape.constraints[0] for shape in bodies if "cause" in shape.look}
    assert causes == acted | placed and 0 < len(causes) < len(bodies)
    grouped = {shape.constraints[0] for shape in bodies if "grouped" in shape.look}
    assert grouped == {*frame.groups} < placed, "the nodes of the groups whose cells have the tint have it, too"
    framed = {number for shape in shapes if "framing on" in shape.look for number in shape.constraints}
    assert framed == {number for number in acted | placed if trace.model.constraints[number].name.startswith("box")}


@pytest.mark.parametrize("name", ["sudoku", "skyscrapers"])
def test_the_line_of_a_constraint_leads_to_its_node_beside_all_headers(name: str) -> None:
    painter = Painter(example(name), "factor")
    lens = painter.plan.draw_lens("factor")
    lines = {number: shape.points for shape in lens.printed for number in shape.constraints}
    headers = [shape for shape in painter.plan.shapes if shape.look in ("header", "clue")]
    for number in lens.drawn_constraints:
        node = painter.plan.constraint_nodes[number]
        if node.is_tab:
            continue
        assert any(
            all(abs(end[i] - node.point[i]) <= node.size[i] / 2 + 0.1 for i in (0, 1))
            for end in (lines[number][0], lines[number][-1])
        ), node.text
        for (x, y), (p, q) in pairwise(lines[number]):
            for (a, b), (width, height) in (shape.points for shape in headers):
                assert (
                    max(x, p) < a - width / 2
                    or min(x, p) > a + width / 2
                    or not (min(y, q) - height / 2 < b < max(y, q) + height / 2)
                ), (node.text, a, b)


def test_edges_of_constraint_nodes_lie_behind_the_vertices() -> None:
    model = example("shidoku")
    painter = Painter(model, "factor")
    frame = next(frame for frame in frames(record(model)) if frame.name == "round-1")
    drawn = [shape for shape in painter.parts(frame).shapes if shape.is_curve]
    assert drawn and {shape.layer for shape in drawn} == {BEHIND}
    text = painter.dot(frame)
    assert all("style=invis" in attributes for _, _, attributes in EDGE.findall(text)), "the background has them"
    heads = sum("arrow" in shape.look.split() for shape in drawn)
    assert heads and text.count(" P 3 ") == heads, "with their heads"


@pytest.mark.parametrize("name", ["sudoku", "killer", "jigsaw", "windoku"])
def test_every_box_and_region_has_a_tab_on_its_upper_border(name: str) -> None:
    drawn = plan(name)
    nodes = [node for node in drawn.constraint_nodes.values() if node.is_tab]
    assert len(nodes) == (13 if name == "windoku" else 9)
    bodies = [constraint_shapes(node)[0] for node in nodes]
    for node, body in zip(nodes, bodies, strict=True):
        scope = drawn.model.constraints[node.number].scope
        top = min(drawn.layout.points[v][1] - drawn.layout.size(v)[1] / 2 for v in scope)
        (_, low), (_, high) = bounding_box([body])
        assert low < top - 1 and high < top + 5, "it covers a cell at most at its border"
        lines = [shape for shape in (*drawn.draw_lens("factor").printed, *drawn.shapes) if shape.kind == "line"]
        borders = [shape for shape in lines if node.number in shape.constraints]
        assert name == "windoku" or any(low < y < high for shape in borders for _, y in shape.points)
    boxes = [body.points for body in bodies]
    assert not any(touch(*first, *second, 0) for first, second in combinations(boxes, 2))


def test_an_edge_has_an_arrowhead_only_where_its_own_constraint_removed_a_value() -> None:
    trace = record(example("queens"), nodes=2)
    painter, heads = Painter(trace.model, "factor", trace.origins), 0
    for frame in (frame for frame in frames(trace) if frame.failure is None):
        for shape in painter.parts(frame).shapes:
            if shape.kind == "line" and {"edge", "arrow"} <= {*shape.look.split()}:
                own = [loss for loss in frame.losses if loss.number in shape.constraints]
                assert shape.of[1] in {v for loss in own for v, _ in loss.removed}
                heads += 1
    assert heads


@pytest.mark.parametrize("name", ["kakuro", "sudoku"])
def test_a_dot_has_the_value_of_its_cause(name: str) -> None:
    trace = record(example(name))
    painter, dots = Painter(trace.model, "factor", trace.origins), 0
    for frame in [*frames(trace), *step_frames(trace, 1, 60)]:
        for shape in painter.parts(frame).shapes:
            if shape.look.startswith("source") and shape.kind == "text":
                values = {str(frame.domains[v][0]) for v in frame.causes if len(frame.domains[v]) == 1}
                assert shape.text in values
                dots += 1
    assert dots > 10
