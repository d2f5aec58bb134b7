"""The places of one value in each group: the sets from which fish and templates argue."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.frozen import Frozen
from ...engine.compiled.propagators.base import bits
from ...model import Value
from .board import Board


class ValueSets(Frozen):
    """The places of one value in each group, and how they intersect.

    The sets are numbered here; the other attributes are masks over these numbers.

    Attributes
    ----------
    covers : tuple of int
        For every set its index in ``Board.covers``.
    crossing, disjoint, overlapping : tuple of int
        For every set the sets that have one candidate, no candidate, or several candidates in common with it.
    sets_of : mapping from int to int
        For every candidate the sets that contain it.
    places : int
        The candidates of all sets.
    """

    covers: tuple[int, ...]
    crossing: tuple[int, ...]
    disjoint: tuple[int, ...]
    overlapping: tuple[int, ...]
    sets_of: Mapping[int, int]
    places: int


def sets_of_values(board: Board) -> dict[Value, ValueSets]:
    """Return for each value its places in every group, and how these sets intersect."""
    indices_of: dict[Value, list[int]] = {}
    for index, cover in enumerate(board.covers):
        if cover.group is not None:
            indices_of.setdefault(cover.subject, []).append(index)
    return {value: _intersect(board, indices) for value, indices in indices_of.items()}


def _intersect(board: Board, indices: list[int]) -> ValueSets:
    """Return the ``ValueSets`` of the cover sets with these indices."""
    masks = [board.covers[index].mask for index in indices]
    crossing, disjoint, overlapping, sets_of = [0] * len(masks), [0] * len(masks), [0] * len(masks), dict[int, int]()
    for i, mask in enumerate(masks):
        for bit in bits(mask):
            sets_of[bit] = sets_of.get(bit, 0) | 1 << i
        for j, second in enumerate(masks):
            common = (mask & second).bit_count()
            relation = crossing if common == 1 else overlapping if common else disjoint
            relation[i] |= (i != j) << j
    places = sum([1 << bit for bit in sets_of])
    return ValueSets(tuple(indices), tuple(crossing), tuple(disjoint), tuple(overlapping), sets_of, places)
