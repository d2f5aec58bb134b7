"""Makers of random constraints of every kind."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import groupby

from csp import (
    COMPARE,
    Affine,
    All,
    AllDifferent,
    AllDifferentExcept,
    Circuit,
    Comparison,
    Connected,
    Constraint,
    DifferentTuples,
    Either,
    Element,
    Equality,
    Iff,
    Increasing,
    Inverse,
    Lexicographic,
    Linear,
    Member,
    Not,
    NValue,
    Runs,
    Selection,
    Table,
    Value,
    Variable,
    apply,
    multiply,
    ordered,
)

FAMILY = [Variable("x", 1), Variable("x", 2)]
NAMES = [*FAMILY, Variable("C"), Variable("D")]


def affine(rng: random.Random, names: list[Variable]) -> Affine:
    """Return a random affine expression of some variables."""
    total = Affine((), rng.randint(-3, 3))
    for name in names:
        total = total + Affine.variable(name) * rng.choice([-2, -1, 1, 1, 1, 3])
    return total


def expression(rng: random.Random, depth: int = 2) -> Affine:
    """Return a random expression with operations up to a depth."""
    if not depth:
        return affine(rng, rng.sample(NAMES, rng.choice([0, 1, 1, 1, 2])))
    operator = rng.choice(["*", "*", "//", "mod", "abs", "min", "max", "count", "+", "element", "selection", "nvalue"])
    count = {"abs": 1, "min": 3, "max": 3}.get(operator, 2)
    operands = [expression(rng, rng.randrange(depth)) for _ in range(count)]
    match operator:
        case "*":
            return multiply(*operands)
        case "+":
            return operands[0] + operands[1]
        case "selection":
            conditions = [rng.choice([None, any_kind(rng, [Equality, Linear, Member])]) for _ in operands]
            operation = rng.choice(["sum", "product", "min", "max"])
            default = -10_000_000 if operation == "max" else 10_000_000
            return Affine(((1, Selection(operation, tuple(zip(conditions, operands, strict=True)), default)),))
        case "nvalue":
            return Affine(((1, NValue(tuple(operands))),))
        case "element":
            return Affine(((1, Element("x", (operands[0],), tuple(FAMILY))),))
        case "count":
            return apply("count", [any_kind(rng, [Equality, Linear, Member]) for _ in range(rng.randint(1, 4))])
    return apply(operator, operands)


def all_different(rng: random.Random) -> Constraint:
    names = rng.sample(NAMES, rng.randint(1, 4))
    if rng.random() < 0.4:
        return AllDifferent.of(names)
    if rng.random() < 0.3:
        expressions = [expression(rng, 1) for _ in range(rng.randint(1, 3))]
        return AllDifferent(tuple(dict.fromkeys(e for e in expressions if e.variables)) or (Affine.variable("C"),))
    expressions = [affine(rng, [name]) for name in rng.choices(NAMES, k=rng.randint(1, 5))]  # a variable may come twice
    return AllDifferent(tuple(dict.fromkeys(expressions)))


def comparison(rng: random.Random) -> Constraint:
    choice = rng.random()
    if 0.3 < choice < 0.4:
        conditions = [Equality(name, rng.randint(-2, 5), rng.random() < 0.6) for name in rng.sample(NAMES, 4)]
        return Comparison(apply("count", conditions), rng.choice(list(COMPARE)), Affine((), rng.randint(0, 4)))
    if choice < 0.3:  # a cage
        product = Affine((), 1)
        for name in rng.sample(NAMES, rng.randint(2, 4)):
            product = multiply(product, Affine.variable(name))
        return Comparison(product * rng.choice([1, 1, 2]), "=", Affine((), rng.choice([2, 4, 6, 8, 12])))
    return Comparison(expression(rng), rng.choice(list(COMPARE)), expression(rng, 1))


def flat(rng: random.Random, count: int) -> tuple[Constraint, ...]:
    """Return some constraints of random kinds, rarely with nested constraints."""
    kinds = [kind for kind in MAKERS if kind not in (All, Either, Iff, Not)]
    return tuple(any_kind(rng, kinds if rng.random() < 0.9 else list(MAKERS)) for _ in range(count))


def either(rng: random.Random) -> Constraint:
    return Either(flat(rng, rng.randint(1, 3)))


def equality(rng: random.Random) -> Constraint:
    variable, other_variable = rng.sample(NAMES, 2)
    right = rng.choice([other_variable, variable, rng.randint(1, 4)])
    return Equality(variable, right, equal=rng.random() < 0.5)


def increasing(rng: random.Random) -> Constraint:
    names = rng.choices(NAMES, k=rng.randint(1, 4))  # a variable may come twice
    elements = [rng.choice([Affine.variable(name), affine(rng, [name])]) for name in names]
    if rng.random() < 0.2:
        elements.insert(rng.randint(0, len(elements)), rng.choice([Affine((), rng.randint(-1, 3)), expression(rng, 1)]))
    return Increasing(tuple(elements))


def element(rng: random.Random) -> Affine:
    """Return a variable, a number, an affine or, rarely, a larger expression."""
    if rng.random() < 0.1:
        return expression(rng, 1)
    return rng.choice([Affine.variable(rng.choice(NAMES)), affine(rng, [rng.choice(NAMES)]), affine(rng, [])])


def lexicographic(rng: random.Random) -> Constraint:
    pairs = [(element(rng), element(rng)) for _ in range(rng.randint(1, 3))]
    if rng.random() < 0.5:  # no variable twice
        names = rng.sample(NAMES, 4)
        pairs = [(Affine.variable(names[0]), Affine.variable(names[1])), (affine(rng, [names[2]]), element(rng))]
        pairs[1] = pairs[1][0], Affine.variable(names[3])
    left, right = zip(*pairs, strict=True)
    return Lexicographic(left, right, rng.random() < 0.5)


def different_tuples(rng: random.Random) -> Constraint:
    width = rng.randint(1, 2)
    rows = [[element(rng) for _ in range(width)] for _ in range(rng.randint(2, 4))]
    return DifferentTuples(tuple([tuple(row) for row in rows]))


def places(rng: random.Random, count: int) -> tuple[Affine, ...]:
    """Return expressions whose values may be places in a list."""
    names = rng.sample(NAMES, count) if rng.random() < 0.8 else rng.choices(NAMES, k=count)
    return tuple([Affine.variable(n) + rng.choice([0, 0, 0, 1]) if rng.random() < 0.9 else element(rng) for n in names])


def all_different_except(rng: random.Random) -> Constraint:
    elements = [term for _ in range(rng.randint(2, 6)) if (term := element(rng)).variables]
    return AllDifferentExcept(rng.randint(-1, 3), tuple(elements))


def inverse(rng: random.Random) -> Constraint:
    count = rng.randint(1, 2)
    elements = places(rng, 2 * count)
    return Inverse(elements[:count], elements[count:])


def connected(rng: random.Random) -> Constraint:
    count = rng.randint(1, 4)
    conditions: list[Constraint | None]
    conditions = [Equality(name, rng.randint(-1, 4), rng.random() < 0.6) for name in rng.sample(NAMES, count)]
    if rng.random() < 0.4:
        conditions = [rng.choice([None, any_kind(rng, [Equality, Linear, Member])]) for _ in range(count)]
    conditional_places = tuple([((place,), condition) for place, condition in enumerate(conditions)])
    rows = [(place, neighbour) for place in range(count) for neighbour in range(count) if rng.random() < 0.4]
    return Connected("near", conditional_places, tuple(rows))


def runs(rng: random.Random) -> Constraint:
    elements = [element(rng) for _ in range(rng.randint(1, 4))]
    if rng.random() < 0.6:  # no variable twice
        elements = [affine(rng, [name]) if rng.random() < 0.5 else Affine.variable(name) for name in NAMES]
        elements[1:1] = [Affine()] * rng.choice([0, 0, 1])
    values: dict[str, Value] = dict(zip(NAMES, rng.choices([-1, 0, 0, 1, 2, 3], k=len(NAMES)), strict=True))
    numbers = [0 if term.partial else term.number(values) for term in elements]
    return Runs(tuple(elements), tuple([sum(run) for is_run, run in groupby(numbers, bool) if is_run]))


def linear(rng: random.Random) -> Constraint:
    left, right = rng.sample(NAMES, rng.randint(1, 3)), rng.sample(NAMES, rng.randint(0, 2))
    return Linear(affine(rng, left), rng.choice(list(COMPARE)), affine(rng, right))


def member(rng: random.Random) -> Constraint:
    values = ordered(rng.sample(range(-3, 8), rng.randint(1, 4)))
    return Member(rng.choice([affine(rng, rng.sample(NAMES, rng.randint(1, 2))), expression(rng, 1)]), values)


def table(rng: random.Random) -> Constraint:
    names = rng.choices(NAMES, k=rng.randint(1, 3))
    columns = [rng.choice([affine(rng, [name]), Affine.variable(name)]) for name in names]
    if rng.random() < 0.3:
        columns[0] = expression(rng, 1)
    rows = dict.fromkeys(tuple(rng.randint(-2, 5) for _ in columns) for _ in range(rng.randint(0, 60)))
    terms = [c if rng.random() < 0.9 else rng.randint(-1, 3) for c in columns]
    return Table("r", tuple(terms), tuple(rows))


MAKERS: dict[type[Constraint], Callable[[random.Random], Constraint]] = {
    All: lambda rng: All(flat(rng, rng.randint(2, 3))),
    AllDifferent: all_different,
    AllDifferentExcept: all_different_except,
    Circuit: lambda rng: Circuit(places(rng, rng.randint(1, 4))),
    Comparison: comparison,
    Connected: connected,
    DifferentTuples: different_tuples,
    Either: either,
    Equality: equality,
    Iff: lambda rng: Iff(*flat(rng, 2)),
    Increasing: increasing,
    Inverse: inverse,
    Lexicographic: lexicographic,
    Linear: linear,
    Member: member,
    Not: lambda rng: Not(*flat(rng, 1)),
    Runs: runs,
    Table: table,
}


def any_kind(rng: random.Random, kinds: list[type[Constraint]]) -> Constraint:
    """Return a random constraint of one of the kinds."""
    return MAKERS[rng.choice(kinds)](rng)
