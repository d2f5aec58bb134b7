"""How many values a list takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..constraints.conjunction import All
from ..constraints.different_tuples import differing
from ..expression import Affine, Atom
from ..operand import operands
from ..operation import apply
from ..variable import Interval


class NValue(Atom):
    """``nvalue([e1, e2, ...])``: how many different values the expressions have.

    Parameters
    ----------
    elements : tuple of Affine

    Examples
    --------
    >>> number = NValue((Affine.variable("x"), Affine.variable("y"), Affine((), 3)))
    >>> print(number, number.value({"x": 3, "y": "red"}), number.span([(1, 2), (1, 2), (3, 3)]))
    nvalue([x, y, 3]) 2 (2, 3)
    """

    elements: tuple[Affine, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "elements", operands(self.elements))

    def parts(self) -> tuple[Affine, ...]:
        return self.elements

    def value(self, values: Mapping[str, Value]) -> int:
        return len({element.value(values) for element in self.elements})

    def span(self, parts: Sequence[Interval]) -> Interval:
        least, end = 0, None
        for low, high in sorted(parts, key=lambda part: part[1]):
            if end is None or low > end:
                least, end = least + 1, high
        width = max([high for _, high in parts]) - min([low for low, _ in parts]) + 1 if parts else 0
        return least, min(len(parts), width)

    def total(self) -> Affine:
        return NValue(tuple([element.total() for element in self.elements])).decomposed()

    def decomposed(self) -> Affine:
        """How many expressions differ from all before them."""
        first: list[Constraint] = []
        for number, element in enumerate(self.elements):
            others = [differing(element, other) for other in self.elements[:number]]
            if others:
                first.append(All(tuple(others)) if len(others) > 1 else others[0])
        counted = apply("count", first) if first else Affine()
        nothing = [element * 0 for element in self.elements if element.partial]
        return sum(nothing, counted + bool(self.elements))

    def text(self, quote: Quote = quoted) -> str:
        return f"nvalue([{', '.join([element.text(quote) for element in self.elements])}])"

    def __str__(self) -> str:
        return self.text()
