"""The sets of candidates of a board that exclude each other."""

from __future__ import annotations

from collections.abc import Mapping

from ...base.frozen import Frozen
from ...model import Value, Variable


class CoverSet(Frozen):
    """A set of candidates that exclude each other: at most one holds.

    The set has all candidates of a variable, or all places of a value in a group.

    Attributes
    ----------
    mask : int
        The candidates, as bits.
    subject : Variable or value
        The variable that takes one of the candidates; or the value that one element of the group takes.
    group : int or None
        The index of the group in ``Board.groups``; None for a variable.
    is_exactly_one : bool
        Whether exactly one candidate holds.
    """

    mask: int
    subject: Variable | Value
    group: int | None
    is_exactly_one: bool


class BoardGroup(Frozen):
    """An all-different constraint (group): its variables, candidates, and places of each value.

    Attributes
    ----------
    number : int
        The number of the constraint.
    variables : tuple of int
        The numbers of its variables, each once.
    mask : int
        All candidates of these variables.
    places : tuple of CoverSet
        For every value, the candidates that give it.
    place_of : mapping from int to int
        For every candidate its index in ``places``; the last index if the candidate gives several values.
    is_block : bool
        Whether the expressions are plain variables with equal domains. Then ``places`` has the order of the domain.
    is_permutation : bool
        Whether there are as many values as expressions, so that every value has a place.
    """

    number: int
    variables: tuple[int, ...]
    mask: int
    places: tuple[CoverSet, ...]
    place_of: Mapping[int, int]
    is_block: bool
    is_permutation: bool
