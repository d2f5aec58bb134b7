"""The base class of constraints on one or two lists of expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar, Self

from ...base.notation import Quote, quoted
from ..algebra import Constraint
from ..expression import Affine
from ..operand import operands


class Listed(Constraint):
    """A constraint whose arguments are one or two lists of expressions.

    Attributes
    ----------
    word : str
        The name of the constraint in the language.
    sides : tuple of str
        The names of the fields that are lists.
    takes_numbers : bool
        Whether the propagator accepts numbers as elements.
    """

    word: ClassVar[str]
    sides: ClassVar[tuple[str, ...]] = ("elements",)
    takes_numbers: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for side in self.sides:
            elements = getattr(self, side)
            # Most lists are tuples of expressions already, and need no conversion.
            if elements.__class__ is not tuple or not all([element.__class__ is Affine for element in elements]):
                object.__setattr__(self, side, operands(elements))
        super().__post_init__()

    @property
    def lists(self) -> list[tuple[Affine, ...]]:
        """The lists of expressions of the constraint, in the order of ``sides``."""
        return [getattr(self, side) for side in self.sides]

    def parts(self) -> tuple[Affine, ...]:
        return tuple(chain(*self.lists))

    @property
    def is_plain(self) -> bool:
        return all([e.is_unary or (self.takes_numbers and not e.terms) for e in self.parts()])

    def over(self, variable: Callable[[Affine], Affine]) -> Self:
        if self.is_plain:
            return self
        lists = [tuple([e if e.is_unary or not e.terms else variable(e) for e in side]) for side in self.lists]
        changed: dict[str, Any] = dict(zip(self.sides, lists, strict=True))
        return replace(self, **changed)

    def texts(self, quote: Quote) -> list[str]:
        """Return the text of each list of the constraint in the language."""
        return [f"[{', '.join([element.text(quote) for element in side])}]" for side in self.lists]

    def text(self, quote: Quote = quoted) -> str:
        return f"{self.word}({', '.join(self.texts(quote))})"
