"""Pictures, checked as text: what is drawn where, and that the same trace gives the same bytes."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations, islice

import pytest

import dsl
from csp import AllDifferent, Model, Variable, record, replay
from csp.board.grid import grid_gaps, grid_places
from csp.picture.frames import Frame, frames
from csp.picture.layout.layout import FEW, layout
from csp.picture.scene import scene
from csp.picture.style import ACTIVE, MARKED, REMOVED
from csp.render.dot.drawing import draw
from csp.render.dot.graphs import write_graph
from csp.render.painter import Painter
from csp.trace import Removal

from .conftest import ROOT

VERTEX = re.compile(r'^  ("[^"]*") \[(.*)\];$', re.MULTILINE)
EDGE = re.compile(r'^  ("(?!ink")[^"]*") -- ("[^"]*") \[(.*)\];$', re.MULTILINE)
INK = re.compile(r'^  "ink" -- "ink" \[(.*)\];$', re.MULTILINE)
PLACE = re.compile(r'pos="([^"]*)"')


def example(name: str, **options: object) -> Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", **options)  # type: ignore[arg-type]


def shidoku_frames() -> list[Frame]:
    return list(frames(record(example("shidoku"), nodes=None)))


def vertices(text: str) -> dict[str, str]:
    """Name and attributes of every vertex that is a variable."""
    found = {name[1:-1]: attributes for name, attributes in VERTEX.findall(text)}
    beside = ("ink", "mark ", "group ")
    return {name: attributes for name, attributes in found.items() if not name.startswith(beside)}


def test_the_article_is_a_grid() -> None:
    places = layout(example("shidoku")).points
    xs, ys = sorted({x for x, _ in places.values()}), sorted({y for _, y in places.values()})
    assert len(xs) == len(ys) == 4
    for i, name in enumerate("ABCDEFGHIJKLMNOP"):
        assert places[Variable(name)] == (xs[i % 4], ys[i // 4])
    assert xs[2] - xs[1] > xs[1] - xs[0] == xs[3] - xs[2], "a gap between the boxes"


def test_positions_never_move() -> None:
    painter = Painter(example("shidoku"))
    texts = [painter.dot(frame) for frame in shidoku_frames()]
    assert len({tuple(PLACE.findall(text)) for text in texts}) == 1 < len(set(texts))


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "queens", "money", "australia", "states", "latin"])
def test_nothing_lies_on_top_of_anything(name: str) -> None:
    picture = layout(example(name))
    assert set(picture.points) == set(example(name).domains)
    for (one, (x, y)), (other, (p, q)) in combinations(picture.points.items(), 2):
        wide, high = ((a + b) / 2 for a, b in zip(picture.size(one), picture.size(other), strict=True))
        assert abs(x - p) >= wide - 1 or abs(y - q) >= high - 1, (one, other)


def test_one_variable_and_none() -> None:
    assert layout(Model({})).points == {}
    assert layout(Model({"A": (1,)})).points == {"A": (0.0, 0.0)}
    for model in (Model({}), Model({"A": (1,)})):
        assert len(draw([Painter(model).dot(scene(next(replay(record(model)))))])) == 1


@pytest.mark.parametrize(
    ("name", "params", "gaps"),
    [
        ("shidoku", {}, ({1}, {1})),
        ("sudoku", {}, ({2, 5}, {2, 5})),
        ("sudoku", {"rows": 2, "cols": 3}, ({1, 3}, {2})),
        ("latin", {}, (set(), set())),
    ],
)
def test_box_gaps(name: str, params: dict[str, int], gaps: tuple[set[int], set[int]]) -> None:
    model = example(name, params=params, grids={"clue": ""} if params else {})
    assert grid_gaps(model, model.domains) == gaps


def test_families_stand_side_by_side_and_rows_alone_make_no_grid() -> None:
    places = layout(Model({Variable(f, r, c): (1, 2) for f in "ab" for r in range(5) for c in range(5)})).points
    reach = {f: [x for v, (x, _) in places.items() if v.family == f] for f in "ab"}
    assert max(reach["a"]) < min(reach["b"])
    model = Model({v: range(3) for v in "ABCDEFGHI"}, map(AllDifferent.of, ["ABC", "DEF", "GHI"]))
    assert grid_places(model, model.domains) == {}


def test_only_boxes_that_fill_the_grid_make_gaps() -> None:
    cell = {(r, c): Variable("x", r, c) for r in range(4) for c in range(4)}
    corners = [(0, 0), (0, 2), (2, 0), (2, 2)]

    def gaps(corners: list[tuple[int, int]]) -> tuple[frozenset[int], frozenset[int]]:
        boxes = [[cell[r + i, c + j] for i in (0, 1) for j in (0, 1)] for r, c in corners]
        model = Model({v: range(4) for v in cell.values()}, map(AllDifferent.of, boxes))
        return grid_gaps(model, model.domains)

    assert gaps(corners) == ({1}, {1})
    assert gaps([*corners, (1, 0), (1, 1)]) == ({1}, {1}), "windows take no border away"
    assert gaps(corners[1:]) == (set(), set()), "a square alone is no box"


def test_the_article_has_sixteen_vertices_and_fifty_six_edges() -> None:
    model = example("shidoku")
    texts = [Painter(model).dot(scene(moment)) for moment in islice(replay(record(model)), 0, None, 4)]
    assert {(len(vertices(text)), len(EDGE.findall(text))) for text in texts} == {(16, 56)}


def test_edges_do_not_run_through_vertices() -> None:
    model = example("shidoku")
    picture = layout(model)
    text = Painter(model).dot(scene(next(replay(record(model)))))
    for one, other, rest in EDGE.findall(text):
        points = [tuple(map(float, point.split(","))) for point in PLACE.search(rest)[1].split()]  # type: ignore[index]
        for step in range(101):
            t = step / 100
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(w * p[i] for w, p in zip(weights, points, strict=True)) for i in (0, 1))
            for variable, (p, q) in picture.points.items():
                if variable not in (one[1:-1], other[1:-1]):
                    wide, high = picture.size(variable)
                    assert abs(x - p) > wide / 2 or abs(y + q) > high / 2, (one, other, variable)


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "money"])
def test_marks_are_asterisks_and_removed_values_are_struck_out(name: str) -> None:
    model = example(name)
    painter = Painter(model)
    seen = 0
    for moment in islice(replay(record(model, nodes=None)), 0, None, 4):
        shown = scene(moment)
        removed = Counter(variable for variable, _ in shown.removed)
        for variable, rest in vertices(painter.dot(shown)).items():
            assert ("<B>*</B>" in rest) == (variable in moment.marked), variable
            assert rest.count("<S>") == removed[variable], variable
            is_red = variable in removed or variable in {*shown.failed}.difference(shown.causes)
            assert (REMOVED in rest) == is_red, variable
            assert (ACTIVE in rest) == (variable in shown.active), variable
            seen += variable in moment.marked
    assert seen


def test_states_have_their_colours() -> None:
    model = example("shidoku")
    moments = list(replay(record(model)))
    fixed = next(m for m in moments if isinstance(m.record, Removal) and m.record.kind == "fixed")
    drawn = vertices(Painter(model).dot(scene(fixed)))
    assert ACTIVE in drawn["A"] and "penwidth=4" not in drawn["A"]
    assert ACTIVE in drawn["C"] and "penwidth=4" in drawn["C"], "C = 4 is the cause"
    assert ACTIVE not in drawn["F"] and f'color="{MARKED}", penwidth' in drawn["F"]
    assert "penwidth" not in drawn["P"]
    black = [edge for edge in EDGE.findall(Painter(model).dot(scene(fixed))) if "#000000" in edge[2]]
    assert len(black) == 3 and all('"C"' in edge[:2] for edge in black), "the edges along which a value goes"


def test_a_fixed_vertex_shows_its_value_and_the_others_keep_their_holes() -> None:
    model = example("shidoku")
    *_, fixpoint = frames(record(model))
    drawn = vertices(Painter(model).dot(fixpoint))
    for variable, (value,) in fixpoint.domains.items():
        assert (f"<B>{value}</B>" if variable in "CFKN" else f">{value}</FONT>") in drawn[variable]
    holes = vertices(Painter(model).dot(shidoku_frames()[3]))["H"]
    assert re.findall(">([^<>]+)<", holes) == ["H", "*", "1", "3"] and "<S>3</S>" in holes


def test_a_big_grid_has_cells_and_no_edges() -> None:
    model = example("sudoku")
    assert len(model.domains) > FEW
    text = Painter(model).dot(list(frames(record(model)))[2])
    assert len(vertices(text)) == 81
    assert not EDGE.findall(text)


@pytest.mark.parametrize("box", [4, 5])
def test_a_large_domain_is_blank_until_a_value_goes(box: int) -> None:
    """Then a cell shows how many are left, or of at most 16 which."""
    n = box * box
    model = example(
        "sudoku",
        params={"box": box},
        grids={"clue": "\n".join("A" + "." * (n - 1) if not r else "." * n for r in range(n))},
    )
    bare, *_, last = frames(record(model))
    drawn = [vertices(Painter(model).dot(frame)) for frame in (bare, last)]
    far, beside = f"cell({n},{n})", "cell(1,2)"
    assert len(drawn[0]) == n * n and not EDGE.findall(Painter(model).dot(last))
    shown = [{name: re.findall(">([^<>]+)<", text[name]) for name in (far, beside)} for text in drawn]
    assert shown[0][far] == shown[0][beside] == shown[1][far]
    assert drawn[1][beside] != drawn[0][beside] and (box == 4 or shown[1][beside] == [str(n - 1), "left"])


def test_odd_labels_survive() -> None:
    odd = 'a "b" <c> & \\ d'
    model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label=odd)])
    trace = record(model)
    texts = [Painter(model).dot(scene(moment)) for moment in replay(trace)]
    assert any("&lt;c&gt; &amp;" in text for text in texts)
    assert len(draw(texts)) == len(texts)
    assert all(draw([write_graph(model, "dot", primal)])[0] for primal in (False, True))
