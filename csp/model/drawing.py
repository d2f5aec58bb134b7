"""What is drawn on a puzzle and cannot be guessed from its constraints; it means nothing to a solver."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ..ground.errors import ModelError
from ..ground.notation import Quote, Value, quoted
from .entry import Entry
from .expression import Affine
from .variable import Variable

COLOURS = ("grey", "dark", "black", "red", "orange", "yellow", "green", "blue", "purple")


class Kind(NamedTuple):
    """What a kind of drawing is told.

    Attributes
    ----------
    forms : tuple of str
        What stands in parentheses, in words.
    value : {"", "colour", "text", "needed"}
        What may stand behind the sign ``=``, and whether it must.
    """

    forms: tuple[str, ...]
    value: str = ""

    @property
    def lengths(self) -> tuple[int, ...]:
        """How many arguments there can be."""
        return tuple(len(form.split(", ")) for form in self.forms)


CELL, BETWEEN = "R, C", "R, C, S, D"
KINDS: Mapping[str, Kind] = {
    "line": Kind(("R, C, P", BETWEEN), "colour"),
    "thermometer": Kind(("R, C, P",), "colour"),
    "arrow": Kind(("R, C, P",), "colour"),
    "border": Kind(("R, C, K", BETWEEN)),
    "cage": Kind(("R, C, K",), "text"),
    "shade": Kind((CELL,), "colour"),
    "circle": Kind((CELL, BETWEEN), "text"),
    "disc": Kind((CELL, BETWEEN), "text"),
    "square": Kind((CELL, BETWEEN), "text"),
    "text": Kind((CELL, BETWEEN), "needed"),
    "corner": Kind((CELL,), "needed"),
    "map": Kind(("V, X, Y",)),
    "pair": Kind(("x, y",)),
    "loop": Kind(("x",)),
    "helper": Kind(("x",)),
}
"""All kinds of drawings: cells (R, C) in the order or of the name P or K; what stands between two cells; variables V and
families x."""
OF_FAMILIES = ("pair", "loop", "helper")


@dataclass(frozen=True)
class Drawn(Entry):
    """``circle(1, 2) = 7``: something in a picture, once all puzzle variables in it are settled and the condition holds.

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
        numbers = self.indices[1:] if self.name == "map" else self.indices[: len(self.indices) // 2 * 2]
        if any(isinstance(one, str) for one in numbers) or (self.name == "map" and self.cell_of is None):
            return "a place is told by numbers" + (", and is that of a variable" if self.name == "map" else "")
        if value is None:
            return "there is no text" if wanted == "needed" else ""
        if not wanted:
            return "it has no value"
        if wanted == "colour" and value not in COLOURS:
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
            str(one) if of_families or isinstance(one, Affine) and one.is_variable
            else one.text(quote) if isinstance(one, Affine) else quote(one)
            for one in self.indices
        )  # fmt: skip
        value = self.value.text(quote) if isinstance(self.value, Affine) else self.value
        told = "" if value is None else f" = {value if isinstance(self.value, Affine) else quote(value)}"
        held = "" if self.condition is None else f" : {self.condition.as_condition(quote)}"
        return f"{self.name}({indices}){told}{held}"

    def __str__(self) -> str:
        return self.text()
