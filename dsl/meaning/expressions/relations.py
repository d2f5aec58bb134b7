"""Relations: finite sets of tuples."""

from __future__ import annotations

from collections.abc import Iterable

from csp import Value

Row = tuple[Value, ...]


class Relation:
    """A set of tuples of one length, in order of arrival, indexed by whatever columns are asked for.

    Examples
    --------
    >>> border = Relation([("wa", "nt"), ("wa", "sa")])
    >>> border.matching((0,), ("wa",))
    [('wa', 'nt'), ('wa', 'sa')]
    """

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._rows: dict[Row, None] = dict.fromkeys(rows)
        self._all: tuple[Row, ...] | None = None
        self._indexes: dict[tuple[int, ...], dict[Row, list[Row]]] = {}

    @property
    def rows(self) -> tuple[Row, ...]:
        """All tuples; the same object until one is added."""
        if self._all is None:
            self._all = tuple(self._rows)
        return self._all

    def __contains__(self, row: Row) -> bool:
        return row in self._rows

    def add(self, row: Row) -> None:
        """Add a tuple; adding it again changes nothing."""
        if row in self._rows:
            return
        self._rows[row] = None
        self._all = None
        for columns, index in self._indexes.items():
            index.setdefault(tuple([row[column] for column in columns]), []).append(row)

    def become(self, rows: Iterable[Row]) -> None:
        """Have these tuples and no others."""
        self._rows = dict.fromkeys(rows)
        self._all = None
        self._indexes.clear()

    def matching(self, columns: tuple[int, ...], key: Row) -> list[Row]:
        """The tuples that have the key in these columns; O(1) after the first question about the columns."""
        if columns not in self._indexes:
            index: dict[Row, list[Row]] = {}
            for row in self._rows:
                index.setdefault(tuple(row[column] for column in columns), []).append(row)
            self._indexes[columns] = index
        return self._indexes[columns].get(key, [])
