"""What can hold or not: comparisons, groups, memberships, tuples of relations, and one of several."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import TypedDict

from csp import Affine, AllDifferent, Comparison, Constraint, Either, Equality, Linear, Member, Table, Value, apply
from csp.model import Domain, ordered, show_domain

from . import syntax
from .errors import Falsehood, Mistake, near, plural
from .expressions import (
    RESERVED,
    SPECIAL,
    Env,
    Evaluate,
    Term,
    blamed,
    compile_elements,
    compile_expression,
    numeric_variables,
)
from .ground import Names, compare, compile_domain
from .unparse import quoted

MAX_DOMAIN = 100_000
"""The most values of a domain."""


class Tags(TypedDict, total=False):
    """What a clause says of its constraints besides their meaning."""

    label: str
    line: int


Make = Callable[[Env, Tags], Constraint | bool]


def compile_condition(
    node: syntax.Condition, names: Names, bound: Collection[str], given: bool = False
) -> Make:
    """A function from the values of the bound variables, and tags, to a constraint or to what is known beforehand.

    Parameters
    ----------
    node : syntax
        A comparison, a membership, an ``all_different``, a tuple of a relation, or a disjunction.
    names : Names
    bound : collection of str
        The logical variables that have a value; any other uppercase word is a puzzle variable.
    given : bool
        Whether it must hold, so that a value outside a domain and a group without room are mistakes.
    """
    match node:
        case syntax.Comparison():
            return _compile_comparison(node, names, bound, given)
        case syntax.Declaration():
            return _compile_membership(node, names, bound)
        case syntax.Disjunction():
            return _compile_disjunction(node, names, bound)
        case syntax.Fact(_, term):
            return compile_condition(term, names, bound, given)
        case syntax.Call(_, "all_different"):
            return _compile_group(node, names, bound, given)
        case syntax.Call() | syntax.Name() if node.name not in {*RESERVED, *names.families, *names.params}:
            return _compile_tuple(node, names, bound)
    raise Mistake("this is no condition", node.at, "a condition is a comparison such as cell(R, C) > 3")


def brief(domain: Domain) -> str:
    """A domain for a message."""
    text = show_domain(domain, quoted)
    return text if len(text) <= 80 else f"{text[:80]}..."


def _compile_group(node: syntax.Call, names: Names, bound: Collection[str], given: bool) -> Make:
    elements_of, nodes = compile_elements(node, names, bound, compile_expression)

    def make(env: Env, tags: Tags) -> Constraint | bool:
        elements = elements_of(env)
        seen = set()
        for element, at in blamed(elements, nodes):
            if not isinstance(element, Affine):
                raise Mistake(f"{element} in all_different is not a puzzle variable", at.at)
            if not element.is_variable:
                _check_numbers(element, at, names)
            if element in seen:
                raise Mistake(f"{element} stands twice in all_different, so it can never hold", at.at)
            seen.add(element)
        if given:
            _check_room(elements, node, names)
        return AllDifferent(tuple(elements), **tags) if elements else True

    return make


def _check_numbers(expression: Affine, node: syntax.Expr, names: Names, lacking: str = "arithmetic") -> None:
    for variable in numeric_variables(expression):
        symbol = names.domains[variable][-1]
        if isinstance(symbol, str):
            raise Mistake(f"{variable} can be the symbol {symbol}, and symbols have no {lacking}", node.at)


def _check_room(elements: list[Affine], node: syntax.Call, names: Names) -> None:
    """There must be a value for every element."""
    values: set[Value] = set()
    for element in elements:
        if not element.is_unary:
            return
        domain = names.domains[element.variables[0]]
        if len(domain) >= len(elements):
            return
        values.update(map(element.image, domain))
    if len(values) < len(elements):
        few = plural(len(values), "value")
        raise Mistake(f"all_different has {len(elements)} elements and only {few}, so it can never hold", node.at)


def _compile_comparison(node: syntax.Comparison, names: Names, bound: Collection[str], given: bool) -> Make:
    left_of = compile_expression(node.left, names, bound)
    right_of = compile_expression(node.right, names, bound)

    def make(env: Env, tags: Tags) -> Constraint | bool:
        left, right = left_of(env), right_of(env)
        if not isinstance(left, Affine) and not isinstance(right, Affine):
            if given and not compare(left, right, node):
                why = _of_nothing(node, names, bound, env)
                raise Falsehood(f"{left} {node.relation} {right} never holds", node.at, why)
            return compare(left, right, node)
        if node.relation in ("=", "!=") and _is_simple(left) and _is_simple(right):
            if not isinstance(left, Affine):
                return _equality(right, left, node, node.left, names, given, tags)
            return _equality(left, right, node, node.right, names, given, tags)
        ordered_only = node.relation not in ("=", "!=") and _is_simple(left) and _is_simple(right)
        lacking = "order" if ordered_only else "arithmetic"
        sides = [_number(side, at, names, lacking) for side, at in ((left, node.left), (right, node.right))]
        kind = Linear if all(side.is_linear for side in sides) else Comparison
        return kind(sides[0], node.relation, sides[1], **tags)

    return make


def _of_nothing(node: syntax.Comparison, names: Names, bound: Collection[str], env: Env) -> str:
    """What is the sum, product or count of nothing in a comparison, and why."""
    waiting: list[syntax.Expr] = [node.right, node.left]
    while waiting:
        match waiting.pop():
            case syntax.Operation(_, _, left, right):
                waiting += right, left
            case syntax.Call(_, name, _, body) if body is not None and not names.query(body, bound).run(env):
                facts = [_written(one.term, env) for one in body if isinstance(one, syntax.Fact)]
                nothing = ", ".join(facts) if len(facts) == len(body) else "its generators"
                return f"the {name} is empty: nothing satisfies {nothing}"
    return ""


def _written(term: syntax.Expr, env: Env) -> str:
    """A tuple of a relation for a message, with the values that are known."""
    match term:
        case syntax.Call(_, name, arguments):
            return f"{name}({', '.join(_written(argument, env) for argument in arguments)})"
        case syntax.Logical(_, name):
            return str(env.get(name, name))
        case syntax.Name(_, word) | syntax.Constant(_, word):
            return str(word)
    return "..."


def _number(side: Term, node: syntax.Expr, names: Names, lacking: str) -> Affine:
    if isinstance(side, str):
        raise Mistake(f"{side} is a symbol, which can only be equal to a variable or not", node.at)
    expression = Affine((), side) if isinstance(side, int) else side
    _check_numbers(expression, node, names, lacking)
    return expression


def _is_simple(side: Term) -> bool:
    return not isinstance(side, Affine) or side.is_variable


def _equality(
    left: Term,
    right: Term,
    comparison: syntax.Comparison,
    node: syntax.Expr,
    names: Names,
    given: bool,
    tags: Tags,
) -> Constraint:
    assert isinstance(left, Affine)
    (variable,) = left.variables
    domain = names.domains[variable]
    if isinstance(right, Affine):
        return Equality(variable, right.variables[0], comparison.relation == "=", **tags)
    if given and comparison.relation == "=" and right not in domain:
        hint = "a blank is written ." if right == 0 else near(right, [*names.params, *domain[-100:]])
        raise Mistake(
            f"{variable} = {right} is outside its domain {brief(domain)}",
            node.at if isinstance(node, syntax.Constant | syntax.Name) else comparison.at,
            hint if right == 0 or isinstance(right, str) else "",
        )
    return Equality(variable, right, comparison.relation == "=", **tags)


def _compile_membership(node: syntax.Declaration, names: Names, bound: Collection[str]) -> Make:
    if len(node.terms) > 1:
        raise Mistake("one expression stands before in here", node.at, "write a condition for each")
    value_of = compile_expression(node.terms[0], names, bound)
    values_of = compile_domain(node.domain, names, bound, MAX_DOMAIN)

    def make(env: Env, tags: Tags) -> Constraint | bool:
        value, values = value_of(env), values_of(env)
        names.spend(len(values), node.at)
        if not isinstance(value, Affine):
            return value in values
        if not value.is_variable:
            _check_numbers(value, node.terms[0], names)
        return Member(value, ordered(values), **tags)

    return make


def _compile_tuple(node: syntax.Call | syntax.Name, names: Names, bound: Collection[str]) -> Make:
    relation, arguments = names.relation(node)
    columns = [compile_expression(argument, names, bound) for argument in arguments]

    def make(env: Env, tags: Tags) -> Constraint | bool:
        row = tuple([column(env) for column in columns])
        found = [value for value in row if isinstance(value, Affine)]
        for value, argument in zip(row, arguments, strict=True):
            if isinstance(value, Affine) and not value.is_variable:
                _check_numbers(value, argument, names)
        return Table(node.name, row, relation.rows, **tags) if found else row in relation

    return make


def _compile_disjunction(node: syntax.Disjunction, names: Names, bound: Collection[str]) -> Make:
    alternatives = [compile_condition(one, names, bound) for one in node.alternatives]

    def make(env: Env, tags: Tags) -> Constraint | bool:
        found = [alternative(env, {}) for alternative in alternatives]
        if True in found:
            return True
        open_ = [one for one in found if isinstance(one, Constraint)]
        if not open_:
            raise Falsehood("none of these can hold", node.at)
        return Either(tuple(open_), **tags) if len(open_) > 1 else replace(open_[0], **tags)

    return make


def _compile_count(node: syntax.Call, names: Names, bound: Collection[str]) -> Evaluate:
    if not node.arguments:
        raise Mistake("count of nothing", node.at, "write count(cell(R, C) > 3 : C in 1..n)")
    conditions, _ = compile_elements(node, names, bound, _compile_counted)

    def count(env: Env) -> int | Affine:
        found = conditions(env)
        open_ = [one for one in found if isinstance(one, Constraint)]
        known = sum(one is True for one in found)
        return apply("count", open_) + known if open_ else known

    return count


def _compile_counted(node: syntax.Expr, names: Names, bound: Collection[str]) -> Evaluate:
    make = compile_condition(node, names, bound)
    return lambda env: make(env, {})


SPECIAL["count"] = _compile_count
