"""Groups that a round trip and two lists that are each other's inverse imply: their elements are all different."""

from __future__ import annotations

from ....model import AllDifferent, Circuit, Inverse
from .rewriting import Rewriting


def add_successors(rewriting: Rewriting) -> None:
    """Add the groups that follow from round trips and inverses.

    ``rewriting``: changed in place.

    Examples
    --------
    >>> from csp import Affine, Model
    >>> trip = Circuit(tuple(map(Affine.variable, "xyz")))
    >>> rewriting = Rewriting.of(Model({v: (1, 2, 3) for v in "xyz"}, [trip]), ())
    >>> add_successors(rewriting)
    >>> print(rewriting.constraints[1], rewriting.origins[1])
    all_different([x, y, z]) (0,)
    """
    for number, constraint in list(rewriting.active()):
        match constraint:
            case Circuit(elements=elements):
                sides = [elements]
            case Inverse(left=left, right=right):
                sides = [left, right]
            case _:
                continue
        for side in sides:
            if len(side) > 1 and len({*side}) == len(side) and all(element.variables for element in side):
                rewriting.add(AllDifferent(side, **constraint.tags), (number,))
