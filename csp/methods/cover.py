"""The method that solves by exact cover."""

from __future__ import annotations

from .base import Run
from .links import Links


def solve(run: Run) -> None:
    """Solve as an exact cover problem by dancing links, item with fewest options first.

    An attempt is a tried option. An option is a value of a variable. It covers an item for the variable, and for each
    of its groups an item for the value. An item of a group with fewer variables than values need not be covered.
    """
    groups = run.only_groups
    count = len(groups.variables)
    group_values = [(group, value) for group, values in enumerate(groups.values) for value in values]
    # Links expects the items first that must be covered.
    group_values.sort(key=lambda group_value: not groups.is_permutation[group_value[0]])
    required = sum(groups.is_permutation[group] for group, _ in group_values)
    item_of = {group_value: count + k for k, group_value in enumerate(group_values)}
    candidates = [(i, value) for i, domain in enumerate(groups.domains) for value in domain]
    # The items of an option: its variable, and its value in each group of the variable.
    options = [[i, *(item_of[group, value] for group in groups.groups_of[i])] for i, value in candidates]
    optional = f", {len(group_values) - required:,} optional" if required < len(group_values) else ""
    run.log(f"{sum(map(len, groups.declared)):,} options, {count + len(group_values):,} items{optional}")
    run.log(f"{len(options):,} options under the givens")
    visits = run.visits
    if visits is not None:
        visits.matrix = [
            (groups.variables[i], value, items) for (i, value), items in zip(candidates, options, strict=True)
        ]
        visits.items = count + len(group_values)

    def record_option(depth: int, option: int) -> None:
        assert visits is not None
        visits.add_value(depth, *visits.matrix[option][:2])

    # Branch on items; each cover is a solution.
    links = Links(count + len(group_values), count + required, options)
    for cover in links.covers(run.count_attempt, record_option if visits is not None else None):
        if visits is not None:
            visits.chosen = visits.chosen or tuple(cover)
        run.add_solution({groups.variables[i]: value for i, value in [candidates[number] for number in cover]})
