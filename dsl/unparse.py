"""A model back to text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import groupby
from textwrap import fill

from csp import Constraint, Model, Value, Variable
from csp.model import Domain


def show_domain(domain: Domain) -> str:
    """A domain as the language writes it.

    Examples
    --------
    >>> show_domain((1, 2, 3)), show_domain((1, 3)), show_domain((1, 2, 3, 7, "red"))
    ('1..3', '{1, 3}', '{1..3, 7, red}')
    """
    parts: list[str] = []
    numbers = [value for value in domain if isinstance(value, int)]
    for _, run in groupby(enumerate(numbers), lambda pair: pair[1] - pair[0]):
        values = [value for _, value in run]
        parts += [f"{values[0]}..{values[-1]}"] if len(values) > 2 else map(str, values)
    parts += [quoted(value) for value in domain if isinstance(value, str)]
    return parts[0] if len(parts) == 1 and ".." in parts[0] else f"{{{', '.join(parts)}}}"


def quoted(value: Value) -> str:
    """A value as the language writes it."""
    return str(value) if isinstance(value, int) or re.fullmatch("[a-z][A-Za-z0-9_]*", value) else f"'{value}'"


def write(
    domains: Mapping[Variable, Domain], constraints: Iterable[Constraint] = (), show: Iterable[str] = ()
) -> str:
    """Declarations, constraints and the show clause, one clause a paragraph."""
    clauses = [f"show {', '.join(show)}."] if show else []
    for domain, variables in groupby(domains, lambda variable: domains[variable]):
        clauses.append(f"{', '.join(variables)} in {show_domain(domain)}.")
    for constraint in constraints:
        label = constraint.label.replace("{", "{{").replace("}", "}}")
        clauses.append(f'"{label}": {constraint}.' if label else f"{constraint}.")
    return "".join(fill(c, 100, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False) + "\n" for c in clauses)


def dumps(model: Model) -> str:
    """The model as a spec, which reads back as an equal model.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str

    Examples
    --------
    >>> from csp import AllDifferent
    >>> print(dumps(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC", label="row")])), end="")
    A, B, C in 1..3.
    "row": all_different([A, B, C]).
    """
    return write(model.domains, model.constraints, model.show)


def residual(model: Model, domains: Mapping[Variable, Domain]) -> str:
    """What propagation leaves, as a spec: the narrowed domains, and the constraints that still have a say.

    Parameters
    ----------
    model : Model
    domains : mapping from Variable to tuple
        What is left of every domain.

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
    left = [c for c in model.constraints if len(c.scope) > 1 and any(len(domains[v]) > 1 for v in c.scope)]
    return f"% {fixed} of {len(domains)} variables fixed\n" + write(domains, left, model.show)
