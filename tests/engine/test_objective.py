"""Objectives with costs reduced by flows, compared with enumeration.

More cases: OBJECTIVES=5000 python -m pytest tests/engine/test_objective.py
"""

from __future__ import annotations

import os
import random
from collections.abc import Mapping
from itertools import product

import pytest

import csp
import dsl
from csp import (
    Affine,
    AllDifferent,
    Comparison,
    Constraint,
    Equality,
    Model,
    Objective,
    Operation,
    Solver,
    Table,
    Value,
    Variable,
)
from csp.encoding.flow import reduce_costs

CASES = int(os.environ.get("OBJECTIVES", "24"))


@pytest.mark.parametrize("seed", range(CASES))
def test_reduced_costs_keep_every_total_and_the_bound_is_the_optimum(seed: int) -> None:
    rng = random.Random(seed)
    set_count, value_count, chooser_count = rng.randint(0, 5), rng.randint(1, 4), rng.randint(1, 4)
    sets = [(rng.randint(1, 3), rng.choice([*range(number), set_count])) for number in range(set_count)]
    costs = [[rng.randint(-5, 9) for _ in range(value_count)] for _ in range(chooser_count)]
    memberships = [[rng.randint(0, set_count) for _ in range(value_count)] for _ in range(chooser_count)]
    reduced = reduce_costs(costs, memberships, sets)
    totals = []
    for choice in product(range(value_count), repeat=chooser_count):
        # Count the uses of every set, and of every set that contains it.
        used = [0] * set_count
        for row, value in zip(memberships, choice, strict=True):
            set_index = row[value]
            while set_index < set_count:
                used[set_index] += 1
                set_index = sets[set_index][1]
        if any(use > capacity for use, (capacity, _) in zip(used, sets, strict=True)):
            continue
        # The bound, the reduced costs and the unused capacities add up to the original total.
        totals.append(sum(row[value] for row, value in zip(costs, choice, strict=True)))
        assert reduced is not None
        reduced_cost = sum(row[value] for row, value in zip(reduced.costs, choice, strict=True))
        unused_cost = sum(
            price * (capacity - use) for price, (capacity, _), use in zip(reduced.room, sets, used, strict=True)
        )
        assert reduced.bound + reduced_cost + unused_cost == totals[-1]
    assert (reduced is None) == (not totals)
    if reduced:
        assert reduced.bound == min(totals)
        assert min(map(min, reduced.costs)) >= 0
        assert min(reduced.room, default=0) >= 0


def random_model(rng: random.Random) -> Model:
    """Return a model with overlapping groups and counts, and an objective of several terms."""
    names = [Variable(f"x({n})") for n in range(rng.randint(3, 5))]
    values = range(1, rng.randint(3, 4) + 1)
    domains = {name: values for name in names}
    constraints: list[Constraint] = [
        AllDifferent.of(rng.sample(names, rng.randint(2, 3))) for _ in range(rng.randint(0, 3))
    ]
    for value in values:
        if rng.random() < 0.5:
            counted = rng.sample(names, rng.randint(2, len(names)))
            count = Operation("count", tuple([Equality(name, value) for name in counted]))
            relation = rng.choice(["<=", "<", "="])
            constraints.append(Comparison(Affine(((1, count),)), relation, Affine((), rng.randint(1, 2))))
    total = Affine()
    for name in names:
        kind = rng.randrange(4)
        term = Affine.variable(name)
        if kind == 0:
            total = total + term * rng.choice([-3, -1, 2, 5])
        elif kind == 1:
            total = total + Affine(((rng.choice([-2, 1, 3]), Operation("abs", (term - 2,))),))
        elif kind == 2:
            price = Variable(f"pay({name})")
            domains[price] = range(8)
            constraints.append(Table("cost", (term, Affine.variable(price)), tuple((v, v * 5 % 8) for v in values)))
            total = total + Affine.variable(price)
    maximum = Operation("max", tuple(map(Affine.variable, names)))
    total = total + Affine(((rng.choice([0, 1, 4]), maximum),)) + 7 * Affine.variable(names[0])
    secondary = [
        Affine.variable(rng.choice(names)) * rng.choice([-1, 1, 2]) + Affine.variable(names[-1]) * 3
        for _ in range(rng.choice([0, 0, 1, 2]))
    ]
    objective = Objective(rng.choice(["minimize", "maximize"]), total, tuple(secondary))
    return Model(domains, constraints, objective=objective)


