"""All expressions of a list take different values, but for one value that may be taken often."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations

from ...ground.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine
from .comparison import Comparison
from .different_tuples import differing
from .either import Either
from .member import Member


@dataclass(frozen=True)
class AllDifferentExcept(Constraint):
    """``all_different_except(0, [e1, e2, ...])``: expressions that are equal have the value 0.

    Parameters
    ----------
    value : int or str
    elements : tuple of Affine

    Examples
    --------
    >>> print(AllDifferentExcept(0, (Affine.variable("x"), Affine.variable("y") + 1)))
    all_different_except(0, [x, y + 1])
    """

    value: Value
    elements: tuple[Affine, ...]

    def parts(self) -> tuple[Affine, ...]:
        return self.elements

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            found = [own for element in self.elements if (own := element.value(values)) != self.value]
        except ZeroDivisionError:
            return False
        return len({*found}) == len(found)

    def decomposed(self) -> tuple[Constraint, ...]:
        pairs = [
            Either((Member(one, (self.value,)), differing(one, other))) for one, other in combinations(self.elements, 2)
        ]
        return (*pairs, *[Comparison(e, "=", e) for e in self.elements if e.partial])

    @property
    def is_plain(self) -> bool:
        return all([element.is_unary for element in self.elements])

    def over(self, variable: Callable[[Affine], Affine]) -> AllDifferentExcept:
        if self.is_plain:
            return self
        ready = [element if element.is_unary or not element.terms else variable(element) for element in self.elements]
        return replace(self, elements=tuple(ready))

    def text(self, quote: Quote = quoted) -> str:
        return f"all_different_except({quote(self.value)}, [{', '.join([e.text(quote) for e in self.elements])}])"
