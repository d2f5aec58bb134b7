"""A model back to text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby

from csp import Constraint, Equality, Model, ModelError, Value, Variable
from csp.model import Domain

from .explain import WORDS
from .expressions import MAX_NUMBER, RESERVED

WIDTH = 100
NAME = "[A-Za-z_][A-Za-z0-9_]*"
INDEX = r"(?:-?[0-9]{1,18}|[a-z][A-Za-z0-9_]*|'(?:[^'\n]|'')*')"
TERM = re.compile(rf"{NAME}|[a-z][A-Za-z0-9_]*\({INDEX}(?:,{INDEX})*\)")
WORD = re.compile(r"""(?:"(?:[^"]|"")*"|'(?:[^']|'')*'|[^\s"'])+""")


def show_domain(domain: Domain, taken: Collection[str] = ()) -> str:
    """A domain as the language writes it; see ``quoted``.

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
    parts += [quoted(value, taken) for value in domain if isinstance(value, str)]
    return parts[0] if len(parts) == 1 and len(numbers) > 2 else f"{{{', '.join(parts)}}}"


def quoted(value: Value, taken: Collection[str] = (), *, argument: bool = False) -> str:
    """A value as the language writes it: a symbol that is no lowercase word, or means something else, in quotes.

    As an argument of a term, a word of the language such as ``in`` is a symbol too.

    Examples
    --------
    >>> [quoted(value, {"cell"}) for value in (3, "red", "Big Red", "mod", "cell", "don't")]
    ['3', 'red', "'Big Red'", "'mod'", "'cell'", "'don''t'"]
    """
    if isinstance(value, int):
        return str(value)
    if re.fullmatch("[a-z][A-Za-z0-9_]*", value) and value not in {*RESERVED, *taken, *(() if argument else WORDS)}:
        return value
    return "'" + value.replace("'", "''") + "'"


def write(
    domains: Mapping[Variable, Domain], constraints: Iterable[Constraint] = (), show: Iterable[str] = ()
) -> str:
    """The show clause, declarations and constraints, one clause a paragraph."""
    families = {variable.family for variable in domains}
    clauses = [f"show {', '.join(show)}."] if show else []
    for domain, variables in groupby(domains, lambda variable: domains[variable]):
        clauses.append(f"{', '.join(variables)} in {show_domain(domain, families)}.")
    for constraint in constraints:
        label = constraint.label.replace("{", "{{").replace("}", "}}").replace('"', '""')
        text = _text(constraint, families)
        clauses.append(f'"{label}": {text}.' if label else f"{text}.")
    return "".join(map(_wrapped, clauses))


def _text(constraint: Constraint, families: Collection[str]) -> str:
    match constraint:
        case Equality(left, right, equal) if not isinstance(right, Variable):
            return f"{left} {'=' if equal else '!='} {quoted(right, families)}"
    return str(constraint)


def _wrapped(clause: str) -> str:
    """The clause in lines of some length, broken between words and never inside quotes."""
    lines, line = [], ""
    for word in WORD.findall(clause):
        if line and len(line) + len(word) >= WIDTH:
            lines.append(line)
            line = "   "
        line += f" {word}" if line else word
    return "\n".join([*lines, line]) + "\n"


def _check(model: Model) -> None:
    """Refuse what the language has no words for."""
    words = {*WORDS, *RESERVED, "_"}
    families = {variable.family for variable in model.domains}
    for variable in model.domains:
        if not TERM.fullmatch(variable) or variable.family in words or families & set(variable.indices):
            raise ModelError(f"the language cannot write a variable named {str(variable)!r}")
    texts = {value for domain in set(model.domains.values()) for value in domain if isinstance(value, str)}
    numbers = {value for domain in set(model.domains.values()) for value in domain if isinstance(value, int)}
    if numbers and max(map(abs, numbers)) > MAX_NUMBER:
        raise ModelError("the language cannot write numbers of more than 18 digits")
    for text in texts | {constraint.label for constraint in model.constraints}:
        if "\n" in text:
            raise ModelError(f"the language cannot write {text!r}, which has a line break")
    for family in model.show:
        if not re.fullmatch(NAME, family):
            raise ModelError(f"the language cannot show {family!r} alone")


def dumps(model: Model) -> str:
    """The model as a spec, which reads back as an equal model.

    Parameters
    ----------
    model : Model

    Returns
    -------
    str

    Raises
    ------
    csp.ModelError
        If the language has no words for it: a variable that is no term, a label of several lines.

    Examples
    --------
    >>> from csp import AllDifferent
    >>> print(dumps(Model({v: range(1, 4) for v in "ABC"}, [AllDifferent.of("ABC", label="row")])), end="")
    A, B, C in 1..3.
    "row": all_different([A, B, C]).
    """
    _check(model)
    return write(model.domains, model.constraints, model.show)


def residual(model: Model, domains: Mapping[Variable, Domain]) -> str:
    """What propagation leaves, as a spec: the narrowed domains, and the constraints that still have a say.

    Parameters
    ----------
    model : Model
    domains : mapping from Variable to tuple
        What is left of every domain.

    Returns
    -------
    str

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
