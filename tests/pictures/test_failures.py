"""Test that the picture and the caption of a failure show what led to it."""

from __future__ import annotations

import re
from collections import Counter

import pytest

import dsl
from csp import record, replay
from csp.picture.edges import along
from csp.picture.frames import frames
from csp.picture.layout.failing import clue_texts, cut_pieces
from csp.picture.picture import picture
from csp.picture.plan import Plan
from csp.picture.scene import Scene, scene
from csp.picture.shapes import Shape, shared_area
from csp.render.page.data import shape_data
from csp.render.page.film import film
from csp.render.painter import Painter
from csp.render.text.terminal import Reel
from csp.trace import Failure, Trace

from ..conftest import ROOT
from ..plans import plan
from .test_render import GAPS, example
from .test_signs import meets

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

LENSES = "clique", "factor"


def first_failure(trace: Trace) -> Scene:
    """Return the picture of the first failure of a trace."""
    return next(frame for frame in frames(trace) if frame.failure is not None)


def drawn_failure(name: str, nodes: int = 20) -> tuple[list[Shape], str, Scene]:
    """Return the shapes and the caption of an example's first failure, and its scene."""
    trace = record(example(name), nodes=nodes)
    drawn = Plan(trace.model, trace.origins)
    failed = drawn.with_visible_failure(first_failure(trace))
    return picture(drawn, failed), drawn.caption(failed.title, failed), failed


def texts_of(shapes: list[Shape], look: str) -> list[str]:
    """Return the texts in boxes of one look, such as ``took worded``."""
    return [shape.text for shape in shapes if shape.look == look]


def test_a_cell_without_a_value_shows_its_struck_values_and_names_the_reasons() -> None:
    shapes, caption, failed = drawn_failure("futoshiki")
    [cell] = failed.failed
    struck = [
        shape for shape in shapes if shape.of == (cell,) and shape.kind == "text" and "gone" in shape.look.split()
    ]
    assert [shape.text for shape in struck] == list("1234567")
    assert not texts_of(shapes, "took") and min(shape.size for shape in struck) >= 13
    [flag] = [shape for shape in shapes if shape.look == "badge"]
    assert not any(meets(flag, shape) for shape in struck)
    assert caption.endswith(
        "has no value left: column 4 (line 26) removed 1, 2, 5; row 6 (line 25) removed 3, 4; "
        "cell(5,4) > cell(6,4) (line 32) removed 6, 7, because cell(5,4) = 6"
    )


@pytest.mark.parametrize("name", ["futoshiki", "kenken", "suguru"])
def test_a_failure_strikes_only_the_values_that_it_needs(name: str) -> None:
    shapes, _, failed = drawn_failure(name)
    assert failed.failure is not None
    needed = {*failed.failure.removed}
    needed = {(v, value) for v, value in needed if len(failed.domains[v]) != 1}
    struck = {(shape.of[0], int(shape.text)) for shape in shapes if shape.kind == "text" and shape.look == "gone"}
    assert struck == needed


@pytest.mark.parametrize(("name", "arrows"), [("kenken", 0), ("suguru", 0), ("futoshiki", 6)])
def test_no_arrow_ends_in_a_cell_whose_label_names_the_reason(name: str, arrows: int) -> None:
    shapes, _, _ = drawn_failure(name)
    assert sum("hit" in shape.look.split() for shape in shapes) == arrows


def test_the_six_causes_of_a_failure_have_six_colours() -> None:
    shapes, _, _ = drawn_failure("futoshiki")
    causes = {shape.look: shape.of[0] for shape in shapes if "hit" in shape.look.split()}
    assert len(causes) == len({*causes.values()}) == 6


def test_a_failure_names_a_cage_by_its_printed_clue() -> None:
    shapes, _, failed = drawn_failure("kenken")
    assert failed.failure is not None
    names = [remover.place for remover in failed.failure.removed_by]
    assert "cage r1c1: 6+ (line 27)" in names and "clue 6+" in texts_of(shapes, "took worded")
    kenken = plan("kenken")
    labels = [constraint.label for constraint in kenken.model.constraints if constraint.label.startswith("cage ")]
    assert {label.rpartition(" ")[2] for label in labels} == {*clue_texts(kenken.shapes).values()}


