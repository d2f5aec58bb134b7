"""The elements of lists, of functions and of comprehensions, and the conditions that choose some of them."""

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
"""Conditions that may be decided before all of them is evaluated."""

Body = Sequence[nodes.Condition] | None

Compile = Callable[[nodes.Argument, Scope], Evaluate]
"""What compiles a single element."""

ElementSource = Callable[[Env], Iterable[tuple[Any, nodes.Argument]]]
"""From the values of the bound variables to elements, each with the piece of syntax that it comes from."""

ConditionalElement = tuple[Constraint | bool, Callable[[], Any], nodes.Argument]
"""A condition, what gives the element that it chooses, and where that stands."""

Choices = Callable[[Env], Iterable[ConditionalElement]]


class Lists(Bodies):
    """The part of a compiler that compiles the elements of lists."""

    def elements(
        self,
        items: Sequence[nodes.Argument],
        body: Body,
        scope: Scope,
        compile: Compile,
        is_list: bool = False,
        ordered: bool = False,
    ) -> ElementSource:
        """The elements of a list ``[a, b]``, of arguments ``a, b`` or of a comprehension ``a : generators``.

        In ``max(0, cell(R, K) : K in 1..3)`` the generators make instances of the last argument. The items of a list
        are not opened again: a list alone in a list is a tuple. ``ordered`` says that the order of the list matters.
        """
        if body is not None and items:
            before = self.elements(items[:-1], None, scope, compile, True, ordered) if len(items) > 1 else None
            generated = self.query(body, scope.bound, ordered)
            item, names = items[-1], self.names
            last = compile(item, scope._replace(bound=generated.bound))
            costs_the_same = _costs_the_same(item, generated.bound.difference(scope.bound))

            def elements(env: Env) -> Iterable[tuple[Any, nodes.Argument]]:
                found = [*before(env)] if before else []
                bindings = generated.run(env)
                for number, inner in enumerate(bindings, 1):
                    left = names.left
                    found.append((last(inner), item))
                    if number == 1 and costs_the_same:  # too many instances are refused before they are made
                        names.foresee((left - names.left) * (len(bindings) - 1), item.at)
                return found

            return elements
        for item in items:
            match item:
                case nodes.Declaration(at, (nodes.Logical(_, name),)) if name not in {
                    *self.names.families,
                    *scope.bound,
                }:
                    raise Diagnostic(f"a comma stands before the generator of {name}", at, GENERATORS)
        match items:
            case (nodes.Listing(_, inside, of),) if not is_list:
                return self.elements(inside, of, scope, compile, True, ordered)
            case _ if not any(isinstance(item, nodes.Comprehension) for item in items):
                single = [compile(item, scope) for item in items]
                return lambda env: zip([element(env) for element in single], items, strict=True)
        several = [
            self.elements([item.item], item.body, scope, compile, False, ordered)
            if isinstance(item, nodes.Comprehension)
            else self.elements([item], None, scope, compile, True, ordered)
            for item in items
        ]
        return lambda env: chain.from_iterable([some(env) for some in several])

    def element(self, node: nodes.Argument, scope: Scope) -> Evaluate:
        """An element of a list: an expression, or a tuple of them."""
        if not isinstance(node, nodes.Listing):
            return self.expression(node, scope)
        elements = self.elements(node.items, node.body, scope, self.expression, is_list=True, ordered=True)
        return lambda env: tuple(elements(env))

    def choices(self, items: Sequence[nodes.Argument], body: Body, scope: Scope, compile: Compile) -> Choices:
        """As ``elements``, with the conditions that choose them; each is evaluated only when it is asked for."""
        match items:
            case (nodes.Listing(_, inside, of),) if body is None:
                return self.choices(inside, of, scope, compile)
        bodies = [None] * len(items) if body is None else [None] * (len(items) - 1) + [body]
        some = [self._chosen(item, own, scope, compile) for item, own in zip(items, bodies, strict=True)]
        return lambda env: chain.from_iterable([one(env) for one in some])

    def has_choices(self, node: nodes.Call, scope: Scope) -> bool:
        """Whether a condition on puzzle variables is among the generators of a function.

        A body that gives values to a puzzle variable, and does nothing with them, is a mistake.
        """
        nodes = [*_generating(node.arguments)]
        for one in (node, *nodes):
            self._check(one, one.body or (), scope)
        bodies = [expand_all(one.body or (), self.names) for one in (node, *nodes)]
        return any(self._is_open(literal, body, scope) for body in bodies for literal in body)

    def _check(self, node: nodes.Node, body: Sequence[nodes.Condition], scope: Scope) -> None:
        given = [literal for literal in body if isinstance(literal, nodes.Declaration)]
        for name in sorted(binders(given).difference(scope.bound) & self.names.families):
            if sum(getattr(part, "name", "") == name for part in nodes.walk(node)) == 1:
                hint = f"as a condition it is written sum({name}) in {{1, 3}}; a generator has another name"
                message = f"{name} is a puzzle variable, and this would give it values"
                raise Diagnostic(message, place_of_name(tuple(given), name), hint)

    def _is_open(self, node: nodes.Condition, body: Sequence[nodes.Condition], scope: Scope) -> bool:
        """Whether a condition is about puzzle variables."""
        families = self.names.families
        equal = binders([literal for literal in body if isinstance(literal, nodes.Comparison)]) - families
        unequal = [literal for literal in body if not isinstance(literal, nodes.Comparison)]
        others = binders(unequal, scope.bound, families)
        bound = {*equal, *others, *scope.bound}
        return any(
            part.name in families and not (isinstance(part, nodes.Logical) and part.name in bound)
            for part in nodes.walk(node)
            if isinstance(part, nodes.Logical | nodes.Name | nodes.Call)
        )

    def _chosen(self, item: nodes.Argument, body: Body, scope: Scope, compile: Compile) -> Choices:
        if isinstance(item, nodes.Comprehension) and body is None:
            return self._chosen(item.item, item.body, scope, compile)
        body = expand_all(body or (), self.names)
        opened = [literal for literal in body if self._is_open(literal, body, scope)]
        generated = self.query([literal for literal in body if literal not in opened], scope.bound)
        inner = scope._replace(bound=generated.bound)
        conditions = [self.condition(literal, inner) for literal in opened]
        value = compile(item, inner)

        def choices(env: Env) -> Iterator[ConditionalElement]:
            for found in generated.run(env):
                held = constraints.conjunction((one(found, {}) for one in conditions), {})
                yield held, partial(value, found), item

        return choices


def _costs_the_same(item: nodes.Argument, words: Collection[str]) -> bool:
    """Whether an element makes the same number of instances whatever values these words have."""
    parts = [*nodes.walk(item)]
    bodies = tuple([part.body for part in parts if isinstance(part, nodes.GENERATING) and part.body])
    is_conditional = any(isinstance(part, CONDITIONAL) or getattr(part, "name", "") == "count" for part in parts)
    return bool(bodies) and not is_conditional and all_names(bodies).isdisjoint(words)


def _generating(items: Iterable[nodes.Argument]) -> Iterator[nodes.Listing | nodes.Comprehension]:
    """The lists and the elements with generators among the elements of a list, however deep."""
    for item in items:
        if isinstance(item, nodes.Listing | nodes.Comprehension):
            yield item
            yield from _generating(item.items if isinstance(item, nodes.Listing) else [item.item])
