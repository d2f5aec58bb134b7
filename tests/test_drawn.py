"""What a spec draws: read and written, on the plan, once variables are settled, in answers and in the film."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

import pytest

import csp
import dsl
from csp import Drawn, Equality, Model, ModelError, Variable
from csp.board.answer import answer_text
from csp.board.drawn.drawing import grid_drawing
from csp.picture.layout.nodes import touch
from csp.picture.picture import picture
from csp.picture.plan import Plan
from csp.picture.scene import Scene, scene
from csp.picture.shapes import VERTICES, Shape, box
from csp.render.page.film import film
from csp.render.solved import puzzle_shapes, shown_plan, solution_shapes, solution_svg
from csp.trace import replay
from dsl.editor import diagnose
from dsl.syntax.errors import Source, SpecError
from dsl.syntax.parsing.parse import parse
from dsl.syntax.printing.format import format_spec
from dsl.syntax.printing.write import write

from .conftest import ROOT
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


def looks(text: str) -> dict[str, int]:
    """What is printed on a board of nine cells besides its headers."""
    found = Counter(mark.look for mark in plan(BOARD + text).shapes)
    del found["header"]
    return dict(found)


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
        ("draw text(2, 2) = 7. draw corner(1, 1) = 8.", {"corner": 2}),  # where candidates stand in the middle
        ("draw text(0, 2) = 7. draw text(4, 1) = 8. draw text(3, 9) = 9.", {"clue": 3}),
        ("draw text(1, 1, 1, 2) = x.", {"sign backed": 1}),
    ],
)
def test_each_kind_is_marks(text: str, printed: dict[str, int]) -> None:
    assert looks(text) == printed


def test_places_are_where_they_say() -> None:
    marks = plan(
        BOARD + "draw circle(1, 1, 2, 2) = V : V in {4, 2}. draw text(0, 3) = 5. draw line(1, C, C) : C in 1..3."
    )
    at = marks.layout.points
    middle = [(at["cell(1,1)"][i] + at["cell(2,2)"][i]) / 2 for i in (0, 1)]  # type: ignore[index]
    [bead] = [mark for mark in marks.shapes if mark.look == "bead"]
    [words] = [mark for mark in marks.shapes if mark.look == "sign"]
    assert [*bead.points[0]] == middle == [*words.points[0]] and words.text == "42"
    [clue] = [mark for mark in marks.shapes if mark.look == "clue"]
    (x, y), (p, q) = clue.points[0], at[Variable("cell", 1, 3)]
    assert x == p and y < q - 30
    [line] = [mark for mark in marks.shapes if mark.look == "chain-grey"]
    assert line.points == tuple(at[Variable("cell", 1, c)] for c in (1, 2, 3))


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("draw lin(1, 1, 1).", (1, 6), "nothing drawn is called lin"),
        ("draw line(1, 1).", (1, 6), "line has 2 arguments here"),
        ("draw shade(1, 1) = gren.", (1, 20), "shade(1, 1) = gren: gren is no colour"),
        ("draw text(1, 1).", (1, 6), "text(1, 1): there is no text"),
        ("draw border(1, 1, 1) = 3.", (1, 24), "border(1, 1, 1) = 3: it has no value"),
        ("draw circle(a, 1).", (1, 6), "circle(a, 1): a place is told by numbers"),
        ("draw helper(el).", (1, 13), "helper is told something else than families"),
        ("draw map(wa, 1, 1).", (1, 6), "map(wa, 1, 1): a place is told by numbers, and is that of a variable"),
        ("draw shade(R, C).", (1, 12), "R is neither bound by the body nor declared as a puzzle variable"),
        ("draw shade(1, 1) : cell(4, 4) = 1.", (1, 20), "cell(4,4) is not declared"),
        ("draw (3).", (1, 6), "( stands where a name is expected"),
    ],
)
def test_mistakes_have_a_place(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(SpecError) as found:
        dsl.loads(text + "\n" + BOARD)
    [diagnostic] = found.value.diagnostics
    assert diagnostic.message.startswith(message) and diagnostic.at is not None
    assert (diagnostic.at.line, diagnostic.at.column) == place


def test_a_corner_without_a_text_is_told_what_needs_none() -> None:
    with pytest.raises(SpecError, match=r"write corner\(R, C\) = V; circle, disc and square need no text"):
        dsl.loads("draw corner(1, 2). " + BOARD)


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("draw circle(1, 1) = max(V : V in 1..0).", ""),
        ("draw circle(C, 1) = min(V : V in 1..C, V > 2) : C in 1..3.", "draw circle(3, 1) = 3."),
        ("draw disc(1, 2 // (C - 1)) : C in 1..3.", "draw disc(1, 2). draw disc(1, 1)."),
        ("draw shade(1, 1) : cell(1, 1) = 1. draw text(1, 1) = 1 mod 0.", "draw shade(1, 1) : cell(1, 1) = 1."),
    ],
)
def test_what_has_no_value_is_not_drawn(text: str, same: str) -> None:
    assert dsl.loads(BOARD + text) == dsl.loads(BOARD + same)


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
def test_a_model_refuses_what_cannot_be_drawn(kind: str, indices: tuple[int, ...], value: str | None) -> None:
    with pytest.raises(ModelError):
        Drawn(kind, indices, value)


def test_variables_of_drawings_have_domains() -> None:
    with pytest.raises(ModelError, match="names y, which has no domain"):
        Model({"x": (1,)}, drawn=[Drawn("shade", (1, 1), None, Equality(Variable("y"), 1))])


def test_a_clause_is_formatted_and_written_as_it_is_read() -> None:
    text = "draw circle(R, C) = V : clue(R, C, V), V != '?'.\n"
    assert format_spec(Source("", text.replace(", ", " ,").replace(" : ", ":"))) == text
    [clause] = parse(text)[0]
    assert f"{write(clause)}\n" == text


def drawn(marks: list[Shape]) -> list[str]:
    return [mark.look for mark in marks if mark.look.startswith(("tint", "way", "loop", "path", "found-text"))]


def test_what_depends_on_values_is_drawn_once_they_are_settled() -> None:
    model = dsl.loads(SHADING)
    free = dsl.loads(SHADING.partition("dark(1, 1) = 1.")[0])
    assert drawn(picture(Plan(free), Scene(title="", domains=free.domains))) == []
    trace = csp.record(model, nodes=0)
    shown = [drawn(picture(Plan(trace.model, trace.origins), scene(moment))) for moment in replay(trace)]
    assert shown[0] == ["tint-dark"] == shown[-1], "what is given is settled from the beginning"


def test_values_that_are_drawn_do_not_stand_there() -> None:
    model = dsl.loads(SHADING)
    dark = {v: (0,) if v == "dark(1,2)" else (1,) if v == "dark(1,1)" else (0, 1) for v in model.domains}
    texts = {mark.of: mark.text for mark in picture(Plan(model), Scene(title="", domains=dark)) if mark.kind == "text"}
    assert texts.pop(("dark(1,2)",)) == "·"
    assert not any(of and of[0].startswith("dark") for of in texts), "neither 0 nor 1, nor what is still open"


def test_a_number_that_is_given_is_black() -> None:
    model = dsl.loads(BOARD + "draw text(1, C) = cell(1, C) : C in 1..2, cell(1, C) > 0. cell(1, 1) = 3.")
    domains = {v: (3,) if v.indices == (1, 2) else domain for v, domain in model.domains.items()}
    texts = [
        mark.look for mark in picture(Plan(model), Scene(title="", domains=domains)) if mark.text == "3" and not mark.of
    ]
    assert texts == ["header", "header", "inner", "found-text"]


def test_what_draws_nothing_is_not_told_while_it_is_possible() -> None:
    """Of a shading of many values nothing is; of numbers, that there is none."""
    numbers = dsl.loads(BOARD + "draw text(R, C) = cell(R, C) : R in 1..3, C in 1..3, cell(R, C) > 1.")
    shades = dsl.loads(BOARD + "draw shade(R, C) : R in 1..3, C in 1..3, cell(R, C) = 2.")
    told = []
    for model in (numbers, shades):
        marks = picture(Plan(model), Scene(title="", domains=model.domains))
        told.append({mark.text for mark in marks if mark.of and mark.kind == "text"})
    assert told == [{"2", "3"}, set()]


def test_many_values_are_counted_once_one_has_gone() -> None:
    model = dsl.loads("cell(R, C) in 1..25 :- R in 1..5, C in 1..5.")
    domains = {v: domain[1:] if v.indices == (3, 3) else domain for v, domain in model.domains.items()}
    marks = picture(Plan(model), Scene(title="", domains=domains))
    assert [mark.text for mark in marks if mark.of and mark.kind == "text"] == ["24", "left"]
    assert [mark.of for mark in marks if mark.look == "ramp"] == [("cell(3,3)",)]


def test_bridges_join_islands() -> None:
    """As many lines as there are bridges, from circle to circle; what is open stands between."""
    model = example("hashi")
    whole, solution = Plan(model), csp.solve(model)
    assert solution is not None
    ways = [mark for mark in whole.moving.shapes({v: (solution[v],) for v in model.domains}) if mark.look == "way"]
    bridges = {v: solution[v] for v in model.domains if v.indices[0] != 0}
    assert len(ways) == sum(map(int, bridges.values())) > len([one for one in bridges.values() if one])
    rings = [mark.points[0] for mark in whole.shapes if mark.look == "ring"]
    for way in ways:
        for x, y in way.points:
            assert min(abs(((x - p) ** 2 + (y - q) ** 2) ** 0.5 - 24) for p, q in rings) < 1
    for v in bridges:
        (x, y), form = whole.layout.points[v], whole.layout.forms[v]
        assert form.kind == "step" and len(form.values) == 3
        near = [(p, q) for p, q in rings if abs(x - p) < 1 or abs(y - q) < 1]
        assert any(abs(p + r - 2 * x) < 2 and abs(q + s - 2 * y) < 2 for p, q in near for r, s in near)


@pytest.mark.parametrize("name", ["simple_loop", "yajilin"])
def test_the_film_draws_what_the_pictures_draw(name: str) -> None:
    """Once where two clauses draw the same, as in yajilin, whose rules shade what it shades itself."""
    trace = csp.record(example(name))
    whole = Plan(trace.model, trace.origins)
    data: dict[str, Any] = film(trace, whole)
    shown = set(data["drawn"]["start"])
    moments = list(replay(trace))
    for record, moment in zip(data["records"], moments[1:], strict=True):
        shown ^= set(record.get("drawn", ()))
        assert len(shown) == len({*whole.moving.shapes(moment.domains)})
    assert shown and "drawn" not in film(csp.record(example("shidoku")))


@pytest.mark.parametrize("name", ["akari", "battleships", "masyu", "mathrax", "yin_yang"])
def test_the_page_has_a_style_for_all_that_is_drawn(name: str) -> None:
    """A lamp without one was black."""
    data: dict[str, Any] = film(csp.record(example(name), nodes=20))
    styled = {*re.findall(r"\.([a-z][\w-]*)", (ROOT / "csp/render/page/picture.css").read_text("utf-8"))}
    looks = {mark[1] for mark in (*data["marks"], *data["drawn"]["marks"])} if "drawn" in data else set()
    assert [look for look in sorted(looks) if styled.isdisjoint(look.split())] == []


@pytest.mark.parametrize("name", ["hashi", "midloop", "nawabari"])
def test_a_printed_puzzle_has_no_part_of_its_solution(name: str) -> None:
    """Though a clue may leave no choice."""
    marks = puzzle_shapes(shown_plan(example(name)))
    assert not any(mark.look.startswith(("way", "loop", "path")) for mark in marks)


def test_what_is_given_is_drawn_from_the_beginning() -> None:
    """A number of nanro is decided by that of its room, too."""
    model = example("nanro")
    shown = picture(Plan(model), Scene(title="", domains=model.domains))
    assert [mark.text for mark in shown if mark.look == "inner"] == ["3", "2", "1", "3", "1", "3", "1"]


def test_a_layout_with_holes_is_drawn_where_it_stands() -> None:
    """There is no town in row 3 of the salesman's map, and the tour joins the towns themselves."""
    model = example("salesman")
    solution = csp.solve(model)
    assert solution is not None
    marks = solution_shapes(shown_plan(model), solution)
    slots = {mark.points[0] for mark in marks if mark.look == "slot"}
    ways = [mark.points for mark in marks if mark.look == "way"]
    assert len(slots) == len(ways) == 7 and {end for way in ways for end in way} == slots
    assert {mark.points[0] for mark in marks if mark.look == "inner backed"} == slots


