"""Successors make one round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from ...ground.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine
from ..variable import Variable


@dataclass(frozen=True)
class Circuit(Constraint):
    """``circuit([x1, ..., xn])``: from place 1 the way leads to place x1, and so on through all places back to 1.

    Parameters
    ----------
    elements : tuple of Affine

    Examples
    --------
    >>> print(Circuit((Affine.variable("x"), Affine.variable("y"))))
    circuit([x, y])
    """

    elements: tuple[Affine, ...]

    def parts(self) -> tuple[Affine, ...]:
        return self.elements

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            after = [element.value(values) for element in self.elements]
        except ZeroDivisionError:
            return False
        if sorted(after, key=str) != sorted(range(1, len(after) + 1), key=str):
            return False
        place, steps = 1, 0
        while after:
            place, steps = int(after[place - 1]), steps + 1
            if place == 1:
                break
        return steps == len(after)

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        plain = dict.fromkeys(element.terms[0][1] for element in self.elements if element.is_variable)
        if len(plain) > 1:
            yield tuple(plain)  # type: ignore[arg-type]

    @property
    def is_plain(self) -> bool:
        return all([element.is_unary for element in self.elements])

    def over(self, variable: Callable[[Affine], Affine]) -> Circuit:
        if self.is_plain:
            return self
        ready = [element if element.is_unary or not element.terms else variable(element) for element in self.elements]
        return replace(self, elements=tuple(ready))

    def text(self, quote: Quote = quoted) -> str:
        return f"circuit([{', '.join([element.text(quote) for element in self.elements])}])"
