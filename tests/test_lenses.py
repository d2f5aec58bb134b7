"""Lenses, groups on the margin, signs between cells, and what every picture has."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations, islice, product

import pytest

import dsl
from csp import Affine, AllDifferent, Linear, Model, Trace, Variable, record, replay
from csp.board.grid import find_grids
from csp.board.puzzle import find_puzzle
from csp.board.signs import Sign
from csp.board.widths import text_width, wrap_text
from csp.picture.edges import edges
from csp.picture.frames import step_frames
from csp.picture.layout.forms import cell_form, cell_style
from csp.picture.layout.layout import layout
from csp.picture.layout.nodes import place_constraint_nodes
from csp.picture.lenses import LENSES
from csp.picture.scene import Scene, scene
from csp.picture.style import ACTIVE, CAUSE, FONT, IDLE, MARKED, REMOVED
from csp.picture.vertex import VertexState, vertex
from csp.render.dot.dot import common_room
from csp.render.dot.drawing import draw
from csp.render.dot.quoting import escape
from csp.render.page.film import film
from csp.render.painter import Painter
from csp.trace import Removal

from .conftest import ROOT, TIMES, Limits
from .test_render import EDGE, INK, PLACE, example, vertices
from .test_style import luminance

THICK = "penwidth=3"
SPECS = ["shidoku", "sudoku", "queens", "money", "australia", "latin"]


def scenes(model: Model, most: int = 40) -> Iterator[Scene]:
    return islice(map(scene, replay(record(model, nodes=3))), most)


def groups(text: str) -> dict[int, str]:
    """The vertices of constraints: number and attributes."""
    return {int(number): rest for number, rest in re.findall(r'^  "group (\d+)" \[(.*)\];$', text, re.MULTILINE)}


def first_fixed(model: Model) -> Scene:
    moments = replay(record(model, nodes=3))
    return next(scene(m) for m in moments if isinstance(m.record, Removal) and m.record.kind == "fixed")


@pytest.mark.parametrize(("name", "lens"), list(product(SPECS, LENSES)))
def test_positions_are_pinned_in_every_lens(name: str, lens: str) -> None:
    model = example(name)
    painter = Painter(model, lens)
    places = set()
    for shown in scenes(model, 6):
        found = vertices(painter.dot(shown)) | {f"group {n}": rest for n, rest in groups(painter.dot(shown)).items()}
        places.add(tuple((name, PLACE.search(rest)[1]) for name, rest in found.items()))  # type: ignore[index]
    assert len(places) == 1


@pytest.mark.parametrize(("name", "lens"), list(product(SPECS, LENSES)))
def test_every_colour_has_its_mark(name: str, lens: str) -> None:
    model = example(name)
    painter = Painter(model, lens)
    for shown in islice(scenes(model), 0, None, 4 // min(TIMES, 4)):
        for rest in vertices(painter.dot(shown)).values():
            border = re.search(r'[^"] color="([^"]*)"|^color="([^"]*)"', rest.split("label=<")[0])
            colour = next(filter(None, border.groups())) if border else IDLE
            assert (MARKED in rest) == ("<B>*</B>" in rest)
            assert (f' COLOR="{REMOVED}"' in rest) == any(sign in rest for sign in ("<S>", "−", "×"))
            if f'fillcolor="{ACTIVE}"' in rest:
                assert colour == CAUSE and "penwidth" in rest
            assert colour in (IDLE, CAUSE, MARKED) or (colour == REMOVED and "style=striped" in rest)


def test_the_default_lens() -> None:
    for name, lens in (("shidoku", "clique"), ("sudoku", "grid"), ("australia", "clique"), ("states", "clique")):
        assert Painter(example(name)).lens == lens


def test_a_big_clique_shows_the_edges_of_the_active_group_alone() -> None:
    model = example("sudoku")
    painter = Painter(model, "clique")
    shown = first_fixed(model)
    edges = EDGE.findall(painter.dot(shown))
    assert {frozenset((one[1:-1], other[1:-1])) for one, other, _ in edges} == {
        frozenset((cause, v))
        for cause in shown.causes
        for v in model.constraints[shown.constraints[0]].scope
        if v in {one for one, _ in shown.removed}
    }
    assert {THICK in way for _, _, way in edges} == {True}, "to those that lose a value"
    assert not groups(painter.dot(shown)), "a clique has no vertices of constraints"


def ends_of(text: str) -> set[frozenset[str]]:
    return {frozenset((one[1:-1], other[1:-1])) for one, other, _ in EDGE.findall(text)}


def test_a_big_factor_graph_shows_the_edges_of_the_active_group_alone() -> None:
    model = example("sudoku")
    shown = first_fixed(model)
    text = Painter(model, "factor").dot(shown)
    [number] = shown.constraints
    ends = [name[1:-1] for one, other, _ in EDGE.findall(text) for name in (one, other)]
    assert set(ends) == {f"group {number}", *model.constraints[number].scope} and len(ends) == 2 * 9
    assert len(groups(text)) == 27


@pytest.mark.parametrize("name", ["sudoku", "sudoku_x", "windoku", "jigsaw", "kakuro", "killer"])
def test_edges_on_a_large_grid_cross_no_cell_of_others(name: str) -> None:
    model = example(name)
    painter = Painter(model, "factor")
    own = [number for number, constraint in enumerate(model.constraints) if isinstance(constraint, AllDifferent)]
    own = own[:: 4 // min(TIMES, 4)]
    reached = 0
    for number in own:
        text = painter.dot(Scene(title="", domains=model.domains, constraints=(number,)))
        scope = model.constraints[number].scope
        size = painter.plan.layout.size
        others = [(point, size(v)) for v, point in painter.plan.layout.points.items() if v not in scope]
        lit = [rest for _, _, rest in EDGE.findall(text) if CAUSE in rest and "penwidth=2" in rest]
        assert len(lit) >= len(scope) - 1
        reached += len(lit) == len(scope)
        for rest in lit:
            (x, y), *_, (p, q) = (tuple(map(float, end.split(","))) for end in PLACE.search(rest)[1].split())  # type: ignore[index]
            assert edges.clear(edges.straight((x, -y), (p, -q)), others, 0)
    assert reached or name == "kakuro"


def test_a_crowded_grid_hides_the_edges_of_its_own_constraints_alone() -> None:
    model = dsl.loads("""
        x(R, C) in 1..25 :- R in 1..5, C in 1..5.
        y in 1..25.
        all_different(x(R, C) : R in 1..5, C in 1..5).
        all_different([y, x(1, 1), x(1, 2)]).
    """)
    wanted = {frozenset(pair) for pair in combinations(("y", "x(1,1)", "x(1,2)"), 2)}
    assert ends_of(Painter(model, "clique").dot(replace(next(scenes(model)), following=None))) == wanted
    played = film(record(model))
    names = [vertex["name"] for vertex in played["vertices"]]
    assert {frozenset(names[end] for end in edge[1]) for edge in played["lenses"]["clique"]["edges"]} == wanted


def test_a_factor_graph_has_a_vertex_for_every_constraint() -> None:
    for name in ("shidoku", "australia", "money"):
        model = example(name)
        text = Painter(model, "factor").dot(next(scenes(model)))
        wanted = {n: c for n, c in enumerate(model.constraints) if len(c.scope) > 1}
        assert set(groups(text)) == set(wanted)
        edges = {(int(one[7:-1]), other[1:-1]) for one, other, _ in EDGE.findall(text)}
        assert edges == {(n, variable) for n, c in wanted.items() for variable in c.scope}


def test_sums_are_no_cliques() -> None:
    model = example("money")
    text = Painter(model, "clique").dot(next(scenes(model)))
    [(number, rest)] = groups(text).items()
    assert model.constraints[number].label == "sum" and 'label="sum"' in rest
    dashed = [(one, other) for one, other, way in EDGE.findall(text) if "dashed" in way]
    assert len(dashed) == 8 and {one for one, _ in dashed} == {f'"group {number}"'}
    assert len(EDGE.findall(text)) == 8 + 28


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "queens", "money", "futoshiki", "killer", "windoku"])
def test_chips_lie_on_nothing(name: str) -> None:
    model = example(name)
    picture = layout(model)
    own = place_constraint_nodes(
        model, picture, [n for n, c in enumerate(model.constraints) if isinstance(c, AllDifferent)]
    )
    boxes = [(point, picture.size(v)) for v, point in picture.points.items()]
    boxes += [(chip.point, chip.size) for chip in own]
    for ((x, y), (wide, high)), ((p, q), (w, h)) in combinations(boxes, 2):
        assert abs(x - p) >= (wide + w) / 2 - 1 or abs(y - q) >= (high + h) / 2 - 1
    for chip in own:
        assert text_width(chip.text, chip.font) <= chip.size[0] and chip.name == model.constraints[chip.number].name


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
def test_comparisons_stand_between_neighbours(text: str, sign: tuple[str, str, str] | None) -> None:
    model = dsl.loads(GRID + text)
    found = find_puzzle(model, find_grids(model)[0]).signs
    assert found == ((Sign(0, found[0].first, found[0].second, sign[2]),) if sign else ())
    if sign:
        assert (found[0].first, found[0].second) == sign[:2]
    drawn = Painter(model).dot(next(scenes(model)))
    shown = sign and escape(sign[2].replace("⊻", "∨\u0332"))
    assert (f"<B>{shown}</B>" in drawn) if sign else "1 constraint shows only when active" in drawn


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
def test_sums_are_cages(text: str, total: str, cells: int) -> None:
    model = dsl.loads(GRID + text)
    found = find_puzzle(model, find_grids(model)[0]).cages
    if not cells:
        assert not found
        return
    [cage] = found
    assert cage.text == total and set(cage.cells) == set(model.constraints[0].scope) and len(cage.cells) == cells
    drawn = Painter(model).dot(next(scenes(model)))
    assert f"<B>{total}</B>" in drawn and len(INK.findall(drawn)) == 1 and "dashed" in INK.findall(drawn)[0]


def test_what_no_line_says_shows_only_at_work() -> None:
    trace = record(example("killer"))
    lines = [constraint.line for constraint in trace.model.constraints]
    assert 0 in lines and len(trace.model.constraints) > len(example("killer").constraints)
    for lens in LENSES:
        text = Painter(trace.model, lens).dot(next(scenes(example("killer"))))
        assert " from " not in text and "constraints show only when active" in text
        assert {lines[number] > 0 for number in groups(text)} == ({True} if lens == "factor" else set())
    film_of = film(trace)
    unstated_constraints = [number for number, line in enumerate(lines) if not line]
    shown = {number for mark in film_of["marks"] for own in mark[5:6] for number in own}
    assert shown and not shown.intersection(unstated_constraints)
    assert not any("chip" in film_of["constraints"][number] for number in unstated_constraints)


def test_what_follows_lights_what_it_comes_from() -> None:
    trace = record(example("killer"))
    number = next(n for n, origins in enumerate(trace.origins) if origins != (n,))
    shown = Scene(title="", domains=trace.model.domains, constraints=(number,))
    text = Painter(trace.model, "factor", trace.origins).dot(shown)
    lit = {n for n, rest in groups(text).items() if ACTIVE in rest}
    frames = [way for way in INK.findall(text) if "penwidth=2.8" in way and CAUSE in way]
    assert lit and lit < set(trace.origins[number]) and frames
    own = film(trace)["constraints"]
    assert own[number]["origins"] == list(trace.origins[number]) and "origins" not in own[0]
    alone = Painter(trace.model, "factor").dot(shown)
    assert not any(ACTIVE in rest for rest in groups(alone).values())


def test_a_pair_that_no_line_says_is_joined_only_at_work() -> None:
    said = AllDifferent.of("AC", line=1)
    found = AllDifferent.of("AB")
    model = Model({v: (1, 2, 3) for v in "ABC"}, [said, found])
    assert [edge[2] for edge in film(Trace(model, ()))["lenses"]["clique"]["edges"]] == [(0,)]
    for lens in LENSES:
        painter = Painter(model, lens)
        idle, active = (painter.dot(Scene(title="", domains=model.domains, constraints=own)) for own in ((), (1,)))
        assert '"A" -- "B"' not in idle and '"A" -- "B"' in active


def test_the_grid_lens_shows_the_state_alone() -> None:
    for name in ("sudoku", "zebra", "money", "killer"):
        model = example(name)
        text = Painter(model, "grid").dot(next(scenes(model)))
        assert not groups(text) and not EDGE.findall(text)
        drawn = {Painter(model, lens).dot(first_fixed(model)) for lens in ("grid", "clique", "factor")}
        assert len(drawn) == 3 - (name == "zebra")


TWELVE = [Affine.variable(f"x{i}") for i in range(12)]
CROWDED = Model(
    {f"x{i}": range(3) for i in range(12)},
    [Linear(a + b, "<=", c, label=f"sum of {a} and {b}") for a, b, c in combinations(TWELVE, 3)],
)


def test_what_shows_now_and_then_has_its_room_on_the_margin() -> None:
    cell = {(r, c): Variable("x", r, c) for r in range(5) for c in range(5)}
    around = ((r, c, end) for r in range(4) for c in range(4) for end in ((r, c), (r + 1, c + 1)))
    corners = [[cell[end], cell[r + 1, c], cell[r, c + 1]] for r, c, end in around]
    model = Model({v: range(5) for v in cell.values()}, [AllDifferent.of(own, label=f"{own[0]}") for own in corners])
    painter = Painter(model, "factor")
    idle = Scene(title="", domains=model.domains)
    active = Scene(title="", domains=model.domains, constraints=(0,))
    assert not groups(painter.dot(idle)) and set(groups(painter.dot(active))) == {0}
    room = common_room((one.shapes, one.caption) for one in map(painter.parts, (idle, active)))
    pictures = draw([painter.dot(idle, room), painter.dot(active, room)])
    assert len({tuple(re.findall('width="[0-9]*pt"|height="[0-9]*pt"', svg.decode())) for svg in pictures}) == 1


@pytest.mark.parametrize("lens", ["clique", "factor"])
def test_without_room_only_the_active_constraints_are_vertices(lens: str) -> None:
    painter = Painter(CROWDED, lens)
    idle = Scene(title="", domains=CROWDED.domains)
    active = Scene(title="", domains=CROWDED.domains, constraints=(0, 1))
    assert not groups(painter.dot(idle)) and "220 constraints show only when active" in painter.dot(idle)
    text = painter.dot(active)
    assert set(groups(text)) == {0, 1} and len(EDGE.findall(text)) == 6
    constraints = film(Trace(CROWDED, ()))["constraints"]
    assert all(one["chip"]["quiet"] and one["chip"]["marks"] for one in constraints)


def test_texts_at_edges_lie_on_nothing() -> None:
    names = [f"number{i}" for i in range(9)]
    pairs = list(combinations(names, 2))
    order = [Linear(Affine.variable(a), "<", Affine.variable(b)) for a, b in pairs]
    painter = Painter(Model({v: range(3) for v in names}, order), "clique")
    text = painter.dot(Scene(title="", domains=painter.plan.model.domains))
    found = re.findall(r'"mark [^"]*" \[.*width=([\d.]+).*pos="([-\d.]+),([-\d.]+)"', text)
    assert 9 <= len(found) < len(pairs)
    boxes = [(float(x), -float(y), 72 * float(width) - 8) for width, x, y in found]
    for (x, y, wide), (p, q, w) in combinations(boxes, 2):
        assert abs(x - p) >= (wide + w) / 2 or abs(y - q) >= 12
    for x, y, wide in boxes:
        for v, (p, q) in painter.plan.layout.points.items():
            w, h = painter.plan.layout.size(v)
            assert abs(x - p) >= (wide + w) / 2 or abs(y - q) >= (12 + h) / 2


def test_comparisons_stand_at_their_edges() -> None:
    model = dsl.loads("A, B, C in 1..5.  A < B.  B + 2 <= C.  A != C.")
    drawn = Painter(model).dot(next(scenes(model)))
    assert "label=<A &lt; B>" in drawn and "label=<B + 2 &lt;= C>" in drawn and "A != C" not in drawn


def test_cells_of_every_size() -> None:
    for n, kind in ((9, "digits"), (16, "bitmap"), (25, "size")):
        values = tuple(range(1, n + 1))
        assert cell_style(values) == kind
        assert [mark.text for mark in vertex(cell_form(values), VertexState("", (7,), given=True))] == ["", "7"]
        struck = vertex(cell_form(values), VertexState("", values[:-1], values[-1:], marked=True))
        assert {"boxed", "asterisk"} < {mark.look for mark in struck}
    sixteen = cell_form(tuple(range(1, 17)))
    assert sum(mark.look == "bits" for mark in vertex(sixteen, VertexState("", (3, 12, 14)))) == 3
    two = vertex(sixteen, VertexState("", (3, 12)))
    assert "3 12" in [mark.text for mark in two] and not any(mark.look == "bits" for mark in two)
    assert cell_style(("red", "green")) == "bitmap"


def test_the_ramp_goes_with_the_domain() -> None:
    values = tuple(range(1, 26))
    grid = {Variable("x", r, c): values for r in range(5) for c in range(5)}
    painter = Painter(Model(grid))
    few = {v: values[: i + 1] for i, v in enumerate(grid)}
    text = vertices(painter.dot(Scene(title="", domains=few)))
    shades = [re.search('fillcolor="(#[^"]*)"', rest) for rest in text.values()]
    assert shades[0] is None and "<I>24</I>" in text["x(4,3)"]
    assert shades[-1] is None and text["x(4,4)"].endswith('label=""'), "nothing has gone"
    light = [luminance(found[1]) for found in shades if found]
    assert len(light) == 23 and light == sorted(light, reverse=True)


@pytest.mark.parametrize("font", [FONT, "DejaVu Sans"])
def test_examples_draw_without_complaint(font: str, limits: Limits, capfd: pytest.CaptureFixture[str]) -> None:
    """Also in a wider and higher font, which stands in where there is no Helvetica."""
    limits("csp.render.dot.dot", FONT=font)
    for name in sorted(path.stem for path in (ROOT / "examples").glob("*.csp"))[4 :: 48 // min(TIMES, 6)]:
        model = example(name)
        drawn = draw([Painter(model, lens).dot(shown) for lens in LENSES for shown in scenes(model, 2)])
        assert len(drawn) == 2 * len(LENSES)
    assert not [line for line in capfd.readouterr().err.splitlines() if "Fontconfig" not in line]


def test_steps() -> None:
    trace = record(example("sudoku"))
    own = list(step_frames(trace, 30, 33))
    assert [frame.name for frame in own] == ["step-30", "step-31", "step-32", "step-33"]
    assert own[0].title.startswith("step 30 · ") and [frame.number for frame in own] == [0, 1, 2, 3]
    for frame, step in zip(own, range(30, 34), strict=True):
        removals = [one for one in trace.records if isinstance(one, Removal) and one.step == step]
        assert frame.removed == tuple(candidate for one in removals for candidate in one.removed)
        assert set(frame.constraints) == {one.number for one in removals}
        assert set(frame.active) == {v for one in removals if one.constraint is not None for v in one.constraint.scope}
    everything = [frame.name for frame in step_frames(record(example("queens"), nodes=None), 1, 10**6)]
    assert everything.count("failure") == 16 and everything[-1] == "solution"


def test_widths_of_texts() -> None:
    assert text_width("", 12) == 0 and text_width("iii", 12) < text_width("mmm", 12)
    assert text_width("abc", 20) == 2 * text_width("abc", 10)
    assert wrap_text("word " * 30, 10, 100, 3)[-1].endswith("…")
