"""The forty puzzles of a new user, each with the answers that code of its own finds or accepts."""

from __future__ import annotations

import os
from itertools import islice

import pytest

import csp
import dsl

from . import forty
from .forty import BEFORE, BEST, COUNTS, FOLDER, RIGHT, SLOW, SUDOKUS, UNIQUE


def answers(name: str, most: int | None = None) -> list[dict[tuple[object, ...], int]]:
    found = islice(csp.Solver(dsl.load(FOLDER / f"{name}.csp")).solutions(), most)
    return [{(v.family, *v.indices): value for v, value in one.items()} for one in found]  # type: ignore[misc]


def test_each_has_its_spec_and_its_check() -> None:
    assert BEFORE.keys() == {path.stem for path in FOLDER.glob("*.csp")}
    assert {*SUDOKUS, *RIGHT, *COUNTS, *BEST, *SLOW, "orthogonal"} == BEFORE.keys()
    assert len(BEFORE) + len(forty.GALLERY) == 40


@pytest.mark.parametrize("name", SUDOKUS)
def test_sudokus_with_more_rules(name: str) -> None:
    right = [grid for grid in forty.sudokus(name) if SUDOKUS[name](grid)]
    cells = [forty.square(own) for own in answers(name)]
    assert [[[own[r, c] for c in range(1, 7)] for r in range(1, 7)] for own in cells] == right and len(right) == 1


@pytest.mark.parametrize("name", RIGHT)
def test_answers_are_right(name: str) -> None:
    if name in SLOW and "FORTY" not in os.environ:
        pytest.skip("takes more than a second; FORTY=1 tries it")
    found = answers(name, 2)
    assert found and all(map(RIGHT[name], found)) and (len(found) == 1) == (name in UNIQUE)


@pytest.mark.parametrize("name", COUNTS)
def test_as_many_as_there_are(name: str) -> None:
    assert len(answers(name)) == COUNTS[name]()


@pytest.mark.parametrize("name", BEST)
def test_the_best(name: str) -> None:
    model = dsl.load(FOLDER / f"{name}.csp")
    assert model.objective and {model.objective.value(one) for one in csp.Solver(model).solutions()} == {BEST[name]()}


def test_orthogonal_arrays() -> None:
    found = answers("orthogonal")
    for own in found:
        rows = [tuple(own["run", i, j] for j in range(1, 5)) for i in range(1, 10)]
        assert rows == sorted(rows) and all(
            len({(row[j], row[k]) for row in rows}) == 9 for j in range(4) for k in range(j)
        )
    assert len(found) == len({tuple(own.values()) for own in found}) == 72
