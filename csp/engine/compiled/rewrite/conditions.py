"""Counts of conditions rewritten as sums of new 0/1 variables, one for each condition."""

from __future__ import annotations

from collections import Counter
from math import perm, prod

from ....model import Affine, Comparison, Constraint, Equality, Iff, Linear, Operation, Variable
from ...settings import Settings
from .rewriting import Rewriting


def name_conditions(rewriting: Rewriting, settings: Settings) -> None:
    """Replace counts of conditions by sums of new 0/1 variables, one for each condition.

    This happens only if a table of the comparison would be too large. Each condition gets one variable for all counts,
    which is 1 if the condition holds. Its name is the text of the condition. A count stays if its conditions have one
    variable each, all different.

    ``rewriting``: changed in place.

    Notes
    -----
    Without the new variables, propagation checks all k conditions of a count for every value that it tries. With them,
    it checks a condition only when one of its variables changes.

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
    variables: dict[Constraint, Variable] = {}
    for number, constraint in list(rewriting.active()):
        if isinstance(constraint, Comparison) and _is_wide(constraint, rewriting, settings):
            sides = constraint.left, constraint.right
            left, right = (_replace_counts(side, (number,), variables, rewriting) for side in sides)
            rewriting.constraints[number] = Linear(left, constraint.relation, right, **constraint.tags)


def _is_wide(comparison: Comparison, rewriting: Rewriting, settings: Settings) -> bool:
    """Return whether a comparison of counts is too large for a table.

    Only a comparison of counts and variables can need new variables.
    """
    conditions: list[Constraint] = []
    for _, atom in (*comparison.left.terms, *comparison.right.terms):
        if isinstance(atom, Operation) and atom.operator == "count":
            conditions += [condition for condition in atom.operands if isinstance(condition, Constraint)]
        elif not isinstance(atom, Variable):
            return False
    if not conditions:
        return False
    # Estimate the number of rows of a table; it is smaller if all variables are different.
    scope = comparison.scope
    is_all_different = any([len(group) == len(scope) for group, _ in rewriting.groups_within(scope)])
    values = len({value for variable in scope for value in rewriting.domains[variable]})
    assignments = prod([len(rewriting.domains[variable]) for variable in scope])
    if min(assignments, perm(values, len(scope)) if is_all_different else assignments) <= settings.max_rows**2:
        return False  # the propagator can make a table when some variables are fixed
    # Conditions that share no variable, with one variable each, are already cheap to count.
    uses = Counter(variable for condition in conditions for variable in condition.scope)
    return any(len(condition.scope) > 1 for condition in conditions) or any(times > 1 for times in uses.values())


def _replace_counts(
    side: Affine, origins: tuple[int, ...], variables: dict[Constraint, Variable], rewriting: Rewriting
) -> Affine:
    """Replace every count in an expression by the sum of the variables of its conditions."""
    total = Affine((), side.constant)
    for factor, atom in side.terms:
        if isinstance(atom, Operation):
            for condition in atom.operands:
                assert isinstance(condition, Constraint)
                total = total + factor * Affine.variable(_truth_variable(condition, origins, variables, rewriting))
        else:
            total = total + Affine(((factor, atom),))
    return total


def _truth_variable(
    condition: Constraint, origins: tuple[int, ...], variables: dict[Constraint, Variable], rewriting: Rewriting
) -> Variable:
    """Return the 0/1 variable that equals a condition; add it if it is new.

    A new variable is added with its definition. The condition ``X = 1`` for a 0/1 variable ``X`` needs no new variable.
    """
    match condition:
        case Equality(left=left, right=1, equal=True) if rewriting.domains[left] == (0, 1):
            return left
    if condition not in variables:
        name = str(condition)
        while name in rewriting.domains:
            name += "'"
        truth = variables[condition] = Variable(name)
        rewriting.domains[truth] = (0, 1)
        tags = {**condition.tags, "label": f"the truth of {condition}"}
        rewriting.add(Iff(Equality(truth, 1), condition, **tags), origins)
    return variables[condition]
