"""Writes syntax trees and models as text; a tree's text parses to an equal tree."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

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

from . import nodes
from .vocabulary import KEYWORDS, MAX_DIGITS, MAX_NUMBER, NAME, RESERVED, SYMBOL, TERM, TEXT, VARIABLE, is_name

COMPOUND, CONDITION, SUM, PRODUCT, SIGN, ATOM = range(6)
"""Precedence, from the lowest: compound conditions, other conditions, sums, products, signs, and all else."""

WIDTH = 100
"""Number of characters from which a line is broken."""

NEVER = "1 = 2"
"""A condition that never holds."""

WORD = re.compile(rf"""(?:{TEXT}|{SYMBOL}|[^\s"'])+""")
"""A text without line breaks."""


def write(node: nodes.Node) -> str:
    """Return the text of a syntax node in one line.

    Examples
    --------
    >>> at = nodes.Place(1, 1)
    >>> write(nodes.Param(at, "n", nodes.Operation(at, "-", nodes.Name(at, "m"), nodes.Constant(at, 1))))
    'param n = m - 1.'
    """
    texts: list[str] = []
    # Replace nodes by their pieces until only texts remain; an explicit stack has no depth limit.
    waiting: list[str | nodes.Node | _Joined] = [node]
    while waiting:
        piece = waiting.pop()
        if isinstance(piece, str):
            texts.append(piece)
        elif isinstance(piece, _Joined):
            waiting += reversed(list(_operation(piece.node, "")))
        else:
            waiting += reversed(list(_pieces(piece)))
    return "".join(texts)


def quoted_in_spec(value: Value, taken: Collection[str] = (), *, argument: bool = False) -> str:
    """Return the text of a value in a spec; a symbol is quoted if necessary.

    A symbol is quoted unless it is a plain name without another meaning. ``taken`` are the names of the spec. As an
    ``argument`` of a term, a keyword such as ``in`` needs no quotes.

    Examples
    --------
    >>> [quoted_in_spec(value, {"cell"}) for value in (3, "red", "Big Red", "mod", "cell", "don't")]
    ['3', 'red', "'Big Red'", "'mod'", "'cell'", "'don''t'"]
    """
    if isinstance(value, int):
        return str(value)
    if is_name(value) and value not in RESERVED and value not in taken and (argument or value not in KEYWORDS):
        return value
    return "'" + value.replace("'", "''") + "'"


class _Joined(NamedTuple):
    """An operation to be written without blanks, as in ranges and grid sizes."""

    node: nodes.Expr


Pieces = Iterator[str | nodes.Node | _Joined]


def _pieces(node: nodes.Node) -> Pieces:
    """Yield the parts of a node's text: strings, and nodes still to be written."""
    match node:
        case nodes.Include(_, name, is_file):
            yield 'include "' + name.replace('"', '""') + '".' if is_file else f"include {name}."
        case nodes.Param(_, name, value):
            yield from (f"param {name} = ", *_within(value, SUM), ".")
        case nodes.Grid(_, name, text, _, size):
            yield f"grid {name}"
            yield from ("(", *_without_blanks(size[0]), ", ", *_without_blanks(size[1]), ")") if size else ()
            yield "." if text is None else f' = "{text}".'
        case nodes.Show(_, items, body):
            yield from ("show ", *_with_body(items, body), ".")
        case nodes.Draw(_, item, body):
            yield from ("draw ", *_with_body([item], body), ".")
        case nodes.Shown(_, term, value):
            yield from (term, *((" = ", *_within(value, SUM)) if value else ()))
        case nodes.Objective(_, sense, expressions):
            yield from (f"{sense}(", *_list(expressions, SUM), ").")
        case nodes.Rule(_, label, head, body):
            yield f'"{label.value}": ' if label else ""
            yield from (head, *((" :- ", *_body(body)) if body else ()), ".")
        case nodes.Conjunction(_, parts):
            yield from ("(", *_list(parts, CONDITION), ")")
        case nodes.Disjunction(_, alternatives):
            yield from _list(alternatives, CONDITION, " ; ")
        case nodes.Implication(_, condition, consequence):
            consequence_least = COMPOUND if isinstance(consequence, nodes.Implication) else CONDITION
            yield from (*_within(condition, CONDITION), " -> ", *_within(consequence, consequence_least))
        case nodes.Equivalence(_, left, right):
            left_least, right_least = [
                COMPOUND if isinstance(side, nodes.Implication) else CONDITION for side in (left, right)
            ]
            yield from (*_within(left, left_least), " <-> ", *_within(right, right_least))
        case nodes.Negation(_, condition):
            yield from ("not ", *_within(condition, CONDITION))
        case nodes.Declaration(_, terms, domain):
            yield from (*_list(terms, SUM), " in ", domain)
        case nodes.Comparison(_, left, relation, right):
            yield from (*_within(left, SUM), f" {relation} ", *_within(right, SUM))
        case nodes.Fact(_, term):
            yield term
        case nodes.Union(_, (nodes.Comprehension(_, item, body),)) if isinstance(item, nodes.Expr):
            yield from ("{", *_with_body([item], body), "}")
        case nodes.Union(_, parts) if any(map(_is_gathered, parts)):
            yield from _list([nodes.Union(part.at, (part,)) for part in parts], SUM, " \\/ ")
        case nodes.Union(_, parts):
            ranges = parts and all(isinstance(part, nodes.Range) for part in parts)
            yield from _list(parts, SUM, " \\/ ") if ranges else ("{", *_list(parts, SUM), "}")
        case nodes.Range(_, low, high):
            yield from (*_without_blanks(low), "..", *_without_blanks(high))
        case nodes.Constant(_, value):
            yield str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
        case nodes.Name(_, name) | nodes.Logical(_, name):
            yield name
        case nodes.Call(_, name, arguments, body):
            yield from (f"{name}(", *_with_body(arguments, body), ")")
        case nodes.Listing(_, items, body):
            yield from ("[", *_with_body(items, body), "]")
        case nodes.Comprehension(_, item, body):
            yield from ("(", *_with_body([item], body), ")")
        case nodes.Operation():
            yield from _operation(node, " ")


def _is_gathered(part: nodes.Node) -> bool:
    """Return whether a part of a domain is a comprehension of an expression."""
    return isinstance(part, nodes.Comprehension) and isinstance(part.item, nodes.Expr)


def _list(nodes: Iterable[nodes.Node], least: int = COMPOUND, between: str = ", ") -> Pieces:
    """Yield the text parts of ``nodes``, separated by ``between``.

    A node whose precedence is below ``least`` is put in parentheses.
    """
    for number, node in enumerate(nodes):
        if number:
            yield between
        yield from _within(node, least)


def _body(conditions: Sequence[nodes.Condition]) -> Pieces:
    return _list(conditions, CONDITION if len(conditions) > 1 else COMPOUND)


def _with_body(items: Iterable[nodes.Node], body: Sequence[nodes.Condition] | None) -> Pieces:
    """Yield the text parts of ``items : body``; None means no body."""
    yield from _list(items)
    if body is not None:
        yield " : "
        yield from _body(body)


def _without_blanks(node: nodes.Node) -> Pieces:
    """Yield the parts of an expression whose operators outside parentheses have no blanks around them."""
    return iter([_Joined(node)]) if isinstance(node, nodes.Operation) else _within(node, SUM)


def _operation(node: nodes.Expr, blank: str) -> Pieces:
    """Yield the text parts of an arithmetic operation, with parentheses where necessary."""
    assert isinstance(node, nodes.Operation)
    precedence = _precedence(node)
    if precedence == SIGN:
        yield "-"
        yield from _operand(node.right, SIGN, blank)
        return
    between = " " if node.operator == "mod" else blank
    # Operators associate to the left, so the right operand must bind more closely.
    yield from _operand(node.left, precedence, blank)
    yield f"{between}{node.operator}{between}"
    yield from _operand(node.right, precedence + 1, blank)


def _operand(node: nodes.Expr, least: int, blank: str) -> Pieces:
    return _within(node, least) if blank or _precedence(node) < least else _without_blanks(node)


def _within(node: nodes.Node, least: int) -> Pieces:
    """Yield a node, in parentheses if its precedence is below ``least``."""
    if _precedence(node) < least:
        yield from ("(", node, ")")
    else:
        yield node


def _precedence(node: nodes.Node) -> int:
    """Return how closely a node binds, from ``COMPOUND`` (loosest) to ``ATOM``."""
    match node:
        case nodes.Disjunction() | nodes.Implication() | nodes.Equivalence():
            return COMPOUND
        case nodes.Declaration() | nodes.Comparison() | nodes.Negation():
            return CONDITION
        case nodes.Operation(_, "-", nodes.Constant(at, 0)) if at == node.at:
            return SIGN
        case nodes.Operation(_, "+" | "-"):
            return SUM
        case nodes.Operation():
            return PRODUCT
    return ATOM


def _model_text(model: Model) -> str:
    """Return a model's clauses: show, draw, domains, objective, facts, constraints."""
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
    """Return whether the language refuses a constraint of a model as one that never holds.

    Refused constraints are a given outside its domain, a given that contradicts an earlier one, and an all_different of
    more elements than values. A given is added to ``givens``.
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
    """Return one table constraint for each named relation that a model uses.

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
    """Break a clause into lines of about ``WIDTH`` characters, at blanks outside of quotes."""
    lines, line = [], ""
    for word in WORD.findall(clause):
        if line and len(line) + len(word) >= WIDTH:
            lines.append(line)
            line = "   "
        line += f" {word}" if line else word
    return "\n".join([*lines, line]) + "\n"


def _check(model: Model) -> None:
    """Raise a ``ModelError`` if the language cannot express some part of a model."""
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
    """Return the text of a spec that declares a model.

    Raises
    ------
    csp.ModelError
        If the language cannot express a part of it, such as a label with a line break.
    """
    _check(model)
    return _model_text(model)
