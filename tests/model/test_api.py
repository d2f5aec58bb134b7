"""Tests of the library: operands, operators, domains, answers, settings and refusals."""

from __future__ import annotations

import copy
import pickle
import pydoc
import random
import re
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from click.testing import CliRunner

import csp
import dsl
from csp import CONSTRAINTS, Affine, Constraint, ModelError, var
from dsl.cli import main

from ..conftest import ROOT, TIMES

x, y = var("x"), var("y")
HOLDS = x == 1

KINDS: dict[type[Constraint], Callable[[Any], object]] = {
    csp.All: lambda operand: csp.All((HOLDS, operand)),
    csp.AllDifferent: lambda operand: csp.AllDifferent((x, operand)),
    csp.AllDifferentExcept: lambda operand: csp.AllDifferentExcept(0, (x, operand)),
    csp.Circuit: lambda operand: csp.Circuit((x, operand)),
    csp.Comparison: lambda operand: csp.Comparison(x, "=", operand),
    csp.Connected: lambda operand: csp.Connected("near", (((1,), operand),), ()),
    csp.DifferentTuples: lambda operand: csp.DifferentTuples(((x, operand), (y, 1))),
    csp.Either: lambda operand: csp.Either((HOLDS, operand)),
    csp.Equality: lambda operand: csp.Equality(operand, 1),
    csp.Iff: lambda operand: csp.Iff(HOLDS, operand),
    csp.Increasing: lambda operand: csp.Increasing((x, operand)),
    csp.Inverse: lambda operand: csp.Inverse((x,), (operand,)),
    csp.Lexicographic: lambda operand: csp.Lexicographic((x,), (operand,)),
    csp.Linear: lambda operand: csp.Linear(x, "<", operand),
    csp.Member: lambda operand: csp.Member(operand, (1, 2)),
    csp.Not: lambda operand: csp.Not(operand),
    csp.Runs: lambda operand: csp.Runs((x, operand), (1,)),
    csp.Table: lambda operand: csp.Table("r", (x, operand), ((1, 2),)),
}
OTHERS: dict[str, Callable[[Any], object]] = {
    "multiply": lambda operand: csp.multiply(x, operand),
    "apply": lambda operand: csp.apply("max", [x, operand]),
    "NValue": lambda operand: csp.NValue((x, operand)),
    "Selection": lambda operand: csp.Selection("sum", ((HOLDS, operand),)),
    "Objective": lambda operand: csp.Objective("minimize", operand),
    "element": lambda operand: csp.element([operand], [csp.Variable("f", 1)]),
}
TAKES_SYMBOLS = {csp.DifferentTuples, csp.Equality, csp.Table}


class Integer:
    """An integer of another package."""

    def __init__(self, number: int) -> None:
        self._number = number

    def __index__(self) -> int:
        return self._number


def test_the_table_has_every_kind_of_constraint() -> None:
    assert set(KINDS) == set(CONSTRAINTS), "tests/test_api.py: write an example of each kind in KINDS"


@pytest.mark.parametrize("operand", [1.5, 2.0, ..., [1], {}], ids=repr)
@pytest.mark.parametrize("make", [*KINDS.values(), *OTHERS.values()], ids=[*[k.__name__ for k in KINDS], *OTHERS])
def test_an_invalid_operand_is_refused(make: Callable[[Any], object], operand: object) -> None:
    with pytest.raises(ModelError, match=r"is neither an integer nor|is not a constraint|is not a variable"):
        make(operand)


