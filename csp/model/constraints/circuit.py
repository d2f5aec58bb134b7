"""Successors make one round trip."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine, Atom, Interval
from ..operation import apply, multiply
from ..variable import Variable
from .comparison import Comparison
from .member import Member


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

    def __hash__(self) -> int:  # of little, as every stop is told by it and asked for
        return hash(self.elements[:2])

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

    def decomposed(self) -> tuple[Constraint, ...]:
        places = tuple(range(1, len(self.elements) + 1))
        returns = [Comparison(Affine(((1, Stop(self, step)),)), "!=", Affine((), 1)) for step in places[:-1]]
        last = [Comparison(Affine(((1, Stop(self, places[-1])),)), "=", Affine((), 1))] if places else []
        return (*[Member(element, places) for element in self.elements], *returns, *last)

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


@dataclass(frozen=True)
class Stop(Atom):
    """The place after so many steps from place 1, for those who do not know circuits; 0 where the way is lost.

    It is said by the stop before, and so by as many expressions as there are steps.
    """

    circuit: Circuit
    step: int

    def parts(self) -> tuple[Affine, ...]:
        return self.circuit.elements

    def value(self, values: Mapping[str, Value]) -> int:
        place = 1
        for _ in range(self.step):
            after = self.circuit.elements[place - 1].value(values) if place else 0
            place = int(after) if after in range(1, len(self.circuit.elements) + 1) else 0
        return place

    def span(self, parts: Sequence[Interval]) -> Interval:
        return 0, len(self.circuit.elements)

    def decomposed(self) -> Affine:
        if self.step == 1:
            return self.circuit.elements[0]
        before = Affine(((1, Stop(self.circuit, self.step - 1)),))
        total = Affine()
        for place, element in enumerate(self.circuit.elements, 1):
            total = total + multiply(apply("count", [Member(before, (place,))]), element)
        return total

    def text(self, quote: Quote = quoted) -> str:
        return f"{self.circuit.text(quote)} after {self.step}"

    def __str__(self) -> str:
        return self.text()
