"""Variables that stand for conditions that are counted, so that each is looked at where it changes."""

from __future__ import annotations

from collections import Counter
from math import perm, prod

from ....model import Affine, Comparison, Constraint, Equality, Iff, Linear, Operation, Variable
from ...settings import Settings
from .rewriting import Rewriting


def name_conditions(rewriting: Rewriting, settings: Settings) -> None:
    """Make sums of the counts of conditions on several variables, or on the same ones, where no table would do.

    Each condition gets a variable that is 1 where it holds, once for all counts; it is named by its text.

    ``rewriting``: changed in place.

    Notes
    -----
    A count of k conditions took O(k) of them for every value that was tried; now one condition is looked at when one
    of its variables changes.

    Examples
    --------
    >>> from csp import AllDifferent, Model, apply
    >>> groups = [AllDifferent.of(names) for names in ("ABC", "CDE", "EFG", "GHA")]
    >>> counted = Comparison(apply("count", groups), "=", Affine((), 2))
    >>> rewriting = Rewriting.of(Model(dict.fromkeys("ABCDEFGH", range(10)), [counted]), ())
    >>> name_conditions(rewriting, Settings())
    >>> len(rewriting.domains), len(rewriting.constraints), str(rewriting.constraints[1])
    (12, 5, 'all_different([A, B, C]) = 1 <-> all_different([A, B, C])')
    """
    named: dict[Constraint, Variable] = {}
    for number, constraint in list(rewriting.active()):
        if isinstance(constraint, Comparison) and _is_wide(constraint, rewriting, settings):
            left, right = (_summed(side, (number,), named, rewriting) for side in (constraint.left, constraint.right))
            rewriting.constraints[number] = Linear(left, constraint.relation, right, **constraint.tags)


def _is_wide(comparison: Comparison, rewriting: Rewriting, settings: Settings) -> bool:
    """Whether there are counts besides variables only, too wide for a table, and not just of variables of their own."""
    conditions: list[Constraint] = []
    for _, atom in (*comparison.left.terms, *comparison.right.terms):
        if isinstance(atom, Operation) and atom.operator == "count":
            conditions += [one for one in atom.operands if isinstance(one, Constraint)]
        elif not isinstance(atom, Variable):
            return False
    if not conditions:
        return False
    scope = comparison.scope
    apart = any([len(group) == len(scope) for group, _ in rewriting.groups_within(scope)])
    values = len({value for variable in scope for value in rewriting.domains[variable]})
    whole = prod([len(rewriting.domains[variable]) for variable in scope])
    if min(whole, perm(values, len(scope)) if apart else whole) <= settings.max_rows**2:
        return False  # there will be a table when some of it is known
    uses = Counter(variable for one in conditions for variable in one.scope)
    return any(len(one.scope) > 1 for one in conditions) or any(times > 1 for times in uses.values())


def _summed(side: Affine, origins: tuple[int, ...], named: dict[Constraint, Variable], rewriting: Rewriting) -> Affine:
    """An expression in which counts are sums of variables."""
    found = Affine((), side.constant)
    for factor, atom in side.terms:
        if isinstance(atom, Operation):
            for one in atom.operands:
                assert isinstance(one, Constraint)
                found = found + factor * Affine.variable(_variable(one, origins, named, rewriting))
        else:
            found = found + Affine(((factor, atom),))
    return found


def _variable(
    condition: Constraint, origins: tuple[int, ...], named: dict[Constraint, Variable], rewriting: Rewriting
) -> Variable:
    """The variable that is 1 where a condition holds, else 0; it may be one of the model."""
    match condition:
        case Equality(left=left, right=1, equal=True) if rewriting.domains[left] == (0, 1):
            return left
    if condition not in named:
        name = str(condition)
        while name in rewriting.domains:
            name += "'"
        own = named[condition] = Variable(name)
        rewriting.domains[own] = (0, 1)
        tags = {**condition.tags, "label": f"the truth of {condition}"}
        rewriting.add(Iff(Equality(own, 1), condition, **tags), origins)
    return named[condition]
