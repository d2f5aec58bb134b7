"""Backtracking with sanity checks before it, the fewest options first, and a history of everything."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations

from ..ground.notation import quoted
from ..model import Constraint, Value
from .base import Run
from .groups import Groups

HEAD = "counter  options  history"


def solve(run: Run) -> None:
    """Look for contradictions between the givens; then give the variable with the fewest options its smallest value.

    Options are the values that no neighbour has; the first of the variables with the fewest is taken, so that one with
    a single option comes before the others. Each remembers which values it has had, so that whoever comes back to it
    takes the smallest that it has not had. An attempt is a value assigned. The log is the history: how many values
    have been assigned, how many options the variable had then, and what happened to it.
    """
    groups = run.groups
    given = {i: groups.domains[i][0] for i in groups.givens}
    used = groups.used(given)
    if wrong := list(_contradictions(groups, given, used)):
        for line in wrong:
            run.tell(f"check: {line}")
        return
    run.tell(f"check: nothing against the givens, which are {len(given)}")
    _search(run, groups, given, used)


def _contradictions(groups: Groups, given: Mapping[int, Value], used: int) -> Iterator[str]:
    """What can be seen to be wrong before any search."""
    names = groups.variables
    options = {i: _options(groups, i, used) for i in range(len(names)) if i not in given}
    single = {i: left[0] for i, left in options.items() if len(left) == 1}
    yield from _clashes(groups, given, "are both given")
    yield from [f"{names[i]} has no candidate" for i, left in options.items() if not left]
    yield from _clashes(groups, single, "both have one candidate,")
    values: dict[str, Value] = {names[i]: value for i, value in given.items()}
    yield from [f"{constraint.place} does not hold" for constraint in groups.others if _fails(constraint, values)]


def _clashes(groups: Groups, values: Mapping[int, Value], what: str) -> Iterator[str]:
    for group, name in zip(groups.groups, groups.names, strict=True):
        for one, other in combinations([i for i in group if i in values], 2):
            if values[one] == values[other]:
                yield f"{groups.variables[one]} and {groups.variables[other]} {what} {quoted(values[one])}, in {name}"


def _options(groups: Groups, i: int, used: int) -> list[Value]:
    return [value for value, taken in groups.takes[i].items() if not used & taken]


def _fails(constraint: Constraint, values: Mapping[str, Value]) -> bool:
    return all(variable in values for variable in constraint.scope) and not constraint.check(values)


def _search(run: Run, groups: Groups, given: Mapping[int, Value], used: int) -> None:
    names = groups.variables
    values: dict[str, Value] = {names[i]: value for i, value in given.items()}
    about = {name: [c for c in groups.others if name in c.scope] for name in names}
    open_ones = [i for i in range(len(names)) if i not in given]
    chosen: list[tuple[int, int, list[Value]]] = []  # with the values used before, and the options
    had: dict[int, list[Value]] = {}  # the values that each chosen variable has been assigned

    def tell(options: object, what: str) -> None:
        run.tell(f"{run.attempts:>7}  {options:>7}  {what}")

    run.tell(HEAD)
    while True:
        left = [(i, _options(groups, i, used)) for i in open_ones if names[i] not in values]
        i, options = min(left, key=lambda pair: len(pair[1]), default=(-1, []))
        if options:
            chosen.append((i, used, options))
            had[i] = []
        elif left:
            tell(0, f"{names[i]}: dead end")
        else:
            tell("", "solution")
            run.found(values)
        while chosen:
            run.check()
            i, before, options = chosen[-1]
            name = names[i]
            if had[i]:
                tell("", f"{name} = {quoted(values.pop(name))} taken back")
            rest = [value for value in options if value not in had[i]]
            if not rest:
                chosen.pop()
                continue
            values[name] = rest[0]
            had[i].append(rest[0])
            used = before | groups.takes[i][rest[0]]
            run.attempts += 1
            if run.visits is not None:
                run.visits.tried(len(chosen) - 1, name, rest[0])
            tell(len(rest), f"{name} = {quoted(rest[0])}")
            failed = next((constraint for constraint in about[name] if _fails(constraint, values)), None)
            if failed is None:
                break
            tell("", f"{name}: dead end, {failed.place} does not hold")
        else:
            return
