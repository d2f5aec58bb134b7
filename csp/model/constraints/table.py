"""The table constraint: a tuple of expressions is a row of a relation."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from dataclasses import field, replace
from functools import cached_property
from itertools import chain

from ...base.errors import ModelError
from ...base.notation import Quote, Value, quoted
from ..algebra import Constraint
from ..expression import Affine
from ..operand import operand
from ..variable import Variable, check_iterable, value_of
from .member import unbound

Row = tuple[Value, ...]


class Rows(tuple[Row, ...]):
    """The allowed rows of a table; the first lookup builds a set of them.

    Examples
    --------
    >>> rows = Rows([(1, 2), (2, 4)])
    >>> (2, 4) in rows, (4, 2) in rows, rows == ((1, 2), (2, 4))
    (True, False, True)
    """

    @cached_property
    def _set(self) -> frozenset[Row]:
        return frozenset(self)

    @cached_property
    def _hash(self) -> int:
        return super().__hash__()

    def __contains__(self, row: object) -> bool:
        return row in self._set

    def __hash__(self) -> int:
        return self._hash

    def __reduce__(self) -> tuple[type[Rows], tuple[tuple[Row, ...]]]:
        return Rows, (tuple(self),)


class Table(Constraint):
    """The constraint that the values of the columns form an allowed row.

    In the language: ``relation(c1, c2, ...)``.

    Parameters
    ----------
    relation : str
        The name of the relation; empty if its rows are written out, ``[x, y] in {[1, 2], [2, 4]}``.
    columns : tuple of Affine, int or str
        The expressions and values to look up.
    rows : tuple of tuples of int or str
        Converted to ``Rows``; tables that receive the same ``Rows`` object share it.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(Table("double", (x, y), ((1, 2), (2, 4), (3, 6))))
    double(x, y)
    """

    relation: str
    columns: tuple[Affine | Value, ...]
    rows: tuple[Row, ...] = field(hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(map(constant_or_data, check_iterable(self.columns, "columns"))))
        if not isinstance(self.relation, str):
            raise ModelError(f"{self.relation!r} is not the name of a relation; write '' for rows without a name")
        if not isinstance(self.rows, Rows):
            rows = tuple(check_iterable(self.rows, "rows"))
            # Convert only if needed: large relations from the language consist of tuples already.
            if {*map(type, rows)} - {tuple} or {*map(type, chain.from_iterable(rows))} - {int, str}:
                rows = tuple(map(_row, rows))
            object.__setattr__(self, "rows", Rows(rows))
        super().__post_init__()
        if {*map(len, self.rows)} - {len(self.columns)}:
            row = next(row for row in self.rows if len(row) != len(self.columns))
            raise ModelError(f"{row} has not {len(self.columns)} columns, as {self} needs")

    def parts(self) -> tuple[Affine, ...]:
        return tuple([column for column in self.columns if isinstance(column, Affine)])

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            return tuple([c.value(values) if isinstance(c, Affine) else c for c in self.columns]) in self.rows
        except ZeroDivisionError:
            return False

    @property
    def is_plain(self) -> bool:
        return not any(map(is_large, self.columns))

    def over(self, variable: Callable[[Affine], Affine]) -> Table:
        if self.is_plain:
            return self
        columns = [variable(c) if isinstance(c, Affine) and is_large(c) else c for c in self.columns]
        return replace(self, columns=tuple(columns))

    def as_condition(self, quote: Quote = quoted) -> str:
        return self._text_of([unbound(c, quote) if isinstance(c, Affine) else quote(c) for c in self.columns], quote)

    def text(self, quote: Quote = quoted) -> str:
        return self._text_of([c.text(quote) if isinstance(c, Affine) else quote(c) for c in self.columns], quote)

    def _text_of(self, columns: list[str], quote: Quote) -> str:
        if not self.relation:
            rows = [f"[{', '.join(map(quote, row))}]" for row in self.rows]
            return f"[{', '.join(columns)}] in {{{', '.join(rows)}}}"
        return f"{self.relation}({', '.join(columns)})" if columns else self.relation


def constant_or_data(column: Affine | Value) -> Affine | Value:
    """Convert a column to a value if it is constant, else to an ``Affine``."""
    if not isinstance(column, Affine | Variable):
        return value_of(column)
    column = operand(column)
    if not column.variables:
        try:
            return column.number({})
        except ZeroDivisionError:
            pass
    return column


def _row(row: Iterable[Value]) -> Row:
    """Convert a row of any iterable type to a tuple of checked values.

    Rows of pandas and numpy are examples.
    """
    if isinstance(row, str | Mapping | Set) or not isinstance(row, Iterable):
        raise ModelError(f"{row!r} is not a row of a relation, such as the tuple (1, 'red')")
    return tuple(map(value_of, row))


def is_large(column: Affine | Value) -> bool:
    """Return whether a column is an expression of several variables.

    Propagators need an auxiliary variable for such a column.
    """
    return isinstance(column, Affine) and len(column.variables) > 1
