"""Tests of exports of connected, circuit and related kinds, natively and by decomposition."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import dsl
from csp import Model
from csp.encoding.export import EXPORTS

from ..conftest import TIMES
from ..exported import agree

pytestmark = pytest.mark.sampled(5)
"""The selection of the cases that a whole run has."""

ROW = "b(I) in 0..1 :- I in 1..{n}. e(I, I + 1) :- I in 1..{n}-1. e(2, {n})."
SPECS = [
    "x(I) in 0..5 :- I in 1..4. circuit(x(I) : I in 1..4).",
    "x(I) in 0..4 :- I in 1..4. not circuit(x(I) : I in 1..4). x(1) = 2. x(2) < 4.",
    "x(I) in 1..3 :- I in 1..3. A in 0..1. A = 1 <-> circuit(x(I) : I in 1..3).",
    "x, y in 0..4. circuit(x). circuit(y, 1).",
    "x, y in 0..4. A in 0..1. count(circuit(x // y, y, 1)) = A.",
    f"{ROW.format(n=4)} connected(e, I : I in 1..4, b(I) = 1).",
    f"{ROW.format(n=4)} connected(e, I : I in 1..4, (I = 3 ; b(I) = 1)).",
    f"{ROW.format(n=4)} A in 0..1. A = 1 <-> connected(e, I : I in 1..4, b(I) // b(5 - I) = 1).",
    "b in 0..1. e(1, 2). connected(e, I : I in 1..3, I < 2). not connected(e, I : I in 1..3, (I != 3 ; b = 1)).",
    "x(I) in 0..5 :- I in 1..4. y(I) in {1, 2, 3, 4, 9} :- I in 1..4. x(1) < x(2). x(3) = 1.\n"
    "inverse([x(I) : I in 1..4], [y(I) : I in 1..4]).",
    "x, y, z in 0..4. inverse([x, y + 1, 1], [z, x // y, 1]).",
    "x(I) in 0..2 :- I in 1..4. increasing(x(I) : I in 1..4). increasing(x(1), x(1)).",
    "x(I) in {red, 1, 2} :- I in 1..4. all_different_except(red, x(I) : I in 1..4).",
    "x(I) in 0..2 :- I in 1..5. runs([x(I) : I in 1..5], [2, 1, 1]) ; runs([x(I) : I in 1..5], []).",
    "A in -2..2. B in 0..2. C in 0..1. C = 1 <-> runs([A, B // A, 0, A + B], [2, 1]).",
    "X, Y in 1..2. X != 2 ; Y = 1. e(X, Y). e(1, 3). e(2, 2). e(3, 3).",
    "x(I) in 0..2 :- I in 1..3. all_different_except(0, x(I) + 0 : I in 1..3). nvalue(x(I) : I in 1..3) = 2.",
]
LARGER = [
    "x(I) in 0..6 :- I in 1..5. circuit(x(I) : I in 1..5).",
    f"{ROW.format(n=9)} connected(e, I : I in 1..9, b(I) = 1).",
    f"{ROW.format(n=9)} connected(e, I : I in 1..9, (I = 8 ; b(I) = 1)). connected(e, I : I in 1..9, b(I) = 0).",
    f"{ROW.format(n=7)} A in 0..1. A = 1 <-> connected(e, I : I in 1..7, b(I) = 1).",
]


@pytest.mark.parametrize("form", ["minizinc", "swi-prolog", "xcsp3"])
def test_the_export_of_a_piece_or_circuit_has_the_same_solutions(form: str, tmp_path: Path) -> None:
    agree(form, [dsl.loads(text) for text in SPECS], tmp_path)


@pytest.mark.parametrize("form", ["minizinc", "swi-prolog"])
def test_the_export_of_a_larger_piece_has_the_same_solutions(form: str, tmp_path: Path) -> None:
    agree(form, [dsl.loads(text) for text in LARGER], tmp_path)


def random_pieces(seed: str, count: int, places: int) -> list[Model]:
    """Return models of pieces and circuits on random graphs, also negated and counted."""
    rng = random.Random(seed)
    models = []
    for _ in range(count):
        n = rng.randint(2, places)
        edges = " ".join(f"e({rng.randint(1, n)}, {rng.randint(1, n)})." for _ in range(n + 1))
        certain_place = rng.randint(1, n)
        condition = rng.choice(
            ["x(I) > 1", "x(I) != x(I mod {n} + 1)", "(I = {sure} ; x(I) = 2)", "x(I) // (x(1) - 1) > 1"]
        )
        piece = f"connected(e, I : I in 1..{n}, {condition.format(n=n, sure=certain_place)})"
        trip = f"circuit(x(I) {rng.choice(['', '+ 1', '// x(1)'])} : I in 1..{n})"
        form = rng.choice(
            ["{0}.", "{1}.", "not {0}.", "not {1}.", "{0} <-> x(1) < 2.", "count({0}, {1}) = 1.", "{0} ; {1}."]
        )
        models.append(dsl.loads(f"x(I) in 0..3 :- I in 1..{n}. {edges} {form.format(piece, trip)}"))
    return models


@pytest.mark.parametrize("form, count, places", [("minizinc", 4, 4), ("swi-prolog", 10, 4), ("xcsp3", 6, 3)])
def test_the_export_of_a_random_piece_has_the_same_solutions(
    form: str, count: int, places: int, tmp_path: Path
) -> None:
    agree(form, random_pieces(form, count * TIMES, places), tmp_path)


def test_a_circuit_has_a_native_form() -> None:
    model = dsl.loads("x(I) in 1..3 :- I in 1..3. circuit(x(I) : I in 1..3).")
    assert "circuit([x_1, x_2, x_3]);" in EXPORTS["minizinc"](model)
    assert "<circuit> also_1 x_1 x_2 x_3 </circuit>" in EXPORTS["xcsp3"](model)
    assert "circuit([X_1, X_2, X_3])" in EXPORTS["swi-prolog"](model)