def test_a_pair_that_removed_a_value_is_shown_by_its_other_cell() -> None:
    shapes, _, _ = drawn_failure("suguru")
    assert texts_of(shapes, "took worded").count("cell(2,2)") == 3 and not texts_of(shapes, "took")


@pytest.mark.parametrize("name", ["nurikabe", "slitherlink", "chaos_construction", "country_road", "fillomino"])
def test_pieces_that_cannot_be_joined_have_letters(name: str) -> None:
    shapes, caption, failed = drawn_failure(name, nodes=12)
    assert failed.failure is not None
    pieces = cut_pieces(plan(name).layout, failed.failure, failed.domains)
    assert list(pieces) == ["A", "B"]
    letters = texts_of(shapes, "took piece")
    assert sorted(letters) == ["A"] * len(pieces["A"]) + ["B"] * len(pieces["B"])
    assert "cut apart" in texts_of(shapes, "named")
    beginning, _, barrier = caption.partition(" cannot hold: no path joins places A and places B")
    # The places between the pieces are named, or counted if there are many; those with letters are not repeated.
    marked = [str(v) for members in pieces.values() for v in members]
    assert beginning and barrier and not any(name in barrier for name in marked)
    places = [v for v in failed.failed if str(v) not in marked]
    if name == "nurikabe":
        assert barrier.startswith(", because ") and len(places) <= 4
    else:
        kind = "in orange" if name in ("chaos_construction", "fillomino") else "with black borders"
        assert len(places) > 1 and barrier == f", separated by {len(places)} places without letters, {kind}"
        assert kind == "in orange" or {*places} <= {*failed.causes}
    # The orange cells of helpers are at the same places.
    assert {v.indices for v in failed.failed} == {v.indices for v, _ in failed.failure.cause}


@pytest.mark.parametrize("name", ["nurikabe", "slitherlink", "exam_timetable", "heyawake"])
def test_the_flag_of_a_failure_touches_a_place_that_it_concerns_and_covers_no_other(name: str) -> None:
    shapes, _, failed = drawn_failure(name)
    layout = plan(name).layout
    [flag] = [shape for shape in shapes if shape.look == "badge"]
    squares = [(shape.points[0], shape.points[1]) for shape in shapes if shape.look == "failed-square"]
    concerned = squares or [(layout.points[v], layout.size(v)) for v in failed.failed]
    assert any(shared_area((flag.points[0], flag.points[1]), (point, (w + 8, h + 8))) for point, (w, h) in concerned)
    boxes = [(layout.points[v], layout.size(v)) for v in layout.points if v not in failed.failed]
    boxes += [(point, layout.slip) for point in layout.slips.values()]
    others = [(point, (w - 10, h - 10)) for point, (w, h) in boxes if (point, (w, h)) not in concerned and w > 10]
    assert not any(shared_area((flag.points[0], flag.points[1]), place) for place in others)


def test_a_piece_that_the_cause_does_not_separate_has_a_letter_and_is_not_named() -> None:
    trace = record(example("slitherlink"), nodes=20)
    drawn = Plan(trace.model, trace.origins)
    failed = drawn.with_visible_failure([frame for frame in frames(trace) if frame.failure is not None][1])
    assert failed.failure is not None
    pieces = cut_pieces(drawn.layout, failed.failure, failed.domains)
    causes = {v for v, _ in failed.failure.cause}
    assert [bool(causes & {*piece}) for piece in pieces.values()] == [True, True, False]
    letters = texts_of(picture(drawn, failed), "took piece")
    assert letters.count("C") == len(pieces["C"]) == 2
    assert "no path joins places A and places B, separated" in drawn.caption(failed.title, failed)


