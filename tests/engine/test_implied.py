"""Tests that implied constraints are correct and remove more values."""

from __future__ import annotations

import random
from itertools import combinations

import csp
import dsl
from csp import Affine, AllDifferent, Equality, Linear, Model, Settings, Solver, Variable
from csp.engine.compiled.rewrite import Rewriting
from csp.engine.compiled.rewrite.implied import add_groups, add_sums

WITHOUT_IMPLIED_SUMS = Settings(max_remaining=0)
"""Settings that derive no sums from groups."""


def derive_sums(model: Model) -> list[Linear]:
    """Return the sums that groups and sums of the model imply."""
    rewriting = Rewriting.of(model, ())
    add_sums(rewriting, Settings())
    return [c for c in rewriting.constraints[len(model.constraints) :] if isinstance(c, Linear)]


def derive_groups(model: Model) -> list[AllDifferent]:
    """Return the groups that inequalities of the model imply."""
    rewriting = Rewriting.of(model, ())
    add_groups(rewriting)
    return [c for c in rewriting.constraints[len(model.constraints) :] if isinstance(c, AllDifferent)]


def make_killer(rng: random.Random, cages: int) -> Model:
    """Return a 4x4 sudoku with sums over random connected cages."""
    empty = dsl.loads(
        "cell(R, C) in 1..4 :- R in 1..4, C in 1..4. all_different(cell(R, C) : C in 1..4) :- R in 1..4."
        "all_different(cell(R, C) : R in 1..4) :- C in 1..4."
        "all_different(cell(2*I + R, 2*J + C) : R in 1..2, C in 1..2) :- I in 0..1, J in 0..1."
    )
    solutions = list(Solver(empty).solutions())
    answer = rng.choice(solutions)
    free = {(r, c) for r in range(1, 5) for c in range(1, 5)}
    constraints = list(empty.constraints)
    for _ in range(cages):
        cage = [rng.choice(sorted(free))] if free else []
        while cage and len(cage) < rng.randint(1, 4):
            neighbours = {(r + a, c + b) for r, c in cage for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
            free_neighbours = sorted(neighbours & free - {*cage})
            if not free_neighbours:
                break
            cage.append(rng.choice(free_neighbours))
        free -= {*cage}
        if cage:
            cells = [Variable("cell", r, c) for r, c in cage]
            terms = tuple((1, cell) for cell in cells)
            constraints.append(Linear(Affine(terms), "=", Affine((), sum(answer[cell] for cell in cells))))  # type: ignore[misc]
    return Model(empty.domains, constraints)


def test_implied_sums_hold_in_every_solution() -> None:
    rng = random.Random(0)
    sum_count = 0
    for _ in range(60):
        model = make_killer(rng, rng.randint(2, 8))
        expected = list(Solver(model, settings=WITHOUT_IMPLIED_SUMS).solutions())
        sums = list(derive_sums(model))
        assert expected and all(implied_sum.check(solution) for implied_sum in sums for solution in expected)
        assert {frozenset(s.items()) for s in Solver(model).solutions()} == {frozenset(s.items()) for s in expected}
        sum_count += len(sums)
    assert sum_count > 500


def test_propagation_of_implied_sums_fixes_an_innie() -> None:
    row = AllDifferent.of("ABCDE", label="row")
    a, b, c, d = map(Affine.variable, "ABCD")
    sums = [Linear(a + b, "=", Affine((), 7)), Linear(c + d, "=", Affine((), 5))]
    model = Model({v: range(1, 6) for v in "ABCDE"}, [row, *sums])
    assert csp.propagate(model).domains["E"] == (3,)  # type: ignore[index]
    (implied_sum,) = derive_sums(model)
    assert str(implied_sum) == "E = 3" and implied_sum.label == "E = 3 from row, A + B = 7, C + D = 5"
    assert csp.propagate(model, settings=WITHOUT_IMPLIED_SUMS).domains["E"] == (1, 2, 3, 4, 5)  # type: ignore[index]


def test_a_group_with_spare_values_implies_no_sums() -> None:
    constraints = [AllDifferent.of("ABC"), Linear(Affine.variable("A") + Affine.variable("B"), "=", Affine((), 4))]
    assert not list(derive_sums(Model({v: range(1, 5) for v in "ABC"}, constraints)))


def test_propagation_refutes_a_clique_of_pairs_with_too_few_values() -> None:
    names = [Variable("x", i) for i in range(6)]
    pairs = [Equality(a, b, equal=False) for a, b in combinations(names, 2)]
    assert not csp.propagate(Model(dict.fromkeys(names, range(5)), pairs)).holds
    assert csp.count(Model(dict.fromkeys(names, range(6)), pairs)).value == 720


def test_implied_groups_are_cliques_of_pairs_without_spare_values() -> None:
    rng = random.Random(0)
    group_count = 0
    for _ in range(200):
        names = [Variable("x", i) for i in range(7)]
        pairs = [pair for pair in combinations(names, 2) if rng.random() < 0.7]
        inequalities = [Equality(a, b, equal=False) for a, b in pairs]
        model = Model({name: range(rng.randint(1, 3)) for name in names}, inequalities)
        for group in derive_groups(model):
            assert all(pair in pairs for pair in combinations(group.scope, 2))
            assert len({value for name in group.scope for value in model.domains[name]}) <= len(group.scope)
            group_count += 1
        assert Solver(model).count() == Solver(model, "arc").count()
    assert group_count > 100


def test_implied_sums_do_not_depend_on_the_order_of_constraints() -> None:
    rng = random.Random(45)
    for _ in range(30):
        model = make_killer(rng, rng.randint(2, 8))
        reordered = Model(model.domains, rng.sample(model.constraints, len(model.constraints)))
        assert {str(implied_sum) for implied_sum in derive_sums(model)} == {
            str(implied_sum) for implied_sum in derive_sums(reordered)
        }
