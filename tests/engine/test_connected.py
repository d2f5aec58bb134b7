"""Test that reasons of ``connected`` name the fewest places, all of which they need."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from itertools import combinations
from math import inf

import networkx as nx

import dsl
from csp import Connected, Equality, Model, Solver, Variable
from csp.engine.compiled.propagators import Propagator
from csp.engine.compiled.propagators.connected import smallest_separator
from csp.explain import Walker

from ..commands import EXAMPLES

BOTH, NO, YES = 0b11, 0b01, 0b10


def make_propagator(edges: Iterable[tuple[int, int]], places: int) -> Propagator:
    """Return the propagator of ``connected`` over 0/1 variables, one for each place of a graph."""
    cells = [Variable("x", i) for i in range(places)]
    constraint = Connected("touch", tuple([((i,), Equality(cell, 1)) for i, cell in enumerate(cells)]), tuple(edges))
    program = Solver(Model(dict.fromkeys(cells, (0, 1)), [constraint])).program
    return program.propagators[0]


def implies(propagator: Propagator, masks: Sequence[int], positions: Iterable[int], removed: Sequence[int]) -> bool:
    """Return whether the domains at these positions alone lead to the removals, or to the failure."""
    known = {*positions}
    narrowed = propagator.prune([mask if i in known else BOTH for i, mask in enumerate(masks)])
    return narrowed is None or not any(a & b for a, b in zip(narrowed, removed, strict=True))


def test_a_reason_names_a_smallest_separator_and_needs_all_of_it() -> None:
    rng = random.Random(7)
    seen = {"chosen": 0, "excluded": 0, "failure": 0}
    for _ in range(120):
        # A grid of 3 by 3 places with one random edge more.
        edges = [(i, i + 1) for i in range(9) if i % 3 < 2] + [(i, i + 3) for i in range(6)]
        propagator = make_propagator([*edges, (rng.randrange(9), rng.randrange(9))], 9)
        masks = rng.choices((BOTH, NO, YES), (2, 3, 2), k=9)
        narrowed = propagator.prune(masks)
        lost = [a & ~b for a, b in zip(masks, narrowed, strict=True)] if narrowed else masks
        if not any(lost):
            continue
        parts = [*propagator.steps(masks, lost)]
        assert [sum(values) for values in zip(*[part for _, part in parts], strict=True)] == lost
        for (positions,), part in parts:
            kind = "failure" if narrowed is None else "chosen" if NO in part else "excluded"
            seen[kind] += 1
            assert implies(propagator, masks, positions, part)
            for position in positions:
                assert not implies(propagator, masks, {*positions} - {position}, part), (masks, positions)
            if kind == "chosen":
                # No other reason for the same conclusion is smaller.
                fewer = combinations([i for i, mask in enumerate(masks) if mask != BOTH], len(positions) - 1)
                assert not any(implies(propagator, masks, chosen, part) for chosen in fewer), (masks, positions)
    assert min(seen.values()) >= 10, seen


def test_a_smallest_separator_is_as_large_as_the_one_of_networkx() -> None:
    rng = random.Random(11)
    for _ in range(40):
        graph = nx.gnp_random_graph(9, 0.35, rng.randrange(10**6))
        costs = [inf, inf, *rng.choices((0, 1, inf), (1, 4, 2), k=7)]
        # networkx cuts edges: each place is an edge from its entry to its exit.
        cuts = nx.DiGraph([((i, "exit"), (j, "entry")) for i, j in [*graph.edges, *[(j, i) for i, j in graph.edges]]])
        for place, cost in enumerate(costs):
            cuts.add_edge((place, "entry"), (place, "exit"), **({} if cost == inf else {"capacity": cost}))
        try:
            size = nx.minimum_cut_value(cuts, (0, "exit"), (1, "entry"))
        except nx.NetworkXUnbounded:
            continue
        separator = smallest_separator([[*graph[i]] for i in range(9)], costs, 0, 1)
        assert len(separator) == size and {costs[place] for place in separator} <= {1}
        blocked = {*separator, *[place for place, cost in enumerate(costs) if not cost]}
        assert not nx.has_path(graph.subgraph(set(graph) - blocked), 0, 1)


def test_a_step_by_connection_names_two_places_and_what_separates_them() -> None:
    walker = Walker(Solver(dsl.load(EXAMPLES / "hitori.csp")))
    reasons = [step.sentence for step in walker if "one piece" in step.sentence]
    assert reasons[0] == (
        "single constraint · by one piece (line 23), only shaded(1,4) joins shaded(1,3) with shaded(1,5), "
        "as shaded(1,2) = shaded(2,3) = 1: shaded(1,4) = 0"
    )
    reasons = [
        step.sentence for step in Walker(Solver(dsl.load(EXAMPLES / "nurikabe.csp"))) if "joins" in step.sentence
    ]
    assert reasons[0].endswith("nothing joins land(4,3) with land(4,1), as land(4,2) = 0: land(4,1) = 0")
    spec = """
        place(I) :- I in 1..3.
        next(I, I + 1) :- I in 1..2.
        x(I) in 0..1 :- place(I).
        "chain": connected(next, [I] : place(I), x(I) = 1).
        x(1) = 1. x(2) = 0. x(3) = 1.
    """
    walker = Walker(Solver(dsl.loads(spec)))
    walker.run()
    assert walker.conflict == "chain (line 5) cannot hold, as x(2) = 0 separates x(1) from x(3)"
