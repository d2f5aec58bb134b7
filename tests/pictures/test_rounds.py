"""Pictures of rounds, steps and failures highlight and name what acted and what changed."""

from __future__ import annotations

import re
from functools import lru_cache
from math import hypot

import pytest

from csp import Variable, record, replay
from csp.board.drawn.skins import INK
from csp.picture.edges import along
from csp.picture.frames import Frame, frames, step_frames
from csp.picture.layout.forms import CELL, cell_form, with_skin
from csp.picture.legend import entries
from csp.picture.lines.arrows import MANY, WITHIN
from csp.picture.picture import clue_frame, is_clue, picture
from csp.picture.plan import Plan
from csp.picture.scene import scene
from csp.picture.shapes import shared_area, text
from csp.picture.style import combine_styles
from csp.picture.vertex import VertexState, vertex
from csp.render.page.film import film
from csp.render.painter import Captioned, Painter
from csp.trace import Removal, Trace

from .test_render import GAPS, example
from .test_signs import meets

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""


@lru_cache(None)
def recorded(name: str) -> tuple[Trace, Painter, tuple[Frame, ...]]:
    """Return the trace of an example without decisions, its painter and its frames."""
    trace = record(example(name), nodes=0)
    return trace, Painter(trace.model, origins=trace.origins), tuple(frames(trace))


def shown(name: str, frame_name: str) -> tuple[Frame, Captioned]:
    """Return the first frame with a name, and its picture."""
    _, painter, all_frames = recorded(name)
    frame = next(frame for frame in all_frames if frame.name == frame_name)
    return frame, painter.parts(frame)


def vertices(picture: Captioned, state: str) -> set[str]:
    """Return the vertices whose body has a state."""
    return {v for s in picture.shapes if s.look.startswith("body") and state in s.look.split() for v in s.of}


def acted_clues(picture: Captioned) -> set[str]:
    """Return the texts of the clues with the sign of those that acted."""
    return {shape.text for shape in picture.shapes if "acting" in shape.look.split()}


@pytest.mark.parametrize("name", ["sudoku", "jigsaw", "zebra"])
def test_a_round_highlights_the_groups_of_last_places(name: str) -> None:
    trace, painter, all_frames = recorded(name)
    rounds = [frame for frame in all_frames if frame.last_places]
    for frame in rounds:
        groups = [trace.model.constraints[number] for number in frame.groups]
        members = [v for group in groups for v in group.scope]
        # The yellow cells are the cells of these groups.
        assert 1 <= len(groups) <= 3
        assert vertices(painter.parts(frame), "grouped") == set(members)
        # Each group left one of its values one place, and the caption says which.
        title = painter.parts(frame).title
        for number, group in zip(frame.groups, groups, strict=True):
            found = sorted((str(p.value), p.variable) for p in frame.last_places if p.number == number)
            # The cells of a board show the place of a value; a table needs its name.
            texts = [f"{value} fits only {v}" if name == "zebra" else value for value, v in found]
            assert f"{', '.join(texts)} in {group.label}" in title
        # It names no other group, and counts their values.
        others = [place for place in frame.last_places if place.number not in frame.groups]
        last = next(part for part in title.split(" · ") if part.startswith("only one place left"))
        assert last.count(" in ") == len(groups) and (f", and for {len(others)} more value" in last) == bool(others)
    assert rounds


@pytest.mark.parametrize("name", ["kropki", "mathrax"])
def test_an_arrow_begins_at_no_struck_value_and_ends_at_one(name: str) -> None:
    """Check where the arrows of rounds touch the boxes of struck values."""
    _, painter, all_frames = recorded(name)
    layout = painter.plan.layout
    for frame in (frame for frame in all_frames if len(frame.removed) <= MANY):
        boxes = [(v, layout.square(v, value), layout.forms[v].slot) for v, value in frame.removed]
        for arrow in (s for s in painter.parts(frame).shapes if s.look.startswith("edge hit") and "tie" not in s.look):
            cause, target = map(Variable, arrow.of)
            start, end = (
                [v for v, middle, size in boxes if all(2 * abs(point[i] - middle[i]) < size[i] + 0.4 for i in (0, 1))]
                for point in (arrow.points[0], arrow.points[-1])
            )
            is_single = len(frame.domains[Variable(cause)]) == 1
            # An arrow that would cross a value that stays ends at the border.
            sides = (abs(arrow.points[-1][i] - layout.points[target][i]) for i in (0, 1))
            is_at_border = 0 <= layout.size(target)[0] / 2 - max(sides) <= 2
            assert (target in end or is_at_border) and (is_single or cause not in start), (frame.name, cause, target)


