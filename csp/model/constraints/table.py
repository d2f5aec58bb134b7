"""A tuple is in a relation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from ...ground.errors import ModelError
from ...ground.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine

Row = tuple[Value, ...]


@dataclass(frozen=True)
class Table(Constraint):
    """The values of the columns are a row of a relation.

    Parameters
    ----------
    relation : str
        The name of the relation; empty where its rows are written out, ``[x, y] in {[1, 2], [2, 4]}``.
    columns : tuple of Affine, int or str
        Expressions and values.
    rows : tuple of tuples of int or str

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
        object.__setattr__(self, "columns", tuple(map(folded, self.columns)))
        super().__post_init__()
        for row in self.rows:
            if len(row) != len(self.columns):
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

    def text(self, quote: Quote = quoted) -> str:
        columns = [c.text(quote) if isinstance(c, Affine) else quote(c) for c in self.columns]
        if not self.relation:
            rows = [f"[{', '.join(map(quote, row))}]" for row in self.rows]
            return f"[{', '.join(columns)}] in {{{', '.join(rows)}}}"
        return f"{self.relation}({', '.join(columns)})" if columns else self.relation


def folded(column: Affine | Value) -> Affine | Value:
    """The column, or its value where it has no variables."""
    if isinstance(column, Affine) and not column.variables:
        try:
            return column.number({})
        except ZeroDivisionError:
            pass
    return column


def is_large(column: Affine | Value) -> bool:
    """Whether it has several variables, so that one is wanted that stands for it."""
    return isinstance(column, Affine) and len(column.variables) > 1
