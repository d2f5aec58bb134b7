"""Compare counts and estimates with brute force and with published numbers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

import csp
import dsl
from csp import Affine, AllDifferent, Comparison, Constraint, Linear, Model, Settings, Solver

from ..conftest import ROOT, TIMES
from ..oracle import every_solution
from ..parametric import rows

NAMES = "abcdef"


def load(name: str, params: dict[str, csp.Value] | None = None, grids: dict[str, str] | None = None) -> Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", params, grids)


def random_constraint(rng: random.Random) -> Constraint:
    """Return a random constraint on few variables.

    Models of such constraints have many solutions and independent parts.
    """
    names = rng.sample(NAMES, rng.randint(2, 4))
    expressions = [Affine.variable(name) for name in names]
    kind = rng.random()
    if kind < 0.6:
        return AllDifferent.of(names)
    if kind < 0.7:
        return AllDifferent(
            tuple(expression + rng.randint(0, 2) * place for place, expression in enumerate(expressions))
        )
    if kind < 0.9:
        return Linear(
            sum(expressions[1:], expressions[0]),
            rng.choice(["<=", "=", "!="]),
            Affine((), rng.randint(3, 3 * len(expressions))),
        )
    return Comparison(
        csp.multiply(expressions[0], expressions[1]), rng.choice(["<=", "!="]), Affine((), rng.randint(2, 9))
    )


def models(seeds: range) -> Iterator[tuple[int, Model]]:
    """Yield seeds with random models."""
    for seed in seeds:
        rng = random.Random(seed)
        full_domain = tuple(range(1, rng.choice([3, 4, 4, 5]) + 1))
        domains = {name: full_domain for name in NAMES}
        for name in NAMES[: rng.choice([0, 0, 2, 4])]:
            domains[name] = tuple(sorted(rng.sample(full_domain, rng.randint(2, len(full_domain)))))
        constraints = [random_constraint(rng) for _ in range(rng.randint(1, 4))]
        if rng.random() < 0.4:
            constraints = [rule for rule in constraints if isinstance(rule, AllDifferent)]
        yield seed, Model(domains, constraints)


def test_counts_agree_with_brute_force() -> None:
    """Count at every level, with far fewer nodes than there are solutions."""
    nodes = total = 0
    for seed, model in models(range(36 * TIMES)):
        expected = sum(1 for _ in every_solution(model))
        count = Solver(model, csp.LEVELS[seed % 3]).count()
        assert count == csp.Count(expected, True), (seed, model)
        nodes, total = nodes + count.effort.nodes, total + expected
    assert 4 * nodes < total


def test_a_count_is_independent_of_earlier_counts_and_of_memory() -> None:
    latin = load("latin", params={"n": 4})
    solver = Solver(latin)
    givens: dict[str, csp.Value] = {"cell(1,1)": 1, "cell(2,2)": 2}
    matching = [solution for solution in solver.solutions() if givens.items() <= solution.items()]
    assert [solver.count().value, solver.count(givens).value, solver.count().value] == [576, len(matching), 576]
    assert Solver(latin, settings=Settings(max_cache_bytes=3_000)).count().value == 576
    narrower = solver.session(givens).given({"cell(3,3)": 3})
    assert narrower.count().value == sum(solution["cell(3,3)"] == 3 for solution in matching) > 0


@pytest.mark.parametrize(
    ("name", "params", "count", "max_nodes"),
    [
        ("latin", {"n": 5}, 161_280, 2_000),
        ("latin", {"n": 6}, 812_851_200, 60_000),
        ("sudoku", {"rows": 2, "cols": 3}, 28_200_960, 6_000),
    ],
)
def test_empty_squares_are_counted_exactly(name: str, params: dict[str, csp.Value], count: int, max_nodes: int) -> None:
    result = csp.count(load(name, params=params, grids={"clue": ""}), settings=Settings(nodes=max_nodes))
    assert result == csp.Count(count, True)


def test_counts_of_colourings_equal_chromatic_polynomials() -> None:
    k, n = 4, 60
    links = [AllDifferent.of([f"x{i}", f"x{i + 1}"]) for i in range(n - 1)]
    domains = {f"x{i}": range(k) for i in range(n)}
    assert csp.count(Model(domains, links), settings=Settings(nodes=1_000)) == csp.Count(k * (k - 1) ** (n - 1), True)
    ring = Model(domains, [*links, AllDifferent.of(["x0", f"x{n - 1}"])])
    assert csp.count(ring, settings=Settings(nodes=1_000)).value == (k - 1) ** n + (-1) ** n * (k - 1)


def test_a_chain_of_sums_is_counted_in_few_nodes() -> None:
    """Count a chain whose fixed variables are soon independent of unfixed ones."""
    x = [Affine.variable(f"x{i}") for i in range(40)]
    constraints: list[Constraint] = [Linear(a + b, "<=", Affine((), 5)) for a, b in pairwise(x)]
    ways = {value: 1 for value in range(1, 5)}
    for _ in constraints:
        ways = {v: sum(number for w, number in ways.items() if v + w <= 5) for v in ways}
    count = csp.count(Model({f"x{i}": range(1, 5) for i in range(40)}, constraints), settings=Settings(nodes=1_000))
    assert count == csp.Count(sum(ways.values()), True)


def test_independent_parts_are_counted_separately() -> None:
    """Count nine chains at one variable, declared step by step across the chains."""
    hub = Affine.variable("hub")
    arms = [[hub, *(Affine.variable(f"x{step}({arm})") for step in range(5))] for arm in range(9)]
    domains = {"hub": range(1, 5), **{f"x{step}({arm})": range(1, 5) for step in range(5) for arm in range(9)}}
    constraints: list[Constraint] = [Linear(a + b, "<=", Affine((), 6)) for arm in arms for a, b in pairwise(arm)]
    ways = {value: 1 for value in range(1, 5)}
    for _ in range(5):
        ways = {v: sum(number for w, number in ways.items() if v + w <= 6) for v in ways}
    count = csp.count(Model(domains, constraints), settings=Settings(nodes=1_000))
    assert count == csp.Count(sum(number**9 for number in ways.values()), True)


def test_solutions_are_enumerated_if_subproblems_do_not_repeat() -> None:
    """Count queens, whose remaining boards almost never repeat."""
    for n, expected in ((8, 92), (9, 352)):
        count = csp.count(load("queens", params={"n": n}))
        assert count.value == expected and count.effort.solutions >= expected
    assert ("n-queens", {"n": 8}, 92) in list(rows())


def test_a_limited_count_is_a_lower_bound_and_names_its_limit() -> None:
    solver = Solver(load("latin", params={"n": 6}, grids={"clue": ""}))
    short_count, long_count = (solver.count(settings=Settings(nodes=nodes)) for nodes in (1_000, 20_000))
    assert not short_count.complete and not long_count.complete and short_count.stopped == "the limit of 1000 nodes"
    assert 0 < short_count.value < long_count.value < 812_851_200


def test_estimates_are_accurate_and_reproducible() -> None:
    """Check six seeds within four standard errors, and estimates without random choices."""
    solver = Solver(load("latin", params={"n": 5}, grids={"clue": ""}))
    estimates = [solver.estimate(probes=200, seed=seed) for seed in range(6)]
    assert all(abs(estimate.value - 161_280) < 4 * estimate.error < 80_000 for estimate in estimates)
    assert len({estimate.value for estimate in estimates}) == 6 and solver.estimate(probes=200, seed=3) == estimates[3]
    row = Solver(Model({v: range(6) for v in NAMES}, [AllDifferent.of(NAMES)]))
    assert row.estimate(probes=5) == csp.Estimate(720, 0, 5)
    assert Solver(load("shidoku")).estimate(probes=3) == csp.Estimate(1, 0, 3)
    assert row.estimate({"a": 1, "b": 1}) == csp.Estimate(0, 0, 0)
    limited = solver.estimate(settings=Settings(nodes=100))
    assert 0 < limited.probes < 100 and limited.stopped == "the limit of 100 nodes"


def test_an_estimate_counts_shown_values_and_optimal_solutions() -> None:
    domains = {v: range(1, 4) for v in "ABC"}
    model_with_show = Model(domains, [AllDifferent.of("ABC")], show=["A"])
    assert Solver(model_with_show).estimate(probes=4) == csp.Estimate(3, 0, 4)
    model_with_objective = Model(
        domains, [AllDifferent.of("ABC")], objective=csp.Objective("maximize", Affine.variable("A"))
    )
    assert Solver(model_with_objective).estimate(probes=4) == csp.Estimate(2, 0, 4)
