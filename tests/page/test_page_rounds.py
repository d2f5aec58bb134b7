"""The player shows last places, helpers and acting clues like the numbered pictures."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import csp
import dsl
from csp.picture.frames import frames, step_frames
from csp.picture.plan import Plan
from csp.render.page.film import film
from csp.render.page.player import player
from csp.render.painter import Painter
from csp.trace import Failure, Removal

from ..browser import opened
from ..pictures.test_render import GAPS
from .test_player import example

pytestmark = pytest.mark.sampled(5)

SUM = dsl.loads(
    "x(I) in 1..3 :- I in 1..4. x(1) != x(2). x(2) + x(3) != 4. x(1) != x(3). x(1) != x(4). x(2) != x(4). "
    "x(3) != x(4). x(1) + x(4) = x(2) + x(3)."
)
"""A spec whose sum removes values without causes, which leads to a failure."""


def test_a_round_of_the_player_highlights_the_groups_of_its_picture(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("sudoku"))
    path = tmp_path / "sudoku.html"
    path.write_text(player(trace), encoding="utf-8")
    frame = next(frame for frame in frames(trace) if frame.name == "round-2")
    groups = {v for number in frame.groups for v in trace.model.constraints[number].scope}
    removals = [entry for entry in trace.records if isinstance(entry, Removal)]
    last = max(entry.step for entry in removals if entry.step and set(entry.removed) <= set(frame.removed))
    assert frame.last_places and len(groups) == 27
    with opened(browser, path, f"#step={last}&grain=round") as page:
        lit = page.eval_on_selector_all(
            "#picture .vertex.grouped", "(all) => all.map((one) => one.ariaLabel.split(', ')[0])"
        )
        caption = page.text_content("#caption")
        entry = page.locator("#legend li", has_text="group with one place for a value")
        assert entry.locator(".vertex.grouped").count() == 1, "the swatch has the colour of the state"
    assert set(lit) == groups
    labels = [trace.model.constraints[number].label for number in frame.groups]
    assert all(f" in {label}" in caption for label in labels) and ", and for 5 more values" in caption


def test_a_round_of_a_factor_graph_shows_who_acted_in_the_same_way(browser: Any, tmp_path: Path) -> None:
    for name, step, frame_name in (("kakuro", 16, "rules-1"), ("sudoku", 77, "round-3"), ("queens", 1, "decision-1")):
        trace = csp.record(example(name), nodes=2)
        path = tmp_path / "rounds.html"
        path.write_text(player(trace), encoding="utf-8")
        frame = next(frame for frame in frames(trace) if frame.name == frame_name)
        shapes = Painter(trace.model, "factor", trace.origins).parts(frame).shapes
        counts = {
            "text.mark.on": sum("acting" in shape.look for shape in shapes),
            ".constraint.cause": sum(
                shape.look.startswith("body constraint") and "cause" in shape.look for shape in shapes
            ),
            ".constraint.grouped": sum("constraint" in shape.look and "grouped" in shape.look for shape in shapes),
            ".spine.on": sum("spine" in shape.look and " on" in shape.look for shape in shapes),
            ".wire": sum(shape.look.startswith("wire") for shape in shapes),
            ".source": sum(shape.look.startswith("source") for shape in shapes),
            ".edge.arrow": sum({"edge", "arrow"} <= {*shape.look.split()} for shape in shapes),
        }
        with opened(browser, path, f"#step={step}&grain=round&lens=factor") as page:
            page.keyboard.press("ArrowLeft")
            page.keyboard.press("ArrowRight")
            assert {sign: page.locator(f"#picture {sign}").count() for sign in counts} == counts
        assert counts[{"kakuro": "text.mark.on", "sudoku": ".spine.on", "queens": ".edge.arrow"}[name]] > 1


@pytest.mark.parametrize(
    ("name", "step", "sign"),
    [
        ("numbrix", 16, "spot-lost"),
        ("numbrix", 16, "spot-left"),
        ("numbrix", 16, "touched-cause"),
        ("shikaku", 8, "refused"),
        (GAPS, 20, "spot-lost"),
        ("slitherlink", 30, "acted"),
        ("shikaku", 8, "acted"),
    ],
)
def test_a_step_of_the_player_has_the_frames_of_its_picture(
    browser: Any, tmp_path: Path, name: str, step: int, sign: str
) -> None:
    trace = csp.record(example(name), nodes=0)
    path = tmp_path / "steps.html"
    path.write_text(player(trace), encoding="utf-8")
    frame = next(step_frames(trace, step, step))
    picture = Painter(trace.model, origins=trace.origins).parts(frame)
    expected = sum(shape.look.split()[0] == sign and shape.kind == "box" for shape in picture.shapes)
    with opened(browser, path, f"#step={step}") as page:
        assert page.locator(f"#picture rect.{sign}").count() == expected > 0
        # The frame of a clue is filled and below the clue, which has no halo.
        fills = page.eval_on_selector_all(f"#picture rect.{sign}", "(all) => all.map((r) => getComputedStyle(r).fill)")
        assert {fill != "none" for fill in fills} == {sign in ("acted", "spot-lost", "spot-left")}
        halos = page.eval_on_selector_all(
            "#picture .framed ~ .marks text.on", "(all) => all.map((t) => getComputedStyle(t).stroke)"
        )
        assert halos == ["none"] * (expected if name == "slitherlink" else 0)


def test_the_player_lights_the_circles_of_a_round_below_them(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("masyu"), nodes=0)
    path = tmp_path / "masyu.html"
    path.write_text(player(trace), encoding="utf-8")
    frame = next(frame for frame in frames(trace) if frame.name == "rules-1")
    shapes = Painter(trace.model, origins=trace.origins).parts(frame).shapes
    expected = [shape.points[0] for shape in shapes if shape.look == "acted low"]
    read = "(all) => all.map((c) => [c.cx.baseVal.value, c.cy.baseVal.value])"
    with opened(browser, path, "#step=32&grain=round") as page:
        assert [tuple(at) for at in page.eval_on_selector_all("#picture circle.acted", read)] == expected != []
        assert (
            page.evaluate("document.querySelector('.ring').compareDocumentPosition(document.querySelector('.acted'))")
            == 2
        )
        assert "active constraint" not in page.inner_text("#legend")


def test_the_player_tints_an_area_instead_of_striking_its_values(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("masyu"), nodes=100)
    path = tmp_path / "masyu.html"
    path.write_text(player(trace), encoding="utf-8")
    [step] = {patch["step"] for patch in film(trace)["records"] if "swept" in patch}
    with opened(browser, path, f"#step={step}") as page:
        signs = ".vertex.swept", ".boxed", "path.hit:not(.tie)"
        assert [page.locator(f"#picture {sign}").count() for sign in signs] == [26, 0, 2]
        assert "this whole area lost a value" in page.inner_text("#legend")


def test_the_sum_of_a_run_does_not_act_for_its_all_different(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("kakuro"))
    path = tmp_path / "kakuro.html"
    path.write_text(player(trace), encoding="utf-8")
    read_texts = "(all) => all.map((text) => text.textContent)"
    with opened(browser, path, "#step=24&lens=factor") as page:
        assert page.locator("#picture .wire").count() > 0
        assert {*page.eval_on_selector_all("#picture text.on", read_texts)} == {"≠"}
        assert page.locator("#picture rect.acted + text.differ").count() == page.locator("#picture rect.acted").count()
    with opened(browser, path, "#step=22") as page:
        assert page.eval_on_selector_all("#picture text.on", read_texts) == ["7"]


SPOTS = """[...document.querySelectorAll("#picture .signs text[class*=spot-]")].map((text) => text.textContent)"""


@pytest.mark.parametrize(
    ("name", "frame_name"),
    [("numbrix", "rules-4"), ("numbrix", "round-10"), ("knights_tour", "rules-3"), (GAPS, "rules-1")],
)
def test_a_round_of_the_player_has_the_signs_of_helpers(
    browser: Any, tmp_path: Path, name: str, frame_name: str
) -> None:
    trace = csp.record(example(name), nodes=4)
    path = tmp_path / "rounds.html"
    path.write_text(player(trace), encoding="utf-8")
    frame = next(frame for frame in frames(trace) if frame.name == frame_name)
    picture = Painter(trace.model, origins=trace.origins).parts(frame)
    expected = [s.text for s in picture.shapes if s.kind == "text" and s.look.startswith("spot")]
    steps = [r.step for r in trace.records if isinstance(r, Removal) and {*r.removed} <= {*frame.removed}]
    with opened(browser, path, f"#step={max(filter(None, steps))}&grain=round") as page:
        assert sorted(page.evaluate(SPOTS)) == sorted(expected) != []
        causes = {shape.of for shape in picture.shapes if {"body", "cause"} <= {*shape.look.split()}}
        assert page.locator("#picture .vertex:not(.folded).cause").count() == len(causes) > 0


def test_a_round_of_the_player_names_variables_without_a_sign(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "slitherlink.html"
    path.write_text(player(csp.record(example("slitherlink"), nodes=0)), encoding="utf-8")
    with opened(browser, path, "#step=24&grain=round") as page:
        caption = page.text_content("#caption")
        count = re.search(r"no value removed in the picture.*not drawn: (\d+) values of inside", caption)
        assert count and int(count[1]) == page.evaluate(GONE)


@pytest.mark.parametrize("name", ["graeco_latin", "exam_timetable"])
def test_a_round_of_the_player_counts_all_removed_values(browser: Any, tmp_path: Path, name: str) -> None:
    path = tmp_path / "pairs.html"
    path.write_text(player(csp.record(example(name), nodes=4)), encoding="utf-8")
    with opened(browser, path, "#grain=round") as page:
        rounds = page.evaluate(REMOVED)
        assert "of them helpers" in page.evaluate(CAPTIONS)[0]
        losses = page.evaluate(LOSSES)
    for removed, text in rounds:
        # A picture without news is skipped; the others count all values. One step lists them.
        drawn, pairs = (re.search(pattern, text) for pattern in (r"removed (\d+) values?", r"and (\d+) pairs? that"))
        assert text.startswith("step") or removed == sum(int(match[1]) for match in (drawn, pairs) if match), text
    is_mixed = any(" pairs that follow from the picture (not drawn)" in text for _, text in rounds)
    assert is_mixed == (name == "graeco_latin"), "a round is apart from the propagators after it"
    assert not any(losses), "pairs that are not drawn do not count as many removals"


def test_the_player_shows_a_round_apart_from_the_propagators_after_it(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("thermo_sudoku"), nodes=4)
    path = tmp_path / "thermo.html"
    path.write_text(player(trace), encoding="utf-8")
    passes = [len(frame.removed) for frame in frames(trace) if frame.summary]
    with opened(browser, path, "#grain=round") as page:
        shown = page.evaluate(SHOWN)
    assert [count for count in shown if count] == passes and max(passes) < 40


LOSSES = """[...player.film.stops.round].map((position) => {
  player.seek(position);
  return document.querySelectorAll("#picture rect.loss").length;
})"""
SHOWN = """[...player.film.stops.round].map((position) => {
  player.seek(position);
  return player.film.getScene().gone.size;
})"""
GONE = "player.film.getVisibleRecords().flatMap(({ gone }) => gone || []).length"
REMOVED = """[...player.film.stops.round].flatMap((position) => {
  player.seek(position);
  const { film, picture: { scene } } = player, isDrawn = (code) => film.isDrawn(Math.floor(code / film.width));
  const gone = film.getVisibleRecords().flatMap(({ gone }) => gone || []);
  const removed = new Set([...gone, ...[...scene.gone].filter(isDrawn)]).size;
  return removed && position > 20 ? [[removed, document.getElementById("caption").textContent]] : [];
})"""


def test_a_round_of_the_player_names_its_decision(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "decisions.html"
    path.write_text(player(csp.record(example("golomb"), nodes=4)), encoding="utf-8")
    with opened(browser, path, "#grain=round") as page:
        captions = page.evaluate(CAPTIONS)
    decided = [caption for caption in captions if "try mark(2) = 1" in caption]
    assert decided and all("removed" in caption for caption in decided)


CAPTIONS = """[...player.film.stops.round].map((position) => {
  player.seek(position);
  return document.getElementById("caption").textContent;
})"""


@pytest.mark.parametrize("name", ["sudoku", "thermo_sudoku", "jigsaw", "zebra"])
def test_the_last_places_of_a_round_are_those_of_its_picture(browser: Any, tmp_path: Path, name: str) -> None:
    trace = csp.record(example(name))
    path = tmp_path / "rounds.html"
    path.write_text(player(trace), encoding="utf-8")
    plan = Plan(trace.model, trace.origins)
    expected = {
        frame.name.replace("-", " "): find_last_places(plan.caption(frame.title, frame))
        for frame in frames(trace)
        if frame.name.startswith("round")
    }
    with opened(browser, path, "#grain=round") as page:
        captions = page.evaluate(CAPTIONS)
    rounds = [caption for caption in captions if caption.startswith("round")]
    assert {caption.split(" · ")[0].partition(" and ")[0]: find_last_places(caption) for caption in rounds} == expected
    assert sum(map(bool, expected.values())) > 1 and not any("no change" in caption for caption in captions)
    assert not any(" 1 values" in caption for caption in captions)


def test_the_player_and_the_pictures_give_a_pass_the_same_name(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("zebra"))
    path = tmp_path / "passes.html"
    path.write_text(player(trace), encoding="utf-8")
    expected = [frame.name.replace("-", " ") for frame in frames(trace) if re.match("round|rules", frame.name)]
    assert {"round 1", "rules 2"} <= {*expected}
    with opened(browser, path, "#grain=round") as page:
        captions = page.evaluate(CAPTIONS)
    names = [name for caption in captions for name in caption.split(" · ")[0].split(" and ")]
    assert [name for name in names if re.fullmatch(r"(round|rules) \d+", name)] == expected


def test_a_last_place_in_a_group_without_a_label_names_the_variable(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(csp.Model({"A": (1, 2), "B": (1, 2), "C": (1, 2, 3)}, [csp.AllDifferent.of("ABC")]))
    path = tmp_path / "group.html"
    path.write_text(player(trace), encoding="utf-8")
    picture = next(frame.title for frame in frames(trace) if frame.name == "round-1")
    with opened(browser, path, "#grain=round") as page:
        captions = page.evaluate(CAPTIONS)
    assert find_last_places(picture) == "only one place left: 3 fits only C among A, B, C"
    assert find_last_places(picture) in map(find_last_places, captions)


def find_last_places(caption: str) -> str:
    """Return the part of a caption about values with one place left; empty without it."""
    return next((part for part in caption.split(" · ") if "only one place left" in part), "")


LIT = """["failed", "cause"].map((state) => (
  [...document.querySelectorAll(`#picture .vertex.${state}`)].map(({ ariaLabel }) => ariaLabel.split(", ")[0])))"""
FLAGS = """[...document.querySelectorAll("#picture rect.badge")].map((flag) => {
  const { x, y, width, height } = flag.getBBox(), view = document.querySelector("#picture").viewBox.baseVal;
  return view.x <= x && view.y <= y && x + width <= view.x + view.width && y + height <= view.y + view.height;
})"""


@pytest.mark.parametrize("name", ["numbrix", "knights_tour", "graeco_latin", "masyu"])
def test_a_failure_of_the_player_lights_the_variables_of_its_picture(browser: Any, tmp_path: Path, name: str) -> None:
    trace = csp.record(example(name), nodes=9)
    path = tmp_path / "failure.html"
    path.write_text(player(trace), encoding="utf-8")
    plan = Plan(trace.model, trace.origins)
    picture = plan.with_visible_failure(next(frame for frame in frames(trace) if frame.failure is not None))
    assert 0 < len(picture.failed) <= len(plan.visible) / 2
    position = 1 + next(i for i, record in enumerate(trace.records) if isinstance(record, Failure))
    with opened(browser, path, f"#event={position}") as page:
        failed, causes = page.evaluate(LIT)
        assert {*failed} == {*picture.failed} and {*causes} & plan.visible == {*picture.causes} & plan.visible
        assert page.evaluate(FLAGS) == [True], "the flag is cut"


def test_a_round_of_the_player_writes_a_code_of_a_pair_as_the_pair(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("exam_timetable"), nodes=20)
    path = tmp_path / "exams.html"
    path.write_text(player(trace), encoding="utf-8")
    removals = [entry for entry in trace.records if isinstance(entry, Removal)]
    step = next(entry.step for entry in removals if entry.kind == "placed" and "+" in entry.cause[0][0])
    with opened(browser, path, f"#step={step}&grain=round") as page:
        caption = page.text_content("#caption")
    assert "only one place left: (2, 2) in one exam a room" in caption and "yellow" not in caption


def test_a_failure_of_the_player_strikes_the_part_of_a_pair_that_each_cell_lacks(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("graeco_latin"), nodes=2)
    path = tmp_path / "pairs.html"
    path.write_text(player(trace), encoding="utf-8")
    position = 1 + next(i for i, record in enumerate(trace.records) if isinstance(record, Failure))
    with opened(browser, path, f"#event={position}") as page:
        struck = page.eval_on_selector_all(
            "#picture .vertex.failed text.gone", "(all) => all.map((e) => e.textContent)"
        )
        assert struck == ["3"] * 12 and page.locator("#picture .taker").count() == 0


def test_a_marked_edge_that_is_a_cause_has_a_black_frame(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "masyu.html"
    path.write_text(player(csp.record(example("masyu"))), encoding="utf-8")
    with opened(browser, path, "#step=66") as page:
        read_strokes = "(all) => all.map((one) => getComputedStyle(one).stroke)"
        strokes = page.eval_on_selector_all("#picture .vertex.step.cause > .body", read_strokes)
        marked = page.eval_on_selector_all("#picture .vertex.step.marked.cause > .body", read_strokes)
    assert marked and len({*strokes, *marked}) == 1 and strokes[0] != "none"


def test_no_arrow_leaves_the_picture_and_givens_count_what_is_drawn(browser: Any, tmp_path: Path) -> None:
    trace = csp.record(example("sudoku"))
    path = tmp_path / "round.html"
    path.write_text(player(trace), encoding="utf-8")
    with opened(browser, path, "#step=76&grain=round") as page:
        inside = """(all) => all.map((one) => {
            const { x, y, width, height } = one.getBBox(), box = one.ownerSVGElement.viewBox.baseVal;
            return x >= box.x + 1 && y >= box.y + 1 && x + width < box.x + box.width && y + height < box.y + box.height;
        })"""
        arrows = page.eval_on_selector_all("#picture path.hit", inside)
        assert len(arrows) > 20 and all(arrows)
    for name, caption in (("slitherlink", "no value removed in the picture"), ("masyu", "6 values removed from 6")):
        path.write_text(player(csp.record(example(name))), encoding="utf-8")
        with opened(browser, path, "#step=1&grain=round") as page:
            page.keyboard.press("ArrowRight")
            assert page.inner_text("#caption").startswith(f"the givens · {caption}")


@pytest.mark.parametrize(("name", "boxes"), [("creek", ["boxed taker0", "boxed taker1"]), ("masyu", [])])
def test_the_boxes_of_removed_values_are_those_of_their_lines_in_the_caption(
    browser: Any, tmp_path: Path, name: str, boxes: list[str]
) -> None:
    """Check a step in which one constraint has two causes: each has a line, and a kind of box without areas."""
    trace = csp.record(example(name), nodes=12)
    path = tmp_path / "causes.html"
    path.write_text(player(trace), encoding="utf-8")
    removals = [record for record in trace.records if isinstance(record, Removal) and record.kind == "filtered"]
    steps = Counter((removal.step, removal.number) for removal in removals)
    step = next(step for (step, _), count in steps.items() if count == 2)
    with opened(browser, path, f"#step={step}") as page:
        read = "(all) => [...new Set(all.map((one) => one.getAttribute('class')))].sort()"
        lines = page.eval_on_selector_all("#caption .part rect", read)
        assert lines == page.eval_on_selector_all("#picture .vertex .boxed", read) == boxes
        assert page.locator("#caption .part").count() == 2


@pytest.mark.parametrize("source", [example("queens"), SUM])
def test_a_failure_highlights_the_edges_and_nodes_of_its_picture(
    browser: Any, tmp_path: Path, source: csp.Model
) -> None:
    trace = csp.record(source, nodes=20)
    path = tmp_path / "failure.html"
    path.write_text(player(trace), encoding="utf-8")
    failed = next(frame for frame in frames(trace) if frame.failure is not None)
    position = 1 + next(i for i, entry in enumerate(trace.records) if isinstance(entry, Failure))
    for lens in ("clique", "factor"):
        shapes = Painter(trace.model, lens, trace.origins).parts(failed).shapes
        looks = [{*shape.look.split()} for shape in shapes]
        counts = {".edge.on": sum("lit" in look for look in looks)}
        counts[".constraint.on"] = sum({"body", "constraint", "active"} <= look for look in looks)
        assert sum(counts.values()) > 0
        with opened(browser, path, f"#event={position}&lens={lens}") as page:
            assert {place: page.locator(f"#picture {place}").count() for place in counts} == counts


@pytest.mark.parametrize(("name", "step", "boxes"), [("queens", 3, 4), ("suguru", 12, 0)])
def test_a_decision_has_a_box_of_its_own_and_more_than_four_kinds_have_none(
    browser: Any, tmp_path: Path, name: str, step: int, boxes: int
) -> None:
    path = tmp_path / "decision.html"
    path.write_text(player(csp.record(example(name), nodes=4)), encoding="utf-8")
    with opened(browser, path, f"#step={step}") as page:
        parts = page.locator("#caption .part")
        assert "decision:" in parts.first.inner_text() and bool(boxes) == (parts.count() <= 4)
        kinds = page.eval_on_selector_all("#caption .part rect", "(all) => all.map((one) => one.getAttribute('class'))")
        assert kinds == [f"boxed taker{kind}" for kind in range(boxes)]
        struck = "(all) => [...new Set(all.map((one) => one.getAttribute('class')))].sort()"
        assert page.eval_on_selector_all("#picture .vertex .boxed", struck) == (kinds or ["boxed"])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("sudoku", "row ×9, column ×9, box ×9"),
        ("masyu", "white 1,4, white 3,6"),
        ("knights_tour", "step ×36"),
        ("suguru", "region ×3, different ×10"),
    ],
)
def test_the_caption_of_a_pass_names_who_acted_as_its_picture_does(
    browser: Any, tmp_path: Path, name: str, text: str
) -> None:
    trace = csp.record(example(name), nodes=0)
    path = tmp_path / "acted.html"
    path.write_text(player(trace), encoding="utf-8")
    plan = Plan(trace.model, trace.origins)
    titles = [plan.caption(frame.title, frame) for frame in frames(trace) if frame.summary]
    with opened(browser, path, "#grain=round") as page:
        captions = page.evaluate(CAPTIONS)
    assert any(f"{text} removed " in title for title in titles)
    for title in (title for title in titles if "nothing new" not in title):
        start, _, rest = title.partition(" · ")
        who = rest.partition("removed ")[0]
        ours = next(caption for caption in captions if caption.startswith((f"{start} · ", "the " + start)))
        assert start == "givens" or f" · {who}removed " in ours


def test_a_constraint_that_removes_values_without_a_cause_does_so_alone(browser: Any, tmp_path: Path) -> None:
    path = tmp_path / "sums.html"
    path.write_text(player(csp.record(example("kakuro"), nodes=0)), encoding="utf-8")
    with opened(browser, path, "#step=7") as page:
        cause, alone, other = page.inner_text("#caption").splitlines()
    place = "sum below 4,2 (line 36) with below 4,2 (line 33)"
    assert cause == "step 7 · cell(6,2) has only 4, 5 · marked 11"
    assert alone.startswith(f"{place} alone: ") and other == f"{place}: 4, 5, 6, 7 from cell(5,2)"
