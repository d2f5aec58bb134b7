"""What chains of differences come to, where no two of them are equal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from itertools import accumulate

from ...model import Affine, AllDifferent, Comparison, Constraint, Domain, Variable
from ...model.variable import integer

Ends = tuple[Variable, Variable]
"""The lesser and the greater variable of a difference."""


def chained(constraints: Sequence[Constraint], domains: Mapping[Variable, Domain]) -> Iterator[Comparison]:
    """What a group says of differences that are sums of others in it, such as those of a Golomb ruler.

    A chain of n differences that are positive and not equal is at least the sum of the n least values that there are;
    and the longest chain is that much longer than a difference in it.

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
    >>> print(*chained(rules, {Variable(name): range(1, 10) for name in "xyzghk"}), sep=", ")
    g >= 1, h >= 1, k >= 3, k >= g + 1, k >= h + 1
    """
    defined = {variable: ends for constraint in constraints for variable, ends in _differences(constraint)}
    ordered = {ends for constraint in constraints if (ends := _order(constraint))}
    for group in constraints:
        if isinstance(group, AllDifferent):
            names = {defined[v]: v for own in group.differing() for v in own if v in defined}
            yield from _of_group(names, ordered, domains)


def _of_group(
    names: Mapping[Ends, Variable], ordered: set[Ends], domains: Mapping[Variable, Domain]
) -> Iterator[Comparison]:
    links = [ends for ends, name in names.items() if ends in ordered or integer(domains[name][0]) > 0]
    lengths = _longest(links)
    first, last = max(lengths, key=lengths.__getitem__, default=(None, None))
    values = {integer(value) for ends in links for value in domains[names[ends]]}
    least = [0, *accumulate(sorted(value for value in values if value > 0))]
    if first is None or last is None or not 1 < lengths[first, last] < len(least):
        return
    for ends, name in names.items():
        if ends in lengths:
            yield Comparison(Affine.variable(name), ">=", Affine((), least[lengths[ends]]))
    if (first, last) not in names:
        return
    whole = Affine.variable(names[first, last])
    for (low, high), name in names.items():
        before = 0 if low == first else lengths.get((first, low))
        behind = 0 if high == last else lengths.get((high, last))
        if (low, high) in lengths and before is not None and behind is not None and before + behind:
            yield Comparison(whole, ">=", Affine.variable(name) + least[before + behind])


def _longest(links: Sequence[Ends]) -> dict[Ends, int]:
    """How many links the longest chain between two variables has; nothing where links go round."""
    below: dict[Variable, list[Variable]] = {}
    for low, high in links:
        below.setdefault(high, []).append(low)
    lengths: dict[Ends, int] = {}
    try:
        order = list(TopologicalSorter(below).static_order())
    except CycleError:
        return {}
    for high in order:
        for low in below.get(high, ()):
            lengths[low, high] = max(1, lengths.get((low, high), 0))
            for start in order:
                if (start, low) in lengths:
                    lengths[start, high] = max(lengths[start, low] + 1, lengths.get((start, high), 0))
    return lengths


def _differences(constraint: Constraint) -> Iterator[tuple[Variable, Ends]]:
    """The variables that are told to be the difference of two others: x and y, where x + y = z."""
    if not isinstance(constraint, Comparison) or constraint.relation != "=" or constraint.difference.constant:
        return
    terms = constraint.difference.terms
    for sign in (1, -1):
        match sorted(terms, key=lambda term: -sign * term[0]):
            case [(a, Variable() as one), (b, Variable() as other), (c, Variable() as whole)] if (
                sign * a == sign * b == -sign * c == 1
            ):
                yield one, (other, whole)
                yield other, (one, whole)


def _order(constraint: Constraint) -> Ends | None:
    """The two variables of which the first is told to be less."""
    if (
        not isinstance(constraint, Comparison)
        or constraint.relation not in ("<", ">")
        or constraint.difference.constant
    ):
        return None
    match sorted(constraint.difference.terms, key=lambda term: term[0]):
        case [(-1, Variable() as one), (1, Variable() as other)]:
            return (other, one) if constraint.relation == "<" else (one, other)
    return None
