"""Interval arithmetic: bounds of expressions and of the truth values of conditions."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ....model import Affine, Atom, Constraint, Variable
from ....model.expression import Condition
from ....model.variable import Interval, integer
from .base import Context, Masks

IntervalOf = Callable[[Masks], Interval]
"""From the domains of a scope to a least and a greatest value; raises ``ZeroDivisionError`` if no value is defined."""


def span_of(part: Affine | Condition, position_of: Mapping[Variable, int], context: Context) -> IntervalOf:
    """Return a function from the domains of a scope to an expression's bounds.

    ``part``: a condition is 0 if it is false, and 1 if it is true. ``position_of``: the position of each variable in
    the scope.
    """
    if not isinstance(part, Affine):
        assert isinstance(part, Constraint)
        return _condition(part, position_of, context)
    if part.is_variable:
        return _variable(part.variables[0], position_of, context)
    constant = part.constant
    terms = [
        (c, _variable(atom, position_of, context) if isinstance(atom, Variable) else _atom(atom, position_of, context))
        for c, atom in part.terms
    ]

    def span(masks: Masks) -> Interval:
        """Return the bounds of the expression: the sum of the bounds of its terms."""
        low = high = constant
        for coefficient, term in terms:
            least, greatest = term(masks)
            if coefficient < 0:
                least, greatest = greatest, least
            low += coefficient * least
            high += coefficient * greatest
        return low, high

    return span


def _variable(variable: Variable, position_of: Mapping[Variable, int], context: Context) -> IntervalOf:
    """Return a function from the domains of a scope to a variable's bounds."""
    position, domain = position_of[variable], context.domain(variable)
    cache: dict[int, Interval] = context.shared(("spans", domain), context.memory.cache)
    memory = context.memory

    def span(masks: Masks) -> Interval:
        mask = masks[position]
        interval = cache.get(mask)
        if interval is None:
            interval = integer(domain[(mask & -mask).bit_length() - 1]), integer(domain[mask.bit_length() - 1])
            memory.take(200)
            cache[mask] = interval
        return interval

    return span


def _atom(atom: Atom, position_of: Mapping[Variable, int], context: Context) -> IntervalOf:
    """Return a function from the domains of a scope to an operation's bounds."""
    parts = [span_of(part, position_of, context) for part in atom.parts()]
    combine = atom.span
    if atom.optional:
        return lambda masks: combine([_span_or_none(part, masks) for part in parts])
    return lambda masks: combine([part(masks) for part in parts])


def _span_or_none(span: IntervalOf, masks: Masks) -> Interval | None:
    """Return the bounds of an operand; None if the operand is undefined."""
    try:
        return span(masks)
    except ZeroDivisionError:
        return None


def _condition(condition: Constraint, position_of: Mapping[Variable, int], context: Context) -> IntervalOf:
    """Return a function from the domains of a scope to a condition's bounds."""
    part = context.part(condition)
    positions = [position_of[variable] for variable in condition.scope]
    spans = {True: (1, 1), False: (0, 0), None: (0, 1)}
    meter = context.meter

    def span(masks: Masks) -> Interval:
        meter.steps += 1
        return spans[part.entailment([masks[position] for position in positions])]

    return span
