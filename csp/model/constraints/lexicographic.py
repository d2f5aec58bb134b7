"""Two tuples of expressions compared as words in a dictionary."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from ...ground.errors import ModelError
from ...ground.notation import Quote, Value, quoted
from ..constraint import Constraint
from ..expression import Affine
from .comparison import Comparison
from .conjunction import All
from .either import Either
from .linear import comparing


@dataclass(frozen=True)
class Lexicographic(Constraint):
    """``[a, b, ...] < [c, d, ...]``: the first elements that differ decide.

    Parameters
    ----------
    left, right : tuple of Affine
        Of the same length.
    strict : bool
        Whether they may not be equal; False for ``<=``.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(Lexicographic((x, y), (y, Affine((), 3)), strict=False))
    [x, y] <= [y, 3]
    """

    left: tuple[Affine, ...]
    right: tuple[Affine, ...]
    strict: bool = True

    def __post_init__(self) -> None:
        if len(self.left) != len(self.right):
            raise ModelError(f"tuples of {len(self.left)} and of {len(self.right)} are not compared")
        super().__post_init__()

    def parts(self) -> tuple[Affine, ...]:
        return (*self.left, *self.right)

    def check(self, values: Mapping[str, Value]) -> bool:
        try:
            left, right = ([element.number(values) for element in side] for side in (self.left, self.right))
        except ZeroDivisionError:
            return False
        return left < right or (left == right and not self.strict)

    def decomposed(self) -> tuple[Constraint, ...]:
        pairs = [*zip(self.left, self.right, strict=True)]
        cases: list[Constraint] = []
        for place, (one, other) in enumerate(pairs):
            equal = [comparing(a, "=", b) for a, b in pairs[:place]]
            last = place == len(pairs) - 1 and not self.strict
            less = comparing(one, "<=" if last else "<", other)
            cases.append(All((*equal, less)) if equal else less)
        if not cases:
            return () if not self.strict else (comparing(Affine(), "<", Affine()),)
        return (Either(tuple(cases)), *[Comparison(e, "=", e) for e in self.parts() if e.partial])

    @property
    def is_plain(self) -> bool:
        return all([element.is_unary or not element.terms for element in self.parts()])

    def over(self, variable: Callable[[Affine], Affine]) -> Lexicographic:
        if self.is_plain:
            return self
        left, right = (
            tuple([e if e.is_unary or not e.terms else variable(e) for e in side]) for side in (self.left, self.right)
        )
        return replace(self, left=left, right=right)

    def text(self, quote: Quote = quoted) -> str:
        left, right = (f"[{', '.join([e.text(quote) for e in side])}]" for side in (self.left, self.right))
        return f"{left} {'<' if self.strict else '<='} {right}"
