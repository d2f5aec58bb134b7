"""Each expression of a list is at most the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from ...ground.errors import ModelError
from ...ground.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine
from .linear import comparing


@dataclass(frozen=True)
class Increasing(Constraint):
    """``increasing([e1, e2, ...])``: each expression is at most the next.

    Parameters
    ----------
    elements : tuple of Affine

    Examples
    --------
    >>> print(Increasing((Affine.variable("x"), Affine.variable("y") + 1)))
    increasing([x, y + 1])
    """

    elements: tuple[Affine, ...]

    def __post_init__(self) -> None:
        for element in self.elements:
            if not isinstance(element, Affine):
                raise ModelError(f"{element!r} is no expression; Affine.variable takes a name")
        super().__post_init__()

    def parts(self) -> tuple[Affine, ...]:
        return self.elements

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            numbers = [element.number(values) for element in self.elements]
        except ZeroDivisionError:
            return False
        return all(one <= other for one, other in pairwise(numbers))

    def decomposed(self) -> tuple[Constraint, ...]:
        chain = self.elements if len(self.elements) != 1 else self.elements * 2  # one alone may have no value
        return tuple([comparing(one, "<=", other) for one, other in pairwise(chain)])

    @property
    def is_plain(self) -> bool:
        return all([element.is_unary or not element.terms for element in self.elements])

    def over(self, variable: Callable[[Affine], Affine]) -> Increasing:
        if self.is_plain:
            return self
        ready = [e if e.is_unary or not e.terms else variable(e) for e in self.elements]
        return replace(self, elements=tuple(ready))

    def text(self, quote: Quote = quoted) -> str:
        return f"increasing([{', '.join([element.text(quote) for element in self.elements])}])"
