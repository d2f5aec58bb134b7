"""Plain backtracking: the variables in order, the values in order, and the used values of every group."""

from __future__ import annotations

from ..model import Value
from .base import Run


def solve(run: Run) -> None:
    """Try every value that fits, variable by variable in the order of the model.

    The sets of used values begin empty, so a given comes to its turn like any other variable, and fits or not. An
    attempt is a value placed in an open variable, or a given tried. Other constraints are checked as soon as their
    last variable has a value.
    """
    groups = run.groups
    count = len(groups.variables)
    takes = [[*taken.items()] for taken in groups.takes]
    due = groups.due([(i,) for i in range(count)])
    given = [len(domain) == 1 for domain in groups.domains]
    tried = [0, 0]  # values placed, givens tried
    values: dict[str, Value] = {}
    used = [0] * (count + 1)  # before each variable, the values used in every group
    waiting = [iter(takes[0])] if count else []
    try:
        if not count:
            run.found(values)
        while waiting:
            depth = len(waiting) - 1
            before, is_given = used[depth], given[depth]
            for value, taken in waiting[depth]:
                fits = not before & taken
                if not fits and not is_given:
                    continue
                tried[is_given] += 1
                run.step()
                if not fits:
                    continue
                values[groups.variables[depth]] = value
                if due[depth] and not all(constraint.check(values) for constraint in due[depth]):
                    continue
                if depth + 1 < count:
                    used[depth + 1] = before | taken
                    waiting.append(iter(takes[depth + 1]))
                    break
                run.found(values)
            else:
                waiting.pop()
    finally:
        run.tell(f"{tried[False]:,} values placed, {tried[True]:,} givens tried")
