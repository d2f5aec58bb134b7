"""Domains: ranges, sets and their unions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence

from csp import Value

from ...syntax import nodes
from ...syntax.errors import Diagnostic, suggest_name
from ...syntax.habits import SET
from .constraints import Make
from .names import NEEDED, Env, Evaluate, Names, Scope

DomainOf = Callable[[Env], Sequence[Value]]


class DomainCompiler(ABC):
    """The part of a compiler that compiles domains, on which all other parts stand.

    Expressions, bodies and conditions contain each other, so that each part calls what only the whole compiler has.
    """

    def __init__(self, names: Names) -> None:
        self.names = names

    @abstractmethod
    def expression(self, node: nodes.Argument, scope: Scope) -> Evaluate:
        """A function from the values of the bound variables to a value or an affine expression."""

    @abstractmethod
    def condition(self, node: nodes.Argument, scope: Scope, given: bool = False) -> Make:
        """A function from the values of the bound variables, and tags, to a constraint or to what is known beforehand.

        ``given`` says that it must hold, so that a value outside a domain and a group without room are mistakes.
        """

    @abstractmethod
    def gathered(self, item: nodes.Argument, body: Sequence[nodes.Condition], bound: Collection[str]) -> DomainOf:
        """A function to the values that an item has where a body holds, each once."""

    def value(self, node: nodes.Argument, bound: Collection[str] = (), why: str = NEEDED) -> Evaluate:
        """As ``expression``, for what must be known before the puzzle is solved."""
        return self.expression(node, Scope(bound, why))

    def domain(self, node: nodes.Union, bound: Collection[str], limit: int) -> DomainOf:
        """A function from the values of the bound variables to the values of a domain, in order of writing."""
        parts = [self._compile_part(part, bound, limit) for part in node.parts]
        if len(parts) == 1:
            return parts[0]

        def union(env: Env) -> Sequence[Value]:
            found: dict[Value, None] = {}
            for part in parts:
                found.update(dict.fromkeys(part(env)))
                if len(found) > limit:
                    raise Diagnostic(f"the domain has more than {limit:,} values", node.at)
            return tuple(found)

        return union

    def _compile_part(self, node: nodes.Range | nodes.Expr, bound: Collection[str], limit: int) -> DomainOf:
        if isinstance(node, nodes.Range):
            return self._compile_range(node, bound, limit)
        match node:
            case nodes.Operation(_, "-", nodes.Constant(at, low), nodes.Constant(_, high)) if at != node.at:
                hint = f"a range is written with two dots, {low}..{high}"
                raise Diagnostic("this is a difference, a single value", node.at, hint)
            case nodes.Comprehension(_, item, body):
                return self.gathered(item, body, bound)
            case nodes.Listing() | nodes.Conjunction():
                raise Diagnostic(
                    f"{'a list' if isinstance(node, nodes.Listing) else 'this'} is no domain", node.at, SET
                )
        evaluate = self.value(node, bound)
        return lambda env: (evaluate(env),)

    def _compile_range(self, node: nodes.Range, bound: Collection[str], limit: int) -> DomainOf:
        low, high = self.value(node.low, bound), self.value(node.high, bound)

        def values(env: Env) -> range:
            first, last = _number(low(env), node.low, self.names), _number(high(env), node.high, self.names)
            if last - first >= limit:
                raise Diagnostic(f"{first}..{last} has {last - first + 1:,} values, and {limit:,} is the most", node.at)
            return range(first, last + 1)

        return values


def _number(value: Value, node: nodes.Expr, names: Names) -> int:
    if isinstance(value, str):
        hint = (
            suggest_name(value, names.params)
            or f"write param {value} = ... for a constant; logical variables are uppercase"
        )
        if isinstance(node, nodes.Name) and node.name in names.params:
            hint = f"that is what the param {node.name} is"
        raise Diagnostic(f"a range goes between numbers, and {value} is a symbol", node.at, hint)
    return value
