"""What is implied by two pieces of one board takes no solution away; how much it saves stands among the counters."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import product
from typing import Literal

import pytest

import csp
from csp import Connected, Equality, Variable

Place = tuple[int, int]


def boards(seed: int) -> tuple[list[Place], list[tuple[int, ...]], csp.Model]:
    """A board with holes and without some of its ways, and its model of two pieces."""
    rng = random.Random(seed)
    places = [place for place in product(range(3), range(4)) if rng.random() < 0.85]
    ways = [
        (*one, *other) for one, other in product(places, places)
        if (other[0] - one[0], other[1] - one[1]) in ((0, 1), (1, 0)) and rng.random() < 0.9
    ]  # fmt: skip
    x = {place: Variable("x", *place) for place in places}
    pieces = [Connected("touch", tuple((one, Equality(x[one], v)) for one in places), tuple(ways)) for v in (0, 1)]
    return places, ways, csp.Model({v: (0, 1) for v in x.values()}, pieces)


def is_piece(places: list[Place], ways: list[tuple[int, ...]]) -> bool:
    reached = {*places[:1]}
    for _ in places:
        for r, c, s, d in ways:
            if {(r, c), (s, d)} <= {*places} and not reached.isdisjoint([(r, c), (s, d)]):
                reached |= {(r, c), (s, d)}
    return reached == {*places}


@pytest.mark.parametrize("search", ["tree", "learn"])
@pytest.mark.parametrize("seed", range(6))
def test_no_solution_is_taken_away(seed: int, search: Literal["tree", "learn"]) -> None:
    places, ways, model = boards(seed)
    wanted = 0
    for values in product((0, 1), repeat=len(places)):
        own: Mapping[Place, int] = dict(zip(places, values, strict=True))
        wanted += all(is_piece([place for place in places if own[place] == v], ways) for v in (0, 1))
    assert csp.Solver(model, search=search).count().value == wanted
