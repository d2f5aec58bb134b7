"""Counts without enumeration, and estimates, against brute force and against numbers of the literature."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import pairwise

import pytest

import csp
import dsl
from csp import Affine, AllDifferent, Comparison, Constraint, Linear, Model, Settings, Solver

from .conftest import ROOT, TIMES
from .oracle import every_solution
from .parametric import rows

NAMES = "abcdef"


def load(name: str, params: dict[str, csp.Value] | None = None, grids: dict[str, str] | None = None) -> Model:
    return dsl.load(ROOT / "examples" / f"{name}.csp", params, grids)


def constraint(rng: random.Random) -> Constraint:
    """One that touches few variables, so that solutions are many and parts fall apart."""
    names = rng.sample(NAMES, rng.randint(2, 4))
    some = [Affine.variable(name) for name in names]
    kind = rng.random()
    if kind < 0.6:
        return AllDifferent.of(names)
    if kind < 0.7:
        return AllDifferent(tuple(one + rng.randint(0, 2) * place for place, one in enumerate(some)))
    if kind < 0.9:
        return Linear(sum(some[1:], some[0]), rng.choice(["<=", "=", "!="]), Affine((), rng.randint(3, 3 * len(some))))
    return Comparison(csp.multiply(some[0], some[1]), rng.choice(["<=", "!="]), Affine((), rng.randint(2, 9)))


def models(seeds: range) -> Iterator[tuple[int, Model]]:
    for seed in seeds:
        rng = random.Random(seed)
        whole = tuple(range(1, rng.choice([3, 4, 4, 5]) + 1))
        domains = {name: whole for name in NAMES}
        for name in NAMES[: rng.choice([0, 0, 2, 4])]:
            domains[name] = tuple(sorted(rng.sample(whole, rng.randint(2, len(whole)))))
        constraints = [constraint(rng) for _ in range(rng.randint(1, 4))]
        if rng.random() < 0.4:
            constraints = [one for one in constraints if isinstance(one, AllDifferent)]
        yield seed, Model(domains, constraints)


def test_counts_are_those_of_brute_force() -> None:
    """At every level; and far fewer states are looked at than there are solutions."""
    nodes = total = 0
    for seed, model in models(range(36 * TIMES)):
        expected = sum(1 for _ in every_solution(model))
        count = Solver(model, csp.LEVELS[seed % 3]).count()
        assert count == csp.Count(expected, True), (seed, model)
        nodes, total = nodes + count.effort.nodes, total + expected
    assert 4 * nodes < total


def test_a_count_does_not_depend_on_what_was_counted_before_or_on_memory() -> None:
    latin = load("latin", params={"n": 4})
    solver = Solver(latin)
    givens: dict[str, csp.Value] = {"cell(1,1)": 1, "cell(2,2)": 2}
    kept = [one for one in solver.solutions() if givens.items() <= one.items()]
    assert [solver.count().value, solver.count(givens).value, solver.count().value] == [576, len(kept), 576]
    assert Solver(latin, settings=Settings(max_cache_bytes=3_000)).count().value == 576
    narrower = solver.session(givens).given({"cell(3,3)": 3})
    assert narrower.count().value == sum(one["cell(3,3)"] == 3 for one in kept) > 0


@pytest.mark.parametrize(
    ("name", "params", "count", "most"),
    [
        ("latin", {"n": 5}, 161_280, 2_000),
        ("latin", {"n": 6}, 812_851_200, 60_000),
        ("sudoku", {"rows": 2, "cols": 3}, 28_200_960, 6_000),
    ],
)
def test_empty_squares_are_counted_exactly(name: str, params: dict[str, csp.Value], count: int, most: int) -> None:
    found = csp.count(load(name, params=params, grids={"clue": ""}), settings=Settings(nodes=most))
    assert found == csp.Count(count, True)


def test_colourings_of_a_path_and_of_a_ring_are_polynomials() -> None:
    k, n = 4, 60
    links = [AllDifferent.of([f"x{i}", f"x{i + 1}"]) for i in range(n - 1)]
    domains = {f"x{i}": range(k) for i in range(n)}
    assert csp.count(Model(domains, links), settings=Settings(nodes=1_000)) == csp.Count(k * (k - 1) ** (n - 1), True)
    ring = Model(domains, [*links, AllDifferent.of(["x0", f"x{n - 1}"])])
    assert csp.count(ring, settings=Settings(nodes=1_000)).value == (k - 1) ** n + (-1) ** n * (k - 1)


def test_a_chain_of_sums_is_counted_link_by_link() -> None:
    """A settled variable is forgotten as soon as nothing open is watched with it."""
    x = [Affine.variable(f"x{i}") for i in range(40)]
    links: list[Constraint] = [Linear(one + other, "<=", Affine((), 5)) for one, other in pairwise(x)]
    ways = {value: 1 for value in range(1, 5)}
    for _ in links:
        ways = {v: sum(many for w, many in ways.items() if v + w <= 5) for v in ways}
    count = csp.count(Model({f"x{i}": range(1, 5) for i in range(40)}, links), settings=Settings(nodes=1_000))
    assert count == csp.Count(sum(ways.values()), True)


def test_what_falls_apart_is_counted_part_by_part() -> None:
    """Nine chains hang on one variable and are told variable by variable across all of them."""
    hub = Affine.variable("hub")
    arms = [[hub, *(Affine.variable(f"x{step}({arm})") for step in range(5))] for arm in range(9)]
    domains = {"hub": range(1, 5), **{f"x{step}({arm})": range(1, 5) for step in range(5) for arm in range(9)}}
    links: list[Constraint] = [Linear(a + b, "<=", Affine((), 6)) for arm in arms for a, b in pairwise(arm)]
    ways = {value: 1 for value in range(1, 5)}
    for _ in range(5):
        ways = {v: sum(many for w, many in ways.items() if v + w <= 6) for v in ways}
    count = csp.count(Model(domains, links), settings=Settings(nodes=1_000))
    assert count == csp.Count(sum(many**9 for many in ways.values()), True)


def test_where_problems_do_not_meet_solutions_are_looked_at() -> None:
    """The queens tell this: what is left of a board is hardly ever left again."""
    for n, expected in ((8, 92), (9, 352)):
        count = csp.count(load("queens", params={"n": n}))
        assert count.value == expected and count.effort.solutions >= expected
    assert ("n-queens", {"n": 8}, 92) in list(rows())


def test_a_limit_leaves_a_count_that_is_too_low_and_says_so() -> None:
    solver = Solver(load("latin", params={"n": 6}, grids={"clue": ""}))
    few, more = (solver.count(settings=Settings(nodes=nodes)) for nodes in (1_000, 20_000))
    assert not few.complete and not more.complete and few.stopped == "the limit of 1000 nodes"
    assert 0 < few.value < more.value < 812_851_200


def test_estimates_are_near_and_repeat() -> None:
    """Within four standard errors of the count, for every seed alike, and exact where nothing is left to chance."""
    solver = Solver(load("latin", params={"n": 5}, grids={"clue": ""}))
    estimates = [solver.estimate(probes=200, seed=seed) for seed in range(6)]
    assert all(abs(one.value - 161_280) < 4 * one.error < 80_000 for one in estimates)
    assert len({one.value for one in estimates}) == 6 and solver.estimate(probes=200, seed=3) == estimates[3]
    row = Solver(Model({v: range(6) for v in NAMES}, [AllDifferent.of(NAMES)]))
    assert row.estimate(probes=5) == csp.Estimate(720, 0, 5)
    assert Solver(load("shidoku")).estimate(probes=3) == csp.Estimate(1, 0, 3)
    assert row.estimate({"a": 1, "b": 1}) == csp.Estimate(0, 0, 0)
    cut = solver.estimate(settings=Settings(nodes=100))
    assert 0 < cut.probes < 100 and cut.stopped == "the limit of 100 nodes"


def test_an_estimate_is_of_what_is_shown_and_of_the_best() -> None:
    domains = {v: range(1, 4) for v in "ABC"}
    shown = Model(domains, [AllDifferent.of("ABC")], show=["A"])
    assert Solver(shown).estimate(probes=4) == csp.Estimate(3, 0, 4)
    best = Model(domains, [AllDifferent.of("ABC")], objective=csp.Objective("maximize", Affine.variable("A")))
    assert Solver(best).estimate(probes=4) == csp.Estimate(2, 0, 4)
