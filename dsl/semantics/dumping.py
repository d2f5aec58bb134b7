"""Models to texts, which are read again and compared before anybody gets them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from math import prod
from random import Random

from csp import Affine, Constraint, Domain, Member, Model, ModelError, Objective, Value, Variable

from ..syntax.errors import SpecError
from ..syntax.printing.models import write_model
from .load import loads

ASSIGNMENTS = 1000
"""By how many assignments constraints are compared that say the same in two ways."""


def dumps(model: Model) -> str:
    """The model as a spec, which reads back as an equal model.

    A model made in Python can have constraints in a form that the language has another for, such as an Either of one
    alternative; they are read back in the language's form, which means the same: what they allow is compared, by 1,000
    assignments where there are more.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str
        Read again and compared before it is returned: a model made in Python can say what the language cannot.

    Raises
    ------
    csp.ModelError
        If the language has no words for it: a variable that is no term, a label of several lines, a division by the
        number 0.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> print(dumps(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC", label="row")])), end="")
    A, B, C in 1..3.
    "row": all_different([A, B, C]).
    """
    text = write_model(model)
    try:
        again = loads(text)
    except SpecError as error:
        raise ModelError(f"the language cannot write this model: {error.diagnostics[0].message}") from None
    if again != model and not _means_the_same(again, model):
        raise ModelError("the language cannot write this model")
    return text


def _means_the_same(again: Model, model: Model) -> bool:
    """Whether two models are equal but for constraints that allow the same, and objectives of the same worth."""
    parts = [
        (one.domains, one.show, one.objective and one.objective.sense, one.layout, one.drawn) for one in (again, model)
    ]
    if parts[0] != parts[1]:
        return False
    common = {*again.constraints} & {*model.constraints}
    mine, others = ([one for one in of.constraints if one not in common] for of in (model, again))
    best = [of.objective for of in (model, again) if of.objective and model.objective != again.objective]
    scopes = [*[one.scope for one in (*mine, *others)], *[one.expression.variables for one in best]]
    scope = list(dict.fromkeys(variable for own in scopes for variable in own))
    return all(
        all(one.check(values) for one in mine) == all(one.check(values) for one in others)
        and len({_worth(one, values) for one in best}) < 2
        for values in _assignments({variable: model.domains[variable] for variable in scope})
    )


def _worth(objective: Objective, values: Mapping[str, Value]) -> int | None:
    try:
        return objective.value(values)
    except ZeroDivisionError:
        return None


def _assignments(domains: Mapping[Variable, Domain]) -> Iterator[Mapping[str, Value]]:
    """All assignments, or where they are many some that are drawn, the same ones each time."""
    rows: Iterable[tuple[Value, ...]] = product(*domains.values())
    if prod(map(len, domains.values())) > ASSIGNMENTS:
        random = Random(0)
        rows = (tuple(map(random.choice, domains.values())) for _ in range(ASSIGNMENTS))
    return (dict(zip(domains, row, strict=True)) for row in rows)


def _has_a_say(constraint: Constraint, domains: Mapping[Variable, Domain]) -> bool:
    """Whether a constraint may rule out something that the domains leave."""
    match constraint.scope:
        case (variable,):
            return not all(constraint.check({variable: value}) for value in domains[variable])
        case scope:
            fixed: dict[str, Value] = {
                variable: domains[variable][0] for variable in scope if len(domains[variable]) == 1
            }
            return len(fixed) < len(scope) or not constraint.check(fixed)


def residual(model: Model, domains: Mapping[Variable, Domain]) -> str:
    """What propagation leaves, as a spec: the narrowed domains, and the constraints that still have a say.

    Parameters
    ----------
    model : Model
    domains : mapping from Variable to tuple
        What is left of every domain. Where nothing is, the domain of the model is written, and ``sum(A) in {}.``

    Returns
    -------
    str
        Read again and compared, as by ``dumps``.

    Raises
    ------
    csp.ModelError
        If the language has no words for it.

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
    left = [c for c in model.constraints if _has_a_say(c, domains)]
    emptied = [Member(Affine.variable(variable), ()) for variable, domain in domains.items() if not domain]
    kept = {variable: domain or model.domains[variable] for variable, domain in domains.items()}
    text = dumps(Model(kept, [*left, *emptied], model.show, model.objective, model.layout, model.drawn))
    return f"% {fixed} of {len(domains)} variables fixed\n{text}"