@pytest.mark.parametrize("search", ["learn", "tree", "auto"])
@pytest.mark.parametrize("seed", range(CASES))
def test_improving_and_solutions_agree_with_all_assignments(seed: int, search: str) -> None:
    model = random_model(random.Random(seed))
    objective = model.objective
    assert objective is not None

    def cost(values: Mapping[str, Value]) -> list[int]:
        return [objective.sign * expression.number(values) for expression in objective.expressions]

    # Enumerate all assignments; the prices follow from the values.
    assignments = []
    variables = [name for name in model.domains if name.startswith("x(")]
    for row in product(*[model.domains[name] for name in variables]):
        values: dict[str, Value] = dict(zip(variables, row, strict=True))
        values |= {name: int(values[name[4:-1]]) * 5 % 8 for name in model.domains if name.startswith("pay(")}
        if all(constraint.check(values) for constraint in model.constraints):
            assignments.append(values)
    minimum = min(map(cost, assignments), default=[])
    # Improving solutions have strictly decreasing costs and end with the optimum.
    solver = Solver(model, search=search)
    answers = solver.improving()
    costs = list(map(cost, answers))
    assert answers.complete
    assert costs == sorted(costs, reverse=True)
    assert len({*map(tuple, costs)}) == len(costs)
    assert costs[-1:] == [minimum][: len(assignments)]
    # Counting and solving find exactly the optimal assignments.
    optimal = [values for values in assignments if cost(values) == minimum]
    assert solver.count().value == len(optimal)
    assert sorted(tuple(solution[v] for v in variables) for solution in solver.solutions()) == sorted(
        tuple(solution[v] for v in variables) for solution in optimal
    )
    # The weighted sum orders assignments like the list of costs.
    weighted_objective = objective.weighted_sum(model.domains)
    for first, second in product(assignments[:8], assignments[-8:]):
        difference = objective.sign * (weighted_objective.number(first) - weighted_objective.number(second))
        assert (cost(first) < cost(second)) == (difference < 0)
        assert objective.is_better(objective.worth(first), objective.worth(second)) == (difference < 0)
    if optimal:
        assert not list(solver.improving(bound=objective.worth(optimal[0])))
        assert all(model.as_good_as(optimal[0]).check(values) == (values in optimal) for values in assignments)


def test_solutions_continue_after_an_optimum_without_a_second_search() -> None:
    model = dsl.loads("x(I) in 1..4 :- I in 1..4. x(1) + x(2) + x(3) >= 7. show x. minimize(sum(x(I) : I in 1..4)).")
    solver = Solver(model)
    (*_, best) = solver.improving()
    answers = solver.solutions()
    assert next(answers) == best
    nodes = answers.effort.nodes
    remaining = [tuple(solution.values()) for solution in answers]
    assert answers.effort.nodes > nodes and len({*remaining, tuple(best.values())}) == len(remaining) + 1 == 12
    model = dsl.loads("x in 1..3. y in 1..3. z in 1..3. x + y >= 4. show x. minimize(x + y, z).")
    assert sorted(solution["x"] for solution in Solver(model).solutions()) == [1, 2, 3]


PRIORITIES = """x(I) in 1..4 :- I in 1..3.
all_different(x(I) : I in 1..3).
x(1) + x(2) > 3.
minimize(x(1) + x(2), abs(x(3) - 3), x(2))."""


def test_priorities_of_an_objective_are_read_and_printed() -> None:
    model = dsl.loads(PRIORITIES)
    assert str(model.objective) == "minimize(x(1) + x(2), abs(x(3) - 3), x(2))"
    assert dsl.loads(dsl.dumps(model)).objective == model.objective
    (*_, best) = Solver(model).improving()
    assert model.objective and model.objective.worth(best) == (4, 1, 1)
    with pytest.raises(dsl.SpecError, match="no puzzle variable"):
        dsl.loads("x in 1..2. minimize(x, 3).")


def test_bounds_of_counts_and_groups_prove_a_timetable_optimal() -> None:
    lessons = " ".join(f"lesson({n}, {n % 3}, {n % 4})." for n in range(18))
    model = dsl.loads(
        lessons + " slot(L) in 1..10 :- lesson(L, _, _)."
        " all_different(slot(L) : lesson(L, K, _)) :- K in 0..2."
        " count(slot(L) = S : lesson(L, _, _)) <= 3 :- S in 1..10."
        " minimize(sum(slot(L) : lesson(L, _, _)))."
    )
    answers = Solver(model, search="learn").improving()
    assert [model.objective and model.objective.value(solution) for solution in answers][-1] == 63
    assert answers.complete
    assert answers.effort.conflicts < 2_000


def test_an_objective_may_count_conditions_on_symbols() -> None:
    model = dsl.loads(
        "turn(D) in {ann, bob, cat} :- D in 1..3. x(I) in 1..9 :- I in 0..3. turn(1) = bob."
        " x(count(turn(D) = bob : D in 1..3)) = 9. maximize(count(turn(D) = bob : D in 1..3), x(0))."
    )
    solution = csp.solve(model)
    assert [solution[f"turn({day})"] for day in (1, 2, 3)] == ["bob", "bob", "bob"] and (
        solution["x(3)"],
        solution["x(0)"],
    ) == (
        9,
        9,
    )