@pytest.mark.parametrize("name", ["exam_timetable", "japanese_sums", "nonogram"])
def test_what_stands_beside_a_grid_touches_neither_its_cells_nor_its_numbers(name: str) -> None:
    whole = Plan(example(name))
    bodies = [mark for mark in whole.shapes if mark.look in ("slot", "header")]
    bodies += [box("body", point, whole.layout.size(v)) for v, point in whole.layout.points.items()]
    clues = [mark for mark in whole.shapes if mark.look == "clue"]
    assert clues and not any(touch(*one.points, *other.points, 0) for one in clues for other in bodies)


def test_expressions_are_not_drawn_beside_a_map_or_a_layout() -> None:
    """Nor in a table of groups that are made of them."""
    for name in ("exam_timetable", "orthogonal_array", "salesman"):
        shown = picture(whole := Plan(example(name)), Scene(title="", domains=whole.model.domains))
        assert {
            mark.of[0].partition("(")[0]
            for mark in shown
            if mark.look.startswith("body") and mark.of and " " not in mark.of[0]
        } <= {
            *("period", "room", "level", "next"),
        }
        assert not whole.layout.boards


def test_said_goes_before_guessed() -> None:
    less = "cell(1, C) < cell(1, C + 1) :- C in 1..2.\n"
    assert looks(less) == {"sign": 2}
    assert looks(less + "draw thermometer(1, C, C) : C in 1..3.") == {"tint-grey": 1, "chain-grey stem": 1}
    assert looks(less + "draw thermometer(3, C, C) : C in 1..3.") == {"sign": 2, "tint-grey": 1, "chain-grey stem": 1}
    total = '"sum": sum(cell(1, C) : C in 1..3) = 6.\n'
    assert looks(total) == {"clue": 1} == looks(total + "draw text(1, 0) = 6.")
    assert plan(BOARD + total + "draw text(1, 0) = six.").shapes[0].text == "six"