def test_the_node_of_a_group_with_a_last_place_is_highlighted() -> None:
    trace, _, all_frames = recorded("sudoku")
    painter = Painter(trace.model, "factor", trace.origins)
    frame = next(frame for frame in all_frames if frame.name == "round-4")
    lit = vertices(painter.parts(frame), "grouped")
    placed = {f"group {place.number}" for place in frame.last_places}
    assert {v for v in lit if v.startswith("group ")} == placed != set()


def test_a_round_counts_the_drawn_variables_that_it_fixed() -> None:
    frame, picture = shown(GAPS, "rules-1")
    assert " now " not in picture.title and len(frame.fixed) == 1, "a helper is fixed, no mark"
    frame, picture = shown("sudoku", "round-2")
    assert f"{len(frame.fixed)} cells now have one value" in picture.title
    assert all(len(frame.domains[v]) == 1 for v in frame.fixed) and frame.fixed


def test_a_board_lights_only_the_columns_that_acted() -> None:
    trace = record(example("queens"), nodes=3)
    painter = Painter(trace.model, origins=trace.origins)
    step = next(r.step for r in trace.records if isinstance(r, Removal) and r.kind == "fixed")
    frame = next(step_frames(trace, step or 0, step or 0))
    assert vertices(painter.parts(frame), "active") == {*frame.causes} and len(frame.causes) == 1


@pytest.mark.parametrize(
    ("name", "kind"),
    [("slitherlink", "the"), ("tents", "tent of"), ("tents", "row"), ("nonogram", "column"), ("nurikabe", "island"),
     ("kakuro", "sum right of"), ("killer", "cage"), ("skyscrapers", "1 seen"), ("masyu", "white"),
     ("masyu", "turn beside"), ("geradeweg", "number")],
)  # fmt: skip
def test_the_clue_of_an_acting_constraint_has_a_black_frame(name: str, kind: str) -> None:
    trace, painter, _ = recorded(name)
    removal = next(
        r
        for r in trace.records
        if isinstance(r, Removal) and r.constraint is not None and r.constraint.name.startswith(kind)
    )
    assert removal.step is not None
    picture = painter.parts(next(step_frames(trace, removal.step, removal.step)))
    framed = [shape for shape in picture.shapes if shape.look.split()[0] == "acted"]
    assert framed and all(removal.number in shape.constraints for shape in framed)
    assert "clue that acted" in {shape.text for shape in picture.caption}


def test_a_removal_from_a_whole_area_has_a_tint_and_an_arrow_for_each_record() -> None:
    trace = record(example("masyu"), nodes=100)
    painter = Painter(trace.model, origins=trace.origins)
    [step] = {patch["step"] for patch in film(trace)["records"] if "swept" in patch}
    removals = [r for r in trace.records if isinstance(r, Removal) and r.step == step]
    shapes = painter.parts(next(step_frames(trace, step, step))).shapes
    tinted = {shape.of[0] for shape in shapes if shape.look == "ground ground-swept"}
    assert tinted == {v for removal in removals for v, _ in removal.removed} and len(tinted) > 20
    assert not [shape for shape in shapes if shape.look in ("boxed", "strike")]
    heads = [shape for shape in shapes if shape.look.startswith("edge hit") and "tie" not in shape.look]
    assert len(heads) == len(removals) == 2


