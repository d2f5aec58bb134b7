"""Compare corner cases of the language with brute force, at every level and search."""

from __future__ import annotations

from itertools import product

import pytest

import csp
import dsl

from ..conftest import ROOT
from ..oracle import every_solution

SPECS = (ROOT / "tests" / "data" / "corners.txt").read_text(encoding="utf-8").strip().split("\n\n")


@pytest.mark.parametrize("text", SPECS, ids=lambda text: text.partition(":")[0].removeprefix("% "))
def test_a_corner_has_the_answers_of_brute_force(text: str) -> None:
    model = dsl.loads(text)
    shown_variables = model.shown
    expected = expected_answers(model)
    assert len(expected) == int(text.partition("\n")[0].rpartition(" ")[2])
    for level, search in [*product(csp.LEVELS, ["tree"]), ("singles", "learn")]:
        solver = csp.Solver(model, level, search=search)
        rows = [tuple(solution[variable] for variable in shown_variables) for solution in solver.solutions()]
        assert len(rows) == len(expected) and {*rows} == expected, (level, search)
    assert solver.count().value == csp.count(model).value == len(expected)
    reread_model = dsl.loads(dsl.dumps(model))
    assert expected_answers(reread_model) == expected


def expected_answers(model: csp.Model) -> set[tuple[csp.Value, ...]]:
    """Return the shown values of all solutions, or of all optimal solutions."""
    solutions = [solution for solution in every_solution(model) if model.check(solution)]
    if (objective := model.objective) and solutions:
        best = objective.worth(solutions[0])
        for solution in solutions:
            worth = objective.worth(solution)
            best = worth if objective.is_better(worth, best) else best
        solutions = [solution for solution in solutions if objective.worth(solution) == best]
    return {tuple(solution[variable] for variable in model.shown) for solution in solutions}