def test_a_graph_without_two_pieces_has_no_letters() -> None:
    failure = next(m for m in replay(record(example("suguru"), nodes=9)) if isinstance(m.record, Failure))
    shown = scene(failure)
    assert shown.failure is not None and cut_pieces(plan("suguru").layout, shown.failure, shown.domains) == {}


def test_a_number_without_a_place_shows_in_each_cell_why() -> None:
    shapes, caption, failed = drawn_failure("knights_tour")
    reasons = texts_of(shapes, "took worded")
    fixed = [v for v, domain in failed.domains.items() if len(domain) == 1 and v.family == "cell"]
    assert reasons.count("taken") == len(fixed) > 9 and {*reasons} == {"taken", "step 35–36", "step 36–1", "place of 2"}
    assert texts_of(shapes, "named") == ["no 36"]
    assert not any(shape.text.split().count("36") for shape in shapes if shape.look == "possible")
    counts = f"{len(fixed)} are taken, step 35–36 (line 21) excludes {reasons.count('step 35–36')}, "
    assert f"36 has no place left: of {len(reasons)} cells, {counts}" in caption
    assert caption.endswith(", cell(2,3) is the only place of 2")
    assert not {"↔", "•"} & {*texts_of(shapes, "took")}, "a constraint on helpers is not a row"


def test_the_last_places_of_two_numbers_are_named_in_their_cells() -> None:
    shapes, _, _ = drawn_failure("numbrix")
    assert sorted(text for text in texts_of(shapes, "spot-left number") if text) == ["16", "16", "17", "17"]


def test_a_tuple_without_a_place_shows_which_part_each_card_lacks() -> None:
    shapes, _, failed = drawn_failure("exam_timetable")
    assert {*texts_of(shapes, "took worded")} == {"not 4"}
    assert failed.failed and all(4 not in failed.domains[v] for v in failed.failed)


def test_a_tuple_without_a_place_strikes_the_part_that_each_cell_lacks() -> None:
    shapes, _, failed = drawn_failure("graeco_latin")
    struck = [s.of[0] for s in shapes if s.kind == "text" and "gone" in s.look.split() and s.text == "3" and s.of]
    # A cell with one value shows that it is another.
    assert sorted(struck) == sorted(v for v in failed.failed if len(failed.domains[v]) > 1) and len(struck) == 12
    assert not any(shape.look.startswith("taker") for shape in shapes), "a sign would lie over the borders of cells"


def test_the_causes_of_a_tuple_without_a_place_are_the_cells_with_a_sign() -> None:
    _, _, failed = drawn_failure("exam_timetable")
    assert failed.causes == failed.failed and "period(2)" in failed.causes


def test_a_tuple_without_a_place_shows_each_card_that_cannot_have_it() -> None:
    trace = record(example("exam_timetable"), nodes=12)
    drawn = Plan(trace.model, trace.origins)
    failures = [frame for frame in frames(trace) if frame.failure is not None]
    failed = drawn.with_visible_failure(failures[1])
    words = texts_of(picture(drawn, failed), "took worded")
    # The cards of two exams still permit both parts of the tuple, but not the tuple.
    assert Counter(words) == {"not 2": 4, "not 3": 2, "not (3, 2)": 2}
    assert drawn.caption(failed.title, failed).endswith(
        "period 3, room 2 has no place left: 4 variables cannot be 2; 2 variables cannot be 3; 2 pairs cannot be "
        "(3, 2); removed by one exam a room (line 16), 5 decisions and others"
    )
    assert not {"period(5)", "period(8)"} & {*failed.causes}


def test_a_failed_cell_has_one_fill_in_all_formats() -> None:
    spec = "a in 1..1. b in 1..1. a != b."
    trace = record(dsl.loads(spec))
    shapes = picture(Plan(trace.model, trace.origins), first_failure(trace))
    assert not any("backed" in shape.look for shape in shapes)


