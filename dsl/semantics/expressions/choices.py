"""Compiles the elements of lists, functions and comprehensions.

Generators select elements while grounding; conditions on puzzle variables select them while solving.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Any

from csp import Constraint

from ...syntax import nodes
from ...syntax.errors import Diagnostic
from ...syntax.habits import GENERATORS
from . import constraints
from .binding import all_names, binders, place_of_name
from .named import expand_all
from .names import Env, Evaluate, Scope
from .queries import Bodies

CONDITIONAL = (nodes.Compound, nodes.Fact)
"""Conditions that short-circuit: their first parts may decide them."""

Body = Sequence[nodes.Condition] | None
"""The generators and conditions of a comprehension; None without a colon."""

Compile = Callable[[nodes.Argument, Scope], Evaluate]
"""A function that compiles a single element."""

ElementSource = Callable[[Env], Iterable[tuple[Any, nodes.Argument]]]
"""A function from an environment to elements, each with its syntax."""

ConditionalElement = tuple[Constraint | bool, Callable[[], Any], nodes.Argument]
"""The condition that selects an element, a function that evaluates the element, and its syntax."""

Choices = Callable[[Env], Iterable[ConditionalElement]]
"""A function from an environment to elements with the conditions that select them."""


class Lists(Bodies):
    """The compiler's base class for elements of lists, functions and comprehensions."""

    def elements(
        self,
        items: Sequence[nodes.Argument],
        body: Body,
        scope: Scope,
        compile: Compile,
        is_list: bool = False,
        ordered: bool = False,
    ) -> ElementSource:
        """Compile the items of a list, arguments or a comprehension.

        Forms are ``[a, b]``, ``a, b`` and ``a : generators``. In ``max(0, cell(R, K) : K in 1..3)`` the generators make
        instances of the last argument.

        If ``is_list``, an item that is a list remains an item: a list alone in a list is a tuple. ``ordered`` means
        that the order of elements matters.
        """
        # A comprehension: its generators make instances of the last item.
        if body is not None and items:
            preceding = self.elements(items[:-1], None, scope, compile, True, ordered) if len(items) > 1 else None
            generated = self.query(body, scope.bound, ordered)
            item, names = items[-1], self.names
            last = compile(item, scope._replace(bound=generated.bound))
            costs_the_same = _costs_the_same(item, generated.bound.difference(scope.bound))

            def elements(env: Env) -> Iterable[tuple[Any, nodes.Argument]]:
                values = [*preceding(env)] if preceding else []
                bindings = generated.run(env)
                for number, inner in enumerate(bindings, 1):
                    budget = names.instances_left
                    values.append((last(inner), item))
                    if number == 1 and costs_the_same:  # too many instances are refused before they are made
                        names.require_budget((budget - names.instances_left) * (len(bindings) - 1), item.at)
                return values

            return elements
        for item in items:
            match item:
                case nodes.Declaration(at, (nodes.Logical(_, name),)) if name not in {
                    *self.names.families,
                    *scope.bound,
                }:
                    raise Diagnostic(f"a comma stands before the generator of {name}", at, GENERATORS)
        # Without generators: a list alone, single expressions, or a mixture with comprehensions.
        match items:
            case (nodes.Listing(_, inside, inner_body),) if not is_list:
                return self.elements(inside, inner_body, scope, compile, True, ordered)
            case _ if not any(isinstance(item, nodes.Comprehension) for item in items):
                evaluators = [compile(item, scope) for item in items]
                return lambda env: zip([evaluate(env) for evaluate in evaluators], items, strict=True)
        # Each item of a mixture has its own elements.
        sources = [
            self.elements([item.item], item.body, scope, compile, False, ordered)
            if isinstance(item, nodes.Comprehension)
            else self.elements([item], None, scope, compile, True, ordered)
            for item in items
        ]
        return lambda env: chain.from_iterable([source(env) for source in sources])

    def element(self, node: nodes.Argument, scope: Scope) -> Evaluate:
        """Compile an element of a list: an expression or a tuple."""
        if not isinstance(node, nodes.Listing):
            return self.expression(node, scope)
        elements = self.elements(node.items, node.body, scope, self.expression, is_list=True, ordered=True)
        return lambda env: tuple(elements(env))

    def choices(self, items: Sequence[nodes.Argument], body: Body, scope: Scope, compile: Compile) -> Choices:
        """Compile the elements of a function together with the conditions that select them.

        Each element is evaluated only on demand, as its condition may be false.
        """
        match items:
            case (nodes.Listing(_, inside, inner_body),) if body is None:
                return self.choices(inside, inner_body, scope, compile)
        # Only the last item has the generators.
        bodies = [None] * len(items) if body is None else [None] * (len(items) - 1) + [body]
        sources = [
            self._compile_choices(item, item_body, scope, compile)
            for item, item_body in zip(items, bodies, strict=True)
        ]
        return lambda env: chain.from_iterable([source(env) for source in sources])

    def has_choices(self, node: nodes.Call, scope: Scope) -> bool:
        """Return whether a comprehension in a call has conditions on puzzle variables.

        A body that gives values to a puzzle variable, and does not use them, is an error.
        """
        generating = [*_find_comprehensions(node.arguments)]
        for part in (node, *generating):
            self._refuse_generated_variables(part, part.body or (), scope)
        bodies = [expand_all(part.body or (), self.names) for part in (node, *generating)]
        return any(self._has_puzzle_variables(literal, body, scope) for body in bodies for literal in body)

    def _refuse_generated_variables(self, node: nodes.Node, body: Sequence[nodes.Condition], scope: Scope) -> None:
        """Refuse a generator that binds a puzzle variable's name but never uses the values."""
        generators = [literal for literal in body if isinstance(literal, nodes.Declaration)]
        # If the list contains the name once, the generator is its only use.
        for name in sorted(binders(generators).difference(scope.bound) & self.names.families):
            if sum(getattr(part, "name", "") == name for part in nodes.walk(node)) == 1:
                hint = f"as a condition it is written sum({name}) in {{1, 3}}; a generator has another name"
                message = f"{name} is a puzzle variable, and this would give it values"
                raise Diagnostic(message, place_of_name(tuple(generators), name), hint)

    def _has_puzzle_variables(self, node: nodes.Condition, body: Sequence[nodes.Condition], scope: Scope) -> bool:
        """Return whether a condition mentions puzzle variables."""
        families = self.names.families
        # An equation binds a word only if the word is not a puzzle variable; other conditions always bind.
        bound_by_equations = binders([literal for literal in body if isinstance(literal, nodes.Comparison)]) - families
        other_conditions = [literal for literal in body if not isinstance(literal, nodes.Comparison)]
        bound_by_others = binders(other_conditions, scope.bound, families)
        bound = {*bound_by_equations, *bound_by_others, *scope.bound}
        return any(
            part.name in families and not (isinstance(part, nodes.Logical) and part.name in bound)
            for part in nodes.walk(node)
            if isinstance(part, nodes.Logical | nodes.Name | nodes.Call)
        )

    def _compile_choices(self, item: nodes.Argument, body: Body, scope: Scope, compile: Compile) -> Choices:
        """Compile one item of a function with the conditions that select it."""
        if isinstance(item, nodes.Comprehension) and body is None:
            return self._compile_choices(item.item, item.body, scope, compile)
        body = expand_all(body or (), self.names)
        # Conditions on puzzle variables select elements; all others generate them.
        open_conditions = [literal for literal in body if self._has_puzzle_variables(literal, body, scope)]
        query = self.query([literal for literal in body if literal not in open_conditions], scope.bound)
        inner = scope._replace(bound=query.bound)
        conditions = [self.condition(literal, inner) for literal in open_conditions]
        # The element itself is evaluated once its condition is known.
        value = compile(item, inner)

        def choices(env: Env) -> Iterator[ConditionalElement]:
            for inner_env in query.run(env):
                condition = constraints.conjunction((make(inner_env, {}) for make in conditions), {})
                yield condition, partial(value, inner_env), item

        return choices


def _costs_the_same(item: nodes.Argument, words: Collection[str]) -> bool:
    """Return whether every evaluation of an element makes equally many instances."""
    parts = [*nodes.walk(item)]
    bodies = tuple([part.body for part in parts if isinstance(part, nodes.GENERATING) and part.body])
    is_conditional = any(isinstance(part, CONDITIONAL) or getattr(part, "name", "") == "count" for part in parts)
    return bool(bodies) and not is_conditional and all_names(bodies).isdisjoint(words)


def _find_comprehensions(items: Iterable[nodes.Argument]) -> Iterator[nodes.Listing | nodes.Comprehension]:
    """Yield the lists and comprehensions in items, at any depth."""
    for item in items:
        if isinstance(item, nodes.Listing | nodes.Comprehension):
            yield item
            yield from _find_comprehensions(item.items if isinstance(item, nodes.Listing) else [item.item])
