"""A propagator for tables; a set of rows is one integer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ....model import Affine, Constraint, Table, Value, Variable
from ...effort import Meter
from ...memory import Memory
from .base import Context, Masks, Propagator, bits

SupportRows = list[dict[Value | None, int]]
"""For each column a map from each value to the rows that contain it there, as bits."""


class LiveRows:
    """The rows of a table as bits, indexed by column and value.

    Parameters
    ----------
    supports : sequence of sequences of int
        For each position and each value of its domain, the assignments that contain it, as bits.
    possible : int
        All assignments, as bits.
    memory : Memory
    meter : Meter

    References
    ----------
    .. [1] J. Demeulenaere et al., "Compact-Table: efficiently filtering table constraints with reversible sparse
       bit-sets", 2016 (here one integer holds the live rows, and is computed from the domains each time).

    Examples
    --------
    >>> rows = LiveRows([[0b001, 0b110], [0b011, 0b100]], 0b111, Memory(1000), Meter())
    >>> rows.prune((0b10, 0b01)), rows.prune((0b01, 0b10)) is None
    ([2, 1], True)
    """

    def __init__(self, supports: Sequence[Sequence[int]], possible: int, memory: Memory, meter: Meter) -> None:
        self.supports = supports
        self.possible = possible
        self._memory = memory
        self._meter = meter
        self._size = possible.bit_length() // 8 + 100
        self._unions: list[dict[int, int]] = [memory.cache() for _ in supports]

    def prune(self, masks: Masks) -> list[int] | None:
        """Return the domains reduced to values in rows that remain possible; None without rows."""
        # A row is live if each of its values remains: intersect the unions over the remaining values.
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
        self._meter.steps += (1 + self._size // 1_000) * sum([mask.bit_count() for mask in masks])
        # A value is supported if one of its rows is live.
        narrowed = []
        for supports, mask in zip(self.supports, masks, strict=True):
            supported, remaining = 0, mask
            while remaining:
                low = remaining & -remaining
                if supports[low.bit_length() - 1] & live:
                    supported |= low
                remaining ^= low
            narrowed.append(supported)
        return narrowed


class Tuples(Propagator):
    """A propagator for tables by sets of live rows as bits (Compact-Table).

    A column is a variable, an expression of one variable, or a value. Domain-consistent.
    """

    def __init__(self, constraint: Constraint, context: Context) -> None:
        assert isinstance(constraint, Table)
        super().__init__(constraint, context)
        width = len(constraint.columns)
        supports = context.shared(("supports", constraint.rows, width), lambda: supports_of(constraint.rows, width))
        possible = all_rows = (1 << len(constraint.rows)) - 1
        # Fixed columns select rows; the others are grouped by their variable.
        columns_of: dict[Variable, list[tuple[Affine, dict[Value | None, int]]]] = {}
        for column, rows in zip(constraint.columns, supports, strict=True):
            # A constant expression without a value has no variables: no row fits.
            if not isinstance(column, Affine):
                possible &= rows.get(column, 0)
            elif not column.variables:
                possible = 0
            else:
                columns_of.setdefault(column.variables[0], []).append((column, rows))
        # For each variable and value, the rows that agree with it in all columns of the variable.
        table = []
        for variable, domain in zip(self.scope, self.domains, strict=True):
            row_sets = []
            for value in domain:
                live = all_rows
                for column, rows in columns_of[variable]:
                    live &= rows.get(_image(column, value), 0)
                row_sets.append(live)
            table.append(row_sets)
        self.rows = LiveRows(table, possible, context.memory, context.meter)

    def prune(self, masks: Masks) -> Masks | None:
        return self.rows.prune(masks)


def supports_of(rows: Iterable[Sequence[Value]], width: int) -> SupportRows:
    """Return for each column and value the rows that contain the value, as bits.

    Examples
    --------
    >>> supports_of([(1, "a"), (2, "a")], 2)
    [{1: 1, 2: 2}, {'a': 3}]
    """
    rows = list(rows)
    # Byte arrays are changed in place; integers of many bits would be copied for each row.
    row_bytes: list[dict[Value | None, bytearray]] = [{} for _ in range(width)]
    for number, row in enumerate(rows):
        for rows_of, value in zip(row_bytes, row, strict=True):
            if value not in rows_of:
                rows_of[value] = bytearray(len(rows) // 8 + 1)
            rows_of[value][number // 8] |= 1 << number % 8
    return [{value: int.from_bytes(mask, "little") for value, mask in rows_of.items()} for rows_of in row_bytes]


def _image(column: Affine, value: Value) -> Value | None:
    """Return the value of a column for a variable's value; None if undefined."""
    try:
        return column.image(value)
    except ZeroDivisionError:
        return None
