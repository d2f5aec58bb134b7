"""Every constraint against brute force: its meaning decides, its filter and its lines may only follow."""

from __future__ import annotations

import random

import pytest

from csp import Affine, AllDifferent, Constraint, Equality, Linear, Model, Solver, Variable
from csp.constraints import CONSTRAINTS, cages, comparison, linear, tabulated
from csp.solver import LEVELS

from .makers import MAKERS, NAMES
from .oracle import every_solution

SYMBOLS = ("red", "green", "blue")


def test_every_constraint_has_a_maker() -> None:
    assert set(MAKERS) == set(CONSTRAINTS)


def random_domains(rng: random.Random, low: int = -2, high: int = 6) -> dict[Variable, list[int]]:
    same = rng.sample(range(low, high), rng.randint(1, 5))
    equal = rng.random() < 0.4
    return {name: same if equal else rng.sample(range(low, high), rng.randint(1, 5)) for name in NAMES}


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_filter_loses_no_solution(kind: type[Constraint]) -> None:
    rng = random.Random(kind.__name__)
    narrowed = 0
    for _ in range(200):
        constraint = MAKERS[kind](rng)
        model = Model(random_domains(rng), [constraint])
        domains = [model.domains[variable] for variable in constraint.scope]
        kept = [set(values) for values in constraint.filter(domains)]
        assert all(after <= set(before) for after, before in zip(kept, domains, strict=True))
        narrowed += kept != [set(domain) for domain in domains]
        for solution in every_solution(model):
            assert all(solution[v] in values for v, values in zip(constraint.scope, kept, strict=True)), constraint
    assert narrowed


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_what_is_decided_is_so(kind: type[Constraint]) -> None:
    rng = random.Random(kind.__name__)
    seen = set()
    for _ in range(200):
        constraint = MAKERS[kind](rng)
        model = Model({name: rng.sample(range(-2, 6), rng.randint(1, 2)) for name in NAMES})
        known = constraint.decided(model.domains)
        holds = {constraint.check(values) for values in every_solution(model)}
        assert known is None or holds == {known}, (constraint, model)
        assert known is not None or any(len(model.domains[v]) > 1 for v in constraint.scope)
        seen.add(known)
    assert seen == {True, False, None}


@pytest.fixture(params=["tables", "bounds"])
def limits(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "bounds":
        monkeypatch.setattr(tabulated, "MAX_ROWS", 1)
        monkeypatch.setattr(cages, "MAX_STEPS", 0)
        monkeypatch.setattr(cages, "cage", cages.Cage)  # kept answers are of other limits
        for room in (comparison, linear):
            monkeypatch.setattr(room, "cage", cages.Cage)


@pytest.mark.usefixtures("limits")
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_solver_agrees_with_brute_force(kind: type[Constraint], level: str) -> None:
    rng = random.Random(f"{kind.__name__} {level}")
    for _ in range(80):
        constraints = [MAKERS[kind](rng)] + [rng.choice(list(MAKERS.values()))(rng) for _ in range(rng.randint(0, 2))]
        model = Model(random_domains(rng, high=4), constraints)
        expected = list(every_solution(model))
        solver = Solver(model, level)  # type: ignore[arg-type]
        found = list(solver.solutions())
        as_sets = [frozenset(solution.items()) for solution in found]
        assert len(set(as_sets)) == len(found)
        assert set(as_sets) == {frozenset(solution.items()) for solution in expected}
        assert solver.count().value == len(expected)
        left = solver.propagate()
        for solution in expected:
            assert left.holds and all(value in left.domains[v] for v, value in solution.items())  # type: ignore[index]


def test_symbols_can_be_equal_or_not() -> None:
    names = [Variable(name) for name in "AB"]
    model = Model(dict.fromkeys(names, SYMBOLS), [Equality(names[0], names[1], equal=False), AllDifferent.of(names)])
    assert Solver(model).count().value == len(list(every_solution(model))) == 6


def test_linear_is_domain_consistent_for_two_variables() -> None:
    rule = Linear(Affine.variable("x") * 2, "=", Affine.variable("y"))
    assert [set(kept) for kept in rule.filter([(1, 2, 3), (1, 2, 6)])] == [{1, 3}, {2, 6}]


def test_a_group_too_large_for_its_values_fails_without_search() -> None:
    model = Model({name: (1, 2, 3) for name in NAMES}, [AllDifferent.of(NAMES)])
    assert not Solver(model).propagate().holds