def test_a_failure_of_undrawn_variables_fills_the_square_of_its_label() -> None:
    shapes, caption, _ = drawn_failure("fourcells", nodes=80)
    [square] = [shape for shape in shapes if shape.look == "failed-square hollow"]
    [flag] = [shape for shape in shapes if shape.look == "badge"]
    assert "square 3,4 " in caption and abs(flag.points[0][1] - square.points[0][1]) < 60
    assert caption.count("0 + 0") == 0 and "times) = 0, not 1" in caption


def test_the_reasons_of_a_failure_leave_the_clues_between_cells_visible() -> None:
    shapes, _, _ = drawn_failure("kropki")
    dots = [shape for shape in shapes if shape.look in ("bead", "ball")]
    takers = [shape for shape in shapes if shape.look.startswith("taker")]
    assert "cell(5,5)" in texts_of(shapes, "took worded") and "‖" in texts_of(shapes, "took")
    assert dots and not any(meets(taker, dot) for taker in takers for dot in dots)


def test_all_cells_of_a_group_show_the_value_without_a_place_struck_out() -> None:
    shapes, _, failed = drawn_failure("windoku")
    assert failed.failure is not None
    unfixed = {v for v in failed.failed if len(failed.domains[v]) > 1}
    struck = {shape.of[0] for shape in shapes if shape.text == "1" and "gone" in shape.look.split() and shape.of}
    assert len(unfixed) == 8 and unfixed <= struck
    takers = [shape for shape in shapes if shape.look.startswith("taker")]
    assert len(takers) == 9 and max(shape.points[1][1] for shape in takers) <= 13


def test_an_expression_without_a_value_fails_at_its_printed_place() -> None:
    """Check that the place is filled, the flag covers no text, and the caption has the reasons."""
    trace = record(example(GAPS), nodes=30)
    drawn = Plan(trace.model, trace.origins)
    failed = [drawn.with_visible_failure(frame) for frame in frames(trace) if frame.failure is not None]
    shown = next(one for one in failed if one.failure and one.failure.subject == "mark(6) - mark(4)")
    shapes = picture(drawn, shown)
    [square] = [shape for shape in shapes if "failed-square" in shape.look.split()]
    assert [shape.points[0] for shape in shapes if shape.look == "empty"].count(square.points[0]) == 2
    assert not any("failed" in shape.look.split() for shape in shapes)
    [flag] = [shape for shape in shapes if shape.look == "badge"]
    assert not any(meets(flag, shape) for shape in shapes if shape.look == "found-text")
    words = drawn.caption(shown.title, shown)
    assert words.endswith(
        "no value left: gaps (line 9) removed 3, 8; "
        "the value of mark(6) - mark(4) (line 9) removed the other 33, because mark(6) = 17, mark(4) = 9"
    )


def test_a_definition_that_cannot_hold_frames_the_printed_expression_and_names_all_operands() -> None:
    shapes, caption, _ = drawn_failure(GAPS, nodes=30)
    assert caption.endswith("cannot hold: mark(6) - mark(5) has only 8, 9, mark(6) = 17, mark(5) = 12")
    [square] = [shape for shape in shapes if shape.look == "failed-square hollow"]
    [flag] = [shape for shape in shapes if shape.look == "badge"]
    assert abs(flag.points[0][0] - square.points[0][0]) < 60 and not any(shape.look == "clash" for shape in shapes)


def test_a_tuple_without_a_place_fails_at_its_printed_place() -> None:
    shapes, caption, _ = drawn_failure("exam_timetable")
    exams = plan("exam_timetable").layout
    [place] = [point for v, point in exams.slips.items() if v.indices == (1, 4)]
    [square] = [shape for shape in shapes if shape.look == "failed-square"]
    assert square.points[0] == place and texts_of(shapes, "named") == ["no period 4, room 1"]
    assert caption.endswith(
        ": 8 variables cannot be 4; removed by the value of max(period(1), …, period(8)) (line 20) and others"
    )


def test_a_place_that_no_number_can_have_is_named() -> None:
    _, caption, failed = drawn_failure("hidoku")
    reasons = "removed by numbers and squares, step, the decision"
    assert caption.endswith(f": no number is left for cell(5,1): {reasons}") and failed.failed == ("cell(5,1)",)


