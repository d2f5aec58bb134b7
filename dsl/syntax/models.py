"""Writes the clauses of a model as the text of a spec."""

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

from .vocabulary import KEYWORDS, MAX_DIGITS, MAX_NUMBER, NAME, RESERVED, SYMBOL, TERM, TEXT, VARIABLE, is_name
from .write import quoted_in_spec

WIDTH = 100
"""Number of characters from which a line is broken."""

NEVER = "1 = 2"
"""A condition that never holds."""

WORD = re.compile(rf"""(?:{TEXT}|{SYMBOL}|[^\s"'])+""")
"""A piece of text in which no line may be broken."""


def _write(model: Model) -> str:
    """Write a model's clauses in order: show, draw, domains, objective, facts, constraints."""
    domains, objective = model.domains, model.objective
    relations = _relations(model)
    quote = partial(
        quoted_in_spec, taken={variable.family for variable in domains} | {table.relation for table in relations}
    )
    # The body of a show clause belongs to its last item, so a conditional entry has a clause of its own.
    clauses = [f"show {', '.join(model.show)}."] if model.show else []
    for is_conditional, entries in groupby(model.layout, lambda entry: entry.condition is not None):
        texts = [entry.text(quote) for entry in entries]
        clauses += [f"show {text}." for text in (texts if is_conditional else [", ".join(texts)])]
    clauses += [f"draw {entry.text(quote)}." for entry in model.drawn]
    # Declare neighbouring variables with equal domains together.
    for domain, variables in groupby(domains, lambda variable: domains[variable]):
        clauses.append(f"{', '.join(variables)} in {show_domain(domain, quote)}.")
    clauses += [f"{objective.text(quote)}."] if objective else []
    # A relation without rows is declared by a fact whose body never holds.
    for table in relations:
        facts = table.rows or [(0,) * len(table.columns)]
        never = "" if table.rows else f" :- {NEVER}"
        clauses += [f"{replace(table, columns=row).text(quote)}{never}." for row in facts]
    givens: dict[Variable, Value] = {}
    for constraint in model.constraints:
        label = constraint.label.replace("{", "{{").replace("}", "}}").replace('"', '""')
        text = constraint.text(quote)
        if isinstance(constraint, Member) and constraint.expression.is_variable:
            # "A in {1, 2}" would declare the variable a second time.
            text = f"sum({constraint.expression}) in {show_domain(constraint.values, quote)}"
        if not constraint.scope and domains and not constraint.check({}):
            # A false condition without variables is an error in the language.
            text = f"sum({next(iter(domains))}) in {{}}"
        elif not constraint.scope or _is_hopeless(constraint, domains, givens):
            # A condition that can never hold is an error if it is a clause, and a row of a relation would be a fact.
            part = f"({text})" if isinstance(constraint, Iff) else text
            text = f"{part} ; {NEVER}"
        clauses.append(f'"{label}": {text}.' if label else f"{text}.")
    return "".join(map(_wrap, clauses))


def _is_hopeless(constraint: Constraint, domains: Mapping[Variable, Domain], givens: dict[Variable, Value]) -> bool:
    """Return whether the language refuses a constraint because it can never hold.

    Refused constraints are a given outside its domain, a given that contradicts an earlier one, and an all_different
    of more elements than values.
    """
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
    """Return one table constraint for each relation that a model uses.

    Raises
    ------
    csp.ModelError
        If two relations have the same name.
    """
    tables: dict[str, Table] = {}
    entries = [
        part for entry in (*model.layout, *model.drawn) for part in (*entry.indices, entry.value, entry.condition)
    ]
    roots = [*model.constraints, *entries, *(model.objective.expressions if model.objective else [])]
    # Visit the parts of all constraints and expressions, depth first.
    waiting: list[Any] = [part for part in roots if isinstance(part, Affine | Constraint)][::-1]
    while waiting:
        part = waiting.pop()
        if isinstance(part, Connected):
            width = len(part.rows[0]) if part.rows else 2 * len(part.places[0][0])
            waiting.append(Table(part.relation, (0,) * width, part.rows))
        if isinstance(part, Table) and part.relation:
            first = tables.setdefault(part.relation, part)
            if first.rows != part.rows or len(first.columns) != len(part.columns):
                raise ModelError(f"the language cannot write two relations named {part.relation}")
        waiting += (part.atoms if isinstance(part, Affine) else part.parts())[::-1]
    return list(tables.values())


def _wrap(clause: str) -> str:
    """Break a clause into lines of ``WIDTH``, between words and never inside quotes."""
    lines, line = [], ""
    for word in WORD.findall(clause):
        if line and len(line) + len(word) >= WIDTH:
            lines.append(line)
            line = "   "
        line += f" {word}" if line else word
    return "\n".join([*lines, line]) + "\n"


def _check(model: Model) -> None:
    """Raise an error if the language cannot express some part of a model."""
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


def write_model(model: Model) -> str:
    """Write a model as a spec.

    Raises
    ------
    csp.ModelError
        If the language cannot express a part of it, such as a label with a line break.
    """
    _check(model)
    return _write(model)
