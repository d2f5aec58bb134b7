"""An objective for a search: its costs are reduced by what groups and counts leave no room for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ..model import Affine, Atom, Comparison, Constraint, Operation, Table, Value, Variable
from .flow import reduce_costs

if TYPE_CHECKING:
    from .encoder import Encoder

Choice = tuple[Variable, Value]

MAX_CHOICES = 20_000
"""With so many choices at most a cheapest flow is sought."""


class Slots:
    """Choices of which there is room for a few."""

    def __init__(self, choices: frozenset[Choice], room: int) -> None:
        self.choices, self.room = choices, room


def minimize(encoder: Encoder, expression: Affine, sign: int, constraints: Sequence[Constraint]) -> bool:
    """Say that an expression, times a sign, is to be small, by costs that are what exceeds a bound.

    What is paid for the value of one variable is a cost of a choice; groups and counts are sets with room for some
    choices. The potentials of a cheapest flow make of these costs others that differ by a constant, are nowhere
    negative, and are 0 for what is best where nothing else matters. So the search begins with the bound that the flow
    proves, and a choice that costs more than what has been found is better by is excluded at once. Sets that cross
    take turns, each family on the costs that those before have left.

    ``encoder``: whose variables are introduced; ``constraints``: those that hold. Returns whether a set has told
    something: the bound is then near.

    References
    ----------
    .. [1] M. Cooper et al., "Soft arc consistency revisited", Artificial Intelligence 174, 2010.
    """
    costs: dict[Variable, dict[Value, int]] = {}
    others: list[tuple[int, Variable | Atom]] = []
    chosen_by = dict(_functions(encoder, constraints, set(expression.variables)))
    for factor, part in expression.terms:
        own = _costs(encoder, sign * factor, part)
        if own is None:
            others.append((sign * factor, part))
            continue
        variable, paid = own
        if variable in chosen_by:
            variable, table = chosen_by[variable]
            paid = {value: paid[other] for value, other in table.items()}
        known = costs.setdefault(variable, dict.fromkeys(encoder.domains[variable], 0))
        for value, cost in paid.items():
            known[value] += cost
    is_told = False
    steps = [step for factor, part in others for step in encoder.cost_steps(factor, part)]
    if sum(map(len, costs.values())) <= MAX_CHOICES:
        for places, price in _reduce_nested(costs, list(_places(encoder, constraints, costs))):
            literals = [encoder.terms[variable][value] for variable, value in sorted(places.choices)]
            steps += [(price, -one) for one in encoder.count_literals(literals, places.room)]
            is_told = True
    for variable, own_costs in costs.items():
        steps += encoder.steps(encoder.image(encoder.terms[variable], lambda value, own=own_costs: own[value]))  # type: ignore[misc]
    if steps:
        encoder.formula.minimize(steps)
    return is_told


def _costs(encoder: Encoder, factor: int, part: Variable | Atom) -> tuple[Variable, dict[Value, int]] | None:
    """The variable whose values alone are paid for, and what each costs."""
    whole = Affine(((factor, part),))
    if len(whole.variables) != 1:
        return None
    (variable,) = whole.variables
    try:
        return variable, {value: whole.number({variable: value}) for value in encoder.domains[variable]}
    except ZeroDivisionError:
        return None


def _functions(
    encoder: Encoder, constraints: Sequence[Constraint], asked: set[Variable]
) -> Iterator[tuple[Variable, tuple[Variable, dict[Value, Value]]]]:
    """Those asked for, of no group, whose value follows from that of one in a group, by a relation; and from which."""
    grouped = {variable for constraint in constraints for group in constraint.differing() for variable in group}
    for table in constraints:
        if not isinstance(table, Table) or len(table.scope) != 2:
            continue
        one, other = table.scope
        for variable, by in ((one, other), (other, one)):
            if variable not in asked or variable in grouped or by not in grouped:
                continue
            if len(encoder.domains[variable]) * len(encoder.domains[by]) > MAX_CHOICES:
                continue
            found: dict[Value, Value] = {}
            pairs = [
                (value, follows)
                for value in encoder.domains[by]
                for follows in encoder.domains[variable]
                if table.check({by: value, variable: follows})
            ]
            found.update(pairs)
            if len(pairs) == len(found) == len(encoder.domains[by]) > 1:
                yield variable, (by, found)


def _places(
    encoder: Encoder, constraints: Sequence[Constraint], costs: dict[Variable, dict[Value, int]]
) -> Iterator[Slots]:
    """What groups and counts have room for, of the choices that cost something."""
    for constraint in constraints:
        for group in constraint.differing():
            own = [variable for variable in group if variable in costs]
            for value in dict.fromkeys(value for variable in own for value in costs[variable]):
                yield Slots(frozenset([(variable, value) for variable in own if value in costs[variable]]), 1)
        if isinstance(constraint, Comparison) and constraint.relation in ("<=", "<", "="):
            match constraint.difference:
                case Affine(terms=((1, Operation(operator="count", operands=conditions)),), constant=constant):
                    choices = _conditions(encoder, conditions)
                    if choices is not None:
                        room = -constant - (constraint.relation == "<")
                        yield Slots(frozenset([one for one in choices if one[0] in costs]), room)


def _conditions(encoder: Encoder, conditions: Sequence[Affine | Constraint]) -> list[Choice] | None:
    """The choices by which conditions hold, where each is on one variable and no choice counts twice."""
    choices: list[Choice] = []
    for condition in conditions:
        if not isinstance(condition, Constraint) or len(condition.scope) != 1:
            return None
        (variable,) = condition.scope
        choices += [(variable, value) for value in encoder.domains[variable] if condition.check({variable: value})]
    return choices if len(set(choices)) == len(choices) else None


def _reduce_nested(costs: dict[Variable, dict[Value, int]], waiting: list[Slots]) -> Iterator[tuple[Slots, int]]:
    """Reduce costs by one family of nested sets after another; what each place costs that stays free."""
    waiting = [one for one in waiting if len(one.choices) > one.room]
    waiting.sort(key=lambda one: -len(one.choices))
    while waiting:
        crossing: list[Slots] = []
        family: list[Slots] = []
        inside: dict[Choice, int] = {}
        outer: list[int] = []
        for places in waiting:
            around = {inside.get(choice, -1) for choice in places.choices}
            if len(around) > 1:
                crossing.append(places)
                continue
            outer.append(around.pop())
            inside.update(dict.fromkeys(places.choices, len(family)))
            family.append(places)
        many = len(family)
        sets = [(one.room, many if out < 0 else out) for one, out in zip(family, outer, strict=True)]
        ways = [[inside.get((variable, value), many) for value in own] for variable, own in costs.items()]
        reduced = reduce_costs([[*own.values()] for own in costs.values()], ways, sets)
        if reduced is not None:
            for own, new in zip(costs.values(), reduced.costs, strict=True):
                own.update(zip(own, new, strict=True))
            yield from [(places, price) for places, price in zip(family, reduced.room, strict=True) if price]
        waiting = crossing
