"""Tests of recorded visits of methods, of their bounded size, and of their pictures."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import dsl
from csp.methods import METHODS, Visits, attempt
from csp.methods.base import MAX_NODES, MAX_POINTS
from csp.picture.explained.visits import BARS, visits_picture
from csp.picture.plan import Plan

from ..commands import EXAMPLES, run
from ..conftest import ROOT

pytestmark = pytest.mark.sampled(5)

METHODS_WITHOUT_LEVELS = [name for name, method in METHODS.items() if method.levels == (None,)]


def load_latin() -> Any:
    return dsl.load(EXAMPLES / "latin.csp", {"n": 6}, {"clue": (ROOT / "docs/data/latin6.txt").read_text()})


@pytest.mark.parametrize("method", METHODS_WITHOUT_LEVELS)
def test_recording_does_not_change_the_run_of_a_method(method: str) -> None:
    model, visits = load_latin(), Visits()
    logs: list[list[str]] = [[], []]
    unrecorded = attempt(model, method, log=logs[0].append)
    recorded = attempt(model, method, log=logs[1].append, visits=visits)
    assert (unrecorded.attempts, unrecorded.solutions, unrecorded.note) == (
        recorded.attempts,
        recorded.solutions,
        recorded.note,
    )
    assert logs[0] == logs[1]
    assert len(visits.tree) <= MAX_NODES and len(visits.course) <= MAX_POINTS
    assert visits.tree or visits.course or visits.passes


@pytest.mark.parametrize("method", ["backtracking", "tracking", "cover"])
def test_the_recorded_tree_contains_the_solution(method: str) -> None:
    model, visits = dsl.load(EXAMPLES / "shidoku.csp"), Visits()
    result = attempt(model, method, visits=visits)
    assert len(visits.solutions) == result.solutions == 1
    index, assignment = visits.solutions[0], {}
    while index >= 0:
        assignment[visits.tree[index].variable] = visits.tree[index].value
        index = visits.tree[index].parent
    assert result.first is not None and assignment.items() <= dict(result.first).items()
    assert len(assignment) == (12 if method == "tracking" else 16)
    for i, node in enumerate(visits.tree):
        assert node.parent < i
    assert sum(visits.counts.values()) == len(visits.tree)


def test_the_recorded_matrix_has_an_exact_cover() -> None:
    model, visits = dsl.load(EXAMPLES / "shidoku.csp"), Visits()
    attempt(model, "cover", visits=visits)
    covered = sorted(item for option in visits.chosen for item in visits.matrix[option][2])
    assert covered == list(range(visits.items)) and len(visits.chosen) == 16
    shapes = visits_picture(Plan(model), visits)
    assert sum(shape.look == "taken" for shape in shapes) == 16
    assert sum(shape.look == "dot" for shape in shapes) == sum(len(items) for *_, items in visits.matrix)


def test_a_long_course_is_sampled_evenly() -> None:
    visits = Visits()
    for step in range(10 * MAX_POINTS):
        visits.add_cost(10 * MAX_POINTS - step, step)
    steps = [cost for _, cost in visits.course]
    assert MAX_POINTS / 2 <= len(steps) <= MAX_POINTS and steps[0] == 0
    assert len({b - a for a, b in pairwise(steps)}) == 1


def test_annealing_is_drawn_as_two_curves_and_passes_as_bars() -> None:
    model = load_latin()
    for method, look in (("annealing", "curve"), ("annealing", "heat"), ("human", "bar"), ("permutation", "bar")):
        visits = Visits()
        attempt(model, method, visits=visits)
        shapes = [shape for shape in visits_picture(Plan(model), visits) if shape.look == look]
        assert len(shapes) == (1 if method == "annealing" else min(BARS, len(visits.passes))) > 0


def test_a_page_shows_the_pictures_of_all_methods(tmp_path: Path, browser: Any) -> None:
    for folder in ("one", "two"):
        result = run("compare", EXAMPLES / "shidoku.csp", "--out", tmp_path / folder)
        assert result.exit_code == 0 and str(tmp_path / folder / "index.html") in result.stdout
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "two").iterdir())
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names)
    page = (tmp_path / "one" / "index.html").read_text()
    stems = [f"{name}-{level}" if level else name for name, method in METHODS.items() for level in method.levels]
    assert re.findall(r'<img src="([^"]+)\.svg"', page) == stems and set(names) == {
        *(f"{stem}.svg" for stem in stems),
        "index.html",
    }
    with browser.new_context() as context:
        tab = context.new_page()
        tab.goto((tmp_path / "one" / "index.html").as_uri())
        widths = tab.evaluate("[...document.images].map(({ naturalWidth }) => naturalWidth)")
        assert len(widths) == len(stems) and min(widths) > 100


def test_a_method_that_does_not_apply_has_no_picture(tmp_path: Path) -> None:
    result = run("compare", EXAMPLES / "queens.csp", "--set", "n=6", "--methods", "human,engine", "--out", tmp_path)
    assert result.exit_code == 0 and not (tmp_path / "human.svg").exists()
    assert "not for this model" in (tmp_path / "index.html").read_text()
    refused = run("compare", EXAMPLES / "sudoku.csp", "--each", "clue=-", "--out", tmp_path)
    assert refused.exit_code == 2 and "--each" in refused.stderr
