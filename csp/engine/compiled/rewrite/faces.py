"""Implied constraints which state that connected pieces of a grid cannot cross.

An example are the two colours of yin-yang. The two pieces cannot alternate around a face of the board, because paths
that connect the parts of each piece would cross.
"""

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
"""The steps from a place to its neighbours, clockwise."""

Place = tuple[int, int]
PieceConditions = Mapping[Place, Constraint]
"""For each place, the condition under which it belongs to the piece."""


def add_faces(rewriting: Rewriting) -> None:
    """Add constraints which forbid that the regions of two ``connected`` constraints cross.

    Suppose that opposite corners of a square belong to one piece and the other two corners to the other piece. A path
    in each piece joins its two corners, and outside the square the two paths would cross [1]_. So one constraint for
    each square and each colouring forbids that. Around a longer face, such as the border of the board, the piece
    changes twice at most. That is added if every place of the face belongs to one of the two pieces.

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
    >>> places = {v: tuple((place, Equality(x[place], v)) for place in board) for v in (1, 0)}
    >>> pieces = [Connected("touch", places[v], touch) for v in (1, 0)]
    >>> rewriting = Rewriting.of(Model({v: (0, 1) for v in x.values()}, pieces), ())
    >>> add_faces(rewriting)
    >>> print(*rewriting.constraints[2:], sep="\\n")
    x(1,2) != 1 ; x(2,2) != 0 ; x(2,1) != 1 ; x(1,1) != 0
    x(1,2) != 0 ; x(2,2) != 1 ; x(2,1) != 0 ; x(1,1) != 1
    """
    boards = [(n, piece) for n, piece in rewriting.active() if isinstance(piece, Connected) and _is_grid(piece)]
    pieces = [(number, piece, _conditions(piece)) for number, piece in boards]
    for (i, piece, first), (j, other_piece, second) in combinations(pieces, 2):
        # A face needs at least four common places.
        if len(first.keys() & second.keys()) > len(STEPS) - 1 and _are_complementary(first, second, rewriting.domains):
            for face in _faces(_directed_edges(piece) | _directed_edges(other_piece)):
                label = f"no crossing at {[*min(face)]} from {piece.place}, {other_piece.place}"
                for constraint in _face_constraints(face, first, second, rewriting.domains, label):
                    rewriting.add(constraint, (i, j))


def _face_constraints(
    face: list[Place], first: PieceConditions, second: PieceConditions, domains: Mapping[Variable, Domain], label: str
) -> Iterator[Constraint]:
    """Yield constraints which forbid that two connected regions alternate around a face."""
    # A square: forbid both ways to alternate.
    for here, there in ((first, second), (second, first)) if len(face) == len(STEPS) else ():
        corners = [*zip(face, (here, there, here, there), strict=True)]
        if all(place in conditions for place, conditions in corners):
            yield Either(tuple([negated(conditions[place]) for place, conditions in corners]), label=label)
    # A longer face: limit the changes, if each place has one of the same two values.
    if len(face) > len(STEPS) and all(place in first and place in second for place in face):
        variables = [first[place].scope[0] for place in face]
        choices = {(domains[v], _values(first[place], domains)) for v, place in zip(variables, face, strict=True)}
        if len(choices) == 1 and all(len(domain) == 2 and len(values) == 1 for domain, values in choices):
            changes = [Equality(v, w, equal=False) for v, w in pairwise([*variables, variables[0]])]
            yield Comparison(apply("count", changes), "<=", Affine((), 2), label=label)


def _values(condition: Constraint, domains: Mapping[Variable, Domain]) -> frozenset[Value]:
    """Return the values that satisfy a condition on one variable."""
    [variable] = condition.scope
    return frozenset([value for value in domains[variable] if condition.check({variable: value})])


def _are_complementary(first: PieceConditions, second: PieceConditions, domains: Mapping[Variable, Domain]) -> bool:
    """Return whether each common place of two regions always belongs to exactly one of them."""
    for place in first.keys() & second.keys():
        condition, other = first[place], second[place]
        if len(condition.scope) != 1 or condition.scope != other.scope:
            return False
        if _values(condition, domains) != {*domains[condition.scope[0]]} - _values(other, domains):
            return False
    return True


def _conditions(piece: Connected) -> dict[Place, Constraint]:
    """Return the condition of each place that may, but need not, be in a region."""
    return {_place(row): condition for row, condition in piece.places if condition is not None}


def _place(row: Row) -> Place:
    r, c = row
    return int(r), int(c)


def _is_grid(piece: Connected) -> bool:
    """Return whether all places are cells of a grid whose neighbours are one step apart."""
    if not all(len(row) == 2 and all(isinstance(index, int) for index in row) for row, _ in piece.places):
        return False
    return all((s - r, d - c) in STEPS for (r, c), (s, d) in _directed_edges(piece))


def _directed_edges(piece: Connected) -> set[tuple[Place, Place]]:
    """Return the pairs of neighbouring places, each in both directions."""
    places = [_place(row) for row, _ in piece.places]
    return {(places[i], places[j]) for i, neighbours in enumerate(piece.neighbours) for j in neighbours}


def _faces(edges: set[tuple[Place, Place]]) -> Iterator[list[Place]]:
    """Yield the faces of a grid graph that visit no place twice, as cycles."""
    unused, seen = dict.fromkeys(sorted(edges)), set[frozenset[Place]]()
    while unused:
        # Walk along a face: at each place, take the first edge clockwise from the edge back.
        face: list[Place] = []
        edge = first = next(iter(unused))
        while not face or edge != first:
            del unused[edge]
            (r, c), (s, d) = edge
            face.append((s, d))
            back = STEPS.index((r - s, c - d))
            turns = [STEPS[(back + turn) % len(STEPS)] for turn in (1, 2, 3, 4)]
            edge = next(((s, d), (s + i, d + j)) for i, j in turns if ((s, d), (s + i, d + j)) in edges)
        if len({*face}) == len(face) and frozenset(face) not in seen:
            seen.add(frozenset(face))
            yield face
