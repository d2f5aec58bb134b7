"""Tests of habits from other packages: each works, or raises a helpful error."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import networkx as nx
import pytest

import csp
import dsl
from csp import var

x, y, z = var("x"), var("y"), var("z")
FAMILY = [var("square", i) for i in (1, 2, 3)]
DOMAINS = {x: range(1, 4), y: range(1, 4), z: range(1, 4)}
SQUARES = {member: (i * i,) for i, member in enumerate(FAMILY, 1)}


COLOURS = "colour(N) in 1..3 :- N in 0..2. colour(A) != colour(B) :- edge(A, B)."


def count_solutions(*constraints: Any) -> int:
    """Count the solutions of a model of six variables with the constraints."""
    return csp.count(csp.Model({**DOMAINS, **SQUARES}, constraints)).value


def optimal_value(sense: Any, expression: csp.Expression) -> int:
    """Return the optimal value of an expression."""
    model = csp.Model(DOMAINS, objective=csp.Objective(sense, expression))
    solution = csp.solve(model)
    assert solution is not None
    return solution[expression]  # type: ignore[return-value]


def colour_graph(graph: nx.Graph) -> csp.Solution | None:
    """Colour the nodes of a graph with two colours, if possible."""
    edges = [var("colour", a) != var("colour", b) for a, b in graph.edges]
    return csp.solve(csp.Model({var("colour", node): ("red", "green") for node in graph}, edges))


WORKS: dict[str, tuple[Callable[[], object], object]] = {
    "CPMpy: x != y": (lambda: count_solutions(x != y), 18),
    "CPMpy: x == y + 1": (lambda: count_solutions(x == y + 1), 6),
    "CPMpy: x * y == 6": (lambda: count_solutions(x * y == 6), 6),
    "CPMpy: abs(x - y) >= 2": (lambda: count_solutions(abs(x - y) >= 2), 6),
    "CPMpy: x % 2 == 0": (lambda: count_solutions(x % 2 == 0), 9),
    "CPMpy: x // 2 == 1": (lambda: count_solutions(x // 2 == 1), 18),
    "CPMpy: sum([x, y, z]) == 9": (lambda: count_solutions(sum([x, y, z]) == 9), 1),
    "CPMpy: sum(e == 1 for e in [x, y, z]) == 2": (lambda: count_solutions(sum([e == 1 for e in (x, y, z)]) == 2), 6),
    "CPMpy: (x == 1) | (y == 1)": (lambda: count_solutions((x == 1) | (y == 1)), 15),
    "CPMpy: ~(x == 1) & (y > 1)": (lambda: count_solutions(~(x == 1) & (y > 1)), 12),
    "CPMpy: AllDifferent([x, y, z])": (lambda: count_solutions(csp.AllDifferent([x, y, z])), 6),  # type: ignore[arg-type]
    "CPMpy: InDomain(x + y, [3, 5])": (lambda: count_solutions(csp.InDomain(x + y, [3, 5])), 12),
    "CPMpy: Maximum([x, y]) == 2": (lambda: count_solutions(csp.Maximum([x, y]) == 2), 9),
    "CPMpy: Maximum(x, y) == 2": (lambda: count_solutions(csp.Maximum(x, y) == 2), 9),
    "CPMpy: Minimum(x, y, 2) == 2": (lambda: count_solutions(csp.Minimum(x, y, 2) == 2), 12),
    "CPMpy: (x == 1) <= (y == 1)": (lambda: count_solutions((x == 1) <= (y == 1)), 21),
    "CPMpy: (x == 1) < 1": (lambda: count_solutions((x == 1) < 1), 18),
    "CPMpy: (x == 1) > (y == 1)": (lambda: count_solutions((x == 1) > (y == 1)), 6),
    "CPMpy: (x == 1) >= y": (lambda: count_solutions((x == 1) >= y), 3),
    "CPMpy: -(x == 1) + y == 0": (lambda: count_solutions(-(x == 1) + y == 0), 3),
    "CPMpy: minimize(x + y)": (lambda: optimal_value("minimize", x + y), 2),
    "CPMpy: model += constraint": (lambda: csp.count(csp.Model(DOMAINS) + (x < y) + [y < z]).value, 1),
    "OR-tools: 3 - x >= y": (lambda: count_solutions(3 - x >= y), 9),
    "OR-tools: -x + 2 * y <= 1": (lambda: count_solutions(-x + 2 * y <= 1), 12),
    "OR-tools: 2 <= x": (lambda: count_solutions(x >= 2), 18),
    "OR-tools: solver.value(x)": (lambda: csp.solve(csp.Model({x: (2,)}))[x], 2),  # type: ignore[index]
    "OR-tools: a dict of variables": (lambda: {x: 1, y: 2}[y], 2),
    "OR-tools: a dict asked with a variable made anew": (lambda: {x: 1, y: 2}[var("y")], 2),
    "OR-tools: a set asked with a variable made anew": (lambda: var("x") in {x, y} and var("z") not in {x, y}, True),
    "OR-tools: domains of a variable": (lambda: csp.Model(DOMAINS).domains[x], (1, 2, 3)),  # type: ignore[index]
    "OR-tools: domains after propagation": (lambda: csp.propagate(csp.Model(DOMAINS, [x > y])).domains[x], (2, 3)),  # type: ignore[index]
    "OR-tools: AddElement": (lambda: count_solutions(csp.Expression.of(csp.element([x], FAMILY)) == y), 3),
    "OR-tools: AddInverse": (lambda: count_solutions(csp.Inverse((x, y, z), (x, y, z))), 4),
    "OR-tools: enumerate all": (lambda: len(list(csp.Solver(csp.Model(DOMAINS)).solutions())), 27),
    "z3: Or(x == 1, y == 1)": (lambda: count_solutions(csp.Or(x == 1, y == 1)), 15),
    "z3: And([x < y, y < z])": (lambda: count_solutions(csp.And([x < y, y < z])), 1),  # type: ignore[arg-type]
    "z3: Not(x == y)": (lambda: count_solutions(csp.Not(x == y)), 18),
    "z3: Implies(x == 1, y == 1)": (lambda: count_solutions(csp.Implies(x == 1, y == 1)), 21),
    "z3: Distinct(x, y, z)": (lambda: count_solutions(csp.Distinct(x, y, z)), 6),
    "z3: Distinct()": (lambda: count_solutions(csp.Distinct()), 27),
    "z3: x ** 2 == 4": (lambda: count_solutions(x**2 == 4), 9),
    "z3: hypotheses": (lambda: csp.Solver(csp.Model(DOMAINS)).count({x: 1, y: 2}).value, 3),  # type: ignore[dict-item]
    "z3: check a model": (lambda: csp.verdict(csp.Model(DOMAINS, [x < y, y < z])).solutions, "one"),
    "python-constraint: if there is a solution": (
        lambda: [bool(csp.count(csp.Model(DOMAINS, [x < y, rule]))) for rule in (y < z, y < x)],
        [True, False],
    ),
    "python-constraint: int(count)": (lambda: int(csp.count(csp.Model(DOMAINS))), 27),
    "python-constraint: addVariables with strings": (
        lambda: csp.count(csp.Model({v: ("a", "b") for v in "pq"}, [var("p") != var("q")])).value,
        2,
    ),
    "python-constraint: tuples that are allowed": (lambda: count_solutions(csp.Table("", (x, y), ((1, 2), (2, 1)))), 6),
    "networkx: nodes and edges": (lambda: sorted(colour_graph(nx.path_graph(3)).family("colour")), [0, 1, 2]),  # type: ignore[union-attr]
    "networkx: edges as facts": (
        lambda: csp.count(dsl.loads(COLOURS, facts={"edge": nx.path_graph(3).edges})).value,
        12,
    ),
}

TEACHES: dict[str, tuple[Callable[[], object], str]] = {
    "CPMpy: x / 2": (lambda: x / 2, "// rounds down"),
    "CPMpy: 2 / x": (lambda: 2 / x, "// rounds down"),
    "CPMpy: 2 ** x": (lambda: 2**x, "an exponent is known"),  # type: ignore[operator]
    "CPMpy: ~x": (lambda: ~x, r"such as ~\(x == 1\)"),
    "CPMpy: InDomain(x, 5)": (lambda: csp.InDomain(x, 5), "5 is not a list of values"),  # type: ignore[arg-type]
    "CPMpy: minimize(x == 1)": (lambda: csp.Objective("minimize", x == 1), "^x = 1 is a constraint, and no"),  # type: ignore[arg-type]
    "CPMpy: solve(model, givens)": (lambda: csp.solve(csp.Model(DOMAINS), {x: 1}), r"\{x: 1\} are givens.*\.solve\("),  # type: ignore[arg-type]
    "CPMpy: a truth for an index": (lambda: var("x", True), "the index True is a truth value; an integer is 1"),
    "CPMpy: a name that is empty": (lambda: var(""), "'' is not a name"),
    "CPMpy: an index of no name": (lambda: var("", 1), "'' is not a name"),
    "CPMpy: a model with a name that is empty": (lambda: csp.Model({"": (1,)}), "'' is not a name"),
    "CPMpy: two domains": (lambda: csp.Model({x: [1], "x": [2]}), "x has two domains"),  # type: ignore[dict-item]
    "CPMpy: show one of a family": (
        lambda: csp.Model(SQUARES, show=["square(1)"]),
        "such as 'square', and 'square.1.' is one",
    ),
    "CPMpy: show a variable": (lambda: csp.Model(DOMAINS, show=[x]), "such as 'x', and x is one"),  # type: ignore[list-item]
    "CPMpy: show a text": (lambda: csp.Model(SQUARES, show="square"), r"write \['square'\]"),
    "CPMpy: x * 0.5": (lambda: x * 0.5, "neither an integer nor an expression"),  # type: ignore[operator]
    "CPMpy: solve(time_limit=1)": (lambda: csp.solve(csp.Model(DOMAINS), time_limit=1), "timeout"),
    "OR-tools: 1 <= x <= 2": (lambda: count_solutions(1 <= x <= 2), r"write & for and.*\(1 < x\) & \(x < 3\)"),
    "OR-tools: AddElement(x, [y])": (lambda: csp.element(x, [y]), r"csp\.element\(\[x\], members\)"),  # type: ignore[arg-type]
    "OR-tools: AddElement([x], y)": (lambda: csp.element([x], y), "y is not a list"),  # type: ignore[arg-type]
    "OR-tools: a list of hints": (lambda: csp.Solver(csp.Model(DOMAINS)).solve([x]), r"\[x\] says no givens"),  # type: ignore[arg-type]
    "OR-tools: pickle.dumps(session)": (
        lambda: pickle.dumps(csp.Solver(csp.Model(DOMAINS)).session()),
        "its solver is, and solver.session",
    ),
    "OR-tools: max(x, y)": (lambda: max(x, y), "neither true nor false before it is solved"),
    "z3: x == 1 or y == 1": (lambda: count_solutions(x == 1 or y == 1), r"\| for or"),
    "z3: (x == 1) == (y == 1)": (lambda: count_solutions((x == 1) == (y == 1)), r"csp.Iff\(a, b\)"),
    "z3: x and y": (lambda: x and y, "x is neither true nor false before it is solved; x != 0"),
    "z3: if not x": (lambda: 1 if not x else 2, "x is neither true nor false"),
    "z3: Or()": (lambda: csp.Or(), "Or is of one constraint or more"),
    "z3: And([])": (lambda: csp.And([]), "And is of one constraint or more"),  # type: ignore[arg-type]
    "z3: Implies(True, c)": (lambda: csp.Implies(True, x == 1), "True is not a constraint"),  # type: ignore[arg-type]
    "z3: Implies(x, c)": (lambda: csp.Implies(x, x == 1), "x is not a constraint, such as"),  # type: ignore[arg-type]
    "z3: if x == y": (lambda: 1 if x == y else 2, "outside of if and in"),
    "python-constraint: strings for variables": (lambda: count_solutions(csp.AllDifferent(("x", "y"))), "csp.var"),  # type: ignore[arg-type]
    "python-constraint: a function": (lambda: count_solutions(lambda a, b: a < b), "not a constraint, such as"),
    "python-constraint: a variable without values": (lambda: csp.Model({"a": []}), "the domain of a is empty"),
    "networkx: names compared as strings": (lambda: count_solutions("x" != "y"), "True is not a constraint"),
}


@pytest.mark.parametrize("habit", WORKS)
def test_a_habit_of_another_package_works(habit: str) -> None:
    call, expected = WORKS[habit]
    assert call() == expected


@pytest.mark.parametrize("habit", TEACHES)
def test_a_habit_that_does_not_work_is_explained(habit: str) -> None:
    call, message = TEACHES[habit]
    with pytest.raises((csp.ModelError, TypeError), match=message):
        call()


def test_at_least_forty_habits_are_tested() -> None:
    assert len(WORKS) + len(TEACHES) >= 40
