"""Pictures, checked as text: the places of shapes, and identical bytes for the same trace."""

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
from csp.picture.style import FAILED, MARKED, REMOVED
from csp.render.dot.drawing import draw
from csp.render.dot.graphs import write_graph
from csp.render.painter import Painter
from csp.trace import Removal

from ..conftest import ROOT

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

VERTEX = re.compile(r'^  ("[^"]*") \[(.*)\];$', re.MULTILINE)
EDGE = re.compile(r'^  ("(?!(?:caption |over )?ink")[^"]*") -- ("[^"]*") \[(.*)\];$', re.MULTILINE)
INK = re.compile(r'^  "ink" -- "ink" \[(.*)\];$', re.MULTILINE)
STRIKE = "height=0.0194494"
PLACE = re.compile(r'pos="([^"]*)"')


GAPS = "../tests/data/gaps"
"""A spec that prints the values of expressions."""


def example(name: str, **options: object) -> Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", **options)  # type: ignore[arg-type]


def shidoku_frames() -> list[Frame]:
    return list(frames(record(example("shidoku"), nodes=None)))


def vertices(text: str) -> dict[str, str]:
    """Return the names of the vertices that are variables, each with its attributes and those of its parts."""
    attributes_of: dict[str, str] = {}
    for quoted_name, attributes in VERTEX.findall(text):
        name, _, part = quoted_name[1:-1].partition(" part ")
        attributes_of[name] = attributes_of[name] + "\n" + attributes if part else attributes
    other_prefixes = ("ink", "over ink", "room", "mark ", "caption ", "group ")
    return {name: attributes for name, attributes in attributes_of.items() if not name.startswith(other_prefixes)}


def texts_of(attributes: str) -> list[str]:
    """Return the texts of a vertex and of its parts."""
    return re.findall("label=<(?:<[BI]>)?([^<>]+)", attributes)


def test_the_puzzle_of_the_article_is_drawn_as_a_grid() -> None:
    places = layout(example("shidoku")).points
    xs, ys = sorted({x for x, _ in places.values()}), sorted({y for _, y in places.values()})
    assert len(xs) == len(ys) == 4
    for i, name in enumerate("ABCDEFGHIJKLMNOP"):
        assert places[Variable(name)] == (xs[i % 4], ys[i // 4])
    assert xs[2] - xs[1] > xs[1] - xs[0] == xs[3] - xs[2], "a gap between the boxes"


def test_vertices_never_move() -> None:
    painter = Painter(example("shidoku"))
    texts = [painter.dot(frame) for frame in shidoku_frames()]
    places = {
        tuple(re.findall(r'^  ("(?!room")[^"]*") \[(?!class).*?(pos="[^"]*")', text, re.MULTILINE)) for text in texts
    }
    assert len(places) == 1 < len(set(texts)) and len(next(iter(places))) > 16


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "queens", "money", "australia", "states", "latin"])
def test_vertices_do_not_overlap(name: str) -> None:
    picture = layout(example(name))
    assert set(picture.points) == set(example(name).domains)
    for (first, (x, y)), (second, (p, q)) in combinations(picture.points.items(), 2):
        min_width, min_height = ((a + b) / 2 for a, b in zip(picture.size(first), picture.size(second), strict=True))
        assert abs(x - p) >= min_width - 1 or abs(y - q) >= min_height - 1, (first, second)


def test_models_with_one_or_no_variable_are_drawn() -> None:
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
def test_boxes_are_separated_by_gaps(name: str, params: dict[str, int], gaps: tuple[set[int], set[int]]) -> None:
    model = example(name, params=params, grids={"clue": ""} if params else {})
    assert grid_gaps(model, model.domains) == gaps


def test_families_are_side_by_side_and_rows_alone_form_no_grid() -> None:
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
    assert gaps([*corners, (1, 0), (1, 1)]) == ({1}, {1}), "windows do not remove gaps"
    assert gaps(corners[1:]) == (set(), set()), "squares that do not fill the grid are not boxes"


def test_the_puzzle_of_the_article_has_sixteen_vertices_and_fifty_six_edges() -> None:
    model = example("shidoku")
    texts = [Painter(model).dot(scene(moment)) for moment in islice(replay(record(model)), 0, None, 4)]
    assert {(len(vertices(text)), len(EDGE.findall(text))) for text in texts} == {(16, 56)}


def test_edges_do_not_run_through_vertices() -> None:
    model = example("shidoku")
    picture = layout(model)
    text = Painter(model).dot(scene(next(replay(record(model)))))
    for start, end, attributes in EDGE.findall(text):
        points = [tuple(map(float, point.split(","))) for point in PLACE.search(attributes)[1].split()]  # type: ignore[index]
        for step in range(101):
            t = step / 100
            weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
            x, y = (sum(w * p[i] for w, p in zip(weights, points, strict=True)) for i in (0, 1))
            for variable, (p, q) in picture.points.items():
                if variable not in (start[1:-1], end[1:-1]):
                    width, height = picture.size(variable)
                    assert abs(x - p) > width / 2 or abs(y + q) > height / 2, (start, end, variable)


