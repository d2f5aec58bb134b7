"""Tests of every example: its golden answer, and its model after writing and reading."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import csp
import dsl
from csp.board.grid import is_indexed, is_square, loops_of
from dsl.cli import main

from ..conftest import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))
PAIR = re.compile(r"(?<![\w,-])(-?\d+),(-?\d+)(?!\w)")
"""Two numbers in a label that are a place."""
BESIDE = re.compile(r"first from|highest from|little killer|numbered room|sandwich|seen from|X-sum")
"""The labels of clues beside the board, whose places are in row or column 0, or in the next after the last."""
EXAMS = re.compile(r"clash")
"""The labels with pairs that are no places."""


@pytest.mark.sampled(5)
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_has_its_golden_answer(path: Path, golden: Callable[[str, str], None]) -> None:
    result = CliRunner().invoke(main, ["solve", str(path)])
    assert result.exit_code == 0 and result.stderr == ""
    golden(f"{path.stem}.answer", result.stdout)


@pytest.mark.sampled
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_written_model_and_the_residual_have_the_same_solutions(path: Path) -> None:
    model = dsl.load(path)
    text = dsl.dumps(model)
    reread_model = dsl.loads(text)
    assert (
        reread_model == model
        and hash(reread_model) == hash(model)
        and reread_model.drawn == model.drawn
        and dsl.dumps(reread_model) == text
    )
    assert pickle.loads(pickle.dumps(model)) == model
    solver = csp.Solver(model)
    solution = solver.solve()
    assert solution is not None and model.check(solution)
    domains = csp.propagate(model).domains
    residual_model = dsl.loads(dsl.residual(model, domains))
    assert csp.propagate(residual_model).domains == domains
    assert csp.Solver(residual_model).count(limit=3) == solver.count(limit=3)


def find_size(model: csp.Model, text: str) -> tuple[int, int]:
    """Return the numbers of rows and columns of an example's board; from its params if no cell has two indices."""
    loops = loops_of(model)
    places = [v.indices for v in model.domains if is_indexed(v) and v.family not in loops]
    places += [
        (int(v.indices[0]) // 2, int(v.indices[1]) // 2) for v in model.domains if v.family in loops and is_square(v)
    ]
    if places:
        return max(int(row) for row, _ in places), max(int(column) for _, column in places)
    params = dict(re.findall(r"^param (\w+) = (\d+)", text, re.MULTILINE))
    return int(params.get("rows", 0)), int(params.get("cols", 0))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_places_in_labels_are_on_the_board(path: Path) -> None:
    model = dsl.load(path)
    assert isinstance(model, csp.Model)
    rows, columns = find_size(model, path.read_text(encoding="utf-8"))
    for label in {constraint.label for constraint in model.constraints} - {""}:
        for row, column in PAIR.findall(label) if not EXAMS.match(label) else ():
            # Corners have numbers from 1 to the one after the last row or column.
            before, after = (0, 1) if BESIDE.search(label) else (1, 1 if "corner" in label else 0)
            assert before <= int(row) <= rows + after and before <= int(column) <= columns + after, label
