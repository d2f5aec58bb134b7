"""Test that borders, clues, colours, counts, edges and causes are true."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise

import pytest

import csp
import dsl
from csp import AllDifferent, Model, Variable, record, replay
from csp.base.notation import quoted
from csp.board.clues import total_text, unstated_constraints
from csp.board.grid import find_grids, grid_gaps
from csp.board.puzzle import PrintedGrid, find_puzzle
from csp.picture import tree
from csp.picture.edges import states_difference
from csp.picture.frames import frames, step_frames
from csp.picture.layout.failing import is_rising
from csp.picture.legend import CLUE, FILLS, LIT, entries
from csp.picture.picture import extent, picture
from csp.picture.plan import Plan
from csp.picture.scene import Scene, merge_moments, scene
from csp.picture.shapes import JOINS, Shape, box, text
from csp.picture.style import NAMED, TONES
from csp.render.dot.dot import tree_dot
from csp.render.page.film import film
from csp.render.painter import Painter
from csp.render.solved import solution_svg
from csp.render.text.terminal import Reel
from csp.trace import Failure, Removal

from ..conftest import Limits
from ..page.test_player import HARD
from ..plans import plan
from .test_render import EDGE, example

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""


def printed_grid(name: str) -> PrintedGrid:
    """Return the printed grid of an example: its clues, cages and regions."""
    model = example(name)
    return find_puzzle(model, find_grids(model)[0])


# Borders.


@pytest.mark.parametrize("name", ["jigsaw", "suguru"])
def test_irregular_regions_make_no_boxes(name: str) -> None:
    model = example(name)
    trace = record(model)
    assert grid_gaps(model, model.domains) == (set(), set())
    assert grid_gaps(trace.model, trace.model.domains, unstated_constraints(trace.model, trace.origins)) == (
        set(),
        set(),
    )
    for axis in (0, 1):
        line = sorted({point[axis] for point in Painter(trace.model).plan.layout.points.values()})
        assert len({b - a for a, b in pairwise(line)}) == 1, "all gaps are equal"
    lines = Reel(trace).screen(0, 80).plain.splitlines()
    assert all(lines[-2 - len(line) - 1 : -3]), "no line between the rows"


def test_regions_are_found_without_the_line_numbers_of_constraints() -> None:
    model = example("suguru")
    without = record(Model(model.domains, [replace(constraint, line=0) for constraint in model.constraints]))
    assert film(without)["printed"] == film(record(model))["printed"] != []


def test_windows_keep_the_gaps_between_boxes() -> None:
    model = example("windoku")
    assert grid_gaps(model, model.domains) == ({2, 5}, {2, 5})


@pytest.mark.parametrize(
    ("name", "greys"),
    [("sudoku", []), ("windoku", ["window"]), ("sudoku_x", ["diagonal falling, diagonal rising"]),
     ("evenodd", ["even", "odd"])],
)  # fmt: skip
def test_the_legend_explains_grey_cells(name: str, greys: list[str]) -> None:
    model = example(name)
    text = Painter(model).dot(Scene(title=name, domains=model.domains))
    assert re.findall('label="(window|diagonal[^"]*|one more group|even|odd)\\\\l"', text) == greys


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("money", {"printed"}), ("exam_timetable", {"printed"}), ("thermo_sudoku", {"bulb: start of a line"}),
        ("slitherlink", {"clue", "inside"}), ("heyawake", {"clue", "shaded"}),
    ],
)  # fmt: skip
def test_the_legend_calls_only_clues_clues(name: str, words: set[str]) -> None:
    drawn = plan(name)
    signs = {"clue", "printed", "bulb: start of a line", "inside", "shaded"}
    listed = [entry.words for entry in entries(drawn, drawn.lens)]
    assert {*listed} & signs == words and not any(word.endswith(" fill") for word in listed)


@pytest.mark.parametrize(
    ("name", "words"),
    [("golfers", {"group = 1", "group = 2", "group = 3"}), ("castle_wall", {"grey fill", "black fill"})],
)
def test_two_fills_have_two_names(name: str, words: set[str]) -> None:
    drawn = plan(name)
    listed = [entry.words for entry in entries(drawn, drawn.lens) if entry.look in {fill.look for fill in FILLS}]
    assert words <= {*listed} and len(listed) == len({*listed})


def test_the_sign_of_an_active_constraint_is_a_line() -> None:
    assert not LIT.is_in([text("6", "mark inner on", (0, 0), 18)]) and LIT.is_in([text("", "edge lit", (0, 0), 18)])
    assert not CLUE.is_in([text("5", "found-text inner", (0, 0), 18)])


# Clues.


@pytest.mark.parametrize(
    ("text", "clue"),
    [
        ("x - y = 2 ; y - x = 2", "2−"), ("x = y + 2 ; y = x + 2", "2−"), ("x = 2*y ; y = 2*x", "2÷"),
        ("abs(x - y) = 4", "4−"), ("max(x, y) - min(x, y) = 3", "3−"), ("2*max(x, y, z) = x + y + z + 1", "1−"),
        ("max(x, y) = 3*min(x, y)", "3÷"), ("max(x, y, z) = 3*min(x, y, z)", ""), ("x*y*z = 8", "8×"),
        ("9 >= x + y", "≤ 9"), ("x = y + 2 ; y = x + 3", ""), ("x = 2*y ; y = 3*x", ""), ("2*x + y = 7", ""),
        ("x + y = 6 ; x*y = 6 ; max(x, y) = 6*min(x, y)", "6?"), ("x + y = 6 ; x*y = 5", ""),
    ],
)  # fmt: skip
def test_a_clue_shows_the_operation_and_the_target(text: str, clue: str) -> None:
    assert total_text(dsl.loads(f"x, y, z in 1..6. {text}.").constraints[0]) == clue


def test_totals_appear_beside_their_rows_and_columns() -> None:
    grid = printed_grid("tents")
    rows = {clue.cells[0] for clue in grid.clues if clue.cells[1].indices[0] == clue.cells[0].indices[0]}
    assert rows == {Variable("cell", r, 1) for r in range(1, 9)} and len(grid.clues) == 16
    assert not grid.cages and not grid.corners, "overlapping cages are not drawn"
    assert "49 constraints are drawn only when active" in Painter(example("tents")).dot(
        next(frames(record(example("tents"))))
    )


def test_labels_of_skyscrapers_use_the_indices_of_the_grid() -> None:
    model = example("skyscrapers")
    for constraint in model.constraints:
        if match := re.fullmatch(r"(\d) seen from (\d),(\d)", constraint.label or ""):
            _, row, column = map(int, match.groups())
            axis = 1 if row in (0, 7) else 0
            assert {v.indices[axis] for v in constraint.scope} == {column if axis else row}


# Colours and counts.


def test_regions_of_a_map_have_the_colours_that_their_values_name() -> None:
    model = example("australia")
    solution = csp.solve(model) or csp.Solution({})
    picture = solution_svg(model, solution)
    groups = re.findall(r'<g fill="(#\w+)">((?:<rect[^>]*>)+)</g>', picture)
    counts = Counter([colour for colour, rects in groups for _ in range(rects.count("<rect"))])
    assert counts == Counter(NAMED[str(value)] for value in solution.values())
    red, green, blue = (tuple(int(NAMED[name][i : i + 2], 16) for i in (1, 3, 5)) for name in ("red", "green", "blue"))
    assert red[0] == max(red) and green[1] == max(green) and blue[2] == max(blue)


def test_a_collapsed_subtree_shows_its_number_of_failures(limits: Limits) -> None:
    limits("csp.picture.tree", SHOWN=1)
    trace = record(example("sudoku", grids={"clue": HARD}), nodes=200)
    data = film(trace)
    collapsed = [node for node in data["trees"][1]["nodes"] if node.get("kind") == "collapsed"]
    counts = [re.search(r"· (\d+) failure", node["text"])[1] for node in collapsed]  # type: ignore[index]
    assert counts and counts == [node["shapes"][0][4] for node in collapsed]
    shapes = tree.tree_picture(trace)[1]
    nodes = {shape.of for shape in shapes if shape.look == "shape collapsed"}
    assert [shape.text for shape in shapes if shape.look == "tally" and shape.of in nodes][: len(counts)] == counts
    assert data["shapes"]["collapsed"][0] == "subtree without a solution: number of failures"
    assert data["shapes"]["collapsed"][0] in tree_dot(trace)


def test_implied_constraints_are_counted_and_named_separately() -> None:
    trace = record(example("australia"), "singles", nodes=3)
    assert next(frames(trace)).title == "start · 7 variables · 9 constraints, 4 implied"
    assert next(frames(record(example("sudoku")))).title.endswith(" · 57 constraints")
    captions = [caption for caption in trace.captions() if "all_different" in caption]
    assert captions and all(
        "]) from " in caption and " and " in caption and "(line 10)" in caption for caption in captions
    )


def test_borders_are_above_the_squares_of_a_sheet() -> None:
    shapes = plan("shikaku").shapes
    squares, borders = ({s.layer for s in shapes if s.look == look} for look in ("slot", "region"))
    assert max(squares) < min(borders) and max(squares) < JOINS


def test_a_shade_of_the_solver_does_not_look_like_an_active_constraint() -> None:
    looks = {f"tint-{name}" for name in TONES} & plan("slitherlink").moving.looks
    assert looks and "tint-yellow" not in looks


# Edges and causes.


def test_edges_state_a_difference_only_between_variables_that_must_differ() -> None:
    model = example("golomb")
    text = Painter(model).dot(next(frames(record(model))))
    assert ">not equal<" not in text and all("dashed" in look for _, _, look in EDGE.findall(text))
    text = Painter(model, "clique").dot(next(frames(record(model))))
    assert ">not equal<" not in text
    queens = Painter(example("queens"), "clique").dot(next(frames(record(example("queens")))))
    assert all("dashed" not in look for _, _, look in EDGE.findall(queens))
    x, y = map(csp.Affine.variable, "xy")
    assert states_difference(csp.Linear(x, "!=", y)) and not states_difference(csp.Linear(x, "!=", y + 1))
    assert states_difference(AllDifferent((x, y, y + x)), ["x", "y"]) and not states_difference(
        AllDifferent((x, y, y + x))
    )


@pytest.mark.parametrize(("name", "grids"), [("latin", {}), ("sudoku", {"clue": HARD})])
def test_the_group_of_a_last_place_has_one_tint_and_no_causes(name: str, grids: dict[str, str]) -> None:
    trace = record(example(name, grids=grids), nodes=None)
    placements = [
        moment for moment in replay(trace) if isinstance(moment.record, Removal) and moment.record.kind == "placed"
    ]
    assert placements
    for moment in placements:
        removal = moment.record
        assert isinstance(removal, Removal) and removal.constraint is not None
        [(cell, value)] = removal.cause
        shown, others = scene(moment), set(removal.constraint.scope) - {cell}
        assert not shown.causes and not shown.active and not shown.losses
        assert shown.grouped == {cell, *others}, "the whole group acted"
        assert all(value not in moment.domains[v] for v in others), "the others have lost the value"
    for frame in islice((f for f in step_frames(trace, 0, 10**6) if f.name.startswith("step-")), 300):
        step = int(frame.name[5:])
        assert (" fits only " in frame.title) == any(
            event.kind == "placed" for event in trace.records if isinstance(event, Removal) and event.step == step
        )


def test_a_decision_has_no_cause() -> None:
    trace = record(example("sudoku", grids={"clue": HARD}), nodes=10)
    decided = next(m for m in replay(trace) if isinstance(m.record, Removal) and m.record.kind == "decided")
    assert scene(decided).causes == () and scene(decided).active == merge_moments([decided]).active != ()


def test_a_pair_of_cells_is_no_row_in_failures() -> None:
    """Check the pairs of suguru, which touch in a row or at a corner: the other cell of the pair is named."""
    trace = record(example("suguru"), nodes=10)
    model = trace.model
    seen = set()
    for moment in replay(trace):
        if not isinstance(moment.record, Failure):
            continue
        numbers = [remover.number for remover in moment.record.removed_by]
        scopes = [model.constraints[number].scope for number in numbers if number is not None]
        shapes, _, caption = Painter(model).parts(scene(moment))
        words = {shape.text for shape in caption if shape.text.startswith("removed by")}
        pairs = [scope for scope in scopes if len(scope) == 2]
        assert not {"removed by a row", "removed by a column"} & words
        names = {shape.text for shape in shapes if shape.look == "took worded"}
        assert all(names.intersection(pair) for pair in pairs)
        seen |= {bool(pairs)}
    assert True in seen


def test_the_legend_lists_exactly_the_signs_of_the_picture() -> None:
    """Check failures, too, and separate signs of given and found values."""
    signs_of_words = {
        "marked: changed, not seen by all constraints yet": "asterisk", "removed": "boxed",
        "active constraint or decision": "active",
        "cause": "cause", "found": "found", "failure": "badge", "removed by a row": "↔", "removed by a column": "↕",
        "removed by a group": "▦", "removed by a diagonal": "⤡", "removed by a rising diagonal": "⤢",
        "removed by one cell": "•",
        "removed by a decision": "○", "removed by a pair": "‖",
    }  # fmt: skip
    all_words: set[str] = set()
    for name in ("shidoku", "queens", "kenken", "zebra", "shikaku"):
        painter = Painter(example(name))
        moments = list(replay(record(example(name), nodes=10)))
        for moment in [*moments[::7], *(m for m in moments if isinstance(m.record, Failure))]:
            shapes, _, caption = painter.parts(scene(moment))
            looks = {word for shape in shapes if "folded" not in shape.look for word in shape.look.split()}
            signs = looks | {shape.text for shape in shapes if shape.look == "took"}
            signs |= {"badge"} if "failed" in looks else set()  # a line without a value, before its failure
            words = {shape.text for shape in caption}
            all_words |= words
            assert {word for word in signs_of_words if word in words} == {
                word for word, sign in signs_of_words.items() if sign in signs
            }
            has_given_values = any(
                "fixed" in shape.look.split() and shape.look in ("fixed", "fixed on") for shape in shapes
            )
            assert ("given" in words) == has_given_values
    assert {word for word in ("given", *signs_of_words) if not word.startswith("removed by")} <= all_words
    assert "removed by a decision" in all_words


def test_a_strictly_increasing_chain_of_touching_cells_is_a_thermometer() -> None:
    board = "cell(R, C) in 1..9 :- R in 1..6, C in 1..6.\n"
    for chain, has_bulb in (
        ("cell(1, 1), cell(2, 2), cell(2, 3)", True), ("cell(1, 1), cell(2, 2), cell(2, 4)", False),
        ("cell(1, 1), cell(2, 2), cell(2, 3) + 1", False),
    ):  # fmt: skip
        text = f'{board}"chain": strictly_increasing([{chain}]).'
        shapes = Plan(dsl.loads(text)).shapes
        assert [shape.constraints for shape in shapes if shape.look == "tint-grey"] == [(0,)] * has_bulb
        assert ["stem" in shape.look for shape in shapes if shape.look.startswith("chain")] == [True] * has_bulb
        drawn = Plan(dsl.loads(f"{text} draw line(1, 1, 1). draw line(2, C, C) : C in 2..3.")).shapes
        assert not any("stem" in shape.look for shape in drawn), "the spec's own drawing replaces it"


def test_few_examples_leave_out_a_clue() -> None:
    names = ["sudoku", "killer", "jigsaw", "shidoku", "akari", "tents", "star_battle", "thermo_sudoku", "kropki"]
    names += ["skyscrapers", "futoshiki", "slitherlink", "knights_tour", "nurikabe", "kakuro", "windoku", "sudoku_x"]
    assert {name: plan(name).omissions for name in names if plan(name).omissions} == {}
    assert plan("magic_hexagon").omissions[0].startswith("least corner (line ")


@pytest.mark.parametrize(
    ("name", "word", "listed"),
    [
        ("masyu", "no line", {"crossed"}), ("nurikabe", "not shaded", {"blank", "blank gone"}),
        ("heyawake", "white", {"blank"}), ("tents", "empty", {"blank", "blank gone"}), ("sudoku", "empty", set()),
        ("slitherlink", "outside", {"blank", "inked tint-green gone"}),
    ],
)  # fmt: skip
def test_the_legend_explains_points_and_crosses_in_the_words_of_the_spec(
    name: str, word: str, listed: set[str]
) -> None:
    words_of = {
        "blank": f"surely {word}", "crossed": "no line here", "blank gone": f"{quoted(word)} is removed",
        "inked tint-green gone": "inside is removed",
    }  # fmt: skip
    painter = Painter(example(name))
    found: set[str] = set()
    for moment in list(replay(record(example(name), nodes=3)))[::5]:
        shapes, _, caption = painter.parts(scene(moment))
        words, looks = {shape.text for shape in caption}, {shape.look for shape in shapes}
        for look, meaning in words_of.items():
            assert (meaning in words) == (look in looks)
            found |= {look} & looks
    assert found >= listed and (found or not listed)


SHADED = "dark(R, C) in 0..1 :- R in 1..1, C in 1..3.\ndraw shade(R, C) : R in 1..1, C in 1..3, dark(R, C) = 1.\n"


def test_a_cell_with_a_clue_shows_that_it_is_empty_and_which_state_is_struck() -> None:
    model = dsl.loads(SHADED + "draw text(1, 2) = 7.")
    v = [Variable("dark", 1, c) for c in (1, 2, 3)]
    domains = {v[0]: (0,), v[1]: (0,), v[2]: (1,)}
    removed = ((v[1], 1), (v[2], 0))
    shapes = picture(Plan(model), Scene(title="", domains=domains))
    assert {shape.of for shape in shapes if shape.look == "blank"} == {(v[0],), (v[1],)}
    [clue] = [shape for shape in shapes if shape.text == "7"]
    for shape in shapes:
        if shape.look == "blank":
            assert min(shape.points[1]) >= 8 and not meets(shape, clue)
    struck = picture(Plan(model), Scene(title="", domains=domains, removed=removed))
    assert [(shape.of, shape.look) for shape in struck if "gone" in shape.look.split()] == [
        ((v[1],), "inked gone"), ((v[2],), "blank gone"),
    ]  # fmt: skip
    assert all(min(shape.points[1]) >= 14 for shape in struck if shape.look == "boxed")


@pytest.mark.parametrize("domain", ["0..1", "0..3"])
def test_a_struck_shade_is_beside_the_point_of_a_cell_without_it(domain: str) -> None:
    model = dsl.loads(SHADED.replace("0..1 :-", f"{domain} :-").replace("R, C) = 1.", "R, C) = 0."))
    v = Variable("dark", 1, 1)
    removed = tuple((v, value) for value in model.domains[v] if value != 1)
    shapes = picture(Plan(model), Scene(title="", domains={**model.domains, v: (1,)}, removed=removed))
    [point] = [shape for shape in shapes if shape.look == "blank" and shape.of == (v,)]
    struck = [shape for shape in shapes if shape.look in ("boxed", "loss")]
    assert struck and not any(meets(point, shape) for shape in struck)


def test_arrows_that_are_values_are_as_large_as_other_signs() -> None:
    forms = [form for form in plan("tents").layout.forms.values() if form.letters]
    assert forms and all(form.font >= 16 for form in forms)


def meets(first: Shape, second: Shape) -> bool:
    """Return whether the boxes of two shapes meet; a text is as high as its letters."""
    (a, b), (size_a, size_b) = zip(*(shape.points for shape in (first, second)), strict=True)
    highs = [0.75 * shape.size if shape.kind == "text" else shape.points[1][1] for shape in (first, second)]
    return abs(a[0] - b[0]) < (size_a[0] + size_b[0]) / 2 and abs(a[1] - b[1]) < sum(highs) / 2


@pytest.mark.parametrize("name", ["kenken", "queens", "nurikabe"])
def test_the_flag_of_a_failure_covers_no_text(name: str) -> None:
    """Check the column numbers, clues and values, and the names of what removed them."""
    trace = record(example(name), "arc", nodes=10)
    painter = Painter(trace.model, origins=trace.origins)
    failures = [frame for frame in frames(trace) if frame.name == "failure"]
    for frame in failures[:3]:
        shapes = painter.parts(frame).shapes
        [flag] = [shape for shape in shapes if shape.look == "badge"]
        texts = [shape for shape in shapes if shape.kind == "text" and shape.look != "named"]
        texts = [shape for shape in texts if shape.look.split()[:1] != ["times"] and meets(flag, shape)]
        assert not texts, (frame.number, [shape.text for shape in texts])
        takers = [shape for shape in shapes if shape.look == "taker" and shape.points[1][1] < 14]
        values = [shape for shape in shapes if shape.kind == "text" and shape.of and "asterisk" not in shape.look]
        assert not any(meets(taker, value) for taker in takers for value in values)
    assert failures


def test_of_several_undrawn_values_the_number_of_those_removed_is_shown() -> None:
    model = dsl.loads(SHADED.replace("0..1 :-", "0..3 :-"))
    v = Variable("dark", 1, 1)
    shapes = picture(Plan(model), Scene(title="", domains={**model.domains, v: (0,)}, removed=((v, 1), (v, 2), (v, 3))))
    assert [(shape.look, shape.text) for shape in shapes if shape.kind == "text" and shape.of] == [("loss", "−2")]
    assert [shape.look for shape in shapes if "gone" in shape.look.split()] == ["inked gone"]
    # If none of them remains, their point is struck, also in a cell of two values.
    for values in ((0, 1), (0, 1, 2, 3)):
        model = dsl.loads(SHADED.replace("0..1 :-", f"0..{values[-1]} :-"))
        removed = tuple((v, value) for value in values if value != 1)
        shapes = picture(Plan(model), Scene(title="", domains={**model.domains, v: (1,)}, removed=removed))
        assert [shape.look for shape in shapes if shape.look in ("loss", "blank gone")] == ["blank gone"]


def test_no_arrow_hides_the_number_of_lost_values() -> None:
    trace = record(example("nurikabe"), nodes=0)
    frame = next(shown for shown in frames(trace) if shown.name == "rules-1")
    counts = [s for s in Painter(trace.model, origins=trace.origins).parts(frame).shapes if "loss" in s.look.split()]
    assert counts and all(shape.look == "loss" for shape in counts), "no white text on a white ground"


@pytest.mark.parametrize("name", ["zebra", "australia", "suguru"])
def test_a_last_place_has_the_same_signs_in_its_step_and_in_its_round(name: str) -> None:
    trace = record(example(name), nodes=2)
    placed = next(entry for entry in trace.records if isinstance(entry, Removal) and entry.kind == "placed")
    assert placed.constraint is not None
    [(cell, _)] = placed.cause
    step = next(step_frames(trace, placed.step, placed.step))
    whole = next(shown for shown in frames(trace) if any(place.variable == cell for place in shown.last_places))
    painter = Painter(trace.model, origins=trace.origins)
    for frame in (step, whole):
        shapes = painter.parts(frame).shapes
        bodies = {v: shape.look.split() for shape in shapes if shape.look.startswith("body") for v in shape.of}
        assert all("grouped" in bodies[v] for v in placed.constraint.scope)
        assert not any("cause" in bodies[v] for v in placed.constraint.scope if v != cell and v in step.grouped)
        heads = [shape.of[1] for shape in shapes if "hit" in shape.look.split()]
        assert cell not in heads, "no single variable removed the other values"


def test_a_last_place_on_a_board_tints_the_squares_of_its_row() -> None:
    trace = record(example("queens"), nodes=8)
    frame = next(shown for shown in frames(trace) if shown.last_places)
    [place] = frame.last_places
    painter = Painter(trace.model, "factor", trace.origins)
    shapes = painter.parts(frame).shapes
    squares = [shape.points[0] for shape in shapes if shape.look == "grouped-square"]
    others = [v for v in place.group.scope if v != place.variable]
    assert squares == [painter.plan.layout.square(v, place.value) for v in others] and len(squares) == 7
    [chip] = [shape for shape in shapes if shape.look.startswith("body constraint") and "grouped" in shape.look]
    assert chip.constraints == (place.number,) and "cause" in chip.look.split()


def test_the_edges_of_a_group_with_a_last_place_are_black() -> None:
    trace = record(example("australia"), nodes=2)
    frame = next(shown for shown in frames(trace) if shown.name == "round-1")
    shapes = Painter(trace.model, origins=trace.origins).parts(frame).shapes
    edges = {shape.of: shape.look.split() for shape in shapes if shape.look.startswith("edge") and len(shape.of) == 2}
    inside = [look for ends, look in edges.items() if frame.grouped.issuperset(ends)]
    assert len(inside) == 3 and all("lit" in look and "arrow" not in look for look in inside)


def test_candidates_of_a_samurai_are_eight_points_high_in_the_player() -> None:
    """Check the largest board at a height of 560 points; a window of 800 points leaves 589 to the picture."""
    shapes = plan("samurai")
    (_, top), (_, bottom) = extent(shapes, "grid")
    fonts = {form.font for form in shapes.layout.forms.values() if form.kind == "cell"}
    assert min(fonts) * 560 / (bottom - top) >= 8


@pytest.mark.parametrize(("name", "signs"), [("queens", "↕⤡⤢"), ("blocked_queens", "↔⤢⤡")])
def test_a_diagonal_has_the_sign_of_its_direction(name: str, signs: str) -> None:
    drawn = plan(name)
    lines = [constraint for constraint in drawn.model.constraints if isinstance(constraint, AllDifferent)]
    directions = [is_rising(drawn.layout, line, 0 if name == "queens" else 1) for line in lines]
    assert directions == [sign == "⤢" for sign in signs]
    assert [line.label.split()[0] for line in lines[1:]] == [{"⤡": "falling", "⤢": "rising"}[s] for s in signs[1:]]


def test_struck_signs_are_beside_the_piece_of_their_cell() -> None:
    """Check the tents of all rounds: the triangle is 24 points high and 21 wide."""
    trace = record(example("tents"))
    painter, checked = Painter(trace.model, origins=trace.origins), 0
    for frame in frames(trace):
        shapes = painter.parts(frame).shapes
        tents = [shape.points[0] for shape in shapes if shape.text == "▲" and not shape.of]
        boxes = [shape for shape in shapes if shape.look == "boxed"]
        checked += len(boxes) if tents else 0
        assert not any(meets(sign, box("", tent, (21, 24))) for tent in tents for sign in boxes)
    assert checked > 9
