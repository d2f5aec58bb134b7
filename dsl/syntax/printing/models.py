"""Models to text."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any

from csp import (
    Affine,
    All,
    AllDifferent,
    Connected,
    Constraint,
    Domain,
    Iff,
    Member,
    Model,
    ModelError,
    Table,
    Value,
    Variable,
    show_domain,
)

from ..vocabulary import KEYWORDS, MAX_DIGITS, MAX_NUMBER, NAME, RESERVED, SYMBOL, TERM, TEXT, VARIABLE, is_name
from .write import quoted_in_spec

WIDTH = 100
NEVER = "1 = 2"
WORD = re.compile(rf"""(?:{TEXT}|{SYMBOL}|[^\s"'])+""")


def _write(model: Model) -> str:
    """The show clauses, declarations, the objective and constraints, one clause a paragraph."""
    domains, objective = model.domains, model.objective
    relations = _relations(model)
    quote = partial(
        quoted_in_spec, taken={variable.family for variable in domains} | {table.relation for table in relations}
    )
    clauses = [f"show {', '.join(model.show)}."] if model.show else []
    for is_conditional, entries in groupby(model.layout, lambda entry: entry.condition is not None):
        texts = [entry.text(quote) for entry in entries]
        clauses += [f"show {text}." for text in (texts if is_conditional else [", ".join(texts)])]
    clauses += [f"draw {entry.text(quote)}." for entry in model.drawn]
    for domain, variables in groupby(domains, lambda variable: domains[variable]):
        clauses.append(f"{', '.join(variables)} in {show_domain(domain, quote)}.")
    clauses += [f"{objective.text(quote)}."] if objective else []
    for table in relations:
        facts = table.rows or [(0,) * len(table.columns)]
        never = "" if table.rows else f" :- {NEVER}"
        clauses += [f"{replace(table, columns=row).text(quote)}{never}." for row in facts]
    givens: dict[Variable, Value] = {}
    for constraint in model.constraints:
        label = constraint.label.replace("{", "{{").replace("}", "}}").replace('"', '""')
        text = constraint.text(quote)
        if isinstance(constraint, Member) and constraint.expression.is_variable:
            text = f"sum({constraint.expression}) in {show_domain(constraint.values, quote)}"  # no declaration
        if not constraint.scope and domains and not constraint.check({}):
            text = f"sum({next(iter(domains))}) in {{}}"  # the language refuses what is false without any variable
        elif not constraint.scope or _is_hopeless(constraint, domains, givens):
            part = f"({text})" if isinstance(constraint, Iff) else text
            text = (
                f"{part} ; {NEVER}"  # what can never hold is refused where it stands alone, and a relation's row a fact
            )
        clauses.append(f'"{label}": {text}.' if label else f"{text}.")
    return "".join(map(_wrapped, clauses))


def _is_hopeless(constraint: Constraint, domains: Mapping[Variable, Domain], givens: dict[Variable, Value]) -> bool:
    """Whether a given contradicts the domain or an earlier given, or a group has more elements than values."""
    if constraint.given:
        variable, value = constraint.given
        return value not in domains[variable] or givens.setdefault(variable, value) != value
    match constraint:
        case All(constraints=parts):
            return any(_is_hopeless(part, domains, {}) for part in parts)
        case AllDifferent(elements) if all(element.is_unary for element in elements):
            values = {element.image(value) for element in elements for value in domains[element.variables[0]]}
            return len(values) < len(elements)
    return False


def _relations(model: Model) -> list[Table]:
    """A constraint for every relation that is asked for, with its rows."""
    found: dict[str, Table] = {}
    shown = [part for entry in (*model.layout, *model.drawn) for part in (*entry.indices, entry.value, entry.condition)]
    asked = [*model.constraints, *shown, *(model.objective.expressions if model.objective else [])]
    waiting: list[Any] = [part for part in asked if isinstance(part, Affine | Constraint)][::-1]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Connected):
            width = len(part.rows[0]) if part.rows else 2 * len(part.places[0][0])
            waiting.append(Table(part.relation, (0,) * width, part.rows))
        if isinstance(part, Table) and part.relation:
            known = found.setdefault(part.relation, part)
            if known.rows != part.rows or len(known.columns) != len(part.columns):
                raise ModelError(f"the language cannot write two relations named {part.relation}")
        waiting += (part.atoms if isinstance(part, Affine) else part.parts())[::-1]
    return list(found.values())


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
    words = {*KEYWORDS, *RESERVED, "_"}
    families = {variable.family for variable in model.domains}
    for variable in model.domains:
        if not re.fullmatch(TERM, variable) or variable.family in words or families & set(variable.indices):
            raise ModelError(f"the language cannot write a variable named {str(variable)!r}")
    texts = {value for domain in set(model.domains.values()) for value in domain if isinstance(value, str)}
    numbers = {value for domain in set(model.domains.values()) for value in domain if isinstance(value, int)}
    if numbers and max(map(abs, numbers)) > MAX_NUMBER:
        raise ModelError(f"the language cannot write numbers of more than {MAX_DIGITS} digits")
    for text in texts | {constraint.label for constraint in model.constraints}:
        if "\n" in text:
            raise ModelError(f"the language cannot write {text!r}, which has a line break")
    for constraint in model.constraints:
        if isinstance(constraint, Table) and not constraint.scope:
            raise ModelError(f"the language cannot write {constraint}")
    for table in _relations(model):
        if not is_name(table.relation) or table.relation in words | families:
            raise ModelError(f"the language cannot write a relation named {table.relation!r}")
    for family in model.show:
        if not re.fullmatch(f"{NAME}|{VARIABLE}", family):
            raise ModelError(f"the language cannot show {family!r} alone")


def written(model: Model) -> str:
    """The model as a spec, as far as the language has words for it.

    Raises
    ------
    csp.ModelError
        If it has none: for a variable that is no term, or a label of several lines.
    """
    _check(model)
    return _write(model)
