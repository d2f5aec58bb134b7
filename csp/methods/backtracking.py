"""Plain backtracking: the variables in order, the values in order, and the used values of every group."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Value
from .base import Run


def solve(run: Run) -> None:
    """Try every value that fits, variable by variable in the order of the model.

    The sets of used values begin empty, so a given comes to its turn like any other variable, and fits or not. An
    attempt is a value placed in an open variable, or a given tried. Other constraints are checked as soon as their
    last variable has a value.
    """
    groups, visits = run.groups, run.visits
    count = len(groups.variables)
    due = groups.due([(i,) for i in range(count)])
    given = [len(domain) < 2 for domain in groups.domains]
    tried = [0, 0]  # values placed, givens tried
    values: dict[str, Value] = {}
    used = [0] * (count + 1)  # before each variable, the values used in every group
    waiting: list[Iterator[tuple[Value, int]]] = []  # the values not yet tried of each variable so far

    def attempt(is_given: bool) -> None:
        tried[is_given] += 1
        run.step()

    def enter(depth: int) -> None:
        if given[depth]:
            attempt(True)
        waiting.append(iter(groups.takes[depth].items()))

    try:
        if count:
            enter(0)
        else:
            run.found(values)
        while waiting:
            depth = len(waiting) - 1
            before, is_open = used[depth], not given[depth]
            for value, taken in waiting[depth]:
                if before & taken:
                    continue
                if is_open:
                    attempt(False)
                values[groups.variables[depth]] = value
                if visits is not None:
                    visits.tried(depth, groups.variables[depth], value)
                if due[depth] and not all(constraint.check(values) for constraint in due[depth]):
                    continue
                if depth + 1 < count:
                    used[depth + 1] = before | taken
                    enter(depth + 1)
                    break
                run.found(values)
            else:
                waiting.pop()
    finally:
        run.tell(f"{tried[False]:,} values placed, {tried[True]:,} givens tried")
