"""The method of plain backtracking, in the order of the model."""

from __future__ import annotations

from collections.abc import Iterator

from ..model import Value
from .base import Run


def solve(run: Run) -> None:
    """Try the values of each variable in turn, in the order of the model.

    An attempt is a value that is assigned to an unfixed variable, or a given that is tried. The sets of used values
    start empty, so a given is tried when its variable is reached, like any other value. Constraints that are not groups
    are checked as soon as their last variable has a value.
    """
    groups, visits = run.groups, run.visits
    count = len(groups.variables)
    checks = groups.checks_after([(i,) for i in range(count)])
    fixed = [len(domain) < 2 for domain in groups.domains]
    # The number of placed values, and of tried givens.
    tries = [0, 0]
    values: dict[str, Value] = {}
    # At each depth, bits for the values that earlier variables use in their groups.
    used = [0] * (count + 1)
    # At each depth, an iterator over the values that are not tried yet.
    values_to_try: list[Iterator[tuple[Value, int]]] = []

    def attempt(is_given: bool) -> None:
        tries[is_given] += 1
        run.count_attempt()

    def enter(depth: int) -> None:
        if fixed[depth]:
            attempt(True)
        values_to_try.append(iter(groups.value_bits[depth].items()))

    try:
        if count:
            enter(0)
        else:
            run.add_solution(values)
        while values_to_try:
            depth = len(values_to_try) - 1
            used_bits, is_open = used[depth], not fixed[depth]
            for value, bits in values_to_try[depth]:
                # A group has the value already.
                if used_bits & bits:
                    continue
                if is_open:
                    attempt(False)
                values[groups.variables[depth]] = value
                if visits is not None:
                    visits.add_value(depth, groups.variables[depth], value)
                if checks[depth] and not all(constraint.check(values) for constraint in checks[depth]):
                    continue
                # Descend; when the values of a depth are exhausted, go back up.
                if depth + 1 < count:
                    used[depth + 1] = used_bits | bits
                    enter(depth + 1)
                    break
                run.add_solution(values)
            else:
                values_to_try.pop()
    finally:
        run.log(f"{tries[False]:,} values placed, {tries[True]:,} givens tried")
