"""Tests of randomly broken specs: each text gives a model or a report.

``MUTANTS=20000`` in the environment sets the number of texts.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable

import csp
import dsl
from csp.board.answer import answer_text
from dsl.semantics.clauses.build import Program
from dsl.syntax.errors import Source
from dsl.syntax.limits import Limits

from ..conftest import ROOT

MUTANTS = int(os.environ.get("MUTANTS", "80"))

SHORT = """
param n = 3.  x(I) in 1..n :- I in 1..n.  "g {I + 1}": all_different([x(I), -x(1) + 2]) :- I in 2..n, not I = 3.
%%
p(1, a). p(2, b). q(X, S) :- p(X, S), X mod 2 != 0. r(X) :- X in 1..4, not p(X, _).  y(S) in {0, X} :- q(X, S).
%%
grid g = "
  12 | .a
  ---+---
  3. | 4_
". c(R, C) in 0..9 :- g(R, C, _), R != C. c(R, C) = V :- g(R, C, V), V < 9.
%%
A, B in {red, 'Big Red'} \\/ {3..5, 9}. A != B. B = 'Big Red'. C in 1..3. show A, B. "{{}}": C - 2 * C <= -1.
%%
t(K, S) :- k(K), S = sum(I * I : k(I), I <= K). k(I) :- I in 1..3.
v(K) in 0..S :- t(K, S).  v(1) + v(2) < max(4, 5).
%%
include shidoku.  show A, B.  A = 3.
%%
q(I) in 1..3 :- I in 1..3.  show q, total = q(1) + 2, b(q(I), I) = 'Q' : I in 1..3, q(I) != 2.  show q(I) : I in {1}.
"""  # specs that use every construct, so that a mutation hits one
TEXTS = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "examples").glob("*.csp"))] + SHORT.split("%%")
WEIGHTS = [1 / len(text) for text in TEXTS]  # a short text is read quickly, so it is chosen more often
TOKENS = [
    *"()[]{}.,:;|+-*/<>=!%'\"_ \n\t\\&#@^", "..", ":-", "//", "!=", "<=", ">=", "\\/", "mod", "in", "not", "param",
    "grid", "show", "sum", "max", "abs", "product", "count", "all_different", "A", "R", "X", "_", "cell", "clue", "x",
    "p", "n", "0", "1", "-1", "999", "99999999999999999999", "red", "'Big Red'", '"label {I}"', "{{", "}}", "\x00",
    "\r", "é", "\ufeff", "A(", "x(1)", "[A, A]", ": I in 1..3", ":- X in 1..2", "1..100000000", ". ", "% ",
    "include", "shidoku", '"lines.csp"', "include shidoku. ",
]  # fmt: skip
WORD = re.compile(r"\w+|\s+|.", re.DOTALL)

Mutation = Callable[[random.Random, list[str]], None]


def delete(rng: random.Random, parts: list[str]) -> None:
    start = rng.randrange(len(parts))
    del parts[start : start + rng.choice([1, 1, 1, 2, 5])]


def duplicate(rng: random.Random, parts: list[str]) -> None:
    start = rng.randrange(len(parts))
    parts[start:start] = parts[start : start + rng.choice([1, 1, 3, 20])]


def swap(rng: random.Random, parts: list[str]) -> None:
    i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
    parts[i], parts[j] = parts[j], parts[i]


def insert(rng: random.Random, parts: list[str]) -> None:
    parts.insert(rng.randrange(len(parts) + 1), rng.choice(TOKENS))


def replace(rng: random.Random, parts: list[str]) -> None:
    parts[rng.randrange(len(parts))] = rng.choice(TOKENS)


MUTATIONS: list[Mutation] = [delete, duplicate, swap, insert, replace]


def mutant(rng: random.Random) -> str:
    """Return a random text with random mutations."""
    (text,) = rng.choices(TEXTS, WEIGHTS)
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        parts = list(text) if rng.random() < 0.4 else WORD.findall(text)
        if parts:
            rng.choice(MUTATIONS)(rng, parts)
        text = "".join(parts)
    return text


SMALL = Limits(instances=20_000, candidates=100_000)
"""Limits below those of the language, so that large specs fail soon."""


def check(text: str) -> bool:
    """Return whether a text gives a model.

    A model must survive writing and reading; a small model is also solved.
    """
    try:
        model = Program(Source("<text>", text, "-")).build({}, {}, limits=SMALL).model
    except (dsl.SpecError, csp.ModelError, csp.TooLarge) as error:
        assert str(error)
        for diagnostic in getattr(error, "diagnostics", ()):
            assert (
                diagnostic.at is None
                or diagnostic.at.file
                or diagnostic.at.line <= text.count("\n") + text.count("\r") + 1
            )
        return False
    assert dsl.loads(dsl.dumps(model)) == model
    if sum(map(len, model.domains.values())) < 1000:
        solve(model)
    return True


def solve(model: csp.Model) -> None:
    """Propagate, and search for a few nodes."""
    try:
        solver = csp.Solver(model)
        propagated = solver.propagate()
        solution = next(solver.solutions(settings=csp.Settings(nodes=3)), None)
    except csp.TooLarge as error:
        assert str(error)
    else:
        assert solution is None or (propagated.holds and answer_text(model, solution) is not None)


def test_a_mutant_gives_a_model_or_a_report() -> None:
    models = 0
    for seed in range(MUTANTS):
        text = mutant(random.Random(seed))
        try:
            models += check(text)
        except Exception as error:
            raise AssertionError(f"seed {seed}: {error!r} for {text!r}") from error
    assert 0.05 * MUTANTS < models < 0.6 * MUTANTS  # some mutants are valid, most are not


def test_noise_gives_a_model_or_a_report() -> None:
    rng = random.Random(0)
    for _ in range(MUTANTS // 10):
        check("".join(rng.choices(TOKENS, k=rng.randint(1, 40))))
        check("".join(map(chr, rng.choices(range(0x300), k=rng.randint(1, 40)))))


def test_a_grid_of_noise_gives_a_model_or_a_report() -> None:
    rng = random.Random(0)
    text = "grid g. x(R, C, V) in 1..2 :- g(R, C, V)."
    for _ in range(MUTANTS // 10):
        picture = "".join(rng.choices("12.._AZaz#|-+= \n\n\t'\"\u2028é\x00", k=rng.randint(0, 30)))
        try:
            model = dsl.loads(text, grids={"g": picture})
        except dsl.SpecError as error:
            assert str(error)
        else:
            assert dsl.loads(dsl.dumps(model)) == model, picture
