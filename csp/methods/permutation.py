"""The method that joins the solutions of single groups to solutions of the model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ..base.frozen import Frozen
from ..model import Value
from .base import GaveUp, NotApplicable, Run
from .groups import Groups

MAX_SOLUTIONS = 1_000_000
"""Maximum number of solutions of a part or a band; beyond, the method gives up."""

Filling = tuple[int, tuple[Value, ...]]
"""The bits that some values use in their groups, and the values."""


class FilledPart(Frozen):
    """A set of variables, with every consistent way to assign them."""

    variables: tuple[int, ...]
    ways: Sequence[Filling]


def solve(run: Run) -> None:
    """Join the solutions of single groups; add each whole solution to ``run``.

    An attempt of the run is a combination that is tested: a value, or a solution of a part or a band, with those
    before it.

    The parts are groups that together contain each variable once. S1 finds all solutions of each part, variable by
    variable. S2 joins the solutions of parts to solutions of bands. A band is a set of parts that other groups fill
    completely. S3 joins solutions of bands to whole solutions. S4 verifies them.

    Raises
    ------
    NotApplicable
        If no groups partition the variables.
    GaveUp
        If a part or a band has too many solutions.
    """
    groups = run.groups
    numbers = groups.partition(range(len(groups.groups)), run.check)
    if numbers is None:
        raise NotApplicable("no partition of the variables into groups")
    # S1: all solutions of each part.
    parts = [
        _join(run, f"S1 {groups.names[number]}", _single_variables(groups, groups.groups[number])) for number in numbers
    ]
    # S2: all solutions of each band.
    bands = []
    for band in _find_bands(groups, numbers):
        part_names = ", ".join([groups.names[numbers[k]] for k in band])
        bands.append(_join(run, f"S2 {part_names}", [parts[k] for k in band]) if len(band) > 1 else parts[band[0]])
    attempts_before = run.attempts
    # S3 and S4: join the bands, those with few solutions first, and verify.
    bands.sort(key=lambda band: len(band.ways))
    names = [groups.variables[i] for band in bands for i in band.variables]
    try:
        for _, values in _join_fillings(run, bands):
            run.add_solution(dict(zip(names, values, strict=True)))
    finally:
        if run.visits is not None:
            run.visits.passes.append(("S3 all", run.attempts - attempts_before))
        run.log(f"S3 all: {run.attempts - attempts_before:,} combinations, {run.solutions:,} fit")
        run.log(f"S4 whole solutions verified: {run.solutions:,}")


def _single_variables(groups: Groups, group: Sequence[int]) -> list[FilledPart]:
    """Return a ``FilledPart`` for each variable of a group, with the values that givens permit."""
    given = {i: groups.domains[i][0] for i in groups.givens}
    used = groups.bits_used_by(given)
    return [
        FilledPart(
            (i,), [(bits, (value,)) for value, bits in groups.value_bits[i].items() if i in given or not used & bits]
        )
        for i in group
    ]


def _find_bands(groups: Groups, numbers: Sequence[int]) -> list[list[int]]:
    """Divide the parts into bands: parts that other groups together cover completely.

    Part k is the group ``numbers[k]``; parts are disjoint. Returns each band as a list of parts; a part that no groups
    cover is a band alone.
    """
    part_of = {i: part for part, number in enumerate(numbers) for i in groups.groups[number]}
    # For each set of parts that a group touches: the variables that such groups contain.
    covered: dict[frozenset[int], set[int]] = {}
    for group in groups.groups:
        covered.setdefault(frozenset(part_of[i] for i in group), set()).update(group)
    bands: list[list[int]] = []
    free = set(range(len(numbers)))
    for touched, variables in covered.items():
        # A band: these groups contain all variables of free parts.
        if len(touched) > 1 and touched <= free and len(variables) == sum(part in touched for part in part_of.values()):
            bands.append(sorted(touched))
            free -= touched
    return bands + [[part] for part in sorted(free)]


def _join(run: Run, name: str, pieces: Sequence[FilledPart]) -> FilledPart:
    """Join parts into one, with every consistent way to fill it; log the counts."""
    attempts_before = run.attempts
    ways: list[Filling] = []
    for way in _join_fillings(run, pieces):
        ways.append(way)
        if len(ways) > MAX_SOLUTIONS:
            raise GaveUp(f"{name} has more than {MAX_SOLUTIONS:,} solutions")
    variables = tuple([i for piece in pieces for i in piece.variables])
    if run.visits is not None:
        run.visits.passes.append((name, run.attempts - attempts_before))
        run.visits.about = "number of combinations in the parts and bands of each variable"
        run.visits.counts.update({run.groups.variables[i]: len(ways) for i in variables})
    run.log(f"{name}: {run.attempts - attempts_before:,} combinations, {len(ways):,} fit")
    return FilledPart(variables, ways)


def _join_fillings(run: Run, pieces: Sequence[FilledPart]) -> Iterator[Filling]:
    """Yield each consistent combination of one way to fill each part."""
    if not pieces:
        yield 0, ()
        return
    checks = run.groups.checks_after([piece.variables for piece in pieces])
    names = [run.groups.variables[i] for piece in pieces for i in piece.variables]
    iterators = [iter(pieces[0].ways)]
    # At each depth, the joined filling of the pieces before.
    path: list[Filling] = [(0, ())]
    # Depth first over the pieces, one filling after the other.
    while iterators:
        depth = len(iterators) - 1
        used_bits, values = path[-1]
        for bits, more_values in iterators[-1]:
            run.count_attempt()
            if used_bits & bits:
                continue
            filling = used_bits | bits, values + more_values
            if checks[depth]:
                assignment: dict[str, Value] = dict(zip(names, filling[1], strict=False))
                if not all(constraint.check(assignment) for constraint in checks[depth]):
                    continue
            if len(iterators) == len(pieces):
                yield filling
            else:
                iterators.append(iter(pieces[depth + 1].ways))
                path.append(filling)
                break
        else:
            iterators.pop()
            path.pop()
