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
    count = len(groups.variables)
    needs = [(number, value) for number, values in enumerate(groups.values) for value in values]
    needs.sort(key=lambda need: not groups.full[need[0]])  # those first that must be covered
    must = sum(groups.full[number] for number, _ in needs)
    item = {need: count + k for k, need in enumerate(needs)}
    chosen = [(i, value) for i, domain in enumerate(groups.domains) for value in domain]
    options = [[i, *(item[number, value] for number in groups.groups_of[i])] for i, value in chosen]
    optional = f", {len(needs) - must:,} of which need not be covered" if must < len(needs) else ""
    run.tell(f"{sum(map(len, groups.declared)):,} options, {count + len(needs):,} items{optional}")
    run.tell(f"{len(options):,} options under the givens")
    visits = run.visits
    if visits is not None:
        visits.matrix = [(groups.variables[i], value, items) for (i, value), items in zip(chosen, options, strict=True)]
        visits.items = count + len(needs)

    def tried(depth: int, option: int) -> None:
        assert visits is not None
        visits.tried(depth, *visits.matrix[option][:2])

    links = Links(count + len(needs), count + must, options)
    for taken in links.covers(run.step, tried if visits is not None else None):
        if visits is not None:
            visits.chosen = visits.chosen or tuple(taken)
        run.found({groups.variables[i]: value for i, value in [chosen[k] for k in taken]})
