"""Tuples that must differ rewritten as numbers that must differ, which propagates better."""

from __future__ import annotations

from ....model import Affine, AllDifferent, DifferentTuples
from ....model.bounds import bounds
from .rewriting import Rewriting

MAX_TUPLE_VALUES = 10_000
"""Maximum number of values of the sum for a tuple. Constraints above the limit are not rewritten."""


def number_tuples(rewriting: Rewriting) -> None:
    """Replace tuples that must differ by weighted sums, as 23 represents (2, 3).

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
    """Return for each tuple a weighted sum that identifies it, or ().

    Nothing is returned if some element is not a number, or the sums would have too many values.
    """
    domains = rewriting.domains
    elements = constraint.parts()
    are_numbers = all(isinstance(domains[variable][-1], int) for variable in constraint.scope)
    if not are_numbers or any(element.partial for element in elements):
        return ()
    # Append each column as a digit, whose base is the number of values between its bounds.
    sums = [Affine()] * len(constraint.tuples)
    size = 1
    for column in zip(*constraint.tuples, strict=True):
        if any(isinstance(element, str) for element in column):
            return ()
        expressions = [element if isinstance(element, Affine) else Affine((), int(element)) for element in column]
        spans = [bounds(element, domains) for element in expressions]
        low, width = min(spans)[0], max([high for _, high in spans]) - min(spans)[0] + 1
        sums = [total * width + (element - low) for total, element in zip(sums, expressions, strict=True)]
        size *= width
    # Equal sums, and sums without variables, are left to the propagator of different tuples.
    is_usable = size <= MAX_TUPLE_VALUES and len({*sums}) == len(sums) and all(total.variables for total in sums)
    return tuple(sums) if is_usable else ()
