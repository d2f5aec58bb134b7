"""Tests of the meaning of clauses: scopes, bodies, relations and lists."""

from __future__ import annotations

import random
from itertools import chain, permutations

import pytest

import csp
import dsl
from csp import Model
from dsl.syntax.errors import Source
from dsl.syntax.format import format_spec
from dsl.syntax.parse import parse
from dsl.syntax.write import write

from ..conftest import ROOT
from ..meanings import domains, posted, rows

EXAMPLES = sorted((ROOT / "examples").glob("*.csp"))


# scopes


def test_an_uppercase_name_without_a_binding_is_a_puzzle_variable() -> None:
    text = "C in 7..9. x(C) in 1..9 :- C in 1..3. "
    assert posted(text + "x(C) = C :- C in 2..3.") == ["x(2) = 2", "x(3) = 3"]
    assert posted(text + "x(1) = C.") == ["x(1) = C"]
    assert posted(text + "x(I) != C :- I in 1..2.") == ["x(1) != C", "x(2) != C"]
    assert posted(text + "all_different([C, x(1)]).") == ["all_different([C, x(1)])"]


def test_a_comprehension_binds_its_own_names() -> None:
    text = "C in 7..9. x(C) in 1..9 :- C in 1..3. "
    assert posted(text + "all_different(x(C) : C in 1..3).") == ["all_different([x(1), x(2), x(3)])"]
    assert posted(text + "sum(x(C) : C in 1..2) + C = 9.") == ["x(1) + x(2) + C = 9"]
    nested = "x(I) = sum(max(K : K in 1..J) : J in 1..I) :- I in 2..3."
    assert posted(text + nested) == ["x(2) = 3", "x(3) = 6"]


def test_a_name_of_the_body_keeps_its_value_in_a_comprehension() -> None:
    cells = "region(1, a). region(2, a). region(3, b). region(4, b). x(I) in 1..9 :- I in 1..4. "
    groups = ["all_different([x(1), x(2)])", "all_different([x(3), x(4)])"]
    assert posted(cells + "all_different(x(I) : region(I, K)) :- region(_, K).") == groups
    assert posted(cells + "kind(K) :- region(_, K). all_different(x(I) : region(I, K)) :- kind(K).") == groups
    sums = "total(K, S) :- S = sum(I : region(I, K)), region(_, K). "
    assert rows(cells + sums, "total", 2) == ["a,3", "b,7"]
    sums = "total(K, S) :- region(_, K), S = sum(I : region(I, K)). "
    assert rows(cells + sums, "total", 2) == ["a,3", "b,7"]


def test_each_underscore_is_a_new_variable() -> None:
    facts = "p(1, 2, 3). p(4, 4, 5). "
    assert rows(facts + "q(X) :- p(X, _, _).", "q") == ["1", "4"]
    assert rows(facts + "q(Z) :- p(X, X, Z).", "q") == ["5"]
    assert rows(facts + "r(5). q(X) :- X in 1..4, not p(X, _, _).", "q") == ["2", "3"]


def test_equal_instances_are_posted_once() -> None:
    text = "x(I) in 1..3 :- I in 1..3. p(1, 2). p(1, 3). p(2, 3). "
    assert posted(text + "x(A) = 2 :- p(A, _).") == ["x(1) = 2", "x(2) = 2"]
    assert posted(text + "x(1) = 2. x(1) = 2. 2 = x(1).") == ["x(1) = 2"]
    assert len(domains("x(A) in 1..2 :- p(A, _). p(1, 2). p(1, 3).")) == 1


@pytest.mark.sampled
@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_the_order_of_clauses_does_not_change_the_model(path: object) -> None:
    clauses = list(dsl.Program(dsl.Source("", path.read_text())).clauses)  # type: ignore[attr-defined]
    program = dsl.Program(dsl.Source("", ""))
    program.clauses = tuple(clauses)
    model = program.build({}, {}).model
    random.Random(1).shuffle(clauses)
    program.clauses = tuple(clauses)
    shuffled_model = program.build({}, {}).model
    assert {v: set(domain) for v, domain in model.domains.items()} == {
        v: set(domain) for v, domain in shuffled_model.domains.items()
    }
    assert _make_constraint_keys(model) == _make_constraint_keys(shuffled_model)


def _make_constraint_keys(model: Model) -> set[object]:
    """Return the constraints without the order of their parts."""
    return {(type(c), c.label, frozenset(c.scope), "".join(sorted(str(c)))) for c in model.constraints}


# bodies and relations


