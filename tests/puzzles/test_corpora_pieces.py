"""Solve published puzzles about one piece by specs of the gallery, and compare solutions.

The tests use the smallest puzzles of each family.
``PIECES=1`` in the environment uses all puzzles but one, which takes minutes.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import csp
import dsl
from dsl.puzzles.convert.gallery import example

from .test_corpora import records

Rows = list[list[str]]
FEW = 0 if "PIECES" in os.environ else 3
FAMILY = {"hitori": "shaded", "slitherlink": "inside", "nurikabe": "land", "hidoku": "cell"}
MARKED = {"hitori": 1, "slitherlink": 1, "nurikabe": 0}
"""The value of the squares that the published solution marks with an x."""
DIAGONAL = ("abs(R - S) + abs(C - D) = 1", "max(abs(R - S), abs(C - D)) = 1")
NOT_SOLVED = "Nurikabe/753_10x10"  # not solved in 60 seconds: four islands, one of 30 squares


def published_puzzles(shared: Path, name: str) -> Iterator[tuple[str, Rows, Rows]]:
    """Yield the name, the picture and the solution of each puzzle."""
    solvable = [
        record for record in records(shared / "measure" / "more" / f"{name}.jsonl") if record["id"] != NOT_SOLVED
    ]
    ordered = sorted(solvable, key=lambda record: len(record["solution"])) if FEW else solvable
    for record in ordered[: FEW or None]:
        _, *clues = [line.split() for line in record["problem"].splitlines()]
        _, *solution = [line.split() for line in record["solution"].splitlines()]
        yield record["id"], clues, solution


def spec_of(name: str) -> str:
    """Return the spec of a family; hidato is numbrix with diagonal steps."""
    if name != "hidoku":
        return example(name)
    text = example("numbrix")
    assert DIAGONAL[0] in text
    return text.replace(*DIAGONAL)


@pytest.mark.parametrize("name", FAMILY)
def test_a_published_puzzle_has_only_its_published_solution(name: str, shared: Path) -> None:
    for title, clues, solution in published_puzzles(shared, name):
        high, wide = len(clues), len(clues[0])
        picture = "\n".join(" ".join("." if token == "-" else token for token in row) for row in clues)
        params = {"rows": high, "cols": wide} if "param rows" in spec_of(name) else {"n": high}
        answers = csp.Solver(dsl.loads(spec_of(name), params, {"clue": picture})).solutions()
        answer_values = [
            {v.indices: value for v, value in answer.items() if v.family == FAMILY[name]} for answer in answers
        ]
        assert len(answer_values) == 1 and answers.complete, title
        for r, row in enumerate(solution, 1):
            for c, token in enumerate(row, 1):
                value_at_square = answer_values[0][r, c]
                assert (
                    str(value_at_square) == token
                    if name not in MARKED
                    else (value_at_square == MARKED[name]) == (token == "x")
                ), title
