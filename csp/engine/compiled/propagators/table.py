"""A tuple is in a relation: the rows that are still possible are the bits of one integer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....model import Affine, Constraint, Table, Value, Variable
from ...memory import Memory
from .base import Context, Masks, Propagator, bits

SupportRows = list[dict[Value | None, int]]
"""For each column, by value, the rows that have it there."""


class LiveRows:
    """Some assignments of a scope, and which of them its domains allow.

    Parameters
    ----------
    supports : sequence of sequences of int
        For each position and each value of its domain, the assignments that have it, as bits.
    possible : int
        All assignments, as bits.
    memory : Memory

    References
    ----------
    .. [1] J. Demeulenaere et al., "Compact-Table: efficiently filtering table constraints with reversible sparse
       bit-sets", 2016 (here one integer holds the live rows, made anew from the domains).

    Examples
    --------
    >>> rows = LiveRows([[0b001, 0b110], [0b011, 0b100]], 0b111, Memory(1000))
    >>> rows.prune((0b10, 0b01)), rows.prune((0b01, 0b10)) is None
    ([2, 1], True)
    """

    def __init__(self, supports: Sequence[Sequence[int]], possible: int, memory: Memory) -> None:
        self.supports = supports
        self.possible = possible
        self._memory = memory
        self._size = possible.bit_length() // 8 + 100
        self._unions: list[dict[int, int]] = [memory.cache() for _ in supports]

    def prune(self, masks: Masks) -> list[int] | None:
        """The values that stand in some assignment; None if there is none."""
        live = self.possible
        for supports, unions, mask in zip(self.supports, self._unions, masks, strict=True):
            union = unions.get(mask)
            if union is None:
                union = 0
                for index in bits(mask):
                    union |= supports[index]
                self._memory.take(self._size)
                unions[mask] = union
            live &= union
        if not live:
            return None
        self._memory.steps += (1 + self._size // 1_000) * sum([mask.bit_count() for mask in masks])
        kept = []
        for supports, mask in zip(self.supports, masks, strict=True):
            left, rest = 0, mask
            while rest:
                low = rest & -rest
                if supports[low.bit_length() - 1] & live:
                    left |= low
                rest ^= low
            kept.append(left)
        return kept


class Tuples(Propagator):
    """Leaves the values that stand in some row; columns are variables, functions of one, or values."""

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Table)
        super().__init__(constraint, context)
        width = len(constraint.columns)
        supports = context.shared(("supports", constraint.rows, width), lambda: supports_of(constraint.rows, width))
        possible = whole = (1 << len(constraint.rows)) - 1
        of: dict[Variable, list[tuple[Affine, dict[Value | None, int]]]] = {}
        for column, rows in zip(constraint.columns, supports, strict=True):
            if not isinstance(column, Affine):
                possible &= rows.get(column, 0)
            elif not column.variables:
                possible = 0  # it has no value
            else:
                of.setdefault(column.variables[0], []).append((column, rows))
        table = []
        for variable, domain in zip(self.scope, self.domains, strict=True):
            own = []
            for value in domain:
                live = whole
                for column, rows in of[variable]:
                    live &= rows.get(_image(column, value), 0)
                own.append(live)
            table.append(own)
        self.rows = LiveRows(table, possible, context.memory)

    def prune(self, masks: Masks) -> Masks | None:
        return self.rows.prune(masks)


def supports_of(rows: Iterable[Sequence[Value]], width: int) -> SupportRows:
    """For each column, by value, the rows that have it there, as bits.

    Examples
    --------
    >>> supports_of([(1, "a"), (2, "a")], 2)
    [{1: 1, 2: 2}, {'a': 3}]
    """
    rows = list(rows)
    made: list[dict[Value | None, bytearray]] = [{} for _ in range(width)]
    for number, row in enumerate(rows):
        for of, value in zip(made, row, strict=True):
            if value not in of:
                of[value] = bytearray(len(rows) // 8 + 1)
            of[value][number // 8] |= 1 << number % 8
    return [{value: int.from_bytes(mask, "little") for value, mask in of.items()} for of in made]


def _image(column: Affine, value: Value) -> Value | None:
    try:
        return column.image(value)
    except ZeroDivisionError:
        return None