def test_the_only_value_is_bold_among_removed_ones() -> None:
    _, picture = shown("killer", "round-3")
    crowded = {shape.of for shape in picture.shapes if shape.look == "boxed"}
    values = [shape for shape in picture.shapes if shape.look.startswith("found") and shape.of in crowded]
    assert values and all(combine_styles(shape.look).get("bold") for shape in values)


def test_ties_of_causes_leave_the_middles_of_cells_free() -> None:
    trace = record(example("nurikabe"), nodes=100)
    painter, checked = Painter(trace.model, origins=trace.origins), 0
    for frame in frames(trace):
        ties = [shape for shape in painter.parts(frame).shapes if "tie" in shape.look.split()]
        ends = [end for tie in ties for end in zip(tie.of, (tie.points[0], tie.points[-1]), strict=True)]
        for (x, y), (p, q) in ((painter.plan.layout.points[Variable(v)], point) for v, point in ends):
            assert max(abs(x - p), abs(y - q)) >= CELL / 2 - WITHIN - 0.1
        checked += len(ends)
    assert checked > 50


@pytest.mark.parametrize(("name", "frame_name"), [("slitherlink", "rules-7"), ("tents", "rules-3")])
def test_arrows_pass_beside_the_points_of_cells(name: str, frame_name: str) -> None:
    trace = record(example(name), nodes=20)
    frame = next(frame for frame in frames(trace) if frame.name == frame_name)
    shapes = Painter(trace.model, origins=trace.origins).parts(frame).shapes
    points = [shape.points[0] for shape in shapes if shape.look == "blank"]
    arrows = [s for s in shapes if s.look.startswith("edge hit") and "tie" not in s.look]
    lines = [along(arrow.points, i / 100) for arrow in arrows for i in range(100)]
    assert points and lines and min(hypot(x - p, y - q) for x, y in points for p, q in lines) > 4


def test_a_round_frames_the_squares_whose_rules_acted() -> None:
    frame, picture = shown("shikaku", "rules-2")
    plan = recorded("shikaku")[1].plan
    framed = [shape.points[0] for shape in picture.shapes if shape.look == "acted"]
    names = [plan.model.constraints[number].name for number in frame.along]
    assert framed == [plan.rule_squares[number] for number in frame.along] and names == ["square 1,4", "square 2,5"]
    assert "square that acted" in {shape.text for shape in picture.caption}
    # Clues are above the frames.
    looks = [shape.look for shape in picture.shapes]
    assert looks.index("acted") < looks.index("inner")


def test_a_step_of_a_constraint_on_most_cells_marks_only_what_acted() -> None:
    trace = record(example("nurikabe"), nodes=100)
    sea = next(n for n, constraint in enumerate(trace.model.constraints) if constraint.name == "sea")
    step = next(r.step for r in trace.records if isinstance(r, Removal) and r.number == sea) or 0
    frame = next(step_frames(trace, step, step))
    picture = Painter(trace.model, origins=trace.origins).parts(frame)
    assert vertices(picture, "cause") == {*frame.causes} != set() and not vertices(picture, "active")


def test_a_region_of_the_spec_is_highlighted_with_its_constraint() -> None:
    model = example("star_battle")
    plan = Plan(model)
    regions = [number for number, constraint in enumerate(model.constraints) if constraint.label.startswith("region")]
    outlines = [shape for shape in plan.shapes if shape.look == "region"]
    assert len(outlines) == len(regions) and {shape.constraints for shape in outlines} == {(n,) for n in regions}


def test_a_round_frames_the_clues_that_an_implied_constraint_follows_from() -> None:
    painter = recorded("killer")[1]
    frame, picture = shown("killer", "rules-1")
    origins = {origin for number in frame.along for origin in painter.plan.origins[number]}
    clues = [shape for shape in painter.plan.shapes if is_clue(shape) and origins.intersection(shape.constraints)]
    framed = [shape for shape in picture.shapes if shape.look == "acted"]
    assert {shape.constraints for shape in framed} == {shape.constraints for shape in clues}
    assert 20 < len(framed) < sum(map(is_clue, painter.plan.shapes)) and not frame.losses


