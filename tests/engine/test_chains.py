"""Tests of the bounds that chains of differences imply."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

import csp
import dsl
from csp import Affine, Variable
from csp.engine.search.chains import chain_bounds

RULER = """
    param m = 5.  param most = 12.
    mark(I) in 0..most :- I in 1..m.
    mark(I) < mark(I+1) :- I in 1..m-1.
    all_different(mark(J) - mark(I) : I in 1..m-1, J in I+1..m).
    mark(1) = 0.
"""


@pytest.mark.parametrize("seed", range(12))
def test_the_bounds_of_chains_hold_in_every_solution(seed: int) -> None:
    rng = random.Random(seed)
    marks = {name: Affine.variable(name) for name in "wxyz"}
    gaps = {pair: Affine.variable("".join(pair)) for pair in combinations(marks, 2) if rng.random() < 0.8}
    constraints: list[csp.Constraint] = [csp.AllDifferent(tuple(gaps.values()))]
    for (low, high), gap in gaps.items():
        difference = marks[high] - marks[low]
        constraints.append(
            csp.Linear(gap, "=", difference) if rng.random() < 0.5 else csp.Linear(-difference, "=", -gap)
        )
        if rng.random() < 0.7:
            lesser, greater = (low, high) if rng.random() < 0.9 else (high, low)
            constraints.append(rng.choice([
                csp.Linear(marks[lesser], "<", marks[greater]), csp.Linear(marks[greater], ">", marks[lesser]),
            ]))  # fmt: skip
    domains = {Variable(str(gap)): tuple(range(-5, 6)) for gap in gaps.values()}
    bounds = list(chain_bounds(constraints, domains))
    for values in product(range(6), repeat=4):
        assignment: dict[str, csp.Value] = dict(zip(marks, values, strict=True))
        assignment.update({str(gap): int(assignment[high]) - int(assignment[low]) for (low, high), gap in gaps.items()})
        if all(constraint.check(assignment) for constraint in constraints):
            assert all(bound.check(assignment) for bound in bounds), (constraints, bounds)


@pytest.mark.parametrize(("most", "number"), [(10, 0), (11, 4), (12, 18)])
def test_both_searches_count_the_rulers(most: int, number: int) -> None:
    model = dsl.loads(RULER, {"most": most})
    assert [csp.count(model, search=search).value for search in ("learn", "tree")] == [number, number]  # type: ignore[arg-type]


def test_the_chains_of_a_ruler_have_the_expected_bounds() -> None:
    program = csp.Solver(dsl.loads(RULER)).program
    domains = {v: program.layout.domains[program.layout.number[v]] for v in program.layout.variables}
    bounds = {
        str(bound) for bound in chain_bounds([constraint for _, constraint in program.kept_constraints()], domains)
    }
    assert {"mark(3) - mark(1) >= 3", "mark(5) - mark(1) >= 10", "mark(5) - mark(1) >= mark(4) - mark(2) + 3"} <= bounds
    assert len(bounds) == 10 + 9
