"""Test sums over one domain against a search over all assignments."""

from __future__ import annotations

import random
from itertools import combinations, product

import pytest

from csp.engine.compiled.propagators.sums import Cage
from csp.engine.compiled.propagators.totals import Subsets, SumShape, Totals, has_shape
from csp.engine.memory import Memory

Groups = tuple[tuple[int, ...], ...]

CACHED_SHAPES: list[tuple[tuple[int, ...], Groups]] = [
    ((1, 1), ((0, 1),)),
    ((2, -1), ((0, 1),)),
    ((1, 1, 1), ((0, 1, 2),)),
    ((1, 1, 1, 1), ((0, 1), (2, 3))),
    ((2, 1, 1), ((1, 2),)),
    ((1, 1, -1, -1), ((0, 1), (2, 3))),
    ((1, -1, 1), ((0, 1),)),
    ((1, 1, -1), ((0, 1, 2),)),
    ((1, 1, 1), ((0, 1), (1, 2))),
    ((1, 1, 1, 1), ((0, 1), (1, 2), (2, 3), (0, 3))),
    ((-3, 2, 2), ()),
]
DOMAINS = [(1, 2, 3, 4), (-2, 0, 1, 5)]


def find_supports_by_search(
    coefficients: tuple[int, ...], bound: int, at_most: bool, groups: Groups, domain: tuple[int, ...], masks: list[int]
) -> list[int]:
    """Return the values that occur in a solution, by trying all assignments."""
    supports = [0] * len(masks)
    for row in product(range(len(domain)), repeat=len(masks)):
        total = sum(c * domain[i] for c, i in zip(coefficients, row, strict=True))
        holds = total <= bound if at_most else total == bound
        is_different = all(row[a] != row[b] for group in groups for a, b in combinations(group, 2))
        if holds and is_different and all(mask >> i & 1 for mask, i in zip(masks, row, strict=True)):
            for position, i in enumerate(row):
                supports[position] |= 1 << i
    return supports if all(supports) else []


@pytest.mark.parametrize("at_most", [False, True])
def test_the_supports_of_a_sum_are_the_values_of_its_solutions(at_most: bool) -> None:
    rng, narrowed = random.Random(1), 0
    for (coefficients, groups), domain in product(CACHED_SHAPES, DOMAINS):
        shape = SumShape(coefficients, groups, domain)
        for _ in range(25):
            bound = sum(c * rng.choice(domain) for c in coefficients) + rng.randint(-1, 1)
            masks = [rng.randint(1, 15) for _ in coefficients]
            expected = find_supports_by_search(coefficients, bound, at_most, groups, domain, masks)
            sums = Totals(shape, bound, at_most, 1_500, Memory(100_000)).find_supports(tuple(masks))
            table = Cage(coefficients, bound, at_most, groups, (domain,) * len(masks), 1_500, Memory(100_000))
            for supports in (sums, table.find_supports(tuple(masks))):
                assert supports is not None and list(supports) == expected, (coefficients, bound, groups, domain, masks)
            narrowed += bool(expected) and expected != masks
    assert narrowed > 100


def test_a_sum_with_many_shared_variables_has_no_supports_beyond_its_limit() -> None:
    """Check a ring, where every variable is in two groups."""
    ring = SumShape((1,) * 4, ((0, 1), (1, 2), (2, 3), (0, 3)), tuple(range(1, 10)))
    assert ring.hubs and not ring.is_part
    assert Totals(ring, 20, False, 100, Memory(10_000)).find_supports((511,) * 4) is None
    assert Totals(ring, 20, False, 10_000, Memory(10_000)).find_supports((511,) * 4) == (511,) * 4


def test_sums_that_are_too_wide_or_too_long_are_refused() -> None:
    assert has_shape((1, 1), tuple(range(1, 17)))
    assert not has_shape((1, 1), tuple(range(1, 18)))
    assert not has_shape((1_000, 1), tuple(range(1, 10)))
    long = Totals(SumShape((1,) * 100, (), (0, 1)), 50, False, 1_500, Memory(10_000))
    assert long.find_supports((3,) * 100) is None


def test_subsets_are_grouped_by_total_and_size() -> None:
    numbers = (-1, 2, 3, 3)
    sets = Subsets(numbers)
    totals = [sum(number for i, number in enumerate(numbers) if s >> i & 1) for s in range(16)]
    assert sets.by_total == {t: sum(1 << s for s, total in enumerate(totals) if total == t) for t in sorted({*totals})}
    assert dict(sets.totals_of_size(2)) == {
        t: family
        for t in {*totals}
        if (family := sum(1 << s for s in range(16) if totals[s] == t and s.bit_count() == 2))
    }