@pytest.mark.parametrize("kind", [kind for kind in CONSTRAINTS if kind not in TAKES_SYMBOLS])
def test_a_name_as_a_string_is_refused(kind: type[Constraint]) -> None:
    with pytest.raises(ModelError, match=r"csp\.var\('y'\)"):
        KINDS[kind]("y")


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_a_kind_that_accepts_symbols_can_check_them(kind: type[Constraint]) -> None:
    """Check kinds on symbols.

    A kind that calculates with all of its operands belongs in ``ORDERED_KINDS`` of ``csp/model/model.py``.
    """
    try:
        constraint = KINDS[kind](y)
        csp.Model(dict.fromkeys(("x", "y"), ("blue", "red")), [constraint])  # type: ignore[list-item]
    except ModelError:
        return
    assert constraint.check({"x": "red", "y": "red"}) in (True, False)  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_a_constraint_with_an_undefined_operand_does_not_hold(kind: type[Constraint]) -> None:
    try:
        constraint: Any = KINDS[kind](x // y)
    except ModelError:
        return
    values = {"x": 1, "y": 0}
    shortened = (
        [replace(constraint, elements=constraint.elements[-1:])]
        if getattr(constraint, "sides", ()) == ("elements",)
        else []
    )
    for checked in (constraint, *shortened):
        assert not checked.check(values)
        parts = checked.decompose() if kind.decompose is not Constraint.decompose else [checked]
        assert not all(part.check(values) for part in parts), f"{checked} is more than its simpler parts"


def test_a_symbol_in_the_place_of_a_variable_is_refused() -> None:
    domains = {"A": range(1, 4), "B": range(1, 4)}
    constraints = [
        csp.Equality("A", "B"),  # type: ignore[arg-type]
        var("A") != "B",
        csp.Either((csp.Equality("A", "B"),)),  # type: ignore[arg-type]
        csp.Comparison(csp.apply("count", [var("A") == "B"]), "=", Affine((), 1)),
        csp.Member(var("A"), ("B", 1)),
        csp.Table("r", ("A", "B"), ((1, 2),)),
        csp.DifferentTuples((("A", "B"), ("B", "A"))),
    ]
    for constraint in constraints:
        with pytest.raises(ModelError, match=r"is a symbol there.*csp\.var"):
            csp.Model(domains, [constraint])
    colours = csp.Model({"red": ("red", "blue"), "blue": ("red", "blue")}, [csp.Equality("red", "blue")])  # type: ignore[arg-type]
    assert csp.count(colours).value == 2  # among the values it is a symbol
    with pytest.raises(dsl.SpecError, match="is a symbol there"):
        dsl.loads("A in 1..2.  B in 1..2.  A = 'B' ; A = 2.")


def test_a_table_refuses_rows_of_another_width() -> None:
    with pytest.raises(ModelError, match=r"\(1,\) has not 2 columns"):
        csp.Table("r", (x, y), ((1, 2), (1,)))
    with pytest.raises(ModelError, match="3 is not a row"):
        csp.Table("r", (x,), (3,))  # type: ignore[arg-type]


def make_expression(rng: random.Random, depth: int) -> tuple[csp.Expression, str]:
    """Return a random expression and its text in Python."""
    if depth == 0:
        name = rng.choice("xy")
        return var(name), name
    first, first_text = make_expression(rng, depth - 1)
    second, second_text = make_expression(rng, rng.randrange(depth))
    number = rng.choice((-3, -1, 2, 5))
    return rng.choice(
        [
            (first + second, f"({first_text} + {second_text})"),
            (first - second, f"({first_text} - {second_text})"),
            (number - first, f"({number} - {first_text})"),
            (number + first, f"({number} + {first_text})"),
            (first * second, f"({first_text} * {second_text})"),
            (number * first, f"({number} * {first_text})"),
            (first // number, f"({first_text} // {number})"),
            (first % number, f"({first_text} % {number})"),
            (first // (abs(second) + 1), f"({first_text} // (abs({second_text}) + 1))"),
            (number % (abs(second) + 1), f"({number} % (abs({second_text}) + 1))"),
            (-first, f"(-{first_text})"),
            (abs(first), f"abs({first_text})"),
            (first**2, f"({first_text} ** 2)"),
            (csp.Maximum([first, second]), f"max({first_text}, {second_text})"),
            ((first < second) + first, f"(({first_text} < {second_text}) + {first_text})"),
        ]
    )


def make_condition(rng: random.Random, depth: int) -> tuple[Constraint, str]:
    """Return a random condition and its text in Python."""
    first, first_text = make_expression(rng, rng.randrange(3))
    second, second_text = make_expression(rng, rng.randrange(2))
    if rng.random() < 0.3:
        second, second_text = 3, "3"  # type: ignore[assignment]
    comparisons = [
        (first == second, f"({first_text} == {second_text})"),
        (first != second, f"({first_text} != {second_text})"),
        (first < second, f"({first_text} < {second_text})"),
        (first <= second, f"({first_text} <= {second_text})"),
        (first > second, f"({first_text} > {second_text})"),
        (second >= first, f"({second_text} >= {first_text})"),
    ]
    if depth == 0:
        return rng.choice(comparisons)
    (left, left_text), (right, right_text) = make_condition(rng, depth - 1), make_condition(rng, rng.randrange(depth))
    return rng.choice(
        [
            (left & right, f"({left_text} and {right_text})"),
            (left | right, f"({left_text} or {right_text})"),
            (~left, f"(not {left_text})"),
            (csp.Implies(left, right), f"(not {left_text} or {right_text})"),
        ]
    )


def all_parts(part: Any) -> Iterator[Any]:
    """Yield a constraint and all of its parts, nested ones too."""
    yield part
    atoms = part.atoms if isinstance(part, Affine) else [part]
    for atom in atoms:
        for nested in atom.parts():
            yield from all_parts(nested)


def test_operators_have_their_meaning_in_python_and_make_plain_data() -> None:
    rng = random.Random("operators")
    kinds = set()
    for _ in range(150 * TIMES):
        condition, text = make_condition(rng, rng.randrange(3))
        meaning = eval(f"lambda x, y: {text}")
        model = csp.Model({x: range(-2, 4), y: range(-2, 4)}, [condition])
        expected = [pair for pair in product(range(-2, 4), repeat=2) if meaning(*pair)]
        solutions = sorted((solution[x], solution[y]) for solution in csp.Solver(model).solutions())
        assert solutions == expected, text
        assert not any(isinstance(part, csp.Expression) for part in all_parts(condition)), text
        assert pickle.loads(pickle.dumps(model)) == model and hash(model) == hash(copy.deepcopy(model))
        kinds.add(type(condition))
    assert {csp.Equality, csp.Linear, csp.Comparison, csp.All, csp.Either} <= kinds


def test_a_solution_returns_the_values_of_expressions() -> None:
    rng = random.Random("asked")
    solution = csp.solve(csp.Model({x: (3,), y: (-2,)}))
    assert solution is not None
    for _ in range(200):
        expression, text = make_expression(rng, 2)
        assert solution[expression] == eval(text, {"x": 3, "y": -2}), text


def test_an_expression_has_no_truth_value_and_data_is_equal_by_value() -> None:
    assert Affine.variable("x") == Affine.variable("x") and hash(x) == hash(Affine.variable("x"))
    for evaluate in (
        lambda: bool(x == y),
        lambda: x in [y],
        lambda: 1 < x < 3,
        lambda: Affine.variable("x") == x or None,
    ):
        with pytest.raises(ModelError, match="neither true nor false before it is solved"):
            evaluate()
    for combine in (lambda: Affine.variable("x") * Affine.variable("y"), lambda: Affine.variable("x") < 3):
        with pytest.raises(TypeError, match=r"csp\.var"):
            combine()
    with pytest.raises(TypeError, match=r"csp\.var\('x'\)"):
        2 * csp.Variable("x")
    assert str(-Affine.variable("x")) == "-x" and str(3 - Affine.variable("x")) == "3 - x"


def test_integers_of_other_packages_are_accepted() -> None:
    two = Integer(2)
    model = csp.Model({x: [Integer(n) for n in (1, 2, 3)], y: range(4)}, [x + two == y, csp.Member(x, (two, 1))])  # type: ignore[list-item, operator, arg-type]
    assert csp.solve(model) == {"x": 1, "y": 3}
    assert all(type(value) is int for domain in model.domains.values() for value in domain)
    assert csp.Solver(model).solve({x: Integer(1)}) == {"x": 1, "y": 3}  # type: ignore[dict-item]
    table = csp.Table("r", (x, two), ([Integer(1), two], (3, 4)))  # type: ignore[arg-type]
    assert table == csp.Table("r", (x, 2), ((1, 2), (3, 4)))
    with pytest.raises(ModelError, match=r"2\.0 is neither an integer nor a symbol; the integer is 2"):
        csp.Model({x: (1, 2.0)})  # type: ignore[dict-item]


def test_the_domains_of_a_model_are_read_only() -> None:
    model = csp.Model({"A": (1, 2)})
    for copied in (model, pickle.loads(pickle.dumps(model)), copy.deepcopy(model)):
        with pytest.raises(TypeError):
            copied.domains["A"] = (1,)
        assert copied == model


def test_domains_and_answers_accept_names_and_expressions_as_keys() -> None:
    x, y, unknown = csp.var("x"), csp.var("seat", "ann"), csp.var("w")
    model = csp.Model({x: (1, 2), y: (3,)}, [x == 2])
    fixpoint, solution = csp.propagate(model).domains, csp.solve(model)
    assert solution
    for domains in (model.domains, pickle.loads(pickle.dumps(model)).domains, fixpoint):
        for key in (x, y):
            name = str(key)
            assert key in domains and name in domains and domains.get(key) == domains[key] == domains[name]  # type: ignore[call-overload, index]
        assert unknown not in domains and "w" not in domains and x + 1 not in domains
        assert domains.get(unknown) is None and domains.get("w", ()) == ()  # type: ignore[call-overload]
    assert fixpoint.get(x) == (2,)  # type: ignore[call-overload]
    assert x in solution and ("seat", "ann") in solution and "x" in solution and solution.get(x + 1) == 3
    assert unknown not in solution and ("seat", "bob") not in solution and "w" not in solution
    assert solution.get(unknown) is None and solution.get(("seat", "bob"), 7) == 7


def test_a_model_plus_constraints_is_a_new_model() -> None:
    model = csp.Model({"x": (1, 2), "y": (1, 2)}, [x != y], ["x"], csp.Objective("maximize", x))
    extended = model + (x < y)
    assert csp.solve(extended) == {"x": 1, "y": 2} and csp.solve(model) == {"x": 2, "y": 1}
    several = [x < y]
    assert (extended.show, extended.objective) == (model.show, model.objective) and model + several == extended
    with pytest.raises(ModelError, match="not a list of constraints"):
        csp.Model({"x": (1,)}, x == 1)  # type: ignore[arg-type]


SEATS = (
    "guest(ann).  guest('O''Brien').  seat(P) in 1..2 :- guest(P).  seat(ann) = 2.  all_different(seat(P) : guest(P))."
)


def test_an_answer_is_read_by_family_and_index() -> None:
    answer = csp.solve(dsl.loads(SEATS))
    assert answer is not None
    assert answer["seat", "O'Brien"] == 1 and answer[var("seat", "ann")] == answer["seat(ann)"] == 2
    assert answer.family("seat") == {"ann": 2, "O'Brien": 1}
    assert csp.Solution({csp.Variable("c", 1, 2): 3, csp.Variable("A"): 4}).family("c") == {(1, 2): 3}
    for key in (("seat", "bob"), "saet", ("saet", 1), 3):
        with pytest.raises(KeyError, match="the families are seat"):
            answer[key]  # type: ignore[index]
    with pytest.raises(KeyError, match="the families are seat"):
        answer.family("saet")


@pytest.mark.parametrize("name", ["sudoku", "shidoku", "zebra", "queens", "money", "knights_tour", "australia"])
def test_an_answer_is_printed_as_the_command_prints_it(name: str) -> None:
    path = ROOT / "examples" / f"{name}.csp"
    answer = csp.solve(dsl.load(path))
    assert f"{answer}\n" == CliRunner().invoke(main, ["solve", str(path)]).stdout
    assert str(csp.Solution({"A": 1})) == "{'A': 1}"


def test_settings_are_passed_by_their_names() -> None:
    model = csp.Model({"A": (1, 2)})
    assert csp.Solver(model, timeout=5).settings == csp.Settings(seconds=5)
    assert csp.Solver(model, "arc", csp.Settings(seed=1), nodes=3).settings == csp.Settings("arc", seed=1, nodes=3)
    assert csp.count(model, search="tree").value == 2 and csp.propagate(model, level="domain").holds
    with pytest.raises(TypeError, match="unknown setting: time_limit; the settings are timeout"):
        csp.solve(model, time_limit=1)
    for function in (csp.solve, csp.count, csp.propagate, csp.Solver):
        with pytest.raises(TypeError, match=r"dsl\.loads\(text\)"):
            function("A in 1..2.")


def test_a_loop_over_answers_warns_when_a_limit_ends_it() -> None:
    letters = [var(name) for name in "abcdef"]
    objective = csp.Objective("maximize", sum(letters, Affine()))
    solver = csp.Solver(
        csp.Model({v: range(9) for v in letters}, [csp.Distinct(letters)], objective=objective), nodes=2
    )
    with pytest.warns(csp.Unfinished, match="stopped by the limit of 2 nodes.*the last solution may not be optimal"):
        for _ in solver.improving():
            pass
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        answers = solver.improving()
        assert len(list(answers)) < 9 and answers.stopped == "the limit of 2 nodes"


@pytest.mark.parametrize("package", [csp, dsl], ids=["csp", "dsl"])
def test_dir_and_help_list_exactly_the_public_names(package: Any) -> None:
    public = [name for name in dir(package) if not name.startswith("_")]
    assert sorted(public) == sorted(package.__all__)
    page = pydoc.plain(pydoc.render_doc(package))
    assert all(name in page for name in public) and "import_module" not in page


def test_help_begins_with_every_public_name_in_its_group() -> None:
    """Check the first screen of ``help(csp)``.

    The classes after it are documented in full, in some 250,000 characters.
    """
    first_screen = pydoc.plain(pydoc.render_doc(csp)).split("PACKAGE CONTENTS")[0]
    groups = re.findall(r"(?m)^    (?:[A-Z][a-z]+|) {2,}(\S.*)$", first_screen)
    words = re.findall(r"\w+", " ".join(groups))
    assert len(first_screen) < 3000 and {word for word in words if hasattr(csp, word)} == {*csp.__all__}
    assert all(words.count(name) == 1 for name in csp.__all__)
