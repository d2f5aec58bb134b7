"""Lower bounds on sums of different differences, as in a Golomb ruler."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate

from ...model import Affine, AllDifferent, Comparison, Constraint, Domain, Variable
from ...model.variable import integer

Ends = tuple[Variable, Variable]
"""The lesser and the greater variable of a difference."""


def chain_bounds(constraints: Sequence[Constraint], domains: Mapping[Variable, Domain]) -> Iterator[Comparison]:
    """Yield lower bounds on differences that are sums of other differences in an all_different.

    A chain of n positive differences, all different, is at least the sum of the n least positive values of their
    domains. The longest chain exceeds each difference in it by the bound of the remaining links.

    References
    ----------
    .. [1] P. Galinier, B. Jaumard, R. Morales, G. Pesant, "A constraint-based approach to the Golomb ruler problem",
       2001.

    Examples
    --------
    >>> from csp import Linear
    >>> x, y, z, g, h, k = [Affine.variable(name) for name in "xyzghk"]
    >>> defined = [Linear(g, "=", y - x), Linear(h, "=", z - y), Linear(k, "=", z - x)]
    >>> rules = [*defined, AllDifferent((g, h, k)), Linear(x, "<", y), Linear(y, "<", z)]
    >>> print(*chain_bounds(rules, {Variable(name): range(1, 10) for name in "xyzghk"}), sep=", ")
    g >= 1, h >= 1, k >= 3, k >= g + 1, k >= h + 1
    """
    defined = {variable: ends for constraint in constraints for variable, ends in _differences(constraint)}
    ordered = {ends for constraint in constraints if (ends := _order(constraint))}
    for group in constraints:
        if isinstance(group, AllDifferent):
            names = {defined[v]: v for variables in group.differing() for v in variables if v in defined}
            yield from _bounds_of_group(names, ordered, domains)


def _bounds_of_group(
    names: Mapping[Ends, Variable], ordered: set[Ends], domains: Mapping[Variable, Domain]
) -> Iterator[Comparison]:
    """Yield the lower bounds that follow from the differences in one all_different.

    ``names``: the variable of each difference, by its ends; ``ordered``: ends whose order is known.
    """
    # Link the ends whose difference is known to be positive, and find the longest chain.
    links = [ends for ends, name in names.items() if ends in ordered or integer(domains[name][0]) > 0]
    lengths = _longest_chains(links)
    first, last = max(lengths, key=lengths.__getitem__, default=(None, None))
    # A chain of n links is at least the sum of the n least positive values.
    values = {integer(value) for ends in links for value in domains[names[ends]]}
    least = [0, *accumulate(sorted(value for value in values if value > 0))]
    if first is None or last is None or not 1 < lengths[first, last] < len(least):
        return
    for ends, name in names.items():
        if ends in lengths:
            yield Comparison(Affine.variable(name), ">=", Affine((), least[lengths[ends]]))
    if (first, last) not in names:
        return
    # The longest chain contains each shorter difference and the links on both sides of it.
    longest = Affine.variable(names[first, last])
    for (low, high), name in names.items():
        links_below = 0 if low == first else lengths.get((first, low))
        links_above = 0 if high == last else lengths.get((high, last))
        if (low, high) in lengths and links_below is not None and links_above is not None and links_below + links_above:
            yield Comparison(longest, ">=", Affine.variable(name) + least[links_below + links_above])


def _longest_chains(links: Sequence[Ends]) -> dict[Ends, int]:
    """Return the number of links in the longest chain between each pair of variables.

    The result is empty if the links form a cycle.
    """
    below: dict[Variable, list[Variable]] = {}
    for low, high in links:
        below.setdefault(high, []).append(low)
    lengths: dict[Ends, int] = {}
    try:
        order = list(TopologicalSorter(below).static_order())
    except CycleError:
        return {}
    # In topological order, extend every chain that ends at ``low`` by the link to ``high``.
    for high in order:
        for low in below.get(high, ()):
            lengths[low, high] = max(1, lengths.get((low, high), 0))
            for start in order:
                if (start, low) in lengths:
                    lengths[start, high] = max(lengths[start, low] + 1, lengths.get((start, high), 0))
    return lengths


def _differences(constraint: Constraint) -> Iterator[tuple[Variable, Ends]]:
    """Yield each variable that is a difference, with its lesser and greater variable.

    For a constraint x + y = z, these are x with (y, z), and y with (x, z).
    """
    if not isinstance(constraint, Comparison) or constraint.relation != "=" or constraint.difference.constant:
        return
    terms = constraint.difference.terms
    for sign in (1, -1):
        match sorted(terms, key=lambda term: -sign * term[0]):
            case [(a, Variable() as x), (b, Variable() as y), (c, Variable() as z)] if (
                sign * a == sign * b == -sign * c == 1
            ):
                yield x, (y, z)
                yield y, (x, z)


def _order(constraint: Constraint) -> Ends | None:
    """Return the lesser and the greater variable of ``x < y``; None for other constraints."""
    if (
        not isinstance(constraint, Comparison)
        or constraint.relation not in ("<", ">")
        or constraint.difference.constant
    ):
        return None
    match sorted(constraint.difference.terms, key=lambda term: term[0]):
        case [(-1, Variable() as negative), (1, Variable() as positive)]:
            return (positive, negative) if constraint.relation == "<" else (negative, positive)
    return None
