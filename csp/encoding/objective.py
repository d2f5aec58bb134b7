"""The objective of the conflict-driven search, with costs that a flow reduces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..model import Affine, Atom, Comparison, Constraint, Operation, Table, Value, Variable
from ..model.expression import Condition
from .encoder import Encoder
from .flow import reduce_costs

ValueChoice = tuple[Variable, Value]
"""A variable and the value that is chosen for it."""

MAX_CHOICES = 20_000
"""Maximum number of choices for which a minimum-cost flow is computed."""


class Slots:
    """A set of choices (variable, value); at most ``room`` of them can hold together."""

    def __init__(self, choices: frozenset[ValueChoice], room: int) -> None:
        self.choices, self.room = choices, room


def minimize(encoder: Encoder, expression: Affine, sign: int, constraints: Sequence[Constraint]) -> bool:
    """Make the formula minimize ``sign`` times an expression, after flows have reduced its costs.

    A term of one variable is a cost for the choice of each value. Groups and counts are sets with room for some
    choices. The potentials of a minimum-cost flow turn these costs into others: they differ by a constant, are never
    negative, and are 0 for an optimal choice of each variable when only these sets count. So the search starts with the
    bound that the flow proves, and excludes each choice whose cost exceeds the possible improvement. Sets that cross
    are treated one family after another, each with the costs that the preceding families produced.

    ``encoder``: its variables are introduced already; ``constraints``: the constraints of the model. Returns whether
    some set has changed the costs: the bound is then close.

    References
    ----------
    .. [1] M. Cooper et al., "Soft arc consistency revisited", Artificial Intelligence 174, 2010.
    """
    costs: dict[Variable, dict[Value, int]] = {}
    other_terms: list[tuple[int, Variable | Atom]] = []
    chosen_by = dict(_functions(encoder, constraints, set(expression.variables)))
    # Collect the costs of each value of each variable; other terms are minimized as they are.
    for factor, part in expression.terms:
        term_costs = _costs(encoder, sign * factor, part)
        if term_costs is None:
            other_terms.append((sign * factor, part))
            continue
        variable, value_costs = term_costs
        # Move the costs to the grouped variable that determines this one.
        if variable in chosen_by:
            variable, table = chosen_by[variable]
            value_costs = {value: value_costs[image] for value, image in table.items()}
        variable_costs = costs.setdefault(variable, dict.fromkeys(encoder.domains[variable], 0))
        for value, cost in value_costs.items():
            variable_costs[value] += cost
    has_bound = False
    steps = [step for factor, part in other_terms for step in encoder.cost_steps(factor, part)]
    # A free place of a set has a price: pay it for each number of choices that is not reached.
    if sum(map(len, costs.values())) <= MAX_CHOICES:
        for slots, price in _reduce_nested(costs, list(_find_slots(encoder, constraints, costs))):
            literals = [encoder.terms[variable][value] for variable, value in sorted(slots.choices)]
            steps += [(price, -literal) for literal in encoder.count_literals(literals, slots.room)]
            has_bound = True
    for variable, row in costs.items():
        steps += encoder.steps(encoder.image(encoder.terms[variable], lambda value, row=row: row[value]))  # type: ignore[misc]
    if steps:
        encoder.formula.minimize(steps)
    return has_bound


def _costs(encoder: Encoder, factor: int, part: Variable | Atom) -> tuple[Variable, dict[Value, int]] | None:
    """Return the only variable of a term and the costs of its values, or None.

    The result is None if the term has several variables, or no cost for a value.
    """
    term = Affine(((factor, part),))
    if len(term.variables) != 1:
        return None
    (variable,) = term.variables
    try:
        return variable, {value: term.number({variable: value}) for value in encoder.domains[variable]}
    except ZeroDivisionError:
        return None


def _functions(
    encoder: Encoder, constraints: Sequence[Constraint], objective_variables: set[Variable]
) -> Iterator[tuple[Variable, tuple[Variable, dict[Value, Value]]]]:
    """Yield the objective variables that tables determine from a variable in an all_different.

    Each comes with the grouped variable and the image of each of its values.
    """
    grouped = {variable for constraint in constraints for group in constraint.differing() for variable in group}
    for table in constraints:
        if not isinstance(table, Table) or len(table.scope) != 2:
            continue
        first, second = table.scope
        for variable, grouped_variable in ((first, second), (second, first)):
            if variable not in objective_variables or variable in grouped or grouped_variable not in grouped:
                continue
            if len(encoder.domains[variable]) * len(encoder.domains[grouped_variable]) > MAX_CHOICES:
                continue
            image_of: dict[Value, Value] = {}
            pairs = [
                (value, image)
                for value in encoder.domains[grouped_variable]
                for image in encoder.domains[variable]
                if table.check({grouped_variable: value, variable: image})
            ]
            image_of.update(pairs)
            if len(pairs) == len(image_of) == len(encoder.domains[grouped_variable]) > 1:
                yield variable, (grouped_variable, image_of)


def _find_slots(
    encoder: Encoder, constraints: Sequence[Constraint], costs: dict[Variable, dict[Value, int]]
) -> Iterator[Slots]:
    """Yield ``Slots`` for each value in an all_different and for each bounded count."""
    for constraint in constraints:
        for group in constraint.differing():
            group_variables = [variable for variable in group if variable in costs]
            for value in dict.fromkeys(value for variable in group_variables for value in costs[variable]):
                yield Slots(
                    frozenset([(variable, value) for variable in group_variables if value in costs[variable]]), 1
                )
        if isinstance(constraint, Comparison) and constraint.relation in ("<=", "<", "="):
            match constraint.difference:
                case Affine(terms=((1, Operation(operator="count", operands=conditions)),), constant=constant):
                    choices = _conditions(encoder, conditions)
                    if choices is not None:
                        room = -constant - (constraint.relation == "<")
                        yield Slots(frozenset([choice for choice in choices if choice[0] in costs]), room)


def _conditions(encoder: Encoder, conditions: Sequence[Affine | Condition]) -> list[ValueChoice] | None:
    """Return the choices (variable, value) that satisfy conditions, or None.

    The result is None if a condition has several variables or two conditions share a choice.
    """
    choices: list[ValueChoice] = []
    for condition in conditions:
        if not isinstance(condition, Constraint) or len(condition.scope) != 1:
            return None
        (variable,) = condition.scope
        choices += [(variable, value) for value in encoder.domains[variable] if condition.check({variable: value})]
    return choices if len(set(choices)) == len(choices) else None


def _reduce_nested(costs: dict[Variable, dict[Value, int]], pending: list[Slots]) -> Iterator[tuple[Slots, int]]:
    """Reduce costs in place by flows; yield each set with a price for unused room."""
    pending = [slots for slots in pending if len(slots.choices) > slots.room]
    pending.sort(key=lambda slots: -len(slots.choices))
    while pending:
        # Take the largest sets first; a set that crosses the family is deferred to the next one.
        crossing: list[Slots] = []
        family: list[Slots] = []
        innermost: dict[ValueChoice, int] = {}
        outer: list[int] = []
        for slots in pending:
            containing = {innermost.get(choice, -1) for choice in slots.choices}
            if len(containing) > 1:
                crossing.append(slots)
                continue
            outer.append(containing.pop())
            innermost.update(dict.fromkeys(slots.choices, len(family)))
            family.append(slots)
        count = len(family)
        sets = [
            (slots.room, count if outer_index < 0 else outer_index)
            for slots, outer_index in zip(family, outer, strict=True)
        ]
        sets_of_choice = [[innermost.get((variable, value), count) for value in row] for variable, row in costs.items()]
        reduced = reduce_costs([[*row.values()] for row in costs.values()], sets_of_choice, sets)
        if reduced is not None:
            for row, new_row in zip(costs.values(), reduced.costs, strict=True):
                row.update(zip(row, new_row, strict=True))
            yield from [(slots, price) for slots, price in zip(family, reduced.room, strict=True) if price]
        pending = crossing
