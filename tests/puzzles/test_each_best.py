"""Tests of csp solve --each with an objective."""

from __future__ import annotations

from pathlib import Path

from ..engine.test_learner import run


def test_each_line_has_its_optimal_answer(tmp_path: Path) -> None:
    spec, lines = tmp_path / "pick.csp", tmp_path / "lines.txt"
    spec.write_text(
        "grid clue(2, 2). x(R, C) in 1..4 :- R in 1..2, C in 1..2. all_different(x(R, C) : R in 1..2, C in 1..2)."
        "x(R, C) = V :- clue(R, C, V). maximize(x(1, 1) + 10*x(1, 2) + 100*x(2, 1) + 1000*x(2, 2))."
    )
    lines.write_text("....\n4...\n...1\n")
    assert run("solve", spec, "--each", f"clue={lines}") == (0, "1234\n4123\n2341\n", "")
