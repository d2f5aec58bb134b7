"""Formulas for connected places, circuits, and paths through layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .formula import Formula
from .terms import DirectEncoding


def encode_connected(formula: Formula, chosen: Sequence[int], neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Return literals that are all true exactly if the chosen places are connected.

    ``chosen``: for each place the literal that chooses it; ``neighbours``: for each place its neighbours.

    Notes
    -----
    The start is a place that is always chosen, if one exists, else the first chosen place in an order from the middle
    outwards. From the middle, paths are short, and so are the clauses that the search learns about them.

    Examples
    --------
    >>> from csp.encoding.cnf import Clauses
    >>> clauses = Clauses()
    >>> places = [clauses.new() for _ in range(3)]
    >>> len(encode_connected(clauses, places, [[1], [0, 2], [1]]))
    3
    """
    places = _from_the_middle(chosen, neighbours)
    always_chosen = [place for place in places if chosen[place] == formula.true]
    any_before, first = -formula.true, dict.fromkeys(places, -formula.true)
    # Exactly one start: a certain place, or the first chosen one.
    for place in always_chosen[:1] or places:
        first[place] = formula.all([chosen[place], -any_before])
        any_before = formula.any([any_before, chosen[place]])
    steps = [
        (i, j, chosen[j])
        for i, place_neighbours in enumerate(neighbours)
        for j in place_neighbours
        if chosen[j] != -formula.true
    ]
    reachable = formula.define_reachable([first[place] for place in range(len(chosen))], steps)
    return [formula.any([-is_chosen, is_reachable]) for is_chosen, is_reachable in zip(chosen, reachable, strict=True)]


def encode_circuit(formula: Formula, terms: Sequence[DirectEncoding]) -> list[int]:
    """Return literals that are all true exactly if every place is reachable.

    A term is the successor of a place, which must be a place, too. The start is the first place. The caller requires
    that the successors differ.
    """
    steps = [
        (i, place, term[place + 1]) for i, term in enumerate(terms) for place in range(len(terms)) if place + 1 in term
    ]
    is_place = [formula.any([literal for place, _, literal in steps if place == i]) for i in range(len(terms))]
    start = [-formula.true if place else formula.true for place in range(len(terms))]
    return [*is_place, *formula.define_reachable(start, steps)]


def encode_layers(
    formula: Formula, terms: Sequence[DirectEncoding], layers: Sequence[Mapping[tuple[int, int], Sequence[int]]]
) -> list[int]:
    """Return literals that are all true exactly if terms form a path through all layers.

    The path starts in state 0. The last literals follow from the first one: they let unit propagation remove the values
    that no path supports.

    ``layers``: for each term a map from (state, next state) to values. The values from one state are different, and all
    states lead to the end.
    """
    reached = {0: formula.true}
    forward_literals: list[int] = []
    for term, steps in zip(terms, layers, strict=True):
        arcs_into: dict[int, list[int]] = {}
        arcs_out: dict[int, list[int]] = {}
        for (source, target), values in steps.items():
            arcs_into.setdefault(target, []).append(
                formula.all([reached[source], formula.any([term[v] for v in values])])
            )
            arcs_out.setdefault(source, []).extend([term[value] for value in values])
        forward_literals += [
            formula.any([-reached[source], *literals])
            for source, literals in arcs_out.items()
            if len(literals) < len(term)
        ]
        reached = {state: formula.any(arcs) for state, arcs in arcs_into.items()}
    return [formula.any(reached.values()), *forward_literals]


def _from_the_middle(chosen: Sequence[int], neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Return all places in order of their distance from the middle of a longest path."""
    # Two breadth-first searches find the ends of a longest shortest path.
    first_distances = _by_distance(neighbours, 0) if chosen else []
    distances = _by_distance(neighbours, first_distances[-1][1]) if first_distances else []
    if not distances:
        return []
    length = distances[-1][0]
    distance_back = {place: steps for steps, place in _by_distance(neighbours, distances[-1][1])}
    middle = min(distances, key=lambda entry: (max(entry[0], distance_back.get(entry[1], length)), entry[1]))[1]
    ordered = [place for _, place in _by_distance(neighbours, middle)]
    reached = {*ordered}
    return [*ordered, *(place for place in range(len(chosen)) if place not in reached)]


def _by_distance(neighbours: Sequence[Sequence[int]], start: int) -> list[tuple[int, int]]:
    """Return the places reachable from a start with their distances, the nearest first."""
    visited = [(0, start)]
    seen = {start}
    for steps, place in visited:
        for neighbour in neighbours[place]:
            if neighbour not in seen:
                seen.add(neighbour)
                visited.append((steps + 1, neighbour))
    return visited
