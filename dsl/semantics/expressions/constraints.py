"""Makes constraints of conditions whose parts have been evaluated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import TypedDict

from csp import (
    Affine,
    All,
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
    apply,
    counted,
    negated,
    ordered,
    show_domain,
)

from ...syntax import nodes
from ...syntax.errors import Diagnostic, Outside, suggest_name
from ...syntax.printing.write import quoted_in_spec
from ...syntax.vocabulary import CONSTRAINTS
from .arithmetic import as_affine, compare_values, numeric_variables
from .names import Env, Names, Relation, Term


class Tags(TypedDict, total=False):
    """What a clause says of its constraints besides their meaning."""

    label: str
    line: int
    file: str


Make = Callable[[Env, Tags], Constraint | bool]
"""From the values of the bound variables to a constraint, or to what is known beforehand."""


def brief(domain: Domain) -> str:
    """A domain for a message."""
    text = show_domain(domain, quoted_in_spec)
    return text if len(text) <= 80 else f"{text[:80]}..."


def listed(
    elements: Iterable[tuple[Term, nodes.Argument]], node: nodes.Call, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """A constraint on a list."""
    word = CONSTRAINTS[node.name]
    if word.kind is Equality:
        return _all_equal(list(elements), node, names, tags)
    if word.differ:
        return _different(elements, node, names, given, tags)
    members: list[Affine] = []
    for element, at in elements:
        if isinstance(element, str):
            raise no_variable(element, node, at)
        members.append(number(element, at, names, "arithmetic"))
    made = word.kind(tuple(members), **tags)
    return made if made.scope else made.check({})


def _all_equal(
    elements: list[tuple[Term, nodes.Argument]], node: nodes.Call, names: Names, tags: Tags
) -> Constraint | bool:
    """Each element equals the next; one alone must have a value."""
    chain = elements if len(elements) != 1 else elements * 2
    pairs = [
        compared(one, other, nodes.Comparison(at.at, at, "=", there), names, False, {})  # type: ignore[arg-type]
        for (one, at), (other, there) in pairwise(chain)
        if one != other or (isinstance(one, Affine) and one.partial)
    ]
    return conjunction(pairs, tags)


def no_variable(element: Term, node: nodes.Call, at: nodes.Argument) -> Diagnostic:
    return Diagnostic(f"{element} in {node.name} is not a puzzle variable", at.at, "to rule it out, write !=")


def _different(
    elements: Iterable[tuple[Term, nodes.Argument]], node: nodes.Call, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """A constraint on a list whose elements differ; where it may be false, values can stand in it too."""
    found: dict[Term, nodes.Argument] = {}
    for element, at in elements:
        if not isinstance(element, Affine):
            if given:
                raise no_variable(element, node, at)
        elif not element.is_variable:
            check_numbers(element, at, names)
        if element not in found:
            found[element] = at
        elif not given:
            return False
        else:
            bag = "a comprehension has an element for each way in which its body holds; a rule makes each once"
            hint = bag if node.body else ""
            raise Diagnostic(f"{element} stands twice in {node.name}, so it can never hold", at.at, hint)
    members = [element for element in found if isinstance(element, Affine)]
    if given:
        _check_room(members, node, names)
    if not members:
        return True
    group = CONSTRAINTS[node.name].kind(tuple(members), **tags)
    if len(members) == len(found):
        return group
    values = [value for value in found if not isinstance(value, Affine)]
    apart = [one for value in values for member in members if (one := _unlike(member, value)) is not None]
    if not apart:
        return group
    parts = [group, *apart] if len(members) > 1 else apart
    return Comparison(apply("count", parts), "=", Affine((), len(parts))) if len(parts) > 1 else apart[0]


def _unlike(element: Affine, value: Value) -> Constraint | None:
    """That an expression does not have a value, unless that is so anyhow."""
    if element.is_variable:
        return Equality(element.variables[0], value, False)
    if isinstance(value, str):
        return None
    return (Linear if element.is_linear else Comparison)(element, "!=", Affine((), value))


def check_numbers(expression: Affine, node: nodes.Argument, names: Names, lacking: str = "arithmetic") -> None:
    for variable in numeric_variables(expression):
        symbol = names.domains[variable][-1]
        if isinstance(symbol, str):
            raise Diagnostic(f"{variable} can be the symbol {symbol}, and symbols have no {lacking}", node.at)


def _check_room(elements: list[Affine], node: nodes.Call, names: Names) -> None:
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
        few = counted(len(values), "value")
        raise Diagnostic(f"{node.name} has {len(elements)} elements and only {few}, so it can never hold", node.at)


def compared(
    left: Term, right: Term, node: nodes.Comparison, names: Names, given: bool, tags: Tags
) -> Constraint | bool:
    """A comparison of expressions or values; ``given`` makes a value outside a domain a mistake."""
    if not isinstance(left, Affine) and not isinstance(right, Affine):
        return compare_values(left, right, node)
    simple = _is_simple(left) and _is_simple(right)
    if node.relation in ("=", "!=") and simple:
        if not isinstance(left, Affine):
            return _equality(right, left, node, node.left, names, given, tags)
        return _equality(left, right, node, node.right, names, given, tags)
    lacking = "order" if simple else "arithmetic"
    sides = [number(side, at, names, lacking) for side, at in ((left, node.left), (right, node.right))]
    kind = Linear if all(side.is_linear for side in sides) else Comparison
    return kind(sides[0], node.relation, sides[1], **tags)


def number(side: Term, node: nodes.Argument, names: Names, lacking: str) -> Affine:
    if isinstance(side, str):
        hint = f"what stands for a number begins in uppercase, {side.upper()}" if len(side) == 1 else ""
        raise Diagnostic(f"{side} is a symbol, which can only be equal to a variable or not", node.at, hint)
    expression = as_affine(side)
    check_numbers(expression, node, names, lacking)
    return expression


def _is_simple(side: Term) -> bool:
    return not isinstance(side, Affine) or side.is_variable


def _equality(
    left: Term,
    right: Term,
    comparison: nodes.Comparison,
    node: nodes.Argument,
    names: Names,
    given: bool,
    tags: Tags,
) -> Constraint:
    assert isinstance(left, Affine)
    (variable,) = left.variables
    domain = names.domains[variable]
    if given and comparison.relation == "=" and not isinstance(right, Affine) and right not in domain:
        hint = suggest_name(right, [*names.params, *domain[-100:]]) if isinstance(right, str) else ""
        raise Outside(
            f"{variable} = {right} is outside its domain {brief(domain)}",
            node.at if isinstance(node, nodes.Constant | nodes.Name) else comparison.at,
            hint,
            value=right,
        )
    said = variable, right.variables[0] if isinstance(right, Affine) else right, comparison.relation == "="
    if tags:
        return Equality(*said, **tags)
    key = *said, isinstance(right, Affine)  # a symbol may have the name of a variable
    if key not in names.inside:
        names.inside[key] = Equality(*said)
    return names.inside[key]


def member(value: Term, values: Sequence[Value], node: nodes.Argument, names: Names, tags: Tags) -> Constraint | bool:
    """A value or an expression in a set."""
    if not isinstance(value, Affine):
        return value in values
    if not value.is_variable:
        check_numbers(value, node, names)
    return Member(value, ordered(values), **tags)


def tuple_of(
    name: str, relation: Relation, columns: Sequence[tuple[Term, nodes.Argument]], names: Names, tags: Tags
) -> Constraint | bool:
    """A tuple of values and expressions in a relation."""
    for value, argument in columns:
        if isinstance(value, Affine) and not value.is_variable:
            check_numbers(value, argument, names)
    known = tuple([value for value, _ in columns if not isinstance(value, Affine)])
    if len(known) < len(columns):
        return Table(name, tuple([value for value, _ in columns]), relation.rows, **tags)
    return known in relation


def conjunction(found: Iterable[Constraint | bool], tags: Tags) -> Constraint | bool:
    """All of several; what follows something false is not asked for."""
    return _joined(All, found, tags, False)


def either(found: Iterable[Constraint | bool], tags: Tags) -> Constraint | bool:
    """One of several; what follows something true is not asked for."""
    return _joined(Either, found, tags, True)


def _joined(
    kind: type[All] | type[Either], found: Iterable[Constraint | bool], tags: Tags, decides: bool
) -> Constraint | bool:
    open_: list[Constraint] = []
    for one in found:
        if one is decides:
            return decides
        if isinstance(one, Constraint):
            open_ += one.parts() if isinstance(one, kind) else [one]
    if len(open_) > 1:
        return kind(tuple(open_), **tags)
    return _tagged(open_[0], tags) if open_ else not decides


def _tagged(made: Constraint, tags: Tags) -> Constraint:
    return replace(made, **tags) if tags else made


def negation(found: Constraint | bool, tags: Tags) -> Constraint | bool:
    """The opposite."""
    return _tagged(negated(found), tags) if isinstance(found, Constraint) else not found


def equivalence(left: Constraint | bool, right: Constraint | bool, tags: Tags) -> Constraint | bool:
    """Both or neither."""
    if not isinstance(left, Constraint):
        left, right = right, left
    if isinstance(left, Constraint) and isinstance(right, Constraint):
        return Iff(left, right, **tags)
    if isinstance(left, Constraint):
        return _tagged(left, tags) if right else negation(left, tags)
    return left == right
