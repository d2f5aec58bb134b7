"""Tests of every example: its golden answer, and its model after writing and reading."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import csp
import dsl
from dsl.cli import main

from ..conftest import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))


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
