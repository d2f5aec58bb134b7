"""The constraint that compares two linear sums."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...base.errors import ModelError
from ...base.notation import Domain
from ..expression import Affine
from ..variable import Variable
from .comparison import Comparison


class Linear(Comparison):
    """The constraint ``left RELATION right`` on sums of integer variables.

    Its difference has no operations, so that a propagator for linear sums applies.

    Parameters
    ----------
    left, right : Affine
        Sums without operations.
    relation : str
        One of ``= != < <= > >=``.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> print(Linear(x + 2, "<", y))
    x + 2 < y
    """

    def __post_init__(self) -> None:
        super().__post_init__()
        if not (self.left.is_linear and self.right.is_linear):
            raise ModelError(f"{self} is not linear")

    def apart(self) -> tuple[Affine, ...]:
        difference = self.difference
        if self.relation != "!=" or len(difference.terms) != 2:
            return ()
        first, second = difference.terms
        return Affine((first,)), Affine((second,), difference.constant) * -1

    def differing(self) -> Iterator[tuple[Variable, ...]]:
        difference = self.difference
        # ``x - y`` compared with 0 by ``!=``, ``<`` or ``>``.
        if self.relation in ("!=", "<", ">") and len(difference.terms) == 2 and not difference.constant:
            (a, x), (b, y) = difference.terms
            if a == -b:
                yield x, y  # type: ignore[misc]

    def total(self, domains: Mapping[Variable, Domain]) -> tuple[tuple[Variable, ...], int] | None:
        difference = self.difference
        if self.relation != "=" or any(coefficient != 1 for coefficient, _ in difference.terms):
            return None
        return difference.variables, -difference.constant


def comparing(left: Affine, relation: str, right: Affine) -> Comparison:
    """Make a comparison: ``Linear`` if both sides are linear, else ``Comparison``.

    Examples
    --------
    >>> type(comparing(Affine.variable("x"), "<", Affine((), 3))).__name__
    'Linear'
    """
    kind = Linear if left.is_linear and right.is_linear else Comparison
    return kind(left, relation, right)
