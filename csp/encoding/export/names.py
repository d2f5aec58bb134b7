"""Names and numbers that other languages accept for variables and values."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from ...base.notation import visible
from ...model import (
    Affine,
    Atom,
    Circuit,
    Constraint,
    Domain,
    Equality,
    Member,
    Model,
    Operation,
    Table,
    Value,
    Variable,
)
from ...model.bounds import bounds
from ...model.variable import Interval
from ..shape import ENCODED_KINDS

Subterm = Constraint | Affine
"""A part of a constraint or an objective."""


def identifiers(
    variables: Iterable[Variable], reserved: Collection[str] = (), *, capital: bool = False
) -> dict[Variable, str]:
    """Return for each variable a different name of letters, digits and underscores.

    ``reserved``: names that mean something else; ``capital``: whether a name must begin in uppercase.

    Examples
    --------
    >>> variables = [Variable("cell", 1, 3), Variable("x", -1), Variable("var"), Variable("x m1")]
    >>> list(identifiers(variables, {"var"}).values())
    ['cell_1_3', 'x_m1', 'var_2', 'x_m1_2']
    """
    used = set(reserved)
    names = {}
    for variable in variables:
        plain = re.sub("[^A-Za-z0-9]+", "_", re.sub("-(?=[0-9])", "m", variable)).strip("_")
        plain = plain if plain[:1].isalpha() else f"v{plain}"
        name = plain = plain[0].upper() + plain[1:] if capital else plain
        number = 1
        while name in used:
            number += 1
            name = f"{plain}_{number}"
        used.add(name)
        names[variable] = name
    return names


def one_line(text: str) -> str:
    """Return a text in one line of printable characters, for a comment.

    Examples
    --------
    >>> one_line(" row" + chr(10) + "1 ")
    'row 1'
    """
    return visible(" ".join(text.split()))


def title(constraint: Constraint) -> str:
    """Return the label of a constraint, or its text without a label, in one line."""
    return one_line(constraint.name)


def parts(whole: Subterm) -> Iterator[Subterm]:
    """Yield a constraint, expression or atom, and all parts inside it, recursively.

    Constraints and atoms that encoders do not know are followed by the parts of their decompositions.

    Examples
    --------
    >>> from csp import Increasing, apply
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> [str(part) for part in parts(Member(apply("abs", [x - 1]), (2,)))]
    ['abs(x - 1) in {2}', 'abs(x - 1)', 'x - 1']
    >>> [str(part) for part in parts(Increasing((x, y)))]
    ['increasing([x, y])', 'x <= y', 'x', 'y']
    """
    stack: list[Any] = [whole]
    # Decompositions share many parts; each is visited once.
    seen: set[Constraint | Atom] = set()
    while stack:
        part = stack.pop()
        yield part
        if isinstance(part, Constraint):
            if isinstance(part, ENCODED_KINDS):
                stack += part.parts()[::-1]
            elif part not in seen:
                seen.add(part)
                stack += part.decompose()[::-1]
            continue
        for atom in reversed(part.atoms):
            if atom not in seen:
                seen.add(atom)
                stack += atom.parts()[::-1] if isinstance(atom, Operation) else [atom.decompose()]


def span(expression: Affine, domains: Mapping[Variable, Domain]) -> Interval | None:
    """Return the bounds of an expression; None if it can have no value."""
    try:
        return bounds(expression, domains)
    except ZeroDivisionError:
        return None


def integers(model: Model) -> dict[Variable, Domain]:
    """Return for each variable the integers in its domain; (0,) if there are none.

    Nothing can be computed with a domain of symbols, so that any number will do.

    Examples
    --------
    >>> integers(Model({"A": ("red", "green"), "B": (7, "red")}))
    {'A': (0,), 'B': (7,)}
    """
    numbers_of = {
        domain: tuple(v for v in domain if isinstance(v, int)) for domain in dict.fromkeys(model.domains.values())
    }
    return {variable: numbers_of[domain] or (0,) for variable, domain in model.domains.items()}


def all_parts(model: Model) -> Iterator[Subterm]:
    """Yield each constraint and objective of a model, and all expressions and constraints in it."""
    for constraint in model.constraints:
        yield from parts(constraint)
    for expression in model.objective.expressions if model.objective else ():
        yield from parts(expression)


def all_values(model: Model) -> dict[Value, None]:
    """Return the different values in the domains, the constraints and the objective of a model."""
    values: dict[Value, None] = {value: None for domain in dict.fromkeys(model.domains.values()) for value in domain}
    for part in all_parts(model):
        match part:
            case Equality(right=value) if not isinstance(value, Variable):
                values[value] = None
            case Member():
                values.update(dict.fromkeys(part.values))
            case Circuit():
                values.update(dict.fromkeys(range(1, len(part.elements) + 1)))
            case Table():
                values.update(dict.fromkeys(value for row in part.rows for value in row))
                values.update(dict.fromkeys(value for value in part.columns if not isinstance(value, Affine)))
    return values


def symbol_numbers(model: Model) -> dict[str, int]:
    """Return for each symbol a distinct number, greater than all other numbers of the model.

    Examples
    --------
    >>> symbol_numbers(Model({"A": ("red", "green"), "B": (7, "red")}))
    {'red': 8, 'green': 9}
    """
    values = all_values(model)
    expressions = dict.fromkeys(p for p in all_parts(model) if isinstance(p, Affine) and not p.is_variable)
    symbols = [value for value in values if isinstance(value, str)]
    if not symbols:
        return {}
    greatest = max([0, *(value for value in values if isinstance(value, int))])
    domains = integers(model)
    greatest = max([greatest, *(interval[1] for expression in expressions if (interval := span(expression, domains)))])
    return {symbol: greatest + index for index, symbol in enumerate(symbols, 1)}


def plain_rows(table: Table, model: Model) -> list[tuple[Value, ...]] | None:
    """Return a table's possible rows with one column for each variable, or None.

    The result is None if a column is neither a value nor a multiple of one variable plus a number.

    Examples
    --------
    >>> x, y = Affine.variable("x"), Affine.variable("y")
    >>> table = Table("r", (x + 1, y, y, 7), ((2, 1, 1, 7), (3, 1, 2, 7), (3, 3, 3, 7), (2, 2, 2, 8)))
    >>> plain_rows(table, Model({"x": (1, 2), "y": (1, 2, 3)}, [table]))
    [(1, 1), (2, 3)]
    """
    sources: list[dict[Value, tuple[str, Value]]] = []
    for column in table.columns:
        if not isinstance(column, Affine):
            sources.append({column: ("", column)})
        elif column.is_unary:
            (variable,) = column.variables
            sources.append({column.image(value): (variable, value) for value in model.domains[variable]})
        else:
            return None
    # A row is possible if each value has a source, and columns of one variable agree.
    rows: dict[tuple[Value, ...], None] = {}
    for row in table.rows:
        pairs = [source.get(value) for source, value in zip(sources, row, strict=True)]
        values = dict(pair for pair in pairs if pair)
        if all(pair and (not pair[0] or values[pair[0]] == pair[1]) for pair in pairs):
            rows[tuple([values[variable] for variable in table.scope])] = None
    return list(rows)
