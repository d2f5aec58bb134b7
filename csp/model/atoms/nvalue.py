"""The nvalue term: how many different values some expressions take."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...base.notation import Quote, Value, quoted
from ..algebra import All, Constraint
from ..constraints.different_tuples import differing
from ..expression import Affine, Atom
from ..operand import operands
from ..operation import apply
from ..variable import Interval


class NValue(Atom):
    """The number of different values of a list, ``nvalue([e1, e2, ...])``.

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
        # The least number of values: a greedy choice of disjoint intervals, in order of their ends.
        disjoint, end = 0, None
        for low, high in sorted(parts, key=lambda part: part[1]):
            if end is None or low > end:
                disjoint, end = disjoint + 1, high
        # The most values: one for each expression, but no more than integers in the range.
        width = max([high for _, high in parts]) - min([low for low, _ in parts]) + 1 if parts else 0
        return disjoint, min(len(parts), width)

    def total(self) -> Affine:
        return NValue(tuple([element.total() for element in self.elements])).decompose()

    def decompose(self) -> Affine:
        """Return an equal expression: count the elements different from all preceding ones."""
        is_new: list[Constraint] = []
        for number, element in enumerate(self.elements):
            differences = [differing(element, earlier) for earlier in self.elements[:number]]
            if differences:
                is_new.append(All(tuple(differences)) if len(differences) > 1 else differences[0])
        counted = apply("count", is_new) if is_new else Affine()
        # Times 0, a partial expression adds nothing, but it can still make the sum undefined.
        partial_terms = [element * 0 for element in self.elements if element.partial]
        return sum(partial_terms, counted + bool(self.elements))

    def text(self, quote: Quote = quoted) -> str:
        return f"nvalue([{', '.join([element.text(quote) for element in self.elements])}])"

    def __str__(self) -> str:
        return self.text()
