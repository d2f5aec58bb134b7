"""Entries of answers and pictures: parts of a layout, and drawings added to the puzzle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar, NamedTuple

from ..base.errors import ModelError
from ..base.frozen import Frozen
from ..base.notation import Quote, Value, quote_symbol, quoted
from .algebra import Constraint
from .expression import Affine, variables_of
from .operand import operand
from .variable import Variable, check_iterable, value_of


class Entry(Frozen):
    """A ``show`` entry: a value at a place of a layout, if a condition holds.

    In the language: ``board(queen(1), 1) = q``.

    Parameters
    ----------
    name : str
        The name of the layout.
    indices : tuple of Affine, int or str
        The place in the layout.
    value : Affine, int or str
    condition : Constraint, optional
        Without a condition, the entry is always shown.

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
        object.__setattr__(self, "indices", tuple(map(_as_data, check_iterable(self.indices, "indices"))))
        if self.value is not None:
            object.__setattr__(self, "value", _as_data(self.value))

    @property
    def variables(self) -> tuple[Variable, ...]:
        """All variables in the entry, each once."""
        expressions = [part for part in (*self.indices, self.value) if isinstance(part, Affine)]
        return variables_of([*expressions, *([] if self.condition is None else [self.condition])])

    @property
    def cell(self) -> Variable | None:
        """The variable if the entry shows the value of one variable, else ``None``."""
        value = self.value
        return value.variables[0] if isinstance(value, Affine) and value.is_variable else None

    @property
    def _shows_own_name(self) -> bool:
        """Whether the entry shows a variable under its own name.

        The name of a variable has quotes around an index that is not an identifier.
        """
        cell = self.cell
        if cell is None or cell.family != self.name or len(cell.indices) != len(self.indices):
            return False
        pairs = zip(cell.indices, self.indices, strict=True)
        return all(
            cell_index == index or (isinstance(index, str) and cell_index == quote_symbol(index))
            for cell_index, index in pairs
        )

    def place(self, values: Mapping[str, Value]) -> tuple[Value, ...] | None:
        """Return the indices of the entry's place under an assignment; ``None`` if undefined."""
        try:
            return tuple([_value(index, values) for index in self.indices])
        except ZeroDivisionError:
            return None

    def shown(self, values: Mapping[str, Value]) -> Value | None:
        """Return the entry's value under an assignment; ``None`` if undefined or not shown."""
        if self.condition is not None and not self.condition.check(values):
            return None
        try:
            return None if self.value is None else _value(self.value, values)
        except ZeroDivisionError:
            return None

    def text(self, quote: Quote = quoted) -> str:
        """Return the entry as the text of a ``show`` clause."""
        indices = ", ".join(_text(index, quote) for index in self.indices)
        text = f"{self.name}({indices})" if indices else self.name
        if not self._shows_own_name and self.value is not None:
            text += f" = {_text(self.value, quote)}"
        return text if self.condition is None else f"{text} : {self.condition.as_condition(quote)}"

    def __str__(self) -> str:
        return self.text()


COLOURS = ("grey", "dark", "black", "red", "orange", "yellow", "green", "blue", "purple")
"""The names of colours that drawings accept."""


class DrawingKind(NamedTuple):
    """The arguments and the value that one kind of drawing accepts.

    Attributes
    ----------
    forms : tuple of str
        The alternative argument lists, one letter for each argument.
    value : {"", "colour", "colour or number", "text", "needed"}
        The value after ``=``; empty if the kind takes no value. ``needed`` is a required text.
    """

    forms: tuple[str, ...]
    value: str = ""

    @property
    def lengths(self) -> tuple[int, ...]:
        """The permitted numbers of arguments of this kind of drawing."""
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
    "word": DrawingKind((CELL, BETWEEN), "needed"),
    "map": DrawingKind(("V, X, Y",)),
    "pair": DrawingKind(("x, y",)),
    "loop": DrawingKind(("x",)),
    "boxes": DrawingKind(("x",)),
    "helper": DrawingKind(("x",)),
}
"""The kinds of drawings, with their arguments.

R, C is a cell; R, C, S, D is a place between two cells; P is the position of a cell in line L; K is the name of a group
of cells; V is a variable at the point X, Y; x is the name of a family.
"""
FAMILY_KINDS = ("pair", "loop", "boxes", "helper")
"""The kinds of drawings whose arguments are names of families."""


