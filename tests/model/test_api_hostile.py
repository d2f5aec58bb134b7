"""Tests of invalid arguments, which the library refuses with a sentence."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

import pytest

import csp
import csp.explain
import csp.explain.proofs
import csp.parallel
from csp import ModelError, var

x, y = var("x"), var("y")
DOMAINS = {x: range(1, 4), y: range(1, 4)}
MODEL = csp.Model(DOMAINS, [x < y])
SOLVER = csp.Solver(MODEL)
SESSION = SOLVER.session()
ANY: Any = None

REFUSED: dict[str, tuple[Callable[[], object], str]] = {
    "a domain without end": (lambda: csp.Model({x: itertools.count()}), "10,000,000 values at most.*: 0, 1, "),
    "a domain of a billion": (lambda: csp.Model({x: range(10**9)}), "10,000,000 values at most"),
    "members of a billion": (lambda: csp.InDomain(x, range(10**9)), "10,000,000 values at most"),
    "an objective that is an expression": (lambda: csp.Model(DOMAINS, objective=x), "x is not an objective, such as"),  # type: ignore[arg-type]
    "an objective in words": (lambda: csp.Model(DOMAINS, objective="minimize"), "'minimize' is not an objective"),  # type: ignore[arg-type]
    "a layout of numbers": (lambda: csp.Model(DOMAINS, layout=[1]), "1 is not a csp.Entry"),  # type: ignore[list-item]
    "a layout that is drawn": (lambda: csp.Model(DOMAINS, drawn=[csp.Entry("b", (1,), x)]), "is not a csp.Drawn"),  # type: ignore[list-item]
    "an entry whose place is a number": (lambda: csp.Entry("board", 1, x), "1 is not a list of indices"),  # type: ignore[arg-type]
    "an equality by its sign": (lambda: csp.Equality(x, 1, "!="), "equal is True for = and False for !=, not '!='"),  # type: ignore[arg-type]
    "a table of one column": (lambda: csp.Table("", x, [(1,)]), "x is not a list of columns"),  # type: ignore[arg-type]
    "a table without rows": (lambda: csp.Table("", (x,), ANY), "None is not a list of rows"),
    "a table without a name": (lambda: csp.Table(ANY, (x,), ((1,),)), "None is not the name of a relation"),
    "a row that is a dict": (
        lambda: csp.Table("", (x, y), [{1: 2, 3: 4}]),
        "is not a row of a relation, such as the tuple",
    ),  # type: ignore[arg-type]
    "a row that is a set": (lambda: csp.Table("", (x, y), [{1, 2}]), "is not a row of a relation"),  # type: ignore[arg-type]
    "a division by zero": (lambda: x // 0, "x // 0 is a division by zero"),
    "a remainder by zero": (lambda: 5 % (x - x), "5 mod 0 is a division by zero"),
    "numbers for constraints": (lambda: x & y, r"x is a number.*& \| \^ are of constraints"),
    "the opposite of a number": (lambda: csp.negated(1), "1 is not a constraint, such as"),  # type: ignore[arg-type]
    "one number for a constraint": (lambda: (x == 1) ^ y, "y is not a constraint"),  # type: ignore[operator]
    "a strategy for a level": (lambda: csp.solve(MODEL, csp.Settings()), "settings are passed by name"),  # type: ignore[arg-type]
    "seconds for a strategy": (lambda: SOLVER.solve({}, 5), r"5 is not a csp.Settings, such as"),  # type: ignore[arg-type]
    "a strategy that is none": (lambda: csp.solve(MODEL, settings=5), r"5 is not a csp.Settings, such as"),  # type: ignore[arg-type]
    "a given that is a list": (lambda: SOLVER.solve({x: [1]}), r"\[1\] is neither an integer nor a symbol"),  # type: ignore[dict-item]
    "a given in quotes": (lambda: SOLVER.solve({x: "1"}), "x is given '1', which is not one of 1, 2, 3"),
    "a name for removals": (lambda: SOLVER.solutions(removed=["x"]), "'x' is not a candidate"),  # type: ignore[list-item]
    "domains for removals": (lambda: SESSION.removing({"x": [1]}), r"'x' is not a candidate, such as \('x', 1\)"),  # type: ignore[arg-type]
    "a label for a constraint": (lambda: SESSION.leaving_out(["row"]), "unknown constraint: row; numbers"),  # type: ignore[list-item]
    "no probes": (lambda: SOLVER.estimate(probes=0), "probes is at least 1, not 0"),
    "a claim in words": (lambda: csp.explain.why(MODEL, "x = 1"), "'x = 1' is not a claim, such as"),  # type: ignore[arg-type]
    "a symbol in a sum": (
        lambda: csp.Model({x: ["red", 1], y: [1]}, [csp.Linear(x + y, "=", 3, label="mix")]),
        "^mix: x can be the symbol red, and symbols have no arithmetic$",
    ),
    "a symbol among the greatest": (
        lambda: csp.Model({x: ["red"]}, [(x == "red") | (csp.Maximum(x, 2) == 2)]),
        "x = red ; max.x, 2. = 2: x can be the symbol red",
    ),
    "a symbol by its size": (lambda: csp.Model({x: ["red"], y: [1]}, [x <= y]), "x <= y: x can be the symbol red"),
    "the least symbol": (
        lambda: csp.Model({x: ["red"]}, objective=csp.Objective("minimize", x)),
        r"^minimize\(x\): x can be the symbol red",
    ),
    "no executor": (
        lambda: csp.parallel.count(SOLVER, ANY, 2),
        r"None is not an executor: open one by `with csp.parallel.workers\(2\)",
    ),
    "a model for a solver": (
        lambda: csp.parallel.solutions(ANY, ANY, 2),
        "None is not a solver: make one by csp.Solver",
    ),
    "pieces in words": (lambda: csp.parallel.split(SOLVER, ANY), "None is not a number of pieces"),
    "no solution to guard": (lambda: csp.explain.guard(SOLVER, ANY), "None says no givens"),
    "candidates up to a word": (lambda: csp.explain.candidates(SOLVER, ANY), "cutoff is an integer, not None"),
    "half a solution to certify": (
        lambda: csp.explain.proofs.certificate(SOLVER, {"x": 1}),
        "the given solution is not a solution",
    ),
}


@pytest.mark.parametrize("title", REFUSED)
def test_an_invalid_argument_is_refused(title: str) -> None:
    call, message = REFUSED[title]
    with pytest.raises((ModelError, TypeError, ValueError, IndexError), match=message):
        call()


def test_truth_values_are_read_as_numbers() -> None:
    model = csp.Model({x: [False, True]}, [x == True])  # noqa: E712
    answer = csp.solve(model)
    assert answer is not None and answer.__class__ is csp.Solution and repr(answer["x"]) == "1"
    assert repr(model.domains[csp.Variable("x")]) == "(0, 1)"


def test_families_claims_and_removals_accept_a_variable() -> None:
    answer = csp.solve(MODEL + (x == 2))
    assert answer is not None and answer.family(x) == {(): 2}
    assert csp.explain.why(MODEL + (x == 2), csp.explain.Claim(y, 3)).kind == "reasons"  # type: ignore[arg-type]
    assert SESSION.removing([(x, 1)]).domains == {"x": (2,), "y": (3,)}  # type: ignore[list-item]


SIGNS = {"==": x.__class__.__eq__, "!=": x.__class__.__ne__, "<": x.__class__.__lt__, "<=": x.__class__.__le__}


def make_condition(rng: random.Random, depth: int) -> tuple[csp.Constraint, Callable[[int, int], bool]]:
    """Return a random condition and the equivalent Python function."""
    if depth == 0:
        factor, addend, sign = rng.choice((-2, 1, 3)), rng.randint(-3, 3), rng.choice([*SIGNS])
        left, right = rng.choice([(x * factor + addend, y), (abs(x - y), x // 2 + addend), (x * y, +x % 2 + factor)])
        holds = eval(f"lambda x, y: ({left}) {sign} ({right})".replace("mod", "%"), {"abs": abs})
        return SIGNS[sign](left, right), holds
    (first, first_holds), (second, second_holds) = make_condition(rng, depth - 1), make_condition(rng, depth - 1)
    return rng.choice(
        [
            (first & second, lambda a, b: first_holds(a, b) and second_holds(a, b)),
            (first | second, lambda a, b: first_holds(a, b) or second_holds(a, b)),
            (first ^ second, lambda a, b: first_holds(a, b) != second_holds(a, b)),
            (~first, lambda a, b: not first_holds(a, b)),
            (first + second == 1, lambda a, b: first_holds(a, b) + second_holds(a, b) == 1),
        ]
    )


def test_conditions_have_their_meaning_in_python() -> None:
    rng = random.Random(28)
    domains = {x: range(-2, 4), y: range(-1, 4)}
    for _ in range(60):
        constraint, holds = make_condition(rng, rng.randrange(3))
        expected = [(a, b) for a in domains[x] for b in domains[y] if holds(a, b)]
        solutions = csp.Solver(csp.Model(domains, [constraint])).solutions()
        assert sorted((answer["x"], answer["y"]) for answer in solutions) == expected, constraint
