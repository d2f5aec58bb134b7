"""Tests of the lenses: vertices, edges, constraint nodes, signs and cages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations, islice, pairwise, product
from math import dist

import pytest

import dsl
from csp import Affine, AllDifferent, Linear, Model, Trace, Variable, record, replay
from csp.board.clues import Sign
from csp.board.grid import find_grids
from csp.board.puzzle import find_puzzle
from csp.board.widths import text_width, wrap_text
from csp.picture import edges
from csp.picture.frames import frames, step_frames
from csp.picture.layout.forms import cell_form, cell_style
from csp.picture.layout.nodes import touch
from csp.picture.lenses import LENSES
from csp.picture.plan import Plan
from csp.picture.scene import Scene, scene
from csp.picture.shapes import bounding_box
from csp.picture.style import ACTING, CAUSE, FONT, IDLE, MARKED, REMOVED, combine_styles
from csp.picture.vertex import VertexState, vertex
from csp.render.dot.dot import common_room, escape
from csp.render.dot.drawing import draw
from csp.render.page.film import film
from csp.render.painter import Painter
from csp.trace import Removal

from ..conftest import ROOT, TIMES, Limits
from ..plans import plan
from .test_render import EDGE, INK, PLACE, STRIKE, example, vertices

pytestmark = pytest.mark.sampled(5)

SPECS = ["shidoku", "sudoku", "queens", "money", "australia", "latin"]


def make_scenes(model: Model, limit: int = 40) -> Iterator[Scene]:
    return islice(map(scene, replay(record(model, nodes=3))), limit)


def read_constraint_vertices(text: str) -> dict[int, str]:
    """Return the attributes of the constraint vertices by number."""
    return {
        int(number): attributes for number, attributes in re.findall(r'^  "group (\d+)" \[(.*)\];$', text, re.MULTILINE)
    }


def find_first_fixed(model: Model) -> Scene:
    moments = replay(record(model, nodes=3))
    return next(scene(m) for m in moments if isinstance(m.record, Removal) and m.record.kind == "fixed")


@pytest.mark.parametrize(("name", "lens"), list(product(SPECS, LENSES)))
def test_positions_are_pinned_in_every_lens(name: str, lens: str) -> None:
    model = example(name)
    painter = Painter(model, lens)
    places = set()
    for picture in make_scenes(model, 6):
        text = painter.dot(picture)
        numbered = {f"group {n}": attributes for n, attributes in read_constraint_vertices(text).items()}
        vertex_attributes = vertices(text) | numbered
        places.add(tuple((name, PLACE.search(attributes)[1]) for name, attributes in vertex_attributes.items()))  # type: ignore[index]
    assert len(places) == 1


@pytest.mark.parametrize(("name", "lens"), list(product(SPECS, LENSES)))
def test_every_colour_is_repeated_by_a_sign(name: str, lens: str) -> None:
    model = example(name)
    painter = Painter(model, lens)
    for picture in islice(make_scenes(model), 0, None, 4 // min(TIMES, 4)):
        for attributes in vertices(painter.dot(picture)).values():
            border = re.search(r'\bcolor="([^"]*)"', attributes.split("\n")[0])
            colour = border[1] if border else IDLE
            assert (MARKED in attributes) == ("<B>*</B>" in attributes)
            assert (f' color="{REMOVED}", penwidth=1,' in attributes) == any(
                sign in attributes for sign in (STRIKE, "−")
            )
            states = set(re.findall(r"\w+", "".join(re.findall('class="([^"]*)"', attributes))))
            assert (colour == CAUSE) == ("cause" in states), "a black border marks who acted"
            assert colour in (IDLE, CAUSE, MARKED, ACTING) or (colour == REMOVED and "failed" in states)


def test_the_default_lens_depends_on_the_spec() -> None:
    for name, lens in (("shidoku", "clique"), ("sudoku", "grid"), ("australia", "clique"), ("states", "clique")):
        assert Painter(example(name)).lens == lens
    # Expressions have no place of their own, and leave cards room for edges; helpers that a spec hides do not.
    assert Painter(example("salesman")).lens == "grid"
    trace = record(example("exam_timetable"), nodes=0)
    plan = Plan(trace.model, trace.origins)
    names = [constraint.name for constraint in trace.model.constraints]
    clashes = {tuple(f"period({e})" for e in re.findall(r"\d", name)) for name in names if name.startswith("clash ")}
    edges = [(edge.start, edge.end) for edge in plan.draw_lens(plan.lens).edges]
    assert plan.lens == "clique" and len(edges) == 9 and {*map(frozenset, edges)} == {*map(frozenset, clashes)}


def test_a_big_clique_shows_only_the_edges_of_the_active_group() -> None:
    model = example("sudoku")
    painter = Painter(model, "clique")
    picture = find_first_fixed(model)
    text = painter.dot(picture)
    edges = EDGE.findall(text)
    assert {frozenset((source[1:-1], target[1:-1])) for source, target, _ in edges} == {
        frozenset((cause, v))
        for cause in picture.causes
        for v in model.constraints[picture.constraints[0]].scope
        if v in {variable for variable, _ in picture.removed}
    }
    assert text.count('"over ink" -- "over ink"') == 2 * len(edges), "an arrow with a rim for each value"
    assert not read_constraint_vertices(text), "a clique has no vertices of constraints"


def find_edge_ends(text: str) -> set[frozenset[str]]:
    return {frozenset((source[1:-1], target[1:-1])) for source, target, _ in EDGE.findall(text)}


@pytest.mark.parametrize("lens", ["clique", "factor"])
@pytest.mark.parametrize(("name", "count"), [("sudoku", 27), ("kakuro", 14)])
def test_a_big_graph_shows_a_line_through_the_cells_of_every_constraint(name: str, count: int, lens: str) -> None:
    model = example(name)
    painter = Painter(model, lens)
    shapes = [shape for shape in painter.parts(next(make_scenes(model))).shapes if shape.look.startswith("spine")]
    lines = {number: shape for shape in shapes for number in shape.constraints}
    assert len(lines) >= count
    layout = painter.plan.layout
    for number, shape in lines.items():
        (left, top), (right, bottom) = bounding_box([shape])
        for v in model.constraints[number].scope:
            (x, y), (w, h) = layout.points[v], layout.size(v)
            if "framing" in shape.look:
                assert left < x - w / 2 and x + w / 2 < right and top < y - h / 2 and y + h / 2 < bottom
                continue
            assert any(
                abs(a + (p - a) * i / 99 - x) < w / 2 + 1 and abs(b + (q - b) * i / 99 - y) < h / 2 + 1
                for (a, b), (p, q) in pairwise(shape.points)
                for i in range(100)
            ), "the line reaches every cell"
    page_lines = [shape for shape in film(record(model, nodes=0))["lenses"][lens]["texts"] if "spine" in shape[1]]
    assert len(page_lines) == len(shapes), "the page has them, too"


@pytest.mark.parametrize("name", ["queens", "zebra"])
def test_edges_join_the_lines_of_a_board(name: str) -> None:
    drawn = plan(name)
    stated = [number for number, constraint in enumerate(drawn.model.constraints) if len(constraint.scope) > 1]
    arcs, spokes = (drawn.draw_lens(lens).edges for lens in ("clique", "factor"))
    pairs = {frozenset(pair) for number in stated for pair in combinations(drawn.model.constraints[number].scope, 2)}
    assert {frozenset((arc.start, arc.end)) for arc in arcs} == pairs and len(arcs) == len(pairs)
    members = {(f"group {number}", v) for number in stated for v in drawn.model.constraints[number].scope}
    assert {(spoke.start, spoke.end) for spoke in spokes} == members
    # No edge covers a line of the board, and no node another node.
    cells = [(point, drawn.layout.size(v)) for v, point in drawn.layout.points.items()]
    assert all(edges.clear(edge.curve, cells, 0) for edge in (*arcs, *spokes))
    nodes = [drawn.constraint_nodes[number] for number in drawn.draw_lens("factor").drawn_constraints]
    assert name == "queens" or len({round(node.point[0] - node.size[0] / 2, 1) for node in nodes}) == 1
    assert not any(touch(a.point, a.size, b.point, b.size, 0) for a, b in combinations(nodes, 2))


@pytest.mark.parametrize(("name", "along"), [("queens", 0), ("blocked_queens", 1)])
def test_each_constraint_of_a_board_has_a_line_from_which_its_edges_turn(name: str, along: int) -> None:
    drawn = plan(name)
    spokes, nodes = drawn.draw_lens("factor").edges, drawn.constraint_nodes
    level_of = {spoke.constraints: spoke.curve[3][1 - along] for spoke in spokes}
    for spoke in spokes:
        corners, [number] = spoke.curve[::3], spoke.constraints
        # From the node along the line of its constraint, and straight to the variable.
        assert corners[0][1 - along] == corners[1][1 - along] == level_of[(number,)] and len(corners) == 4
        assert corners[2][along] == corners[3][along]
        assert all(abs(corners[0][i] - nodes[number].point[i]) <= nodes[number].size[i] / 2 + 0.1 for i in (0, 1))
    assert len(set(level_of.values())) == len(level_of) == 3, "no two constraints share a line"
    ends = sorted(spoke.curve[-1][along] for spoke in spokes)
    assert all(second - first > 5 for first, second in pairwise(ends)), "each edge has its own end"


def test_the_heads_of_two_diagonals_do_not_meet_at_a_corner() -> None:
    trace = record(example("queens"), nodes=40)
    painter, distances = Painter(trace.model, "clique", trace.origins), [100.0]
    for frame in frames(trace):
        squares = [painter.plan.layout.square(*candidate) for candidate in frame.removed]
        heads = {shape.points[-1] for shape in painter.parts(frame).shapes if shape.look.startswith("edge hit")}
        square_of = {head: min(squares, key=lambda square: dist(square, head)) for head in heads}
        distances += (dist(a, b) for a, b in combinations(heads, 2) if square_of[a] != square_of[b])
    assert 10 < min(distances) < 50


@pytest.mark.parametrize("lens", ["clique", "factor"])
def test_edges_beside_a_table_carry_the_arrows_so_that_none_crosses_its_words(lens: str) -> None:
    trace = record(example("zebra"))
    painter = Painter(trace.model, lens, trace.origins)
    for frame in (frame for frame in frames(trace) if frame.losses):
        shapes = painter.parts(frame).shapes
        assert not any("hit" in shape.look for shape in shapes)
        heads = [(shape.of, n) for shape in shapes if "arrow" in shape.look.split() for n in shape.constraints]
        assert all(
            any(v in ends and n == loss.number for ends, n in heads) for loss in frame.losses for v, _ in loss.removed
        )


def test_no_neighbour_covers_the_border_of_a_cause() -> None:
    trace = record(example("zebra"))
    painter = Painter(trace.model, "grid", trace.origins)
    for frame in (frame for frame in frames(trace) if frame.causes):
        bodies = [shape.of[0] for shape in painter.parts(frame).shapes if shape.look.startswith("body row")]
        assert set(bodies[-len(frame.causes) :]) == set(frame.causes) and len(bodies) == 25


def test_a_board_above_another_has_flat_arcs_and_no_nodes_between_them() -> None:
    drawn = plan("all_interval")
    notes = [v for v in drawn.visible if v.family == "note"]
    top = min(drawn.layout.points[v][1] - drawn.layout.size(v)[1] / 2 for v in drawn.visible if v.family == "step")
    arcs = [arc for arc in drawn.draw_lens("clique").edges if arc.start in notes]
    assert len(arcs) == 28 and all(edges.along(arc.curve, 0.5)[1] < top - 10 for arc in arcs)
    assert all(node.point[1] < top - 100 for node in drawn.constraint_nodes.values() if "note" in node.text)


@pytest.mark.parametrize("name", ["sudoku", "sudoku_x", "windoku", "jigsaw", "kakuro", "killer"])
def test_edges_on_a_large_grid_cross_only_cells_of_their_scope(name: str) -> None:
    model = example(name)
    painter = Painter(model, "factor")
    numbers = [number for number, constraint in enumerate(model.constraints) if isinstance(constraint, AllDifferent)]
    numbers = numbers[:: 4 // min(TIMES, 4)]
    complete_count = 0
    for number in numbers:
        text = painter.dot(Scene(title="", domains=model.domains, constraints=(number,)))
        scope = model.constraints[number].scope
        size = painter.plan.layout.size
        other_cells = [(point, size(v)) for v, point in painter.plan.layout.points.items() if v not in scope]
        highlighted = [
            attributes for _, _, attributes in EDGE.findall(text) if CAUSE in attributes and "penwidth=2" in attributes
        ]
        if len(scope) == 2 and number in painter.plan.printed:
            assert not highlighted, "the clue of a run stands for it"
            continue
        assert len(highlighted) >= len(scope) - 1
        complete_count += len(highlighted) == len(scope)
        for attributes in highlighted:
            (x, y), *_, (p, q) = (tuple(map(float, end.split(","))) for end in PLACE.search(attributes)[1].split())  # type: ignore[index]
            assert edges.clear(edges.straight((x, -y), (p, -q)), other_cells, 0)
    assert complete_count or name == "kakuro"


def test_a_crowded_grid_hides_only_the_edges_of_its_own_constraints() -> None:
    model = dsl.loads("""
        x(R, C) in 1..25 :- R in 1..5, C in 1..5.
        y in 1..25.
        all_different(x(R, C) : R in 1..5, C in 1..5).
        all_different([y, x(1, 1), x(1, 2)]).
    """)
    expected = {frozenset(pair) for pair in combinations(("y", "x(1,1)", "x(1,2)"), 2)}
    assert find_edge_ends(Painter(model, "clique").dot(next(make_scenes(model)))) == expected
    animation = film(record(model))
    names = [vertex["name"] for vertex in animation["vertices"]]
    assert {frozenset(names[end] for end in edge[1]) for edge in animation["lenses"]["clique"]["edges"]} == expected


def test_sums_are_vertices_in_the_clique_lens() -> None:
    model = example("money")
    text = Painter(model, "clique").dot(next(make_scenes(model)))
    [(number, vertex_attributes)] = read_constraint_vertices(text).items()
    assert model.constraints[number].label == "sum" and 'label="sum"' in vertex_attributes
    dashed = [(source, target) for source, target, attributes in EDGE.findall(text) if "dashed" in attributes]
    assert len(dashed) == 8 and {source for source, _ in dashed} == {f'"group {number}"'}
    assert len(EDGE.findall(text)) == 8 + 28


GRID = "cell(R, C) in 1..5 :- R in 1..5, C in 1..5. "


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("cell(1,1) < cell(1,2).", ("cell(1,1)", "cell(1,2)", "<")),
        ("cell(1,2) < cell(1,1).", ("cell(1,1)", "cell(1,2)", ">")),
        ("cell(2,1) > cell(1,1).", ("cell(1,1)", "cell(2,1)", "∧")),
        ("cell(1,1) >= cell(2,1).", ("cell(1,1)", "cell(2,1)", "⊻")),
        ("cell(1,2) <= cell(1,1).", ("cell(1,1)", "cell(1,2)", "≥")),
        ("cell(3,3) != cell(3,4).", ("cell(3,3)", "cell(3,4)", "≠")),
        ("cell(1,1) < cell(1,3).", None),
        ("cell(1,1) != cell(2,2).", None),
    ],
)
def test_comparisons_are_drawn_between_neighbours(text: str, sign: tuple[str, str, str] | None) -> None:
    model = dsl.loads(GRID + text)
    signs = find_puzzle(model, find_grids(model)[0]).signs
    assert signs == ((Sign(0, signs[0].first, signs[0].second, sign[2]),) if sign else ())
    if sign:
        assert (signs[0].first, signs[0].second) == sign[:2]
    picture = Painter(model).dot(next(make_scenes(model)))
    escaped_sign = sign and escape(sign[2].replace("⊻", "∨\u0332"))
    assert (f"<B>{escaped_sign}</B>" in picture) if sign else "1 constraint is drawn only when active" in picture


@pytest.mark.parametrize(
    ("text", "total", "cells"),
    [
        ("cell(1,1) + cell(1,2) + cell(2,2) = 9.", "9", 3),
        ("12 >= cell(1,1) + cell(2,1).", "≤ 12", 2),
        ("cell(1,1) * cell(1,2) = 6.", "6×", 2),
        ('"odd": cell(1,1) + 2*cell(2,1) = 7.', "", 0),
        ("cell(1,1) + cell(3,1) = 7.", "", 0),
    ],
)
def test_sums_of_adjacent_cells_are_drawn_as_cages(text: str, total: str, cells: int) -> None:
    model = dsl.loads(GRID + text)
    cages = find_puzzle(model, find_grids(model)[0]).cages
    if not cells:
        assert not cages
        return
    [cage] = cages
    assert cage.text == total and set(cage.cells) == set(model.constraints[0].scope) and len(cage.cells) == cells
    picture = Painter(model).dot(next(make_scenes(model)))
    assert f"<B>{total}</B>" in picture and len(INK.findall(picture)) == 1 and "dashed" in INK.findall(picture)[0]


@pytest.mark.parametrize(("name", "rest"), [("sudoku", 18), ("jigsaw", 18), ("windoku", 18), ("zebra", 12)])
def test_boxes_regions_and_frames_count_as_shown(name: str, rest: int) -> None:
    """Only the rows and columns of a sudoku, and the clues of zebra, are drawn only when active."""
    model = example(name)
    assert f"{rest} constraints are drawn only when active" in Painter(model, "grid").dot(next(make_scenes(model)))


def test_constraints_without_a_line_show_only_when_active() -> None:
    trace = record(example("killer"))
    lines = [constraint.line for constraint in trace.model.constraints]
    assert 0 in lines and len(trace.model.constraints) > len(example("killer").constraints)
    for lens in LENSES:
        text = Painter(trace.model, lens).dot(next(make_scenes(example("killer"))))
        assert " from " not in text and "constraints are drawn only when active" in text
        assert {lines[number] > 0 for number in read_constraint_vertices(text)} == (
            {True} if lens == "factor" else set()
        )
    animation = film(trace)
    unstated_constraints = [number for number, line in enumerate(lines) if not line]
    shown_numbers = {number for shape in animation["printed"] for numbers in shape[5:6] for number in numbers}
    assert shown_numbers and not shown_numbers.intersection(unstated_constraints)
    assert not any("node" in animation["constraints"][number] for number in unstated_constraints)


def test_an_implied_constraint_highlights_its_origins() -> None:
    trace = record(example("killer"))
    number = next(n for n, origins in enumerate(trace.origins) if origins != (n,))
    picture = Scene(title="", domains=trace.model.domains, constraints=(number,))
    text = Painter(trace.model, "factor", trace.origins).dot(picture)
    highlighted = {n for n, attributes in read_constraint_vertices(text).items() if "active" in attributes}
    cages = [ink for ink in INK.findall(text) if "penwidth=2.8" in ink and CAUSE in ink]
    assert highlighted and highlighted < set(trace.origins[number]) and cages
    constraints = film(trace)["constraints"]
    assert constraints[number]["origins"] == list(trace.origins[number]) and "origins" not in constraints[0]
    alone = Painter(trace.model, "factor").dot(picture)
    assert not any("active" in attributes for attributes in read_constraint_vertices(alone).values())


def test_an_edge_without_a_line_shows_only_when_active() -> None:
    stated = AllDifferent.of("AC", line=1)
    unstated = AllDifferent.of("AB")
    model = Model({v: (1, 2, 3) for v in "ABC"}, [stated, unstated])
    assert [edge[2] for edge in film(Trace(model, ()))["lenses"]["clique"]["edges"]] == [(0,)]
    for lens in LENSES:
        painter = Painter(model, lens)
        idle, active = (
            painter.dot(Scene(title="", domains=model.domains, constraints=numbers)) for numbers in ((), (1,))
        )
        assert '"A" -- "B"' not in idle and '"A" -- "B"' in active


def test_the_grid_lens_draws_neither_edges_nor_constraints() -> None:
    for name in ("sudoku", "zebra", "money", "killer"):
        model = example(name)
        text = Painter(model, "grid").dot(next(make_scenes(model)))
        assert not read_constraint_vertices(text) and not EDGE.findall(text)
        pictures = {Painter(model, lens).dot(find_first_fixed(model)) for lens in ("grid", "clique", "factor")}
        assert len(pictures) == 3


TWELVE = [Affine.variable(f"x{i}") for i in range(12)]
CROWDED = Model(
    {f"x{i}": range(3) for i in range(12)},
    [Linear(a + b, "<=", c, label=f"sum of {a} and {b}") for a, b, c in combinations(TWELVE, 3)],
)


def test_constraints_shown_only_when_active_keep_the_picture_size() -> None:
    cell = {(r, c): Variable("x", r, c) for r in range(5) for c in range(5)}
    around = ((r, c, end) for r in range(4) for c in range(4) for end in ((r, c), (r + 1, c + 1)))
    corners = [[cell[end], cell[r + 1, c], cell[r, c + 1]] for r, c, end in around]
    rules = [AllDifferent.of(variables, label=f"{variables[0]}") for variables in corners]
    model = Model(
        {v: range(5) for v in cell.values()},
        rules,
    )
    painter = Painter(model, "factor")
    idle = Scene(title="", domains=model.domains)
    active = Scene(title="", domains=model.domains, constraints=(0,))
    assert not read_constraint_vertices(painter.dot(idle)) and set(read_constraint_vertices(painter.dot(active))) == {0}
    room = common_room((drawn.shapes, drawn.caption) for drawn in map(painter.parts, (idle, active)))
    pictures = draw([painter.dot(idle, room), painter.dot(active, room)])
    assert len({tuple(re.findall('width="[0-9]*pt"|height="[0-9]*pt"', svg.decode())) for svg in pictures}) == 1


@pytest.mark.parametrize("lens", ["clique", "factor"])
def test_without_room_only_active_constraints_are_vertices(lens: str) -> None:
    painter = Painter(CROWDED, lens)
    idle = Scene(title="", domains=CROWDED.domains)
    active = Scene(title="", domains=CROWDED.domains, constraints=(0, 1))
    idle_text = painter.dot(idle)
    assert not read_constraint_vertices(idle_text) and "220 constraints are drawn only when active" in idle_text
    text = painter.dot(active)
    assert set(read_constraint_vertices(text)) == {0, 1} and len(EDGE.findall(text)) == 6
    constraints = film(Trace(CROWDED, ()))["constraints"]
    assert all(constraint["node"]["quiet"] and constraint["node"]["shapes"] for constraint in constraints)


def test_texts_at_edges_do_not_overlap_cells_or_each_other() -> None:
    names = [f"number{i}" for i in range(9)]
    pairs = list(combinations(names, 2))
    comparisons = [Linear(Affine.variable(a), "<", Affine.variable(b)) for a, b in pairs]
    painter = Painter(Model({v: range(3) for v in names}, comparisons), "clique")
    text = painter.dot(Scene(title="", domains=painter.plan.model.domains))
    texts = re.findall(r'"mark [^"]*" \[.*width=([\d.]+).*pos="([-\d.]+),([-\d.]+)"', text)
    assert 9 <= len(texts) < len(pairs)
    boxes = [(float(x), -float(y), 72 * float(width) - 8) for width, x, y in texts]
    for (x, y, length), (p, q, w) in combinations(boxes, 2):
        assert abs(x - p) >= (length + w) / 2 or abs(y - q) >= 12
    for x, y, length in boxes:
        for v, (p, q) in painter.plan.layout.points.items():
            w, h = painter.plan.layout.size(v)
            assert abs(x - p) >= (length + w) / 2 or abs(y - q) >= (12 + h) / 2


def test_comparisons_are_drawn_at_their_edges() -> None:
    model = dsl.loads("A, B, C in 1..5.  A < B.  B + 2 <= C.  A != C.")
    picture = Painter(model).dot(next(make_scenes(model)))
    assert "label=<A &lt; B>" in picture and "label=<B + 2 &lt;= C>" in picture and "A != C" not in picture


def test_the_style_of_a_cell_depends_on_its_number_of_values() -> None:
    for n, kind in ((9, "digits"), (16, "bitmap"), (25, "size")):
        values = tuple(range(1, n + 1))
        assert cell_style(values) == kind
        assert [shape.text for shape in vertex(cell_form(values), VertexState("", (7,), given=True))] == ["", "7"]
        removed = vertex(cell_form(values), VertexState("", values[:-1], values[-1:], marked=True))
        assert {"boxed", "asterisk"} < {shape.look for shape in removed}
    sixteen = cell_form(tuple(range(1, 17)))
    assert sum(shape.look == "bits" for shape in vertex(sixteen, VertexState("", (3, 12, 14)))) == 3
    two_values = vertex(sixteen, VertexState("", (3, 12)))
    assert "3 12" in [shape.text for shape in two_values] and not any(shape.look == "bits" for shape in two_values)
    assert cell_style(("red", "green")) == "bitmap"


def test_a_cell_of_a_long_domain_spells_out_few_values_and_counts_many_only_when_it_loses_some() -> None:
    values = tuple(range(1, 26))
    form = cell_form(values)

    def written(*state: tuple[int, ...]) -> list[str]:
        return [shape.text for shape in vertex(form, VertexState("", *state, domain_size=25)) if shape.text]

    assert written((3, 7, 11, 12, 20, 25)) == ["3 7 11", "12 20 25"] and written((3, 7)) == ["3 7"]
    assert written((3, 7, 11, 12), (13,)) == ["3 7", "11 12", "13"]
    assert written(values[:7]) == [] and written(values[:7], (8, 9, 10)) == ["7 left", "−3"]


def test_cells_are_darker_the_fewer_values_they_have() -> None:
    values = tuple(range(1, 26))
    grid = {Variable("x", r, c): values for r in range(5) for c in range(5)}
    painter = Painter(Model(grid))
    domains = {v: values[: i + 1] for i, v in enumerate(grid)}
    shown = Scene(title="", domains=domains)
    shades = [shape for shape in painter.parts(shown).shapes if "ramp" in shape.look.split()]
    steps = [int(shape.look[-1]) for shape in shades]
    assert len(steps) == 23 and steps == sorted(steps, reverse=True) and {*steps} == {0, 1, 2, 3}
    assert {*domains}.difference(*(shape.of for shape in shades)) == {"x(0,0)", "x(4,4)"}, "one value, or all of them"
    # The shades are below the boxes of removed values.
    background = painter.dot(shown).partition("fontname")[0]
    assert all(combine_styles(shape.look)["fill"] in background for shape in shades)


@pytest.mark.parametrize("font", [FONT, "DejaVu Sans"])
def test_examples_are_drawn_without_warnings(font: str, limits: Limits, capfd: pytest.CaptureFixture[str]) -> None:
    """Draw also in a larger font that may replace Helvetica."""
    limits("csp.render.dot.dot", FONT=font)
    for name in sorted(path.stem for path in (ROOT / "examples").glob("*.csp"))[4 :: 48 // min(TIMES, 6)]:
        model = example(name)
        images = draw([Painter(model, lens).dot(picture) for lens in LENSES for picture in make_scenes(model, 2)])
        assert len(images) == 2 * len(LENSES)
    assert not [line for line in capfd.readouterr().err.splitlines() if "Fontconfig" not in line]


def test_a_frame_shows_the_removals_of_its_step() -> None:
    trace = record(example("sudoku"))
    steps = list(step_frames(trace, 30, 33))
    assert [frame.name for frame in steps] == ["step-30", "step-31", "step-32", "step-33"]
    assert steps[0].title.startswith("step 30 · ") and [frame.number for frame in steps] == [0, 1, 2, 3]
    for frame, step in zip(steps, range(30, 34), strict=True):
        removals = [removal for removal in trace.records if isinstance(removal, Removal) and removal.step == step]
        assert frame.removed == tuple(candidate for removal in removals for candidate in removal.removed)
        assert set(frame.constraints) == {removal.number for removal in removals}
        assert set(frame.active) == {
            v for removal in removals if removal.constraint is not None for v in removal.constraint.scope
        }
    names = [frame.name for frame in step_frames(record(example("queens"), nodes=None), 1, 10**6)]
    assert names.count("failure") == 16 and names[-1] == "solution"


def test_texts_are_measured_and_wrapped_by_width() -> None:
    assert text_width("", 12) == 0 and text_width("iii", 12) < text_width("mmm", 12)
    assert text_width("abc", 20) == 2 * text_width("abc", 10)
    assert wrap_text("word " * 30, 10, 100, 3)[-1].endswith("…")


def test_lines_of_constraints_do_not_show_through_transparent_cells() -> None:
    painter = Painter(example("windoku"), "clique")
    shapes = sorted(painter.parts(next(make_scenes(painter.plan.model))).shapes, key=lambda shape: shape.layer)
    covers = {shape.points for shape in shapes if shape.look == "paper"}
    layout = painter.plan.layout
    assert painter.plan.bare and covers == {(layout.points[v], layout.size(v)) for v in painter.plan.bare}
    looks = [shape.look for shape in shapes if "spine" in shape.look or shape.look == "paper"]
    kinds = [look.split()[0] for look in looks]
    assert kinds == sorted(kinds, reverse=True) and kinds[0] == "spine", "the areas cover the lines"


def test_arrows_of_one_direction_on_a_board_do_not_fan_out() -> None:
    model = example("queens")
    frame = next(frame for frame in frames(record(model, "arc", nodes=1)) if frame.name == "decision-1")
    arrows = [shape.points for shape in Painter(model, "grid").parts(frame).shapes if "hit" in shape.look.split()]
    assert len(arrows) > 5
    for first, second, third, last in arrows:
        slopes = [
            (y - first[1]) * (last[0] - first[0]) - (last[1] - first[1]) * (x - first[0]) for x, y in (second, third)
        ]
        assert slopes == pytest.approx([0, 0], abs=0.2 * abs(last[0] - first[0]))


def test_an_arrow_along_cells_ends_at_right_angles_to_its_street() -> None:
    """Look at the arrow of a round that runs along a row."""
    trace = record(example("sudoku"))
    frame = next(frame for frame in frames(trace) if frame.name == "round-3")
    painter = Painter(trace.model, "clique")
    arrows = [shape for shape in painter.parts(frame).shapes if "hit" in shape.look and shape.of[1] == "cell(1,3)"]
    (x, y), (p, q) = arrows[0].points[-2:]
    assert arrows[0].of[0] == "cell(1,9)" and x == p and y > q, "upwards into the value"
    middle, (width, height) = painter.plan.layout.points[Variable("cell", 1, 3)], (60, 60)
    assert abs(p - middle[0]) < width / 2 and abs(q - middle[1]) < height / 2, "its end is inside the cell"
