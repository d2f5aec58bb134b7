"""Tuples that differ made numbers that differ, of which groups can tell more."""

from __future__ import annotations

from ....model import Affine, AllDifferent, DifferentTuples
from ....model.bounds import bounds
from .rewriting import Rewriting

MOST_VALUES = 10_000
"""The most values that such a number may have."""


def number_tuples(rewriting: Rewriting) -> None:
    """Replace tuples of numbers by weighted sums, as 23 stands for 2 and 3.

    ``rewriting``: changed in place.

    Examples
    --------
    >>> from csp import Model
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> pairs = DifferentTuples(((x, y), (y, x)))
    >>> rewriting = Rewriting.of(Model({"x": (1, 2), "y": (1, 2)}, [pairs]), ())
    >>> number_tuples(rewriting)
    >>> print(rewriting.constraints[0])
    all_different([2*x + y - 3, 2*y + x - 3])
    """
    for number, constraint in list(rewriting.active()):
        if isinstance(constraint, DifferentTuples) and (sums := _sums(constraint, rewriting)):
            label, line, file = constraint.label, constraint.line, constraint.file
            rewriting.constraints[number] = AllDifferent(sums, label=label, line=line, file=file)


def _sums(constraint: DifferentTuples, rewriting: Rewriting) -> tuple[Affine, ...]:
    """A number for every tuple; none where that cannot be, or would have too many values."""
    domains = rewriting.domains
    elements = constraint.parts()
    numbers = all(isinstance(domains[variable][-1], int) for variable in constraint.scope)
    if not numbers or any(element.partial for element in elements):
        return ()
    sums = [Affine()] * len(constraint.tuples)
    size = 1
    for column in zip(*constraint.tuples, strict=True):
        if any(isinstance(element, str) for element in column):
            return ()
        own = [element if isinstance(element, Affine) else Affine((), int(element)) for element in column]
        spans = [bounds(element, domains) for element in own]
        low, width = min(spans)[0], max([high for _, high in spans]) - min(spans)[0] + 1
        sums = [total * width + (element - low) for total, element in zip(sums, own, strict=True)]
        size *= width
    usable = size <= MOST_VALUES and len({*sums}) == len(sums) and all(total.variables for total in sums)
    return tuple(sums) if usable else ()