def test_a_clue_that_did_not_act_stays_plain() -> None:
    frame, picture = shown("slitherlink", "rules-1")
    trace = recorded("slitherlink")[0]
    actors = {r.number for r in trace.records if isinstance(r, Removal) and set(r.removed) <= set(frame.removed)}
    framed = {number for shape in picture.shapes if shape.look == "acted" for number in shape.constraints}
    assert framed == actors and 0 < len(framed) < len([s for s in picture.shapes if s.look.startswith("inner")])


@pytest.mark.parametrize("lens", ["grid", "factor", "clique"])
def test_the_sum_of_a_run_acts_for_no_other_constraint_on_its_cells(lens: str) -> None:
    trace, _, _ = recorded("kakuro")
    rules = {record.step: record.constraint for record in trace.records if isinstance(record, Removal)}
    for step, is_sum in ((22, True), (24, False)):
        shapes = Painter(trace.model, lens, trace.origins).parts(next(step_frames(trace, step, step))).shapes
        assert rules[step].label.startswith("sum") == is_sum
        lit = {shape.text for shape in shapes if "acting" in shape.look}
        assert lit == ({"7"} if is_sum else {"≠"} if lens == "factor" else set())
    unseen = Painter(trace.model, lens, trace.origins).plan.count_unseen(lens)
    assert unseen == 0, "a run has a sign for both constraints"


def test_a_step_separates_what_the_rule_alone_removes() -> None:
    trace, painter, _ = recorded("kakuro")
    frame = next(step_frames(trace, 8, 8))
    assert frame.title.startswith(
        "step 8 · sum below 4,6 with below 4,6: removes 7, 8, 9 from cell(5,6); 7 from cell(6,6); cell(6,6) has only "
    )
    assert frame.title.count("sum below") == 1 and ", which removes 3 from cell(5,6) · marked" in frame.title
    arrows = [shape for shape in painter.parts(frame).shapes if "hit" in shape.look.split()]
    assert len(arrows) == 1, "to the 3"


@pytest.mark.parametrize("name", ["arrow_sudoku", "kakuro", "sandwich_sudoku"])
def test_the_caption_of_a_step_names_all_constraints_that_its_propagators_used(name: str) -> None:
    trace = record(example(name), nodes=0)
    removals = [r for r in trace.records if isinstance(r, Removal) and r.also_uses]
    titles = {int(frame.name[5:]): frame.title for frame in step_frames(trace, 1, 60) if frame.name.startswith("step")}
    texts = [(titles[r.step], r.also_uses) for r in removals if r.step in titles]
    assert texts and all(constraint.name in title for title, used in texts for constraint in used)


def test_the_caption_of_a_step_says_that_it_is_a_decision() -> None:
    titles = [frame.title for frame in step_frames(record(example("coloring"), nodes=9), 4, 5)]
    assert titles[0].startswith(
        "step 4 · decision: color(4) = 2 removes 3 from color(4); 2 from color(5), color(9) · by "
    )
    assert not any("decision" in title for title in titles[1:])


@pytest.mark.parametrize(
    ("name", "text", "label"),
    [
        ("castle_wall", "0 ↑", "arrow 3,2"), ("gokigen", "0", "corner 2,6"), ("creek", "4", "corner 3,3"),
        ("quadruple_sudoku", "344", "quadruple 2,3: 3"), ("xv_sudoku", "X", "sum 1,2 and 2,2"),
        ("mathrax", "6+", "sum of 1,3 and 2,4"), ("little_killer_sudoku", "6 ↗", "little killer 7,2"),
        ("akari", "1", "beside 1,4"), ("sujiko", "19", "around 1,2"),
        ("numbered_room_sudoku", "5", "numbered room 7,4, 6"), ("abc_end_view", "a", "first from 6,5, 5"),
    ],
)  # fmt: skip
def test_a_clue_belongs_to_the_constraint_whose_label_names_its_place(name: str, text: str, label: str) -> None:
    model = example(name)
    clues = [s for s in Plan(model).shapes if s.kind == "text" and s.text and is_clue(s) and "header" not in s.look]
    labels = {s: [model.constraints[number].label for number in s.constraints] for s in clues}
    assert all(labels.values()), "each clue has a constraint"
    assert any(s.text == text and label in labels[s] for s in clues)


