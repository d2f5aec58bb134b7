"""Interval arithmetic: between what an expression is, and what is known of a condition, within domains."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....model import Affine, Atom, Constraint, Variable
from ....model.expression import Condition
from ....model.variable import Interval, integer
from .base import Context, Masks

IntervalOf = Callable[[Masks], Interval]
"""From the domains of a scope to a least and a greatest value; ``ZeroDivisionError`` if there can be no value."""


def span_of(part: Affine | Condition, place: Mapping[Variable, int], context: Context) -> IntervalOf:
    """How the bounds of an expression follow from the domains of a scope.

    ``part``: for a condition, 0 is false and 1 is true; ``place``: the positions of the variables in the scope.
    """
    if not isinstance(part, Affine):
        assert isinstance(part, Constraint)
        return _condition(part, place, context)
    if part.is_variable:
        return _variable(part.variables[0], place, context)
    constant = part.constant
    terms = [
        (c, _variable(atom, place, context) if isinstance(atom, Variable) else _atom(atom, place, context))
        for c, atom in part.terms
    ]

    def span(masks: Masks) -> Interval:
        low = high = constant
        for coefficient, term in terms:
            least, most = term(masks)
            if coefficient < 0:
                least, most = most, least
            low += coefficient * least
            high += coefficient * most
        return low, high

    return span


def _variable(variable: Variable, place: Mapping[Variable, int], context: Context) -> IntervalOf:
    position, domain = place[variable], context.domain(variable)
    known: dict[int, Interval] = context.shared(("spans", domain), context.memory.cache)
    memory = context.memory

    def span(masks: Masks) -> Interval:
        mask = masks[position]
        found = known.get(mask)
        if found is None:
            found = integer(domain[(mask & -mask).bit_length() - 1]), integer(domain[mask.bit_length() - 1])
            memory.take(200)
            known[mask] = found
        return found

    return span


def _atom(atom: Atom, place: Mapping[Variable, int], context: Context) -> IntervalOf:
    parts = [span_of(part, place, context) for part in atom.parts()]
    combine = atom.span
    if atom.optional:
        return lambda masks: combine([_span_or_none(part, masks) for part in parts])
    return lambda masks: combine([part(masks) for part in parts])


def _span_or_none(span: IntervalOf, masks: Masks) -> Interval | None:
    try:
        return span(masks)
    except ZeroDivisionError:
        return None


def _condition(condition: Constraint, place: Mapping[Variable, int], context: Context) -> IntervalOf:
    part = context.part(condition)
    positions = [place[variable] for variable in condition.scope]
    spans = {True: (1, 1), False: (0, 0), None: (0, 1)}
    memory = context.memory

    def span(masks: Masks) -> Interval:
        memory.steps += 1
        return spans[part.entailment([masks[position] for position in positions])]

    return span
