"""Writes models as specs, and checks each spec by reading it back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod
from random import Random

from csp import Affine, Constraint, Domain, Member, Model, ModelError, Objective, Value, Variable

from ..syntax.errors import SpecError
from ..syntax.write import write_model
from .load import loads

ASSIGNMENTS = 1000
"""Maximum number of assignments by which constraints of different forms are compared; beyond it, a sample is drawn."""


def dumps(model: Model) -> str:
    """Return a spec of a model that reads back as an equal or equivalent model.

    Some constraints of Python have another form in the language, such as an Either of one alternative. They are read
    back in that form; the two forms are compared on all assignments, or on a sample of 1,000.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str
        The spec. It is read again and compared before it is returned, as the language cannot express every model.

    Raises
    ------
    csp.ModelError
        If the language cannot express the model: a variable that is not a term, a label of several lines, a division by
        the number 0.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> print(dumps(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC", label="row")])), end="")
    A, B, C in 1..3.
    "row": all_different([A, B, C]).
    """
    text = write_model(model)
    try:
        reread = loads(text)
    except SpecError as error:
        raise ModelError(f"the language cannot write this model: {error.diagnostics[0].message}") from None
    # A constraint can read back in another form; then compare the meanings.
    if reread != model and not _means_the_same(reread, model):
        raise ModelError("the language cannot write this model")
    return text


def _means_the_same(reread: Model, model: Model) -> bool:
    """Return whether two models are equal up to equivalent constraints and objectives.

    Constraints and objectives are compared on all assignments, or on a sample of ``ASSIGNMENTS``.
    """
    parts = [(m.domains, m.show, m.objective and m.objective.sense, m.layout, m.drawn) for m in (reread, model)]
    # All parts except constraints and objectives must be equal.
    if parts[0] != parts[1]:
        return False
    # Compare the remaining constraints and objectives on assignments.
    common = {*reread.constraints} & {*model.constraints}
    constraints, reread_constraints = ([c for c in m.constraints if c not in common] for m in (model, reread))
    objectives = [m.objective for m in (model, reread) if m.objective and model.objective != reread.objective]
    scopes = [*[c.scope for c in (*constraints, *reread_constraints)], *[o.expression.variables for o in objectives]]
    scope = list(dict.fromkeys(variable for item_scope in scopes for variable in item_scope))
    return all(
        all(constraint.check(values) for constraint in constraints)
        == all(constraint.check(values) for constraint in reread_constraints)
        and len({_objective_value(objective, values) for objective in objectives}) < 2
        for values in _assignments({variable: model.domains[variable] for variable in scope})
    )


def _objective_value(objective: Objective, values: Mapping[str, Value]) -> int | None:
    """Return the value of an objective under an assignment; None if undefined."""
    try:
        return objective.value(values)
    except ZeroDivisionError:
        return None


def _assignments(domains: Mapping[Variable, Domain]) -> Iterator[Mapping[str, Value]]:
    """Return an iterator over all assignments, or ``ASSIGNMENTS`` random ones if there are more.

    The random ones are the same in each call.
    """
    rows: Iterable[tuple[Value, ...]] = product(*domains.values())
    # The seed is fixed, so that output is deterministic.
    if prod(map(len, domains.values())) > ASSIGNMENTS:
        random = Random(0)
        rows = (tuple(map(random.choice, domains.values())) for _ in range(ASSIGNMENTS))
    return (dict(zip(domains, row, strict=True)) for row in rows)


def _excludes_something(constraint: Constraint, domains: Mapping[Variable, Domain]) -> bool:
    """Return whether a constraint can still exclude an assignment within ``domains``.

    False is certain. For a constraint on several variables, True means that some are unfixed or that it is violated.
    """
    match constraint.scope:
        case (variable,):
            return not all(constraint.check({variable: value}) for value in domains[variable])
        case scope:
            fixed: dict[str, Value] = {
                variable: domains[variable][0] for variable in scope if len(domains[variable]) == 1
            }
            return len(fixed) < len(scope) or not constraint.check(fixed)


def residual(model: Model, domains: Mapping[Variable, Domain]) -> str:
    """Return a spec of the problem after propagation: narrowed domains, undecided constraints.

    Parameters
    ----------
    model : Model
    domains : mapping from Variable to tuple
        The remaining domains. For an empty one, the spec has the domain of the model, and ``sum(A) in {}.``

    Returns
    -------
    str
        The spec, read again and compared as by ``dumps``.

    Raises
    ------
    csp.ModelError
        If the language cannot express the model.

    Examples
    --------
    >>> from csp import AllDifferent, propagate
    >>> model = Model({"A": (1,), "B": (1, 2, 3), "C": (1, 2, 3)}, [AllDifferent.of("ABC")])
    >>> print(residual(model, propagate(model).domains), end="")
    % 1 of 3 variables fixed
    A in {1}.
    B, C in {2, 3}.
    all_different([A, B, C]).
    """
    fixed = sum(len(domain) == 1 for domain in domains.values())
    active = [constraint for constraint in model.constraints if _excludes_something(constraint, domains)]
    # A domain cannot be empty in a spec, so a constraint without a solution represents it.
    emptied = [Member(Affine.variable(variable), ()) for variable, domain in domains.items() if not domain]
    remaining = {variable: domain or model.domains[variable] for variable, domain in domains.items()}
    text = dumps(Model(remaining, [*active, *emptied], model.show, model.objective, model.layout, model.drawn))
    return f"% {fixed} of {len(domains)} variables fixed\n{text}"
