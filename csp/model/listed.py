"""What the constraints on lists have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import chain
from typing import Any, ClassVar, Self

from ..base.notation import Quote, quoted
from .constraint import Constraint
from .expression import Affine
from .operand import operands


class Listed(Constraint):
    """A constraint on one list of expressions, or on two.

    Attributes
    ----------
    word : str
        What the language calls it.
    sides : tuple of str
        The fields that are lists.
    takes_numbers : bool
        Whether its filter takes numbers among the elements.
    """

    word: ClassVar[str]
    sides: ClassVar[tuple[str, ...]] = ("elements",)
    takes_numbers: ClassVar[bool] = False

    def __post_init__(self) -> None:
        for side in self.sides:
            own = getattr(self, side)
            if own.__class__ is not tuple or not all([element.__class__ is Affine for element in own]):
                object.__setattr__(self, side, operands(own))
        super().__post_init__()

    @property
    def lists(self) -> list[tuple[Affine, ...]]:
        """Its lists, in order."""
        return [getattr(self, side) for side in self.sides]

    def parts(self) -> tuple[Affine, ...]:
        return tuple(chain(*self.lists))

    @property
    def is_plain(self) -> bool:
        return all([e.is_unary or (self.takes_numbers and not e.terms) for e in self.parts()])

    def over(self, variable: Callable[[Affine], Affine]) -> Self:
        if self.is_plain:
            return self
        ready = [tuple([e if e.is_unary or not e.terms else variable(e) for e in side]) for side in self.lists]
        changed: dict[str, Any] = dict(zip(self.sides, ready, strict=True))
        return replace(self, **changed)

    def texts(self, quote: Quote) -> list[str]:
        """Its lists as the language writes them."""
        return [f"[{', '.join([element.text(quote) for element in side])}]" for side in self.lists]

    def text(self, quote: Quote = quoted) -> str:
        return f"{self.word}({', '.join(self.texts(quote))})"
