"""Groups that follow from pairs that differ."""

from __future__ import annotations

from ....model import AllDifferent, Variable
from .rewriting import Rewriting


def add_groups(rewriting: Rewriting) -> None:
    """Add groups of variables that differ pair by pair and have no more values than variables.

    A clique of pairs is grown from every variable, greedily. Only a tight or an overfull one says more than its pairs.

    ``rewriting``: changed in place.

    Examples
    --------
    >>> from csp import Equality, Model
    >>> pairs = [Equality(Variable(a), Variable(b), equal=False) for a, b in ("AB", "BC", "CA", "CD")]
    >>> rewriting = Rewriting.of(Model({v: range(3) for v in "ABCD"}, pairs), ())
    >>> add_groups(rewriting)
    >>> print(rewriting.constraints[4], rewriting.origins[4])
    all_different([A, B, C]) (0, 1, 2)
    """
    near: dict[Variable, dict[Variable, int]] = {}
    for number, constraint in rewriting.active():
        for group in constraint.differing():
            if len(group) == 2:
                one, other = group
                near.setdefault(one, {}).setdefault(other, number)
                near.setdefault(other, {}).setdefault(one, number)
    order = {variable: i for i, variable in enumerate(rewriting.domains)}
    ranked = sorted(near, key=lambda variable: (-len(near[variable]), order[variable]))
    seen = set()
    for variable in ranked:
        clique, common = {variable}, set(near[variable])
        for other in ranked:
            if other in common:
                clique.add(other)
                common &= near[other].keys()
        values = {value for member in clique for value in rewriting.domains[member]}
        members = tuple(sorted(clique, key=order.__getitem__))
        if len(values) <= len(members) > 2 and members not in seen:
            seen.add(members)
            pairs = {near[one][other] for i, one in enumerate(members) for other in members[:i]}
            rewriting.add(AllDifferent.of(members), sorted(pairs))