@pytest.mark.parametrize(
    ("name", "label"),
    [("midloop", "left from 1,3 and right from 1,4"), ("nothree", "dot in 1,6"),
     ("kropki", "white 1,1 and 1,2")],
)  # fmt: skip
def test_a_dot_belongs_to_the_constraint_whose_label_names_its_cells(name: str, label: str) -> None:
    model = example(name)
    dots = [shape for shape in Plan(model).shapes if shape.look in ("bead", "ball", "ring")]
    labels = [model.constraints[number].label for shape in dots for number in shape.constraints]
    assert dots and all(shape.constraints for shape in dots)
    assert label in labels


def test_a_dot_between_cells_that_acted_has_a_frame_that_does_not_cover_it() -> None:
    trace = record(example("kropki"), nodes=0)
    drawn = Plan(trace.model, trace.origins)
    count = 0
    for frame in frames(trace):
        shapes = list(picture(drawn, frame))
        framed = {shape.points[0]: i for i, shape in enumerate(shapes) if shape.look == "acted low"}
        dots = {shape.points[0]: i for i, shape in enumerate(shapes) if shape.look == "bead acting"}
        assert framed.keys() >= dots.keys() and all(framed[at] < i for at, i in dots.items())
        count += len(dots)
    assert count > 5


def test_labels_that_name_another_place_join_no_clue() -> None:
    """The trees of tents belong to the clause of trees, and to no other label with the same numbers."""
    model = example("tents")
    trees = [shape for shape in Plan(model).shapes if shape.look == "inner"]
    labels = [model.constraints[number].label for shape in trees for number in shape.constraints]
    assert len(labels) == len(trees) and all(label.startswith("tent of") for label in labels)


@pytest.mark.parametrize("name", ["hitori", "tents", "slitherlink", "heyawake", "cocktail", "abc_end_view", "nonogram"])
def test_a_joined_clue_is_beside_its_constraint_and_occurs_in_it(name: str) -> None:
    """The numbers in "5 in row 1" are no cell, and a pair of cells is no room although it has the same cells."""
    model = example(name)
    plan = Plan(model)
    joined = [(shape, model.constraints[n]) for shape in plan.shapes if is_clue(shape) for n in shape.constraints]
    for shape, constraint in (pair for pair in joined if pair[0].kind == "text"):
        places = [plan.layout.points[v] for v in constraint.scope if v in plan.visible]
        distances = [max(abs(p - q) for p, q in zip(shape.points[0], place, strict=True)) for place in places]
        assert min(distances) < 2 * CELL, constraint.label
        written = re.sub(r"\w+\([^()]*\)", "", str(constraint))
        assert not shape.text.isdigit() or shape.text in re.findall(r"\d+", written), constraint.label
    assert bool(joined) is (name != "hitori")


@pytest.mark.parametrize("name", ["killer", "zebra", "golomb"])
def test_a_marked_cell_has_an_asterisk_and_no_blue_border(name: str) -> None:
    """Check that a card has both, and that the sample of the legend has the same signs."""
    _, painter, all_frames = recorded(name)
    picture, marked = next((painter.parts(frame), frame.marked) for frame in all_frames if 0 < len(frame.marked) < 40)
    visible = [v for v in marked if v in painter.plan.visible]
    assert sum("asterisk" in shape.look for shape in picture.shapes) == len(visible)
    assert not vertices(picture, "marked")
    looks = {shape.look for shape in picture.caption}
    assert "asterisk" in looks and "body cell marked" not in looks
    _, painter, all_frames = recorded("money")
    picture, marked = next((painter.parts(frame), frame.marked) for frame in all_frames if frame.marked)
    assert vertices(picture, "marked") == set(marked)
    assert {"asterisk", "body cell marked"} <= {shape.look for shape in picture.caption}


