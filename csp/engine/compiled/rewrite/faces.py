"""What follows from two pieces of one board: around a face they do not alternate."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations, pairwise

from ....model import (
    Affine,
    Comparison,
    Connected,
    Constraint,
    Domain,
    Either,
    Equality,
    Value,
    Variable,
    apply,
    negated,
)
from ....model.constraints.table import Row
from .rewriting import Rewriting

STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))
"""From a place to those beside it, clockwise."""

Place = tuple[int, int]
Choosing = Mapping[Place, Constraint]
"""The places of a piece, with what chooses them."""


def add_faces(rewriting: Rewriting) -> None:
    """Add that two pieces that share out a board do not cross, where neighbours are one step apart.

    Two ways that join opposite corners of a face, one inside each piece, would cross outside of it [1]_. This is said
    of the corners of squares; a longer face, as the rim, changes twice at most where each place is of one of the two.

    ``rewriting``: changed in place.

    References
    ----------
    .. [1] The Jordan curve theorem; for yin-yang puzzles, E. Demaine, J. Lynch, M. Rudoy, Y. Uno, "Yin-Yang puzzles are
       NP-complete", CCCG 2021.

    Examples
    --------
    >>> from csp import Model
    >>> board = [(r, c) for r in (1, 2) for c in (1, 2)]
    >>> touch = ((1, 1, 1, 2), (1, 2, 2, 2), (2, 2, 2, 1), (2, 1, 1, 1))
    >>> x = {place: Variable("x", *place) for place in board}
    >>> pieces = [Connected("touch", tuple((one, Equality(x[one], v)) for one in board), touch) for v in (1, 0)]
    >>> rewriting = Rewriting.of(Model({v: (0, 1) for v in x.values()}, pieces), ())
    >>> add_faces(rewriting)
    >>> print(*rewriting.constraints[2:], sep="\\n")
    x(1,2) != 1 ; x(2,2) != 0 ; x(2,1) != 1 ; x(1,1) != 0
    x(1,2) != 0 ; x(2,2) != 1 ; x(2,1) != 0 ; x(1,1) != 1
    """
    boards = [(number, one) for number, one in rewriting.active() if isinstance(one, Connected) and _is_board(one)]
    pieces = [(number, one, _chosen(one)) for number, one in boards]
    for (i, one, first), (j, other, second) in combinations(pieces, 2):
        if len(first.keys() & second.keys()) > len(STEPS) - 1 and _share_out(first, second, rewriting.domains):
            for face in _faces(_ways(one) | _ways(other)):
                label = f"no crossing at {[*min(face)]} from {one.place}, {other.place}"
                for said in _around(face, first, second, rewriting.domains, label):
                    rewriting.add(said, (i, j))


def _around(
    face: list[Place], first: Choosing, second: Choosing, domains: Mapping[Variable, Domain], label: str
) -> Iterator[Constraint]:
    for here, there in ((first, second), (second, first)) if len(face) == len(STEPS) else ():
        corners = [*zip(face, (here, there, here, there), strict=True)]
        if all(place in own for place, own in corners):
            yield Either(tuple([negated(own[place]) for place, own in corners]), label=label)
    if len(face) > len(STEPS) and all(place in first and place in second for place in face):
        variables = [first[place].scope[0] for place in face]
        chosen = {(domains[v], _values(first[place], domains)) for v, place in zip(variables, face, strict=True)}
        if len(chosen) == 1 and all(len(own) == 2 and len(values) == 1 for own, values in chosen):
            changes = [Equality(one, other, equal=False) for one, other in pairwise([*variables, variables[0]])]
            yield Comparison(apply("count", changes), "<=", Affine((), 2), label=label)


def _values(condition: Constraint, domains: Mapping[Variable, Domain]) -> frozenset[Value]:
    """The values with which a condition on one variable holds."""
    [variable] = condition.scope
    return frozenset([value for value in domains[variable] if condition.check({variable: value})])


def _share_out(first: Choosing, second: Choosing, domains: Mapping[Variable, Domain]) -> bool:
    """Whether every place that both know is of one piece or of the other."""
    for place in first.keys() & second.keys():
        one, other = first[place], second[place]
        if len(one.scope) != 1 or one.scope != other.scope:
            return False
        if _values(one, domains) != {*domains[one.scope[0]]} - _values(other, domains):
            return False
    return True


def _chosen(piece: Connected) -> dict[Place, Constraint]:
    return {_place(row): condition for row, condition in piece.places if condition is not None}


def _place(row: Row) -> Place:
    r, c = row
    return int(r), int(c)


def _is_board(piece: Connected) -> bool:
    if not all(len(row) == 2 and all(isinstance(index, int) for index in row) for row, _ in piece.places):
        return False
    return all((s - r, d - c) in STEPS for (r, c), (s, d) in _ways(piece))


def _ways(piece: Connected) -> set[tuple[Place, Place]]:
    """The pairs of neighbours, both ways round."""
    places = [_place(row) for row, _ in piece.places]
    return {(places[i], places[j]) for i, near in enumerate(piece.neighbours) for j in near}


def _faces(ways: set[tuple[Place, Place]]) -> Iterator[list[Place]]:
    """The faces that no place has a corner of twice, each with its places in order."""
    waiting, seen = dict.fromkeys(sorted(ways)), set[frozenset[Place]]()
    while waiting:
        face: list[Place] = []
        way = first = next(iter(waiting))
        while not face or way != first:
            del waiting[way]
            (r, c), (s, d) = way
            face.append((s, d))
            back = STEPS.index((r - s, c - d))
            turns = [STEPS[(back + turn) % len(STEPS)] for turn in (1, 2, 3, 4)]
            way = next(((s, d), (s + i, d + j)) for i, j in turns if ((s, d), (s + i, d + j)) in ways)
        if len({*face}) == len(face) and frozenset(face) not in seen:
            seen.add(frozenset(face))
            yield face
