"""Published puzzles of one piece, by the clauses of the gallery: solved, unique and as published.

Each family's smallest ones; ``PIECES=1`` in the environment tries all but one, which takes minutes.
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
"""What the squares have that the published solution marks with an x."""
DIAGONAL = ("abs(R - S) + abs(C - D) = 1", "max(abs(R - S), abs(C - D)) = 1")
NOT_SOLVED = "Nurikabe/753_10x10"  # within 60 seconds: four islands, one of 30 squares


def published(shared: Path, name: str) -> Iterator[tuple[str, Rows, Rows]]:
    """The name of each puzzle, its picture and its solution."""
    every = [one for one in records(shared / "measure" / "more" / f"{name}.jsonl") if one["id"] != NOT_SOLVED]
    found = sorted(every, key=lambda one: len(one["solution"])) if FEW else every
    for record in found[: FEW or None]:
        _, *clues = [line.split() for line in record["problem"].splitlines()]
        _, *solution = [line.split() for line in record["solution"].splitlines()]
        yield record["id"], clues, solution


def spec_of(name: str) -> str:
    """Hidato is numbrix, and also diagonally."""
    if name != "hidoku":
        return example(name)
    text = example("numbrix")
    assert DIAGONAL[0] in text
    return text.replace(*DIAGONAL)


@pytest.mark.parametrize("name", FAMILY)
def test_published_ones(name: str, shared: Path) -> None:
    for title, clues, solution in published(shared, name):
        high, wide = len(clues), len(clues[0])
        picture = "\n".join(" ".join("." if token == "-" else token for token in row) for row in clues)
        params = {"rows": high, "cols": wide} if "param rows" in spec_of(name) else {"n": high}
        answers = csp.Solver(dsl.loads(spec_of(name), params, {"clue": picture})).solutions()
        found = [{v.indices: value for v, value in one.items() if v.family == FAMILY[name]} for one in answers]
        assert len(found) == 1 and answers.complete, title
        for r, row in enumerate(solution, 1):
            for c, token in enumerate(row, 1):
                own = found[0][r, c]
                assert str(own) == token if name not in MARKED else (own == MARKED[name]) == (token == "x"), title
