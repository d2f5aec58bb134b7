"""Formulas for what is in reach: places that are one piece, a way through all of them, one through layers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .formula import Formula
from .terms import DirectEncoding


def encode_connected(formula: Formula, chosen: Sequence[int], neighbours: Sequence[Sequence[int]]) -> list[int]:
    """Literals that are all true where the chosen places are one piece: from one of them all are reached.

    ``chosen``: for each place the literal that says that it is chosen; ``neighbours``: for each place those beside it.

    Notes
    -----
    One begins at a place that is chosen for certain, where there is one, else at the first chosen one in an order from
    the middle outwards: ways are short then, and so is what a search learns of them.

    Examples
    --------
    >>> from csp.encoding.cnf import Clauses
    >>> clauses = Clauses()
    >>> places = [clauses.new() for _ in range(3)]
    >>> len(encode_connected(clauses, places, [[1], [0, 2], [1]]))
    3
    """
    order = _from_the_middle(chosen, neighbours)
    certain = [place for place in order if chosen[place] == formula.true]
    before, first = -formula.true, dict.fromkeys(order, -formula.true)
    for place in certain[:1] or order:
        first[place] = formula.all([chosen[place], -before])
        before = formula.any([before, chosen[place]])
    steps = [(i, j, chosen[j]) for i, near in enumerate(neighbours) for j in near if chosen[j] != -formula.true]
    reached = formula.define_reachable([first[place] for place in range(len(chosen))], steps)
    return [formula.any([-one, there]) for one, there in zip(chosen, reached, strict=True)]


def encode_circuit(formula: Formula, terms: Sequence[DirectEncoding]) -> list[int]:
    """Literals that are all true where each successor is a place, and all places are reached from the first one."""
    steps = [
        (i, place, term[place + 1]) for i, term in enumerate(terms) for place in range(len(terms)) if place + 1 in term
    ]
    inside = [formula.any([literal for place, _, literal in steps if place == i]) for i in range(len(terms))]
    start = [-formula.true if place else formula.true for place in range(len(terms))]
    return [*inside, *formula.define_reachable(start, steps)]


def encode_layers(
    formula: Formula, terms: Sequence[DirectEncoding], layers: Sequence[Mapping[tuple[int, int], Sequence[int]]]
) -> list[int]:
    """Literals that are all true where terms lead from the first state through all layers.

    The last ones follow from the first: where the constraint must hold, unit propagation finds with them what goes.

    ``layers``: for each term the values that lead from one state to another, no two from one state with the same value;
    all states lead to the end.
    """
    here = {0: formula.true}
    onward: list[int] = []
    for term, steps in zip(terms, layers, strict=True):
        into: dict[int, list[int]] = {}
        out: dict[int, list[int]] = {}
        for (one, other), values in steps.items():
            into.setdefault(other, []).append(formula.all([here[one], formula.any([term[v] for v in values])]))
            out.setdefault(one, []).extend([term[value] for value in values])
        onward += [formula.any([-here[one], *literals]) for one, literals in out.items() if len(literals) < len(term)]
        here = {state: formula.any(ways) for state, ways in into.items()}
    return [formula.any(here.values()), *onward]


def _from_the_middle(chosen: Sequence[int], neighbours: Sequence[Sequence[int]]) -> list[int]:
    """All places, those first that are near the middle of a longest way."""
    far = _by_distance(neighbours, 0) if chosen else []
    there = _by_distance(neighbours, far[-1][1]) if far else []
    if not there:
        return []
    length = there[-1][0]
    back = {place: steps for steps, place in _by_distance(neighbours, there[-1][1])}
    middle = min(there, key=lambda one: (max(one[0], back.get(one[1], length)), one[1]))[1]
    near = [place for _, place in _by_distance(neighbours, middle)]
    known = {*near}
    return [*near, *(place for place in range(len(chosen)) if place not in known)]


def _by_distance(neighbours: Sequence[Sequence[int]], start: int) -> list[tuple[int, int]]:
    """The places in reach of one, each with the number of steps, the nearest first."""
    found = [(0, start)]
    known = {start}
    for steps, place in found:
        for other in neighbours[place]:
            if other not in known:
                known.add(other)
                found.append((steps + 1, other))
    return found