def test_generators_bind_variables_to_values() -> None:
    assert rows("p(X) :- X in 1..3.", "p") == ["1", "2", "3"]
    assert rows("p(X) :- X in {red, 3, 7..8}.", "p") == ["red", "3", "7", "8"]
    assert rows("p(X, Y) :- X in 1..2, Y in X..2.", "p", 2) == ["1,1", "1,2", "2,2"]
    assert rows("p(X, Y) :- Y in X..2, X in 1..2.", "p", 2) == ["1,1", "1,2", "2,2"]
    assert rows("p(X, Y) :- X in 1..3, Y = 2*X + 1.", "p", 2) == ["1,3", "2,5", "3,7"]
    assert rows("p(X) :- 3 = X.", "p") == ["3"]
    assert rows("p(X) :- X in 1..0. p(9).", "p") == ["9"]
    assert rows("p(X) :- X in 1..9, X in 3..4 \\/ {6}.", "p") == ["3", "4", "6"]
    assert rows("p(X) :- X in {a, b}, X in 1..3. p(1).", "p") == ["1"]


def test_conditions_restrict_the_rows_of_a_relation() -> None:
    assert rows("p(X) :- X in 1..6, X mod 2 = 0, X != 4.", "p") == ["2", "6"]
    assert rows("p(X) :- X < 3, X in 1..6.", "p") == ["1", "2"]
    assert rows("p(X) :- X in 1..9, X >= 3, X <= 4.", "p") == ["3", "4"]
    assert rows("p(S) :- S in {a, b, 1}, S != a.", "p") == ["b", "1"]
    assert rows("wet. p(1) :- wet. p(2) :- not wet.", "p") == ["1"]


def test_relations_are_joined_negated_and_summed() -> None:
    border = "border(a, b). border(b, c). "
    assert rows(border + "touch(X, Y) :- border(X, Y). touch(X, Y) :- border(Y, X).", "touch", 2) == [
        "a,b", "b,c", "b,a", "c,b",
    ]  # fmt: skip
    assert rows(border + "two(X, Z) :- border(X, Y), border(Y, Z).", "two", 2) == ["a,c"]
    assert rows(border + "end(X) :- border(_, X), not border(X, _).", "end") == ["c"]
    assert rows(border + "both(X) :- border(X, _), border(_, X).", "both") == ["b"]
    assert rows("next(1, 2). next(3, 5). p(X) :- next(X, X + 1).", "next", 2) == ["1,2", "3,5"]
    assert rows("next(1, 2). next(3, 5). p(X) :- next(X, X + 1).", "p") == ["1"]
    assert rows("total(sum(X : q(X))). q(1). q(2).", "total") == ["3"]
    assert rows("border(il, in). border(in, not).", "border", 2) == ["il,in", "in,not"]


AT = "at(2). at(3). at(-4). at(-1). at(red). step(1, 3). step(2, 7). "


@pytest.mark.parametrize(
    "argument", ["K + 1", "1 + K", "9 - K", "-K", "K - n", "2*K", "3 - K*2", "sum(n, 1) - K", "n - 3*(4 - K)"]
)
def test_an_invertible_argument_binds_its_variable(argument: str) -> None:
    text = f"param n = 2. {AT}"
    values = rows(f"{text} p(K) :- at({argument}).", "p")
    assert sorted(values) == sorted(rows(f"{text} p(K) :- K in -20..20, at({argument}).", "p")) != []


def test_variables_are_bound_by_calculations() -> None:
    assert rows(AT + "p(K) :- step(D, K + D).", "p") == ["2", "5"]
    assert rows(AT + "p(K) :- step(K - 1, V + 1), step(_, V + 5), V > 1.", "p") == ["2"]
    assert rows(AT + "p(K) :- at(K + D), D in 1..2, at(D + 1).", "p") == ["1", "2", "-5", "-2", "0", "-6", "-3"]
    assert rows("at(1). at(K) :- at(K - 1), K <= 4.", "at") == ["1", "2", "3", "4"]
    assert rows(AT + "p(N) :- N = sum(K : at(K + 1)).", "p") == [str(1 + 2 - 5 - 2)]
    assert rows(AT + "p(N, D) :- D in 1..2, N = count(1 = 1 : at(K + D), K > 0).", "p", 2) == ["2,1", "1,2"]
    assert rows(AT + "before(K) :- at(K + 1). p(K) :- before(K), not before(K + 1).", "p") == ["2", "-5", "-2"]


def test_a_calculation_does_not_bind_a_puzzle_variable() -> None:
    declared = AT + "A in 1..3. x(I) in 0..3 :- I in 1..2. "
    assert csp.count(dsl.loads(declared + "3 = sum(x(I) : I in 1..2, at(A + 1)).")).value == 2 * 4
    assert csp.count(dsl.loads(declared + "near(Y) :- count(x(I) = Y : I in 1..2, at(A + 1)) = 2. near(A).")).value == 2
    assert csp.count(dsl.loads(declared + "near(Y) :- at(Y + 1), x(Y) = 3. near(A).")).value == 2 * 4


