"""Methods that backtrack: in the order of the model, or on the smallest domain."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from ..base.notation import counted, quoted
from ..model import Constraint, Value
from .base import Run
from .groups import Groups

HEADER = "counter  options  history"


def try_in_order(run: Run) -> None:
    """Find all solutions by backtracking, with variables and values in the model's order.

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


def try_smallest_first(run: Run) -> None:
    """Find all solutions by backtracking, on the variable with the fewest options.

    Contradictions between the givens are logged and end the method. An attempt is an assignment. Options are the values
    that no neighbour has. Of several variables with the fewest options, the first one is taken. Each variable remembers
    the values that it has had; after a dead end, the last assigned variable gets its smallest value that is new. Each
    line of the log has the number of assignments, the number of options, and the event.
    """
    groups = run.groups
    given = {i: groups.domains[i][0] for i in groups.givens}
    used = groups.bits_used_by(given)
    if contradictions := list(_find_contradictions(groups, given, used)):
        for line in contradictions:
            run.log(f"check: {line}")
        return
    run.log(f"check: {counted(len(given), 'given')} without a conflict")
    _search(run, groups, given, used)


def _find_contradictions(groups: Groups, given: Mapping[int, Value], used: int) -> Iterator[str]:
    """Yield a message for each contradiction that is visible before the search."""
    names = groups.variables
    # The values that the givens leave to each variable, and the variables with one of them.
    options = {i: _options(groups, i, used) for i in range(len(names)) if i not in given}
    single = {i: values_left[0] for i, values_left in options.items() if len(values_left) == 1}
    yield from _find_clashes(groups, given, "are both given")
    yield from [f"{names[i]} has no candidate" for i, values_left in options.items() if not values_left]
    yield from _find_clashes(groups, single, "both have one candidate,")
    values: dict[str, Value] = {names[i]: value for i, value in given.items()}
    yield from [
        f"{constraint.place} does not hold"
        for constraint in groups.other_constraints
        if _is_violated(constraint, values)
    ]


def _find_clashes(groups: Groups, values: Mapping[int, Value], relation: str) -> Iterator[str]:
    # Equal values in one group.
    for group, name in zip(groups.groups, groups.names, strict=True):
        for i, j in combinations([i for i in group if i in values], 2):
            if values[i] == values[j]:
                yield f"{groups.variables[i]} and {groups.variables[j]} {relation} {quoted(values[i])}, in {name}"


def _options(groups: Groups, i: int, used: int) -> list[Value]:
    return [value for value, bits in groups.value_bits[i].items() if not used & bits]


def _is_violated(constraint: Constraint, values: Mapping[str, Value]) -> bool:
    return all(variable in values for variable in constraint.scope) and not constraint.check(values)


def _search(run: Run, groups: Groups, given: Mapping[int, Value], used: int) -> None:
    names = groups.variables
    values: dict[str, Value] = {names[i]: value for i, value in given.items()}
    constraints_of = {name: [c for c in groups.other_constraints if name in c.scope] for name in names}
    unfixed = [i for i in range(len(names)) if i not in given]
    # For each assigned variable: its number, the bits used before it, and its options.
    path: list[tuple[int, int, list[Value]]] = []
    # The values that each variable of the path has been assigned.
    earlier_values: dict[int, list[Value]] = {}

    def log_event(options: object, event: str) -> None:
        run.log(f"{run.attempts:>7}  {options:>7}  {event}")

    run.log(HEADER)
    while True:
        # Choose the unfixed variable with the fewest options; without options, go back.
        choices = [(i, _options(groups, i, used)) for i in unfixed if names[i] not in values]
        i, options = min(choices, key=lambda pair: len(pair[1]), default=(-1, []))
        if options:
            path.append((i, used, options))
            earlier_values[i] = []
        elif choices:
            log_event(0, f"{names[i]}: dead end")
        else:
            log_event("", "solution")
            run.add_solution(values)
        # Assign the next value of the last variable; variables without one leave the path.
        while path:
            run.check()
            i, used_before, options = path[-1]
            name = names[i]
            if earlier_values[i]:
                log_event("", f"{name} = {quoted(values.pop(name))} undone")
            untried = [value for value in options if value not in earlier_values[i]]
            if not untried:
                path.pop()
                continue
            values[name] = untried[0]
            earlier_values[i].append(untried[0])
            used = used_before | groups.value_bits[i][untried[0]]
            run.attempts += 1
            if run.visits is not None:
                run.visits.add_value(len(path) - 1, name, untried[0])
            log_event(len(untried), f"{name} = {quoted(untried[0])}")
            # Check the constraints that are not groups.
            failed = next((constraint for constraint in constraints_of[name] if _is_violated(constraint, values)), None)
            if failed is None:
                break
            log_event("", f"{name}: dead end, {failed.place} does not hold")
        else:
            return
