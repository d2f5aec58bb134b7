"""Nothing that a picture shows is untrue: borders, clues, colours, counts, edges and causes."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import islice, pairwise

import pytest

import csp
import dsl
from csp import AllDifferent, Model, Variable, record, replay
from csp.board.clue_texts import total_text
from csp.board.colours import NAMED
from csp.board.grid import find_grids, grid_gaps
from csp.board.puzzle import PrintedGrid, find_puzzle
from csp.board.signs import unstated_constraints
from csp.picture import tree
from csp.picture.edges.edges import states_difference
from csp.picture.frames import frames, step_frames
from csp.picture.scene import Scene, merge_moments, scene
from csp.render.dot.tree import tree_dot
from csp.render.page.film import film
from csp.render.painter import Painter
from csp.render.solved import solution_svg
from csp.render.text.terminal import Reel
from csp.trace import Failure, Removal

from .conftest import Limits
from .test_player import HARD
from .test_render import EDGE, example


def puzzle(name: str) -> PrintedGrid:
    """What is printed on the first grid of an example."""
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
        assert len({b - a for a, b in pairwise(line)}) == 1, "all gaps are alike"
    lines = Reel(trace).screen(0, 80).plain.splitlines()
    assert all(lines[-2 - len(line) - 1 : -3]), "no line between the rows"


def test_regions_of_a_model_without_lines_are_those_that_were_asked() -> None:
    model = example("suguru")
    without = record(Model(model.domains, [replace(one, line=0) for one in model.constraints]))
    assert film(without)["marks"] == film(record(model))["marks"] != []


def test_windows_take_no_box_away() -> None:
    model = example("windoku")
    assert grid_gaps(model, model.domains) == ({2, 5}, {2, 5})


@pytest.mark.parametrize(
    ("name", "greys"),
    [("sudoku", []), ("windoku", ["group of grey cells"]), ("sudoku_x", ["group of grey cells"]),
     ("evenodd", ["even", "odd"])],
)  # fmt: skip
def test_the_legend_says_what_is_grey(name: str, greys: list[str]) -> None:
    model = example(name)
    text = Painter(model).dot(Scene(title=name, domains=model.domains))
    assert re.findall(">(group of grey cells|even|odd)<", text) == greys


# Clues.


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("x - y = 2 ; y - x = 2", "2−"), ("x = y + 2 ; y = x + 2", "2−"), ("x = 2*y ; y = 2*x", "2÷"),
        ("abs(x - y) = 4", "4−"), ("max(x, y) - min(x, y) = 3", "3−"), ("2*max(x, y, z) = x + y + z + 1", "1−"),
        ("max(x, y) = 3*min(x, y)", "3÷"), ("max(x, y, z) = 3*min(x, y, z)", ""), ("x*y*z = 8", "8×"),
        ("9 >= x + y", "≤ 9"), ("x = y + 2 ; y = x + 3", ""), ("x = 2*y ; y = 3*x", ""), ("2*x + y = 7", ""),
        ("x + y = 6 ; x*y = 6 ; max(x, y) = 6*min(x, y)", "6?"), ("x + y = 6 ; x*y = 5", ""),
    ],
)  # fmt: skip
def test_clues(text: str, asked: str) -> None:
    assert total_text(dsl.loads(f"x, y, z in 1..6. {text}.").constraints[0]) == asked


def test_totals_stand_beside_their_lines() -> None:
    found = puzzle("tents")
    rows = {one.cells[0] for one in found.clues if one.cells[1].indices[0] == one.cells[0].indices[0]}
    assert rows == {Variable("cell", r, 1) for r in range(1, 9)} and len(found.clues) == 16
    assert not found.cages and not found.corners, "what lies on each other is not drawn"
    assert "61 constraints show only when active" in Painter(example("tents")).dot(
        next(frames(record(example("tents"))))
    )


def test_skyscrapers_name_places_as_the_grid_does() -> None:
    model = example("skyscrapers")
    for constraint in model.constraints:
        if found := re.fullmatch(r"(\d) seen from (\d),(\d)", constraint.label or ""):
            _, row, column = map(int, found.groups())
            axis = 1 if row in (0, 7) else 0
            assert {v.indices[axis] for v in constraint.scope} == {column if axis else row}


# Colours and counts.


def test_a_map_has_the_colours_of_its_names() -> None:
    model = example("australia")
    solution = csp.solve(model) or csp.Solution({})
    picture = solution_svg(model, solution)
    drawn = re.findall(r'<g fill="(#\w+)">((?:<rect[^>]*>)+)</g>', picture)
    painted = Counter([colour for colour, rects in drawn for _ in range(rects.count("<rect"))])
    assert painted == Counter(NAMED[str(value)] for value in solution.values())
    red, green, blue = (tuple(int(NAMED[name][i : i + 2], 16) for i in (1, 3, 5)) for name in ("red", "green", "blue"))
    assert red[0] == max(red) and green[1] == max(green) and blue[2] == max(blue)


def test_a_collapsed_subtree_has_one_count(limits: Limits) -> None:
    limits("csp.picture.tree", SHOWN=1)
    trace = record(example("sudoku", grids={"clue": HARD}), nodes=200)
    data = film(trace)
    small = [node for node in data["trees"][1]["nodes"] if node.get("kind") == "collapsed"]
    counts = [re.search(r"· (\d+) failure", node["text"])[1] for node in small]  # type: ignore[index]
    assert counts and counts == [node["marks"][0][4] for node in small]
    marks = tree.tree_picture(trace)[1]
    nodes = {mark.of for mark in marks if mark.look == "shape collapsed"}
    assert [mark.text for mark in marks if mark.look == "tally" and mark.of in nodes][: len(counts)] == counts
    assert data["shapes"]["collapsed"][0] == "subtree without a solution, and its failures"
    assert data["shapes"]["collapsed"][0] in tree_dot(trace)


def test_implied_constraints_are_told_apart() -> None:
    trace = record(example("australia"), "singles", nodes=3)
    assert next(frames(trace)).title == "the network · 7 variables · 9 constraints, 4 implied"
    assert next(frames(record(example("sudoku")))).title.endswith(" · 57 constraints")
    placed = [caption for caption in trace.captions() if "all_different" in caption]
    assert placed and all("]) from " in caption and " and " in caption and "(line 10)" in caption for caption in placed)


# Edges and causes.


def test_only_what_must_differ_is_not_equal() -> None:
    marks = example("golomb")
    text = Painter(marks).dot(next(frames(record(marks))))
    assert ">not equal<" not in text and all("dashed" in way for _, _, way in EDGE.findall(text))
    text = Painter(marks, "clique").dot(next(frames(record(marks))))
    assert ">not equal<" not in text
    queens = Painter(example("queens"), "clique").dot(next(frames(record(example("queens")))))
    assert all("dashed" not in way for _, _, way in EDGE.findall(queens))
    x, y = map(csp.Affine.variable, "xy")
    assert states_difference(csp.Linear(x, "!=", y)) and not states_difference(csp.Linear(x, "!=", y + 1))
    assert states_difference(AllDifferent((x, y, y + x)), ["x", "y"]) and not states_difference(
        AllDifferent((x, y, y + x))
    )


def test_the_cell_that_changes_is_no_cause() -> None:
    trace = record(example("sudoku", grids={"clue": HARD}), nodes=None)
    placed = [
        moment for moment in replay(trace) if isinstance(moment.record, Removal) and moment.record.kind == "placed"
    ]
    assert placed
    for moment in placed:
        one = moment.record
        assert isinstance(one, Removal) and one.constraint is not None
        [(cell, value)] = one.cause
        causes = scene(moment).causes
        assert set(causes) == set(one.constraint.scope) - {cell}
        assert all(value not in moment.domains[v] for v in causes), "the premises: they have lost the value"
    for frame in islice((f for f in step_frames(trace, 0, 10**6) if f.name.startswith("step-")), 300):
        step = int(frame.name[5:])
        told = [one for one in trace.records if isinstance(one, Removal) and one.step == step]
        own = {v for one in told if one.kind in ("placed", "decided") for v, _ in one.cause}
        others = {v for one in told if one.kind not in ("placed", "decided") for v, _ in one.cause}
        constraints = [one.constraint for one in told if one.kind == "placed" and one.constraint is not None]
        others |= {v for constraint in constraints for v in constraint.scope} - own
        assert own - others == own - set(frame.causes), "a cause is one of what goes from others"
        assert (" fits only " in frame.title) == any(
            one.kind == "placed" for one in trace.records if isinstance(one, Removal) and one.step == step
        )
    decided = next(m for m in replay(trace) if isinstance(m.record, Removal) and m.record.kind == "decided")
    assert scene(decided).causes == () and scene(decided).active == merge_moments([decided]).active != ()


def test_the_legend_lists_the_signs_that_are_in_the_picture() -> None:
    """Those of a failure, too, and no others; what a spec gives is told from what was found."""
    said = {
        "marked: its domain has changed": "asterisk", "removed now": "boxed", "active group, or decision": "active",
        "cause": "cause", "found": "found", "failure": "badge", "taken by a row": "↔", "taken by a column": "↕",
        "taken by a group": "▦", "taken by a diagonal": "⤡", "taken by one cell": "•", "taken by a decision": "○",
    }  # fmt: skip
    told: set[str] = set()
    for name in ("shidoku", "queens", "kenken", "zebra", "shikaku"):
        painter = Painter(example(name))
        every = list(replay(record(example(name), nodes=10)))
        for moment in [*every[::7], *(one for one in every if isinstance(one.record, Failure))]:
            drawn, _, caption = painter.parts(scene(moment))
            looks = {word for mark in drawn if "folded" not in mark.look for word in mark.look.split()}
            signs = looks | {mark.text for mark in drawn if mark.look == "took"}
            words = {mark.text for mark in caption}
            told |= words
            assert {one for one in said if one in words} == {one for one, sign in said.items() if sign in signs}
            plain = any("fixed" in mark.look.split() and mark.look in ("fixed", "fixed on") for mark in drawn)
            assert ("given" in words) == plain
    assert {one for one in ("given", *said) if not one.startswith("taken by")} <= told
    assert "taken by a decision" in told