def test_a_name_is_a_relation_if_all_its_clauses_are_relations() -> None:
    relation = AT + "A in 1..3. x(K) in 0..1 :- K in 1..3. before(K) :- at(K + 1). "
    assert csp.count(dsl.loads(relation + "before(A). x(K) = 1 :- before(K), K > 0.")).value == 2 * 2
    mixed = AT + "A in 1..3. before(K) :- at(K + 1). before(K) :- K * K = 9. before(A)."
    assert csp.count(dsl.loads(mixed)).value == 3


@pytest.mark.parametrize(("text", "count"), [
    ("A = 1 ; all_different([B, B]).", 2),
    ("A = 1 ; all_different(x(V) : p(V, _)).", 2),
    ("A = 1 ; all_different([B, 2]).", 3),
    ("A = 1 ; all_different([A, B, 2]).", 2),
    ("A = 1 ; all_different([2, 2]).", 2),
    ("A = 1 ; all_different([1, red]).", 4),
    ("A = 1 ; all_different([A + B, 3, red]).", 3),
    ("A = 1 ; all_different([A + B, red]).", 4),
    ("A = 1 ; all_different([A // (B - 1), red]).", 3),
    ("count(all_different([A, A]), A = 1) = 1.", 2),
    ("count(all_different([A, B, A]), all_different([A, 1])) = 0.", 2),
    ("all_different([v(I), v(J)]) ; I = J :- I in 1..2, J in 1..2.", 1),
])  # fmt: skip
def test_a_group_without_distinct_values_is_false_inside_conditions(text: str, count: int) -> None:
    model = dsl.loads(f"p(1, a). p(1, b). A, B in 1..2. x(1) in 1..1. v(I) in I..I :- I in 1..2. {text}")
    assert csp.count(model).value // (1 if "v(I)" not in text else 4) == count


def test_instances_are_a_set_and_elements_are_a_bag() -> None:
    text = "p(1, a). p(1, b). p(2, a). A in 0..9. "
    assert posted(text + "A > V :- p(V, _).") == ["A > 1", "A > 2"]
    assert posted(text + "A = sum(V : p(V, _)).") == ["A = 4"]
    assert posted(text + "once(V) :- p(V, _). A = sum(V : once(V)).") == ["A = 3"]
    with pytest.raises(dsl.SpecError, match="generators repeat an element for each solution of their body"):
        dsl.loads("p(1, a). p(1, b). x(1) in 1..2. all_different(x(V) : p(V, _)).")


def test_a_recursive_relation_is_the_transitive_closure() -> None:
    rng = random.Random(5)
    for _ in range(60):
        size = rng.randint(1, 7)
        edges = {(rng.randint(1, size), rng.randint(1, size)) for _ in range(rng.randint(1, 10))}
        closure, new_edges = set(edges), True
        while new_edges:
            new_edges = {(a, d) for a, b in closure for c, d in closure if b == c} - closure
            closure |= new_edges
        facts = " ".join(f"edge({a}, {b})." for a, b in edges)
        bodies = [
            "path(A, B), edge(B, C)",
            "edge(A, B), path(B, C)",
            "path(A, B), path(B, C)",
            "step(A, B), path(B, C)",
        ]
        step = "step(A, B) :- path(A, B)."
        rules = f"path(A, B) :- edge(A, B). path(A, C) :- {rng.choice(bodies)}. {step}"
        text = f"{facts} {rules} v(A, B) in 1..2 :- path(A, B)."
        assert {variable.indices for variable in dsl.loads(text).domains} == closure, text


def test_relations_can_be_mutually_recursive() -> None:
    text = "even(0). even(Y + 1) :- odd(Y), Y < 9. odd(Y + 1) :- even(Y), Y < 9. v(X) in 1..2 :- even(X), not odd(X)."
    assert [variable.indices for variable in dsl.loads(text).domains] == [(0,), (2,), (4,), (6,), (8,)]
    text = "p(1). p(X) :- q(X), near(X, 3). q(X) :- p(Y), X = Y + 1, X < 9. near(A, B) :- abs(A - B) < 3. "
    text += "v(X) in 1..2 :- p(X)."
    assert [variable.indices for variable in dsl.loads(text).domains] == [(1,), (2,), (3,), (4,), (5,)]