def test_a_clause_has_all_of_its_signs_or_none() -> None:
    pairs = "side(1, 1, 1, 2). side(1, 2, 2, 3). abs(cell(R, C) - cell(S, D)) = 1 :- side(R, C, S, D)."
    assert looks(pairs) == {}
    assert looks(pairs.replace("2, 3)", "1, 3)")) != {}


@pytest.mark.parametrize(("drawn", "seen"), [("S", ["<", ">"]), ("o", []), ("S, W = l", [])])
def test_what_is_drawn_for_values_stands_for_them_while_they_are_possible(drawn: str, seen: list[str]) -> None:
    """Where it tells them apart; two that look alike are bits, and one alone tells nothing."""
    value, _, only = drawn.partition(", ")
    text = "way(1, C) in {l, r, corner} :- C in 1..2. sign(l, '<'). sign(r, '>').\n"
    whole = plan(f"{text}draw text(1, C) = {value} : C in 1..2, {only or 'W != no'}, sign(W, S), way(1, C) = W.")
    shown = picture(whole, Scene(title="", domains=whole.model.domains))
    assert [mark.text for mark in shown if mark.kind == "text" and mark.layer == VERTICES] == 2 * seen


def test_the_value_of_a_helper_stands_below_that_of_its_cell() -> None:
    second = Variable("second", 1, 1)
    whole = plan(BOARD + "second(1, 1) in 4..5. draw helper(second). draw text(1, 1) = 4 : second(1, 1) = 4.")
    [mark] = whole.moving.shapes({**whole.model.domains, second: (4,)})
    assert (mark.text, mark.points[0]) == ("4", (19.0, 18.0)) and whole.layout.points["cell(1,1)"] == (0.0, 0.0)