def test_the_caption_of_a_failure_names_only_lines_on_the_board() -> None:
    _, caption, _ = drawn_failure("masyu")
    assert "loop at 6,4" in caption and "r5c4-r6c4 = r6c3-r6c4 = no line" in caption and "r7" not in caption


def test_the_caption_of_a_failure_names_the_lines_of_all_constraints_that_removed_places() -> None:
    _, caption, _ = drawn_failure("kenken")
    assert caption.endswith(
        "column 1 (line 25): 6 has no place left: removed by cage r1c1: 6+ (line 27), "
        "cage r3c1: 2−, cage r5c1: 1− (line 29), the decision"
    )
    _, caption, _ = drawn_failure("blocked_queens")
    assert "; different (line 26) removed 2, 4, 7, 8, 9; " in caption


def test_a_failure_names_the_kinds_of_many_constraints_as_a_round_does() -> None:
    _, caption, _ = drawn_failure("graeco_latin")
    assert caption.endswith("; removed by latin row, latin column, greek row, greek column, given")


def test_the_picture_of_a_failure_on_a_board_has_no_struck_piece_below_a_sign() -> None:
    shapes, _, _ = drawn_failure("queens")
    assert texts_of(shapes, "took") and not any("gone" in shape.look.split() for shape in shapes)


@pytest.mark.parametrize("name", ["queens", "futoshiki", "kenken", "tenner", "zipper_sudoku", "renban_sudoku"])
def test_signs_of_failures_cover_neither_digits_nor_arrows(name: str) -> None:
    trace = record(example(name), nodes=20)
    drawn = Plan(trace.model, trace.origins)
    for frame in [frame for frame in frames(trace) if frame.failure is not None][:2]:
        shapes = picture(drawn, frame)
        flags = [shape for shape in shapes if shape.kind == "box" and shape.look == "badge"]
        labels = [shape for shape in shapes if shape.kind == "box" and shape.look.startswith("taker")]
        digits = [shape for shape in shapes if shape.kind == "text" and shape.text.isdigit() and shape.of]
        assert flags and not any(meets(sign, digit) for sign in [*flags, *labels] for digit in digits)
        routes = [shape for shape in shapes if shape.look == "edge hit"]
        points = [along(shape.points, i / 60) for shape in routes for i in range(61)]
        [((x, y), (width, height))] = [flag.points for flag in flags]
        assert not any(abs(x - p) < width / 2 and abs(y - q) < height / 2 for p, q in points)


def test_a_failure_highlights_the_edges_and_nodes_of_what_removed_its_places() -> None:
    trace = record(example("queens"), nodes=20)
    failed, painter = first_failure(trace), {lens: Painter(trace.model, lens, trace.origins) for lens in LENSES}
    shapes = {lens: painter[lens].parts(failed).shapes for lens in LENSES}
    # Five diagonals removed the places in columns 4 to 8; the 28 edges of the row say nothing.
    lit = {shape.of for shape in shapes["clique"] if "lit" in shape.look.split()}
    lost = {frozenset((cause, v)) for _, causes, removed in failed.losses for cause in causes for v, _ in removed}
    assert len(lost) == 5 and set(map(frozenset, lit)) == lost
    nodes = [shape.text for shape in shapes["factor"] if {"constraint", "active"} <= {*shape.look.split()}]
    assert nodes == ["rows", "falling diagonals"]
    spokes = Counter(n for shape in shapes["factor"] if "lit" in shape.look.split() for n in shape.constraints)
    assert spokes == {0: 8, 1: 8}


@pytest.mark.parametrize("name", ["kenken", "sujiko", "futoshiki"])
def test_no_text_beside_a_flag_reads_as_a_part_of_it(name: str) -> None:
    shapes, _, _ = drawn_failure(name)
    [((x, y), (width, height))] = [shape.points for shape in shapes if shape.kind == "box" and shape.look == "badge"]
    texts = [(shape.points, shape.size) for shape in shapes if shape.kind == "text" and shape.look != "named"]
    gaps = [abs(x - p) - (width + w) / 2 for ((p, q), (w, _)), size in texts if abs(y - q) < (height + size) / 2]
    assert min(gaps) >= 6