@pytest.mark.parametrize("name", ["shidoku", "sudoku", "money"])
def test_marks_are_asterisks_and_removed_values_are_struck_out(name: str) -> None:
    model = example(name)
    painter = Painter(model)
    marked_count = 0
    for moment in islice(replay(record(model, nodes=None)), 0, None, 4):
        current_scene = scene(moment)
        removed = Counter(variable for variable, _ in current_scene.removed)
        for variable, attributes in vertices(painter.dot(current_scene)).items():
            assert ("<B>*</B>" in attributes) == (variable in moment.marked), variable
            assert attributes.count(STRIKE) == removed[variable], variable
            is_red = variable in removed or variable in {*current_scene.failed}.difference(current_scene.causes)
            assert (REMOVED in attributes) == is_red, variable
            assert ("active" in attributes) == (variable in current_scene.active), variable
            marked_count += variable in moment.marked
    assert marked_count


def test_states_of_vertices_have_their_colours() -> None:
    model = example("shidoku")
    moments = list(replay(record(model)))
    fixed = next(m for m in moments if isinstance(m.record, Removal) and m.record.kind == "fixed")
    attributes = vertices(Painter(model).dot(scene(fixed)))
    assert "active" in attributes["A"] and "penwidth=4" not in attributes["A"]
    assert 'class="active cause"' in attributes["C"] and "penwidth=4" in attributes["C"], "C = 4 is the cause"
    assert "active" not in attributes["F"] and f'color="{MARKED}", penwidth' in attributes["F"]
    assert "penwidth" not in attributes["P"]
    black = [edge for edge in EDGE.findall(Painter(model).dot(scene(fixed))) if "#000000" in edge[2]]
    assert len(black) == 3 and all('"C"' in edge[:2] for edge in black), "the edges that remove a value"


def test_failed_vertices_have_a_pale_fill_so_that_digits_are_legible() -> None:
    model = Model({"A": (1,), "B": (1,)}, [AllDifferent.of("AB")])
    *_, failure = frames(record(model))
    text = Painter(model).dot(failure)
    assert failure.failed and "striped" not in text
    assert all('class="failed' in vertices(text)[v] for v in failure.failed)
    assert text.count(f"C 7 -{FAILED}") == len(failure.failed)


def test_a_fixed_vertex_shows_its_value_and_unfixed_vertices_keep_gaps() -> None:
    model = example("shidoku")
    *_, fixpoint = frames(record(model))
    attributes = vertices(Painter(model).dot(fixpoint))
    for variable, (value,) in fixpoint.domains.items():
        assert (f"<B>{value}</B>" if variable in "CFKN" else f"label=<{value}>") in attributes[variable]
    attributes_of_h = vertices(Painter(model).dot(shidoku_frames()[3]))["H"]
    assert texts_of(attributes_of_h) == ["H", "1", "3", "*"] and attributes_of_h.count(STRIKE) == 1


def test_a_large_grid_has_cells_and_no_edges_except_arrows() -> None:
    model = example("sudoku")
    assert len(model.domains) > FEW
    text = Painter(model).dot(list(frames(record(model)))[2])
    assert len(vertices(text)) == 81
    assert all(REMOVED in attributes for _, _, attributes in EDGE.findall(text))


@pytest.mark.parametrize("box", [4, 5])
def test_a_large_domain_is_blank_until_a_value_is_removed(box: int) -> None:
    """Check that a cell then shows its remaining values; above 16, their number in that picture and then a shade."""
    n = box * box
    model = example(
        "sudoku",
        params={"box": box},
        grids={"clue": "\n".join("A" + "." * (n - 1) if not r else "." * n for r in range(n))},
    )
    first_frame, *others = frames(record(model))
    last = others[-1]
    attributes = [vertices(Painter(model).dot(frame)) for frame in (first_frame, last)]
    far_cell, near_cell = f"cell({n},{n})", "cell(1,2)"
    assert len(attributes[0]) == n * n and not EDGE.findall(Painter(model).dot(last))
    texts = [{name: texts_of(text[name]) for name in (far_cell, near_cell)} for text in attributes]
    assert texts[0][far_cell] == texts[0][near_cell] == texts[1][far_cell]
    assert attributes[1][near_cell] != attributes[0][near_cell]
    pictures = [vertices(Painter(model).dot(frame))[near_cell] for frame in others]
    assert box == 4 or [texts_of(text)[:1] for text in pictures] == [[], [f"{n - 1} left"], []]


def test_labels_with_special_characters_are_escaped() -> None:
    label = 'a "b" <c> & \\ d'
    model = Model({"A": (1,), "B": (1, 2)}, [AllDifferent.of("AB", label=label)])
    trace = record(model)
    texts = [Painter(model).dot(scene(moment)) for moment in replay(trace)]
    assert any("<c> &amp; " in text for text in texts)
    assert len(draw(texts)) == len(texts)
    assert all(draw([write_graph(model, "dot", primal)])[0] for primal in (False, True))