def test_helpers_are_not_drawn() -> None:
    whole = plan(BOARD + "at(K) in 1..3 :- K in 1..3. draw helper(at). draw helper(cell(R, 3)) : R in 1..3.")
    sizes = {v: whole.layout.size(v) for v in whole.model.domains}
    assert {v for v, size in sizes.items() if size == (0, 0)} == {
        *(f"at({k})" for k in (1, 2, 3)),
        *(f"cell({r},3)" for r in (1, 2, 3)),
    }
    assert max(x for v, (x, _) in whole.layout.points.items() if sizes[v] != (0, 0)) < 200


def test_a_pair_stands_in_one_cell_and_a_map_where_it_says() -> None:
    points = plan("x(R, C), y(R, C) in 1..2 :- R in 1..2, C in 1..2. draw pair(x, y).").layout.points
    at = {(v.family, *v.indices): point for v, point in points.items()}
    assert at["y", 1, 1] == (at["x", 1, 1][0] + 60, at["x", 1, 1][1]) and at["x", 1, 2][0] > at["y", 1, 1][0] + 60
    points = plan("x(I) in 1..2 :- I in 1..3. x(1) != x(2). draw map(x(I), 3*I, I*I) : I in 1..3.").layout.points
    (x1, y1), (x2, y2), (x3, y3) = points.values()
    assert x2 - x1 == pytest.approx(x3 - x2, abs=1) and (y3 - y1) / (y2 - y1) == pytest.approx(8 / 3, rel=0.05)