def test_a_domain_gathers_the_values_of_a_relation() -> None:
    text = "fits(1, 2). fits(1, 4). fits(2, 3). "
    model = dsl.loads(
        text + "at(K) in {0} \\/ {P + 1 : fits(K, P), P > 2} \\/ {K} :- K in 1..2. B in {P : fits(_, P)}."
    )
    assert model.domains == {"at(1)": (0, 1, 5), "at(2)": (0, 2, 4), "B": (2, 3, 4)}
    assert posted(text + "A in 1..9. A * A in {P : fits(1, P)}.") == ["A*A in {2, 4}"]
    assert sorted(posted(text + "A in 1..9. A > K :- K in {P : fits(_, P)}, K in {3} \\/ 4..5.")) == ["A > 3", "A > 4"]
    clause = "A in {1, 2} \\/ {P : fits(1, P)} \\/ {K : K in 1..9, K mod 2 = 0}."
    assert format_spec(Source("-", clause)) == clause + "\n"
    (rule,), _ = parse(clause)
    (restored_rule,), _ = parse(write(rule))
    assert restored_rule == rule


@pytest.mark.parametrize("body", ["sum(cell(B) : at(A, B)) = V", "V = sum(cell(B) : at(A, B))"])
def test_values_of_puzzle_variables_bind_no_variable(body: str) -> None:
    """Post labelled sums, because the clause is a named constraint."""
    text = "at(1, 1). at(1, 2). at(3, 3). at(3, 4). clue(1, 4). clue(3, 5). cell(C) in 1..3 :- C in 1..4. "
    constraints = posted(f'{text} total(A, V) :- {body}. "line {{A}}": total(A, V) :- clue(A, V).')
    assert len(constraints) == 2 and all("cell(1) + cell(2)" in c or "cell(3) + cell(4)" in c for c in constraints)


# the order of lists


@pytest.mark.parametrize(
    ("rule", "explicit"),
    [
        ("strictly_increasing(x(K) : t(_, K))", "strictly_increasing([x(3), x(1), x(2)])"),
        ("increasing(x(K) : t(P, K))", "increasing([x(3), x(1), x(2)])"),
        ("decreasing(x(K) : u(P, K))", "decreasing([x(3), x(1), x(2)])"),
        ("increasing((x(K) : t(_, K)), x(2))", "increasing([x(3), x(1), x(2), x(2)])"),
        ("increasing(x(K) : s(_, K))", "increasing([x(2), x(3), x(1)])"),
        ("increasing([x(K), P] : t(P, K))", "increasing([x(3), 1], [x(1), 2], [x(2), 3])"),
        ("runs([x(K) : t(_, K)], [L : t(_, L)])", "runs([x(3), x(1), x(2)], [3, 1, 2])"),
        ("inverse([x(K) : t(_, K)], [x(I) : I in {3, 1, 2}])", "inverse([x(3), x(1), x(2)], [x(1), x(2), x(3)])"),
        ("circuit(x(K) : t(_, K))", "circuit(x(3), x(1), x(2))"),
        ("[x(K) : t(_, K)] < [K : t(K, _)]", "[x(3), x(1), x(2)] < [1, 2, 3]"),
        ("[x(K) : t(_, K)] in {[1, 2, 3], [K : t(_, K)]}", "[x(3), x(1), x(2)] in {[1, 2, 3], [3, 1, 2]}"),
        ("all_different([x(K) : t(_, K)], [3, 3, 3])", "all_different([x(3), x(1), x(2)], [3, 3, 3])"),
        ("increasing(x(I) : I in {P : t(P, _)})", "increasing([x(1), x(2), x(3)])"),
        ("increasing(x(J) : J in 1..I, I in {2, 1})", "increasing([x(1), x(1), x(2)])"),
        ("increasing(x(J) : u(I, J), t(J, _), J > 1)", "increasing([x(3), x(2)])"),
        ("x(1) = 1 ; runs([x(1), x(2)], [L : t(_, L), L < 3])", "x(1) = 1 ; runs([x(1), x(2)], [1, 2])"),
        ("named(x(1))", "runs([x(1), x(2), x(3)], [3, 1, 2])"),
    ],
)
def test_the_order_of_facts_does_not_change_the_order_of_a_list(rule: str, explicit: str) -> None:
    text = "x(I) in 0..3 :- I in 1..3. u(P, K) :- v(K, P). v(1, 2). v(2, 3). v(3, 1). "
    text += "named(A) :- runs([A, x(2), x(3)], [L : t(_, L)]). "
    expected = dsl.loads(f"{text} t(1, 3). {explicit}.").constraints
    positions = permutations(["t(1, 3).", "t(2, 1).", "t(3, 2)."])
    symbols = permutations(["s(b, 1).", "s(9, 2).", "s('B', 3)."])
    for facts in map(chain, positions, symbols):
        assert dsl.loads(f"{text} {' '.join(facts)} {rule}.").constraints == expected
