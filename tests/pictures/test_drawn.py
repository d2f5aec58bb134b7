"""Tests of draw clauses: syntax, shapes on the plan, answers and film."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import Any

import pytest

import csp
import dsl
from csp import Drawn, Equality, Model, ModelError, Variable
from csp.board.answer import answer_text
from csp.board.drawn.drawing import grid_drawing
from csp.board.drawn.texts import place_texts
from csp.picture.layout.nodes import touch
from csp.picture.picture import picture
from csp.picture.plan import Plan
from csp.picture.scene import Scene, scene
from csp.picture.shapes import VERTICES, Shape, box
from csp.render.page.film import film
from csp.render.painter import Painter
from csp.render.solved import puzzle_shapes, shown_plan, solution_shapes, solution_svg
from csp.trace import replay
from dsl.editor import diagnose
from dsl.syntax.errors import Source, SpecError
from dsl.syntax.format import format_spec
from dsl.syntax.parse import parse
from dsl.syntax.write import write

from ..conftest import ROOT
from .test_render import example

BOARD = "cell(R, C) in 1..3 :- R in 1..3, C in 1..3.\n"
SHADING = """
dark(R, C) in 0..1 :- R in 1..2, C in 1..2.
draw shade(R, C) : R in 1..2, C in 1..2, dark(R, C) = 1.
dark(1, 1) = 1.
dark(1, 2) = 0.
"""


def plan(text: str) -> Plan:
    return Plan(dsl.loads(text))


def counts_of_looks(text: str) -> dict[str, int]:
    """Return how often each look occurs on a board of nine cells.

    Headers are not counted.
    """
    counts = Counter(shape.look for shape in plan(BOARD + text).shapes)
    del counts["header"]
    return dict(counts)


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("draw line(1, C, C) = green : C in 1..3.", {"chain-green": 1}),
        ("draw line(R, C, 9*R + C) = red : R in 1..2, C in 1..3.", {"chain-red": 2}),  # a gap in the numbers
        ("draw line(R, C, C, R) : R in 1..3, C in 1..3.", {"chain-grey": 3}),
        ("draw thermometer(R, 1, R) : R in 1..3.", {"tint-grey": 1, "chain-grey stem": 1}),
        ("draw arrow(R, R, R) : R in 1..3.", {"ring": 1, "shaft": 2}),
        ("draw join(1, 1, 2, 3) = blue.", {"chain-blue": 1}),
        ("draw border(R, C, R) : R in 1..3, C in 1..3.", {"region": 3}),
        ("draw border(1, 1, 1, 2).", {"region": 1}),
        ("draw cage(1, C, a) = 6 : C in 1..2.", {"cage": 1, "corner": 1}),
        ("draw shade(2, 2). draw shade(1, 1) = yellow.", {"tint-grey": 1, "tint-yellow": 1}),
        ("draw circle(1, 1). draw disc(1, 2). draw square(1, 3).", {"ring": 1, "orb": 1, "quad": 1}),
        ("draw circle(1, 1, 2, 2) = V : V in 1..3.", {"bead": 1, "sign": 1}),
        ("draw disc(1, 1, 1, 2). draw square(1, 1, 2, 1) = 3.", {"ball": 1, "frame": 1, "sign": 1}),
        ("draw text(2, 2) = 7. draw corner(1, 1) = 8.", {"corner": 2}),  # because candidates are in the middle
        ("draw text(0, 2) = 7. draw text(4, 1) = 8. draw text(3, 9) = 9.", {"clue": 3}),
        ("draw text(1, 1, 1, 2) = x.", {"sign backed": 1}),
    ],
)
def test_each_kind_draws_its_shapes(text: str, printed: dict[str, int]) -> None:
    assert counts_of_looks(text) == printed


def test_shapes_are_at_the_points_of_their_cells() -> None:
    board = plan(
        BOARD + "draw circle(1, 1, 2, 2) = V : V in {4, 2}. draw text(0, 3) = 5. draw line(1, C, C) : C in 1..3."
    )
    points = board.layout.points
    middle = [(points["cell(1,1)"][i] + points["cell(2,2)"][i]) / 2 for i in (0, 1)]  # type: ignore[index]
    [bead] = [shape for shape in board.shapes if shape.look == "bead"]
    [sign] = [shape for shape in board.shapes if shape.look == "sign"]
    assert [*bead.points[0]] == middle == [*sign.points[0]] and sign.text == "42"
    [clue] = [shape for shape in board.shapes if shape.look == "clue"]
    (x, y), (p, q) = clue.points[0], points[Variable("cell", 1, 3)]
    assert x == p and y < q - 30
    [line] = [shape for shape in board.shapes if shape.look == "chain-grey"]
    assert line.points == tuple(points[Variable("cell", 1, c)] for c in (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("draw lin(1, 1, 1).", (1, 6), "unknown shape: lin"),
        ("draw line(1, 1).", (1, 6), "line cannot have 2 arguments"),
        ("draw shade(1, 1) = gren.", (1, 20), "shade(1, 1) = gren: gren is not a colour"),
        ("draw text(1, 1).", (1, 6), "text(1, 1): a text is missing"),
        ("draw border(1, 1, 1) = 3.", (1, 24), "border(1, 1, 1) = 3: it has no value"),
        ("draw circle(a, 1).", (1, 6), "circle(a, 1): a place consists of numbers"),
        ("draw helper(el).", (1, 13), "helper needs families"),
        ("draw map(wa, 1, 1).", (1, 6), "map(wa, 1, 1): a place consists of numbers, and belongs to a variable"),
        ("draw shade(R, C).", (1, 12), "R has no value: no clause declares it"),
        ("draw shade(1, 1) : cell(4, 4) = 1.", (1, 20), "cell(4,4) does not exist"),
        ("draw (3).", (1, 6), "expected a name, found ("),
    ],
)
def test_a_diagnostic_of_a_drawing_has_a_place(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(SpecError) as caught:
        dsl.loads(text + "\n" + BOARD)
    [diagnostic] = caught.value.diagnostics
    assert diagnostic.message.startswith(message) and diagnostic.at is not None
    assert (diagnostic.at.line, diagnostic.at.column) == place


def test_a_corner_without_a_text_has_a_hint_to_shapes_without_text() -> None:
    with pytest.raises(SpecError, match=r"write corner\(R, C\) = V; circle, disc and square need no text"):
        dsl.loads("draw corner(1, 2). " + BOARD)


@pytest.mark.parametrize(
    ("text", "equivalent"),
    [
        ("draw circle(1, 1) = max(V : V in 1..0).", ""),
        ("draw circle(C, 1) = min(V : V in 1..C, V > 2) : C in 1..3.", "draw circle(3, 1) = 3."),
        ("draw disc(1, 2 // (C - 1)) : C in 1..3.", "draw disc(1, 2). draw disc(1, 1)."),
        ("draw shade(1, 1) : cell(1, 1) = 1. draw text(1, 1) = 1 mod 0.", "draw shade(1, 1) : cell(1, 1) = 1."),
    ],
)
def test_a_drawing_without_a_value_is_omitted(text: str, equivalent: str) -> None:
    assert dsl.loads(BOARD + text) == dsl.loads(BOARD + equivalent)


@pytest.mark.parametrize(
    ("kind", "indices", "value"),
    [
        ("lin", (1, 1), None),
        ("line", (1, 1), None),
        ("shade", (1, 1), "pink"),
        ("text", (1, 1), None),
        ("map", (1, 1, 1), None),
    ],
)
def test_a_model_refuses_a_drawing_with_wrong_arguments(kind: str, indices: tuple[int, ...], value: str | None) -> None:
    with pytest.raises(ModelError):
        Drawn(kind, indices, value)


def test_a_model_refuses_a_drawing_with_an_unknown_variable() -> None:
    with pytest.raises(ModelError, match="names y, which has no domain"):
        Model({"x": (1,)}, drawn=[Drawn("shade", (1, 1), None, Equality(Variable("y"), 1))])


def test_a_draw_clause_survives_formatting_and_writing() -> None:
    text = "draw circle(R, C) = V : clue(R, C, V), V != '?'.\n"
    assert format_spec(Source("", text.replace(", ", " ,").replace(" : ", ":"))) == text
    [clause] = parse(text)[0]
    assert f"{write(clause)}\n" == text


def value_looks(shapes: list[Shape]) -> list[str]:
    """Return the looks of shapes that depend on values."""
    return [shape.look for shape in shapes if shape.look.startswith(("tint", "way", "loop", "path", "found-text"))]


def test_a_conditional_drawing_appears_when_its_variables_are_fixed() -> None:
    model = dsl.loads(SHADING)
    free = dsl.loads(SHADING.partition("dark(1, 1) = 1.")[0])
    assert value_looks(picture(Plan(free), Scene(title="", domains=free.domains))) == []
    trace = csp.record(model, nodes=0)
    looks_of_moments = [
        value_looks(picture(Plan(trace.model, trace.origins), scene(moment))) for moment in replay(trace)
    ]
    assert looks_of_moments[0] == ["tint-dark"] == looks_of_moments[-1], "a given is fixed from the beginning"


def test_a_shade_replaces_the_text_of_its_value() -> None:
    model = dsl.loads(SHADING)
    dark = {v: (0,) if v == "dark(1,2)" else (1,) if v == "dark(1,1)" else (0, 1) for v in model.domains}
    shapes = picture(Plan(model), Scene(title="", domains=dark))
    assert [shape.of for shape in shapes if shape.look == "blank"] == [("dark(1,2)",)], "a point for 0"
    of_texts = {shape.of for shape in shapes if shape.kind == "text"}
    assert not any(of and of[0].startswith("dark") for of in of_texts), "no text for 0, 1 or an unfixed variable"


def test_a_given_number_is_black() -> None:
    model = dsl.loads(BOARD + "draw text(1, C) = cell(1, C) : C in 1..2, cell(1, C) > 0. cell(1, 1) = 3.")
    domains = {v: (3,) if v.indices == (1, 2) else domain for v, domain in model.domains.items()}
    text_looks = [
        shape.look
        for shape in picture(Plan(model), Scene(title="", domains=domains))
        if shape.text == "3" and not shape.of
    ]
    assert text_looks == ["header", "header", "inner", "found-text"]


def test_candidates_omit_values_that_draw_nothing() -> None:
    """Check the candidates of numbers and of shades while all values are possible.

    A board with numbers shows them as candidates; a board with one shade shows none.
    """
    numbers = dsl.loads(BOARD + "draw text(R, C) = cell(R, C) : R in 1..3, C in 1..3, cell(R, C) > 1.")
    shades = dsl.loads(BOARD + "draw shade(R, C) : R in 1..3, C in 1..3, cell(R, C) = 2.")
    texts_of_models = []
    for model in (numbers, shades):
        shapes = picture(Plan(model), Scene(title="", domains=model.domains))
        texts_of_models.append({shape.text for shape in shapes if shape.of and shape.kind == "text"})
    assert texts_of_models == [{"2", "3"}, set()]


def test_a_large_domain_is_darker_after_a_removal_without_a_number() -> None:
    model = dsl.loads("cell(R, C) in 1..25 :- R in 1..5, C in 1..5.")
    domains = {v: domain[1:] if v.indices == (3, 3) else domain for v, domain in model.domains.items()}
    shapes = picture(Plan(model), Scene(title="", domains=domains))
    assert not [shape.text for shape in shapes if shape.of and shape.kind == "text"]
    [many] = [shape for shape in shapes if "ramp" in shape.look]
    assert many.of == ("cell(3,3)",)
    # The fewer values remain, the darker is one of four shades.
    counts = dict(zip(model.domains, (24, 12, 11, 6, 5, 3, 2), strict=False))
    domains = {v: model.domains[v][:count] for v, count in counts.items()}
    few = picture(Plan(model), Scene(title="", domains=model.domains | domains))
    assert [int(shape.look[-1]) for shape in few if "ramp" in shape.look] == [0, 0, 1, 1, 2, 2, 3]
    # A cell without a value has the background of a failure.
    empty = Scene(title="", domains=model.domains | {many.of[0]: ()}, removed=((many.of[0], 1),))
    assert not any("ramp" in shape.look for shape in picture(Plan(model), empty))


def test_the_legend_explains_each_shade() -> None:
    model = dsl.loads("cell(R, C) in 1..25 :- R in 1..5, C in 1..5.")
    painter, first = Painter(model), next(iter(model.domains))
    for count in (25, 20, 10):
        domains = {first: model.domains[first][:count]}
        parts = painter.parts(Scene(title="", domains=model.domains | domains))
        assert any("ramp" in shape.look for shape in parts.shapes) == (count < 25)
        swatch = [shape.look for shape in parts.caption if "ramp" in shape.look]
        assert swatch == ([f"ramp ramp-{i}" for i in range(4)] if count < 25 else [])


def test_few_remaining_values_leave_room_for_signs_at_the_upper_border() -> None:
    model = dsl.loads("cell(R, C) in 1..25 :- R in 1..5, C in 1..5.")
    plan = Plan(model)
    for values in ((1, 2), (11, 12), tuple(range(11, 17))):
        shapes = picture(plan, Scene(title="", domains=dict.fromkeys(model.domains, values)))
        texts = [shape for shape in shapes if shape.kind == "text" and shape.of == ("cell(3,3)",)]
        (_, y), (_, height) = plan.layout.points[Variable("cell", 3, 3)], plan.layout.size(Variable("cell", 3, 3))
        assert min(shape.points[0][1] - shape.size * 0.36 for shape in texts) >= y - height / 2 + 13


def test_bridges_join_islands() -> None:
    """Check that bridges reach from circle to circle, and that unfixed ones lie between two.

    There are as many lines as bridges.
    """
    model = example("hashi")
    board, solution = Plan(model), csp.solve(model)
    assert solution is not None
    lines = [shape for shape in board.moving.shapes({v: (solution[v],) for v in model.domains}) if shape.look == "way"]
    bridges = {v: solution[v] for v in model.domains if v.indices[0] != 0}
    assert len(lines) == sum(map(int, bridges.values())) > len([count for count in bridges.values() if count])
    rings = [shape.points[0] for shape in board.shapes if shape.look == "ring"]
    for line in lines:
        for x, y in line.points:
            assert min(abs(((x - p) ** 2 + (y - q) ** 2) ** 0.5 - 24) for p, q in rings) < 1
    for v in bridges:
        (x, y), form = board.layout.points[v], board.layout.forms[v]
        assert form.kind == "step" and len(form.values) == 3
        islands = [(p, q) for p, q in rings if abs(x - p) < 1 or abs(y - q) < 1]
        assert any(abs(p + r - 2 * x) < 2 and abs(q + s - 2 * y) < 2 for p, q in islands for r, s in islands)


@pytest.mark.parametrize("name", ["simple_loop", "yajilin"])
def test_the_film_draws_the_same_shapes_as_the_pictures(name: str) -> None:
    """Compare the number of visible shapes; equal shapes of two clauses count once.

    The rules of yajilin shade cells that the spec of yajilin shades, too.
    """
    trace = csp.record(example(name))
    board = Plan(trace.model, trace.origins)
    data: dict[str, Any] = film(trace, board)
    visible = set(data["drawn"]["start"])
    moments = list(replay(trace))
    for record, moment in zip(data["records"], moments[1:], strict=True):
        visible ^= set(record.get("drawn", ()))
        assert len(visible) == len({*board.moving.shapes(moment.domains)})
    assert visible and "drawn" not in film(csp.record(example("shidoku")))


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["akari", "battleships", "masyu", "mathrax", "yin_yang"])
def test_the_page_has_a_style_for_every_drawn_look(name: str) -> None:
    """Look for classes without a style, which browsers fill with black."""
    data: dict[str, Any] = film(csp.record(example(name), nodes=20))
    styled = {*re.findall(r"\.([a-z][\w-]*)", (ROOT / "csp/render/page/picture.css").read_text("utf-8"))}
    looks = {shape[1] for shape in (*data["printed"], *data["drawn"]["shapes"])} if "drawn" in data else set()
    assert [look for look in sorted(looks) if styled.isdisjoint(look.split())] == []


@pytest.mark.parametrize("name", ["hashi", "midloop", "nawabari"])
def test_a_printed_puzzle_has_no_part_of_its_solution(name: str) -> None:
    """Use puzzles whose clues alone fix some lines."""
    shapes = puzzle_shapes(shown_plan(example(name)))
    assert not any(shape.look.startswith(("way", "loop", "path")) for shape in shapes)


def test_givens_are_drawn_from_the_beginning() -> None:
    """Use nanro, whose numbers depend on variables of cells and of rooms."""
    model = example("nanro")
    shapes = picture(Plan(model), Scene(title="", domains=model.domains))
    assert [shape.text for shape in shapes if shape.look == "inner"] == ["3", "2", "1", "3", "1", "3", "1"]


def test_a_layout_with_holes_keeps_its_places() -> None:
    """Check the tour on a map without a town in row 3."""
    model = example("salesman")
    solution = csp.solve(model)
    assert solution is not None
    shapes = solution_shapes(shown_plan(model), solution)
    slots = {shape.points[0] for shape in shapes if shape.look == "slot"}
    lines = [shape.points for shape in shapes if shape.look == "way"]
    assert len(slots) == len(lines) == 7 and {end for line in lines for end in line} == slots
    assert {shape.points[0] for shape in shapes if shape.look == "inner backed"} == slots


def test_a_word_beside_a_grid_replaces_the_number_of_its_line() -> None:
    board = plan(BOARD + "draw text(2, 0) = row. draw text(2, 0) = 2. draw text(0, 3) = 5. draw text(1, 4) = k.")
    headers = {shape.text: shape.points[0] for shape in board.shapes if shape.look == "header"}
    assert sorted(headers) == ["1", "2", "3", "row 2"] and headers["2"][0] == board.layout.points["cell(1,2)"][0]  # type: ignore[index]
    assert headers["row 2"][1] == board.layout.points["cell(2,1)"][1]  # type: ignore[index]
    assert {shape.text for shape in board.shapes if shape.look == "clue"} == {"5", "k"}


@pytest.mark.parametrize("name", ["japanese_sums", "nonogram"])
def test_clues_beside_a_grid_touch_neither_cells_nor_headers(name: str) -> None:
    board = Plan(example(name))
    bodies = [shape for shape in board.shapes if shape.look in ("slot", "header")]
    bodies += [box("body", point, board.layout.size(v)) for v, point in board.layout.points.items()]
    clues = [shape for shape in board.shapes if shape.look == "clue"]
    assert clues and not any(touch(*clue.points, *body.points, 0) for clue in clues for body in bodies)


def test_expressions_are_not_drawn_beside_a_map_or_a_layout() -> None:
    """Check that only variables of the spec have bodies, also in a table of groups."""
    for name in ("exam_timetable", "orthogonal_array", "salesman"):
        shapes = picture(board := Plan(example(name)), Scene(title="", domains=board.model.domains))
        assert {
            shape.of[0].partition("(")[0]
            for shape in shapes
            if shape.look.startswith("body") and shape.of and " " not in shape.of[0]
        } <= {
            *("period", "room", "level", "next"),
        }
        assert not board.layout.boards


def test_an_explicit_drawing_replaces_an_inferred_drawing() -> None:
    ordered_cells = "cell(1, C) < cell(1, C + 1) :- C in 1..2.\n"
    assert counts_of_looks(ordered_cells) == {"sign": 2}
    assert counts_of_looks(ordered_cells + "draw thermometer(1, C, C) : C in 1..3.") == {
        "tint-grey": 1,
        "chain-grey stem": 1,
    }
    assert counts_of_looks(ordered_cells + "draw thermometer(3, C, C) : C in 1..3.") == {
        "sign": 2,
        "tint-grey": 1,
        "chain-grey stem": 1,
    }
    total = '"sum": sum(cell(1, C) : C in 1..3) = 6.\n'
    assert counts_of_looks(total) == {"clue": 1} == counts_of_looks(total + "draw text(1, 0) = 6.")
    assert plan(BOARD + total + "draw text(1, 0) = six.").shapes[0].text == "six"


def test_a_clause_draws_all_of_its_signs_or_none() -> None:
    pairs = "side(1, 1, 1, 2). side(1, 2, 2, 3). abs(cell(R, C) - cell(S, D)) = 1 :- side(R, C, S, D)."
    assert counts_of_looks(pairs) == {}
    assert counts_of_looks(pairs.replace("2, 3)", "1, 3)")) != {}


@pytest.mark.parametrize(("drawing", "signs"), [("S", ["<", ">"]), ("o", []), ("S, W = l", [])])
def test_candidates_are_shown_as_the_drawn_signs_of_their_values(drawing: str, signs: list[str]) -> None:
    """Show signs as candidates only where signs distinguish the values.

    Two equal signs cannot distinguish values, and a sign for a single value cannot, either.
    """
    text_of_value, _, condition = drawing.partition(", ")
    text = "way(1, C) in {l, r, corner} :- C in 1..2. sign(l, '<'). sign(r, '>').\n"
    board = plan(
        f"{text}draw text(1, C) = {text_of_value} : C in 1..2, {condition or 'W != no'}, sign(W, S), way(1, C) = W."
    )
    shapes = picture(board, Scene(title="", domains=board.model.domains))
    assert [shape.text for shape in shapes if shape.kind == "text" and shape.layer == VERTICES] == 2 * signs


def test_the_value_of_a_helper_is_drawn_below_the_value_of_its_cell() -> None:
    helper = Variable("second", 1, 1)
    board = plan(BOARD + "second(1, 1) in 4..5. draw helper(second). draw text(1, 1) = 4 : second(1, 1) = 4.")
    [shape] = board.moving.shapes({**board.model.domains, helper: (4,)})
    assert (shape.text, shape.points[0]) == ("4", (19.0, 18.0)) and board.layout.points["cell(1,1)"] == (0.0, 0.0)


def test_helpers_are_not_drawn() -> None:
    board = plan(BOARD + "at(K) in 1..3 :- K in 1..3. draw helper(at). draw helper(cell(R, 3)) : R in 1..3.")
    sizes = {v: board.layout.size(v) for v in board.model.domains}
    assert {v for v, size in sizes.items() if size == (0, 0)} == {
        *(f"at({k})" for k in (1, 2, 3)),
        *(f"cell({r},3)" for r in (1, 2, 3)),
    }
    assert max(x for v, (x, _) in board.layout.points.items() if sizes[v] != (0, 0)) < 200


def test_the_title_of_a_pair_names_both_families() -> None:
    titles = [shape.text for shape in Plan(example("graeco_latin")).shapes if shape.look == "title"]
    assert titles == ["latin | greek"]


def test_a_pair_shares_a_cell_and_a_map_has_the_given_places() -> None:
    points = plan("x(R, C), y(R, C) in 1..2 :- R in 1..2, C in 1..2. draw pair(x, y).").layout.points
    pair_points = {(v.family, *v.indices): point for v, point in points.items()}
    assert (
        pair_points["y", 1, 1] == (pair_points["x", 1, 1][0] + 60, pair_points["x", 1, 1][1])
        and pair_points["x", 1, 2][0] > pair_points["y", 1, 1][0] + 60
    )
    points = plan("x(I) in 1..2 :- I in 1..3. x(1) != x(2). draw map(x(I), 3*I, I*I) : I in 1..3.").layout.points
    (x1, y1), (x2, y2), (x3, y3) = points.values()
    assert x2 - x1 == pytest.approx(x3 - x2, abs=1) and (y3 - y1) / (y2 - y1) == pytest.approx(8 / 3, rel=0.05)


def test_answers_print_drawings() -> None:
    def print_answer(text: str) -> str:
        model = dsl.loads(text)
        solution = csp.solve(model)
        assert solution is not None
        return answer_text(model, solution)

    assert print_answer(SHADING + "dark(2, C) = C - 1 :- C in 1..2.") == "# .\n. #"
    walls = "x(1, 1) in 0..1. x(2, 2) in 0..1. x(R, R) = 1 :- R in 1..2. draw shade(1, 2) = black. draw text(2, 1) = 5."
    assert print_answer(walls) == "1 #\n5 1"
    rooms = BOARD + "cell(R, C) = C :- R in 1..3, C in 1..3. draw border(R, C, R // 2) : R in 1..3, C in 1..3."
    assert print_answer(rooms) == "1 2 3\n-----\n1 2 3\n1 2 3"
    letters = "A, B in 1..2. A < B. show line(1, 1) = A, line(2, 1) = '+', line(2, 2) = B."
    assert print_answer(letters) == "1 .\n+ 2"


def test_a_shade_that_lights_a_cell_hides_no_clue_in_a_terminal() -> None:
    model = example("slitherlink")
    texts = place_texts(model, {v: max(domain) for v, domain in model.domains.items()})
    assert Counter(texts[f"inside({r},{c})"] for r, c in ((1, 4), (2, 1), (6, 6))) == {"3": 2, "0": 1}


def test_a_drawn_solution_has_its_conditional_drawings() -> None:
    for name, text in (("nurikabe", "#8F8F8F"), ("masyu", "stroke-linecap"), ("knights_tour", "#B0D0EF")):
        model = example(name)
        solution = csp.solve(model)
        assert solution is not None and text in solution_svg(model, solution)


def test_a_conditional_drawing_needs_a_value_that_satisfies_it() -> None:
    grid = {Variable("cell", 1, 1): (0, 0)}
    drawing = Drawn("shade", (1, 1), None, Equality(Variable("cell", 1, 1), 1))
    assert grid_drawing([drawing], grid).shades == {}
    assert (
        grid_drawing([drawing], grid, (), {"cell(1,1)": 2}).shades
        == {}
        != grid_drawing([drawing], grid, (), {"cell(1,1)": 1}).shades
    )


def test_regions_of_sums_are_drawn_if_they_partition_the_board() -> None:
    regions = (
        '"region {K}": sum(cell(R, C) : room(R, C, K)) = 6 :- room(_, _, K).\ngrid room = "\n aab\n cab\n ccb\n".\n'
    )
    assert counts_of_looks(regions) == {"region": 3}
    assert "region" not in counts_of_looks(regions.replace("aab", "aa.")), "a cell is outside of all regions"


def test_a_count_of_conjunctions_draws_no_number() -> None:
    around = '"ring": count((cell(R, C) = 1, cell(R, 1) = 2) : R in 1..3, C in {1, 3}) = 0.\n'
    assert "corner" not in counts_of_looks(around + "near(0).")


def test_a_cage_outside_of_the_board_has_a_warning_and_leaves_answers_intact() -> None:
    text = BOARD + "cell(1, 1) = 2.\ncell(1, 1) != cell(1, 2).\ndraw cage(7, 7, 1) = 8.\ndraw cage(1, 1, 2) = 5.\n"
    model = dsl.loads(text)
    assert "┆2≠" in answer_text(model, csp.Solver(model).solve() or {})
    [warning] = [diagnostic for diagnostic in diagnose(text) if diagnostic.code == "unseen-drawing"]
    assert warning.message.startswith("cage(7, 7, 1) = 8 is outside of the board") and warning.at.line == 4


def test_boxes_have_thick_lines_instead_of_gaps() -> None:
    """Check the picture and the printed answer of a sudoku with ``draw boxes``."""
    text = (ROOT / "examples" / "sudoku.csp").read_text(encoding="utf-8")
    plain, lined = dsl.loads(text), dsl.loads(text + "\ndraw boxes(cell).")

    def distances(model: csp.Model) -> set[float]:
        xs = sorted({x for x, _ in Plan(model).layout.points.values()})
        return {round(high - low, 1) for low, high in pairwise(xs)}

    regions = [sum(shape.look == "region" for shape in Plan(model).shapes) for model in (plain, lined)]
    assert regions == [0, 9] and len(distances(plain)) == 2 and len(distances(lined)) == 1
    answers = [answer_text(model, csp.solve(model) or {}) for model in (plain, lined)]
    assert answers[0] == answers[1] and "------+-------+------" in answers[1]


@pytest.mark.parametrize(
    ("spec", "answer"),
    [
        ("x(1, C) in 1..2 :- C in 1..2. y(1, C) in 1..2 :- C in 1..3. x(1, 1) < x(1, 2). y(1, C) = 2 :- C in 1..3. "
         "draw pair(x, y).", "x:\n1<2\n\ny:\n2 2 2"),
        ("x(R) in 0..1 :- R in 1..2. x(1) < x(2). draw loop(x).", "x(1) = 0\nx(2) = 1"),
    ],
)  # fmt: skip
def test_pairs_and_loops_without_effect_leave_answers_and_pictures_whole(spec: str, answer: str) -> None:
    model = dsl.loads(spec)
    assert answer_text(model, csp.solve(model) or {}) == answer
    assert [*Plan(model).visible] and len(csp.unseen_drawings(model)) == 1


def test_cards_of_two_families_without_an_edge_may_be_close_on_a_map() -> None:
    placed = Plan(example("exam_timetable")).layout
    for e in range(1, 9):
        (x, y), (p, q) = placed.points[Variable("period", e)], placed.points[Variable("room", e)]
        gap = abs(y - q) - placed.size(Variable("room", e))[1]
        assert x == p and 0 < gap < 15
    (_, y), (_, q) = placed.points[Variable("period", 1)], placed.points[Variable("period", 5)]
    assert abs(y - q) - placed.size(Variable("period", 1))[1] > 40