def test_two_values_of_a_table_that_exclude_each_other_are_joined() -> None:
    shapes, caption, failed = drawn_failure("zebra")
    assert "cannot hold: house(old_gold) = 3, house(snails) = 4" in caption
    [clash] = [shape for shape in shapes if shape.look == "clash"]
    [flag] = [shape for shape in shapes if shape.look == "badge"]
    zebra = plan("zebra").layout
    ends = sorted(zebra.square(v, failed.domains[v][0]) for v in failed.failed)
    assert [round(x) for x, _ in sorted(clash.points)] == pytest.approx([x for x, _ in ends], abs=10)
    (x, y), (left, top), (right, bottom) = flag.points[0], *sorted(clash.points)
    assert x == pytest.approx(left + (right - left) * (y - top) / (bottom - top), abs=1)


def test_the_page_lights_the_lines_of_a_failure_and_has_its_signs() -> None:
    trace = record(example("futoshiki"), nodes=20)
    data = film(trace)
    failed = next(patch for patch in data["records"] if patch["kind"] == "failure")
    assert failed["relies"] == [25, 26, 32]
    shapes = picture(Plan(trace.model, trace.origins), first_failure(trace))
    # The clue that removed values has a frame.
    signs = [shape_data(shape) for shape in shapes if shape.look in ("badge", "named", "acted")]
    tokens = [data["tokens"][number] for number in failed["signs"]]
    assert len(tokens) == 3 and {*map(repr, tokens)} == {*map(repr, signs)}


@pytest.mark.parametrize(("name", "clues"), [("futoshiki", ["∨"]), ("kenken", ["1−", "2−", "6+"])])
def test_the_clues_that_led_to_a_failure_have_frames_above_all_arrows(name: str, clues: list[str]) -> None:
    shapes, _, _ = drawn_failure(name)
    acting = {shape.text: i for i, shape in enumerate(shapes) if "acting" in shape.look.split()}
    assert sorted(acting) == clues
    assert not any("backed" in shape.look.split() for shape in shapes if "acting" in shape.look.split())
    for i in acting.values():
        below = [shape for shape in shapes[:i] if shape.look == "acted" and shape.layer == shapes[i].layer]
        assert any(shape.points[0] == shapes[i].points[0] for shape in below), "a text is on its frame"


def test_constraints_of_one_name_and_line_are_told_apart_by_their_variables() -> None:
    text = (ROOT / "examples" / "golomb.csp").read_text(encoding="utf-8").replace('"gap {I} to {I+K}"', '"gap"')
    trace = record(dsl.loads(text), nodes=30)
    painter = Painter(trace.model, "", trace.origins)
    titles = [painter.parts(frame).title for frame in frames(trace) if frame.failure is not None]
    assert "gap (line 9) removed the other 11, because mark(6) = 17, mark(5) has only 11, 12, 13" in titles[0]


def test_a_failure_in_the_terminal_says_who_removed_the_values() -> None:
    reel = Reel(record(example("knights_tour"), nodes=20))
    screen = reel.screen(reel.jump(0, Failure, 1), 110, 40).plain
    assert "at(36) has no value left: step 35–36 (line 21) removes 13 values; step 36–1 (line 21) removes 13" in screen


def test_each_variable_that_a_failure_names_as_a_cause_has_a_border() -> None:
    trace = record(example("golomb"), nodes=20)
    drawn = Plan(trace.model, trace.origins)
    failed = drawn.with_visible_failure(first_failure(trace))
    named = set(re.findall(r"mark\(\d\)", drawn.caption(failed.title, failed).partition(", because ")[2]))
    bodies = [shape for shape in picture(drawn, failed) if shape.look.startswith("body")]
    bordered = {v for shape in bodies if "cause" in shape.look.split() for v in shape.of}
    assert len(named) == 2 and named <= bordered
