"""Exact cover."""

from __future__ import annotations

from .base import Run
from .links import Links


def solve(run: Run) -> None:
    """Find exact covers by dancing links, the item with the fewest options first; an attempt is an option tried.

    An option is a variable with a value. It covers an item for the variable, and in each of its groups one for the
    value. An item of a group that has fewer variables than values need not be covered.
    """
    groups = run.only_groups
    must = [(number, value) for number, values in enumerate(groups.values) for value in values if groups.full[number]]
    may = [(number, value) for number, values in enumerate(groups.values) for value in values if not groups.full[number]]
    count = len(groups.variables)
    item = {pair: count + k for k, pair in enumerate(must + may)}  # after those for the variables
    chosen = [(i, value) for i, domain in enumerate(groups.domains) for value in domain]
    options = [[i, *(item[number, value] for number in groups.groups_of[i])] for i, value in chosen]
    optional = f", {len(may):,} of which need not be covered" if may else ""
    run.tell(f"{sum(map(len, groups.declared)):,} options, {count + len(item):,} items{optional}")
    run.tell(f"{len(options):,} options under the givens")
    for taken in Links(count + len(item), count + len(must), options).covers(run.step):
        run.found({groups.variables[i]: value for i, value in [chosen[k] for k in taken]})
