"""Compiles domains: ranges, sets and their unions."""

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
"""A compiled domain: a function from an environment to values."""


class DomainCompiler(ABC):
    """The compiler's base class for domains.

    Expressions, bodies and conditions contain each other, so each part of the compiler calls methods that only the
    whole compiler has.
    """

    def __init__(self, names: Names) -> None:
        self.names = names

    @abstractmethod
    def expression(self, node: nodes.Argument, scope: Scope) -> Evaluate:
        """Compile an expression to a function from an environment to its value."""

    @abstractmethod
    def condition(self, node: nodes.Argument, scope: Scope, given: bool = False) -> Make:
        """Compile a condition to a function from an environment and tags.

        The function returns a constraint, or a truth value that needs no solving. ``given`` means that the condition
        must hold: a value outside a domain and a group without room are errors.
        """

    @abstractmethod
    def collect_values(self, item: nodes.Argument, body: Sequence[nodes.Condition], bound: Collection[str]) -> DomainOf:
        """Compile a comprehension to a function that returns its distinct values."""

    def value(self, node: nodes.Argument, bound: Collection[str] = (), refusal: str = NEEDED) -> Evaluate:
        """Compile an expression without puzzle variables to a function that returns its value."""
        return self.expression(node, Scope(bound, refusal))

    def domain(self, node: nodes.Union, bound: Collection[str], limit: int) -> DomainOf:
        """Compile a domain to a function from an environment to the domain's values.

        The values are in the order of writing.
        """
        parts = [self._compile_part(part, bound, limit) for part in node.parts]
        if len(parts) == 1:
            return parts[0]

        def union(env: Env) -> Sequence[Value]:
            values: dict[Value, None] = {}
            # Join the parts without repetitions.
            for part in parts:
                values.update(dict.fromkeys(part(env)))
                if len(values) > limit:
                    raise Diagnostic(f"the domain has more than {limit:,} values", node.at)
            return tuple(values)

        return union

    def _compile_part(self, node: nodes.Range | nodes.Expr, bound: Collection[str], limit: int) -> DomainOf:
        """Compile one part of a domain: a range, comprehension or single value."""
        if isinstance(node, nodes.Range):
            return self._compile_range(node, bound, limit)
        match node:
            # A difference of two numbers was probably meant as a range.
            case nodes.Operation(_, "-", nodes.Constant(at, low), nodes.Constant(_, high)) if at != node.at:
                hint = f"a range is written with two dots, {low}..{high}"
                raise Diagnostic("this is a difference, a single value", node.at, hint)
            case nodes.Comprehension(_, item, body):
                return self.collect_values(item, body, bound)
            case nodes.Listing() | nodes.Conjunction():
                raise Diagnostic(
                    f"{'a list' if isinstance(node, nodes.Listing) else 'this'} is no domain", node.at, SET
                )
        evaluate = self.value(node, bound)
        return lambda env: (evaluate(env),)

    def _compile_range(self, node: nodes.Range, bound: Collection[str], limit: int) -> DomainOf:
        """Compile a range to a function from an environment to its integers."""
        low, high = self.value(node.low, bound), self.value(node.high, bound)

        def values(env: Env) -> range:
            first, last = _number(low(env), node.low, self.names), _number(high(env), node.high, self.names)
            if last - first >= limit:
                raise Diagnostic(f"{first}..{last} has {last - first + 1:,} values, and {limit:,} is the most", node.at)
            return range(first, last + 1)

        return values


def _number(value: Value, node: nodes.Expr, names: Names) -> int:
    """Return the integer bound of a range; refuse a symbol."""
    if isinstance(value, str):
        hint = (
            suggest_name(value, names.params)
            or f"write param {value} = ... for a constant; logical variables are uppercase"
        )
        if isinstance(node, nodes.Name) and node.name in names.params:
            hint = f"that is what the param {node.name} is"
        raise Diagnostic(f"a range goes between numbers, and {value} is a symbol", node.at, hint)
    return value
