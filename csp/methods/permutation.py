"""Permutation of parts: the solutions of parts are joined to those of bands, and these to whole solutions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..ground.frozen import Frozen
from ..model import Value
from .base import GaveUp, NotForThis, Run
from .groups import Groups

MOST = 1_000_000
"""The most solutions of a part or a band that are remembered."""

Filling = tuple[int, tuple[Value, ...]]
"""Values, behind what they take from other variables."""


class FilledPart(Frozen):
    """Some variables, and all ways to fill them in."""

    variables: tuple[int, ...]
    ways: Sequence[Filling]


def solve(run: Run) -> None:
    """Join the solutions of parts; an attempt is a combination verified.

    The parts are groups that have every variable once. S1: all solutions of each part under the givens, from its
    variables one by one. S2: the solutions of a band are joined from those of its parts, which other groups fill
    together. S3: whole ones are joined from those of the bands. S4: they are verified. A combination is a value, or a
    solution of a part or a band, with those before it.

    Raises
    ------
    NotForThis
        If no groups part the variables.
    GaveUp
        If a part or a band has too many solutions.
    """
    groups = run.groups
    numbers = groups.partition(range(len(groups.groups)), run.check)
    if numbers is None:
        raise NotForThis("no set of its groups has every variable once")
    parts = [_join(run, f"S1 {groups.names[number]}", _singles(groups, groups.groups[number])) for number in numbers]
    bands = []
    for band in _bands(groups, numbers):
        named = ", ".join([groups.names[numbers[k]] for k in band])
        bands.append(_join(run, f"S2 {named}", [parts[k] for k in band]) if len(band) > 1 else parts[band[0]])
    before = run.attempts
    bands.sort(key=lambda band: len(band.ways))
    names = [groups.variables[i] for band in bands for i in band.variables]
    try:
        for _, values in _joined(run, bands):
            run.found(dict(zip(names, values, strict=True)))
    finally:
        if run.visits is not None:
            run.visits.passes.append(("S3 all", run.attempts - before))
        run.tell(f"S3 all: {run.attempts - before:,} combinations, {run.solutions:,} of them fit")
        run.tell(f"S4 whole solutions verified: {run.solutions:,}")


def _singles(groups: Groups, group: Sequence[int]) -> list[FilledPart]:
    """The variables of a group, the open ones with the values that fit the givens."""
    given = {i: groups.domains[i][0] for i in groups.givens}
    used = groups.used(given)
    return [
        FilledPart(
            (i,), [(taken, (value,)) for value, taken in groups.takes[i].items() if i in given or not used & taken]
        )
        for i in group
    ]


def _bands(groups: Groups, numbers: Sequence[int]) -> list[list[int]]:
    """The parts, by position, that other groups fill together; each of the rest alone."""
    part_of = {i: k for k, number in enumerate(numbers) for i in groups.groups[number]}
    filled: dict[frozenset[int], set[int]] = {}
    for group in groups.groups:
        filled.setdefault(frozenset(part_of[i] for i in group), set()).update(group)
    bands: list[list[int]] = []
    free = set(range(len(numbers)))
    for touched, variables in filled.items():
        if len(touched) > 1 and touched <= free and len(variables) == sum(k in touched for k in part_of.values()):
            bands.append(sorted(touched))
            free -= touched
    return bands + [[k] for k in sorted(free)]


def _join(run: Run, name: str, pieces: Sequence[FilledPart]) -> FilledPart:
    """The pieces as one."""
    before = run.attempts
    ways: list[Filling] = []
    for way in _joined(run, pieces):
        ways.append(way)
        if len(ways) > MOST:
            raise GaveUp(f"{name} has more than {MOST:,} solutions")
    variables = tuple([i for piece in pieces for i in piece.variables])
    if run.visits is not None:
        run.visits.passes.append((name, run.attempts - before))
        run.visits.about = "how many ways the parts and bands of each variable have"
        run.visits.counts.update({run.groups.variables[i]: len(ways) for i in variables})
    run.tell(f"{name}: {run.attempts - before:,} combinations, {len(ways):,} of them fit")
    return FilledPart(variables, ways)


def _joined(run: Run, pieces: Sequence[FilledPart]) -> Iterator[Filling]:
    """Every way to take one of each piece so that all fit together."""
    if not pieces:
        yield 0, ()
        return
    due = run.groups.due([piece.variables for piece in pieces])
    names = [run.groups.variables[i] for piece in pieces for i in piece.variables]
    waiting = [iter(pieces[0].ways)]
    taken: list[Filling] = [(0, ())]  # before each piece, all that is taken
    while waiting:
        depth = len(waiting) - 1
        used, values = taken[-1]
        for more, others in waiting[-1]:
            run.step()
            if used & more:
                continue
            both = used | more, values + others
            if due[depth]:
                known: dict[str, Value] = dict(zip(names, both[1], strict=False))
                if not all(constraint.check(known) for constraint in due[depth]):
                    continue
            if len(waiting) == len(pieces):
                yield both
            else:
                waiting.append(iter(pieces[depth + 1].ways))
                taken.append(both)
                break
        else:
            waiting.pop()
            taken.pop()
