"""Tuples: the values of drawn variables for which a value of a helper stands.

A picture lists a value of a drawn variable if a tuple allows it, so that a table of tuples agrees with the variables.
``scripts/tuples.js`` of the page has the same rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import product
from math import prod

from ...base.frozen import Frozen
from ...model import Candidate, Domain, Linear, Model, Value, Variable

MAX_TUPLES = 400
"""Maximum number of combinations of values for one helper."""

TupleValues = Mapping[str, tuple[Sequence[Variable], Mapping[Value, tuple[Value, ...]]]]
"""Helpers whose values are combinations of values: their variables, and these values for each of their own."""


class TupleLists(Frozen):
    """The lists of values that helpers with tuples and their drawn variables allow each other.

    Attributes
    ----------
    tuples : mapping of str to (tuple of Variable, mapping of Value to tuple of Value)
    tabled : collection of str
        The helpers whose remaining tuples a printed table shows. These need all their parts.
    """

    tuples: TupleValues
    tabled: Collection[str] = ()

    @cached_property
    def _helpers_of(self) -> Mapping[str, list[Variable]]:
        """The helpers of each drawn variable."""
        helpers_of: dict[str, list[Variable]] = {}
        for helper, (variables, _) in self.tuples.items():
            for v in variables:
                helpers_of.setdefault(v, []).append(Variable(helper))
        return helpers_of

    def list_values(self, v: Variable, domains: Mapping[Variable, Domain]) -> Domain:
        """Return the values of a drawn variable that have a tuple.

        A helper in a table has the values whose parts remain. A helper without tuples, as at a failure, excludes
        nothing.

        Examples
        --------
        >>> lists = TupleLists({"2*x + y": ("xy", {4: (1, 2), 5: (1, 3), 6: (2, 2)})}, ["2*x + y"])
        >>> domains = {"x": (1, 2), "y": (2, 3), "2*x + y": (4, 5)}
        >>> lists.list_values("x", domains), lists.list_values("y", domains)
        ((1,), (2, 3))
        >>> lists.list_values("2*x + y", domains | {"y": (3,)})
        (5,)
        """
        if v in self.tabled:
            variables, values_of = self.tuples[v]
            remaining = [(value, values_of[value]) for value in domains[v] if value in values_of]
            is_left = [all(map(_is_in, parts, map(domains.__getitem__, variables))) for _, parts in remaining]
            return tuple([value for (value, _), is_whole in zip(remaining, is_left, strict=True) if is_whole])
        values = list(domains[v])
        for helper in self._helpers_of.get(v, ()):
            variables, values_of = self.tuples[helper]
            place = variables.index(v)
            if allowed := {
                values_of[value][place] for value in self.list_values(helper, domains) if value in values_of
            }:
                values = [value for value in values if value in allowed]
        return tuple(values) or domains[v]

    def excludes(self, candidate: Candidate, domains: Mapping[Variable, Domain]) -> bool:
        """Return whether a drawn variable does not list a value, because it has no tuple."""
        v, value = candidate
        return v in self._helpers_of and value not in self.list_values(v, domains)

    def find_lost(self, domains: Mapping[Variable, Domain], removed: Collection[Candidate]) -> Iterator[Candidate]:
        """Yield the values that lists lost by removals, except the removed ones."""
        before, changed = add_values(domains, removed), {v for v, _ in removed}
        affected = dict.fromkeys(
            Variable(v)
            for helper, (variables, _) in self.tuples.items()
            if not changed.isdisjoint((helper, *variables))
            for v in (helper, *variables)
        )
        for v in affected:
            after = {*self.list_values(v, domains), *(value for w, value in removed if w == v)}
            yield from ((v, value) for value in self.list_values(v, before) if value not in after)


def _is_in(value: Value, domain: Domain) -> bool:
    return value in domain


def add_values(domains: Mapping[Variable, Domain], candidates: Iterable[Candidate]) -> Mapping[Variable, Domain]:
    """Return domains with more values.

    Examples
    --------
    >>> add_values({"x": (1,), "y": (3,)}, [("x", 2)])
    {'x': (1, 2), 'y': (3,)}
    """
    larger = {**domains}
    for v, value in candidates:
        larger[v] = (*larger[v], value)
    return larger


def find_tuples(
    model: Model, helpers: Collection[str]
) -> Iterator[tuple[str, tuple[Sequence[Variable], Mapping[Value, tuple[Value, ...]]]]]:
    """Yield each helper whose value determines drawn variables, with their values.

    The helper is an expression of at least two variables, with few combinations of values.
    """
    for constraint in model.constraints if helpers else ():
        expressions = [v for v in constraint.scope if v in helpers and " " in v]
        if isinstance(constraint, Linear) and constraint.relation == "=" and len(expressions) == 1:
            [helper], drawn = expressions, [v for v in constraint.scope if v not in helpers]
            codes = _codes(model, helper, constraint, drawn)
            if codes and 2 <= len(drawn) == len(constraint.scope) - 1:
                yield helper, (drawn, codes)


def _codes(
    model: Model, helper: Variable, definition: Linear, drawn: Sequence[Variable]
) -> dict[Value, tuple[Value, ...]]:
    """Return the values of drawn variables by the helper's value.

    If one value has several combinations, or if there are too many, the result is empty.
    """
    difference = definition.left - definition.right
    coefficients = {v: coefficient for coefficient, v in difference.terms}
    domains = [model.domains[v] for v in drawn]
    is_numeric = all(isinstance(value, int) for domain in domains for value in domain)
    if coefficients.get(helper) not in (1, -1) or not is_numeric or prod(map(len, domains)) > MAX_TUPLES:
        return {}
    values_of: dict[Value, tuple[Value, ...]] = {}
    for values in product(*domains):
        total = difference.constant + sum(coefficients[v] * int(value) for v, value in zip(drawn, values, strict=True))
        code = -total * int(coefficients[helper])
        if code in values_of:
            return {}
        values_of[code] = values
    return values_of
