"""Objectives whose costs are reduced by flows, against all assignments.

More cases: OBJECTIVES=5000 python -m pytest tests/test_objective.py
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
def test_reduced_costs_mean_the_same_for_every_choice_and_the_bound_is_the_best(seed: int) -> None:
    chance = random.Random(seed)
    many, values, who = chance.randint(0, 5), chance.randint(1, 4), chance.randint(1, 4)
    sets = [(chance.randint(1, 3), chance.choice([*range(number), many])) for number in range(many)]
    costs = [[chance.randint(-5, 9) for _ in range(values)] for _ in range(who)]
    ways = [[chance.randint(0, many) for _ in range(values)] for _ in range(who)]
    reduced = reduce_costs(costs, ways, sets)
    totals = []
    for choice in product(range(values), repeat=who):
        used = [0] * many
        for own, chosen in zip(ways, choice, strict=True):
            inside = own[chosen]
            while inside < many:
                used[inside] += 1
                inside = sets[inside][1]
        if any(taken > room for taken, (room, _) in zip(used, sets, strict=True)):
            continue
        totals.append(sum(own[chosen] for own, chosen in zip(costs, choice, strict=True)))
        assert reduced is not None
        paid = sum(own[chosen] for own, chosen in zip(reduced.costs, choice, strict=True))
        left = sum(p * (room - n) for p, (room, _), n in zip(reduced.room, sets, used, strict=True))
        assert reduced.bound + paid + left == totals[-1]
    assert (reduced is None) == (not totals)
    if reduced:
        assert reduced.bound == min(totals)
        assert min(map(min, reduced.costs)) >= 0
        assert min(reduced.room, default=0) >= 0


def random_model(chance: random.Random) -> Model:
    """Groups and counts that cross, and an objective of what is paid for values, by relations, too, and of more."""
    names = [Variable(f"x({n})") for n in range(chance.randint(3, 5))]
    values = range(1, chance.randint(3, 4) + 1)
    domains = {name: values for name in names}
    constraints: list[Constraint] = [
        AllDifferent.of(chance.sample(names, chance.randint(2, 3))) for _ in range(chance.randint(0, 3))
    ]
    for value in values:
        if chance.random() < 0.5:
            some = chance.sample(names, chance.randint(2, len(names)))
            count = Operation("count", tuple([Equality(name, value) for name in some]))
            relation = chance.choice(["<=", "<", "="])
            constraints.append(Comparison(Affine(((1, count),)), relation, Affine((), chance.randint(1, 2))))
    total = Affine()
    for name in names:
        kind = chance.randrange(4)
        own = Affine.variable(name)
        if kind == 0:
            total = total + own * chance.choice([-3, -1, 2, 5])
        elif kind == 1:
            total = total + Affine(((chance.choice([-2, 1, 3]), Operation("abs", (own - 2,))),))
        elif kind == 2:
            pay = Variable(f"pay({name})")
            domains[pay] = range(8)
            constraints.append(Table("cost", (own, Affine.variable(pay)), tuple((v, v * 5 % 8) for v in values)))
            total = total + Affine.variable(pay)
    whole = Operation("max", tuple(map(Affine.variable, names)))
    total = total + Affine(((chance.choice([0, 1, 4]), whole),)) + 7 * Affine.variable(names[0])
    others = [
        Affine.variable(chance.choice(names)) * chance.choice([-1, 1, 2]) + Affine.variable(names[-1]) * 3
        for _ in range(chance.choice([0, 0, 1, 2]))
    ]
    objective = Objective(chance.choice(["minimize", "maximize"]), total, tuple(others))
    return Model(domains, constraints, objective=objective)


@pytest.mark.parametrize("search", ["learn", "tree", "auto"])
@pytest.mark.parametrize("seed", range(CASES))
def test_best_are_the_best_of_all_assignments(seed: int, search: str) -> None:
    model = random_model(random.Random(seed))
    objective = model.objective
    assert objective is not None

    def cost(values: Mapping[str, Value]) -> list[int]:
        return [objective.sign * one.number(values) for one in objective.expressions]

    held = []
    free = [name for name in model.domains if name.startswith("x(")]
    for row in product(*[model.domains[name] for name in free]):
        values: dict[str, Value] = dict(zip(free, row, strict=True))
        values |= {name: int(values[name[4:-1]]) * 5 % 8 for name in model.domains if name.startswith("pay(")}
        if all(constraint.check(values) for constraint in model.constraints):
            held.append(values)
    least = min(map(cost, held), default=[])
    solver = Solver(model, search=search)
    answers = solver.improving()
    found = list(map(cost, answers))
    assert answers.complete
    assert found == sorted(found, reverse=True)
    assert len({*map(tuple, found)}) == len(found)
    assert found[-1:] == [least][: len(held)]
    best = [values for values in held if cost(values) == least]
    assert solver.count().value == len(best)
    assert sorted(tuple(one[v] for v in free) for one in solver.solutions()) == sorted(
        tuple(one[v] for v in free) for one in best
    )
    whole = objective.weighted_sum(model.domains)
    for one, other in product(held[:8], held[-8:]):
        weighed = objective.sign * (whole.number(one) - whole.number(other))
        assert (cost(one) < cost(other)) == (weighed < 0)
        assert objective.is_better(objective.worth(one), objective.worth(other)) == (weighed < 0)
    if best:
        assert not list(solver.improving(bound=objective.worth(best[0])))
        assert all(model.as_good_as(best[0]).check(one) == (one in best) for one in held)


def test_what_is_best_is_not_looked_for_again() -> None:
    model = dsl.loads("x(I) in 1..4 :- I in 1..4. x(1) + x(2) + x(3) >= 7. show x. minimize(sum(x(I) : I in 1..4)).")
    solver = Solver(model)
    (*_, best) = solver.improving()
    answers = solver.solutions()
    assert next(answers) == best
    spent = answers.effort.nodes
    others = [tuple(one.values()) for one in answers]
    assert answers.effort.nodes > spent and len({*others, tuple(best.values())}) == len(others) + 1 == 12
    model = dsl.loads("x in 1..3. y in 1..3. z in 1..3. x + y >= 4. show x. minimize(x + y, z).")
    assert sorted(one["x"] for one in Solver(model).solutions()) == [1, 2, 3]


LEVELS = """x(I) in 1..4 :- I in 1..3.
all_different(x(I) : I in 1..3).
x(1) + x(2) > 3.
minimize(x(1) + x(2), abs(x(3) - 3), x(2))."""


def test_levels_are_read_written_and_printed() -> None:
    model = dsl.loads(LEVELS)
    assert str(model.objective) == "minimize(x(1) + x(2), abs(x(3) - 3), x(2))"
    assert dsl.loads(dsl.dumps(model)).objective == model.objective
    (*_, best) = Solver(model).improving()
    assert model.objective and model.objective.worth(best) == (4, 1, 1)
    with pytest.raises(dsl.SpecError, match="no puzzle variable"):
        dsl.loads("x in 1..2. minimize(x, 3).")


def test_timetable_is_proved_by_what_counts_and_groups_leave() -> None:
    lessons = " ".join(f"lesson({n}, {n % 3}, {n % 4})." for n in range(18))
    model = dsl.loads(
        lessons + " slot(L) in 1..10 :- lesson(L, _, _)."
        " all_different(slot(L) : lesson(L, K, _)) :- K in 0..2."
        " count(slot(L) = S : lesson(L, _, _)) <= 3 :- S in 1..10."
        " minimize(sum(slot(L) : lesson(L, _, _)))."
    )
    answers = Solver(model, search="learn").improving()
    assert [model.objective and model.objective.value(one) for one in answers][-1] == 63
    assert answers.complete
    assert answers.effort.conflicts < 2_000


def test_conditions_on_symbols_can_be_counted_for_the_best() -> None:
    model = dsl.loads(
        "turn(D) in {ann, bob, cat} :- D in 1..3. x(I) in 1..9 :- I in 0..3. turn(1) = bob."
        " x(count(turn(D) = bob : D in 1..3)) = 9. maximize(count(turn(D) = bob : D in 1..3), x(0))."
    )
    best = csp.solve(model)
    assert [best[f"turn({day})"] for day in (1, 2, 3)] == ["bob", "bob", "bob"] and (best["x(3)"], best["x(0)"]) == (
        9,
        9,
    )
