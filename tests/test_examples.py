"""Every example runs as it stands, with its golden answer, and reads back from its own print."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import csp
import dsl
from dsl.cli import main

from .conftest import ROOT

EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_answer(path: Path, golden: Callable[[str, str], None]) -> None:
    result = CliRunner().invoke(main, ["solve", str(path)])
    assert result.exit_code == 0 and result.stderr == ""
    golden(f"{path.stem}.answer", result.stdout)


@pytest.mark.sampled
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_answer_and_the_residual(path: Path) -> None:
    model = dsl.load(path)
    text = dsl.dumps(model)
    again = dsl.loads(text)
    assert again == model and hash(again) == hash(model) and again.drawn == model.drawn and dsl.dumps(again) == text
    assert pickle.loads(pickle.dumps(model)) == model
    solver = csp.Solver(model)
    solution = solver.solve()
    assert solution is not None and model.check(solution)
    domains = csp.propagate(model).domains
    left = dsl.loads(dsl.residual(model, domains))
    assert csp.propagate(left).domains == domains
    assert csp.Solver(left).count(limit=3) == solver.count(limit=3)
