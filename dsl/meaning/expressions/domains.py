"""Domains: ranges, sets and their unions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Sequence

from csp import Value

from ...text import syntax
from ...text.errors import Mistake, near
from ...text.habits import SET
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
    def expression(self, node: syntax.Argument, scope: Scope) -> Evaluate:
        """A function from the values of the bound variables to a value or an affine expression."""

    @abstractmethod
    def condition(self, node: syntax.Argument, scope: Scope, given: bool = False) -> Make:
        """A function from the values of the bound variables, and tags, to a constraint or to what is known beforehand.

        ``given`` says that it must hold, so that a value outside a domain and a group without room are mistakes.
        """

    @abstractmethod
    def gathered(self, item: syntax.Argument, body: Sequence[syntax.Condition], bound: Collection[str]) -> DomainOf:
        """A function to the values that an item has where a body holds, each once."""

    def value(self, node: syntax.Argument, bound: Collection[str] = (), why: str = NEEDED) -> Evaluate:
        """As ``expression``, for what must be known before the puzzle is solved."""
        return self.expression(node, Scope(bound, why))

    def domain(self, node: syntax.Union, bound: Collection[str], limit: int) -> DomainOf:
        """A function from the values of the bound variables to the values of a domain, in order of writing."""
        parts = [self._compile_part(part, bound, limit) for part in node.parts]
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

    def _compile_part(self, node: syntax.Range | syntax.Expr, bound: Collection[str], limit: int) -> DomainOf:
        if isinstance(node, syntax.Range):
            return self._compile_range(node, bound, limit)
        match node:
            case syntax.Operation(_, "-", syntax.Constant(at, low), syntax.Constant(_, high)) if at != node.at:
                hint = f"a range is written with two dots, {low}..{high}"
                raise Mistake("this is a difference, a single value", node.at, hint)
            case syntax.Comprehension(_, item, body):
                return self.gathered(item, body, bound)
            case syntax.Listing() | syntax.Conjunction():
                raise Mistake(f"{'a list' if isinstance(node, syntax.Listing) else 'this'} is no domain", node.at, SET)
        evaluate = self.value(node, bound)
        return lambda env: (evaluate(env),)

    def _compile_range(self, node: syntax.Range, bound: Collection[str], limit: int) -> DomainOf:
        low, high = self.value(node.low, bound), self.value(node.high, bound)

        def values(env: Env) -> range:
            first, last = _number(low(env), node.low, self.names), _number(high(env), node.high, self.names)
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
