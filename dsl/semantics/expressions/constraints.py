"""Makes constraints from values of expressions: comparisons, memberships, and logical combinations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TypedDict

from csp import (
    Affine,
    All,
    Atom,
    Comparison,
    Constraint,
    Domain,
    Either,
    Equality,
    Iff,
    Linear,
    Member,
    Table,
    Value,
    negated,
    ordered,
    show_domain,
)

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Outside, Suggestion, nested_too_deeply, suggest_name
from ...syntax.write import quoted_in_spec, write
from .arithmetic import as_affine, compare_values, numeric_variables
from .names import Env, Names, Relation, Term


class Tags(TypedDict, total=False):
    """The label of a clause and its place, which its constraints keep."""

    label: str
    line: int
    file: str


Make = Callable[[Env, Tags], Constraint | bool]
"""A compiled condition: a function from an environment and tags to a constraint or a truth value."""


def brief(domain: Domain) -> str:
    """Return a domain as text for a message, cut off after 80 characters."""
    text = show_domain(domain, quoted_in_spec)
    return text if len(text) <= 80 else f"{text[:80]}..."


def check_numbers(expression: Affine, node: nodes.Argument, names: Names, lacking: str = "arithmetic") -> None:
    """Raise an error if an expression calculates with a variable that can be a symbol.

    ``lacking`` is the operation that the message names.
    """
    for variable in numeric_variables(expression):
        symbol = names.domains[variable][-1]
        if isinstance(symbol, str):
            message = f"{lacking} needs numbers, and {variable} can be the symbol {symbol}"
            raise Diagnostic("symbol-not-number", message, node.at)


def check_element(element: Term, node: nodes.Argument, names: Names) -> None:
    """Raise an error if an element calculates with symbols.

    A variable alone may be a symbol.
    """
    if isinstance(element, Affine) and not element.is_variable:
        check_numbers(element, node, names)


def compare_terms(
    left: Term, right: Term, node: nodes.Comparison, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """Return the constraint that compares two terms; for two values, a bool.

    If ``given``, a value outside the domain of a variable is an error.
    """
    if not isinstance(left, Affine) and not isinstance(right, Affine):
        return compare_values(left, right, node)
    simple = _is_simple(left) and _is_simple(right)
    # A variable alone can equal a symbol; all other comparisons are arithmetic.
    if node.relation in ("=", "!=") and simple:
        if not isinstance(left, Affine):
            return _make_equality(right, left, node, node.left, names, given, tags)
        return _make_equality(left, right, node, node.right, names, given, tags)
    # All other comparisons need numbers.
    lacking = node.relation if simple else "arithmetic"
    try:
        sides = [as_number(side, at, names, lacking) for side, at in ((left, node.left), (right, node.right))]
    except Diagnostic as diagnostic:
        diagnostic.hint = diagnostic.hint or (_advise_facts(left, right, node, names) if simple else "")
        raise
    kind = Linear if all(side.is_linear for side in sides) else Comparison
    return kind(sides[0], node.relation, sides[1], **tags)


def _advise_facts(left: Term, right: Term, node: nodes.Comparison, names: Names) -> str:
    """Return the hint for an order of symbols: facts that list the allowed pairs."""
    symbols = [
        value
        for side in (left, right)
        for value in (names.domains[side.variables[0]] if isinstance(side, Affine) else (side,))
        if isinstance(value, str)
    ]
    pair = ", ".join(quoted_in_spec(value, argument=True) for value in [*dict.fromkeys(symbols), "other"][:2])
    use = f"next({write(node.left)}, {write(node.right)})"
    return f"use numbers, or list the allowed pairs as facts, next({pair}). and then require {use}."


def as_number(side: Term, node: nodes.Argument, names: Names, lacking: str) -> Affine:
    """Convert a value to an expression; refuse symbols, and variables that can be symbols."""
    if isinstance(side, str):
        hint = f"write {side.upper()}: names of variables begin with a capital letter" if len(side) == 1 else ""
        raise Diagnostic("symbol-not-number", f"{lacking} needs numbers, and {side} is a symbol", node.at, hint)
    expression = as_affine(side)
    check_numbers(expression, node, names, lacking)
    return expression


def _is_simple(side: Term) -> bool:
    """Return whether a term is a known value or a single variable."""
    return not isinstance(side, Affine) or side.is_variable


def _make_equality(
    left: Term,
    right: Term,
    comparison: nodes.Comparison,
    node: nodes.Argument,
    names: Names,
    given: bool,
    tags: Tags,
) -> Constraint:
    """Make the constraint that a variable equals a value or variable, or differs from it.

    Without tags, that is inside other constraints, equal constraints of this kind are one object. If ``given``, a value
    outside the domain is an error.
    """
    assert isinstance(left, Affine)
    (variable,) = left.variables
    domain = names.domains[variable]
    if given and comparison.relation == "=" and not isinstance(right, Affine) and right not in domain:
        cased = [str(right).upper(), str(right).capitalize()]
        hint = next((Suggestion(f"did you mean {name}?", name) for name in cased if name in names.families), "")
        hint = hint or (suggest_name(right, [*names.params, *domain[-100:]]) if isinstance(right, str) else "")
        hint = hint or f"write a value of {brief(domain)}, or declare {variable} with a larger domain"
        raise Outside(
            "outside-domain",
            f"{variable} = {right} is outside its domain {brief(domain)}",
            node.at if isinstance(node, nodes.Constant | nodes.Name) else comparison.at,
            hint,
            value=right,
        )
    arguments = variable, right.variables[0] if isinstance(right, Affine) else right, comparison.relation == "="
    if tags:
        return Equality(*arguments, **tags)
    # Inside another constraint, equal equalities are one object.
    key = *arguments, isinstance(right, Affine)  # a symbol may have the name of a variable
    if key not in names.shared_equalities:
        names.shared_equalities[key] = Equality(*arguments)
    return names.shared_equalities[key]


def make_member(
    value: Term, values: Sequence[Value], node: nodes.Argument, names: Names, tags: Tags
) -> Constraint | bool:
    """Return the constraint that an expression is in a set; for a value, a bool."""
    if not isinstance(value, Affine):
        return value in values
    check_element(value, node, names)
    return Member(value, ordered(values), **tags)


def make_table(
    name: str, relation: Relation, columns: Sequence[tuple[Term, nodes.Argument]], names: Names, tags: Tags
) -> Constraint | bool:
    """Return the constraint that terms form a row of a relation; for values, a bool."""
    for value, argument in columns:
        check_element(value, argument, names)
    row = tuple([value for value, _ in columns if not isinstance(value, Affine)])
    if len(row) < len(columns):
        return Table(name, tuple([value for value, _ in columns]), relation.rows, **tags)
    return row in relation


def conjunction(conditions: Iterable[Constraint | bool], tags: Tags) -> Constraint | bool:
    """Return the conjunction of conditions; stop with False at the first false one."""
    return _join(All, conditions, tags, False)


def either(conditions: Iterable[Constraint | bool], tags: Tags) -> Constraint | bool:
    """Return the disjunction of conditions; stop with True at the first true one."""
    return _join(Either, conditions, tags, True)


def _join(
    kind: type[All] | type[Either], conditions: Iterable[Constraint | bool], tags: Tags, decides: bool
) -> Constraint | bool:
    """Join conditions by ``All`` or ``Either``; stop at a truth value equal to ``decides``.

    That truth value is then the result.
    """
    unknown: list[Constraint] = []
    for condition in conditions:
        if condition is decides:
            return decides
        if isinstance(condition, Constraint):
            unknown += condition.parts() if isinstance(condition, kind) else [condition]
    # Known parts that do not decide are dropped; a single unknown part remains itself.
    if len(unknown) > 1:
        return kind(tuple(unknown), **tags)
    return _add_tags(unknown[0], tags) if unknown else not decides


def _add_tags(constraint: Constraint, tags: Tags) -> Constraint:
    """Return a copy of a constraint with the label and place of ``tags``.

    Without tags, it is returned unchanged.
    """
    return replace(constraint, **tags) if tags else constraint


def negation(condition: Constraint | bool, tags: Tags) -> Constraint | bool:
    """Return the negation of a constraint or truth value."""
    return _add_tags(negated(condition), tags) if isinstance(condition, Constraint) else not condition


def equivalence(left: Constraint | bool, right: Constraint | bool, tags: Tags) -> Constraint | bool:
    """Return the condition that two conditions are both true or both false."""
    if not isinstance(left, Constraint):
        left, right = right, left
    if isinstance(left, Constraint) and isinstance(right, Constraint):
        return Iff(left, right, **tags)
    if isinstance(left, Constraint):
        return _add_tags(left, tags) if right else negation(left, tags)
    return left == right


def check_nesting(parts: Iterable[object], names: Names, at: nodes.Place) -> None:
    """Refuse constraints and expressions that are nested too deeply for the engine."""
    level = [part for part in parts if isinstance(part, Affine | Constraint)]
    # Descend one level per round; linear expressions have no level below.
    for _ in range(names.limits.nesting):
        composites: list[Atom | Constraint] = []
        for part in level:
            composites += [part] if isinstance(part, Constraint) else part.atoms
        inside = [
            part for composite in composites for part in composite.parts() if isinstance(part, Affine | Constraint)
        ]
        level = [part for part in inside if not (isinstance(part, Affine) and part.is_linear)]
        if not level:
            return
    raise nested_too_deeply(at)