class Drawn(Entry):
    """A drawing in a picture of the puzzle, such as ``circle(1, 2) = 7``.

    It appears as soon as all of its puzzle variables are fixed and its condition holds.

    Parameters
    ----------
    name : str
        One of the keys of ``KINDS``.
    indices : tuple of Affine, int or str
        The place: rows and columns are indices of cells, and numbers outside of their range are places outside of the
        grid. For ``pair``, ``loop``, ``boxes`` and ``helper``: the names of families.
    value : Affine, int, str or None
        The text or the colour.
    condition : Constraint, optional

    Raises
    ------
    ModelError
        If the kind is unknown, or it does not take these arguments or this value.

    Examples
    --------
    >>> print(Drawn("circle", (1, 2), 7), "and", Drawn("shade", (1, 2), None))
    circle(1, 2) = 7 and shade(1, 2)
    """

    value: Affine | Value | None = None
    kinds: ClassVar[Mapping[str, DrawingKind]] = KINDS
    colours: ClassVar[tuple[str, ...]] = COLOURS
    family_kinds: ClassVar[tuple[str, ...]] = FAMILY_KINDS

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
        """The error message if arguments or value do not suit the kind, else ""."""
        required, value = KINDS[self.name].value, self.value
        if self.name in FAMILY_KINDS:
            return "" if value is None else "it has no value"
        # The first arguments are the place; lines also have a position there.
        length = 3 if self.name in ("line", "thermometer", "arrow") else len(self.indices) // 2 * 2
        numbers = self.indices[1:] if self.name == "map" else self.indices[:length]
        if any(isinstance(number, str) for number in numbers) or (self.name == "map" and self.cell_of is None):
            return "a place consists of numbers" + (", and belongs to a variable" if self.name == "map" else "")
        if value is None:
            return "a text is missing" if required == "needed" else ""
        if not required:
            return "it has no value"
        if required.endswith("number") and not isinstance(value, str):
            return ""
        if required.startswith("colour") and value not in COLOURS:
            return f"{value} is not a colour; the colours are {', '.join(COLOURS)}"
        return ""

    @property
    def cell_of(self) -> Variable | None:
        """The variable that the drawing names as its first argument, else ``None``."""
        first = self.indices[0]
        return first.variables[0] if isinstance(first, Affine) and first.is_variable else None

    def text(self, quote: Quote = quoted) -> str:
        """Return the drawing as the text of a ``draw`` clause."""
        has_families = self.name in FAMILY_KINDS
        indices = ", ".join(
            str(index) if has_families or (isinstance(index, Affine) and index.is_variable)
            else index.text(quote) if isinstance(index, Affine) else quote(index)
            for index in self.indices
        )  # fmt: skip
        value = self.value.text(quote) if isinstance(self.value, Affine) else self.value
        value_text = "" if value is None else f" = {value if isinstance(self.value, Affine) else quote(value)}"
        condition_text = "" if self.condition is None else f" : {self.condition.as_condition(quote)}"
        return f"{self.name}({indices}){value_text}{condition_text}"

    def __str__(self) -> str:
        return self.text()


def _as_data(part: Affine | Value) -> Affine | Value:
    return operand(part) if isinstance(part, Affine | Variable) else value_of(part)


def _value(part: Affine | Value, values: Mapping[str, Value]) -> Value:
    return part.value(values) if isinstance(part, Affine) else part


def _text(part: Affine | Value, quote: Quote) -> str:
    return part.text(quote) if isinstance(part, Affine) else quote(part)