def test_a_last_place_in_a_group_that_is_not_drawn_is_not_called_yellow() -> None:
    trace = record(example("exam_timetable"), nodes=20)
    painter = Painter(trace.model, origins=trace.origins)
    picture = painter.parts(next(frame for frame in frames(trace) if frame.last_places))
    assert "only one place left: (2, 2) in one exam a room" in picture.title
    assert "yellow" not in picture.title and not vertices(picture, "grouped")


def test_signs_of_a_cell_leave_its_clue_and_the_frame_of_the_clue_free() -> None:
    form = with_skin(cell_form((0, 1)), {1: INK["shade"]})
    frame = clue_frame(text(8, "inner", (0, 0), 30))
    for remaining, removed in (((0,), (1,)), ((1,), (0,)), ((), (0, 1)), ((0,), ())):
        signs = vertex(form, VertexState("", remaining, removed))[1:]
        boxes = [(s.points[0], s.points[1]) for s in signs if s.look in ("boxed", "blank")]
        assert boxes and not any(shared_area((p, q), (frame.points[0], frame.points[1])) for p, q in boxes)
        assert all(abs(p[i]) + q[i] / 2 <= CELL / 2 for p, q in boxes for i in (0, 1)), "inside the cell"
    [dot] = [shape for shape in vertex(form, VertexState("", (0,))) if shape.look == "blank"]
    [ring] = [shape for shape in Plan(example("kurodoko")).shapes if shape.look == "ring"][:1]
    assert hypot(*dot.points[0]) > (dot.points[1][0] + ring.points[1][0]) / 2


@pytest.mark.parametrize("name", ["nonogram", "tents", "skyscrapers"])
def test_the_frame_of_a_clue_is_clear_of_the_numbers_of_rows_and_columns(name: str) -> None:
    shapes = Plan(example(name)).shapes
    frames_of_clues = [clue_frame(shape) for shape in shapes if shape.look == "clue"]
    headers = [(s.points[0], (s.points[1][0] + 8, s.size + 8)) for s in shapes if s.look == "header"]
    assert frames_of_clues and headers
    areas = [shared_area((s.points[0], s.points[1]), header) for s in frames_of_clues for header in headers]
    assert not any(areas)


def test_captions_use_the_words_of_the_spec() -> None:
    captions_of = {}
    for name in ("nurikabe", "masyu", "tents", "heyawake"):
        trace = record(example(name), nodes=8)
        plan = Plan(trace.model, trace.origins)
        scenes = [scene(moment) for moment in replay(trace)]
        captions_of[name] = [plan.caption(moment.title, moment) for moment in scenes]
    text = "\n".join(captions_of["nurikabe"])
    assert "try land(1,1) = sea at the root" in text
    assert "land(1,5) = part of the 5 at r1c5 (gallery islands line 11): removes sea, part of the 4 at r2c3" in text
    assert not re.search(r"= \d", text)
    # A loop is named by the squares of the board, not by the indices of its family.
    masyu = "\n".join(captions_of["masyu"])
    assert "black 6,6, up (line 22): r5c6-r6c6 = a line, so a line is at r4c6-r5c6" in masyu
    assert "on(" not in masyu and "no line from" not in masyu
    assert "cannot hold: r5c4-r6c4 = r6c3-r6c4 = no line, r6c4-r6c5 = r6c4 = a line" in masyu
    assert "'" not in "\n".join(captions_of["tents"])
    assert "shaded(1,5) = shaded(1,6) = shaded" in "\n".join(captions_of["heyawake"])


def test_every_cell_of_tents_shows_a_state() -> None:
    """A cell with one possible tent shows its direction, and without it the point of an empty cell."""
    trace, painter, all_frames = recorded("tents")
    for frame in all_frames:
        shapes = painter.parts(frame).shapes
        signed = {s.of[0] for s in shapes if len(s.of) == 1 and s.look in ("possible", "blank")}
        fixed = {v for v, domain in frame.domains.items() if domain[0] != 0 and len(domain) == 1}
        assert {*trace.model.domains} - signed == fixed, frame.name
    dot = painter.dot(all_frames[0])
    assert re.search(r'"cell\(1,8\)" \[[^\n]*label=""\]', dot), "a label would be in the middle"


