"""Tests of helpers in pictures and captions: variables that are not drawn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise

import pytest

import dsl
from csp import Model, Variable, record, replay
from csp.board.drawn.tuples import add_values
from csp.picture.frames import frames, step_frames
from csp.picture.helpers import Helpers, find_helpers
from csp.picture.picture import picture
from csp.picture.plan import Plan
from csp.picture.scene import scene
from csp.picture.shapes import Shape, bounding_box
from csp.picture.style import LOOKS
from csp.render.page.film import film
from csp.render.painter import Captioned, Painter
from csp.trace import Removal

from ..plans import grids
from .test_render import GAPS, example
from .test_rounds import recorded, shown, vertices

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""


def spots(picture: Captioned, look: str) -> list[tuple[str, Variable]]:
    """Return the texts of helpers in a look, each with the cell that contains it."""
    bodies = {s.of[0]: s.points for s in picture.shapes if s.look.startswith("body cell") and len(s.of) == 1}
    return sorted(
        (shape.text, Variable(v))
        for shape in picture.shapes
        if shape.look.split()[0] == look and shape.kind == "text"
        for v, (middle, size) in bodies.items()
        if all(abs(shape.points[0][i] - middle[i]) < size[i] / 2 for i in (0, 1))
    )


@pytest.mark.parametrize("name", ["numbrix", "knights_tour", "hidoku"])
def test_a_step_shows_where_a_number_cannot_be_and_where_it_still_can(name: str) -> None:
    trace, painter, _ = recorded(name)
    image = painter.plan.touched.helpers.images
    all_removals = (entry for entry in trace.records if isinstance(entry, Removal))
    removals = [r for r in all_removals if re.fullmatch(r"step \d+–\d+", getattr(r.constraint, "name", ""))]
    for removal in removals[:4]:
        frame = next(step_frames(trace, removal.step or 0, removal.step or 0))
        picture = painter.parts(frame)
        lost = sorted((str(image[v][value][1]), image[v][value][0]) for v, value in frame.removed)
        struck = spots(picture, "spot-lost")
        assert struck == lost or spots(picture, "spot-count"), frame.title
        left = {(str(image[v][value][1]), image[v][value][0]) for v, _ in frame.removed for value in frame.domains[v]}
        assert {*spots(picture, "spot-left")} <= left and not {*struck} & left
        assert bool(spots(picture, "spot-left")) == (1 < len(left) <= 8)
    assert removals


@pytest.mark.parametrize("name", ["numbrix", "knights_tour", GAPS, "shikaku", "exam_timetable", "graeco_latin", "view"])
def test_every_removal_from_a_helper_has_a_sign_or_is_named(name: str) -> None:
    _, painter, all_frames = recorded(name)
    plan = painter.plan
    changed = [frame for frame in all_frames if any(v not in plan.visible for v, _ in frame.removed)]
    assert changed
    for frame in changed:
        picture = painter.parts(frame)
        signs = {shape.look.split()[0] for shape in picture.shapes}
        is_shown = not signs.isdisjoint(("spot-lost", "spot-count", "touched", "refused", "held"))
        assert (
            is_shown
            or "nothing new" in picture.title
            or "not drawn: " in picture.title
            or any(v in plan.visible for v, _ in frame.removed)
        ), frame.name
        unseen = {v.family for v, _ in plan.touched.unseen(frame) if v.family.isidentifier()}
        assert all(f" of {family}" in picture.title.partition("not drawn: ")[2] for family in unseen)
        assert "at(" not in picture.title and "rectangle(" not in picture.title


def test_a_round_shows_only_places_that_the_cells_do_not_show() -> None:
    frame, picture = shown("numbrix", "round-6")
    # The place of 35 was found, so that six numbers cannot be there: the cell shows 35 alone.
    assert picture.title.endswith(f"nothing new: removed {len(frame.removed)} places that the cells show")
    assert not spots(picture, "spot-count")
    assert shown("numbrix", "rules-1")[1].title.endswith("nothing new: removed 390 places that the cells show")
    frame, picture = shown("knights_tour", "rules-2")
    values = sum(v in recorded("knights_tour")[1].plan.visible for v, _ in frame.removed)
    assert vertices(picture, "cause") == {*recorded("knights_tour")[1].plan.given}, "the givens removed these places"
    assert f"removed {values} values from 29 cells" in picture.title and "places of" not in picture.title
    assert not any(shape.look.startswith("spot") for shape in picture.shapes)


def test_a_round_names_the_numbers_that_acted_and_frames_their_cells() -> None:
    _, picture = shown("numbrix", "rules-4")
    by = [s.text for s in picture.shapes if s.kind == "text" and s.look == "spot-by number"]
    assert sorted(by) == sorted(["←10"] * 5 + ["←18"] + ["←24"] * 6 + ["←28"] * 2 + ["←35"])
    assert sorted(vertices(picture, "cause")) == ["cell(4,5)", "cell(4,6)"]
    _, picture = shown("numbrix", "rules-3")
    assert spots(picture, "spot-by")[:3] == [("←11 25", "cell(1,3)"), ("←11 25", "cell(2,2)"), ("←11 29", "cell(1,5)")]
    assert sorted(vertices(picture, "cause")) == ["cell(5,6)", "cell(6,4)", "cell(6,5)"]


def test_a_round_frames_the_cell_of_a_number_that_alone_fits_there() -> None:
    trace = record(example("numbrix"), nodes=4)
    frame = next(frame for frame in frames(trace) if frame.name == "round-10")
    picture = Painter(trace.model, origins=trace.origins).parts(frame)
    assert picture.title.endswith("place found: 15 in cell(6,3)") and {*vertices(picture, "cause")} == {"cell(6,3)"}


def test_a_place_found_is_in_its_cell_from_the_frame_on_whose_caption_names_it() -> None:
    _, painter, all_frames = recorded("numbrix")
    named: list[tuple[str, str]] = []
    for frame in (frame for frame in all_frames if frame.summary):
        picture = painter.parts(frame)
        text_of_places = picture.title.partition("place found: ")[2]
        named += re.findall(r"(\d+) in (cell\(\d+,\d+\))", text_of_places)
        # The cell shows the number alone, although its domain has others.
        shown_places = {(shape.text, shape.of[0]) for shape in picture.shapes if shape.look == "found"}
        assert {*named} <= shown_places and not spots(picture, "spot-found")
    assert len(named) > 1


@pytest.mark.parametrize("name", ["numbrix", "knights_tour", "hidoku"])
def test_no_cell_lists_a_number_whose_place_excludes_it(name: str) -> None:
    trace = record(example(name), nodes=9)
    painter = Painter(trace.model, origins=trace.origins)
    plan, excluded = painter.plan, 0
    for frame in frames(trace):
        listed = {(v, word) for v, word in texts_in_cells(painter.parts(frame).shapes)}
        for helper, images in plan.touched.helpers.images.items():
            lost = [image for value, image in images.items() if value not in frame.domains[Variable(helper)]]
            assert listed.isdisjoint((v, str(number)) for v, number in lost), frame.name
            excluded += sum(number in frame.domains[v] for v, number in lost)
    assert excluded


def texts_in_cells(shapes: Iterable[Shape]) -> Iterator[tuple[Variable, str]]:
    """Yield the values that cells list, with their variables."""
    for shape in shapes:
        if shape.kind == "text" and shape.look in ("possible", "found") and shape.of:
            yield from ((Variable(shape.of[0]), word) for word in shape.text.split())


def test_a_round_strikes_no_number_that_its_cell_did_not_list() -> None:
    frame, picture = shown("numbrix", "rules-5")
    struck = [word for s in picture.shapes if "gone" in s.look.split() and s.kind == "text" for word in s.text.split()]
    assert sorted(struck) == ["21", "22", "7", "8", "8", "8"]
    drawn = [v for v, _ in frame.removed if v in recorded("numbrix")[1].plan.visible]
    assert f"{len(drawn) - len(struck)} values that follow from places" in picture.title
    assert "removed 6 values from 6 cells" in picture.title


def test_a_caption_does_not_say_that_places_follow_from_cells_that_lost_their_values_later() -> None:
    frame, picture = shown("knights_tour", "rules-2")
    at = {candidate: i for i, candidate in enumerate(frame.removed)}
    helpers = recorded("knights_tour")[1].plan.touched.helpers
    # For some places, the cell lost its value in the same round, but later.
    needs = [(at[candidate], at[need]) for candidate in at for need in helpers.needs(candidate) if need in at]
    assert any(place < value for place, value in needs)
    assert "follow from the cells" not in picture.title and " places that the cells show" in picture.title


def test_causes_of_helpers_alone_have_no_border_in_a_round() -> None:
    frame, picture = shown("graeco_latin", "rules-1")
    assert frame.causes and not vertices(picture, "cause")
    assert picture.title.endswith("nothing new: removed 182 pairs that the cells show")
    assert vertices(shown("graeco_latin", "round-1")[1], "cause")


def test_a_pair_is_struck_only_if_both_of_its_values_are_possible() -> None:
    trace = record(example("graeco_latin"), nodes=4)
    painter = Painter(trace.model, origins=trace.origins)
    helpers, struck_frames = painter.plan.touched.helpers, 0
    for frame in (frame for frame in frames(trace) if frame.summary):
        pairs = [c for c in frame.removed if c[0] in helpers.tuples]
        new = [c for c in pairs if all(value in frame.domains[v] for v, value in helpers.needs(c))]
        picture = painter.parts(frame)
        struck = [s.text for s in picture.shapes if s.kind == "text" and s.look == "spot-lost"]
        counts = [int(s.text[1:]) for s in picture.shapes if s.kind == "text" and s.look == "spot-count"]
        assert len(struck) + sum(counts) == len(new)
        assert {*struck} <= {helpers.show_tuple(*c).replace(" ", "") for c in new}
        assert not new or f"{len(new)} combination" in picture.title
        struck_frames += bool(struck)
    assert struck_frames


def test_a_failure_of_places_shows_where_its_numbers_can_still_be() -> None:
    trace = record(example("numbrix"), nodes=4)
    painter = Painter(trace.model, origins=trace.origins)
    frame = next(frame for frame in frames(trace) if frame.failure is not None)
    picture, image = painter.parts(frame), painter.plan.touched.helpers.images
    expected = sorted((str(image[v][p][1]), image[v][p][0]) for v in frame.causes for p in frame.domains[v])
    assert spots(picture, "spot-left") == expected != []
    assert not spots(picture, "spot-lost") and all(number in picture.title for number, _ in expected)


def test_a_cell_beyond_the_border_is_about_the_cell_that_it_touches() -> None:
    plan = recorded("slitherlink")[1].plan
    helpers = find_helpers(plan.model, plan.visible)
    assert helpers.cells["inside(0,2)"] == ("inside(1,2)",) and helpers.cells["inside(0,0)"] == ()


@pytest.mark.parametrize(("name", "step", "cell"), [("dotchi", 3, "on(2,6)"), ("slitherlink", 3, "inside(1,2)")])
def test_a_step_beyond_the_border_has_its_sign_on_the_border(name: str, step: int, cell: str) -> None:
    trace, painter, all_frames = recorded(name)
    shown = next(step_frames(trace, step, step))
    [ring] = [shape for shape in picture(painter.plan, shown) if shape.look == "touched"]
    (x, y), (_, height) = painter.plan.layout.points[Variable.of(cell)], painter.plan.layout.size(Variable.of(cell))
    assert ring.points[0] == (x, y - height / 2) and not painter.plan.undrawn_note(shown)
    # A round has no signs for all of them.
    givens = next(frame for frame in all_frames if frame.removed)
    assert re.search(r"not drawn: \d+ values of", painter.plan.undrawn_note(givens))


def test_a_helper_of_many_cells_is_at_the_cell_that_its_labels_and_indices_name() -> None:
    touched = recorded("view")[1].plan.touched
    box_of = touched.layout.points
    for name, place in (("run(right,6,1)", (6, 1)), ("dark(6,6)", (6, 6))):
        helper = next(v for v in touched.helpers.cells if v == name)
        found = touched.place(Variable(helper), 0)
        assert found and [middle for middle, _ in found.boxes] == [
            box_of[v] for v in box_of if v.family == "number" and v.indices == place
        ]


@pytest.mark.parametrize(("name", "family"), [("nanro", "number"), ("lits", "form"), ("mannequin", "number")])
def test_a_helper_of_a_room_is_about_squares_of_this_room_alone(name: str, family: str) -> None:
    plan, room = recorded(name)[1].plan, grids(name)["room"]
    helpers = {v: cells for v, cells in plan.touched.helpers.cells.items() if v.startswith(f"{family}(")}
    assert helpers
    for v, cells in helpers.items():
        assert cells and {str(room[cell.indices]) for cell in cells} == {re.sub(r"\D", "", v)}  # type: ignore[index]


def test_a_helper_in_equations_of_several_is_about_the_squares_of_all_of_them() -> None:
    helpers = recorded("tetrochain")[1].plan.touched.helpers
    assert helpers.cells["used(i,1,2,1)"] == tuple(Variable("shaded", r, 1) for r in (2, 3, 4, 5))
    # The second equation of a helper that it defines is not about another one.
    helpers = recorded("skyscraper_sudoku")[1].plan.touched.helpers
    assert helpers.cells["highest(0,6,2)"] == (Variable("cell", 2, 6),)


def test_a_rectangle_is_framed_around_the_squares_that_it_covers() -> None:
    _, painter, all_frames = recorded("shikaku")
    slips = painter.plan.layout.slips
    for frame in (frame for frame in all_frames if frame.summary):
        frames_of_look = {"refused": 0, "held": 0}
        for v, value in frame.removed:
            r, c, height, width = (int(index) for index in v.indices[2:])
            (left, top), (right, bottom) = (
                slips[next(s for s in slips if s.indices == place)]
                for place in ((r, c), (r + height - 1, c + width - 1))
            )
            look = "held" if value == 0 else "refused"
            middles = [s.points[0] for s in painter.parts(frame).shapes if s.look == look]
            assert ((left + right) / 2, (top + bottom) / 2) in middles
            frames_of_look[look] += 1
        assert len(frame.removed) == sum(frames_of_look.values()) <= 8


@pytest.mark.parametrize(("name", "count"), [("doublers", 12), ("round_robin", 0)])
def test_only_a_helper_of_the_spec_is_ruled_out_or_found_to_hold(name: str, count: int) -> None:
    trace = record(example(name), nodes=6)
    touched, rings = Plan(trace.model, trace.origins).touched, 0
    for frame in frames(trace):
        fixed = [(v, value) for v, value in frame.removed if v.family == "doubler" and len(frame.domains[v]) == 1]
        middles = [box[0] for v, value in fixed if (place := touched.place(v, value)) for box in place.frames]
        shapes = list(touched.signs(frame))
        decided = [shape.points[0] for shape in shapes if shape.look in ("held", "refused")]
        assert {*decided} <= {*middles}, frame.name
        # The place of an expression says only that it lost a value.
        lost = [v for v, _ in frame.removed if " " in v and touched.place(v, 0)]
        signs = {shape.look for shape in shapes} & {"touched", "spot-count"}
        assert signs or not lost or frame.failure, frame.name
        rings += len(decided)
    assert rings == count


def test_expressions_of_helpers_are_spelt_out() -> None:
    trace, painter, _ = recorded(GAPS)
    removal = next(r for r in trace.records if isinstance(r, Removal) and " - " in r.removed[0][0])
    assert removal.step is not None
    title = painter.parts(next(step_frames(trace, removal.step, removal.step))).title
    assert "helper" not in title.partition("marked")[0] and f"from {removal.removed[0][0]}" in title


def test_a_helper_that_stands_for_a_pair_is_written_as_a_pair() -> None:
    trace, painter, _ = recorded("exam_timetable")
    removal = next(r for r in trace.records if isinstance(r, Removal) and r.removed[0][0].startswith("2*period(2)"))
    assert removal.step is not None
    title = painter.parts(next(step_frames(trace, removal.step, removal.step))).title
    # The expression 2*period + room - 3 has the values 0, 2, 4 and 6 in room 1.
    assert [value for _, value in removal.removed] == [0, 2, 4, 6]
    assert "room(2) = 2 removes (1, 1), (2, 1), (3, 1), (4, 1) from (period(2), room(2))" in title


def test_captions_have_the_name_of_a_helper_of_the_spec_and_the_line_of_a_long_expression() -> None:
    model = dsl.loads(
        "a(I) in 1..3 :- I in 1..2.\nb(1) in 1..3.\nc(1) in 1..3.\nb(1) < c(1).\ndraw helper(b).\ndraw helper(c)."
    )
    assert isinstance(model, Model)
    plan, trace = Plan(model), record(model)
    removal = next(r for r in trace.records if isinstance(r, Removal))
    assert removal.step is not None
    frame = next(step_frames(trace, removal.step, removal.step))
    assert "removes 3 from b(1); 1 from c(1)" in plan.caption(frame.title, frame)
    assert isinstance(next(iter(Painter(model).parts(frame).shapes)), Shape)
    expression = "b(1)*b(2) - c(1)*c(2) - d(1)*d(2)"
    assert Helpers({expression: ()}, {expression: 4}, {}).replace_in(f"removes 3 from {expression}") == (
        "removes 3 from a helper of line 4"
    )


@pytest.mark.parametrize(
    "name, helper, words",
    [
        ("usotatami", "rectangle(1,2,1,1,1,2)", "rectangle at square 1,1 and 1,2"),
        ("squarejam", "rectangle(1,1,1,1,3,3)", "rectangle at square 1,1 to 3,3"),
        ("squarejam", "same(1,1,1,2)", "same(1,1,1,2)"),
        ("fourcells", "used(i,1,1,4)", "used at square 1,4 to 4,4"),
        ("fillmat", "rectangle(1,1,1,1,1,2)", "rectangle at square 1,1 and 1,2"),
        # Two galaxies can cover the same square.
        ("tentaisho", "galaxy(1,1,2)", "galaxy(1,1,2)"),
    ],
)
def test_a_text_of_a_helper_names_only_the_squares_that_it_covers(name: str, helper: str, words: str) -> None:
    model = example(name)
    helpers = find_helpers(model, Plan(model).visible)
    assert helpers.replace_in(f"{helper}: no change") == f"{words}: no change"


def test_a_gap_shows_only_values_that_remain() -> None:
    trace = record(example(GAPS), nodes=4)
    moving, all_frames = Plan(trace.model, trace.origins).moving, list(frames(trace))
    gaps = {v for v in trace.model.domains if " - " in v}
    candidates = 0
    for frame in all_frames:
        domains = [{*frame.domains[v]} for v in gaps]
        values = [s for s in moving.shapes(frame.domains) if s.look in ("found-text inner", "possible")]
        # The ranges of one cell are on two lines.
        texts: dict[tuple[float, int], list[str]] = {}
        for shape in values:
            x, y = shape.points[0]
            texts.setdefault((x, round(y / 60)), []).append(shape.text)
        for words in map(" ".join, texts.values()):
            ends = [[*map(int, part.split(".."))] for part in words.removesuffix(" left").split()]
            shown = {value for pair in ends for value in range(pair[0], pair[-1] + 1)}
            assert shown in domains or (words.endswith(" left") and int(words.split()[0]) in map(len, domains))
        candidates += sum(shape.look == "possible" for shape in values)
    # The first failure: 17 - 12 = 5, but the last gap has only 8 and 9, because another gap is 5.
    failure = next(frame for frame in all_frames if frame.failure is not None)
    texts = [shape.text for shape in moving.shapes(failure.domains)]
    assert "8 9" in texts and texts.count("5") == 1 and "has only 8, 9" in failure.title and candidates > 1


@pytest.mark.parametrize(
    ("name", "code", "shown"), [("exam_timetable", 6, "period 4, room 1"), ("graeco_latin", 15, "latin 3, greek 3")]
)
def test_a_failure_writes_a_code_of_a_pair_as_the_pair(name: str, code: int, shown: str) -> None:
    trace = record(example(name), nodes=8)
    painter = Painter(trace.model, origins=trace.origins)
    failed = next(frame for frame in frames(trace) if frame.failure)
    picture = painter.parts(failed)
    assert failed.failure is not None and failed.failure.subject == code
    assert f": {shown} has no place left" in picture.title
    assert f"no {shown}" in {shape.text for shape in picture.shapes if shape.look == "named"}


def test_a_value_that_fits_only_one_helper_is_written_as_a_pair() -> None:
    trace = record(example("exam_timetable"), nodes=20)
    removal = next(r for r in trace.records if isinstance(r, Removal) and r.kind == "placed" and "+" in r.cause[0][0])
    title = (
        Painter(trace.model, origins=trace.origins)
        .parts(next(step_frames(trace, removal.step or 0, removal.step or 0)))
        .title
    )
    assert re.search(r"\(\d, \d\) fits only \(period\(\d\), room\(\d\)\)", title)


@pytest.mark.parametrize(("name", "frame_name"), [("yajilin", "givens"), ("fivecells", "decision-1")])
def test_every_frame_of_what_is_ruled_out_has_a_cross_on_its_upper_side(name: str, frame_name: str) -> None:
    trace = record(example(name), nodes=2)
    shown = next(frame for frame in frames(trace) if frame.name == frame_name)
    shapes = picture(Plan(trace.model, trace.origins), shown)
    boxes = [bounding_box([shape]) for shape in shapes if shape.look == "refused"]
    crosses = [bounding_box([shape]) for shape in shapes if shape.look == "cross"][::2]
    assert len(boxes) == len(crosses) > 0
    for ((left, top), (right, _)), ((start, above), (end, below)) in zip(boxes, crosses, strict=True):
        assert left < (start + end) / 2 < right and (above + below) / 2 == top


@pytest.mark.parametrize(
    ("name", "frame_name"), [("shimaguni", "rules-3"), ("midloop", "rules-5"), ("nanro", "givens")]
)
def test_a_helper_of_connected_places_has_one_frame(name: str, frame_name: str) -> None:
    _, painter, all_frames = recorded(name)
    touched, shown = painter.plan.touched, next(frame for frame in all_frames if frame.name == frame_name)
    lost = dict.fromkeys(v for v, _ in shown.removed if v in touched.helpers.cells)
    boxes = [bounding_box([shape]) for shape in touched.signs(shown) if shape.look == "touched"]
    assert len(boxes) == len(lost) > 0
    for v in lost:
        points = [painter.plan.layout.points[cell] for cell in touched.helpers.cells[v]]
        assert any(all(a < x < c and b < y < d for x, y in points) for (a, b), (c, d) in boxes), v


def test_the_frame_of_a_piece_with_corners_is_inside_its_squares_alone() -> None:
    trace = record(example("fivecells"), nodes=2)
    plan = Plan(trace.model, trace.origins)
    shown = next(frame for frame in frames(trace) if frame.name == "decision-1")
    [shape] = [shape for shape in picture(plan, shown) if shape.look == "refused"]
    place = plan.touched.place(*shown.removed[0])
    assert shape.kind == "line" and len(shape.points) > 5 and shape.points[0] == shape.points[-1] and place is not None
    # Each side is in squares of the piece, from one middle to the other.
    for (x, y), (p, q) in pairwise(shape.points):
        for share in (0.1, 0.5, 0.9):
            point = x + share * (p - x), y + share * (q - y)
            assert any(all(abs(point[i] - middle[i]) <= size[i] / 2 for i in (0, 1)) for middle, size in place.boxes)


def test_no_place_is_ruled_out_and_found_to_hold_in_one_picture() -> None:
    trace = record(example("shakashaka"), nodes=2)
    plan = Plan(trace.model, trace.origins)
    shown = next(frame for frame in frames(trace) if frame.name == "rules-1")
    looks: dict[tuple[float, float], set[str]] = {}
    for shape in picture(plan, shown):
        if shape.look in ("held", "refused", "touched"):
            looks.setdefault(shape.points[0], set()).add(shape.look)
    assert [*looks.values()].count({"touched"}) == 1
    assert not any({"held", "refused"} <= own_looks for own_looks in looks.values())


def test_overlapping_frames_have_different_sides() -> None:
    trace = record(example("shikaku"), nodes=0)
    shown = next(frame for frame in frames(trace) if frame.name == "rules-3")
    signs = list(Plan(trace.model, trace.origins).touched.signs(shown))
    framed = [shape for shape in signs if shape.look in ("held", "refused")]
    sides: dict[float, list[tuple[float, float]]] = {}
    for (x, y), (width, height) in (shape.points for shape in framed):
        for side in (x - width / 2, x + width / 2):
            spans = sides.setdefault(round(side, 1), [])
            assert all(y + height / 2 <= top or bottom <= y - height / 2 for top, bottom in spans)
            spans.append((y - height / 2, y + height / 2))
    assert len(framed) == 7
    # Each rectangle that is ruled out has a cross in the middle of its upper side, clear of clues.
    tops = [(x, y - h / 2) for shape in framed if shape.look == "refused" for (x, y), (_, h) in [shape.points]]
    crosses = [shape.points for shape in signs if shape.look == "cross"]
    assert [((a + p) / 2, (b + q) / 2) for (a, b), (p, q) in crosses[::2]] == tops != []
    clues = [shape.points[0] for shape in Plan(trace.model).shapes if shape.look == "inner"]
    assert all(max(abs(x - p), abs(y - q)) > 15 for points in crosses for x, y in points for p, q in clues)


@pytest.mark.parametrize(("step", "look"), [(9, "held-cause"), (17, "refused-cause")])
def test_a_cause_that_holds_has_another_frame_than_one_ruled_out(step: int, look: str) -> None:
    trace = record(example("shikaku"), nodes=0)
    [shown, *_] = step_frames(trace, step, step)
    shapes = picture(Plan(trace.model, trace.origins), shown)
    assert [shape.look for shape in shapes if shape.look.endswith("-cause")] == [look]
    assert "dashed" in LOOKS["refused-cause"] and "dashed" not in LOOKS["held-cause"]


def test_a_step_of_a_printed_difference_frames_it_and_writes_ranges() -> None:
    trace, painter, _ = recorded(GAPS)
    [shown, *_] = step_frames(trace, 20, 20)
    picture = painter.parts(shown)
    assert "mark(2) has only 1 to 13, which removes -17 to -11, 15 to 17 from" in picture.title
    [frame] = [shape for shape in picture.shapes if shape.look == "touched"]
    struck = [shape for shape in picture.shapes if shape.look == "spot-lost" and shape.kind == "text"]
    assert [shape.text for shape in struck] == ["-17..-11", "15..17"] and not spots(picture, "spot-count")
    assert frame.points[0] == painter.plan.touched.place(shown.removed[0][0], 0).boxes[0][0]  # type: ignore[union-attr]


def test_a_used_rectangle_has_four_sides() -> None:
    model = example("shikaku")
    drawn = [entry for entry in model.drawn if entry.variables == ("rectangle(6,3,6,2,1,2)",)]
    assert {entry.indices for entry in drawn} == {(6, 1, 6, 2), (6, 3, 6, 4), (5, 2, 6, 2), (5, 3, 6, 3)}


def test_a_decision_on_a_pair_highlights_its_cards_and_shows_the_pair() -> None:
    trace = record(example("exam_timetable"), nodes=8)
    drawn = Plan(trace.model, trace.origins)
    shown = next(frame for frame in frames(trace) if frame.name == "decision-7")
    [helper] = shown.active
    first, second = drawn.touched.helpers.tuples[helper][0]
    shapes = picture(drawn, shown)
    assert {v for shape in shapes if "active" in shape.look.split() for v in shape.of} == {first, second}
    [value] = shown.domains[helper]
    # The exam has a slot in each square of the timetable; the only one that remains has its number.
    exam = str(first.indices[0])
    place = drawn.touched.place(helper, value)
    assert place is not None and place.label == exam
    [sign] = [shape for shape in shapes if shape.look == "found-text" and shape.text == exam]
    (x, y), (side, _) = place.boxes[0]
    assert max(abs(sign.points[0][0] - x), abs(sign.points[0][1] - y)) < 2 < side
    # The vertex of the definition of a pair has the initials of its variables, that of a maximum its name.
    names = [node.text for node in drawn.constraint_nodes.values() if drawn.model.constraints[node.number].scope[2:]]
    assert names == [f"p{exam}r{exam}" for exam in (1, 2, 3, 4, 5, 7, 6, 8)] + ["max…"]


def test_a_square_of_a_sheet_writes_what_can_be_in_it() -> None:
    trace = record(example("exam_timetable"), nodes=0)
    drawn, [*moments] = Plan(trace.model, trace.origins), replay(trace)
    pairs = drawn.touched.helpers.tuples
    for moment in (moments[0], moments[-1]):
        texts = {(s.text, s.points[0]) for s in drawn.moving.shapes(moment.domains) if s.look == "possible"}
        places = [drawn.touched.place(Variable(v), value) for v in pairs for value in moment.domains[Variable(v)]]
        assert texts == {(place.label, place.boxes[0][0]) for place in places if place}
        assert len(texts) == sum(len(moment.domains[Variable(v)]) for v in pairs) > 50
    # Signs of a step are in the slots: exam 2 is in room 2.
    [shown] = [frame for frame in step_frames(trace, 4, 4) if frame.removed]
    assert [s.text for s in picture(drawn, shown) if s.kind == "text" and s.look == "spot-lost"] == ["2"] * 4


def test_a_long_expression_of_a_helper_is_shortened_in_captions_and_notes() -> None:
    trace = record(example("exam_timetable"), nodes=8)
    drawn = Plan(trace.model, trace.origins)
    text = "max(period(1), …, period(8))"
    captions = [drawn.caption(shown.title, shown) for shown in map(scene, replay(trace))]
    assert not any("a helper of line" in caption for caption in captions)
    assert any(f"{text} = 3 removes 4 from {text}" in caption for caption in captions)
    assert f"not drawn: 1 value of {text}" in {drawn.undrawn_note(shown) for shown in map(scene, replay(trace))}


def test_a_number_whose_place_acts_is_alone_in_its_cell_although_the_domain_has_other_values() -> None:
    trace = record(example("knights_tour"), nodes=12)
    drawn, found = Plan(trace.model, trace.origins), 0
    for moment in replay(trace):
        acted = moment.record.cause if isinstance(moment.record, Removal) else ()
        if len(acted) == 1 and acted[0][0] in drawn.touched.helpers.images and len(moment.domains[acted[0][0]]) == 1:
            cell, number = drawn.touched.helpers.images[acted[0][0]][acted[0][1]]
            assert drawn.list_values(cell, scene(moment)) == (number,)
            found += len(moment.domains[cell]) > 1
    assert found > 3


def test_definitions_and_queue_entries_of_pairs_are_written_as_pairs() -> None:
    trace = record(example("graeco_latin"), nodes=20)
    data, drawn = film(trace), Plan(trace.model, trace.origins)
    names = [constraint["name"] for constraint in data["constraints"]] + [entry[0] for entry in data["waiting"]]
    names += [drawn.caption(shown.title, shown) for shown in map(scene, replay(trace))]
    assert "the value of (latin(1,1), greek(1,1))" in names and not any("4*latin" in name for name in names)
    assert not any(re.search(r"(\(\d, \d\), ){4}", name) for name in names)
    assert any(re.fullmatch(r"\(\d, \d\) in pairs", name) for name in names)
    assert any(re.search(r" removes \d+ pairs from \(latin", name) for name in names)


def test_a_helper_without_drawn_cells_is_named_by_its_family_and_labels() -> None:
    trace = record(example("shikaku"), nodes=0)
    drawn = Plan(trace.model, trace.origins)
    [shown, *_] = step_frames(trace, 9, 9)
    caption = drawn.caption(shown.title, shown)
    assert "rectangle at square 1,5 and 1,6 (holds) rules out rectangle at square 1,4 and 1,5" in caption
    waiting = [entry[0] for entry in film(trace)["waiting"]]
    assert "rectangle at square 1,4 to 2,4" not in waiting and "rectangle at square 1,4 and 2,4" in waiting


def test_a_round_names_no_last_place_by_the_code_of_a_helper() -> None:
    """Check that a caption says where a number is, instead of the number of the square."""
    trace = record(example("numbrix"), nodes=20)
    drawn, checked = Plan(trace.model, trace.origins), 0
    for frame in frames(trace):
        codes = [place for place in frame.last_places if place.variable in drawn.touched.helpers.images]
        assert not codes or len(codes) < len(frame.last_places) or "only one place" not in drawn.caption("", frame)
        checked += bool(codes)
    assert checked > 3


def test_a_helper_with_the_indices_of_a_cell_is_about_this_cell() -> None:
    model = example("fillomino")
    helpers = find_helpers(model, Plan(model).visible)
    words = "piece(2,5) = 5 removes 11 from piece(3,5)"
    assert helpers.replace_in(words) == words
    assert helpers.cells_about([(Variable("piece", 2, 5), 5)]) == ["size(2,5)"]


def test_a_step_across_the_border_is_a_side_of_its_square() -> None:
    plan = Plan(example("masyu"))
    texts = [plan.say(f"removes 1 from on({i},{j})") for i, j in ((1, 2), (2, 1), (13, 4), (4, 13), (2, 3))]
    assert [text.removeprefix("removes a line from ") for text in texts] == [
        "top of r1c1", "left of r1c1", "bottom of r6c2", "right of r2c6", "r1c1-r1c2"
    ]  # fmt: skip


def test_a_table_and_its_variables_list_the_same_pairs_in_every_picture() -> None:
    trace = record(example("exam_timetable"), nodes=12)
    plan = Plan(trace.model, trace.origins)
    tuples, lost = plan.touched.helpers.tuples, 0
    assert {*tuples} == plan.touched.helpers.tabled
    for frame in (*frames(trace), *step_frames(trace, 1, 30)):
        listed = plan.list_domains(frame.domains)
        for helper, (parts, values_of) in tuples.items():
            pairs = [values_of[int(code)] for code in listed[Variable(helper)]]
            for i, v in enumerate(parts):
                assert {pair[i] for pair in pairs} in ({*listed[v]}, set()), f"{frame.name}: {helper}"
        # The table strikes what the variables lose, and the other way round.
        shown_scene = plan.with_visible_removals(frame)
        before = plan.list_domains(add_values(frame.domains, shown_scene.removed))
        gone = {(v, value) for v in before for value in before[v] if value not in listed[v]}
        signed = {candidate for candidate in gone if plan.visible.intersection(candidate[:1]) or candidate[0] in tuples}
        assert signed <= {*shown_scene.removed} or frame.failure, frame.name
        lost += len({*shown_scene.removed} - {*frame.removed})
    assert lost > 20


def test_a_round_says_which_values_follow_from_pairs_that_the_picture_lost_before() -> None:
    trace = record(example("exam_timetable"), nodes=8)
    painter = Painter(trace.model, origins=trace.origins)
    texts = [painter.parts(frame).title for frame in frames(trace) if frame.name in ("rules-7", "round-2", "rules-8")]
    assert texts[0] == "rules 7 · marked 3 · nothing new: removed 5 values that follow from pairs"
    assert texts[1] == "round 2 · clash 1,2, clash 2,3, clash 2,7 removed 3 values from 3 variables · marked 6"
    assert "nothing new: removed 3 pairs that the variables show" in texts[2]
