"""What an answer shows in a place of its own, and what pictures show that no constraint tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from ..base.errors import ModelError
from ..base.frozen import Frozen
from ..base.notation import Quote, Value, quote_symbol, quoted
from .constraint import Constraint
from .expression import Affine, variables_of
from .operand import operand
from .variable import Variable, each_of, value_of


class Entry(Frozen):
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
        object.__setattr__(self, "indices", tuple(map(_part, each_of(self.indices, "indices"))))
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
        return all(own == index or (isinstance(index, str) and own == quote_symbol(index)) for own, index in pairs)

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


COLOURS = ("grey", "dark", "black", "red", "orange", "yellow", "green", "blue", "purple")


class DrawingKind(NamedTuple):
    """What a kind of drawing is told.

    Attributes
    ----------
    forms : tuple of str
        What stands in parentheses, in words.
    value : {"", "colour", "colour or number", "text", "needed"}
        What may stand behind the sign ``=``, and whether it must.
    """

    forms: tuple[str, ...]
    value: str = ""

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many arguments there can be."""
        return tuple(len(form.split(", ")) for form in self.forms)


CELL, BETWEEN, CHAIN = "R, C", "R, C, S, D", ("R, C, P", "R, C, P, L")
KINDS: Mapping[str, DrawingKind] = {
    "line": DrawingKind(CHAIN, "colour"),
    "thermometer": DrawingKind(CHAIN, "colour"),
    "arrow": DrawingKind(CHAIN, "colour"),
    "join": DrawingKind((BETWEEN,), "colour or number"),
    "border": DrawingKind(("R, C, K", BETWEEN)),
    "cage": DrawingKind(("R, C, K",), "text"),
    "shade": DrawingKind((CELL,), "colour"),
    "circle": DrawingKind((CELL, BETWEEN), "text"),
    "disc": DrawingKind((CELL, BETWEEN), "text"),
    "square": DrawingKind((CELL, BETWEEN), "text"),
    "text": DrawingKind((CELL, BETWEEN), "needed"),
    "corner": DrawingKind((CELL,), "needed"),
    "map": DrawingKind(("V, X, Y",)),
    "pair": DrawingKind(("x, y",)),
    "loop": DrawingKind(("x",)),
    "helper": DrawingKind(("x",)),
}
"""All kinds of drawings: cells (R, C), in the order P of line L or of the name K, or between two; variables V and
families x."""
OF_FAMILIES = ("pair", "loop", "helper")


class Drawn(Entry):
    """``circle(1, 2) = 7``: part of a picture, once all puzzle variables in it are settled and the condition holds.

    Parameters
    ----------
    name : str
        A kind of ``KINDS``.
    indices : tuple of Affine, int or str
        Where: rows and columns as the indices of cells, beyond them what stands outside; of ``pair``, ``loop`` and
        ``helper`` the names of families.
    value : Affine, int, str or None
        The text or the colour.
    condition : Constraint, optional

    Raises
    ------
    ModelError
        If there is no such kind, or it is told something else.

    Examples
    --------
    >>> print(Drawn("circle", (1, 2), 7), "and", Drawn("shade", (1, 2), None))
    circle(1, 2) = 7 and shade(1, 2)
    """

    value: Affine | Value | None = None
    kinds: ClassVar[Mapping[str, DrawingKind]] = KINDS
    colours: ClassVar[tuple[str, ...]] = COLOURS
    about: ClassVar[tuple[str, ...]] = OF_FAMILIES

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.name not in KINDS:
            raise ModelError(f"nothing drawn is called {self.name}")
        if len(self.indices) not in KINDS[self.name].lengths:
            forms = " or ".join(f"{self.name}({form})" for form in KINDS[self.name].forms)
            raise ModelError(f"{self} is not of the form {forms}")
        if fault := self.fault:
            raise ModelError(f"{self}: {fault}")

    @property
    def fault(self) -> str:
        """What is wrong with its value, if anything is."""
        wanted, value = KINDS[self.name].value, self.value
        if self.name in OF_FAMILIES:
            return "" if value is None else "it has no value"
        length = 3 if self.name in ("line", "thermometer", "arrow") else len(self.indices) // 2 * 2
        numbers = self.indices[1:] if self.name == "map" else self.indices[:length]
        if any(isinstance(one, str) for one in numbers) or (self.name == "map" and self.cell_of is None):
            return "a place is told by numbers" + (", and is that of a variable" if self.name == "map" else "")
        if value is None:
            return "there is no text" if wanted == "needed" else ""
        if not wanted:
            return "it has no value"
        if wanted.endswith("number") and not isinstance(value, str):
            return ""
        if wanted.startswith("colour") and value not in COLOURS:
            return f"{value} is no colour; there are {', '.join(COLOURS)}"
        return ""

    @property
    def cell_of(self) -> Variable | None:
        """The variable that its first argument is, if it is one."""
        first = self.indices[0]
        return first.variables[0] if isinstance(first, Affine) and first.is_variable else None

    def text(self, quote: Quote = quoted) -> str:
        """As a ``draw`` clause has it."""
        of_families = self.name in OF_FAMILIES
        indices = ", ".join(
            str(one) if of_families or (isinstance(one, Affine) and one.is_variable)
            else one.text(quote) if isinstance(one, Affine) else quote(one)
            for one in self.indices
        )  # fmt: skip
        value = self.value.text(quote) if isinstance(self.value, Affine) else self.value
        told = "" if value is None else f" = {value if isinstance(self.value, Affine) else quote(value)}"
        held = "" if self.condition is None else f" : {self.condition.as_condition(quote)}"
        return f"{self.name}({indices}){told}{held}"

    def __str__(self) -> str:
        return self.text()


def _part(part: Affine | Value) -> Affine | Value:
    return operand(part) if isinstance(part, Affine | Variable) else value_of(part)


def _value(part: Affine | Value, values: Mapping[str, Value]) -> Value:
    return part.value(values) if isinstance(part, Affine) else part


def _text(part: Affine | Value, quote: Quote) -> str:
    return part.text(quote) if isinstance(part, Affine) else quote(part)