def test_a_step_of_a_loop_has_one_sign_in_its_middle() -> None:
    frame, picture = shown("masyu", "rules-5")
    plan = recorded("masyu")[1].plan
    steps = [v for v, _ in frame.removed if plan.layout.forms[v].kind == "step"]
    assert steps and {*steps} <= {*frame.marked}
    for v in steps:
        own = [shape for shape in picture.shapes if shape.of == (v,)]
        assert [s.points[0] for s in own if s.look == "boxed"] == [plan.layout.points[v]]
        assert not {"marked"} & {word for shape in own for word in shape.look.split()}
        assert [s.text for s in own if s.look == "asterisk"] == ["*"]


def test_the_legend_explains_possible_values_by_their_words() -> None:
    _, tents = shown("tents", "rules-1")
    legend = {shape.text for shape in tents.caption}
    assert {"found: a tent", "may be a tent left of its tree", "may be a tent below its tree"} <= legend
    assert "possible value" not in legend
    # The letters of other examples have no words.
    assert "possible value" in {shape.text for shape in shown("sudoku", "round-1")[1].caption}


@pytest.mark.parametrize(("name", "word"), [("nurikabe", "sea"), ("slitherlink", "inside"), ("heyawake", "shaded")])
def test_the_legend_names_shaded_cells_by_their_word(name: str, word: str) -> None:
    trace = record(example(name), nodes=2)
    plan = Plan(trace.model, trace.origins)
    assert [entry.words for entry in entries(plan, plan.lens) if entry.look.startswith("tint-")] == [word]


def test_a_round_of_a_ruler_counts_removals_below_names_and_covers_no_value() -> None:
    trace = record(example(GAPS), nodes=1)
    frame = next(frame for frame in frames(trace) if frame.name == "rules-1")
    shapes = Painter(trace.model, origins=trace.origins).parts(frame).shapes
    pills = [shape for shape in shapes if shape.kind == "box" and shape.look in ("sent", "times")]
    texts = [shape for shape in shapes if shape.kind == "text" and shape.of]
    assert len(pills) == 4 and not any("hit" in shape.look for shape in shapes)
    assert not any(meets(pill, shape) for pill in pills for shape in texts)


def test_a_constraint_on_the_whole_board_highlights_no_cell() -> None:
    trace = record(example("knights_tour"), nodes=0)
    number = next(n for n, constraint in enumerate(trace.model.constraints) if len(constraint.scope) == 72)
    wide = [m for m in replay(trace) if getattr(m.record, "number", None) == number]
    assert {type(moment.record).__name__ for moment in wide} >= {"Removal", "Dequeued"}
    assert not any(scene(moment).active for moment in wide)
    # The page must not take a missing list for the whole scope.
    patches = [patch for patch in film(trace)["records"] if patch.get("constraint") == number]
    assert patches and not any(patch["active"] for patch in patches)


def test_the_caption_of_a_step_counts_many_causes_and_many_removed_values() -> None:
    trace = record(example("masyu"), nodes=12)
    drawn = Plan(trace.model, trace.origins)
    frame = next(frame for frame in step_frames(trace, 97, 97))
    assert drawn.caption(frame.title, frame) == (
        "step 97 · 16 causes, which removes a line from 26 places · by one loop · marked 33"
    )
    # The causes of the picture have black borders.
    assert len(frame.causes) == 16
    trace = record(example("numbrix"), nodes=0)
    drawn = Plan(trace.model, trace.origins)
    shown_frames = list(step_frames(trace, 1, 100))
    captions = [drawn.caption(frame.title, frame) for frame in shown_frames]
    [removed] = [frame.removed for frame in shown_frames if frame.name == "step-13"]
    assert f": 36 causes, which removes {len(removed)} values from 36 variables · marked 36" in "".join(captions)
    assert max(map(len, captions)) < 300
