"""Compare expressions and conditions of puzzle variables with the same expressions in Python."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import product

import pytest

import csp
import dsl
from csp import Model, ModelError, Variable
from csp.engine.compiled.propagators.assignments import Assignments, NoBulkEvaluation

from ..conftest import TIMES
from ..makers import MAKERS, NAMES, any_kind

Meaning = Callable[[int, int, int], bool]

CASES: list[tuple[str, Meaning]] = [
    ("A * B = C + 1.", lambda a, b, c: a * b == c + 1),
    ("2 * A * B - C = 3.", lambda a, b, c: 2 * a * b - c == 3),
    ("(A + 1) * (B - C) < 4.", lambda a, b, c: (a + 1) * (b - c) < 4),
    ("A * A + B * B = C * C.", lambda a, b, c: a * a + b * b == c * c),
    ("A * B * C = 12.", lambda a, b, c: a * b * c == 12),
    ("-A * B = C - 4.", lambda a, b, c: -a * b == c - 4),
    ("A // B = C.", lambda a, b, c: b != 0 and a // b == c),
    ("A // B != C.", lambda a, b, c: b != 0 and a // b != c),
    ("C * (A // B) >= 1.", lambda a, b, c: b != 0 and c * (a // b) >= 1),
    ("A // (B * C) = 0.", lambda a, b, c: b * c != 0 and a // (b * c) == 0),
    ("A mod 2 = B mod 2.", lambda a, b, c: a % 2 == b % 2),
    ("(A - B) mod C = 1.", lambda a, b, c: c != 0 and (a - b) % c == 1),
    ("A mod (B - 2) = C.", lambda a, b, c: b != 2 and a % (b - 2) == c),
    ("abs(A - B) = C.", lambda a, b, c: abs(a - b) == c),
    ("abs(A - B) + abs(B - C) > 4.", lambda a, b, c: abs(a - b) + abs(b - c) > 4),
    ("min(A, B, C) = 2.", lambda a, b, c: min(a, b, c) == 2),
    ("max(A, B) = C.", lambda a, b, c: max(a, b) == c),
    ("max(3, A, min(B, C)) = 4.", lambda a, b, c: max(3, a, min(b, c)) == 4),
    ("sum(A, B) = product(B, C).", lambda a, b, c: a + b == b * c),
    ("count(A = 1, B > 2, C != B) = 2.", lambda a, b, c: (a == 1) + (b > 2) + (c != b) == 2),
    ("count(A > B, B > C, 1 = 1) = C.", lambda a, b, c: (a > b) + (b > c) + 1 == c),
    ("count(A in {1, 3}, A + B in 4..5, all_different([A, B, C])) >= 2.",
     lambda a, b, c: (a in (1, 3)) + (a + b in (4, 5)) + (len({a, b, c}) == 3) >= 2),
    ("count(A // B = 1) = 0.", lambda a, b, c: not (b != 0 and a // b == 1)),
    ("A = 2*B ; B = 2*A.", lambda a, b, c: a == 2 * b or b == 2 * a),
    ("A in {1} ; B * C = 6 ; all_different([A, B, C]).", lambda a, b, c: a == 1 or b * c == 6 or len({a, b, c}) == 3),
    ("A // B = 2 ; C = 0.", lambda a, b, c: (b != 0 and a // b == 2) or c == 0),
    ("1 = 1 ; A = 2.", lambda a, b, c: True),
    ("1 = 2 ; A = 2.", lambda a, b, c: a == 2),
    ("A = 9 ; B = 1.", lambda a, b, c: b == 1),
    ("(A = 1, B = 2) ; C = 3.", lambda a, b, c: (a == 1 and b == 2) or c == 3),
    ("(A < B, B < C).", lambda a, b, c: a < b < c),
    ("A = 1 -> B = 2.", lambda a, b, c: a != 1 or b == 2),
    ("A = 1 -> B = 2 -> C = 3.", lambda a, b, c: a != 1 or b != 2 or c == 3),
    ("(A = 1 -> B = 2) -> C = 3.", lambda a, b, c: (a == 1 and b != 2) or c == 3),
    ("A = 1 <-> B = 2.", lambda a, b, c: (a == 1) == (b == 2)),
    ("A = 1 -> B = 2 <-> C = 3.", lambda a, b, c: (a != 1 or b == 2) == (c == 3)),
    ("(A = 1 <-> B = 2) <-> C = 3.", lambda a, b, c: ((a == 1) == (b == 2)) == (c == 3)),
    ("(A = 1 <-> all_different([B, C, 2])) ; A * B = C.",
     lambda a, b, c: (a == 1) == (len({b, c, 2}) == 3) or a * b == c),
    ("not A = 1.", lambda a, b, c: a != 1),
    ("not (A = 1, B = 2).", lambda a, b, c: a != 1 or b != 2),
    ("not (A = 1 ; B = 2).", lambda a, b, c: a != 1 and b != 2),
    ("not (A = 1 -> B = 2).", lambda a, b, c: a == 1 and b != 2),
    ("not (A = 1 <-> B = 2).", lambda a, b, c: (a == 1) != (b == 2)),
    ("not not A < B.", lambda a, b, c: a < b),
    ("not A in 1..3.", lambda a, b, c: a in (0, 4)),
    ("not all_different([A, B, C]).", lambda a, b, c: len({a, b, c}) < 3),
    ("not increasing([A, B, C]).", lambda a, b, c: not a <= b <= c),
    ("p(1, 2). p(2, 0). not p(A, B).", lambda a, b, c: (a, b) not in {(1, 2), (2, 0)}),
    ("not A // B = 1.", lambda a, b, c: b == 0 or a // b != 1),
    ("not A // B != 1.", lambda a, b, c: b == 0 or a // b == 1),
    ("A // B = 1 -> C = 2.", lambda a, b, c: b == 0 or a // b != 1 or c == 2),
    ("A // B = 1 <-> C = 2.", lambda a, b, c: (b != 0 and a // b == 1) == (c == 2)),
    ("not (A // B < 2, C > 1).", lambda a, b, c: not (b != 0 and a // b < 2 and c > 1)),
    ("count(A = 1 ; B = 2, not C = 3, (A = B, B = C)) = 2.",
     lambda a, b, c: (a == 1 or b == 2) + (c != 3) + (a == b == c) == 2),
    ("x(I) in 0..2 :- I in 1..2. x(A) != 1. x(1) = 0. x(2) = B.",
     lambda a, b, c: a in (1, 2) and b <= 2 and (0, b)[a - 1] != 1),
    ("x(I) in 0..2 :- I in 1..2. not x(A) = 1. x(1) = 0. x(2) = B.",
     lambda a, b, c: b <= 2 and (a not in (1, 2) or (0, b)[a - 1] != 1)),
    ("1 = 2 -> A = 9.", lambda a, b, c: True),
    ("1 = 1 -> A = B.", lambda a, b, c: a == b),
    ("(A = 1, 1 = 1) ; 1 = 2.", lambda a, b, c: a == 1),
    ("A = 1 <-> 1 = 2.", lambda a, b, c: a != 1),
    ("1 = 1 <-> A = 1.", lambda a, b, c: a == 1),
    ("A = B :- 1 = 1 ; 1 = 2.", lambda a, b, c: a == b),
    ("A != I :- I in 1..3, (I = 1 ; I = 3).", lambda a, b, c: a not in (1, 3)),
    ("A != I :- I in 0..3, (I > 0 -> not I = 2).", lambda a, b, c: a not in (0, 1, 3)),
    ("A != I :- I in 0..3, not (I > 0, I < 3).", lambda a, b, c: a not in (0, 3)),
    ("A != I :- I in 0..3, (I = 2 <-> I > 1).", lambda a, b, c: a not in (0, 1, 2)),
    ("p(1, 2). p(2, 1). A != I :- I in 0..3, not (p(I, _), I > 1).", lambda a, b, c: a not in (0, 1, 3)),
    ("sum((A : I in 1..2), B) = C.", lambda a, b, c: 2 * a + b == c),
    ("all_different([(A + I : I in 0..1), (B : I in 1..1)]).", lambda a, b, c: b not in (a, a + 1)),
    ("sum([A, I * B : I in 1..2]) = C.", lambda a, b, c: a + 3 * b == c),
    ("[A, B] in {[1, 2], [2, 3], [0, 0]}.", lambda a, b, c: (a, b) in {(1, 2), (2, 3), (0, 0)}),
    ("not [A + B, C] in {[1, 2], [2, 3]}.", lambda a, b, c: (a + b, c) not in {(1, 2), (2, 3)}),
    ("[A, B] = [B, C].", lambda a, b, c: a == b == c),
    ("[A, B] != [B, C].", lambda a, b, c: (a, b) != (b, c)),
    ("[A // B, C] != [1, 2].", lambda a, b, c: b != 0 and (a // b, c) != (1, 2)),
    ("[A, B] < [B, C].", lambda a, b, c: (a, b) < (b, c)),
    ("[A, 2, C] <= [B, C, A].", lambda a, b, c: (a, 2, c) <= (b, c, a)),
    ("[A, B] > [2, C].", lambda a, b, c: (a, b) > (2, c)),
    ("[A, B] >= [2, C].", lambda a, b, c: (a, b) >= (2, c)),
    ("[A, C // B] < [2, A].", lambda a, b, c: b != 0 and (a, c // b) < (2, a)),
    ("not [A, C // B] < [2, A].", lambda a, b, c: not (b != 0 and (a, c // b) < (2, a))),
    ("[A : I in 1..2] < [B, C].", lambda a, b, c: (a, a) < (b, c)),
    ("all_different([A, B], [B, C], [C, 3]).", lambda a, b, c: len({(a, b), (b, c), (c, 3)}) == 3),
    ("all_different([A, I * B] : I in 1..2).", lambda a, b, c: b != 0),
    ("A = 1 ; all_different([A, B], [B, A // C]).", lambda a, b, c: a == 1 or (c != 0 and (a, b) != (b, a // c))),
    ("increasing([A, B], [2, C], [C, A]).", lambda a, b, c: (a, b) <= (2, c) <= (c, a)),
    ("A != I :- I in 0..3, J in 0..3, [I, J] < [1, 2], [I, J] != [0, 3], [I, J] in {[1, 1], [0, 3], [2, 2]}.",
     lambda a, b, c: a != 1),
    ("sum(B : A > 2) = C.", lambda a, b, c: (b if a > 2 else 0) == c),
    ("sum(I * B : I in 1..3, A != I) = C + 4.", lambda a, b, c: sum(i * b for i in (1, 2, 3) if a != i) == c + 4),
    ("product(B + 1 : A > 2) = C.", lambda a, b, c: (b + 1 if a > 2 else 1) == c),
    ("product((B : A > 2), (C : A < 2), 2) = 4.",
     lambda a, b, c: (b if a > 2 else 1) * (c if a < 2 else 1) * 2 == 4),
    ("count(B > I : I in 0..2, A != I) = 2.", lambda a, b, c: sum(b > i for i in range(3) if a != i) == 2),
    ("min((A : A > 1), (B : B > C)) = 2.",
     lambda a, b, c: min([*[a] * (a > 1), *[b] * (b > c)], default=None) == 2),
    ("max((A : A < 2), (B : B > C)) != 2.",
     lambda a, b, c: max([*[a] * (a < 2), *[b] * (b > c)], default=2) != 2),
    ("not max((A : A < 2), (B : B > C)) != 2.",
     lambda a, b, c: max([*[a] * (a < 2), *[b] * (b > c)], default=2) == 2),
    ("max(1, (A : A < B), A - C) = C.", lambda a, b, c: max([1, a - c, *[a] * (a < b)]) == c),
    ("sum(A // B : B != 0) = C.", lambda a, b, c: (a // b if b else 0) == c),
    ("sum(A // B : C > 1) = 1.", lambda a, b, c: c > 1 and b != 0 and a // b == 1),
    ("sum(A // B : C > 1) != 1.", lambda a, b, c: c <= 1 or (b != 0 and a // b != 1)),
    ("min((A // B : C > 1), 3) = 2.", lambda a, b, c: c > 1 and b != 0 and min(a // b, 3) == 2),
    ("max((A mod B : B > 0), (C : B = 0)) = 1.", lambda a, b, c: (a % b if b else c) == 1),
    ("sum(A : not A in {1, 2}, (B = 1 ; C = 2)) = 3.", lambda a, b, c: a == 3 and (b == 1 or c == 2)),
    ("sum(A : sum(A) = C, sum(B) in {1, 2}) = 2.", lambda a, b, c: a == c == 2 and b in (1, 2)),
    ("A // sum(B : C > 1) = 1.", lambda a, b, c: c > 1 and b != 0 and a // b == 1),
    ("all_different([sum(A : B > 1), C]).", lambda a, b, c: (a if b > 1 else 0) != c),
    ("sum(I : I in 1..4, I < 3, A > I) = B.", lambda a, b, c: sum(i for i in (1, 2) if a > i) == b),
    ("near(P, Q) :- abs(P - Q) <= 1. near(A, B).", lambda a, b, c: abs(a - b) <= 1),
    ("near(A, B) :- abs(A - B) <= 1. near(B, 2 * C).", lambda a, b, c: abs(b - 2 * c) <= 1),
    ("near(P, Q) :- abs(P - Q) <= 1. not near(A, B) ; near(B, C).",
     lambda a, b, c: abs(a - b) > 1 or abs(b - c) <= 1),
    ("near(P, Q) :- P != Q, abs(P - Q) <= 1. count(near(A, B), near(B, C)) = 1.",
     lambda a, b, c: (abs(a - b) == 1) + (abs(b - c) == 1) == 1),
    ("either(P, Q) :- P > 3, Q > 0. either(P, Q) :- P + Q = 2. either(A, B).",
     lambda a, b, c: (a > 3 and b > 0) or a + b == 2),
    ("far(P, Q) :- not near(P, Q). near(P, Q) :- abs(P - Q) < 2. far(A, B).", lambda a, b, c: abs(a - b) >= 2),
    ("near(P, Q) :- abs(P - Q) <= 1. A != I :- I in 0..4, near(I, 2), not near(I, 1).", lambda a, b, c: a != 3),
    ("near(P, Q) :- abs(P - Q) <= 1. sum(I : I in 0..4, near(A, I)) = C + 3.",
     lambda a, b, c: sum(i for i in range(5) if abs(a - i) <= 1) == c + 3),
    ("half(P, Q) :- P // Q = 1. half(A, B) -> C = 2.", lambda a, b, c: b == 0 or a // b != 1 or c == 2),
    ("cnt(P, N) :- count(P = V : V in 1..2) = N. V in 0..1. cnt(A, V). V = 1.", lambda a, b, c: a in (1, 2)),
    ("same(P, Q) :- P = Q. same([A, B], [B, C]).", lambda a, b, c: a == b == c),
    ("above(P) :- P > C. above(A). A = B :- C in 3..3.", lambda a, b, c: a > c and a == b),
    ("decreasing([A, B, C]).", lambda a, b, c: a >= b >= c),
    ("strictly_increasing([A, B, C]).", lambda a, b, c: a < b < c),
    ("strictly_increasing([A, 2, B // C]).", lambda a, b, c: c != 0 and a < 2 < b // c),
    ("all_equal([A, B, C + 1]).", lambda a, b, c: a == b == c + 1),
    ("not all_equal([A, B, C]).", lambda a, b, c: not a == b == c),
    ("all_equal(A // B).", lambda a, b, c: b != 0),
    ("all_different_except(0, [A, B, C]).",
     lambda a, b, c: (lambda s: len({*s}) == len(s))([v for v in (a, b, c) if v])),
    ("all_different_except(1, A, B * C, C) ; A = 2.",
     lambda a, b, c: a == 2 or (lambda s: len({*s}) == len(s))([v for v in (a, b * c, c) if v != 1])),
    ("nvalue([A, B, C]) = 2.", lambda a, b, c: len({a, b, c}) == 2),
    ("nvalue([A, B, 3, A // B]) <= A.", lambda a, b, c: b != 0 and len({a, b, 3, a // b}) <= a),
    ("inverse([A, B, C], [B, C, A]).",
     lambda a, b, c: {a, b, c} == {1, 2, 3} and all((b, c, a)[x - 1] == i for i, x in enumerate((a, b, c), 1))),
    ("not inverse([A, B], [A, B]).",
     lambda a, b, c: not ({a, b} <= {1, 2} and (a, b)[a - 1] == 1 and (a, b)[b - 1] == 2)),
    ("runs([A - 1, B - 1, C - 1], [1, 1]).", lambda a, b, c: (a, b, c) == (2, 1, 2)),
    ("runs([A - 1, 0, B // C], [1, 2]) ; A = 3.",
     lambda a, b, c: a == 3 or (a == 2 and c != 0 and b // c == 2)),
    ("not runs([A - 2, B, C], []).", lambda a, b, c: not (a == 2 and b == c == 0)),
    ("f(2, 1). f(1, 2). count(runs([A, B - 1, C], [N : f(_, N)]), C = 1) = 2.", lambda a, b, c: (a, b, c) == (2, 1, 1)),
    ("circuit([A, B, C]).", lambda a, b, c: (a, b, c) in {(2, 3, 1), (3, 1, 2)}),
    ("circuit([A, B]) -> C = 1.", lambda a, b, c: (a, b) != (2, 1) or c == 1),
    ("near(1, 2). near(2, 3). connected(near, (1 : A = 1), (2 : B > 1), (3 : C != 2)).",
     lambda a, b, c: not (a == 1 and b <= 1 and c != 2)),
    ("t(1, 1, 1, 2). t(1, 3, 1, 2). not connected(t, ([1, 1] : A = 1), ([1, 2] : B // C = 1), [1, 3]).",
     lambda a, b, c: a == 1 and not (c != 0 and b // c == 1)),
    ("A + B in {1, 4..5}.", lambda a, b, c: a + b in (1, 4, 5)),
    ("A, B in 1..2. abs(A - C) in 0..1.", lambda a, b, c: a in (1, 2) and b in (1, 2) and abs(a - c) <= 1),
    ("p(1, 2). p(2, 0). p(3, 3). p(A, B).", lambda a, b, c: (a, b) in {(1, 2), (2, 0), (3, 3)}),
    ("p(1, 2). p(2, 0). p(3, 3). p(A, A + 1).", lambda a, b, c: a == 1),
    ("p(1, 2, 0). p(2, 0, 1). p(A, B - C, 1).", lambda a, b, c: a == 2 and b == c),
    ("p(1). p(3). p(A * B).", lambda a, b, c: a * b in (1, 3)),
    ("p(1, 2). q(B, A) :- p(A, B). q(A, X) :- X in 1..1. p(A, C) ; q(C, B).",
     lambda a, b, c: a == 2 and ((a, c) == (1, 2) or (c, b) == (2, 1))),
    ("p(2). A = B :- p(N), N > 1.", lambda a, b, c: a == b),
    ("all_different([A + B, B + C, A + C]).", lambda a, b, c: len({a + b, b + c, a + c}) == 3),
    ("all_different([A * B, C, 2 * C]).", lambda a, b, c: len({a * b, c, 2 * c}) == 3),
    ("all_different([A // B, C]).", lambda a, b, c: b != 0 and a // b != c),
    ("all_different([abs(A - B), abs(B - C)]).", lambda a, b, c: abs(a - b) != abs(b - c)),
]  # fmt: skip


@pytest.mark.parametrize(("text", "meaning"), CASES, ids=[text for text, _ in CASES])
def test_an_expression_has_the_meaning_of_its_python_twin(text: str, meaning: Meaning) -> None:
    values = range(5)
    model = dsl.loads(f"A, B, C in 0..4. {text}")
    expected = {values for values in product(values, repeat=3) if meaning(*values)}
    assert len(expected) > 0 and (len(expected) < 125 or text.startswith(("1 = 1", "1 = 2 ->")))
    if len(model.domains) == 3:
        assignments = [dict(zip("ABC", row, strict=True)) for row in product(values, repeat=3)]
        assert {tuple(row.values()) for row in assignments if model.check(row)} == expected
    for level in csp.LEVELS:
        solutions = [tuple(s[name] for name in "ABC") for s in csp.Solver(model, level).solutions()]
        assert set(solutions) == expected and len(solutions) == len(expected)
    assert dsl.loads(dsl.dumps(model)) == model


def test_conditions_accept_symbols() -> None:
    text = "S, T in {red, green, 'in'}. count(S = red, T != S, T in {'in'}) = 2. ok(red). ok('in'). ok(S) ; T = 'in'."
    model = dsl.loads(text)
    solutions = {(s["S"], s["T"]) for s in csp.Solver(model).solutions()}
    assert solutions == {
        (s, t)
        for s, t in product(["red", "green", "in"], repeat=2)
        if (s == "red") + (t != s) + (t == "in") == 2 and (s in ("red", "in") or t == "in")
    }
    assert dsl.loads(dsl.dumps(model)) == model


def test_membership_narrows_the_domain_of_a_variable_and_constrains_an_expression() -> None:
    model = dsl.loads("A, B in 1..9. A in 2..3. A * B in {6}.")
    assert model.domains["A"] == (2, 3) and [str(constraint) for constraint in model.constraints] == ["A*B in {6}"]  # type: ignore[index]


@pytest.mark.parametrize("kind", MAKERS, ids=lambda kind: kind.__name__)
def test_a_random_model_survives_writing_and_reading(kind: type[csp.Constraint]) -> None:
    rng = random.Random(kind.__name__)
    written_count = 0
    for _ in range(12 * TIMES):
        constraints = [MAKERS[kind](rng), any_kind(rng, list(MAKERS))]
        original = Model({Variable(name): range(-2, 5) for name in NAMES}, constraints)
        try:
            model = dsl.loads(dsl.dumps(original))
        except ModelError as error:
            assert "the language cannot write" in str(error)
            continue
        assert dsl.loads(dsl.dumps(model)) == model
        for _ in range(30):
            values = {variable: rng.choice(domain) for variable, domain in original.domains.items()}
            assert model.check(values) == original.check(values)
        written_count += 1
    assert written_count > 5


def test_bulk_evaluation_agrees_with_single_evaluation() -> None:
    rng = random.Random("at once")
    compared_count = 0
    for _ in range(200):
        constraint = any_kind(rng, list(MAKERS))
        domains = [tuple(sorted(rng.sample(range(-2, 5), rng.randint(1, 3)))) for _ in constraint.scope]
        try:
            satisfying_rows = Assignments(constraint.scope, domains, 10_000).satisfying(constraint)
        except NoBulkEvaluation:
            continue
        compared_count += 1
        rows = product(*domains)
        assert [satisfying_rows >> number & 1 for number, _ in enumerate(product(*domains))] == [
            constraint.check(dict(zip(constraint.scope, row, strict=True))) for row in rows
        ], constraint
    assert compared_count > 50


def test_bulk_evaluation_has_a_limit_of_rows() -> None:
    (constraint,) = dsl.loads("A, B, C in 0..9. A * B * C = 42.").constraints
    with pytest.raises(NoBulkEvaluation):
        Assignments(constraint.scope, [tuple(range(10))] * 3, 200).satisfying(constraint)
