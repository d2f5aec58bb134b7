"""Tests of implied constraints for two pieces of a board: no solution is removed.

The counters (``test_counters.py``) show how much search they save.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from typing import Literal

import pytest

import csp
from csp import Connected, Equality, Variable

Place = tuple[int, int]


def random_board(seed: int) -> tuple[list[Place], list[tuple[int, ...]], csp.Model]:
    """Return the places and edges of a random board, and its model of two pieces.

    The board has holes, and lacks some edges.
    """
    rng = random.Random(seed)
    places = [place for place in product(range(3), range(4)) if rng.random() < 0.85]
    edges = [
        (*p, *q) for p, q in product(places, places)
        if (q[0] - p[0], q[1] - p[1]) in ((0, 1), (1, 0)) and rng.random() < 0.9
    ]  # fmt: skip
    x = {place: Variable("x", *place) for place in places}
    pieces = [
        Connected("touch", tuple((place, Equality(x[place], v)) for place in places), tuple(edges)) for v in (0, 1)
    ]
    return places, edges, csp.Model({v: (0, 1) for v in x.values()}, pieces)


def is_piece(places: list[Place], edges: list[tuple[int, ...]]) -> bool:
    """Return whether the edges connect the places."""
    reached = {*places[:1]}
    for _ in places:
        for r, c, s, d in edges:
            if {(r, c), (s, d)} <= {*places} and not reached.isdisjoint([(r, c), (s, d)]):
                reached |= {(r, c), (s, d)}
    return reached == {*places}


@pytest.mark.parametrize("search", ["tree", "learn"])
@pytest.mark.parametrize("seed", range(6))
def test_implied_constraints_remove_no_solution(seed: int, search: Literal["tree", "learn"]) -> None:
    places, edges, model = random_board(seed)
    expected = 0
    for values in product((0, 1), repeat=len(places)):
        value_at: Mapping[Place, int] = dict(zip(places, values, strict=True))
        expected += all(is_piece([place for place in places if value_at[place] == v], edges) for v in (0, 1))
    assert csp.Solver(model, search=search).count().value == expected
