"""A tuple is in a relation."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ..model import Domain, ModelError, Quote, Value, Variable
from .affine import Affine
from .base import Constraint, Context, Domains

MAX_RELATIONS = 1 << 12
"""For how many relations the rows of every value are kept."""

Row = tuple[Value, ...]
Supports = list[dict[Value | None, int]]

_known: dict[tuple[int, int], tuple[tuple[Row, ...], Supports]] = {}


@dataclass(frozen=True)
class Table(Constraint):
    """The values of the columns are a row of a relation.

    Strength: domain-consistent.

    Parameters
    ----------
    relation : str
        The name of the relation.
    columns : tuple of Affine, int or str
        Expressions, of which ``prepared`` makes variables, and values.
    rows : tuple of tuples of int or str

    References
    ----------
    .. [1] J. Demeulenaere et al., "Compact-Table: efficiently filtering table constraints with reversible sparse
       bit-sets", 2016 (here one integer holds the live rows, made anew from the domains).

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> rule = Table("double", (x, y), ((1, 2), (2, 4), (3, 6)))
    >>> print(rule, [tuple(kept) for kept in rule.filter([(1, 2, 3), (1, 2, 3, 4)])])
    double(x, y) [(1, 2), (2, 4)]
    """

    relation: str
    columns: tuple[Affine | Value, ...]
    rows: tuple[Row, ...] = field(hash=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(map(_folded, self.columns)))
        for row in self.rows:
            if len(row) != len(self.columns):
                raise ModelError(f"{row} has not {len(self.columns)} columns, as {self} needs")

    @cached_property
    def scope(self) -> tuple[Variable, ...]:
        found = [column.variables for column in self.columns if isinstance(column, Affine)]
        return tuple(dict.fromkeys(variable for variables in found for variable in variables))

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            row = tuple([c.value(values) if isinstance(c, Affine) else c for c in self.columns])
        except ZeroDivisionError:
            return False
        return row in self._set

    def prepared(self, context: Context) -> Table:
        if not any(map(_is_large, self.columns)):
            return self
        columns = [context.variable(c) if isinstance(c, Affine) and _is_large(c) else c for c in self.columns]
        return replace(self, columns=tuple(columns))

    def decided(self, domains: Domains) -> bool | None:
        kept = self.filter([domains[variable] for variable in self.scope])
        return False if not all(map(list, kept)) else super().decided(domains)

    def filter(self, domains: Sequence[Domain]) -> Sequence[Collection[Value]]:
        if any(map(_is_large, self.columns)):
            return domains
        pairs = zip(self.scope, domains, strict=True)
        own = [{value: self._live(variable, value) for value in domain} for variable, domain in pairs]
        live = self._possible
        for rows in own:
            some = 0
            for mask in rows.values():
                some |= mask
            live &= some
        return [[value for value, mask in rows.items() if mask & live] for rows in own]

    def _live(self, variable: Variable, value: Value) -> int:
        """The rows that a variable's value allows, as bits."""
        known = self._masks.get((variable, value))
        if known is None:
            for column, rows in zip(self.columns, self._supports, strict=True):
                if isinstance(column, Affine) and column.variables == (variable,):
                    mask = rows.get(_image(column, value), 0)
                    known = mask if known is None else known & mask
            assert known is not None
            self._masks[variable, value] = known
        return known

    @cached_property
    def _set(self) -> frozenset[Row]:
        return frozenset(self.rows)

    @cached_property
    def _masks(self) -> dict[tuple[Variable, Value], int]:
        return {}

    @property
    def _supports(self) -> Supports:
        return _supports(self.rows, len(self.columns))

    @cached_property
    def _possible(self) -> int:
        """The rows that agree with the columns that are values."""
        live = (1 << len(self.rows)) - 1
        for column, rows in zip(self.columns, self._supports, strict=True):
            if not isinstance(column, Affine):
                live &= rows.get(column, 0)
            elif not column.variables:
                return 0  # it has no value
        return live

    def text(self, quote: Quote = str) -> str:
        columns = [c.text(quote) if isinstance(c, Affine) else quote(c) for c in self.columns]
        return f"{self.relation}({', '.join(columns)})" if columns else self.relation


def _supports(rows: tuple[Row, ...], width: int) -> Supports:
    """For each column, the rows that have a value there; made once for all constraints with the same relation."""
    known = _known.get((id(rows), width))
    if known is not None and known[0] is rows:
        return known[1]
    bits: list[dict[Value | None, bytearray]] = [{} for _ in range(width)]
    for number, row in enumerate(rows):
        for of, value in zip(bits, row, strict=True):
            if value not in of:
                of[value] = bytearray(len(rows) // 8 + 1)
            of[value][number // 8] |= 1 << number % 8
    supports = [{value: int.from_bytes(mask, "little") for value, mask in of.items()} for of in bits]
    while len(_known) >= MAX_RELATIONS:
        del _known[next(iter(_known))]
    _known[id(rows), width] = rows, supports
    return supports


def _folded(column: Affine | Value) -> Affine | Value:
    """The column, or its value where it has no variables."""
    if isinstance(column, Affine) and not column.variables:
        try:
            return column.number({})
        except ZeroDivisionError:
            pass
    return column


def _is_large(column: Affine | Value) -> bool:
    return isinstance(column, Affine) and len(column.variables) > 1


def _image(column: Affine, value: Value) -> Value | None:
    try:
        return column.image(value)
    except ZeroDivisionError:
        return None