def test_answers_print_what_is_drawn() -> None:
    def printed(text: str) -> str:
        model = dsl.loads(text)
        solution = csp.solve(model)
        assert solution is not None
        return answer_text(model, solution)

    assert printed(SHADING + "dark(2, C) = C - 1 :- C in 1..2.") == "# .\n. #"
    walls = "x(1, 1) in 0..1. x(2, 2) in 0..1. x(R, R) = 1 :- R in 1..2. draw shade(1, 2) = black. draw text(2, 1) = 5."
    assert printed(walls) == "1 #\n5 1"
    rooms = BOARD + "cell(R, C) = C :- R in 1..3, C in 1..3. draw border(R, C, R // 2) : R in 1..3, C in 1..3."
    assert printed(rooms) == "1 2 3\n-----\n1 2 3\n1 2 3"
    letters = "A, B in 1..2. A < B. show line(1, 1) = A, line(2, 1) = '+', line(2, 2) = B."
    assert printed(letters) == "1 .\n+ 2"


def test_a_solution_is_drawn_with_what_depends_on_it() -> None:
    for name, looked in (("nurikabe", "#8F8F8F"), ("masyu", "stroke-linecap"), ("knights_tour", "#B0D0EF")):
        model = example(name)
        solution = csp.solve(model)
        assert solution is not None and looked in solution_svg(model, solution)


def test_what_needs_no_value_is_said_of_no_value() -> None:
    grid = {Variable("cell", 1, 1): (0, 0)}
    held = Drawn("shade", (1, 1), None, Equality(Variable("cell", 1, 1), 1))
    assert grid_drawing([held], grid).shades == {}
    assert (
        grid_drawing([held], grid, (), {"cell(1,1)": 2}).shades
        == {}
        != grid_drawing([held], grid, (), {"cell(1,1)": 1}).shades
    )


def test_regions_of_sums_are_drawn_where_they_part_the_board() -> None:
    regions = (
        '"region {K}": sum(cell(R, C) : room(R, C, K)) = 6 :- room(_, _, K).\ngrid room = "\n aab\n cab\n ccb\n".\n'
    )
    assert looks(regions) == {"region": 3}
    assert "region" not in looks(regions.replace("aab", "aa.")), "a cell is left"


def test_a_number_says_nothing_of_conjunctions() -> None:
    around = '"ring": count((cell(R, C) = 1, cell(R, 1) = 2) : R in 1..3, C in {1, 3}) = 0.\n'
    assert "corner" not in looks(around + "near(0).")


def test_a_cage_outside_of_the_board_is_warned_of_and_breaks_no_answer() -> None:
    text = BOARD + "cell(1, 1) = 2.\ncell(1, 1) != cell(1, 2).\ndraw cage(7, 7, 1) = 8.\ndraw cage(1, 1, 2) = 5.\n"
    model = dsl.loads(text)
    assert "┆2≠" in answer_text(model, csp.Solver(model).solve() or {})
    [warning] = [one for one in diagnose(text) if one.code == "unseen-drawing"]
    assert warning.message.startswith("cage(7, 7, 1) = 8 lies outside of the board") and warning.at.line == 4
