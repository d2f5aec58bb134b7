"""What chains of differences come to: true of every solution, and told of rulers."""

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
def test_what_is_told_is_true_of_every_solution(seed: int) -> None:
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
    told = list(chain_bounds(constraints, domains))
    for values in product(range(6), repeat=4):
        own: dict[str, csp.Value] = dict(zip(marks, values, strict=True))
        own.update({str(gap): int(own[high]) - int(own[low]) for (low, high), gap in gaps.items()})
        if all(constraint.check(own) for constraint in constraints):
            assert all(one.check(own) for one in told), (constraints, told)


@pytest.mark.parametrize(("most", "number"), [(10, 0), (11, 4), (12, 18)])
def test_rulers_are_counted_right(most: int, number: int) -> None:
    model = dsl.loads(RULER, {"most": most})
    assert [csp.count(model, search=search).value for search in ("learn", "tree")] == [number, number]  # type: ignore[arg-type]


def test_a_ruler_is_told_what_its_chains_come_to() -> None:
    program = csp.Solver(dsl.loads(RULER)).program
    domains = {v: program.layout.domains[program.layout.number[v]] for v in program.layout.variables}
    told = {str(one) for one in chain_bounds([constraint for _, constraint in program.active()], domains)}
    assert {"mark(3) - mark(1) >= 3", "mark(5) - mark(1) >= 10", "mark(5) - mark(1) >= mark(4) - mark(2) + 3"} <= told
    assert len(told) == 10 + 9
