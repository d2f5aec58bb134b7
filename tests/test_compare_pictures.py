"""What methods visit: recorded at bounded size, without a change of what they do, and drawn as it was."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import dsl
from csp.methods import METHODS, Visits, attempt
from csp.methods.visits import MAX_NODES, MAX_POINTS
from csp.picture.explained.visits import BARS, visits_picture
from csp.picture.plan import Plan

from .commands import EXAMPLES, run
from .conftest import ROOT

OTHERS = [name for name, method in METHODS.items() if method.levels == (None,)]


def latin() -> Any:
    return dsl.load(EXAMPLES / "latin.csp", {"n": 6}, {"clue": (ROOT / "docs/data/latin6.txt").read_text()})


@pytest.mark.parametrize("method", OTHERS)
def test_a_method_does_the_same_when_it_is_watched(method: str) -> None:
    model, visits = latin(), Visits()
    logs: list[list[str]] = [[], []]
    plain = attempt(model, method, log=logs[0].append)
    watched = attempt(model, method, log=logs[1].append, visits=visits)
    assert (plain.attempts, plain.solutions, plain.note) == (watched.attempts, watched.solutions, watched.note)
    assert logs[0] == logs[1]
    assert len(visits.tree) <= MAX_NODES and len(visits.course) <= MAX_POINTS
    assert visits.tree or visits.course or visits.passes


@pytest.mark.parametrize("method", ["backtracking", "tracking", "cover"])
def test_the_tree_is_the_one_that_was_walked(method: str) -> None:
    model, visits = dsl.load(EXAMPLES / "shidoku.csp"), Visits()
    result = attempt(model, method, visits=visits)
    assert len(visits.solutions) == result.solutions == 1
    at, found = visits.solutions[0], {}
    while at >= 0:
        found[visits.tree[at].variable] = visits.tree[at].value
        at = visits.tree[at].parent
    assert result.first is not None and found.items() <= dict(result.first).items()
    assert len(found) == (12 if method == "tracking" else 16)
    for i, one in enumerate(visits.tree):
        assert one.parent < i
    assert sum(visits.counts.values()) == len(visits.tree)


def test_the_matrix_has_the_options_and_a_cover() -> None:
    model, visits = dsl.load(EXAMPLES / "shidoku.csp"), Visits()
    attempt(model, "cover", visits=visits)
    covered = sorted(item for option in visits.chosen for item in visits.matrix[option][2])
    assert covered == list(range(visits.items)) and len(visits.chosen) == 16
    marks = visits_picture(Plan(model), visits)
    assert sum(mark.look == "taken" for mark in marks) == 16
    assert sum(mark.look == "dot" for mark in marks) == sum(len(items) for *_, items in visits.matrix)


def test_a_long_course_keeps_its_shape() -> None:
    visits = Visits()
    for step in range(10 * MAX_POINTS):
        visits.add_cost(10 * MAX_POINTS - step, step)
    steps = [cost for _, cost in visits.course]
    assert MAX_POINTS / 2 <= len(steps) <= MAX_POINTS and steps[0] == 0
    assert len({b - a for a, b in pairwise(steps)}) == 1


def test_annealing_is_drawn_as_two_curves_and_passes_as_bars() -> None:
    model = latin()
    for method, look in (("annealing", "curve"), ("annealing", "heat"), ("human", "bar"), ("permutation", "bar")):
        visits = Visits()
        attempt(model, method, visits=visits)
        drawn = [mark for mark in visits_picture(Plan(model), visits) if mark.look == look]
        assert len(drawn) == (1 if method == "annealing" else min(BARS, len(visits.passes))) > 0


def test_one_page_has_them_all(tmp_path: Path, browser: Any) -> None:
    for folder in ("one", "two"):
        result = run("compare", EXAMPLES / "shidoku.csp", "--out", tmp_path / folder)
        assert result.exit_code == 0 and str(tmp_path / folder / "index.html") in result.stdout
    names = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert names == sorted(path.name for path in (tmp_path / "two").iterdir())
    assert all((tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes() for name in names)
    page = (tmp_path / "one" / "index.html").read_text()
    ways = [f"{name}-{level}" if level else name for name, method in METHODS.items() for level in method.levels]
    assert re.findall(r'<img src="([^"]+)\.svg"', page) == ways and set(names) == {
        *(f"{w}.svg" for w in ways),
        "index.html",
    }
    with browser.new_context() as context:
        shown = context.new_page()
        shown.goto((tmp_path / "one" / "index.html").as_uri())
        widths = shown.evaluate("[...document.images].map(({ naturalWidth }) => naturalWidth)")
        assert len(widths) == len(ways) and min(widths) > 100


def test_what_cannot_be_treated_is_told_and_not_drawn(tmp_path: Path) -> None:
    result = run("compare", EXAMPLES / "queens.csp", "--set", "n=6", "--methods", "human,engine", "--out", tmp_path)
    assert result.exit_code == 0 and not (tmp_path / "human.svg").exists()
    assert "not for this model" in (tmp_path / "index.html").read_text()
    refused = run("compare", EXAMPLES / "sudoku.csp", "--each", "clue=-", "--out", tmp_path)
    assert refused.exit_code == 2 and "--each" in refused.stderr
