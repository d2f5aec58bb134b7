"""What the tests of exports share: models, and what other solvers answer to them."""

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
    """Whether all assignments can be tried."""
    return prod(map(len, model.domains.values())) < 10_000


def comparable(solutions: list[foreign.Solution], model: Model) -> list[tuple[tuple[str, str], ...]]:
    shown = set(model.shown)
    return sorted(tuple(sorted((v, repr(w)) for v, w in own.items() if v in shown)) for own in solutions)


def answered(form: str, models: list[tuple[Model, str]], folder: Path) -> Iterator[list[foreign.Solution]]:
    """All solutions of every model: what a solver says, or, for XCSP3, what passes our own reading of the format."""
    if form in SOLVERS:
        yield from SOLVERS[form](models, folder, 0)
        return
    for model, text in models:
        instance = foreign.Instance(text)
        tried = every_solution(Model(model.domains)) if is_small(model) else Solver(model).solutions()
        yield [dict(values) for values in tried if instance.holds(values)]


def agree(form: str, models: list[Model], folder: Path) -> None:
    """Every solution passes the check, and every assignment that passes is a solution."""
    answers = answered(form, [(model, EXPORTS[form](model)) for model in models], folder)
    for model, found in zip(models, answers, strict=True):
        solutions = list(every_solution(model) if is_small(model) else Solver(model).solutions())
        assert comparable(found, model) == comparable(solutions, model), [*map(str, model.constraints)]


def random_models(seed: str, count: int) -> Iterator[Model]:
    rng = random.Random(seed)
    kinds = list(MAKERS)
    for number in range(count):
        chosen = [kinds[number % len(kinds)], *rng.choices(kinds, k=rng.randint(0, 2))]
        domains = {name: rng.sample(range(-2, 4), rng.randint(1, 5)) for name in NAMES}
        yield Model(domains, [MAKERS[kind](rng) for kind in chosen])


LINE = [Variable("x", number) for number in (-1, 0, 2)]
GRID = [Variable("y", row, column) for row in (0, 1) for column in (0, 1)]


def looked_up(rng: random.Random) -> Affine:
    """An element of a line or of a grid."""
    index = apply("//", [affine(rng, NAMES[:1]), affine(rng, NAMES[1:2])])
    index = index if rng.random() < 0.2 else affine(rng, [rng.choice(NAMES)])
    if rng.random() < 0.6:
        return element([index], LINE)
    return element([index, rng.choice([Affine.variable("B"), Affine((), 1)])], GRID)


def increasing(rng: random.Random) -> Increasing:
    made = [looked_up(rng) if rng.random() < 0.2 else expression(rng, rng.randrange(2)) for _ in range(4)]
    return Increasing(tuple(made[: rng.randint(0, 4)]), label=rng.choice(["", "up"]))


def about_an_element(rng: random.Random) -> Constraint:
    one, other = looked_up(rng), rng.choice([looked_up(rng), Affine.variable("C"), Affine((), 1)])
    match rng.randrange(5):
        case 0:
            return Member(one, ordered(rng.sample(range(-2, 4), 3)))
        case 1 if other.variables and other != one:
            return AllDifferent((one, other))
        case 2:
            return Table("r", (one, other), tuple(product(rng.sample(range(-2, 4), 3), (1, 2))))
        case 3:
            return Comparison(one * rng.choice([0, 1, -2]) + other, rng.choice(["=", "<"]), one + 1)
    return Comparison(one, rng.choice(["=", "!=", "<="]), other)


def models_of_late_kinds(seed: str, count: int) -> Iterator[Model]:
    """Increasing and elements, alone, among alternatives and counted, over few values."""
    rng = random.Random(seed)
    for number in range(count):
        one = (increasing, about_an_element)[number % 2](rng)
        other = any_kind(rng, [Equality, Linear, Member]) if rng.random() < 0.7 else increasing(rng)
        counted = apply("count", [one, other])
        rules = [one, Either((one, other), label="or"), Comparison(counted, "=", Affine((), rng.randint(0, 2)))]
        rule = rules[number // 2 % 3]
        names = rule.scope or NAMES[:1]
        yield Model(
            {name: rng.sample(range(-1, 3), rng.randint(2, 3 if len(names) < 8 else 2)) for name in names}, [rule]
        )
