"""Runs: japanese sums against an enumeration, large domains, and digits that rules extract."""

from __future__ import annotations

import random
from itertools import groupby, product

import pytest

import csp
import dsl
from csp.engine.solver.solver import Solver

JAPANESE = """
cell(R, C) in 0..2 :- R in 1..3, C in 1..4.
"row {R}": runs([cell(R, C) : C in 1..4], [S : row(R, _, S)]) :- R in 1..3.
"column {C}": runs([cell(R, C) : R in 1..3], [S : column(C, _, S)]) :- C in 1..4.
"""


def sums(line: tuple[int, ...]) -> list[int]:
    """Return the sums of the runs of nonzero numbers."""
    return [sum(run) for inside, run in groupby(line, bool) if inside]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("search", ["tree", "learn"])
def test_japanese_sums_have_as_many_solutions_as_an_enumeration(seed: int, search: csp.Search) -> None:
    rng = random.Random(seed)
    board = [tuple(rng.choice([0, 0, 1, 2]) for _ in range(4)) for _ in range(3)]
    rows, columns = [sums(row) for row in board], [sums(column) for column in zip(*board, strict=True)]
    facts = "".join(f"row({r}, {k}, {s}). " for r, clues in enumerate(rows, 1) for k, s in enumerate(clues, 1))
    facts += "".join(f"column({c}, {k}, {s}). " for c, clues in enumerate(columns, 1) for k, s in enumerate(clues, 1))
    facts += "row(0, 1, 1). column(0, 1, 1)."  # a line without runs has no facts
    choices = [[line for line in product(range(3), repeat=4) if sums(line) == clues] for clues in rows]
    count = sum([sums(c) for c in zip(*board_rows, strict=True)] == columns for board_rows in product(*choices))
    model = dsl.loads(facts + JAPANESE)
    assert Solver(model, settings=csp.Settings(search=search)).count().value == count > 0


def test_propagation_determines_a_line_at_once() -> None:
    model = dsl.loads("x(I) in 0..1 :- I in 1..9. runs([x(I) : I in 1..9], [4, 3]). x(1) = 0.")
    assert csp.propagate(model).domains == {f"x({i})": (int(i not in (1, 6)),) for i in range(1, 10)}


def test_runs_over_large_domains_are_checked_without_layers() -> None:
    text = "A, B in 0..30000. C in 0..3. A = 30000. C in {0, 2}. B in 9998..10002. runs([A, B, 0, C], [40000, SUM])."
    assert csp.solve(dsl.loads(text.replace("SUM", "2"))) == {"A": 30000, "B": 10000, "C": 2}
    assert csp.solve(dsl.loads(text.replace("SUM", "1"))) is None
    elements = tuple(map(csp.Affine.variable, "AB"))
    assert csp.Runs(elements, (40000,)).layers([range(30001)] * 2, 20_000) is None


def test_rules_split_a_token_into_digits() -> None:
    model = dsl.loads("""
        quad(1, 1, 1223).
        left(T, T) :- quad(_, _, T).
        left(T, N // 10) :- left(T, N), N > 9.
        cell(R, C) in 1..4 :- R in 1..2, C in 1..2.
        count(cell(I, J) = N mod 10 : I in R..R+1, J in C..C+1) >= count(M mod 10 = N mod 10 : left(T, M))
            :- quad(R, C, T), left(T, N).
    """)
    assert csp.count(model).value == 12
