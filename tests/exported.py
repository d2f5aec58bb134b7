"""Models for the tests of exports, and the solutions of other solvers."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path

from csp import (
    Affine,
    AllDifferent,
    Comparison,
    Constraint,
    Either,
    Equality,
    Increasing,
    Linear,
    Member,
    Model,
    Solver,
    Table,
    Variable,
    apply,
    element,
    ordered,
)
from csp.encoding.export import EXPORTS

from . import foreign
from .makers import MAKERS, NAMES, affine, any_kind, expression
from .oracle import every_solution

SOLVERS = {"minizinc": foreign.minizinc, "dimacs": foreign.dimacs, "swi-prolog": foreign.swi_prolog, "asp": foreign.asp}


def is_small(model: Model) -> bool:
    """Return whether all assignments of a model can be tried."""
    return prod(map(len, model.domains.values())) < 10_000


def comparable(solutions: list[foreign.Solution], model: Model) -> list[tuple[tuple[str, str], ...]]:
    """Return the shown values of some solutions, sorted."""
    shown = set(model.shown)
    return sorted(tuple(sorted((v, repr(w)) for v, w in solution.items() if v in shown)) for solution in solutions)


def solve_with(form: str, models: list[tuple[Model, str]], folder: Path) -> Iterator[list[foreign.Solution]]:
    """Yield the solutions of each model by a format's solver.

    For XCSP3, the solutions are the assignments that ``foreign.Instance`` accepts.
    """
    if form in SOLVERS:
        yield from SOLVERS[form](models, folder, 0)
        return
    for model, text in models:
        instance = foreign.Instance(text)
        assignments = every_solution(Model(model.domains)) if is_small(model) else Solver(model).solutions()
        yield [dict(values) for values in assignments if instance.holds(values)]


def agree(form: str, models: list[Model], folder: Path) -> None:
    """Check that a format's solver finds exactly each model's solutions."""
    answers = solve_with(form, [(model, EXPORTS[form](model)) for model in models], folder)
    for model, foreign_solutions in zip(models, answers, strict=True):
        solutions = list(every_solution(model) if is_small(model) else Solver(model).solutions())
        assert comparable(foreign_solutions, model) == comparable(solutions, model), [*map(str, model.constraints)]


def random_models(seed: str, count: int) -> Iterator[Model]:
    """Yield random models, with every kind of constraint in turn."""
    rng = random.Random(seed)
    kinds = list(MAKERS)
    for number in range(count):
        kinds_of_model = [kinds[number % len(kinds)], *rng.choices(kinds, k=rng.randint(0, 2))]
        domains = {name: rng.sample(range(-2, 4), rng.randint(1, 5)) for name in NAMES}
        yield Model(domains, [MAKERS[kind](rng) for kind in kinds_of_model])


LINE = [Variable("x", number) for number in (-1, 0, 2)]
GRID = [Variable("y", row, column) for row in (0, 1) for column in (0, 1)]


def random_element(rng: random.Random) -> Affine:
    """Return a random element of a line or of a grid."""
    index = apply("//", [affine(rng, NAMES[:1]), affine(rng, NAMES[1:2])])
    index = index if rng.random() < 0.2 else affine(rng, [rng.choice(NAMES)])
    if rng.random() < 0.6:
        return element([index], LINE)
    return element([index, rng.choice([Affine.variable("B"), Affine((), 1)])], GRID)


def increasing(rng: random.Random) -> Increasing:
    """Return a random order constraint with elements of lists."""
    expressions = [random_element(rng) if rng.random() < 0.2 else expression(rng, rng.randrange(2)) for _ in range(4)]
    return Increasing(tuple(expressions[: rng.randint(0, 4)]), label=rng.choice(["", "up"]))


def constraint_with_element(rng: random.Random) -> Constraint:
    """Return a random constraint on an element of a list."""
    first, second = random_element(rng), rng.choice([random_element(rng), Affine.variable("C"), Affine((), 1)])
    match rng.randrange(5):
        case 0:
            return Member(first, ordered(rng.sample(range(-2, 4), 3)))
        case 1 if second.variables and second != first:
            return AllDifferent((first, second))
        case 2:
            return Table("r", (first, second), tuple(product(rng.sample(range(-2, 4), 3), (1, 2))))
        case 3:
            return Comparison(first * rng.choice([0, 1, -2]) + second, rng.choice(["=", "<"]), first + 1)
    return Comparison(first, rng.choice(["=", "!=", "<="]), second)


def models_of_late_kinds(seed: str, count: int) -> Iterator[Model]:
    """Yield models of order constraints and elements, alone, in disjunctions and counted."""
    rng = random.Random(seed)
    for number in range(count):
        first = (increasing, constraint_with_element)[number % 2](rng)
        second = any_kind(rng, [Equality, Linear, Member]) if rng.random() < 0.7 else increasing(rng)
        number_of_true = apply("count", [first, second])
        rules = [
            first,
            Either((first, second), label="or"),
            Comparison(number_of_true, "=", Affine((), rng.randint(0, 2))),
        ]
        rule = rules[number // 2 % 3]
        names = rule.scope or NAMES[:1]
        yield Model(
            {name: rng.sample(range(-1, 3), rng.randint(2, 3 if len(names) < 8 else 2)) for name in names}, [rule]
        )
