"""Tests of the forty puzzles of a new user, checked by separate code."""

from __future__ import annotations

import os
from itertools import islice

import pytest

import csp
import dsl

from .. import forty
from ..forty import BEFORE, BEST, COUNTS, FOLDER, RIGHT, SLOW, SUDOKUS, UNIQUE


def answers(name: str, limit: int | None = None) -> list[dict[tuple[object, ...], int]]:
    solutions = islice(csp.Solver(dsl.load(FOLDER / f"{name}.csp")).solutions(), limit)
    return [{(v.family, *v.indices): value for v, value in solution.items()} for solution in solutions]  # type: ignore[misc]


def test_each_puzzle_has_a_spec_and_a_check() -> None:
    assert BEFORE.keys() == {path.stem for path in FOLDER.glob("*.csp")}
    assert {*SUDOKUS, *RIGHT, *COUNTS, *BEST, *SLOW, "orthogonal"} == BEFORE.keys()
    assert len(BEFORE) + len(forty.GALLERY) == 40


@pytest.mark.parametrize("name", SUDOKUS)
def test_a_sudoku_with_additional_rules_has_its_only_solution(name: str) -> None:
    expected = [grid for grid in forty.sudokus(name) if SUDOKUS[name](grid)]
    squares = [forty.square(answer) for answer in answers(name)]
    assert [[[square[r, c] for c in range(1, 7)] for r in range(1, 7)] for square in squares] == expected and len(
        expected
    ) == 1


@pytest.mark.parametrize("name", RIGHT)
def test_an_answer_satisfies_its_check(name: str) -> None:
    if name in SLOW and "FORTY" not in os.environ:
        pytest.skip("takes more than a second; FORTY=1 tries it")
    first_answers = answers(name, 2)
    assert first_answers and all(map(RIGHT[name], first_answers)) and (len(first_answers) == 1) == (name in UNIQUE)


@pytest.mark.parametrize("name", COUNTS)
def test_a_puzzle_has_its_number_of_answers(name: str) -> None:
    assert len(answers(name)) == COUNTS[name]()


@pytest.mark.parametrize("name", BEST)
def test_a_puzzle_has_its_optimal_value(name: str) -> None:
    model = dsl.load(FOLDER / f"{name}.csp")
    assert model.objective and {model.objective.value(solution) for solution in csp.Solver(model).solutions()} == {
        BEST[name]()
    }


def test_there_are_72_sorted_orthogonal_arrays() -> None:
    arrays = answers("orthogonal")
    for array in arrays:
        rows = [tuple(array["run", i, j] for j in range(1, 5)) for i in range(1, 10)]
        assert rows == sorted(rows) and all(
            len({(row[j], row[k]) for row in rows}) == 9 for j in range(4) for k in range(j)
        )
    assert len(arrays) == len({tuple(array.values()) for array in arrays}) == 72
