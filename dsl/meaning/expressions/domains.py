"""Domains: ranges, sets and their unions."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from csp import Value

from ...text import syntax
from ...text.errors import Mistake, near
from ...text.habits import SET
from .names import Env, Evaluate, Names

Compile = Callable[[syntax.Expr], Evaluate]
Values = Callable[[Env], Sequence[Value]]


def compile_union(node: syntax.Union, value: Compile, names: Names, limit: int) -> Values:
    """A function from the values of the bound variables to the values of a domain, in order of writing.

    Parameters
    ----------
    node : syntax.Union
    value : function
        Compiles the expressions of the domain.
    names : Names
    limit : int
        The most values that it may have.
    """
    parts = [_compile_part(part, value, names, limit) for part in node.parts]
    if len(parts) == 1:
        return parts[0]

    def union(env: Env) -> Sequence[Value]:
        found: dict[Value, None] = {}
        for part in parts:
            found.update(dict.fromkeys(part(env)))
            if len(found) > limit:
                raise Mistake(f"the domain has more than {limit:,} values", node.at)
        return tuple(found)

    return union


def _compile_part(node: syntax.Range | syntax.Expr, value: Compile, names: Names, limit: int) -> Values:
    if isinstance(node, syntax.Range):
        return _compile_range(node, value, names, limit)
    match node:
        case syntax.Operation(_, "-", syntax.Constant(at, low), syntax.Constant(_, high)) if at != node.at:
            hint = f"a range is written with two dots, {low}..{high}"
            raise Mistake("this is a difference, a single value", node.at, hint)
        case syntax.Listing():
            raise Mistake("a list is no domain", node.at, SET)
    evaluate = value(node)
    return lambda env: (evaluate(env),)


def _compile_range(node: syntax.Range, value: Compile, names: Names, limit: int) -> Values:
    low, high = value(node.low), value(node.high)

    def values(env: Env) -> range:
        first, last = _number(low(env), node.low, names), _number(high(env), node.high, names)
        if last - first >= limit:
            raise Mistake(f"{first}..{last} has {last - first + 1:,} values, and {limit:,} is the most", node.at)
        return range(first, last + 1)

    return values


def _number(value: Value, node: syntax.Expr, names: Names) -> int:
    if isinstance(value, str):
        hint = near(value, names.params) or f"write param {value} = ... for a constant; logical variables are uppercase"
        if isinstance(node, syntax.Name) and node.name in names.params:
            hint = f"that is what the param {node.name} is"
        raise Mistake(f"a range goes between numbers, and {value} is a symbol", node.at, hint)
    return value
