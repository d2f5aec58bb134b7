"""What follows from several constraints holds in every solution, and finds what single constraints do not."""

from __future__ import annotations

import random
from itertools import combinations

import csp
import dsl
from csp import Affine, AllDifferent, Equality, Linear, Model, Settings, Solver, Variable
from csp.engine.compiled.rewrite import Rewriting
from csp.engine.compiled.rewrite.implied import add_groups, add_sums

NONE = Settings(max_remaining=0)
"""Without sums that follow from groups."""


def implied_sums(model: Model) -> list[Linear]:
    rewriting = Rewriting.of(model, ())
    add_sums(rewriting, Settings())
    return [one for one in rewriting.constraints[len(model.constraints) :] if isinstance(one, Linear)]


def implied_groups(model: Model) -> list[AllDifferent]:
    rewriting = Rewriting.of(model, ())
    add_groups(rewriting)
    return [one for one in rewriting.constraints[len(model.constraints) :] if isinstance(one, AllDifferent)]


def killer(rng: random.Random, cages: int) -> Model:
    """A 4x4 sudoku with sums over random connected cages."""
    empty = dsl.loads(
        "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. all_different(cell(R, C) : C in 1..4) :- R in 1..4."
        "all_different(cell(R, C) : R in 1..4) :- C in 1..4."
        "all_different(cell(2*I + R, 2*J + C) : R in 1..2, C in 1..2) :- I in 0..1, J in 0..1."
    )
    everything = list(Solver(empty).solutions())
    answer = rng.choice(everything)
    free = {(r, c) for r in range(1, 5) for c in range(1, 5)}
    constraints = list(empty.constraints)
    for _ in range(cages):
        cage = [rng.choice(sorted(free))] if free else []
        while cage and len(cage) < rng.randint(1, 4):
            beside = {(r + a, c + b) for r, c in cage for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
            near = sorted(beside & free - {*cage})
            if not near:
                break
            cage.append(rng.choice(near))
        free -= {*cage}
        if cage:
            cells = [Variable("cell", r, c) for r, c in cage]
            terms = tuple((1, cell) for cell in cells)
            constraints.append(Linear(Affine(terms), "=", Affine((), sum(answer[cell] for cell in cells))))  # type: ignore[misc]
    return Model(empty.domains, constraints)


def test_implied_sums_hold_in_every_solution() -> None:
    rng = random.Random(0)
    made = 0
    for _ in range(60):
        model = killer(rng, rng.randint(2, 8))
        expected = list(Solver(model, settings=NONE).solutions())
        sums = list(implied_sums(model))
        assert expected and all(one.check(solution) for one in sums for solution in expected)
        assert {frozenset(s.items()) for s in Solver(model).solutions()} == {frozenset(s.items()) for s in expected}
        made += len(sums)
    assert made > 500


def test_they_find_an_innie_without_search() -> None:
    row = AllDifferent.of("ABCDE", label="row")
    a, b, c, d = map(Affine.variable, "ABCD")
    sums = [Linear(a + b, "=", Affine((), 7)), Linear(c + d, "=", Affine((), 5))]
    model = Model({v: range(1, 6) for v in "ABCDE"}, [row, *sums])
    assert csp.propagate(model).domains["E"] == (3,)  # type: ignore[index]
    (found,) = implied_sums(model)
    assert str(found) == "E = 3" and found.label == "E = 3 from row, A + B = 7, C + D = 5"
    assert csp.propagate(model, settings=NONE).domains["E"] == (1, 2, 3, 4, 5)  # type: ignore[index]


def test_no_sums_follow_where_a_group_is_not_tight() -> None:
    wide = [AllDifferent.of("ABC"), Linear(Affine.variable("A") + Affine.variable("B"), "=", Affine((), 4))]
    assert not list(implied_sums(Model({v: range(1, 5) for v in "ABC"}, wide)))


def test_a_clique_of_pairs_with_too_few_values_fails_without_search() -> None:
    names = [Variable("x", i) for i in range(6)]
    pairs = [Equality(a, b, equal=False) for a, b in combinations(names, 2)]
    assert not csp.propagate(Model(dict.fromkeys(names, range(5)), pairs)).holds
    assert csp.count(Model(dict.fromkeys(names, range(6)), pairs)).value == 720


def test_groups_are_tight_cliques_of_pairs() -> None:
    rng = random.Random(0)
    made = 0
    for _ in range(200):
        names = [Variable("x", i) for i in range(7)]
        every = [pair for pair in combinations(names, 2) if rng.random() < 0.7]
        apart = [Equality(a, b, equal=False) for a, b in every]
        model = Model({name: range(rng.randint(1, 3)) for name in names}, apart)
        for group in implied_groups(model):
            assert all(pair in every for pair in combinations(group.scope, 2))
            assert len({value for name in group.scope for value in model.domains[name]}) <= len(group.scope)
            made += 1
        assert Solver(model).count() == Solver(model, "arc").count()
    assert made > 100


def test_the_order_of_the_constraints_does_not_matter() -> None:
    rng = random.Random(45)
    for _ in range(30):
        model = killer(rng, rng.randint(2, 8))
        turned = Model(model.domains, rng.sample(model.constraints, len(model.constraints)))
        assert {str(one) for one in implied_sums(model)} == {str(one) for one in implied_sums(turned)}
