"""What an answer shows in a place of its own: a number of a tour on its square, a queen on the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..ground.notation import Quote, Value, in_quotes, quoted
from .constraint import Constraint
from .expression import Affine, variables_of
from .operand import operand
from .variable import Variable, value_of


@dataclass(frozen=True)
class Entry:
    """``board(queen(1), 1) = q``: a value at a place, where the condition holds.

    Parameters
    ----------
    name : str
        The layout of which it is an entry.
    indices : tuple of Affine, int or str
        The place.
    value : Affine, int or str
    condition : Constraint, optional
        Without one, the entry is always there.

    Examples
    --------
    >>> entry = Entry("board", (Affine.variable("queen(1)"), 1), "q")
    >>> print(entry, entry.place({"queen(1)": 3}), entry.shown({"queen(1)": 3}))
    board(queen(1), 1) = q (3, 1) q
    """

    name: str
    indices: tuple[Affine | Value, ...]
    value: Affine | Value | None
    condition: Constraint | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "indices", tuple(map(_part, self.indices)))
        if self.value is not None:
            object.__setattr__(self, "value", _part(self.value))

    @property
    def variables(self) -> tuple[Variable, ...]:
        """Every variable in it, once."""
        own = [part for part in (*self.indices, self.value) if isinstance(part, Affine)]
        return variables_of([*own, *([] if self.condition is None else [self.condition])])

    @property
    def cell(self) -> Variable | None:
        """The variable whose value it shows as it is, if it does."""
        value = self.value
        return value.variables[0] if isinstance(value, Affine) and value.is_variable else None

    @property
    def _is_at_home(self) -> bool:
        """Whether it shows a variable under its own name; an index that is no word stands there in quotes."""
        cell = self.cell
        if cell is None or cell.family != self.name or len(cell.indices) != len(self.indices):
            return False
        pairs = zip(cell.indices, self.indices, strict=True)
        return all(own == index or (isinstance(index, str) and own == in_quotes(index)) for own, index in pairs)

    def place(self, values: Mapping[str, Value]) -> tuple[Value, ...] | None:
        """The indices; None where one of them has no value."""
        try:
            return tuple([_value(index, values) for index in self.indices])
        except ZeroDivisionError:
            return None

    def shown(self, values: Mapping[str, Value]) -> Value | None:
        """The value; None where there is none, or the condition does not hold."""
        if self.condition is not None and not self.condition.check(values):
            return None
        try:
            return None if self.value is None else _value(self.value, values)
        except ZeroDivisionError:
            return None

    def text(self, quote: Quote = quoted) -> str:
        """As a ``show`` clause has it."""
        indices = ", ".join(_text(index, quote) for index in self.indices)
        text = f"{self.name}({indices})" if indices else self.name
        if not self._is_at_home and self.value is not None:
            text += f" = {_text(self.value, quote)}"
        return text if self.condition is None else f"{text} : {self.condition.as_condition(quote)}"

    def __str__(self) -> str:
        return self.text()


def _part(part: Affine | Value) -> Affine | Value:
    return operand(part) if isinstance(part, Affine | Variable) else value_of(part)


def _value(part: Affine | Value, values: Mapping[str, Value]) -> Value:
    return part.value(values) if isinstance(part, Affine) else part


def _text(part: Affine | Value, quote: Quote) -> str:
    return part.text(quote) if isinstance(part, Affine) else quote(part)
